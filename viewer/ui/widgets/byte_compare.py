"""The bytes of another open file beside those of a view: both scroll together, what differs at an offset stands out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.byte_differences import differences_in, first_difference, next_difference, previous_difference
from viewer.core.errors import ViewerError
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, printable
from viewer.session.session import Session
from viewer.ui.hexview.content import Regions
from viewer.ui.hexview.layout import fit
from viewer.ui.hexview.view import HexView
from viewer.ui.models.byte_regions import ByteRegions
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import ElidedLabel, IconButton
from viewer.ui.words import offset as written

DIFFERENCE: Final = "difference of bytes"
COLOURS: Final = "colours of the other bytes"
FEW: Final = 2000
LEAST: Final = 4
"""Bytes in a row where two views share a narrow pane."""


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
                action.triggered.connect(partial(self.compare_with, peer))
        inner.setEnabled(bool(inner.actions()))

    def compare_with(self, peer: Session) -> None:
        """Show the bytes of another open file beside, in the colours of what they are there."""
        document, source = peer.document, peer.source
        if source is None:
            return
        # Those of a file that was compared before would come behind and stay.
        self._session.jobs.cancel(COLOURS)
        few = document is not None and max(len(document.tensors), len(document.records)) <= FEW
        self.compare(source, printable(peer.title), ByteRegions(document) if document is not None and few else None)
        if document is not None and not few:
            self._session.jobs.start(COLOURS, lambda progress: ByteRegions(document), self._colour)

    def compare(self, other: ByteSource, name: str, regions: Regions | None = None) -> None:
        """Show the bytes of another source beside, and go to the first difference."""
        if self._other is None:
            self._width = self._mine.surface.fixed
        self._source, self._other = self._session.shown_source, other
        if self._source is None:
            return
        self.name.setText(self.tr("Compared with {name}").format(name=name))
        self.view.set_regions(regions)
        self.view.set_reader(other)
        self.view.set_form(self._mine.form, self._mine.surface.labels[0])
        self._fit()
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

    def _colour(self, regions: Regions) -> None:
        if self._other is not None:
            self.view.set_regions(regions)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._other is not None:
            self._fit()

    def _fit(self) -> None:
        """Both rows as wide as fits beside each other, or as wide as the person fixed them."""
        if self._source is None or self._other is None:
            return
        width = self._width or self._fitting(max(self._source.size, self._other.size))
        for view in (self.view, self._mine):
            if view.row_bytes != width or view.surface.fixed != width:
                view.set_row_bytes(width)

    def _fitting(self, size: int) -> int:
        """Bytes in a row with which both views fit beside each other: half a row at least."""
        share = self._mine.width() // 2 if self.isHidden() else self.width()
        bar = self._mine.verticalScrollBar().sizeHint().width()
        half = round((share - bar) * self._mine.devicePixelRatioF())
        metrics, form = self._mine.surface.face.metrics, self._mine.form
        fitted = fit(metrics, size, half, form)
        return fitted.row_bytes if fitted.width <= half else LEAST

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
        self._session.select_bytes((self._mine.selected_span(),), DIFFERENCE, self._session.selection.source)
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
