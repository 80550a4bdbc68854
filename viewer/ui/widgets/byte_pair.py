"""Two views of bytes beside each other: rows equally wide, looks alike, scrolled together.

Where both share a narrow pane they have no letters, if that makes room for rows of eight bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from viewer.ui.hexview.layout import ROW_WIDTHS, fit, fixed

if TYPE_CHECKING:
    from viewer.session.byte_comparing import Part
    from viewer.ui.hexview.layout import Layout
    from viewer.ui.hexview.view import HexView

LEAST: Final = 4
"""Bytes in a row where two views share a narrow pane."""


class BytePair(QObject):
    """`main`: the view of the pane, whose looks the others take. `own` stands in for it where parts are compared.

    `room`: the widget that holds `own` and `other`. `together`: whether they scroll together.
    """

    def __init__(
        self, main: HexView, own: HexView, other: HexView, room: QWidget, together: Callable[[], bool]
    ) -> None:
        super().__init__(room)
        self._main, self._own, self._other, self._room, self._together = main, own, other, room, together
        self._parts: tuple[Part, Part] | None = None
        self._width: int | None = None
        self._fitted: int | None = None
        self._following = False
        for left in (main, own):
            left.scrolled.connect(partial(self._follow, left, other))
            other.scrolled.connect(partial(self._follow, other, left))
        main.formed.connect(self._formed)
        main.zoomed.connect(self._zoom)

    @property
    def left(self) -> HexView:
        """The view of the first bytes."""
        return self._main if self._parts is None or self._beside(self._parts) else self._own

    @staticmethod
    def _beside(parts: tuple[Part, Part]) -> bool:
        """Whole files: the other one stands beside the view of the pane."""
        return parts[0].is_whole and parts[1].is_whole

    def begin(self, mine: Part, theirs: Part) -> None:
        """Show these."""
        if self._parts is None:
            self._width = self._main.surface.fixed
        else:
            self._parts = None
            self._main.set_text_shown(True)
            self._main.set_row_bytes(self._width)
        self._parts = mine, theirs
        beside = self._beside(self._parts)
        self._own.setVisible(not beside)
        self._main.setVisible(beside)
        self._own.set_reader(None if beside else mine.content)
        self._other.set_reader(theirs.content)
        self._zoom(self._main.zoom)
        self._dress()
        self.fit()

    def end(self) -> None:
        """The view of the pane is alone, as it was."""
        self._parts = None
        for view in (self._own, self._other):
            view.set_reader(None)
        self._own.hide()
        self._main.set_text_shown(True)
        self._main.set_row_bytes(self._width)
        self._main.show()

    def fit(self) -> None:
        """Both rows as wide as fits beside each other, or as wide as the person fixed them."""
        if self._parts is None:
            return
        found = self._fitting(max(part.span.length for part in self._parts))
        # A width that is no whole number of cells would be asked for, and cut by the views, without end.
        self._fitted = found.row_bytes
        for view in (self._other, self.left):
            if view.surface.has_text != found.has_text:
                view.set_text_shown(found.has_text)
            if view.row_bytes != self._fitted or view.surface.fixed != self._fitted:
                view.set_row_bytes(self._fitted)

    def _fitting(self, size: int) -> Layout:
        """Rows with which both views fit beside each other: half a row at least, before that without letters."""
        room = self._room.width() if self.left is self._own else 2 * self._room.width()
        share = self._main.width() // 2 if self._room.isHidden() else room // 2
        bar = self._main.verticalScrollBar().sizeHint().width()
        half = round((share - bar) * self._main.devicePixelRatioF())
        metrics, form = self._main.surface.face.metrics, self._main.form
        least = [fixed(metrics, size, self._width or LEAST, form, has_text=has_text) for has_text in (True, False)]
        if self._width:
            return next((layout for layout in least if layout.width <= half), least[0])
        usual = ROW_WIDTHS[-1]
        fitted = [fit(metrics, size, half, form, has_text=has_text, least=usual) for has_text in (True, False)]
        return next((layout for layout in (*fitted, *least) if layout.width <= half), least[-1])

    def _dress(self) -> None:
        """Wear what the view of the pane wears; parts count from where they begin in their file."""
        if self._parts is None:
            return
        form, label = self._main.form, self._main.surface.labels[0]
        beside = self._beside(self._parts)
        for view, part in zip((self._own, self._other), self._parts, strict=True):
            view.set_encoding(self._main.surface.content.encoding)
            view.set_form(form if beside else replace(form, base=-part.span.start, phase=0), label)

    def _formed(self) -> None:
        """The person chose other looks, perhaps another width."""
        if self._parts is None:
            return
        if self._main.surface.fixed != self._fitted:
            self._width = self._main.surface.fixed
        self._dress()
        self.fit()

    def _zoom(self, zoom: float) -> None:
        for view in (self._own, self._other):
            if view.zoom != zoom:
                view.set_zoom(zoom)
        self.fit()

    def _follow(self, leader: HexView, other: HexView, span: object = None) -> None:
        """A shorter file stays at its end; it must not hold the longer one back."""
        del span
        if self._parts is not None and self._together() and not self._following and self.left in (leader, other):
            self._following = True
            other.set_top_row(leader.top_row)
            self._following = False
