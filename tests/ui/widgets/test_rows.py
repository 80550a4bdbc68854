"""Rows: what is cut, what is left out, how the keys walk, how columns grow with the text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from viewer.ui.models.cells import CELL_ROLE, Cell, Piece
from viewer.ui.models.table_model import RowsModel
from viewer.ui.theme import load_theme
from viewer.ui.widgets.rows import ROW, CellDelegate, RowTable, RowTree


class Numbers:
    """Owner of the cells of a model."""

    @classmethod
    def cell(cls, row: int, column: int) -> Cell:
        return Cell((Piece(f"{row} {column}", mono=True),))


def drawn(cell: Cell, width: int) -> QImage:
    """A cell as it is painted in that many pixels."""
    model = QStandardItemModel(1, 1)
    model.setData(model.index(0, 0), cell, CELL_ROLE)
    image = QImage(width, 24, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    option = QStyleOptionViewItem()
    option.rect = image.rect()
    painter = QPainter(image)
    CellDelegate(load_theme("light")).paint(painter, option, model.index(0, 0))
    painter.end()
    return image


def test_a_shape_is_left_out_rather_than_cut(qtbot: QtBot) -> None:
    name = Piece("weight", mono=True)
    shape = Piece("[8, 8, 3, 3]", mono=True, whole=True)
    assert drawn(Cell((name, shape)), 100) == drawn(Cell((name,)), 100)
    assert drawn(Cell((name, shape)), 300) != drawn(Cell((name,)), 300)
    assert drawn(Cell((name, Piece("a class name", mono=True))), 100) != drawn(Cell((name,)), 100)


def test_home_and_end_walk_rows_not_columns(qtbot: QtBot) -> None:
    table = RowTable(load_theme("light"))
    qtbot.addWidget(table)
    table.setModel(QStandardItemModel(50, 9, table))
    with qtbot.waitExposed(table):
        table.show()
    table.setCurrentIndex(table.model().index(7, 0))
    QTest.keyClick(table, Qt.Key.Key_End)
    assert (table.currentIndex().row(), table.currentIndex().column()) == (49, 0)
    QTest.keyClick(table, Qt.Key.Key_Home)
    assert (table.currentIndex().row(), table.currentIndex().column()) == (0, 0)


def test_columns_grow_with_the_text(qtbot: QtBot) -> None:
    for view in (RowTable(load_theme("light")), RowTree(load_theme("light"))):
        qtbot.addWidget(view)
        view.setModel(QStandardItemModel(5, 3, view))
        header = view.horizontalHeader() if isinstance(view, RowTable) else view.header()
        header.resizeSection(1, 100)
        view.set_theme(load_theme("dark", text_scale=1.5))
        assert header.sectionSize(1) == 150
        view.set_theme(load_theme("light", text_scale=1.0))
        assert header.sectionSize(1) == 100


def test_a_piece_gives_way_where_it_says(qtbot: QtBot) -> None:
    one, other = "a" * 40 + ".conv", "b" * 40 + ".conv"
    for where, same in (("start", True), ("end", False), ("middle", False)):
        cells = [Cell((Piece(text, mono=True, cut=where),)) for text in (one, other)]
        assert (drawn(cells[0], 60) == drawn(cells[1], 60)) is same, where


def test_a_table_draws_what_its_model_says(qtbot: QtBot) -> None:
    """Rows, the chosen one, hidden columns, and a table that scrolled: each looks different from the others."""
    theme = load_theme("light")
    table = RowTable(theme)
    qtbot.addWidget(table)
    model = RowsModel(["A", "B"], Numbers.cell, frozenset(), table)
    table.setModel(model)
    table.resize(300, 200)
    with qtbot.waitExposed(table):
        table.show()
    empty = table.viewport().grab().toImage()
    model.set_rows(10_000_000)
    rows = table.viewport().grab().toImage()
    assert rows != empty
    table.setCurrentIndex(model.index(1, 0))
    chosen = table.viewport().grab().toImage()
    tint = theme.color("selection" if table.hasFocus() else "link_tint")
    assert chosen.pixelColor(290, table.rowViewportPosition(1) + 3) == tint
    assert rows.pixelColor(290, table.rowViewportPosition(1) + 3) != tint
    table.setCurrentIndex(model.index(9_999_999, 0))
    assert table.viewport().grab().toImage().pixelColor(290, table.rowViewportPosition(9_999_999) + 3) == tint
    table.clearSelection()
    table.scrollToTop()
    table.setColumnHidden(1, True)
    assert table.viewport().grab().toImage() != rows


@pytest.mark.parametrize("text", ["line\nend", "tab\tend", "Zeichen ä Ж 漢", "i" * 90, "W" * 90, ""])
def test_texts_are_drawn_within_their_cell(qtbot: QtBot, text: str) -> None:
    for mono in (True, False):
        image = drawn(Cell((Piece(text, mono=mono),)), 120)
        white = image.copy()
        white.fill(Qt.GlobalColor.white)
        assert (image == white) is (text == "")
        assert all(image.pixelColor(x, y) == Qt.GlobalColor.white for x in range(114, 120) for y in range(24))


def test_rows_of_trees_are_as_high_as_the_text_asks(qtbot: QtBot) -> None:
    """Qt measures them once, when the style changes: with the text that was there before."""
    usual, large = load_theme("light"), load_theme("light", text_scale=1.3)
    tree = RowTree(usual)
    qtbot.addWidget(tree)
    tree.setModel(QStandardItemModel(5, 1, tree))
    with qtbot.waitExposed(tree):
        tree.show()
    for theme in (usual, large, usual):
        tree.setStyleSheet(f"QTreeView {{ padding: {theme.px(1)}px; }}")
        tree.set_theme(theme)
        assert tree.visualRect(tree.model().index(1, 0)).height() == theme.px(ROW)
