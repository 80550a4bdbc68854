"""Run by test_tensors_parts.py in a process of its own: saves tensors that are more than plain elements, prints facts.

`python -m tests.with_torch.parts_child FOLDER` writes zip.pt and legacy.pt there, and JSON to stdout.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch
from torch.testing._internal.two_tensor import TwoTensor

NUMBERS = torch.linspace(-3, 4, 24).reshape(4, 6)


def of_quantised() -> dict[str, torch.Tensor]:
    """Every type and scheme, along each axis, and views."""
    scales, zeros = torch.tensor([0.1, 0.25, 0.5, 0.3]), torch.tensor([0, 1, -2, 3])
    wide = torch.linspace(0.1, 0.6, 6)
    by_tensor = {
        str(kind).removeprefix("torch."): torch.quantize_per_tensor(NUMBERS, 0.1, 3, kind)
        for kind in (torch.qint8, torch.quint8, torch.qint32)
    }
    by_rows = torch.quantize_per_channel(NUMBERS, scales, zeros, 0, torch.qint8)
    by_columns = torch.quantize_per_channel(NUMBERS, wide, torch.arange(6), 1, torch.quint8)
    floats = torch.quantize_per_channel(NUMBERS, scales, torch.tensor([0.5, 1.0, 2.25, 3.0]), 0, torch.quint8)
    odd = NUMBERS[:, :5].contiguous()
    packed = {
        "quint4x2": torch.quantize_per_channel(odd, scales, zeros.float(), 0, torch.quint4x2),
        "quint2x4": torch.quantize_per_channel(odd, scales, zeros.float(), 0, torch.quint2x4),
    }
    return {
        **by_tensor,
        **packed,
        "rows": by_rows,
        "columns": by_columns,
        "floats": floats,
        "view": by_tensor["qint8"][1:3, ::2],
        "turned": by_tensor["quint8"].t(),
    }


def of_parts() -> dict[str, torch.Tensor]:
    """Sparse ones of all layouts, nested ones, a wrapper, meta ones."""
    dense = torch.tensor([[0.0, 1, 0, 2], [3, 0, 0, 0], [0, 0, 4, 0], [0, 5, 0, 0]])
    twice = torch.sparse_coo_tensor(torch.tensor([[0, 0, 2], [1, 1, 0]]), torch.tensor([1.0, 2, 3]), (3, 4))
    return {
        "coo": twice,
        "coalesced": dense.to_sparse(),
        "hybrid": torch.sparse_coo_tensor(torch.tensor([[0, 2]]), torch.ones(2, 3), (4, 3)),
        "csr": dense.to_sparse_csr(),
        "csc": dense.to_sparse_csc(),
        "bsr": dense.to_sparse_bsr((2, 2)),
        "bsc": dense.to_sparse_bsc((2, 1)),
        "batches": torch.stack([dense, dense.flip(1)]).to_sparse_csr(),
        "nested": torch.nested.nested_tensor([torch.arange(3.0), torch.arange(2.0)]),
        "jagged": torch.nested.nested_tensor([torch.arange(3.0), torch.arange(2.0)], layout=torch.jagged),
        **of_jagged(),
        "blocks": torch.stack([dense, dense]).to_sparse_bsr((2, 4)),
        "hybrid_rows": torch.sparse_csr_tensor(
            torch.tensor([0, 1, 1, 2]), torch.tensor([1, 0]), torch.arange(6.0).reshape(2, 3), (3, 2, 3)
        ),
        "two": TwoTensor(torch.ones(2), torch.zeros(2)),
        "meta": torch.empty(2, 3, device="meta", dtype=torch.bfloat16),
    }


def of_jagged() -> dict[str, torch.Tensor]:
    """Jagged ones along another axis, and with holes between what they hold; a nested one that is turned."""
    rows = [torch.arange(6.0).reshape(3, 2), torch.arange(4.0).reshape(2, 2)]
    jagged = torch.nested.nested_tensor(rows, layout=torch.jagged)
    lengths = torch.tensor([2, 3, 1])
    holes = torch.nested.narrow(
        torch.arange(12.0).reshape(3, 4), 1, torch.tensor([0, 1, 2]), lengths, layout=torch.jagged
    )
    return {
        "jagged_turned": jagged.transpose(1, 2),
        "jagged_holes": holes,
        "nested_turned": torch.nested.nested_tensor([rows[0].t(), rows[1]]),
    }


ROLES = {
    torch.sparse_coo: ("_indices", "_values"),
    torch.sparse_csr: ("crow_indices", "col_indices", "values"),
    torch.sparse_bsr: ("crow_indices", "col_indices", "values"),
    torch.sparse_csc: ("ccol_indices", "row_indices", "values"),
    torch.sparse_bsc: ("ccol_indices", "row_indices", "values"),
    torch.jagged: ("values", "offsets"),
}


def facts(tensor: torch.Tensor) -> dict[str, Any]:
    """What has to be read of a tensor."""
    told: dict[str, Any] = {
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "layout": str(tensor.layout).removeprefix("torch."),
        "shape": None if tensor.is_nested else list(tensor.shape),
        "parts": {},
    }
    if tensor.is_quantized:
        told["stored"] = codes(tensor)
        told["meant"] = tensor.dequantize().tolist()
        told["scheme"] = str(tensor.qscheme()).removeprefix("torch.")
    elif isinstance(tensor, TwoTensor):
        told["parts"] = {"a": tensor.a.tolist(), "b": tensor.b.tolist()}
    elif tensor.layout in ROLES:
        if not tensor.is_nested:
            told["dense"] = tensor.to_dense().tolist()
        told["parts"] = {name.lstrip("_"): getattr(tensor, name)().tolist() for name in ROLES[tensor.layout]}
    elif tensor.is_nested:
        told["layout"] = "nested"
        told["parts"] = {
            "values": tensor.values().tolist(),
            "sizes": tensor._nested_tensor_size().tolist(),
            "strides": tensor._nested_tensor_strides().tolist(),
            "offsets": tensor._nested_tensor_storage_offsets().tolist(),
        }
    if tensor.is_nested:
        told["held"] = [inner.tolist() for inner in tensor.unbind()]
    return told


def codes(tensor: torch.Tensor) -> list[list[int]]:
    """The stored integers; packed types have no int_repr(), so from their numbers."""
    if tensor.dtype not in (torch.quint4x2, torch.quint2x4):
        return list(tensor.int_repr().tolist())
    scales, zeros = tensor.q_per_channel_scales(), tensor.q_per_channel_zero_points()
    return list((tensor.dequantize() / scales[:, None] + zeros[:, None]).round().int().tolist())


def main(folder: Path) -> None:
    """Save and tell."""
    tensors = of_quantised() | of_parts()
    torch.save(tensors, folder / "zip.pt")
    torch.save(tensors, folder / "legacy.pt", _use_new_zipfile_serialization=False)
    print(json.dumps({name: facts(tensor) for name, tensor in tensors.items()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
