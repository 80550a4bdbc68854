"""Nothing is told by colour alone: what is wrong, odd or chosen has words or a shape too, also for screen readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QStyle,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.colour_vision import contrast
from tests.ui.shell import HALF, LEGACY, SAMPLES, ZIP, opened, settled
from viewer.session.recent import RecentFile
from viewer.ui.hexview.map import shape_of
from viewer.ui.models.cells import CELL_ROLE, Cell, Piece
from viewer.ui.models.table_model import RowsModel
from viewer.ui.models.tree_model import TreeModel
from viewer.ui.panes.compare import ComparePane
from viewer.ui.panes.welcome import recent_row
from viewer.ui.theme import SEVERITIES, load_theme, palette, style_sheet
from viewer.ui.widgets.two_line_list import TwoLineList
from viewer.ui.window import MainWindow

MOST: Final = 400
"""Rows of a model that are looked at."""
OF_ITS_OWN: Final = SEVERITIES | {"plus", "minus"}
"""Icons whose shape says what their colour says."""
Signs = tuple[Cell, str]
"""A cell, and what a screen reader is told of it."""


def faults(row: Sequence[Signs]) -> list[str]:
    """What a row tells by colour alone.

    A severity as the colour of an icon needs a shape of its own, and words: in the colour, or for screen readers.
    As the colour of a text out of the file it needs such an icon or words of the program somewhere in the row.
    """
    wrong: list[str] = []
    worded = {piece.color for cell, _ in row for piece in cell.pieces if not piece.mono and piece.text.strip()}
    shapes = {cell.icon_color for cell, _ in row if cell.icon in OF_ITS_OWN}
    wrong += [
        f"a text is {piece.color} and nothing else says so: {piece.text}"
        for cell, _ in row
        for piece in cell.pieces
        if piece.color in SEVERITIES and piece.mono and piece.color not in worded | shapes
    ]
    for cell, spoken in row:
        color = cell.icon_color if cell.icon else ""
        if color in SEVERITIES and cell.icon not in OF_ITS_OWN and not {color} & (worded | shapes):
            wrong.append(f"an icon {cell.icon} is {color} and nothing else says so: {cell.text}")
        if color in SEVERITIES and color not in worded and spoken == cell.text:
            wrong.append(f"not said to screen readers: {color} {cell.text}")
        if any(piece.chip for piece in cell.pieces) and not cell.text and not cell.icon and not spoken:
            wrong.append(f"a colour without words: {[one.text for one, _ in row]} {cell.pieces}")
        if any(piece.chip and piece.text.isspace() for piece in cell.pieces):
            told = any(not piece.mono and piece.text.strip() for piece in cell.pieces)
            wrong += [] if told else [f"a colour that no word of the program goes with: {cell.pieces}"]
        if any(piece.role == "sign" for piece in cell.pieces) and spoken == cell.text:
            wrong.append(f"a sign that is not said to screen readers: {cell.pieces}")
    return wrong


def indexes(model: RowsModel | TreeModel, above: QModelIndex | None = None) -> Iterator[QModelIndex]:
    """The first columns of the first rows, and of what is in them."""
    place = above if above is not None else QModelIndex()
    for row in range(min(model.rowCount(place), MOST)):
        index = model.index(row, 0, place)
        yield index
        if isinstance(model, TreeModel) and model.hasChildren(index) and model.tree is not None:
            yield from indexes(model, index)


def coloured(part: QWidget) -> tuple[list[str], set[str]]:
    """What the models of a part tell by colour alone, and the severities that were seen at all."""
    wrong: list[str] = []
    seen: set[str] = set()
    for model in (*part.findChildren(RowsModel), *part.findChildren(TreeModel)):
        for at, index in enumerate(indexes(model)):
            if at >= MOST:
                break
            row = [index.siblingAtColumn(column) for column in range(model.columnCount())]
            signs = [(one.data(CELL_ROLE), one.data(Qt.ItemDataRole.AccessibleTextRole)) for one in row]
            wrong += faults(signs)
            seen |= {cell.icon_color for cell, _ in signs if cell.icon} & SEVERITIES
    return wrong, seen


def test_the_rule_finds_what_it_is_for() -> None:
    alone = Cell((Piece("a.weight", mono=True, color="error"),))
    assert faults([(alone, alone.text)])
    shape = Cell((Piece("Cut"),), icon="error", icon_color="error")
    assert faults([(shape, shape.text)])
    assert not faults([(shape, "Error: Cut")])
    assert not faults([(alone, alone.text), (shape, "Error: Cut")])
    tinted = Cell((Piece("Cut"),), icon="tensor", icon_color="warning")
    assert faults([(tinted, "Warning: Cut")])
    swatch = Cell((Piece("\u2009", chip="gap"),))
    assert faults([(swatch, swatch.text)])
    beside = Cell((Piece("\u2009", chip="text"), Piece("'a'", mono=True)))
    assert faults([(beside, beside.text)])
    lettered = Cell((Piece("58", chip="text", role="sign"), Piece("'a'", mono=True)))
    assert lettered.text == "'a'"
    assert faults([(lettered, lettered.text)])
    assert not faults([(lettered, "'a', made by BINUNICODE")])


@pytest.mark.parametrize("name", ["half_download.pth", "runs_a_command.pkl", "whole_model_legacy.pth"])
def test_no_cell_of_a_pane_tells_by_colour_alone(qtbot: QtBot, whole: MainWindow, name: str) -> None:
    view = opened(qtbot, whole, SAMPLES / name)
    document = view.session.document
    assert document is not None
    if document.tensors:
        view.session.select_tensor(document.tensors[0], "test")
    for key in view.docks:
        view.show_pane(key)
        settled(qtbot, whole)
        qtbot.waitUntil(lambda: not view.session.jobs.busy)
    wrong, seen = coloured(whole)
    assert wrong == []
    assert seen or name.startswith("whole")


def test_no_cell_of_a_comparison_tells_by_colour_alone(qtbot: QtBot, whole: MainWindow) -> None:
    other = opened(qtbot, whole, ZIP).session
    view = opened(qtbot, whole, LEGACY)
    whole.commands.comparisons.start(view.session, other)
    pane = view.pane("compare")
    assert isinstance(pane, ComparePane)
    settled(qtbot, whole)
    qtbot.waitUntil(lambda: not view.session.jobs.busy)
    wrong, seen = coloured(pane)
    assert wrong == []
    assert seen


def test_no_cell_of_a_rescue_tells_by_colour_alone(qtbot: QtBot, whole: MainWindow) -> None:
    opened(qtbot, whole, HALF)
    whole.actions_by_id["file.rescue"].trigger()
    settled(qtbot, whole)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    qtbot.waitUntil(lambda: any(model.rowCount() for model in dialog.findChildren(RowsModel)))
    wrong, _ = coloured(dialog)
    dialog.reject()
    assert wrong == []


def test_a_damaged_recent_file_says_so() -> None:
    whole, damaged = (recent_row(RecentFile("/x/a.pt", damaged=damaged)) for damaged in (False, True))
    assert whole.icon != damaged.icon
    assert (whole.state, damaged.state) == ("", "Damaged")


def grey(image: QImage) -> bytes:
    return bytes(image.convertToFormat(QImage.Format.Format_Grayscale8).constBits())


def test_problems_on_the_map_differ_in_shape() -> None:
    shapes = [shape_of(role, QPointF(8, 8)) for role in ("error", "warning", "note")]
    areas = [tuple(shape.contains(QPointF(x, y)) for x in range(16) for y in range(16)) for shape in shapes]
    assert all(one != other for one, other in pairwise([*areas, areas[0]]))


def test_a_pin_that_is_set_stands(qtbot: QtBot) -> None:
    """Where both are drawn in one colour they still differ."""
    theme = load_theme("light")
    one = dict(theme.colors) | {"accent": theme.colors["muted"]}
    theme = type(theme)(**{part: getattr(theme, part) for part in theme.__slots__} | {"colors": one})
    pictures = []
    for pinned in (True, False):
        rows = TwoLineList(theme)
        qtbot.addWidget(rows)
        rows.resize(300, 60)
        rows.set_rows([recent_row(RecentFile("/x/a.pt", pinned=pinned))])
        option: Any = QStyleOptionViewItem()
        option.rect = rows.visualRect(rows.model().index(0, 0))
        option.state |= QStyle.StateFlag.State_HasFocus
        picture = QImage(300, 60, QImage.Format.Format_RGB32)
        picture.fill(QColor("white"))
        draw(rows, picture, option)
        pictures.append(grey(picture.copy(rows.pin_at(0))))
    assert pictures[0] != pictures[1]


def draw(rows: TwoLineList, picture: QImage, option: QStyleOptionViewItem) -> None:
    painter = QPainter(picture)
    rows.itemDelegate().paint(painter, option, rows.model().index(0, 0))
    painter.end()


def plain_switch(room: QWidget) -> QAbstractButton:
    return QToolButton(room)


def push_switch(room: QWidget) -> QAbstractButton:
    return QPushButton(room)


def link_switch(room: QWidget) -> QAbstractButton:
    made = QPushButton(room)
    made.setProperty("link", True)
    return made


def segment(room: QWidget) -> QAbstractButton:
    room.setProperty("segments", True)
    room.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return QToolButton(room)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("strong", [False, True])
@pytest.mark.parametrize("kind", [plain_switch, push_switch, link_switch, segment])
def test_a_switch_that_is_on_has_an_outline(
    qtbot: QtBot, name: str, distinct: bool, strong: bool, kind: Callable[[QWidget], QAbstractButton]
) -> None:
    theme = load_theme(name, distinct=distinct, strong=strong)
    whole = QWidget()
    qtbot.addWidget(whole)
    whole.setPalette(palette(theme))
    whole.setStyleSheet(style_sheet(theme))
    room = QWidget(whole)
    QHBoxLayout(whole).addWidget(room)
    row, switch = QHBoxLayout(room), kind(room)
    switch.setText("Kernels")
    switch.setCheckable(True)
    row.addWidget(switch)
    whole.show()
    place = QRect(switch.mapTo(whole, QPoint(0, 0)), switch.size())
    edges, outlines = [], []
    for on in (False, True):
        switch.setChecked(on)
        picture = whole.grab().toImage()
        edges.append(picture.pixelColor(place.center().x(), place.top()))
        outlines.append(contrast(edges[-1], picture.pixelColor(place.center().x(), place.top() - 2)))
    assert outlines[0] < 1.5 or (strong and edges[0] != edges[1])
    assert outlines[1] >= (4.5 if strong else 3)
