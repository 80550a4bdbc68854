"""What a click can do about a Problem: read the file again in another way, or copy the command that mends it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication

from viewer.core.document import Document
from viewer.core.problem import Problem
from viewer.session.session import Session
from viewer.ui.words import size

ORDER: Final = frozenset({"torch-byteorder", "torch-byteorder-swapped"})
LIMITS: Final = frozenset({"unpack-limit", "inflate-limit"})
MORE: Final = 4
"""How much more is offered at once where the size of what would come out is not stated."""
LFS_COMMAND: Final = "git lfs pull"
ORDERS: Final = {"little": "big", "big": "little"}


@dataclass(frozen=True, slots=True)
class Remedy:
    """A button: its words, what it does, its icon. `copies`: what it puts on the clipboard, "" for the others."""

    words: str
    act: Callable[[], None]
    icon: str
    copies: str = ""


def remedies(session: Session, document: Document, problem: Problem) -> list[Remedy]:
    """What can be done about a Problem of a document; mostly nothing."""
    if problem.code in ORDER:
        return [other_order(session, document)]
    if problem.code in LIMITS:
        return [unpack_more(session, unpack_wanted(problem))]
    if problem.code == "kind-git-lfs-pointer":
        words = QCoreApplication.translate("remedies", "Copy {command}").format(command=LFS_COMMAND)
        return [Remedy(words, partial(copy, LFS_COMMAND), "copy", LFS_COMMAND)]
    return []


def of_file(session: Session, documents: Iterable[Document]) -> list[Remedy]:
    """What can be done about all Problems of a file, each thing once."""
    found = (
        remedy
        for document in documents
        for problem in document.problems
        for remedy in remedies(session, document, problem)
    )
    kept = {remedy.words: remedy for remedy in found}
    if session.options.byteorder is not None:
        given_back = other_order(session, session.documents[0])
        kept[given_back.words] = given_back
    return list(kept.values())


def other_order(session: Session, document: Document) -> Remedy:
    """Read the elements in the other byte order; where a person chose this one, give the choice back."""
    if session.options.byteorder is not None:
        words = QCoreApplication.translate("remedies", "Read as the file says")
        if session.unstated:
            words = QCoreApplication.translate("remedies", "Read as torch assumes")
        return Remedy(words, partial(session.reread, byteorder=None), "reload")
    order = ORDERS[document.byteorder or "little"]
    words = QCoreApplication.translate("remedies", "Read as little-endian")
    if order == "big":
        words = QCoreApplication.translate("remedies", "Read as big-endian")
    return Remedy(words, partial(session.reread, byteorder=order), "reload")


def unpack_wanted(problem: Problem) -> int:
    """How many bytes to allow: what the file states, else four times as many as now."""
    stated, limit = problem.params.get("size"), problem.params.get("limit")
    assert isinstance(limit, int)
    return stated if isinstance(stated, int) and stated > limit else MORE * limit


def unpack_more(session: Session, wanted: int) -> Remedy:
    """Allow that more is unpacked."""
    words = QCoreApplication.translate("remedies", "Unpack up to {size}").format(size=size(wanted))
    return Remedy(words, partial(session.reread, most_unpacked=wanted), "archive")


def most_wanted(session: Session) -> int:
    """The bytes to allow so that nothing of the file stays packed that is known of; 0: nothing is."""
    found = (
        unpack_wanted(problem)
        for document in session.documents
        for problem in document.problems
        if problem.code in LIMITS
    )
    return max(found, default=0)


def acting(remedy: Remedy, say: Callable[[str, str, str], object]) -> Callable[[], None]:
    """What a button does. `say`: tells severity, title and sentence, after what shows nothing of itself."""

    def act() -> None:
        remedy.act()
        if remedy.copies:
            say("done", QCoreApplication.translate("remedies", "The command is on the clipboard"), "")

    return act


def copy(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)
