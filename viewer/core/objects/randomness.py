"""States of random number generators, as training checkpoints keep them.

torch, CPU    uint8 [5056]: u64 seed, i32 numbers left, i32 seeded, u64 next, 624 x u64 state, then normal numbers
torch, CUDA   uint8 [16]: u64 seed, u64 offset (Philox); [816016] of the generator before torch 1.6
Python        (3, 625 ints of which the last is the place, next gauss or None)
numpy         ('MT19937', uint32 [624], place, has_gauss, cached), or a mapping with `bit_generator`
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from viewer.core.errors import ViewerError
from viewer.core.objects.content import is_mapping, sections
from viewer.core.objects.modules import entries_of
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors import window
from viewer.core.tensors.tensor import Tensor

CPU: Final = frozenset({5048, 5056})
"""Bytes of the state of torch's generator on the CPU, before and since torch 1.6."""
PHILOX: Final = 16
OLD_CUDA: Final = 816_016
_WORDS: Final = 624
_HEAD: Final = struct.Struct("<QiiQ")
_PAIR: Final = struct.Struct("<QQ")
_MOST_KEYS: Final = 64
_PYTHON_VERSIONS: Final = frozenset({2, 3})
_HINTS: Final = frozenset({"cuda", "generator", "gpu", "random", "rng"})


@dataclass(frozen=True, slots=True)
class Randomness:
    """One state. `owner`: cpu, cuda, python, numpy. `generator`: its algorithm.

    `seed`: as stored. `place`: how many numbers of the current block are used, of Philox how many were drawn in all.
    None where the state does not hold it, or cannot be read.
    """

    owner: str
    generator: str
    seed: int | None = None
    place: int | None = None


def of_tensor(tensor: Tensor, words: frozenset[str] = frozenset()) -> Randomness | None:
    """The state in a tensor; None for any other. `words`: of the key that it stands under, as short states need one."""
    if tensor.dtype != "uint8" or len(tensor.shape) != 1 or tensor.kind != "tensor":
        return None
    size = tensor.shape[0]
    if size in CPU:
        head = _bytes(tensor, _HEAD.size)
        if head is None:
            return Randomness("cpu", "mt19937")
        seed, left, _, following = _HEAD.unpack(head)
        return Randomness("cpu", "mt19937", seed, following) if 0 <= left <= _WORDS + 1 else None
    if words.isdisjoint(_HINTS):
        return None
    if size == PHILOX:
        pair = _bytes(tensor, size)
        return Randomness("cuda", "Philox", *(_PAIR.unpack(pair) if pair is not None else ()))
    return Randomness("cuda", "mtgp32") if size == OLD_CUDA else None


def of_value(values: Values, value: int, encoding: str = "utf-8") -> Randomness | None:
    """The state of Python's or numpy's generator that a tuple or mapping is; None for anything else."""
    count = _count(values, value)
    if values.kind(value) is Kind.TUPLE:
        return _of_tuple(values, values.items(value), encoding) if count in (3, 5) else None
    if not is_mapping(values, value) or count > _MOST_KEYS:
        return None
    held = entries_of(values, value, encoding)
    name = values.text(held.get("bit_generator", -1), encoding)
    if name is None or "state" not in held:
        return None
    is_small = is_mapping(values, held["state"]) and _count(values, held["state"]) <= _MOST_KEYS
    inner = entries_of(values, held["state"], encoding) if is_small else {}
    return Randomness("numpy", name, None, values.integer(inner.get("pos", -1)))


def _of_tuple(values: Values, items: list[int], encoding: str) -> Randomness | None:
    is_python = len(items) == 3 and values.integer(items[0]) in _PYTHON_VERSIONS
    if is_python and values.kind(items[1]) is Kind.TUPLE and _count(values, items[1]) == _WORDS + 1:
        return Randomness("python", "mt19937", None, values.integer(values.items(items[1])[-1]))
    if len(items) == 5 and values.text(items[0], encoding) == "MT19937":
        return Randomness("numpy", "mt19937", None, values.integer(items[2]))
    return None


def _count(values: Values, value: int) -> int:
    return sum(section.count for section in sections(values, value))


def _bytes(tensor: Tensor, count: int) -> bytes | None:
    """The first bytes of a tensor of bytes; None where they are missing, or would have to be unpacked."""
    if tensor.storage is None or tensor.storage.span is None:
        return None
    try:
        return window.read(tensor, (slice(0, count),)).tobytes() if window.complete(tensor) else None
    except ViewerError:
        return None
