"""Bytes compared with others: both views scroll together, what differs at an offset stands out.

Whole files: the other one stands beside the view of the pane. Parts of files: two views of their own take its place, as
what is compared has to begin in the same column of a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget
from typing_extensions import override

from viewer.core.byte_differences import differences_in
from viewer.core.errors import ViewerError
from viewer.core.source import FileSource, printable
from viewer.core.span import Span
from viewer.session.byte_comparing import STEPPING, ByteComparing, Part, beside, found_again
from viewer.session.seen_bytes import Beside
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.session.watch import Watch, of_file
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import Theme
from viewer.ui.widgets.byte_comparable import Comparable
from viewer.ui.widgets.byte_compare_colours import PartColours, described
from viewer.ui.widgets.byte_compare_head import ByteCompareHead
from viewer.ui.widgets.byte_copying import ByteCopying
from viewer.ui.widgets.byte_differences import ByteDifferences
from viewer.ui.widgets.byte_pair import BytePair
from viewer.ui.widgets.row_copying import RowCopying
from viewer.ui.words import count, nbytes_of, of_failure, span_text
from viewer.ui.words import offset as written

WATCHING: Final = "watching the other file"


class ByteCompare(QWidget):
    """The other bytes; hidden until some are chosen. `head` stands above both views, `list` below them.

    arrived: a difference was found, or none where the offset is None; offsets as those of the pane's bytes.
        Signal(offset: int | None)
    asks: a command of the menus is wanted.
        Signal(action: str)
    message: something to tell in a bar: severity word, title, sentence.
        Signal(severity: str, title: str, sentence: str)
    """

    arrived = Signal(object)
    asks = Signal(str)
    message = Signal(str, str, str)

    def __init__(self, session: Session, view: HexView, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._pane_view = session, view
        self._mine: Part | None = None
        self._theirs: Part | None = None
        self._at = ""
        self._here: int | None = None
        self._watch: Watch | None = None
        self._known: Beside | None = None
        self.comparing = ByteComparing(session, self)
        self.choices = Comparable(session, view)
        self.own = HexView(theme, self)
        self.view = HexView(theme, self)
        self.head = ByteCompareHead(theme, parent)
        self.list = ByteDifferences(theme, lambda offset: described(self._mine, offset, full=False), parent)
        self.rows = RowCopying(session, self.list.table, self.list.model)
        self._colours = PartColours(session, self)
        self._copying = tuple(ByteCopying(session, each) for each in (self.own, self.view))
        self.own.setAccessibleName(self.tr("Bytes that are compared"))
        self.view.setAccessibleName(self.tr("Other bytes"))
        self.pair = BytePair(view, self.own, self.view, self, lambda: self.head.lock.isChecked())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.own, 1)
        row.addWidget(self.view, 1)
        self._connect()
        for part in (self.own, self.head, self.list, self):
            part.hide()

    def _connect(self) -> None:
        self.own.selection_changed.connect(self._select)
        for copying in self._copying:
            copying.message.connect(self.message)
        for part in (self.own, self.view):
            part.gutter_clicked.connect(self._pane_view.gutter_clicked)
        self.own.set_describe(lambda offset, full: described(self._mine, offset, full))
        self.view.set_describe(lambda offset, full: described(self._theirs, offset, full))
        self._session.document_changed.connect(self._colour)
        self.comparing.changed.connect(self._tell)
        self.comparing.reached.connect(self._reached)
        self.choices.chosen.connect(self.compare)
        self.choices.second.connect(self.show_second)
        self.choices.asks.connect(self.asks)
        self.choices.missed.connect(lambda words: self.message.emit("note", self.tr("Nothing to compare with"), words))
        self.head.stepped.connect(self.step)
        self.head.left.connect(self.leave)
        self.head.list.toggled.connect(self._show_list)
        self.list.chosen.connect(self._go)
        self.list.left.connect(lambda: self.left_view.setFocus())

    @property
    def left_view(self) -> HexView:
        """The view of the first bytes: that of the pane, or an own one."""
        return self.pair.left

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        for part in (self.own, self.view, self.head, self.list):
            part.set_theme(theme)

    def commands(self) -> Mapping[str, Callable[[], None]]:
        """What the menus can ask for; copies are those of the view that has the keyboard."""
        always: dict[str, Callable[[], None]] = {"tools.compare_bytes": self.ask}
        if self._theirs is None:
            return always
        found = always | {"go.next_difference": partial(self.step, 1), "go.previous_difference": partial(self.step, -1)}
        for view, copying in zip((self.own, self.view), self._copying, strict=True):
            if view.hasFocus():
                found |= {f"edit.copy_{form}": partial(copying.copy, form) for form in ("hex", "text")}
                found["edit.select_all"] = view.select_all
        return found

    # -- what is compared -------------------------------------------------------------------------

    def add_to(self, menu: QMenu) -> None:
        """What can be compared as entries of a menu."""
        self.choices.add_to(menu)

    def ask(self) -> None:
        """Show that menu at the caret."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        inner = self.choices.add_to(menu)
        inner.popup(self._pane_view.mapToGlobal(self._pane_view.rect().topLeft()))

    def compare_with(self, peer: Session) -> None:
        """Compare all bytes with those of another open file."""
        mine, source = self.choices.mine(), peer.source
        if mine is not None and source is not None:
            self.compare(mine, Part.whole(peer, source))

    def compare(self, mine: Part, theirs: Part, *, stay: bool = False) -> None:
        """Show both beside each other, each in the colours of what its bytes are, and go to the first difference.

        `stay`: where one is instead.
        """
        top = self._pane_view.top_row
        self._begin(mine, theirs)
        self.head.name.setText(self._name())
        finder = self._visible
        self.left_view.set_differences(finder)
        self.view.set_differences(finder)
        self.head.set_differing(on=True)
        self._show_list(self.head.list.isChecked())
        self.comparing.begin(mine.content, theirs.content, reach=not stay)
        if stay:
            self.show_selection(self._session.selection)
            self._pane_view.set_top_row(top)

    def show_second(self) -> None:
        """The same bytes in a second view, which scrolls by itself."""
        mine = self.choices.mine()
        if mine is None:
            return
        self._begin(mine, mine)
        self.head.name.setText(self.tr("The same bytes again"))
        self.head.set_differing(on=False)
        self.list.hide()
        for view in (self._pane_view, self.view):
            view.set_differences(None)
            view.reveal(self._pane_view.selected_span().start)

    def _begin(self, mine: Part, theirs: Part) -> None:
        had_keyboard = any(view.hasFocus() for view in self._views())
        self._let_go()
        self._mine, self._theirs, self._at = mine, theirs, ""
        self._session.seen.beside = beside(mine, theirs)
        for view in (self.own, self.view):
            view.set_regions(None)
        self.pair.begin(mine, theirs)
        self.list.set_sides(mine.content, theirs.content, mine.span.start)
        self._here = None
        self._colour()
        self._listen(theirs)
        self.head.show()
        self.show()
        self.pair.fit()
        if had_keyboard:
            self.left_view.setFocus()

    def _name(self) -> str:
        mine, theirs = self._mine, self._theirs
        if mine is None or theirs is None:
            return ""
        name = printable(theirs.session.title)
        if theirs.is_whole and mine.is_whole:
            return self.tr("Compared with {name}").format(name=name)
        words = self.tr("{here} compared with {there} of {name}")
        return words.format(here=span_text(mine.span), there=span_text(theirs.span), name=name)

    def leave(self) -> None:
        """Show the file alone."""
        self._session.seen.beside = None
        self._end()

    def _end(self) -> None:
        if self._theirs is None:
            return
        had_keyboard = any(part.hasFocus() for part in (*self._views(), self.list.table, self.head.close_button))
        self._let_go()
        self.pair.end()
        for view in (self._pane_view, self.own, self.view):
            view.set_differences(None)
        for view in (self.own, self.view):
            view.set_regions(None)
        self.list.set_sides(None, None, 0)
        self._here = None
        for part in (self.head, self.list, self):
            part.hide()
        self._pane_view.reveal(self._pane_view.selected_span().start)
        if had_keyboard:
            self._pane_view.setFocus()

    def _views(self) -> tuple[HexView, ...]:
        return self._pane_view, self.own, self.view

    def _let_go(self) -> None:
        """Hold nothing of the files any more."""
        self.comparing.forget()
        self._colours.stop()
        if self._theirs is not None:
            self._theirs.session.jobs.closed.disconnect(self._closed)
            self._theirs.session.document_changed.disconnect(self._colour)
        if self._watch is not None:
            self._watch.close()
        self._mine = self._theirs = self._watch = None

    def _colour(self) -> None:
        """The colours of what the bytes are, as far as that is known now."""
        views = (self.own, self._mine), (self.view, self._theirs)
        self._colours.begin([(view, part) for view, part in views if part is not None and not view.isHidden()])

    # -- the other file ---------------------------------------------------------------------------

    def _listen(self, theirs: Part) -> None:
        theirs.session.jobs.closed.connect(self._closed)
        theirs.session.document_changed.connect(self._colour)
        source = theirs.session.source
        if isinstance(source, FileSource) and theirs.session is not self._session:
            self._watch = Watch(self._session.jobs, theirs.session, self, WATCHING)
            self._watch.changed.connect(self._changed)
            self._watch.follow([of_file(source)])

    def _changed(self, subject: object, what: str, names: list[str]) -> None:
        del subject
        name = printable(names[0]) if names else ""
        gone = self.tr("{name} is not there any more; what was open of it is shown.")
        other = self.tr("{name} was written to: read it again in its tab.")
        self.head.tell((gone if what == "gone" else other).format(name=name), error=True)

    def _closed(self) -> None:
        """The other file is closed; where it is only read again, compare with what is read then."""
        mine, theirs = self._mine, self._theirs
        self._end()
        if mine is None or theirs is None or theirs.session is self._session:
            return
        known, title = beside(mine, theirs), theirs.session.title
        QTimer.singleShot(0, self, lambda: self._compare_again(known, title, stay=False))

    def go_on(self, known: Beside | None) -> None:
        """The own file was read again: compare with what its bytes were compared with, once they are shown."""
        self._known = known
        QTimer.singleShot(0, self, self.shown)

    def shown(self) -> None:
        """Other bytes are shown: perhaps those that `go_on` waits for."""
        known = self._known
        if known is None or known.place != self._session.selection.source or self._session.shown_source is None:
            return
        self._known = None
        if self._theirs is None:
            self._compare_again(known, self._session.title, stay=True)

    def _compare_again(self, known: Beside | None, title: str, *, stay: bool) -> None:
        parts = found_again(self._session, known) if known is not None else None
        if known is None or parts is None:
            self._session.seen.beside = None
            sessions = (self._session, *self._session.peers())
            is_open = known is not None and any(one.path == known.path for one in sessions)
            words = self.tr("{name} has no such bytes any more.") if is_open else self.tr("{name} was closed.")
            self.message.emit("note", self.tr("Nothing to compare with any more"), words.format(name=printable(title)))
            return
        if parts[0].session is parts[1].session and parts[0].span == parts[1].span:
            self.show_second()
            return
        self.compare(*parts, stay=stay)
        words = self.tr("{name} was read again; its new bytes are compared.").format(name=printable(title))
        self.message.emit("note", self.tr("Compared again"), words)

    # -- layout -----------------------------------------------------------------------------------

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._theirs is not None:
            self.pair.fit()

    # -- differences ------------------------------------------------------------------------------

    def step(self, step: int) -> None:
        """Go to the next difference behind the caret (1), or to the one before it (-1)."""
        self.comparing.step(self.left_view.caret, backwards=step < 0)

    def show_selection(self, selection: Selection) -> None:
        """Another place is selected: the own view of the first bytes shows it too, where it lies in them."""
        mine, span = self._mine, selection.span
        if mine is None or span is None or self.own.isHidden() or selection.origin == STEPPING:
            return
        if selection.source == mine.place and mine.span.start <= span.start < mine.span.stop:
            inside = Span(span.start - mine.span.start, min(span.stop, mine.span.stop) - mine.span.start)
            self.own.select(inside)

    def _select(self, span: Span) -> None:
        """Select bytes of the first side in all panes."""
        if self._mine is not None:
            start = self._mine.span.start
            spans = (Span(span.start + start, span.stop + start),)
            self._session.select_bytes(spans, STEPPING, self._mine.place)

    def _go(self, difference: Span) -> None:
        """Show a difference in both views, and select it in all panes."""
        for view in (self.left_view, self.view):
            view.select(difference)
            view.flash(difference.start)
        self._select(self.left_view.selected_span())

    def _reached(self, at: int | None) -> None:
        mine = self._mine
        if mine is None:
            return
        if at is not None:
            for view in (self.left_view, self.view):
                view.go_to(at, flash=True)
            self._select(Span(at, at + 1))
            self.list.choose(at)
            self._here = at
        self._at = self.tr("No further difference.")
        if at is not None:
            self._at = self.tr("Differs at {offset}").format(offset=written(mine.span.start + at))
        self._tell()
        self.arrived.emit(None if at is None else mine.span.start + at)

    def _show_list(self, wanted: bool) -> None:
        self.list.setVisible(wanted and self._theirs is not None)
        if wanted:
            self.comparing.list_all()
        self._tell()

    def _tell(self) -> None:
        """The count and the list follow the comparison."""
        found = self.comparing.found
        if not self.list.isHidden():
            self.list.show_found(found)
            # Told before the list had rows, or was shown.
            if self._here is not None and not self.list.table.currentIndex().isValid():
                self.list.choose(self._here)
        if self.comparing.failure is not None:
            self.head.tell(of_failure(self.comparing.failure), error=True)
        elif found is not None:
            self.head.tell("   ".join(filter(None, (self._at if found.total else "", self._count(found.total)))))
        else:
            self.head.tell(self._at)

    def _count(self, total: int) -> str:
        running, differing = self.comparing.running, nbytes_of(self.comparing.differing)
        if not total:
            return "" if running else self.tr("No difference.")
        words = self.tr("{count} differences so far, {bytes}") if running else self.tr("{count} differences, {bytes}")
        if total == 1 and not running:
            words = self.tr("1 difference, {bytes}")
        return words.format(count=count(total), bytes=differing)

    def _visible(self, start: int, stop: int) -> Iterable[tuple[int, int]]:
        if self._mine is None or self._theirs is None:
            return ()
        try:
            return differences_in(self._mine.content, self._theirs.content, start, stop)
        except ViewerError:
            return ()
