"""Finding among the bytes of one view: ties the bar, the search of the session, the marks of the view and the list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.core.errors import ViewerError
from viewer.core.progress import Progress, Step, how_far
from viewer.core.search_bytes.base import SEARCHING
from viewer.core.span import Span
from viewer.late import late
from viewer.session.byte_search import ByteSearch
from viewer.session.settings import BYTE_SEARCHES
from viewer.ui.hexview.copying import as_hex
from viewer.ui.models.byte_scopes import scope_of
from viewer.ui.widgets.find_bar import FILE, SELECTION, FindBar
from viewer.ui.widgets.find_form import OF_OPCODES, STRINGS
from viewer.ui.widgets.row_copying import RowCopying
from viewer.ui.words import count, of_failure, offset, said, size

if TYPE_CHECKING:
    from viewer.core.document import Pickle
    from viewer.core.search_bytes.base import Query
    from viewer.core.search_bytes.scan import hits
    from viewer.core.source import ByteSource
    from viewer.session.session import Session
    from viewer.ui.hexview.map import HexMap
    from viewer.ui.hexview.view import HexView
    from viewer.ui.widgets.byte_hits import ByteHits
else:
    (hits,) = late("viewer.core.search_bytes.scan", "hits")

TYPED_MS: Final = 200
AT_ONCE: Final = 2**30
"""Bytes that are searched while something is typed; larger scopes wait for the return key."""
MAP_ROWS: Final = 512
MOST_PAST: Final = 20
MOST_SELECTED: Final = 256


class ByteFinding(QObject):
    """`session`: whose bytes; `origin`: the pane that selects. The parts are placed by the pane.

    left: the person is done; the bytes take the keyboard.
        Signal()
    """

    left = Signal()

    def __init__(
        self, session: Session, view: HexView, map_: HexMap, origin: str, bar: FindBar, list_: ByteHits
    ) -> None:
        super().__init__(view)
        self._session, self._view, self._map, self._origin = session, view, map_, origin
        self.bar, self.list = bar, list_
        self.search = ByteSearch(session.jobs, self)
        self.copying = RowCopying(session, list_.table, list_.model)
        self._source: ByteSource | None = None
        self._query: Query | None = None
        self._scope: Span | None = None
        self._round = False
        self._typed = QTimer(self, singleShot=True, interval=TYPED_MS)
        self._typed.timeout.connect(self._look)
        bar.wanted.connect(self.step)
        bar.changed.connect(self._query_changed)
        bar.scope_chosen.connect(self._scope_chosen)
        bar.list.toggled.connect(self._show_list)
        bar.left.connect(self.leave)
        list_.chosen.connect(self._select)
        list_.left.connect(view.setFocus)
        self.search.changed.connect(self._tell)
        self.search.reached.connect(self._reached)
        bar.entry.pickles = self._pickles
        bar.hide()
        list_.hide()
        bar.set_past(self._past())

    def set_source(self, source: ByteSource | None) -> None:
        """Other bytes: what was found in those before is forgotten."""
        self._source, self._scope = source, None
        self.bar.scope.setCurrentIndex(self.bar.scope.findData(FILE))
        self.search.clear()
        self._mark()

    def show(self, text: str = "") -> None:
        """Show the bar and give it the keyboard; `text`: hexadecimal to look for."""
        self.bar.show()
        if text:
            self.bar.form.setCurrentIndex(0)
            self.bar.field.setText(text)
        self.bar.field.setFocus()
        self.bar.field.selectAll()
        self._show_list(self.bar.list.isChecked())

    def find_selected(self) -> None:
        """Look for the next bytes that are as the selected ones; many are cut."""
        data = self._view.selected_bytes()[0][:MOST_SELECTED]
        if data:
            self.show(as_hex(data))
            self.bar.ask(backwards=False)

    def list_strings(self) -> None:
        """List the strings: those that opcodes hold where there are any, else runs of letters.

        Those in the selection, where more than one byte is selected.
        """
        self.show()
        if self._view.selected_span().length > 1:
            self.bar.scope.setCurrentIndex(self.bar.scope.findData(SELECTION))
            self._scope_chosen(SELECTION)
        entry = self.bar.entry
        if entry.kind != STRINGS:
            self.bar.field.clear()
            entry.form.setCurrentIndex(entry.form.findData(STRINGS))
            entry.letters.setCurrentIndex(entry.letters.findData(OF_OPCODES) if self._pickles()[0] else 0)
        self._query = self.bar.query()
        self.bar.list.setChecked(True)
        self._mark()
        self._look()

    def _pickles(self) -> tuple[Sequence[Pickle], str]:
        """The streams in the bytes that are shown, and how their Python 2 strings are read."""
        document = self._session.document
        if document is None:
            return (), self._session.options.text_encoding
        shown, place = document.at(self._session.selection.source)
        pickles = [pickle for pickle in shown.pickles if pickle.place == place]
        return pickles, self._session.options.text_encoding

    def show_document(self) -> None:
        """More is known of the bytes: strings of opcodes are looked for in those that are known now."""
        if self.bar.entry.kind == STRINGS and self.bar.entry.letters.currentData() == OF_OPCODES:
            self.bar.forget()
            self._query_changed(self.bar.query() if self._query is not None else None)

    def again(self, *, backwards: bool) -> None:
        """The next or previous hit of the last query; asks for one where there is none."""
        if self._query is None:
            self.show()
        else:
            self.step(self._query, backwards)

    def leave(self) -> None:
        """Hide bar, list and marks; the last query stays for `again`."""
        self._typed.stop()
        self.search.clear()
        self.bar.hide()
        self.list.hide()
        self._view.set_hits(None)
        self._map.set_hits(())
        self.left.emit()

    def _past(self) -> list[tuple[str, str]]:
        kept = self._session.habits.get(BYTE_SEARCHES, [])
        pairs = [tuple(each) for each in kept if isinstance(each, list) and len(each) == 2]
        return [(str(kind), str(text)) for kind, text in pairs]

    def _remember(self) -> None:
        """Keep what is looked for, before all others."""
        now = (self.bar.entry.kind, self.bar.field.text())
        past = [now, *(each for each in self._past() if each != now)][:MOST_PAST] if now[1] else self._past()
        self._session.habits.keep(BYTE_SEARCHES, past)
        self.bar.set_past(past)

    def step(self, query: Query, backwards: bool) -> None:
        """Go to the next or the previous hit."""
        self._query = query
        self._remember()
        self._mark()
        if self._look():
            self._round = False
            self.search.step(self._view.selected_span(), backwards=backwards)
            self._tell()

    # -- what is asked for ------------------------------------------------------------------------

    def _query_changed(self, query: Query | None) -> None:
        self._query = query
        self.search.clear()
        self._mark()
        self._typed.stop()
        if query is not None and self._where().length <= AT_ONCE:
            self._typed.start()

    def _scope_chosen(self, scope: str) -> None:
        self._scope = scope_of(self._session, scope, self._view.selected_span()) if scope != FILE else None
        if scope != FILE and self._scope is None:
            self.bar.scope.setCurrentIndex(self.bar.scope.findData(FILE))
            self.bar.tell(self.tr("No such bytes at the caret: the whole file is searched."), error=True)
        self._query_changed(self.bar.query() if self._query is not None else None)

    def _where(self) -> Span:
        return self._scope or Span(0, self._source.size if self._source is not None else 0)

    def _look(self) -> bool:
        self._typed.stop()
        if self._source is None or self._query is None:
            return False
        self.search.look(self._source, self._query, self._where())
        return True

    # -- what is found ----------------------------------------------------------------------------

    def _mark(self) -> None:
        """Light up hits in view: out of the list where it reaches so far, else by searching what is in view."""
        source, query = self._source, self._query
        if source is None or query is None or self.bar.isHidden():
            self._view.set_hits(None)
            self._map.set_hits(())
            return
        scope = self._where()

        def visible(start: int, stop: int) -> Iterable[tuple[int, int]]:
            known = self.search.hits if self.search.query is query else None
            if known is not None and known.known_to >= min(stop, scope.stop):
                return known.touching(start, stop, query.reach)
            part = Span(max(scope.start, start - query.reach + 1), max(scope.start, min(stop, scope.stop)))
            if part.stop <= part.start:
                return ()
            # Strings may go on for long beyond what is seen.
            near = Span(scope.start, min(scope.stop, part.stop + query.reach))
            try:
                return [(hit.start, hit.stop) for hit in hits(source, query, near, part, Progress())]
            except ViewerError:
                return ()

        self._view.set_hits(visible)

    def _reached(self, hit: Span | None) -> None:
        if hit is not None:
            self._select(hit)
        self._tell()

    def _select(self, hit: Span) -> None:
        self._view.select(hit, reveal=True)
        self._view.flash(hit.start)
        self._session.select_bytes((hit,), self._origin, self._session.selection.source)

    def _show_list(self, wanted: bool) -> None:
        self.list.setVisible(wanted and not self.bar.isHidden())
        if wanted:
            self._look()
        self._tell()

    def _tell(self) -> None:
        """The count, the list and the map follow the search."""
        found = self.search.hits
        if not self.list.isHidden():
            entry = self.bar.entry
            self.list.show_hits(found, self._source, entry.letters.currentData() if entry.kind == STRINGS else "")
            if found is not None and self.search.current is not None:
                self.list.choose(found.before(self.search.current.start))
        self._map.set_hits(self._shares())
        if self.search.failure is not None:
            self.bar.tell(of_failure(self.search.failure), error=True)
        elif found is not None:
            missing = not self.search.running and not found.total
            self.bar.tell(self._not_found() if missing else self._count(), error=missing, aloud=not self.search.running)
        elif self._query is not None and not self._typed.isActive():
            self.bar.tell("")

    def _shares(self) -> list[int]:
        """How many hits stand in each row of the map."""
        found, whole = self.search.hits, self._source.size if self._source is not None else 0
        if found is None or not len(found):
            return []
        rows = min(MAP_ROWS, whole)
        return found.shares([row * whole // rows for row in range(rows + 1)])

    def _not_found(self) -> str:
        return self.tr("Not found. {size} searched.").format(size=size(self._where().length))

    def _count(self) -> str:
        found, hit = self.search.hits, self.search.current
        if found is None:
            return ""
        total = count(found.total) if not self.search.running else f"{count(found.total)}+"
        words = self.tr("{total} hits").format(total=total)
        if found.total == 1 and not self.search.running:
            words = self.tr("1 hit")
        if hit is not None and (at := found.before(hit.start)) < len(found) and found[at] == hit:
            words = self.tr("{number} of {total}").format(number=count(at + 1), total=total)
            words = f"{offset(hit.start)}   {words}"
        if self.search.running:
            step = Step(SEARCHING, found.searched - self.search.scope.start, self.search.scope.length)
            words += "   " + how_far(step, self.search.pace, said, size)
        return words
