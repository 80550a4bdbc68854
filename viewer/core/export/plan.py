"""What an export is going to write, what it wrote, and what a second reader said of it. Plain values for all forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from viewer.core.document import Document
from viewer.core.folder import listed
from viewer.core.objects.state_dict import Holder
from viewer.core.tensors.converted import Conversion, ConvertedSource
from viewer.core.tensors.tensor import Tensor
from viewer.wording import Phrase, fill
from viewer.wording.exports import DROPPED, LINES, VERDICTS


@dataclass(frozen=True, slots=True)
class Item:
    """A tensor that is written: `name`, `dtype` (torch's or numpy's name) and `stride` as they stand in the export.

    `copied`: its elements are written in C order, not its storage as it is. `kind`: of `export.special`; `parts`: the
    tensors that it is made of, by torch's names of them, where the form keeps it together. `entry`: the name of what it
    is a part of, where the form holds only its parts.
    """

    name: str
    dtype: str
    tensor: Tensor
    stride: tuple[int, ...]
    copied: bool = True
    kind: str = "plain"
    parts: tuple[tuple[str, Item], ...] = ()
    entry: str = ""


def pieces(items: Iterable[Item]) -> Iterator[Item]:
    """Each item and the parts of it, in the order in which torch writes their storages."""
    for item in items:
        yield item
        if item.parts:
            yield from pieces(part for _, part in item.parts)


@dataclass(frozen=True, slots=True)
class Dropped:
    """An entry that is not written. `reason`: a code of `wording.exports.DROPPED`."""

    name: str
    reason: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Why, in English, without a full stop."""
        return Phrase(DROPPED[self.reason], self.params)


@dataclass(frozen=True, slots=True)
class Converted:
    """A tensor whose elements are written as another type that holds the same values, or in another form."""

    name: str
    source: str
    result: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """An entry that could not keep its name, or was not to keep it."""

    name: str
    result: str


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a plan that is of this form only. `code`: of `wording.exports.LINES`."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The whole sentence in English."""
        return fill(LINES[self.code], self.params)


@dataclass(frozen=True, slots=True)
class Content:
    """What was chosen of a document, as a flat mapping; nothing of it depends on the form.

    `title`: of the branch, "" for the whole file. `entries`: tensors; `plain`: other entries as Python values;
    `objects`: names of those that are no plain values. `order`: all names in the order of the file. `metadata`:
    the `_metadata` of the state_dict, or None. `dropped`, `renamed`: what the choice itself did to entries. `asked`:
    the names that were changed because the person wanted it; everything else here has the new ones, but `dropped` and
    `renamed`.
    `converted`: the types that were changed for the same reason, by `conversion`. `compact`, `keep_grad`, `deflate`,
    `names_table`: as `Wanted` has them, for forms that follow it. `holders`: the mappings that a whole object is nested
    from; `numbered`: names of entries and holders whose key is an int.
    """

    title: str
    entries: tuple[tuple[str, Tensor], ...]
    plain: tuple[tuple[str, object], ...] = ()
    objects: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    metadata: object = None
    dropped: tuple[Dropped, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    asked: tuple[Renamed, ...] = ()
    converted: tuple[Converted, ...] = ()
    conversion: Conversion | None = None
    compact: bool = False
    keep_grad: bool = False
    deflate: bool = False
    names_table: bool = False
    holders: tuple[Holder, ...] = ()
    numbered: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """All that can be said before anything is written. Made quickly; reads no elements.

    `form`: the exporter's. `items` in the order of the file; `kept`: names of the entries that are no tensors and are
    written too. `nbytes`: about the size of the result. `needs`: the first version that loads it, as "torch 1.6".
    Of forms that write a folder: `files`, the paths in it with `/`; `lines`, what is said instead of the counts of
    tensors. `shard_size`: bytes of tensors that a file of several may hold.
    """

    form: str
    document: Document
    content: Content
    items: tuple[Item, ...] = ()
    kept: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    converted: tuple[Converted, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    nbytes: int = 0
    needs: str = ""
    files: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    shard_size: int = 0

    @property
    def title(self) -> str:
        """The branch that is exported, as people read it; "" for the whole file."""
        return self.content.title


def lost_in(content: Content) -> Iterator[Line]:
    """The tensors of whose storages numbers were lost by a change of type, the largest loss first."""
    losses = [
        (source.lost + source.vanished, name)
        for name, tensor in content.entries
        if isinstance(source := tensor.storage.source if tensor.storage is not None else None, ConvertedSource)
    ]
    names = [name for number, name in sorted(losses, key=lambda loss: -loss[0]) if number]
    if names:
        yield Line("lost-in", {"names": listed(names)})


NO_READER: Final = frozenset({"torch-absent", "torch-old"})
"""Verdicts where there is nobody who could verify."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the second reader said. `code`: of `wording.exports.VERDICTS`.

    `good`: True = it read the same tensors, False = it did not, None = it could not be asked.
    """

    code: str
    good: bool | None
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def is_fault(self) -> bool:
        """True when the file is other than meant, or its reader failed; not where no reader is installed."""
        return self.good is False or (self.good is None and self.code not in NO_READER)

    @property
    def text(self) -> str:
        """The whole sentence in English."""
        return fill(VERDICTS[self.code], self.params)


@dataclass(frozen=True, slots=True)
class Beside:
    """A second file that belongs to an export. `nbytes`: about its size; `line`: says that it was written, and why.

    `gone`: it is not written but taken away: it is of the file that is replaced and would tell wrong of this one.
    """

    path: Path
    nbytes: int
    line: Line
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What was written. `plan` may hold fewer items than the one given to `write`: some damage shows on reading only.

    `nbytes`: size of the file, or of all files of a folder. `verdict`: None as long as nobody was asked. `judged`: the
    file in a folder that the judge reads; None: all of `path`. `beside`: the file that was written with it, or gone.
    """

    plan: Plan
    path: Path
    nbytes: int
    verdict: Verdict | None = None
    judged: Path | None = None
    beside: Beside | None = None

    @property
    def lines(self) -> tuple[Line, ...]:
        """What was written beside it, and what showed only as elements were read."""
        beside = (self.beside.line,) if self.beside is not None else ()
        conversion = self.plan.content.conversion
        if conversion is None:
            return beside
        found = (("became-infinite", conversion.lost), ("became-zero", conversion.vanished))
        lost = [Line(code, {"count": count, "dtype": conversion.target}) for code, count in found if count]
        return (*beside, *lost, *(lost_in(self.plan.content) if lost else ()))
