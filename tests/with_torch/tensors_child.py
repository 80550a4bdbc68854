"""Run by test_tensors_values.py in a process of its own: saves tensors of every type and layout, prints their facts.

`python -m tests.with_torch.tensors_child FOLDER` writes zip.pt and legacy.pt there, and JSON to stdout.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Final

import torch

FLOATS: Final = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
INTEGERS: Final = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
UNSIGNED: Final = (torch.uint16, torch.uint32, torch.uint64)
COMPLEX: Final = (torch.complex64, torch.complex128)
FLOAT8: Final = (
    torch.float8_e5m2,
    torch.float8_e4m3fn,
    torch.float8_e5m2fnuz,
    torch.float8_e4m3fnuz,
    torch.float8_e8m0fnu,
)
RAW: Final = (torch.float4_e2m1fn_x2, torch.bits8, torch.bits16, torch.complex32)
SHARES = [0.0, 0.01, 0.25, 0.5, 0.75, 0.99, 1.0]


def bare(dtype: torch.dtype) -> str:
    """The name without `torch.`."""
    return str(dtype).removeprefix("torch.")


def of_every_type() -> dict[str, torch.Tensor]:
    """3 x 4 of each."""
    base = torch.linspace(-3, 40, 12, dtype=torch.float64).reshape(3, 4)
    found = {bare(dtype): base.to(dtype) for dtype in (*FLOATS, *INTEGERS)}
    found |= {bare(dtype): base.abs().to(torch.int32).to(dtype) for dtype in UNSIGNED}
    found |= {bare(dtype): torch.complex(base, base.flip(1)).to(dtype) for dtype in COMPLEX}
    found |= {bare(dtype): base.float().to(dtype) for dtype in FLOAT8}
    raw = torch.arange(48, dtype=torch.uint8)
    found |= {bare(dtype): raw.clone().view(dtype).reshape(3, -1) for dtype in RAW}
    found["bool"] = base > 10
    return found


def of_every_layout() -> dict[str, torch.Tensor]:
    """Views of shared storages."""
    base = torch.arange(360, dtype=torch.float32)
    cube = base.reshape(6, 6, 10)
    numbers = torch.complex(base[:8], base[8:16])
    return {
        "whole": cube,
        "slice": cube[2:4, 1:, ::3],
        "transposed": cube.transpose(0, 2),
        "expanded": base[:3].expand(4, 3),
        "windows": base[:40].unfold(0, 8, 3),
        "diagonal": torch.diagonal(base[:36].reshape(6, 6)),
        "channels_last": base[:120].reshape(1, 2, 6, 10).contiguous(memory_format=torch.channels_last),
        "scalar": base[17],
        "empty": base[:0].reshape(0, 5),
        "one": base[5:6].reshape(1, 1, 1, 1, 1),
        "conj": numbers.conj(),
        "conj_strided": numbers.conj()[1::2],
        "neg": numbers.clone().conj().imag,
        "bf16_transposed": cube.to(torch.bfloat16).permute(2, 0, 1),
        "int_columns": torch.arange(30).reshape(5, 6)[:, 2],
        "special": torch.tensor([[1.0, float("nan")], [float("inf"), -float("inf")], [0.0, -0.0]]),
        "parameter": torch.nn.Parameter(torch.ones(3, 2)),
        "frozen": torch.nn.Parameter(torch.ones(2), requires_grad=False),
        "wide": torch.randn(300, 400, generator=torch.Generator().manual_seed(1)),
    }


def plain_bytes(tensor: torch.Tensor) -> bytes:
    """The elements in row-major order, conj and neg applied."""
    resolved = tensor.detach().resolve_conj().resolve_neg().contiguous()
    return bytes(resolved.reshape(-1).view(torch.uint8).numpy()) if resolved.numel() else b""


def facts(tensor: torch.Tensor) -> dict[str, Any]:
    """What has to be read of a tensor."""
    told: dict[str, Any] = {
        "dtype": bare(tensor.dtype),
        "shape": list(tensor.shape),
        "stride": list(tensor.stride()),
        "offset": tensor.storage_offset(),
        "grad": tensor.requires_grad,
        "bytes": plain_bytes(tensor).hex() if tensor.numel() < 100 else "",
        "sha256": hashlib.sha256(plain_bytes(tensor)).hexdigest(),
    }
    if tensor.dtype in (*FLOATS, *INTEGERS, *UNSIGNED, *FLOAT8) and tensor.numel() > 1:
        told |= numbers(tensor.detach().resolve_neg())
    return told


def numbers(tensor: torch.Tensor) -> dict[str, Any]:
    """Statistics of the finite elements, by torch in float64."""
    wide = tensor.to(torch.float64)
    finite = wide[wide.isfinite()]
    return {
        "minimum": float(finite.min()),
        "maximum": float(finite.max()),
        "mean": float(finite.mean()),
        "std": float(finite.std()),
        "zeros": int((wide == 0).sum()),
        "nans": int(wide.isnan().sum()),
        "infinite": int(wide.isinf().sum()),
        "norms": [float(finite.norm(kind)) for kind in (1, 2, float("inf"))],
        "quantiles": torch.quantile(finite, torch.tensor(SHARES, dtype=torch.float64)).tolist(),
        "distinct": len(finite.unique()),
        "first": [(places.tolist() or [None])[0] for places in (which.nonzero() for which in odd(wide))],
    }


def odd(wide: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Where zeros, NaN and infinities are."""
    return wide == 0, wide.isnan(), wide == float("inf"), wide == -float("inf")


def main(folder: Path) -> None:
    """Save and tell."""
    tensors = of_every_type() | of_every_layout()
    torch.save(tensors, folder / "zip.pt")
    torch.save(tensors, folder / "legacy.pt", _use_new_zipfile_serialization=False)
    print(json.dumps({name: facts(tensor) for name, tensor in tensors.items()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
