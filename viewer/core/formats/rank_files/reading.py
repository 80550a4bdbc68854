"""What the files of the ranks share: plain values of their pickles, and tensors as those of the whole set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from viewer.core.document import Document, Pickle
from viewer.core.formats.rank_files.names import RankFile
from viewer.core.objects.content import mapping, sections
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors import window
from viewer.core.tensors.assembled import AssembledSource
from viewer.core.tensors.layout import Shape, row_major
from viewer.core.tensors.path import Path
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor

MOST_COMPARED = 1024 * 1024
"""Bytes of a tensor that are compared with those of other ranks while the set is opened."""
GLANCE = 64 * 1024
"""Bytes at its beginning by which a piece is told from another."""
MOST_ENTRIES = 1_000_000


@dataclass(frozen=True, slots=True)
class Member:
    """One file of the group, as it was read."""

    file: RankFile
    document: Document

    def tensors(self) -> Iterator[Tensor]:
        """All tensors of the file, also of what lies inside it."""
        for part in self.document.holders():
            yield from part.tensors

    @property
    def pickle(self) -> Pickle | None:
        """The stream with the object."""
        return self.document.content.main_pickle


@dataclass(frozen=True, slots=True)
class Held:
    """A tensor and the file that it stands in."""

    file: RankFile
    tensor: Tensor


def of_member(held: Held, path: Path, name: str | None) -> Tensor:
    """A tensor of a file as a tensor of the set. Its value is none of the set's own pickle."""
    tensor, member = held.tensor, held.file.name
    parts = tuple((role, of_member(Held(held.file, part), part.path, part.name)) for role, part in tensor.parts)
    return replace(tensor, path=path, name=name, member=member, parts=parts, value=None, stated=None, shared_with=[])


def assembled(path: Path, name: str | None, shape: Shape, pieces: list[Tensor], location: str = "cpu") -> Tensor:
    """The tensor that pieces make; each has `member` and `offsets`."""
    first = pieces[0]
    itemsize = window.itemsize(first)
    source = AssembledSource(shape, itemsize, pieces)
    count = source.size // itemsize if itemsize else 0
    order = first.storage.byteorder if first.storage is not None else "little"
    storage = Storage(
        *(name or "", location, first.dtype, False, count, source.size, None, source, "", order, source.absent)
    )
    parts = tuple(("piece", piece) for piece in pieces)
    return Tensor(
        *(0, path, name, "tensor", first.dtype, shape, row_major(shape), 0, storage, first.requires_grad), parts=parts
    )


def is_plain(tensor: Tensor) -> bool:
    """True for elements that can be put together with others of their type."""
    return tensor.kind == "tensor" and not tensor.note and tensor.storage is not None and window.itemsize(tensor) > 0


def alike(first: Tensor, second: Tensor) -> bool:
    """True for tensors of one type and shape with the same bytes; large ones are not compared."""
    if (first.dtype, first.shape) != (second.dtype, second.shape):
        return False
    if not (is_plain(first) and is_plain(second) and begin_alike(first, second)) or is_large(first):
        return False
    # What is no longer than a glance was compared whole.
    is_short = first.elements * window.itemsize(first) <= GLANCE
    return is_short or window.read(first).tobytes() == window.read(second).tobytes()


def is_large(tensor: Tensor) -> bool:
    """True for a tensor that is not read as a whole while the set is opened."""
    return window.nbytes(tensor) > MOST_COMPARED


def begin_alike(first: Tensor, second: Tensor) -> bool:
    """True for plain tensors that are whole and whose first elements are the same bytes."""
    if not (window.complete(first) and window.complete(second)):
        return False
    begins = [next(window.blocks(tensor, None, GLANCE), None) for tensor in (first, second)]
    one, other = (b"" if block is None else block.tobytes() for block in begins)
    length = min(len(one), len(other))
    return one[:length] == other[:length]


# -- plain values -------------------------------------------------------------------------------------


def entry(values: Values, value: int, *keys: str) -> int:
    """The value under keys of mappings, one inside the other; -1 where there is none."""
    for key in keys:
        found = -1
        for section in mapping(values, value):
            for name, child in section.read(0, min(section.count, MOST_ENTRIES)):
                if values.text(name) == key:
                    found = child
        if found < 0:
            return -1
        value = found
    return value


def elements(values: Values, value: int) -> list[int]:
    """What a list, a tuple or a torch.Size holds."""
    found: list[int] = []
    for section in sections(values, value):
        found += [child for _, child in section.read(0, min(section.count, MOST_ENTRIES))]
    return found


def pairs(values: Values, value: int) -> Iterator[tuple[str, int]]:
    """The entries of a mapping whose keys are texts."""
    for section in mapping(values, value):
        for key, child in section.read(0, min(section.count, MOST_ENTRIES)):
            name = values.text(key)
            if name is not None:
                yield name, child


def sizes(values: Values, value: int) -> Shape | None:
    """A shape: a torch.Size, a tuple or a list of numbers, also one number."""
    number = values.integer(value)
    if number is not None:
        return (number,) if number >= 0 else None
    found = [values.integer(child) for child in elements(values, value)]
    shape = tuple(size for size in found if size is not None and size >= 0)
    is_shape = values.kind(value) in (Kind.TUPLE, Kind.LIST, Kind.CALL)
    return shape if is_shape and len(shape) == len(found) else None
