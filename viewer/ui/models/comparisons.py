"""What the text of a class can be compared with: its other texts, files of the person, torch, other open files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from viewer.core.code.files import DERIVED
from viewer.core.source import printable
from viewer.core.summary.class_finding import list_classes
from viewer.core.summary.classes import ClassRow, Text
from viewer.session.session import Session

TORCH = "torch"


@dataclass(frozen=True, slots=True)
class Other:
    """One text to compare with. `kind`: here, supplied, torch, file. `title`: where it is from, a name out of a file.

    `number`: of the text among those of the class. `text`: None as long as torch was not asked for it.
    """

    kind: str
    title: str
    number: int = 0
    text: str | None = None
    origin: str = ""


def others(session: Session, row: ClassRow, shown: Text) -> list[Other]:
    """All of them, those nearest first."""
    return [
        *_here(row, shown),
        *_supplied(session, row),
        *_in_files(session, row),
        *_in_torch(session, row),
    ]


def _here(row: ClassRow, shown: Text) -> Iterator[Other]:
    for number, text in enumerate(row.texts):
        if text is not shown:
            yield Other("here", "", number, text.text, text.origin)


def _supplied(session: Session, row: ClassRow) -> Iterator[Other]:
    for file in session.code.supplied:
        found = file.class_text(row.module, row.qualname)
        if found is not None:
            yield Other("supplied", printable(str(file.path)), 0, found.text)


def _in_files(session: Session, row: ClassRow) -> Iterator[Other]:
    for peer in session.peers():
        for document in peer.documents:
            classes = list_classes(document)
            at = classes.row_of.get(row.name)
            for number, text in enumerate(classes.rows[at].texts if at is not None else ()):
                if text.origin != DERIVED:
                    yield Other("file", printable(peer.path.name), number, text.text)


def _in_torch(session: Session, row: ClassRow) -> Iterator[Other]:
    if not row.own:
        found = session.code.torch.texts.get(row.name)
        yield Other(TORCH, found.version if found is not None else "", 0, found.text if found is not None else None)
