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


class DiffersError(Exception):
    """What was loaded is not what was meant; the text says how."""


def load(path: str, count: int) -> Mapping[str, object]:
    """The state_dict, without map_location: it must load as it is. Raises DiffersError and whatever torch raises."""
    loaded = torch.load(readable(path), weights_only=True, mmap=True)
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


def compare(loaded: Mapping[str, object], wanted: Mapping[str, object]) -> torch.Tensor:
    """The tensor of that name, its facts compared. Raises DiffersError."""
    name = str(wanted["name"])
    found = loaded.get(name)
    if not isinstance(found, torch.Tensor):
        raise DiffersError(f"{name} is missing" if found is None else f"{name} is a {type(found).__name__}")
    facts = {
        "dtype": (str(found.dtype).removeprefix("torch."), wanted["dtype"]),
        "shape": (list(found.shape), wanted["shape"]),
        "stride": (list(found.stride()), wanted["stride"]),
        "device": (str(found.device), CPU),
    }
    for fact, (read, meant) in facts.items():
        if read != meant:
            raise DiffersError(f"the {fact} of {name} is {read} instead of {meant}")
    return found


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
