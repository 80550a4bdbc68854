"""Run by test_export_special.py in a process of its own. Prints JSON.

save FOLDER      a state_dict of every kind of tensor that is more than plain elements, as torch saves it
load FOLDER      every .pt of a folder with weights_only=True, nothing mapped
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import OrderedDict
from pathlib import Path
from typing import Any

import torch


def values() -> dict[str, torch.Tensor]:
    """By name. The numbers are small and exact."""
    matrix = torch.tensor([[0.0, 1.5, 0.0, 0.0], [2.0, 0.0, 0.0, -3.0]])
    rows, channels = torch.tensor([0.5, 2.0]), torch.tensor([1, 0])
    return {
        "per_tensor": torch.quantize_per_tensor(matrix, 0.5, 3, torch.quint8),
        "turned": torch.quantize_per_tensor(matrix, 0.5, 0, torch.qint8).t(),
        "wide": torch.quantize_per_tensor(matrix, 0.25, -7, torch.qint32),
        "per_channel": torch.quantize_per_channel(matrix, rows, channels, 0, torch.qint8),
        "float_zero": torch.quantize_per_channel(matrix, rows, torch.tensor([0.5, 1.0]), 0, torch.quint8),
        "four_bits": torch.quantize_per_channel(matrix[:, :3], rows, torch.tensor([4.0, 4.0]), 0, torch.quint4x2),
        "coo": matrix.to_sparse(),
        "coo_twice": torch.sparse_coo_tensor(torch.tensor([[1, 1], [0, 0]]), torch.tensor([1.0, 2.0]), (2, 3)),
        "hybrid": torch.sparse_coo_tensor(torch.tensor([[2, 0]]), torch.ones(2, 3), (3, 3)),
        "empty": torch.sparse_coo_tensor(torch.zeros(2, 0, dtype=torch.int64), torch.zeros(0), (2, 3)),
        "csr": matrix.to_sparse_csr(),
        "csc": matrix.to_sparse_csc(),
        "bsr": matrix.to_sparse_bsr((1, 2)),
        "bsc": matrix.to_sparse_bsc((2, 1)),
        "half": matrix.to(torch.bfloat16).to_sparse(),
        "nested": torch.nested.nested_tensor([torch.arange(6.0).reshape(2, 3), torch.ones(1, 3)]),
        "meta": torch.empty(3, 2, dtype=torch.float16, device="meta").t(),
        "plain": matrix,
    }


def save(folder: Path) -> list[str]:
    """Save all; gives the names."""
    held = values()
    for name, value in held.items():
        torch.save(OrderedDict({name: value}), folder / f"{name}.pt")
    return list(held)


def load(folder: Path) -> dict[str, Any]:
    """What torch makes of each file."""
    return {path.stem: loaded(path) for path in sorted(folder.glob("*.pt"))}


def loaded(path: Path) -> dict[str, Any]:
    """One file; a tensor that stands alone is called `tensor`, as exports call it."""
    value = torch.load(path, weights_only=True)
    value = {"tensor": value} if isinstance(value, torch.Tensor) else value
    return {name: facts(found) for name, found in value.items() if isinstance(found, torch.Tensor)}


def facts(found: torch.Tensor) -> dict[str, Any]:
    """All that must be right of one tensor, with its numbers as torch has them."""
    assert type(found) is torch.Tensor
    known: dict[str, Any] = {"dtype": str(found.dtype), "layout": str(found.layout), "device": str(found.device)}
    if found.is_nested:
        return {**known, "nested": [each.tolist() for each in found.unbind()]}
    known["shape"] = list(found.shape)
    if found.device.type == "meta":
        return {**known, "stride": list(found.stride())}
    if found.is_quantized:
        known |= {"stride": list(found.stride()), "scheme": str(found.qscheme()), "integers": found.int_repr().tolist()}
        return known if found.dtype == torch.quint2x4 else {**known, "meant": found.dequantize().tolist()}
    if found.layout == torch.sparse_coo:
        known |= {"coalesced": found.is_coalesced(), "indices": found._indices().tolist()}
        return {**known, "values": found._values().tolist()}
    if found.layout == torch.strided and found.dtype.is_floating_point:
        return {**known, "stride": list(found.stride()), "values": found.double().tolist()}
    return known if found.layout == torch.strided else {**known, "dense": found.to_dense().tolist()}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps({"save": save, "load": load}[sys.argv[1]](Path(sys.argv[2]))))
