"""What of a file is compared: a branch and its names, and what else the file holds where the whole is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Final

from viewer.core.document import Document, Pickle
from viewer.core.errors import ChoiceError
from viewer.core.export.selection import UNNAMED, Found, Wanted, branches, looked_at, lost, named_branch, usual_branch
from viewer.core.objects.describe import class_name
from viewer.core.objects.state_dict import flat_branch, unique
from viewer.core.progress import Progress
from viewer.core.tensors.path import Path, key_part, shown
from viewer.core.tensors.tensor import Tensor

MODULE: Final = "module"
NO_CLASS: Final = "Module"
LOST: Final = "not in its file"
UNREAD: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison.

    `title`: of the branch, "" = the root. `entries`: its names and tensors. `beside`: of the other tensors of the file,
    which are compared only where both sides are whole files of one form (`is_whole`). Names that an index states and no
    file has are among the entries: `is_lost` tells them. `path`, `pickle`: of the branch. `metadata`: versions of
    modules, as torch keeps them. `owner`: the class of the module, bare.
    """

    document: Document
    title: str
    entries: Sequence[tuple[str, Tensor]]
    beside: Sequence[tuple[str, Tensor]] = ()
    path: Path = ()
    pickle: Pickle | None = None
    metadata: dict[str, dict[str, int]] | None = None
    owner: str = NO_CLASS
    encoding: str = ""
    is_whole: bool = False

    @property
    def every(self) -> list[tuple[str, Tensor]]:
        """All entries that are compared."""
        return [*self.entries, *self.beside] if self.is_whole else list(self.entries)


@dataclass(frozen=True, slots=True)
class Part:
    """What of a file is meant. `root`: a branch by name, "" = the weights, all tensors where several could be meant.

    `only`: patterns that names have to fit, () = all. `encoding`: of Python 2 texts.
    """

    root: str = ""
    only: tuple[str, ...] = ()
    encoding: str = ""


ALL: Final = Part()


def sides_of(
    first: Document, second: Document, parts: tuple[Part, Part] = (ALL, ALL), progress: Progress | None = None
) -> tuple[Side, Side]:
    """Both sides of a comparison.

    Where neither a root nor names are asked for, all that the files hold is compared, as long as both keep their
    weights at the same place. Raises ExportError for a root that is not there, CancelledError.
    """
    progress = progress or Progress()
    one, other = (side_of(document, part, progress) for document, part in zip((first, second), parts, strict=True))
    if any(part.root or part.only for part in parts) or one.title != other.title:
        return one, other
    return replace(one, is_whole=True), replace(other, is_whole=True)


def side_of(document: Document, part: Part, progress: Progress) -> Side:
    """One side. Raises ExportError and CancelledError."""
    encoding = part.encoding
    found = _found(document, Wanted(part.root, encoding=encoding, progress=progress))
    entries = unique((name or UNNAMED, tensor) for name, tensor in found.branch.entries)
    entries += _lost(document, {name for name, _ in entries}, part.root)
    if part.only:
        entries = [entry for entry in entries if any(fnmatchcase(entry[0], only) for only in part.only)]
    taken = {id(tensor) for _, tensor in entries}
    names = {name for name, _ in entries}
    every = (tensor for one in document.holders() for tensor in looked_at(one.tensors, progress))
    beside = unique((shown(tensor.path), tensor) for tensor in every if id(tensor) not in taken)
    return Side(
        document,
        found.title,
        entries,
        [(name if name not in names else f"{name}#", tensor) for name, tensor in beside],
        found.branch.path,
        found.pickle,
        found.branch.metadata,
        _owner(found, encoding),
        encoding,
    )


def _lost(document: Document, known: set[str], root: str) -> list[tuple[str, Tensor]]:
    """The names of an index that no file has, each with a tensor that has nothing but the name of its file."""
    return [(each.name, lost_tensor(each.name, str(each.params["file"]))) for each in lost(document, known, root)]


def lost_tensor(name: str, file: str) -> Tensor:
    """What stands for a tensor of which only its name is known, and the file that it should be in."""
    return Tensor(-1, (key_part(name),), name, "tensor", UNREAD, (), (), 0, None, note=LOST, member=file)


def is_lost(tensor: Tensor) -> bool:
    """Whether nothing but the name of a tensor is known."""
    return tensor.note == LOST


def _found(document: Document, wanted: Wanted) -> Found:
    if wanted.root:
        return named_branch(document, wanted)
    try:
        return usual_branch(document, wanted)
    except ChoiceError:
        every = (tensor for part in document.holders() for tensor in looked_at(part.tensors, wanted.progress))
        return Found(flat_branch(every), None, "")


def _owner(found: Found, encoding: str) -> str:
    branch, pickle = found.branch, found.pickle
    if pickle is None or branch.kind != MODULE or branch.value < 0:
        return NO_CLASS
    return class_name(pickle.values, branch.value, encoding or "utf-8").rpartition(".")[2] or NO_CLASS


def part_of(side: Side) -> Document:
    """The document whose object is compared."""
    for document in side.document.walk():
        if side.pickle is not None and side.pickle in document.pickles:
            return document
    return side.document.content


def branch_titles(document: Document, encoding: str = "") -> Iterator[str]:
    """What can be named as a root, in the order of the file."""
    yield from dict.fromkeys(found.title for found in branches(document, encoding) if found.title)
