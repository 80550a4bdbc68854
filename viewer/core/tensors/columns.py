"""What a table of tensors can be sorted by: what each column says of a tensor, and keys in the order of its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from viewer.core.memory import share
from viewer.core.source import printable
from viewer.core.tensors import path as paths
from viewer.core.tensors import window

if TYPE_CHECKING:
    from viewer.core.tensors.tensor import Tensor

PIECE: Final = "piece"
ROOT: Final = "root"
SORTING: Final = "sorting"
"""The step of progress."""
DIGITS: Final = 10
LONGEST_RUN: Final = 10
"""Digits of a number in a name that are counted; numbers of more stand as text does."""
LONGEST_KEY: Final = 256
MOST_BYTES: Final = 256 * 1024 * 1024
"""Bytes of the keys of all names together; what is longer is cut."""
_NUMBER: Final = re.compile("[0-9]+")

Ranks = npt.NDArray[Any]
"""A key for each tensor, ints or bytes, that numpy sorts as the values are sorted."""


class By(IntEnum):
    """The columns, in the order in which the table has them. MISSING: bytes that are not there."""

    NAME = 0
    DTYPE = 1
    SHAPE = 2
    ELEMENTS = 3
    BYTES = 4
    PLACE = 5
    LOCATION = 6
    SHARED = 7
    MISSING = 8


def name_of(tensor: Tensor) -> str:
    """The path without the dicts of modules; the name where no pickle made the tensor; "" for one that is the root."""
    return paths.shown_short(tensor.path) or tensor.name or ""


def shown_name(tensor: Tensor) -> str:
    """What a table calls a tensor."""
    return name_of(tensor) or ROOT


def place_text(tensor: Tensor) -> str:
    """The storage's key; of a set the file that the bytes stand in."""
    if tensor.member:
        return printable(tensor.member)
    files = dict.fromkeys(part.member for role, part in tensor.parts if role == PIECE)
    if files:
        return ", ".join(map(printable, files))
    return str(tensor.storage.key) if tensor.storage is not None else ""


KEYS: Final[Mapping[By, Callable[[Tensor], Any]]] = {
    By.NAME: lambda tensor: natural(shown_name(tensor)),
    By.DTYPE: lambda tensor: tensor.dtype,
    By.SHAPE: lambda tensor: tensor.shape,
    By.ELEMENTS: lambda tensor: tensor.elements,
    By.BYTES: lambda tensor: window.stored_nbytes(tensor),
    By.PLACE: lambda tensor: natural(place_text(tensor)),
    By.LOCATION: lambda tensor: tensor.storage.location if tensor.storage is not None else "",
    By.SHARED: lambda tensor: len(tensor.shared_with),
    By.MISSING: lambda tensor: window.missing_bytes(tensor)[0],
}


# -- names with numbers: layer 2 before layer 10 ------------------------------------------------------


def natural(text: str) -> str:
    """A key that sorts numbers in a name by their size: each has its number of digits before it."""
    return _NUMBER.sub(lambda found: chr(ord("0") - 1 + min(len(found[0]), LONGEST_RUN)) + found[0], text)


def natural_keys(texts: Sequence[str]) -> list[bytes]:
    """The same of many names at once, as bytes."""
    joined = "\n".join(texts).encode("utf-8", "surrogatepass")
    if joined.count(b"\n") != len(texts) - 1:
        return [natural(text).encode("utf-8", "surrogatepass") for text in texts]
    signs = np.frombuffer(joined, dtype=np.uint8)
    is_digit = signs - ord("0") < DIGITS
    edges = np.flatnonzero(np.diff(is_digit, prepend=False, append=False))
    lengths = np.minimum(edges[1::2] - edges[::2], LONGEST_RUN) + ord("0") - 1
    return np.insert(signs, edges[::2], lengths.astype(np.uint8)).tobytes().split(b"\n")


def name_ranks(blocks: Iterable[Sequence[str]], count: int) -> Ranks:
    """The keys of `count` names that come in blocks; of very long ones the beginning."""
    most = max(1, min(LONGEST_KEY, share(MOST_BYTES) // max(count, 1)))
    parts = [np.array([key[:most] for key in natural_keys(block)], dtype=np.bytes_) for block in blocks if block]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def ranks(values: Sequence[Any]) -> list[int]:
    """A number for each of some values, in their order; the same for equal ones."""
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    return [places[value] for value in values]
