"""Titles of columns: over what they name in both directions, and with room for all of their letters."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QImage
from pytestqt.qtbot import QtBot

from tests.translations.sentences import translations
from tests.ui.shell import ZIP, make_window, opened
from viewer.session.settings import Settings
from viewer.ui.models.cells import Cell, number
from viewer.ui.models.table_model import RowsModel
from viewer.ui.opcode_views.listing import ListingView
from viewer.ui.opcode_views.stream import StreamView
from viewer.ui.opcode_views.tree import TreeView
from viewer.ui.theme import load_theme
from viewer.ui.widgets.heads import HEAD_MARGIN
from viewer.ui.widgets.rows import RowTable, RowTree
from viewer.ui.widgets.tensor_table import TensorTable


class Ones:
    """Owner of the cells of a model."""

    def cell(self, row: int, column: int) -> Cell:
        """The same number everywhere."""
        del row, column
        return number("1")


def test_heads_of_numbers_stand_over_them(qtbot: QtBot, turn: Callable[[], None]) -> None:
    turn()
    table = RowTable(load_theme("light"))
    qtbot.addWidget(table)
    ones = Ones()
    model = RowsModel(["Name", "Bytes"], ones.cell, frozenset({1}), table)
    orientation, role = Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
    absolute = int(Qt.AlignmentFlag.AlignAbsolute)
    assert model.headerData(1, orientation, role) & absolute
    assert not model.headerData(0, orientation, role) & absolute


@pytest.mark.parametrize("kind", [StreamView, TreeView, ListingView])
def test_heads_of_code_stand_over_it(
    qtbot: QtBot, settings: Settings, turn: Callable[[], None], kind: type[StreamView | TreeView | ListingView]
) -> None:
    turn()
    window = make_window(settings)
    qtbot.addWidget(window)
    view = kind(opened(qtbot, window, ZIP).session, load_theme("light"), window)
    rows = view.rows
    assert isinstance(rows, RowTable | RowTree)
    absolute = int(Qt.AlignmentFlag.AlignAbsolute)
    for column in range(rows.model().columnCount()):
        side = rows.model().headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        assert side & absolute
    if isinstance(rows, RowTable):
        rows.resize(900, 200)
        rows.setColumnWidth(1, 300)
        rows.ensurePolished()
        header = rows.horizontalHeader()
        left = header.sectionViewportPosition(1)
        assert first_ink(header.grab().toImage(), left + 2, left + 290) < left + 100
    window.close()


def first_ink(image: QImage, left: int, stop: int) -> int:
    """The first column of pixels between two that is not of one colour from top to foot, without the line there."""
    rows = range(2, image.height() - 3)
    return next(x for x in range(left, stop) if len({image.pixel(x, y) for y in rows}) > 1)


def test_a_title_has_room_for_the_tails_of_its_letters(qtbot: QtBot) -> None:
    theme = load_theme("light")
    metrics = QFontMetrics(theme.text("caption"))
    title = next(
        text
        for texts in translations("fa").values()
        for text in texts.values()
        if len(text) < 12 and metrics.boundingRect(text).width() > metrics.horizontalAdvance(text) + 1
    )
    table = RowTable(theme)
    qtbot.addWidget(table)
    ones = Ones()
    table.setModel(RowsModel([title], ones.cell, frozenset(), table))
    table.setColumnWidth(0, 1)
    assert table.columnWidth(0) >= metrics.boundingRect(title).width() + 2 * theme.px(HEAD_MARGIN)


def test_titles_are_cut_by_the_letters_that_are_drawn(qtbot: QtBot) -> None:
    table, tree, ones = RowTable(load_theme("light")), RowTree(load_theme("light")), Ones()
    for view in (table, tree):
        qtbot.addWidget(view)
    table.setModel(RowsModel(["Made at"], ones.cell, frozenset(), table))
    for scale in (1.0, 2.0):
        theme = load_theme("light", text_scale=scale)
        for header in (table.horizontalHeader(), tree.header()):
            (table if header.parent() is table else tree).set_theme(theme)
            assert header.font().pixelSize() == theme.text("caption").pixelSize()
        table.setColumnWidth(0, 1)
        room = table.columnWidth(0) - 2 * theme.px(HEAD_MARGIN)
        metrics = table.horizontalHeader().fontMetrics()
        assert metrics.elidedText("Made at", Qt.TextElideMode.ElideRight, room) == "Made at"


def test_columns_come_back_from_each_size_of_the_text(qtbot: QtBot) -> None:
    """Also those that were hidden meanwhile, and without losing a part of a pixel at each step."""
    usual = load_theme("light")
    table, ones = RowTable(usual), Ones()
    qtbot.addWidget(table)
    table.setModel(RowsModel(["One", "Two", "Three", "Last"], ones.cell, frozenset(), table))
    table.horizontalHeader().setStretchLastSection(False)
    widths = (104, 118, 97, 66)
    for column, width in enumerate(widths):
        table.setColumnWidth(column, width)
    table.setColumnHidden(2, True)
    for scale in (1.1, 1.2, 1.3, 1.0) * 4:
        theme = load_theme("light", text_scale=scale)
        table.set_theme(theme)
        assert table.isColumnHidden(2)
        shown = [table.columnWidth(column) for column in (0, 1, 3)]
        assert shown == [theme.px(widths[column]) for column in (0, 1, 3)]
    table.set_theme(load_theme("light", text_scale=2.0))
    table.setColumnHidden(2, False)
    assert table.columnWidth(2) == 2 * widths[2]


def test_a_column_that_was_sized_keeps_that_beside_the_text(qtbot: QtBot) -> None:
    table, ones = RowTable(load_theme("light")), Ones()
    qtbot.addWidget(table)
    table.setModel(RowsModel(["One", "Two"], ones.cell, frozenset(), table))
    table.setColumnWidth(0, 100)
    table.set_theme(load_theme("light", text_scale=1.5))
    assert table.columnWidth(0) == 150
    table.setColumnWidth(0, 300)
    table.set_theme(load_theme("light"))
    assert table.columnWidth(0) == 200


def test_the_list_of_tensors_has_the_columns_that_it_would_start_with(qtbot: QtBot) -> None:
    usual, large = load_theme("light"), load_theme("light", text_scale=1.3)
    ones, tables = Ones(), []
    for theme in (usual, large):
        titles = [str(column) for column in range(11)]
        table = TensorTable(theme, RowsModel(titles, ones.cell, frozenset(), None))
        qtbot.addWidget(table)
        tables.append(table)
        table.resize(800, 200)
        with qtbot.waitExposed(table):
            table.show()
    later, made_large = tables
    later.set_theme(large)
    for width in (800, 2000):
        for table in tables:
            table.resize(width, 200)
        columns = range(11)
        assert [later.columnWidth(at) for at in columns] == [made_large.columnWidth(at) for at in columns]
        assert [later.isColumnHidden(at) for at in columns] == [made_large.isColumnHidden(at) for at in columns]
    assert made_large.columnWidth(6) > 0
