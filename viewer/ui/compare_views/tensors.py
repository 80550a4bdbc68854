"""Tensors: all pairs of two files in one table, by what differs most; what is known of the chosen one below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from weakref import WeakMethod

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.comparing.arranging import Column, listed
from viewer.core.comparing.comparison import Row
from viewer.core.comparing.names import By, Rules
from viewer.core.progress import Progress
from viewer.session.comparing import Comparing
from viewer.session.session import Session
from viewer.ui.compare_views.difference_map import DifferenceMap
from viewer.ui.models.cells import Cell
from viewer.ui.models.comparison_words import (
    details,
    figure_cell,
    name_cell,
    side_cell,
    status_cell,
    statuses,
    suggestion_text,
)
from viewer.ui.models.table_model import RowsModel
from viewer.ui.theme import Theme
from viewer.ui.widgets.columns import ColumnMenu
from viewer.ui.widgets.filter_bar import FilterBar
from viewer.ui.widgets.kind_chips import KindChips
from viewer.ui.widgets.rows import RowTable
from viewer.ui.widgets.source_foot import NoteLine
from viewer.ui.widgets.split import Split
from viewer.ui.words import count, ended, of_failure, paragraph, said
from viewer.wording.comparing import HINTS, REPORT, STATUSES

LISTING: Final = "listing the comparison"
MANY: Final = 3_000
"""Rows that are listed at once; more are in a thread."""
SOON_MS: Final = 400
WIDTHS: Final = (140, 220, 164, 164, 112, 112, 124)
SHARES: Final = (240, 84)
"""Heights of the table and of what is told below it."""
WIDE: Final = 1100
"""From here on the map stands beside the table, else below it."""
HIGH: Final = 560
"""Below that height there is no room for a map below the table."""
MAP_SHARE: Final = (3, 1), (3, 2)
"""Of table and map: beside each other, one below the other."""
LONGEST: Final = 4_000
RIGHT: Final = frozenset({int(Column.LARGEST), int(Column.MEAN), int(Column.DIFFERING)})


class TensorsView(QWidget):
    """Chips, a filter, the table, the words.

    chosen: the person came to a pair.
        Signal(row: Row)
    element_chosen: to an element of it, by its index.
        Signal(row: Row, index: tuple[int, ...])
    choose_asked: a second file is wanted.
        Signal()
    """

    chosen = Signal(object)
    element_chosen = Signal(object, object)
    choose_asked = Signal()

    def __init__(self, session: Session, comparing: Comparing, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.comparing, self.theme = session, comparing, theme
        self._rows: Sequence[Row] = ()
        self._quiet = self._placed = False
        self._by = Column.NONE, False
        self.pages = QStackedWidget(self)
        full, nothing = QWidget(self.pages), QWidget(self.pages)
        self.chips = KindChips(theme, full, statuses(), STATUSES, HINTS)
        self.filter = FilterBar(theme, self.tr("Filter names"), self.tr("Filter names"), full)
        self.advice = NoteLine(theme, "note", self.tr("Do so"), full)
        self.beside = Split(Qt.Orientation.Vertical, full)
        self.parts = Split(Qt.Orientation.Vertical, self.beside)
        headers = [self.tr("Status"), self.tr("Tensor"), self.tr("In A"), self.tr("In B")]
        headers += [self.tr("Largest difference"), self.tr("Mean difference"), self.tr("Elements that differ")]
        self.model = RowsModel(headers, self._cell, RIGHT, self)
        self.model.sorter = WeakMethod(self._sorted)
        self.table = RowTable(theme, self.parts)
        self.table.setAccessibleName(self.tr("Tensors that are compared"))
        self.under = QScrollArea(self.parts)
        self.words = QLabel(self.under)
        self.map = DifferenceMap(session, theme, self.beside)
        self.map.hide()
        # Where table and map have no room beside each other, one takes the place of the other.
        self.only_map = QPushButton(self.tr("Heat map"), full)
        self.only_map.setToolTip(self.tr("Show where the chosen tensors differ, or the table again"))
        self.only_map.setCheckable(True)
        self.only_map.hide()
        self.empty = QLabel(nothing)
        self.choose = QPushButton(self.tr("Choose"), nothing)
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._build(full, nothing)
        self._connect()
        self.show_comparison()

    def _build(self, full: QWidget, nothing: QWidget) -> None:
        self.table.setModel(self.model)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setSortingEnabled(True)
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        ColumnMenu(self.table).offer()
        for column, width in enumerate(WIDTHS):
            self.table.setColumnWidth(column, self.theme.px(width))
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.under.setWidget(self.words)
        self.under.setWidgetResizable(True)
        self.under.setFrameShape(QScrollArea.Shape.NoFrame)
        self.under.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.empty.setWordWrap(True)
        parts = self.parts
        parts.addWidget(self.table)
        parts.addWidget(self.under)
        parts.setSizes([self.theme.px(part) for part in SHARES])
        self.beside.addWidget(parts)
        self.beside.addWidget(self.map)
        lines = QVBoxLayout(full)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        for widget, share in ((self.chips, 0), (self.advice, 0), (self.filter, 0), (self.beside, 1)):
            lines.addWidget(widget, share)
        lines.insertWidget(lines.indexOf(self.beside), self.only_map, 0, Qt.AlignmentFlag.AlignLeft)
        self._nothing = QVBoxLayout(nothing)
        self._nothing.addWidget(self.empty)
        self._nothing.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignLeft)
        self._nothing.addStretch(1)
        self.pages.addWidget(full)
        self.pages.addWidget(nothing)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)
        self._space()

    def _connect(self) -> None:
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.chips.chosen.connect(lambda _: self.arrange())
        self.filter.field.textChanged.connect(lambda _: self.arrange())
        self.filter.left.connect(self.table.setFocus)
        self.advice.acted.connect(self._follow)
        self.map.chosen.connect(self._cell_chosen)
        self.only_map.toggled.connect(lambda _: self._place_map())
        self.choose.clicked.connect(self.choose_asked)
        self.comparing.began.connect(self.show_comparison)
        self.comparing.changed.connect(self.show_comparison)
        self.comparing.filled.connect(self._filled)
        self._soon.timeout.connect(self._count)

    def _space(self) -> None:
        px = self.theme.px
        self.words.setMargin(px(10))
        self.advice.setContentsMargins(px(12), px(2), px(12), px(2))
        self._nothing.setContentsMargins(px(16), px(16), px(16), px(16))
        self._nothing.setSpacing(px(12))
        self.under.setMinimumSize(px(180), px(60))

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        for part in (self.table, self.filter, self.advice, self.map):
            part.set_theme(theme)
        self._space()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= self.theme.px(WIDE)
        way = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self.beside.orientation() != way or not self._placed:
            self._placed = True
            self.beside.setOrientation(way)
            for at, share in enumerate(MAP_SHARE[0 if is_wide else 1]):
                self.beside.setStretchFactor(at, share)
            room = self.width() if is_wide else self.height()
            self.beside.setSizes([room * share // sum(MAP_SHARE[not is_wide]) for share in MAP_SHARE[not is_wide]])

        self._place_map()

    def _has_room(self) -> bool:
        return self.width() >= self.theme.px(WIDE) or self.height() >= self.theme.px(HIGH)

    # -- what is shown ----------------------------------------------------------------------------

    def show_comparison(self) -> None:
        """Another comparison, or more is known of it."""
        found = self.comparing.found
        rows: Sequence[Row] = found.rows if found is not None else ()
        if rows is not self._rows:
            self._rows = rows
            self._quiet = True
            self.model.set_rows(len(rows))
            self._quiet = False
        waited = self.hasFocus() or self.choose.hasFocus()
        self.pages.setCurrentIndex(1 if found is None else 0)
        if waited and found is not None:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.choose.setVisible(self.comparing.other is None)
        self.empty.setText(self._empty_words() if found is None else "")
        advice = found.suggestion if found is not None else None
        self.advice.tell(suggestion_text(advice) if advice is not None else "")
        self._count()
        self.arrange()

    def _empty_words(self) -> str:
        if self.comparing.failure is not None:
            return of_failure(self.comparing.failure)
        if self.comparing.running:
            return self.tr("The files are being compared.")
        if self.comparing.other is not None and self.comparing.stopped:
            return self.tr("The comparison was stopped.")
        if self.comparing.other is not None:
            return self.tr("The other file is being read.")
        title, sentence = self.tr("Nothing to compare with"), self.tr("Drop a second file or choose one.")
        return f"<b>{title}</b><br>{sentence}"

    def _count(self) -> None:
        found = self.comparing.found
        counts = found.counts if found is not None else {}
        self.chips.show_totals({kind: number for kind, number in counts.items() if number})
        if self.current() is None:
            self._tell(None)

    def _overview(self) -> str:
        """What is told while no row is chosen: the verdict, and torch's own words."""
        found = self.comparing.found
        if found is None:
            return ""
        if self.comparing.running:
            return self.tr("Elements are being compared.")
        parts = [self.tr("The comparison was stopped.")] if self.comparing.stopped else [said(REPORT[found.verdict])]
        if found.left_out:
            parts.append(ended(said(REPORT["left-out"], {"count": found.left_out})))
        words = found.load_words() if len(self._rows) <= MANY else ""
        return paragraph(*parts) + ("\n\n" + words[:LONGEST] if words else "")

    def _filled(self, rows: Sequence[int]) -> None:
        del rows
        self.table.viewport().update()
        if not self._soon.isActive():
            self._soon.start()

    def arrange(self) -> None:
        """List the rows that are wanted, in the order that is."""
        column, descending = self._by
        order = self._listing(column, descending=descending)
        if order is not None:
            self._show(order)

    def _listing(self, column: Column, *, descending: bool) -> Sequence[int] | None:
        rows, kind, text = self._rows, self.chips.kind, self.filter.field.text()

        def work(progress: Progress) -> tuple[Sequence[Row], list[int]]:
            return rows, listed(rows, kind, text, column, descending=descending, progress=progress)

        if len(rows) <= MANY:
            self.session.jobs.cancel(LISTING)
            return work(Progress())[1]
        self.session.jobs.start(LISTING, work, self._arranged)
        return None

    def _arranged(self, found: tuple[Sequence[Row], list[int]]) -> None:
        if found[0] is self._rows:
            self._show(found[1])

    def _show(self, order: Sequence[int]) -> None:
        chosen = self.current()
        self._quiet = True
        self.model.set_order(order)
        at = next((at for at, one in enumerate(order) if self._rows[one] is chosen), -1) if chosen is not None else -1
        if at >= 0:
            self.table.setCurrentIndex(self.model.index(at, 0))
        self._quiet = False
        hidden = len(self._rows) - len(order)
        self.filter.tell(self.tr("{0} of {1}").format(count(len(order)), count(len(self._rows))) if hidden else "")
        self._tell(self.current())

    def _sorted(self, column: int, descending: bool) -> Sequence[int] | None:
        self._by = Column(column), descending
        self.arrange()
        return None

    # -- rows -------------------------------------------------------------------------------------

    def current(self) -> Row | None:
        """The pair that is chosen."""
        index = self.table.currentIndex()
        if not index.isValid() or index.row() >= self.model.rowCount():
            return None
        at = self.model.source_row(index.row())
        return self._rows[at] if at < len(self._rows) else None

    def step(self, step: int) -> None:
        """Go to the next row, or the one before."""
        index = self.table.currentIndex()
        at = index.row() + step if index.isValid() else 0
        if 0 <= at < self.model.rowCount():
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.table.selectionModel().setCurrentIndex(self.model.index(at, 0), flags)
            self.table.scrollTo(self.model.index(at, 0))

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        row = self.current() if current.isValid() else None
        if row is None or self._quiet:
            return
        self._tell(row)
        self.chosen.emit(row)

    def _tell(self, row: Row | None) -> None:
        """Words and map of a pair; of all where none is chosen."""
        self.words.setText(details(row) if row is not None else self._overview())
        self.map.show_row(row)
        self._place_map()

    def _place_map(self) -> None:
        is_there, has_room = self.map.sheet is not None, self._has_room()
        is_alone = is_there and not has_room and self.only_map.isChecked()
        self.only_map.setVisible(is_there and not has_room)
        self.map.setVisible(is_there and (has_room or is_alone))
        self.parts.setVisible(not is_alone)

    def _cell_chosen(self, index: tuple[int, ...]) -> None:
        row = self.current()
        if row is not None:
            self.element_chosen.emit(row, index)

    def _follow(self) -> None:
        """Do what is suggested."""
        found = self.comparing.found
        advice = found.suggestion if found is not None else None
        if advice is None:
            return
        rules = self.comparing.rules
        strip = (*rules.strip, advice.strip) if advice.by is By.NAME else rules.strip
        self.comparing.follow(Rules(strip, rules.rename, advice.by))

    def _cell(self, at: int, column: int) -> Cell:
        row = self._rows[at]
        if column == Column.STATUS:
            return status_cell(row)
        if column == Column.NAME:
            return name_cell(row)
        if column in (Column.A, Column.B):
            return side_cell(row.pair.a if column == Column.A else row.pair.b)
        return figure_cell(row, {Column.LARGEST: "largest", Column.MEAN: "mean"}.get(Column(column), "differing"))
