"""Element: the selected one with every digit, and the elements of other tensors that stand in the same bytes."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from PySide6.QtWidgets import QToolButton, QWidget
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.core.source import printable
from viewer.core.tensors.meaning import has_meaning, read_meant
from viewer.core.tensors.path import shown_short
from viewer.core.tensors.sharing import elements_beside
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import read
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.models.value_text import exact
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme
from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.widgets.wrapped import OneLine

MOST: Final = 8


class ElementPreview(Preview):
    """One line; links to the other tensors. Nothing while no element is selected."""

    key: ClassVar[str] = "element"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensor: Tensor | None = None
        self._index: tuple[int, ...] | None = None
        self.flow = FlowLayout(self)
        keep_lengths(theme, self.flow.setSpacing, 6)
        self.words = ""
        self.links: list[QToolButton] = []

    @override
    def suits(self, tensor: Tensor) -> bool:
        return tensor.storage is not None

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self._tensor = tensor
        self._show(None)

    @override
    def show_element(self, element: tuple[int, ...] | None) -> None:
        self._show(element)

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._show(self._index)

    def _show(self, index: tuple[int, ...] | None) -> None:
        tensor, document = self._tensor, self.session.document
        self._index = index
        self.flow.clear()
        self.links, self.words = [], ""
        if tensor is None or document is None or index is None or len(index) != len(tensor.shape):
            return
        self.words = _words(tensor, index)
        label = OneLine(self.words, self)
        label.setFont(self.theme.mono())
        self.flow.addWidget(label)
        for other, at in elements_beside(document.tensors, tensor, index, MOST):
            link = QToolButton(self)
            name = shown_short(other.path) or other.name or str(other.index)
            link.setText(self.tr("also {0}").format(f"{printable(name)} {_place(at)}").replace("&", "&&"))
            link.setAutoRaise(True)
            link.clicked.connect(partial(self.session.select_tensor, other, self.key, at))
            self.links.append(link)
            self.flow.addWidget(link)
        for widget in (label, *self.links):
            widget.show()


def _words(tensor: Tensor, index: tuple[int, ...]) -> str:
    """Index and value; of quantised elements the stored integer too."""
    try:
        stored = read(tensor, index)[()]
        meant = read_meant(tensor, index)[()] if has_meaning(tensor) else None
    except (ViewerError, IndexError, ValueError):
        return _place(index)
    if meant is None:
        return f"{_place(index)} = {exact(stored)}"
    return f"{_place(index)} = {exact(meant)} ({exact(stored)})"


def _place(index: tuple[int, ...]) -> str:
    return "[" + ", ".join(map(str, index)) + "]"
