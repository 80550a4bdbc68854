"""The classes of a document as the Source pane lists them: texts, uses, and where each object stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.files import STORED, is_torch
from viewer.core.document import Document
from viewer.core.objects.instances import Instance, find_instances
from viewer.core.progress import Progress
from viewer.core.tensors.path import MACHINERY, Path, shown_short
from viewer.core.tensors.tensor import ValueRef

MOST_SOURCES: Final = 100_000
MOST_LOOKED_AT: Final = 100


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a class. `origin`: stored, derived or supplied. `code`: its number among the document's sources.

    Where the file stores the same text of a class twice, `codes` are the numbers of all of them.
    """

    text: str
    origin: str = STORED
    codes: tuple[int, ...] = ()

    @property
    def code(self) -> int | None:
        """The first of the stored sources that hold it; None where none does."""
        return self.codes[0] if self.codes else None


@dataclass(frozen=True, slots=True)
class Place:
    """Where an object stands: among the modules by its dotted name ("" = the outermost), else by its path."""

    value: ValueRef
    path: Path
    module: str | None = None

    @property
    def name(self) -> str:
        """`body.0`, `args.device`; "" for the root."""
        return self.module if self.module is not None else shown_short(self.path)


@dataclass(frozen=True, slots=True)
class ClassRow:
    """One class. `name`: qualified. `texts`: the different ones, in the order of the file; none = no source."""

    name: str
    module: str
    qualname: str
    texts: tuple[Text, ...] = ()
    codes: tuple[int, ...] = ()
    places: tuple[Place, ...] = ()

    @property
    def own(self) -> bool:
        """True for classes of the person's code, False for torch's."""
        return not is_torch(self.module)


@dataclass(frozen=True, slots=True)
class Classes:
    """All classes of a document, the person's own first. `row_of`: by name; `at`: row and text of a stored source."""

    rows: tuple[ClassRow, ...] = ()
    row_of: dict[str, int] = field(default_factory=dict)
    at: dict[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def stored(self) -> int:
        """How many have a text in the file."""
        return sum(any(text.origin == STORED for text in row.texts) for row in self.rows)


def list_classes(document: Document) -> Classes:
    """The classes that come with their source or should have, without their objects: quick, for the first look."""
    return _joined(document.sources, ())


def find_classes(document: Document, encoding: str, progress: Progress) -> Classes:
    """All classes with the places of their objects. Raises CancelledError."""
    found: list[tuple[int, Instance]] = []
    for pickle in document.pickles:
        if not pickle.role or pickle.index == document.main:
            found += [(pickle.index, one) for one in find_instances(pickle.values, encoding, progress)]
    return _joined(document.sources, found)


def holds_modules(document: Document) -> bool:
    """True when nn.Module objects stand in a document: by its stored classes, or by where its first tensors stand."""
    if any(source.text is not None for source in document.sources):
        return True
    return any(part in MACHINERY for tensor in document.tensors[:MOST_LOOKED_AT] for part in tensor.path)


def _joined(sources: Sequence[EmbeddedSource], instances: Iterable[tuple[int, Instance]]) -> Classes:
    stored: dict[str, list[int]] = {}
    for code, source in enumerate(sources[:MOST_SOURCES]):
        stored.setdefault(source.name, []).append(code)
    places: dict[str, list[Place]] = {}
    for pickle, one in instances:
        places.setdefault(one.name, []).append(Place(ValueRef(pickle, one.value), one.path, one.module))
    rows = [_row(name, stored.get(name, []), sources, places.get(name, [])) for name in {**stored, **places}]
    rows.sort(key=lambda row: not row.own)
    row_of = {row.name: at for at, row in enumerate(rows)}
    texts = {code: (at, number) for at, row in enumerate(rows) for number, code in _numbered(row)}
    return Classes(tuple(rows), row_of, texts)


def _row(name: str, codes: Sequence[int], sources: Sequence[EmbeddedSource], places: Sequence[Place]) -> ClassRow:
    texts: dict[str, list[int]] = {}
    for code in codes:
        text = sources[code].text
        if text is not None:
            texts.setdefault(text, []).append(code)
    if codes:
        module, qualname = sources[codes[0]].module, sources[codes[0]].qualname
    else:
        module, _, qualname = name.rpartition(".")
    found = tuple(Text(text, STORED, tuple(held)) for text, held in texts.items())
    return ClassRow(name, module, qualname, found, tuple(codes), tuple(places))


def _numbered(row: ClassRow) -> Iterator[tuple[int, int]]:
    """Each stored source of a class with the number of its text; those without text with the first."""
    for code in row.codes:
        yield next((number for number, text in enumerate(row.texts) if code in text.codes), 0), code
