"""The bytes of another open file beside those of a view: both scroll together, what differs at an offset stands out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from viewer.core.byte_differences import differences_in, first_difference, next_difference, previous_difference
from viewer.core.errors import ViewerError
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, printable
from viewer.session.session import Session
from viewer.ui.hexview.layout import fit
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import ElidedLabel, IconButton
from viewer.ui.words import offset as written

DIFFERENCE: Final = "difference of bytes"


class ByteCompare(QWidget):
    """The other file's bytes; hidden until a file is chosen. `head`: its name and a way out, above both views.

    arrived: a difference was found, or none where the offset is None.
        Signal(offset: int | None)
    """

    arrived = Signal(object)

    def __init__(self, session: Session, view: HexView, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._mine = session, view
        self._source: ByteSource | None = None
        self._other: ByteSource | None = None
        self._width: int | None = None
        self._following = False
        self.view = HexView(theme, self)
        self.head = QWidget(parent)
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle, self.head)
        self.words = ElidedLabel(parent=self.head)
        self.close_button = IconButton(theme, "close", self.tr("Stop comparing"), self.head)
        self.close_button.clicked.connect(self.leave)
        head = QHBoxLayout(self.head)
        head.setContentsMargins(theme.px(12), theme.px(2), theme.px(6), theme.px(2))
        head.addWidget(self.name)
        head.addWidget(self.words)
        head.addStretch(1)
        head.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        view.scrolled.connect(lambda _: self._follow(view, self.view))
        self.view.scrolled.connect(lambda _: self._follow(self.view, view))
        self.arrived.connect(self._tell)
        self.head.hide()
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.view.set_theme(theme)
        self.close_button.set_theme(theme)

    def commands(self) -> Mapping[str, Callable[[], None]]:
        """What the menus can ask for while two files are compared."""
        if self.isHidden():
            return {}
        return {"go.next_difference": partial(self.step, 1), "go.previous_difference": partial(self.step, -1)}

    def add_to(self, menu: QMenu) -> None:
        """The other open files as entries of a menu."""
        inner = menu.addMenu(self.tr("Compare bytes with"))
        for peer in self._session.peers():
            source = peer.source
            if source is not None and source.size:
                action = inner.addAction(printable(peer.title))
                action.triggered.connect(partial(self.compare, source, printable(peer.title)))
        inner.setEnabled(bool(inner.actions()))

    def compare(self, other: ByteSource, name: str) -> None:
        """Show the bytes of another source beside, and go to the first difference."""
        if self._other is None:
            self._width = self._mine.surface.fixed
        self._source, self._other = self._session.shown_source, other
        if self._source is None:
            return
        self.name.setText(self.tr("Compared with {name}").format(name=name))
        self.view.set_reader(other)
        self.view.set_form(self._mine.form, self._mine.surface.labels[0])
        width = self._width or self._fitting(max(self._source.size, other.size))
        for view in (self.view, self._mine):
            view.set_row_bytes(width)
        self.view.set_differences(self._visible)
        self._mine.set_differences(self._visible)
        self.head.show()
        self.show()
        source = self._source
        self._start(lambda progress: first_difference(source, other, progress))

    def leave(self) -> None:
        """Show the file alone."""
        if self._other is None:
            return
        self._session.cancel(DIFFERENCE)
        self._other = None
        self._mine.set_differences(None)
        self._mine.set_row_bytes(self._width)
        self.view.set_reader(None)
        self.head.hide()
        self.hide()

    def _fitting(self, size: int) -> int:
        """Bytes in a row with which both views fit beside each other."""
        shared = self._mine.viewport().width() + (0 if self.isHidden() else self.view.viewport().width())
        half = round(shared * self._mine.devicePixelRatioF()) // 2 - self._mine.verticalScrollBar().width()
        return fit(self._mine.surface.face.metrics, size, half, self._mine.form).row_bytes

    def step(self, step: int) -> None:
        """Go to the next difference behind the caret (1), or to the one before it (-1)."""
        source, other, at = self._source, self._other, self._mine.caret
        if source is None or other is None:
            return
        find = next_difference if step > 0 else previous_difference
        self._start(lambda progress: find(source, other, at, progress))

    def _start(self, work: Callable[[Progress], int | None]) -> None:
        self._session.start(DIFFERENCE, work, self.arrived.emit)

    def _tell(self, at: int | None) -> None:
        if at is None:
            self.words.setText(self.tr("No further difference."))
            return
        self.words.setText(self.tr("Differs at {offset}").format(offset=written(at)))
        self._mine.go_to(at, flash=True)
        self.view.go_to(at, flash=True)

    def _visible(self, start: int, stop: int) -> Iterable[tuple[int, int]]:
        if self._source is None or self._other is None:
            return ()
        try:
            return differences_in(self._source, self._other, start, stop)
        except ViewerError:
            return ()

    def _follow(self, leader: HexView, other: HexView) -> None:
        """A shorter file stays at its end; it must not hold the longer one back."""
        if not self.isHidden() and not self._following:
            self._following = True
            other.set_top_row(leader.top_row)
            self._following = False
