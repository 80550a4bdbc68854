"""The bytes of one file on the screen: offsets, hex, text. It knows a reader, regions, marks and a theme, no session.

Signals tell what the person did; the setters are silent. Offsets are Python ints of any size, so signals carry objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QGuiApplication, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget
from typing_extensions import override

from viewer.core.span import Span
from viewer.ui.hexview import accessible, copying, keys
from viewer.ui.hexview.area import ByteArea
from viewer.ui.hexview.blink import Blink
from viewer.ui.hexview.caret import Caret, Move, extended, moved
from viewer.ui.hexview.content import Finder, Nothing, Reader, Regions
from viewer.ui.hexview.copying import Copied
from viewer.ui.hexview.layout import Form, Place, Side
from viewer.ui.hexview.marks import Marks
from viewer.ui.hexview.pointer import Pointer
from viewer.ui.hexview.ranges import toggled
from viewer.ui.hexview.surface import Moment
from viewer.ui.theme import Theme

Describe = Callable[[int, bool], str]
"""Words for the byte at an offset: what owns it; with True also the path to it."""

ENTERED: Final = {Qt.FocusReason.TabFocusReason: Side.HEX, Qt.FocusReason.BacktabFocusReason: Side.TEXT}
"""The column to which Tab comes, from either side."""
PAGES: Final = {Move.PAGE_UP: -1, Move.PAGE_DOWN: 1}


class HexView(ByteArea):
    """Shows, selects and copies bytes.

    Signals: `caret_moved`, `owner_requested` and `parent_requested` (offset), `selection_changed` (the Span with the
    caret), `hovered` (offset or None), `context_requested` (offset, global point), `side_changed` (Side), and those of
    the area. `marks_changed` alone tells of the setters too: something drawn at the bytes is elsewhere now.
    """

    caret_moved = Signal(object)
    selection_changed = Signal(object)
    hovered = Signal(object)
    owner_requested = Signal(object)
    parent_requested = Signal(object)
    context_requested = Signal(object, object)
    side_changed = Signal(object)
    marks_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._caret = Caret()
        self._kept: tuple[Span, ...] = ()
        self._describe: Describe | None = None
        self._pointer = Pointer(self, self)
        self._blink = Blink(self.viewport(), self._caret_place, self._paint)
        self._surface.labels = (self.tr("Offset"), self.tr("Text"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("shows_keyboard", True)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.setAccessibleName(self.tr("Bytes"))
        accessible.tell_of(self, self)

    # What is shown

    def set_reader(self, reader: Reader | None, *, keep_place: bool = False) -> None:
        """Show other bytes, from the start or, after a reload, from where the view stands."""
        self._surface.content.reader = reader or Nothing()
        self._surface.content.forget()
        if not keep_place:
            self._caret, self._kept = Caret(side=self._caret.side), ()
            self._surface.top_row = 0
            self._surface.marks = Marks(focused=self.hasFocus())
        last = max(0, self._surface.content.reader.size - 1)
        self._caret = replace(self._caret, offset=min(self._caret.offset, last), anchor=min(self._caret.anchor, last))
        self._arrange()
        self._remark()

    @override
    def set_form(self, form: Form, label: str) -> None:
        self._set_caret(self._caret.exact(self._surface.layout.size), tell=False, keep=True)
        super().set_form(form, label)
        self.setAccessibleDescription(accessible.sentence(self))

    @override
    def set_text_shown(self, shown: bool) -> None:
        super().set_text_shown(shown)
        self._set_caret(self._caret, tell=False, keep=True)

    def set_regions(self, regions: Regions | None) -> None:
        """Ask another provider what the bytes are. Call again with the same one when it knows more."""
        with self._changing(bytes_too=True):
            self._surface.content.regions = regions

    def set_hits(self, finder: Finder | None) -> None:
        """Light up what a search found."""
        with self._changing():
            self._surface.finder = finder

    def set_linked(self, spans: Iterable[Span]) -> None:
        """Draw a line round these bytes: what is selected elsewhere."""
        self._mark(replace(self._surface.marks, linked=tuple(spans)))

    def set_hover(self, span: Span | None) -> None:
        """Draw dashes round these bytes; nothing moves."""
        self._mark(replace(self._surface.marks, hover=span))

    def set_bookmarks(self, offsets: Iterable[int], highlights: Iterable[tuple[Span, str]] = ()) -> None:
        """Mark the rows of these bytes in the margin, and draw lines of a colour (`overlay.line_of`) round others."""
        self._mark(replace(self._surface.marks, bookmarks=frozenset(offsets), highlights=tuple(highlights)))

    def set_describe(self, describe: Describe | None) -> None:
        """Words for tooltips and for screen readers."""
        self._describe = describe

    def describe(self, offset: int, *, full: bool = False) -> str:
        """What the byte is, in the provider's words; empty without one."""
        return self._describe(offset, full) if self._describe else ""

    # Caret and selection

    @property
    def caret(self) -> int:
        """Offset of the byte that the caret stands on."""
        return self._caret.offset

    @property
    def side(self) -> Side:
        """The column that takes the keys."""
        return self._caret.side

    def selected_span(self) -> Span:
        """The selected bytes; of several ranges those with the caret."""
        return self._caret.span(self._surface.layout.size)

    def selected_spans(self) -> tuple[Span, ...]:
        """All selected ranges, ascending: one at least, that with the caret where adding it again took all away."""
        return toggled(self._kept, self.selected_span()) or (self.selected_span(),)

    def select_spans(self, spans: Sequence[Span]) -> None:
        """Select several ranges, the caret on the first, which is shown."""
        self.select(spans[0])
        size = self._surface.layout.size
        self._kept = tuple(part for span in spans[1:] if (part := span.clipped(size)).length)
        self._remark()
        accessible.speak(self, accessible.sentence(self))

    def go_to(self, offset: int, *, flash: bool = False) -> None:
        """Put the caret on a byte and show it; `flash` lights up its row for a moment."""
        offset = min(max(0, offset), max(0, self._surface.layout.size - 1))
        self._set_caret(self._caret.at(offset), tell=False)
        self.reveal(offset)
        if flash:
            self.flash(offset)

    def select(self, span: Span, *, reveal: bool = True) -> None:
        """Select bytes, the caret on the first; `reveal` shows the start of them."""
        span = span.clipped(self._surface.layout.size)
        self._set_caret(self._caret.selecting(span), tell=False)
        if reveal:
            self.reveal(span.start)

    def select_all(self) -> None:
        """Select the whole file; the view stays where it is."""
        self._set_caret(replace(self._caret.selecting(Span(0, self._surface.layout.size)), empty=False))

    def copy_hex(self) -> Copied:
        """Put the selection on the clipboard as `80 02 8A`; the answer tells whether all of it went there."""
        return copying.put(copying.as_hex, *self.selected_bytes())

    def copy_text(self) -> Copied:
        """Put the selection on the clipboard as text in the encoding of the text column."""
        return copying.put(self.as_letters(), *self.selected_bytes())

    def as_letters(self) -> Callable[[bytes], str]:
        """What writes the selected bytes as the text column reads them."""
        return copying.letters_of(self._surface.content.encoding, self.form.phase - self.selected_spans()[0].start)

    def selected_bytes(self) -> tuple[bytes, int]:
        """The selected bytes, as many as are copied, ranges one behind the other; and how many are selected."""
        spans, data = self.selected_spans(), b""
        for span in spans:
            data += self._surface.content.read(span.start, min(span.length, copying.most() - len(data)))
        return data, sum(span.length for span in spans)

    def _set_caret(self, caret: Caret, *, tell: bool = True, keep: bool = False) -> None:
        before, spans = self._caret, self.selected_spans()
        if not self._surface.has_text:
            caret = replace(caret, side=Side.HEX)
        self._caret = caret
        if not keep:
            self._kept = ()
        self._remark()
        self._restart_blink()
        if (before.offset, before.side) != (caret.offset, caret.side) or self.selected_spans() != spans:
            accessible.speak(self, accessible.sentence(self))
        if not tell:
            return
        if before.side != caret.side:
            self.side_changed.emit(caret.side)
        if before.offset != caret.offset:
            self.caret_moved.emit(caret.offset)
        if self.selected_spans() != spans:
            self.selection_changed.emit(self.selected_span())

    def _remark(self) -> None:
        before, caret = self._surface.marks, self._caret
        self._mark(
            replace(
                before,
                selection=self.selected_span(),
                several=self.selected_spans() if self._kept else (),
                caret=caret.offset,
                side=caret.side,
                focused=self.hasFocus(),
            )
        )
        column = self._surface.layout.column_of
        if column(before.caret) != column(caret.offset):
            metrics = self._surface.face.metrics
            self._repaint(QRect(0, 0, self._surface.width, metrics.header))

    def _mark(self, marks: Marks) -> None:
        if marks == self._surface.marks:
            return
        for rows in self._surface.mark(marks):
            self._repaint(self._surface.rect(rows))
        self.marks_changed.emit()

    # What the pointer asks for

    def place_at(self, point: QPoint) -> Place | None:
        """The byte under a point of the viewport."""
        x, y = self._in_rows(point)
        return self._surface.layout.hit(x, y, self._surface.top_row)

    def nearest_place(self, point: QPoint, side: Side | None) -> Place | None:
        """The byte nearest to a point of the viewport."""
        x, y = self._in_rows(point)
        return self._surface.layout.nearest(x, y, self._surface.top_row, side)

    def point_to(self, place: Place, *, extend: bool, shift: bool, add: bool = False) -> None:
        """The caret goes to a byte; `extend` from where the drag began, `shift` from the nearer end, `add` a range."""
        if add:
            self._kept = self.selected_spans()
        caret, grain = replace(self._caret, side=place.side), self._surface.layout.grain(place.side)
        move = extended if shift else partial(Caret.at, extend=extend)
        self._set_caret(move(caret, place.offset, grain=grain), keep=add or extend)

    def choose_row(self, place: Place) -> None:
        """The whole row of a byte is selected."""
        layout = self._surface.layout
        span = layout.row_span(layout.row_of(place.offset))
        self._set_caret(replace(self._caret, side=place.side).selecting(span))

    def ask_owner(self, place: Place, *, parent: bool) -> None:
        """Say that the owner of a byte is wanted, or what that is a part of."""
        (self.parent_requested if parent else self.owner_requested).emit(place.offset)

    def hover_at(self, offset: int | None) -> None:
        """Say that the pointer rests on another byte."""
        self.hovered.emit(offset)

    # The blinking caret

    @override
    def _moment(self) -> Moment:
        return replace(super()._moment(), caret_lit=self._blink.lit)

    def _restart_blink(self) -> None:
        self._blink.restart(focused=self.hasFocus())
        self._repaint(self._surface.caret_rect(self._shift()))

    def _caret_place(self) -> QRect:
        """Where the caret stands in the viewport; empty out of view."""
        return self._to_logical(self._surface.caret_rect(self._shift()))

    @override
    def _repaint(self, area: QRect) -> None:
        self._blink.forget()
        super()._repaint(area)

    # Events

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        side = ENTERED.get(event.reason())
        if side is not None:
            self._set_caret(replace(self._caret, side=side), keep=True)
        self._remark()
        self._restart_blink()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._remark()
        self._restart_blink()

    @override
    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes to the other column, and from there on as anywhere; Shift+Tab the other way."""
        layout = self._surface.layout
        if self.side is (Side.HEX if forward else Side.TEXT) and layout.size and layout.has_text:
            self._set_caret(replace(self._caret, side=self._caret.side.other))
            return True
        return super().focusNextPrevChild(forward)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        rows, move = keys.rows_of(event), keys.move_of(event)
        if rows:
            self.scroll_rows(rows)
        elif keys.is_menu(event):
            self._ask_menu()
        elif keys.is_select_all(event):
            self.select_all()
        elif keys.is_copy(event):
            self.copy_hex() if self.side is Side.HEX else self.copy_text()
        elif move is not None:
            self._move(move, extend=keys.extends(event))
        else:
            event.ignore()

    def _move(self, move: Move, *, extend: bool) -> None:
        surface = self._surface
        page = max(1, surface.whole - 1)
        offset = moved(move, self._caret.offset, surface.layout, page, self.side)
        if move in PAGES:
            self.scroll_rows(PAGES[move] * page)
        self._set_caret(self._caret.at(offset, extend=extend, grain=surface.layout.grain(self.side)), keep=extend)
        self.reveal(offset)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.viewport():
            if event.type() == QEvent.Type.Leave:
                self._pointer.leave()
            elif event.type() == QEvent.Type.Paint:
                return self._blink.paint(event)
            elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
                self._show_tip(event)
                return True
        return super().eventFilter(watched, event)

    def _show_tip(self, event: QHelpEvent) -> None:
        place = self.place_at(event.pos())
        full = bool(QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier)
        words = self.describe(place.offset, full=full) if place else self.gutter_words(event.pos())
        QToolTip.showText(event.globalPos(), words, self.viewport())

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pointer.press(event)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pointer.double(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        del event
        self._pointer.release()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        place = self.nearest_place(event.pos(), None) if by_mouse else None
        if place is not None and place.offset not in self.selected_span():
            self.point_to(place, extend=False, shift=False)
        if by_mouse:
            self.context_requested.emit(place.offset if place else self.caret, event.globalPos())
        else:
            self._ask_menu()

    def _ask_menu(self) -> None:
        """Ask for the menu of the selected bytes, below the caret."""
        self.context_requested.emit(self.caret, self.caret_on_screen().bottomLeft())

    def caret_on_screen(self) -> QRect:
        """Where the caret stands, in pixels of the screen; empty out of view."""
        area = self._caret_place()
        return QRect(self.viewport().mapToGlobal(area.topLeft()), area.size())
