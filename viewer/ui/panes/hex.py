"""Bytes: the hex view of the document's source, with the whole-file map beside it and a find bar above."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QWidget
from typing_extensions import override

from viewer.core.span import Span
from viewer.core.tensors.many import ManyTensors
from viewer.session.seen_bytes import Seen, Standing, standing
from viewer.session.settings import BYTE_RADIX
from viewer.ui.hexview.map import Flag, HexMap
from viewer.ui.hexview.overview import NO_OVERVIEW, Overview, entropies, shares
from viewer.ui.hexview.view import HexView
from viewer.ui.measures import keep_lengths
from viewer.ui.models.byte_owners import more_of, owner_of
from viewer.ui.models.byte_regions import ByteRegions, covered
from viewer.ui.pane import LowPane, Pane
from viewer.ui.widgets.byte_compare import ByteCompare
from viewer.ui.widgets.byte_copying import ByteCopying
from viewer.ui.widgets.byte_finding import ByteFinding
from viewer.ui.widgets.byte_hits import ByteHits
from viewer.ui.widgets.byte_options import ByteOptions
from viewer.ui.widgets.byte_ways import ByteWays
from viewer.ui.widgets.find_bar import FindBar
from viewer.ui.widgets.inside_bar import InsideBar
from viewer.ui.widgets.labels import Menu
from viewer.ui.widgets.map_refining import MapRefining
from viewer.ui.widgets.region_legend import RegionLegend
from viewer.ui.widgets.selection_facts import SelectionFacts
from viewer.ui.widgets.split import Split
from viewer.ui.words import hexadecimal, tip

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.progress import Progress
    from viewer.core.source import ByteSource
    from viewer.session.selection import Selection
    from viewer.session.session import Session
    from viewer.ui.models.string_holders import Holder
    from viewer.ui.theme import Theme

MAP_ROWS: Final = 1024
FACTS_SHARE: Final = 40
"""Percent of the pane that facts of the selection take, where they can do with less than they would."""
LEAST_WITH_MAP: Final = 310
"""Below that width four bytes with their letters have room only where the map has none."""
FEW: Final = 2000
MOST_TENSORS: Final = 10_000
MAP_JOB: Final = "map"
HEXADECIMAL: Final = 16
CHANGED_MS: Final = 5000
"""How long bytes are lit up that are others since the file was read again."""


class HexPane(Pane):
    """Titled Bytes. The selection of the view is that of the session, both ways."""

    key: ClassVar[str] = "hex"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._shown: ByteSource | None = None
        self._stood: tuple[Span, ...] = ()
        self._left: Standing | None = None
        self._regions: ByteRegions | None = None
        whole, body = self._places()
        self.view = HexView(theme, body)
        self.map = HexMap(self.view, theme, body)
        self.refining = MapRefining(session, self.map)
        self.find_bar = FindBar(theme, whole)
        self.hits = ByteHits(theme, lambda offset: self._describe(offset, False), self._holder, self.parts)
        self.copying = ByteCopying(session, self.view)
        self.compared = ByteCompare(session, self.view, theme, body)
        self.facts = SelectionFacts(session, self.view, theme, whole)
        self.ways = ByteWays(session, self.view, self.key)
        self.finding = ByteFinding(session, self.view, self.map, self.key, self.find_bar, self.hits)
        self.inside = InsideBar(theme, whole)
        self.legend = RegionLegend(theme, self)
        self.options = ByteOptions(session, self.view, theme, self)
        self._changed_shown = QTimer(self, singleShot=True, interval=CHANGED_MS)
        self._changed_shown.timeout.connect(lambda: self.view.set_changed(None))
        self.empty = QLabel(self.pages)
        keep_lengths(theme, self.empty.setMargin, 20)
        self._build(body)
        self._connect()
        if session.source is not None:
            self.show_source()
        if session.document is not None:
            self.show_document()

    def _places(self) -> tuple[QWidget, QWidget]:
        """What holds all parts below each other, and within it what holds the bytes."""
        self._low = LowPane(self)
        whole = self._low.body
        self.pages = QStackedWidget(whole)
        self.parts = Split(Qt.Orientation.Vertical, self.pages)
        return whole, QWidget(self.parts)

    def _build(self, body: QWidget) -> None:
        row = QHBoxLayout(body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.view, 1)
        row.addWidget(self.compared, 1)
        row.addWidget(self.map)
        self.parts.addWidget(body)
        self.parts.addWidget(self.hits)
        self.parts.addWidget(self.compared.list)
        self.parts.setStretchFactor(0, 1)
        self.pages.addWidget(self.parts)
        self.pages.addWidget(self.empty)
        self.facts.asked.connect(lambda: self._low.reveal(self.facts))
        column = self._low.column
        column.addWidget(self.inside)
        column.addWidget(self.find_bar)
        column.addWidget(self.compared.head)
        column.addWidget(self.pages, 1)
        column.addWidget(self.facts)

    def _connect(self) -> None:
        self.view.selection_changed.connect(self._chosen)
        self.view.hovered.connect(self._hovered)
        self.view.context_requested.connect(self._menu)
        self.view.scrolled.connect(self._scrolled)
        self.copying.message.connect(self.message)
        for part in (self.facts, self.compared, self.finding.copying, self.compared.rows):
            part.message.connect(self.message)
        self.compared.asks.connect(self.asks)
        self.session.bookmarks.changed.connect(self._show_bookmarks)
        self.view.gutter_clicked.connect(self._turn_radix)
        self.view.set_describe(self._describe)
        self.finding.left.connect(lambda: self.focus_target().setFocus())
        self.inside.left.connect(lambda: self.session.leave("inside"))

    # -- document and selection -------------------------------------------------------------------

    @override
    def show_source(self) -> None:
        self._show(self.session.source)
        left, self._left = self._left, None
        if left is not None:
            # Where other bytes are asked for than were selected then, those are shown.
            self._stood = (left.selected,) if left.selected is not None else ()
            self.view.hold_top(left.top)
        self._show_changed()

    @override
    def show_document(self) -> None:
        document = self.session.document
        source = self.session.shown_source
        self._show(source)
        self._colour(document)
        self.inside.show_place(self.session)
        self.compared.shown()
        self.finding.show_document()
        if document is not None and source is not None:
            # Of a set the file that is shown; inflated records have no problems of their own.
            shown, place = document.at(self.session.selection.source)
            flags = [
                Flag(problem.span.start, str(problem.severity))
                for problem in shown.problems
                if problem.span is not None and not place
            ]
            cut = not place and is_cut(shown)
            self.map.set_problems(flags[:1000], cut=cut)

    @override
    def show_selection(self, selection: Selection) -> None:
        source = self.session.shown_source
        if source is not self._shown:
            self.show_document()
        size = source.size if source is not None else 0
        linked = covered(selection.linked, size)
        self.view.set_linked(linked)
        self.map.set_linked(linked)
        self.compared.show_selection(selection)
        if selection.origin == self.key or not selection.spans:
            return
        stays, self._stood = selection.spans == self._stood, ()
        top, held = self.view.top_row, self.view.surface.held
        self.view.select_spans([span.clipped(size) for span in selection.spans])
        if stays:
            if held is not None:
                self.view.hold_top(held)
            else:
                self.view.set_top_row(top)

    @override
    def show_hover(self, place: Selection | None) -> None:
        span = None
        if place is not None and place.source == self.session.selection.source:
            span = place.linked[0] if place.linked else place.span
        self.view.set_hover(span)

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.view.set_theme(theme)
        self.map.set_theme(theme)
        self.find_bar.set_theme(theme)
        self.hits.set_theme(theme)
        self.inside.set_theme(theme)
        self.legend.set_theme(theme)
        self.options.set_theme(theme)
        self.facts.set_theme(theme)
        self.compared.set_theme(theme)
        self._fit_map()

    def _fit_map(self) -> None:
        """Where both have no room, the bytes come first."""
        self.map.setVisible(self.width() >= self.theme.px(LEAST_WITH_MAP))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.facts.keep_to(self.height() * FACTS_SHARE // 100)
        self._fit_map()

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.legend, self.options]

    @override
    def focus_target(self) -> QWidget:
        return self.compared.left_view

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        if self._shown is None or not self._shown.size:
            return {}
        return {
            **self.copying.commands(),
            "edit.select_all": self.view.select_all,
            **self.ways.commands(),
            **self.facts.commands(),
            "view.byte_look": self.options.open,
            "edit.find": self.finding.show,
            "edit.find_this": self.finding.find_selected,
            "go.selection": self._show_selected,
            "edit.strings": self.finding.list_strings,
            "edit.find_next": lambda: self.finding.again(backwards=False),
            "edit.find_previous": lambda: self.finding.again(backwards=True),
            # Last: copies are those of what has the keyboard.
            **self.compared.commands(),
            **self.finding.copying.commands(),
            **self.compared.rows.commands(),
        }

    def _show(self, source: ByteSource | None) -> None:
        if source is self._shown:
            return
        same_file = self._shown is not None and source is not None and self._shown.size == source.size
        self._shown = source
        self.view.set_reader(source, keep_place=same_file)
        self.finding.set_source(source)
        self.options.forget_base()
        self.compared.leave()
        self._show_bookmarks()
        empty = source is not None and source.size == 0
        title, sentence = self.tr("This file is empty"), self.tr("It has 0 bytes.")
        self.empty.setText(f"<b>{title}</b><br>{sentence}" if empty else "")
        self.pages.setCurrentIndex(1 if empty else 0)

    def _show_bookmarks(self) -> None:
        marks = self.session.bookmarks.of(self.session.selection.source)
        self.view.set_bookmarks((mark.start for mark in marks), ((mark.span, mark.colour) for mark in marks))
        self.map.set_bookmarks((mark.start, mark.colour) for mark in marks)

    def _show_changed(self) -> None:
        """After a file was read again: the rows that were seen last, in them for a while what is different."""
        seen, self.session.seen.before = self.session.seen.before, None
        last = seen.last if seen is not None else None
        self.compared.go_on(seen.beside if seen is not None else None)
        if seen is None or last is None or self._shown is None:
            return
        if not last.place:
            self._stood = seen.stood
            self.view.set_top_row(self.view.surface.layout.row_of(last.start))

        def changed(start: int, stop: int) -> list[tuple[int, int]]:
            data = self.view.surface.content.read(start, stop - start)
            return seen.changed(Seen(self.session.selection.source, start, data))

        self.view.set_changed(changed)
        self._changed_shown.start()

    @override
    def kept(self) -> Mapping[str, Any]:
        if self._shown is None or self._shown is not self.session.source:
            # Rows of what is inside the file are others than its own.
            return {}
        held = self.view.surface.held
        return Standing(self.view.visible_span().start if held is None else held, self.session.selection.span).kept()

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        self._left = standing(kept)

    def _scrolled(self, span: object = None) -> None:
        del span
        self.kept_changed.emit()
        # What is seen at the top is the last: there the pane stands after the file was read again.
        for start, data in reversed(self.view.shown_bytes()):
            self.session.seen.remember(Seen(self.session.selection.source, start, data))
        self.legend.show_kinds(self.view.visible_kinds())

    def _colour(self, document: Document | None) -> None:
        """Find out what the bytes are: at once for few parts, in a thread for many; then the map."""
        place, source = self.session.selection.source, self._shown
        self._regions = None
        self.refining.stop()
        if document is not None and max(len(document.tensors), len(document.records)) <= FEW:
            self._regions = ByteRegions(document, place)
        self._show_regions(self._regions)
        if document is None or source is None or not source.size:
            self.map.set_overview(NO_OVERVIEW)
            return
        known = self._regions

        def work(progress: Progress) -> tuple[ByteRegions, Overview]:
            regions = known or ByteRegions(document, place)
            rows = min(MAP_ROWS, source.size)
            return regions, Overview(shares(regions.whole(), source.size, rows), entropies(source, rows, progress))

        self.session.jobs.start(MAP_JOB, work, self._mapped)

    def _mapped(self, found: tuple[ByteRegions, Overview]) -> None:
        regions, overview = found
        if self._regions is None:
            self._show_regions(regions)
        self.map.set_overview(overview)
        if self._shown is not None:
            self.refining.begin(self._shown, overview)

    def _show_regions(self, regions: ByteRegions | None) -> None:
        self._regions = regions
        self.view.set_regions(regions)
        self._scrolled()

    # -- what the person does ---------------------------------------------------------------------

    def _chosen(self) -> None:
        self.view.let_top_go()
        self.session.select_bytes(self.view.selected_spans(), self.key, self.session.selection.source)

    def _turn_radix(self) -> None:
        """Offsets in hexadecimal, or in decimal: the other one of what they are."""
        look = self.options.look
        look.choose(BYTE_RADIX, 10 if look.get(BYTE_RADIX) == HEXADECIMAL else HEXADECIMAL)

    def _show_selected(self) -> None:
        """Scroll back to the selected bytes."""
        at = self.view.selected_span().start
        self.view.reveal(at)
        self.view.flash(at)

    def _hovered(self, offset: int | None) -> None:
        self.session.hover_bytes(offset, self.session.selection.source)

    def _describe(self, offset: int, full: bool) -> str:
        words = owner_of(self.session, offset)
        lines = (words, more_of(self.session, offset), f"0x{hexadecimal(offset)}") if full else (words,)
        return tip("\n".join(line for line in lines if line))

    def _holder(self, offset: int) -> Holder | None:
        """What holds a string."""
        from viewer.ui.models.string_holders import holder_of

        document, selection = self.session.document, self.session.selection
        encoding = self.session.options.text_encoding
        return holder_of(document, offset, selection.source, encoding) if document is not None else None

    def _menu(self, offset: int, point: QPoint) -> None:
        del offset
        menu = Menu(self)
        self.copying.add_to(menu)
        self.facts.add_to(menu)
        self.compared.add_to(menu)
        menu.addAction(self.tr("Add or remove a bookmark")).triggered.connect(self.copying.bookmark)
        menu.addSeparator()
        self.options.add_cells(menu)
        self.ways.add_to(menu)
        menu.exec(point)


def is_cut(document: Document) -> bool:
    """True where a tensor of a file reaches beyond its end. Of a set the files tell, not the one that names them."""
    tensors = document.tensors
    if isinstance(tensors, ManyTensors):
        totals = tensors.totals() if not document.files else None
        return totals is not None and totals.whole < totals.count
    return any(tensor.storage is not None and not tensor.storage.complete for tensor in tensors[:MOST_TENSORS])
