"""Run by test_export_special_any.py in a process of its own. Prints JSON.

load FOLDER      every .pt of a folder with weights_only=True, nothing mapped: what torch tells of each tensor
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

PER_BYTE = {torch.quint4x2: 2, torch.quint2x4: 4}
WITH_FLOATS = (torch.quint8, torch.quint4x2)
COMPRESSED = {
    torch.sparse_csr: ("crow_indices", "col_indices", "values"),
    torch.sparse_bsr: ("crow_indices", "col_indices", "values"),
    torch.sparse_csc: ("ccol_indices", "row_indices", "values"),
    torch.sparse_bsc: ("ccol_indices", "row_indices", "values"),
}
NESTED = {
    "values": lambda found: found.values(),
    "sizes": lambda found: found._nested_tensor_size(),
    "strides": lambda found: found._nested_tensor_strides(),
    "offsets": lambda found: found._nested_tensor_storage_offsets(),
}


def load(folder: Path) -> dict[str, Any]:
    """All files."""
    found = {}
    for path in sorted(folder.glob("*.pt")):
        value = torch.load(path, weights_only=True)
        found[path.stem] = {name: facts(tensor) for name, tensor in value.items()}
    return found


def facts(found: Tensor) -> dict[str, Any]:
    """As special_trees has them; of quantised ones also the numbers that are meant."""
    assert type(found) is Tensor
    if found.is_nested:
        return {"kind": "nested", "parts": {role: told(part(found)) for role, part in NESTED.items()}}
    if found.layout != torch.strided:
        return sparse(found)
    stride = list(found.stride())
    if found.device.type == "meta":
        return {"kind": "meta", "elements": [name_of(found.dtype), list(found.shape), ""], "stride": stride}
    if found.is_quantized:
        return {"kind": "quantised", "stride": stride, **quantised(found)}
    return {"kind": "plain", "elements": told(found), "stride": stride}


def sparse(found: Tensor) -> dict[str, Any]:
    """Layout, shape, and the tensors that it is made of."""
    is_coo = found.layout == torch.sparse_coo
    parts = {"indices": found._indices(), "values": found._values()} if is_coo else {}
    for role in COMPRESSED.get(found.layout, ()):
        parts[role] = getattr(found, role)()
    known = {"layout": name_of(found.layout), "shape": list(found.shape), "coalesced": is_coo and found.is_coalesced()}
    return {"kind": "sparse", **known, "parts": {role: told(part) for role, part in parts.items()}}


def quantised(found: Tensor) -> dict[str, Any]:
    """Integers, quantizer, numbers."""
    scheme, per = name_of(found.qscheme()), PER_BYTE.get(found.dtype)
    integers = [name_of(found.dtype), list(found.shape), plain(found.int_repr())[2] if per is None else packed(found)]
    # of others with float zero points torch gives no numbers, or the process ends (qint32, torch 2.13)
    is_known = not scheme.endswith("float_qparams") or (found.dtype in WITH_FLOATS and found.is_contiguous())
    meant = found.dequantize().reshape(-1).tolist() if is_known else None
    known = {"elements": integers, "scheme": scheme, "meant": meant}
    if scheme == "per_tensor_affine":
        return {**known, "scale": found.q_scale(), "zero_point": found.q_zero_point(), "axis": None}
    scales, zeros = found.q_per_channel_scales(), found.q_per_channel_zero_points()
    return {**known, "scale": told(scales), "zero_point": told(zeros), "axis": found.q_per_channel_axis()}


def packed(found: Tensor) -> list[int]:
    """Elements that share a byte, one by one, the lowest bits first."""
    per = PER_BYTE[found.dtype]
    data = bytes_of(torch.empty(0, dtype=torch.uint8).set_(found.untyped_storage()))
    every, bits = int.from_bytes(data, "little"), 8 // per
    return [every >> (at * bits) & ((1 << bits) - 1) for at in range(found.numel())]


def told(found: Tensor) -> list[Any]:
    """A tensor of plain numbers in words; whatever is not 0 is true."""
    return plain(found.resolve_conj().resolve_neg())


def plain(found: Tensor) -> list[Any]:
    """The same of one without marks."""
    data = bytes_of(found)
    if found.dtype == torch.bool:
        data = bytes(byte != 0 for byte in data)
    return [name_of(found.dtype), list(found.shape), data.hex()]


def bytes_of(found: Tensor) -> bytes:
    """Its elements in C order: torch has no kernels that copy its newest types, so that bytes are one more axis."""
    item = found.element_size()
    flat = torch.empty(0, dtype=torch.uint8).set_(
        found.untyped_storage(),
        found.storage_offset() * item,
        (*found.shape, item),
        (*(step * item for step in found.stride()), 1),
    )
    return flat.contiguous().numpy().tobytes()


def name_of(constant: object) -> str:
    """Without `torch.`."""
    return str(constant).removeprefix("torch.")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps({"load": load}[sys.argv[1]](Path(sys.argv[2]))))
