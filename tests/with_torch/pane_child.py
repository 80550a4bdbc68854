"""Run by test_tensor_pane.py in a process of its own: saves a tensor of every type of torch, prints its numbers.

`python -m tests.with_torch.pane_child FOLDER` writes every.pt there, and JSON to stdout: the numbers by type, those
that torch cannot save, and all types that it has.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import torch

COMPLEX: Final = (torch.complex32, torch.complex64, torch.complex128)
BITS: Final = (torch.bits8, torch.bits16, torch.bits1x8, torch.bits2x4, torch.bits4x2)
QUANTISED: Final = (torch.qint8, torch.quint8, torch.qint32)
SHARED: Final = (torch.quint4x2, torch.quint2x4)


def types() -> dict[str, torch.dtype]:
    """All types of torch by their name; those with several names once."""
    found = (getattr(torch, name) for name in dir(torch))
    return {str(each).removeprefix("torch."): each for each in found if isinstance(each, torch.dtype)}


def patterns(size: int) -> torch.Tensor:
    """Bytes: all patterns of one and of two bytes; of more, patterns in which numbers of all sizes and kinds come."""
    if size == 1:
        return torch.arange(256, dtype=torch.uint8)
    if size == 2:
        return torch.arange(65536, dtype=torch.int32).to(torch.uint16).view(torch.uint8)
    random = torch.randint(0, 256, (512 * size,), dtype=torch.uint8, generator=torch.Generator().manual_seed(size))
    special = [0.0, -0.0, float("inf"), -float("inf"), float("nan"), 1.5, -2.0, 5e-324, 1e-40, 1.7e308, 65504.0]
    held = torch.tensor(special * 16, dtype={4: torch.float32}.get(size, torch.float64))
    halves = torch.tensor(special * 16, dtype=torch.float16 if size == 4 else torch.float32)
    return torch.cat((random, held.view(torch.uint8), halves.view(torch.uint8)))


def numbers(tensor: torch.Tensor) -> list[Any]:
    """What torch has in it, as JSON holds it: floats as text, complex numbers as pairs of them."""
    if tensor.dtype in COMPLEX:
        parts = torch.view_as_real(tensor).double().reshape(-1, 2).tolist()
        return [[repr(part) for part in pair] for pair in parts]
    if tensor.dtype in BITS:
        return list(tensor.view(torch.uint16 if tensor.element_size() == 2 else torch.uint8).reshape(-1).tolist())
    if tensor.dtype == torch.float4_e2m1fn_x2:
        return [[repr(of_four_bits(code & 15)), repr(of_four_bits(code >> 4))] for code in codes(tensor)]
    if tensor.is_quantized:
        return [repr(number) for number in tensor.dequantize().double().reshape(-1).tolist()]
    if tensor.dtype.is_floating_point:
        return [repr(number) for number in tensor.double().reshape(-1).tolist()]
    return list(tensor.reshape(-1).tolist())


def codes(tensor: torch.Tensor) -> list[int]:
    """The bytes."""
    return list(tensor.view(torch.uint8).reshape(-1).tolist())


def of_four_bits(code: int) -> float:
    """A float of one bit of sign, two of exponent (bias 1) and one of fraction, which torch gives no number of."""
    sign, exponent, fraction = -1.0 if code & 8 else 1.0, code >> 1 & 3, code & 1
    return sign * (fraction * 0.5 if exponent == 0 else (1 + fraction / 2) * 2.0 ** (exponent - 1))


def of_type(kind: torch.dtype) -> torch.Tensor:
    """Every pattern, as a matrix."""
    if kind in QUANTISED:
        whole = torch.arange(-128 if kind == torch.qint8 else 0, 128 if kind == torch.qint8 else 256)
        return torch.quantize_per_tensor((whole - 3) * 0.125, 0.125, 3, kind).reshape(16, -1)
    if kind in SHARED:
        most = 16 if kind == torch.quint4x2 else 4
        scales, zeros = torch.tensor([0.5, 0.25, 2.0]), torch.tensor([1.0, 0.0, 2.0])
        values = (torch.arange(3 * 21).reshape(3, 21) % most - zeros[:, None]) * scales[:, None]
        return torch.quantize_per_channel(values, scales, zeros, 0, kind)
    if kind == torch.bool:
        return torch.arange(32).reshape(4, 8) % 3 == 0
    return patterns(kind.itemsize).view(kind).reshape(4, -1)


def can_be_saved(kind: torch.dtype, folder: Path) -> bool:
    """Whether torch writes tensors of a type."""
    try:
        torch.save(torch.zeros(16, dtype=torch.uint8).view(kind), folder / "one.pt")
    except (KeyError, RuntimeError):
        return False
    return True


def main(folder: Path) -> None:
    """Save and tell."""
    every = types()
    refused = [name for name, kind in every.items() if not can_be_saved(kind, folder)]
    saved = {name: of_type(kind) for name, kind in every.items() if name not in refused}
    torch.save(saved, folder / "every.pt")
    told = {name: numbers(tensor) for name, tensor in saved.items()}
    print(json.dumps({"every": sorted(every), "refused": refused, "numbers": told}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
