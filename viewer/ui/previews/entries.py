"""Entries: the stored values of a sparse tensor, each with its index in the whole and a link to the bytes of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.core.tensors.sparse import Element, Sparse, sparse
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.models.grid import LONGEST
from viewer.ui.models.paged import PagedModel
from viewer.ui.models.value_text import exact, short
from viewer.ui.previews.table import TablePreview
from viewer.ui.theme import Theme
from viewer.ui.words import count, paragraph
from viewer.wording import QT_TRANSLATE_NOOP

WIDTHS = (180, 140)
PERCENT = 100


class EntriesPreview(TablePreview):
    """How many elements are stored, and a row for each of them in the order of the file."""

    key: ClassVar[str] = "entries"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("previews", "Entries")
    stretch: ClassVar[int] = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.sparse: Sparse | None = None
        titles = [self.tr("Index"), self.tr("Value")]
        self.model = PagedModel(titles, self._read, _words, frozenset({1}), self)
        self.lay_out(self.model, self.tr("Stored elements with their index"), WIDTHS)

    @override
    def suits(self, tensor: Tensor) -> bool:
        return sparse(tensor) is not None

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self.sparse = sparse(tensor) if tensor is not None else None
        self.model.show_rows(self.sparse.elements if self.sparse is not None else 0)
        self.words.setText(paragraph(*self._told(self.sparse)) if self.sparse is not None else "")

    def _told(self, found: Sparse) -> list[str]:
        total = found.tensor.elements
        words = self.tr("{stored} of {total} elements are stored: density {percent} %.")
        percent = short(PERCENT * found.elements / total) if total else "0"
        told = [words.format(stored=count(found.elements), total=count(total), percent=percent)]
        if found.tensor.coalesced is False:
            told.append(self.tr("It is not coalesced: values with the same index add up."))
        if found.elements > LONGEST:
            told.append(self.tr("The first {0} are listed.").format(count(LONGEST)))
        return told

    def _read(self, first: int, stop: int) -> Sequence[Element]:
        return self.sparse.some(first, stop) if self.sparse is not None else []

    @override
    def _chosen(self, current: QModelIndex) -> None:
        """The bytes of the value and of its indices."""
        row = self.model.row(current.row()) if current.isValid() else None
        if row is not None and self.sparse is not None and row.spans:
            self.bytes_chosen.emit(row.spans, row.index, self.sparse.values.member)


def _words(row: Element, column: int, is_exact: bool) -> str:
    if column == 0:
        return f"[{', '.join(map(str, row.index))}]"
    return (exact if is_exact else short)(row.value)
