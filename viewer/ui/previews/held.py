"""Nested: the tensors that a nested tensor holds, each with its shape; one can be looked at by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.core.tensors.nested import Held, held
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import span
from viewer.session.session import Session
from viewer.ui.models.paged import PagedModel
from viewer.ui.previews.table import TablePreview
from viewer.ui.theme import Theme
from viewer.ui.words import count, span_text
from viewer.wording import QT_TRANSLATE_NOOP

WIDTHS = (110, 90, 150)


class HeldPreview(TablePreview):
    """A row a tensor.

    part_chosen: one is to be looked at.
        Signal(tensor: Tensor)
    """

    key: ClassVar[str] = "held"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("previews", "Nested")
    stretch: ClassVar[int] = 1

    part_chosen = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.held: Held | None = None
        titles = [self.tr("Shape"), self.tr("Elements"), self.tr("Bytes")]
        self.model = PagedModel(titles, self._read, _words, frozenset({1}), self)
        self.lay_out(self.model, self.tr("Tensors that it holds"), WIDTHS)
        self.table.activated.connect(self._activated)

    @override
    def suits(self, tensor: Tensor) -> bool:
        return held(tensor) is not None

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self.held = held(tensor) if tensor is not None else None
        self.model.show_rows(len(self.held) if self.held is not None else 0)
        words = self.tr("It holds {0} tensors. Double-click or press Enter to look at one.")
        self.words.setText(words.format(count(len(self.held))) if self.held is not None else "")

    def _read(self, first: int, stop: int) -> Sequence[Tensor]:
        return self.held[first:stop] if self.held is not None else []

    @override
    def _chosen(self, current: QModelIndex) -> None:
        tensor = self.model.row(current.row()) if current.isValid() else None
        used = span(tensor) if tensor is not None else None
        if tensor is not None and used is not None:
            self.bytes_chosen.emit((used,), None, tensor.member)

    def _activated(self, index: QModelIndex) -> None:
        tensor = self.model.row(index.row())
        if tensor is not None:
            self.part_chosen.emit(tensor)


def _words(row: Tensor, column: int, is_exact: bool) -> str:
    del is_exact
    if column == 0:
        return f"[{', '.join(map(str, row.shape))}]"
    used = span(row)
    return count(row.elements) if column == 1 else span_text(used) if used is not None else ""
