"""What is taken out of the bytes of a view: copies in many forms, and bookmarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from viewer.core.source import FileSource
from viewer.core.span import Span
from viewer.core.tensors.dtypes import DTYPES
from viewer.session.bookmarks import Bookmark
from viewer.ui.bookmark_keys import BOOKMARKS
from viewer.ui.command_keys import way_to
from viewer.ui.hexview.copy_forms import FORMS, OF_PLACE, Chosen
from viewer.ui.hexview.copying import MOST, Copied, most
from viewer.ui.models.byte_owners import owner_of
from viewer.ui.words import count

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.hexview.view import HexView

KEYS: Final = range(1, len(BOOKMARKS) + 1)
COPYING: Final = "copying bytes"
FEW: Final = 256 * 1024
"""Bytes that are written out at once; more are in a thread, since some forms take seconds."""


class ByteCopying(QObject):
    """Copies of the selection of a view.

    message: something to tell in a bar: severity word, title, sentence.
        Signal(severity: str, title: str, sentence: str)
    """

    message = Signal(str, str, str)

    def __init__(self, session: Session, view: HexView) -> None:
        super().__init__(view)
        self._session, self._view = session, view
        # What is copied meanwhile, here or elsewhere, is not replaced by what was asked for before.
        QGuiApplication.clipboard().dataChanged.connect(self._forget)

    def commands(self) -> Mapping[str, Callable[[], None]]:
        """What the menus can ask for."""
        return {
            "edit.copy_hex": partial(self.copy, "hex"),
            "edit.copy_text": partial(self.copy, "text"),
            "edit.bookmark": self.bookmark,
            **{f"go.bookmark_{number}": partial(self.to_bookmark, number) for number in KEYS},
        }

    def copy(self, form: str) -> None:
        """Put the selection on the clipboard in a form of `copy_forms`."""
        spans = self._view.selected_spans()
        span = spans[0] if len(spans) == 1 else Span(spans[0].start, spans[-1].stop)
        asked = sum(each.length for each in spans)
        data = b"" if form in OF_PLACE else self._view.selected_bytes()[0]
        if form not in OF_PLACE and not data:
            return
        view = self._view
        chosen = Chosen(data, span, str(self._path()), self._dtype(span), view.form.cells, view.as_letters())
        done = partial(self._copied, Copied(asked if form in OF_PLACE else len(data), asked))
        self._forget()
        if len(data) <= FEW:
            done(FORMS[form][1](chosen))
        else:
            self._session.jobs.start(COPYING, lambda _: FORMS[form][1](chosen), done)

    def _forget(self) -> None:
        self._session.jobs.cancel(COPYING)

    def _copied(self, copied: Copied, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        if not copied.whole:
            words = self.tr("{copied} of {wanted} bytes were copied; more do not fit on a clipboard.")
            if most() < MOST:
                words = self.tr("{copied} of {wanted} bytes were copied; the memory limit allows no more.")
            words = words.format(copied=count(copied.count), wanted=count(copied.asked))
            self.message.emit("note", self.tr("Part was copied"), words)

    def add_to(self, menu: QMenu) -> None:
        """The forms as a menu inside another one."""
        inner = menu.addMenu(self.tr("Copy as"))
        file_itself = isinstance(self._session.shown_source, FileSource)
        for form, (title, _) in FORMS.items():
            action = inner.addAction(QCoreApplication.translate("copying", title))
            action.triggered.connect(partial(self.copy, form))
            action.setEnabled(form not in OF_PLACE or (file_itself and len(self._view.selected_spans()) == 1))

    def bookmark(self) -> None:
        """Keep the place of the selected bytes; where it is kept already, forget it."""
        place, span = self._session.selection.source, self._view.selected_span()
        known = self._session.bookmarks.at(place, span)
        if known is not None:
            self._session.bookmarks.remove(known)
            return
        name = owner_of(self._session, span.start)
        self._session.bookmarks.add(Bookmark(place, span.start, span.stop, name))

    def to_bookmark(self, number: int) -> None:
        """Select the bytes of a bookmark of these bytes, counted from 1."""
        place = self._session.selection.source
        marks = self._session.bookmarks.of(place)
        if number > len(marks):
            words = self.tr("These bytes have no bookmark {number}").format(number=number)
            how = self.tr("{keys} keeps the place of the selected bytes as one.").format(keys=way_to("edit.bookmark"))
            self.message.emit("note", words, how)
            return
        self._session.select_bytes((marks[number - 1].span,), "bookmarks", place)

    def _path(self) -> Path:
        source = self._session.shown_source
        return source.path if isinstance(source, FileSource) else self._session.path

    def _dtype(self, span: Span) -> str:
        """The name in numpy of the elements of the tensor that is selected, where the bytes are whole ones of it."""
        session, document = self._session, self._session.document
        if document is None or session.selection.tensor is None or session.selection.source:
            return ""
        known = DTYPES.get(document.tensors[session.selection.tensor].dtype)
        if known is None or known.numpy is None or known.numpy.kind not in "iufbc" or span.length % known.itemsize:
            return ""
        return known.numpy.newbyteorder(">").str if document.byteorder == "big" else known.numpy.str
