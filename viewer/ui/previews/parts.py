"""Parts: the tensors that one is made of; each is a link to its values and bytes."""

from __future__ import annotations

from typing import ClassVar, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from viewer.core.source import printable
from viewer.core.tensors.nested import held
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import ElidedLabel
from viewer.ui.words import count

MOST: Final = 64
"""Parts that are listed: a tensor in more pieces is looked at through the whole."""


class PartsPreview(Preview):
    """A line a part, the whole first.

    part_chosen: a part was clicked, or the whole.
        Signal(tensor: Tensor)
    """

    key: ClassVar[str] = "parts"

    part_chosen = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensor: Tensor | None = None
        self._shown: Tensor | None = None
        self.links: list[QToolButton] = []
        self._labels: list[QWidget] = []
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, self.grid.setHorizontalSpacing, 16)
        keep_lengths(theme, self.grid.setVerticalSpacing, 2)
        self.grid.setColumnStretch(1, 1)

    @override
    def suits(self, tensor: Tensor) -> bool:
        return bool(tensor.parts)

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self._tensor = tensor
        for widget in (*self.links, *self._labels):
            self.grid.removeWidget(widget)
            widget.deleteLater()
        self.links, self._labels = [], []
        if tensor is None:
            return
        for row, (role, part) in enumerate(((self.tr("Whole"), tensor), *tensor.parts[:MOST])):
            self._add(row, role, part)
        more = len(tensor.parts) - MOST
        if more > 0:
            label = QLabel(self.tr("and {0} more").format(count(more)), self)
            self._labels.append(label)
            self.grid.addWidget(label, MOST + 1, 1)
        self.mark(tensor)

    def _add(self, row: int, role: str, part: Tensor) -> None:
        link = QToolButton(self)
        link.setText(printable(role).replace("&", "&&"))
        link.setCheckable(True)
        link.setAutoRaise(True)
        link.setFont(self.theme.mono())
        link.clicked.connect(lambda: self._choose(part))
        inner = held(part)
        sizes = "[" + ", ".join(str(size) for size in part.shape) + "]"
        words = f"{part.dtype} {sizes if inner is None else self.tr('{0} tensors').format(count(len(inner)))}"
        if part.offsets is not None:
            words = self.tr("{0} at [{1}]").format(words, ", ".join(map(str, part.offsets)))
        label = ElidedLabel(Qt.TextElideMode.ElideMiddle, self)
        label.setText(f"{words}  {printable(part.member)}" if part.member else words)
        label.setFont(self.theme.mono())
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.links.append(link)
        self._labels.append(label)
        self.grid.addWidget(link, row, 0, Qt.AlignmentFlag.AlignLeft)
        self.grid.addWidget(label, row, 1)

    def _choose(self, part: Tensor) -> None:
        self.mark(part)
        self.part_chosen.emit(part)

    def mark(self, part: Tensor) -> None:
        """Show which one is looked at."""
        if self._tensor is None:
            return
        self._shown = part
        shown = (self._tensor, *(inner for _, inner in self._tensor.parts[:MOST]))
        for link, inner in zip(self.links, shown, strict=True):
            link.setChecked(inner is part)

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        shown = self._shown
        self.show_tensor(self._tensor)
        if shown is not None:
            self.mark(shown)
