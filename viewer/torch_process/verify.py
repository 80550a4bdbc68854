"""Loads a state_dict as torch does, with weights_only=True, and compares it with what was meant to be written."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

import torch

BLOCK: Final = 16 * 1024 * 1024
SIGN_OF_LIFE: Final = 1.0
CPU: Final = "cpu"
META: Final = "meta"
ZIP: Final = b"PK\3\4"
WITH_ELEMENTS: Final = frozenset({"plain", "quantised"})
"""Kinds that have elements of their own."""
PER_TENSOR: Final = "per_tensor_affine"
PER_BYTE: Final = {torch.quint4x2: 2, torch.quint2x4: 4}
"""Types of which several elements share a byte."""


class DiffersError(Exception):
    """What was loaded is not what was meant; the text says how."""


def load(path: str, count: int) -> Mapping[str, object]:
    """The state_dict, without map_location: it must load as it is. Raises DiffersError and whatever torch raises."""
    found = readable(path)
    with open(found, "rb") as file:
        is_zip = file.read(len(ZIP)) == ZIP
    # The form before torch 1.6 cannot be mapped.
    loaded = torch.load(found, weights_only=True, mmap=is_zip)
    if not isinstance(loaded, dict):
        raise DiffersError(f"it loads as a {type(loaded).__name__}")
    if len(loaded) != count:
        raise DiffersError(f"it has {len(loaded)} entries instead of {count}")
    return cast("Mapping[str, object]", loaded)


def readable(path: str) -> str:
    """The path, or another one of the same file where torch could not take it: it wants names in UTF-8."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return f"/dev/fd/{os.open(path, os.O_RDONLY)}"
    return path


def compare(loaded: Mapping[str, object], wanted: Mapping[str, object]) -> torch.Tensor | None:
    """The tensor of that name, or the part of it, its facts compared; None where it has no elements of its own.

    Raises DiffersError.
    """
    name = str(wanted["name"])
    found = at_keys(loaded, wanted.get("keys") or [name])
    if not isinstance(found, torch.Tensor):
        raise DiffersError(f"{name} is missing" if found is None else f"{name} is a {type(found).__name__}")
    if "part" in wanted:
        role = str(wanted["part"])
        part = part_of(found, role)
        check(f"{role} of {name}", wanted, {"dtype": type_of(part), "shape": list(part.shape)}, part.device, CPU)
        return part
    kind = str(wanted["kind"])
    check(name, wanted, FACTS[kind](found), found.device, META if kind == META else CPU)
    return found if kind in WITH_ELEMENTS else None


def at_keys(loaded: object, keys: object) -> object:
    """What stands there in nested mappings; None where there is nothing."""
    for key in keys if isinstance(keys, list) else ():
        loaded = loaded.get(key) if isinstance(loaded, dict) else None
    return loaded


def check(
    name: str, wanted: Mapping[str, object], found: Mapping[str, object], device: torch.device, place: str
) -> None:
    """Compare what was read with what was meant, None where nothing is stated. Raises DiffersError."""
    facts = {fact: (read, wanted.get(fact)) for fact, read in found.items()}
    for fact, (read, meant) in {**facts, "device": (str(device), place)}.items():
        if meant is not None and read != meant:
            raise DiffersError(f"the {fact} of {name} is {read} instead of {meant}")


def plain_facts(found: torch.Tensor) -> dict[str, object]:
    """What must be right of a tensor whose elements are plain numbers, and of one on the meta device."""
    if found.layout != torch.strided or found.is_quantized or found.is_nested:
        return {"dtype": f"{type_of(found)} ({found.layout})"}
    return {"dtype": type_of(found), "shape": list(found.shape), "stride": list(found.stride())}


def quantised_facts(found: torch.Tensor) -> dict[str, object]:
    """The same of integers with a quantizer; scales and zero points of each index are parts."""
    if not found.is_quantized:
        return {"dtype": type_of(found)}
    facts = {"dtype": type_of(found), "shape": list(found.shape), "stride": list(found.stride())}
    scheme = type_name(found.qscheme())
    if scheme == PER_TENSOR:
        return {**facts, "scheme": scheme, "scale": found.q_scale(), "zero_point": found.q_zero_point()}
    return {**facts, "scheme": scheme, "axis": found.q_per_channel_axis()}


def sparse_facts(found: torch.Tensor) -> dict[str, object]:
    """The same of indices and values."""
    facts: dict[str, object] = {"dtype": type_of(found), "layout": type_name(found.layout), "shape": list(found.shape)}
    return {**facts, "coalesced": found.is_coalesced()} if found.layout == torch.sparse_coo else facts


def nested_facts(found: torch.Tensor) -> dict[str, object]:
    """The same of several tensors in one buffer; it has no shape."""
    return {"dtype": type_of(found) if found.is_nested else f"{type_of(found)} (not nested)"}


def part_of(found: torch.Tensor, role: str) -> torch.Tensor:
    """One of the tensors that a tensor is made of; those of COO also where it is not coalesced."""
    method = f"_{role}" if found.layout == torch.sparse_coo else PARTS[role]
    part = getattr(found, method)()
    if not isinstance(part, torch.Tensor):
        raise DiffersError(f"its {role} are a {type(part).__name__}")
    return part


def type_of(found: torch.Tensor) -> str:
    """The element type by torch's name, without `torch.`."""
    return type_name(found.dtype)


def type_name(constant: object) -> str:
    """A type, layout or scheme by its name."""
    return str(constant).removeprefix("torch.")


FACTS: Final[dict[str, Callable[[torch.Tensor], dict[str, object]]]] = {
    "plain": plain_facts,
    "quantised": quantised_facts,
    "sparse": sparse_facts,
    "nested": nested_facts,
    META: plain_facts,
}
PARTS: Final = {
    "scale": "q_per_channel_scales",
    "zero_point": "q_per_channel_zero_points",
    **{role: role for role in ("values", "crow_indices", "col_indices", "ccol_indices", "row_indices")},
    "sizes": "_nested_tensor_size",
    "strides": "_nested_tensor_strides",
    "offsets": "_nested_tensor_storage_offsets",
}
"""What torch calls the part of a tensor -> its method that gives it."""


def digest(tensor: torch.Tensor, alive: Callable[[], None] = lambda: None) -> str:
    """SHA-256 of the elements in C order with the conj and neg bits applied; `alive` is called now and then."""
    tensor = tensor.resolve_conj().resolve_neg()
    total = hashlib.sha256()
    last = time.monotonic()
    for block in blocks(as_bytes(tensor)):
        total.update(block.numpy().data)
        now = time.monotonic()
        if now - last >= SIGN_OF_LIFE:
            last = now
            alive()
    return total.hexdigest()


def as_bytes(tensor: torch.Tensor) -> torch.Tensor:
    """The same memory with one more axis, the bytes of an element: torch has no kernels that copy its newest types."""
    item = tensor.element_size()
    if tensor.dtype in PER_BYTE:
        count = -(-tensor.numel() // PER_BYTE[tensor.dtype])
        return torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage(), 0, (count,), (1,))
    offset = tensor.storage_offset() * item
    stride = [step * item for step in tensor.stride()]
    empty = torch.empty(0, dtype=torch.uint8)
    return empty.set_(tensor.untyped_storage(), offset, (*tensor.shape, item), (*stride, 1))


def blocks(tensor: torch.Tensor) -> Iterator[torch.Tensor]:
    """Flat pieces in C order, each of about BLOCK bytes at most; copies only what does not lie in order."""
    if tensor.numel() == 0:
        return
    if tensor.is_contiguous():
        flat = tensor.view(-1)
        yield from (flat[start : start + BLOCK] for start in range(0, flat.numel(), BLOCK))
    elif tensor.numel() <= BLOCK:
        yield tensor.contiguous().view(-1)
    else:
        rows = max(1, BLOCK * tensor.shape[0] // tensor.numel())
        for start in range(0, tensor.shape[0], rows):
            part = tensor[start : start + rows]
            yield from blocks(part if part.shape[0] > 1 else part[0])
