"""The classes of a document: their texts, how often each is used, and where each object stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.files import STORED, is_torch
from viewer.core.document import Document
from viewer.core.summary.facts import SCRIPTS
from viewer.core.tensors.many import ManyTensors
from viewer.core.tensors.path import MACHINERY, Path, shown_short
from viewer.core.tensors.tensor import ValueRef

MOST_LOOKED_AT: Final = 100


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a class. `origin`: stored, derived, supplied, torch. `code`: its number among the document's sources.

    Where the file stores the same text of a class twice, `codes` are the numbers of all of them. `computes`: False for
    a derived text that does not know what the class does. Of texts from outside the file: `file`, where it stands, and
    `line`, where it begins there, from 1.
    """

    text: str
    origin: str = STORED
    codes: tuple[int, ...] = ()
    computes: bool = True
    file: str = ""
    line: int = 1

    @property
    def code(self) -> int | None:
        """The first of the stored sources that hold it; None where none does."""
        return self.codes[0] if self.codes else None


@dataclass(frozen=True, slots=True)
class Place:
    """Where an object stands."""

    value: ValueRef
    path: Path

    @property
    def name(self) -> str:
        """From the root of the file on: `body.0`, `args.device`; "" for the root."""
        return shown_short(self.path)


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
    def given(self) -> frozenset[str]:
        """The names that the texts define on their outermost level."""
        return frozenset(row.qualname.partition(".")[0] for row in self.rows if row.texts)

    @property
    def first(self) -> int:
        """The row that people come for: the first class with a text that is not torch's own."""
        own = (at for at, row in enumerate(self.rows) if row.own and row.texts)
        return next(own, next((at for at, row in enumerate(self.rows) if row.texts), 0))

    @property
    def stored(self) -> int:
        """How many have a text in the file."""
        return sum(any(text.origin == STORED for text in row.texts) for row in self.rows)


def holds_modules(document: Document) -> bool:
    """True when nn.Module objects stand in a document: by its stored classes, or by where some of its tensors stand.

    Scripted modules are none: torch gives them back itself.
    """
    if document.content.format in SCRIPTS:
        return False
    if any(source.text is not None for source in document.sources):
        return True
    if isinstance(document.tensors, ManyTensors):
        return False
    # All over the file: the state of an optimizer may stand before the module.
    some = document.tensors[:: max(1, len(document.tensors) // MOST_LOOKED_AT)]
    return any(part in MACHINERY for tensor in some for part in tensor.path)
