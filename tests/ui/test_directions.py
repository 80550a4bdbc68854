"""From right to left: sentences keep the order of what stands in them, panes turn round, bytes and code do not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtGui import QImage, QKeySequence, QPainter, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QSpinBox,
    QStyledItemDelegate,
    QStyleOptionMenuItem,
    QStyleOptionViewItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.translations.sentences import CODES, translations
from tests.ui.hexview.readers import Pattern
from tests.ui.shell import LEGACY, ZIP, make_window, opened
from viewer.session.settings import LANGUAGE, Settings
from viewer.ui import words
from viewer.ui.dialogs.shortcuts import KeysDelegate
from viewer.ui.directions import END, FIRST_STRONG, LEFT_TO_RIGHT, RIGHT_TO_LEFT_MARK, isolated, upright
from viewer.ui.hexview import atlas
from viewer.ui.hexview.area import ByteArea
from viewer.ui.hexview.map import HexMap
from viewer.ui.hexview.view import HexView
from viewer.ui.language import Language
from viewer.ui.models.cells import CELL_ROLE, Cell, Piece, number
from viewer.ui.opcode_views.listing import ListingView
from viewer.ui.opcode_views.stream import StreamView
from viewer.ui.opcode_views.tree import TreeView
from viewer.ui.panes import PANES
from viewer.ui.panes.inspector import InspectorPane
from viewer.ui.theme import load_theme, pixmap, style_sheet, turned
from viewer.ui.widgets.code_text import CodeText
from viewer.ui.widgets.difference_view import DifferenceView
from viewer.ui.widgets.heat_map import HeatMap
from viewer.ui.widgets.histogram_plot import HistogramPlot
from viewer.ui.widgets.labels import Menu, lead_lines
from viewer.ui.widgets.list_rows import ROW_ROLE
from viewer.ui.widgets.rows import CellDelegate
from viewer.ui.widgets.source_head import ClassBox
from viewer.ui.widgets.two_line_list import Row, RowDelegate
from viewer.ui.widgets.wrapped import CodeBlock, WrappedLabel
from viewer.ui.window.layouts import Split, Tabs, mirrored

RIGHT_TO_LEFT = Qt.LayoutDirection.RightToLeft
UPRIGHT: tuple[type[QWidget], ...] = (
    ByteArea,
    HexMap,
    CodeText,
    CodeBlock,
    ClassBox,
    DifferenceView,
    HeatMap,
    HistogramPlot,
)
"""Bytes, code and plots: from left to right in every language."""


@pytest.mark.parametrize(
    ("sentence", "seen"),
    [
        ("باز کردن…", "باز کردن…"),
        ("{count} بایت در {name}.", "↰⟨{count}⟧ بایت در ⟨{name}⟧."),
        ("با torch.load(weights_only=True).", "با ⟦torch.load(weights_only=True)⟧."),
        ("torch.load(weights_only=True): {0}.", "↰⟦torch.load(weights_only=True)⟧: ⟨{0}⟧."),
        ("نوشتهٔ torch {version}", "نوشتهٔ ⟦torch ⟨{version}⟧⟧"),
        ("بنویسید (پروتکل 5)، یا (a|b).", "بنویسید (پروتکل 5)، یا ⟦(a|b)⟧."),
        ("از -2,147 تا 5 در Python 2", "از ⟦-2,147⟧ تا 5 در Python 2"),
        ("آن را می‌نویسد. state_dict می‌ماند", "آن را می‌نویسد. ⟦state_dict⟧ می‌ماند"),
        ("{percent} %", "↰⟦⟨{percent}⟧ %⟧"),
        ("{zeros} صفر ({part} %)، {values}", "↰⟨{zeros}⟧ صفر (⟦⟨{part}⟧ %⟧)، ⟨{values}⟧"),
        ("نخست npz، npy، سپس zip", "نخست ⟦npz⟧، ⟦npy⟧، سپس zip"),
        ("16، 12، 8", "16، 12، 8"),
        ("متن (*.txt);;JSON (*.json)", "متن (*.txt);;JSON (*.json)"),
        ("چک‌پوینت‌ها ({0})", "چک‌پوینت‌ها ({0})"),
        ("float32, float64", "float32, float64"),
    ],
)
def test_what_stands_in_a_sentence_keeps_its_order(sentence: str, seen: str) -> None:
    signs = {LEFT_TO_RIGHT: "⟦", FIRST_STRONG: "⟨", END: "⟧", RIGHT_TO_LEFT_MARK: "↰"}
    assert isolated(sentence).translate(str.maketrans(signs)) == seen


def test_every_isolate_of_the_language_has_its_end() -> None:
    for texts in translations("fa").values():
        for text in texts.values():
            made = isolated(text)
            depth = 0
            for letter in made:
                depth += (letter in (LEFT_TO_RIGHT, FIRST_STRONG)) - (letter == END)
                assert depth >= 0, text
            assert depth == 0, text
            assert "".join(letter for letter in made if not "\u2066" <= letter <= "\u2069") in (text, "\u200f" + text)


def test_languages_that_run_so_are_those_that_are_isolated() -> None:
    assert [code for code in CODES if QLocale(code).textDirection() == RIGHT_TO_LEFT] == ["fa"]


def test_numbers_have_the_digits_of_the_bytes_and_days_the_calendar_of_the_language(
    qtbot: QtBot, qapp: QApplication, settings: Settings
) -> None:
    before = QLocale()
    settings.set(LANGUAGE, "fa")
    language = Language(qapp, settings)
    try:
        assert words.count(57_437) == "57,437"
        assert QKeySequence("Ctrl+Shift+P").toString(QKeySequence.SequenceFormat.NativeText) == "Ctrl+Shift+P"
        assert words.size(57_437) == "57.4 kB"
        field = QSpinBox()
        qtbot.addWidget(field)
        field.setValue(42)
        assert field.text() == "42"
        assert words.day(int(datetime(2019, 5, 12, 12).timestamp())) == "22 اردیبهشت 1398"
        settings.set(LANGUAGE, "en")
        assert words.day(int(datetime(2019, 5, 12, 12).timestamp())) == "12 May 2019"
    finally:
        settings.set(LANGUAGE, "en")
        language.deleteLater()
        qapp.setProperty(words.SPOKEN, None)
        QLocale.setDefault(before)


def bytes_drawn(qtbot: QtBot) -> QImage:
    """The view of bytes, drawn anew."""
    atlas._coverage.cache_clear()
    view = HexView(load_theme("light"))
    qtbot.addWidget(view)
    view.resize(700, 500)
    view.set_reader(Pattern(2**12))
    # Only one of two views can have the keyboard, which is seen at the caret.
    view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    with qtbot.waitExposed(view):
        view.show()
    return view.viewport().grab().toImage()


def test_the_bytes_are_drawn_alike_in_both_directions(qtbot: QtBot, turn: Callable[[], None]) -> None:
    usual = bytes_drawn(qtbot)
    turn()
    assert bytes_drawn(qtbot) == usual


def test_bytes_code_and_plots_stay_and_the_rest_turns(
    qtbot: QtBot, settings: Settings, turn: Callable[[], None]
) -> None:
    turn()
    window = make_window(settings, panes=PANES)
    qtbot.addWidget(window)
    view = opened(qtbot, window, LEGACY)
    for key in ("source", "tensor", "summary"):
        view.show_pane(key)
    session = view.session
    assert session.document is not None
    session.select_tensor(session.document.tensors[0], "test")
    qtbot.waitUntil(lambda: not session.jobs.busy)
    found = [widget for widget in window.findChildren(QWidget) if isinstance(widget, UPRIGHT)]
    assert {kind for kind in UPRIGHT for widget in found if isinstance(widget, kind)} >= {ByteArea, HexMap, CodeText}
    assert [widget for widget in found if widget.isRightToLeft()] == []
    assert not window.findChildren(InspectorPane)[0].sheet.isRightToLeft()
    for key in ("contents", "summary", "problems", "tensors", "imports"):
        pane = view.pane(key)
        assert pane is not None
        assert pane.isRightToLeft(), key
    places = {key: view.docks[key].geometry().center().x() for key in ("contents", "hex", "summary")}
    assert places["contents"] > places["hex"] > places["summary"]
    window.close()


@pytest.mark.parametrize("kind", [StreamView, TreeView, ListingView])
def test_opcodes_stay_from_left_to_right(
    qtbot: QtBot, settings: Settings, turn: Callable[[], None], kind: type[StreamView | TreeView | ListingView]
) -> None:
    turn()
    window = make_window(settings)
    qtbot.addWidget(window)
    view = kind(opened(qtbot, window, ZIP).session, load_theme("light"), window)
    assert view.isRightToLeft()
    assert not view.rows.isRightToLeft()
    window.close()


def test_a_layout_changes_sides() -> None:
    inner = Split((Tabs(("contents",)), Tabs(("opcodes",))), vertical=True)
    whole = Split((Split((inner, Tabs(("hex",)))), Tabs(("summary",))))
    turned_round = Split((Tabs(("summary",)), Split((Tabs(("hex",)), inner))))
    assert mirrored(whole) == turned_round
    assert mirrored(turned_round) == whole


def drawn(cell: Cell, width: int, direction: Qt.LayoutDirection) -> QImage:
    """A cell as it is painted in that many pixels."""
    return painted(CellDelegate(load_theme("light")), CELL_ROLE, cell, width, 24, direction)


def painted(
    delegate: QStyledItemDelegate, role: int, value: object, width: int, height: int, direction: Qt.LayoutDirection
) -> QImage:
    """What a delegate paints."""
    model = QStandardItemModel(1, 1)
    model.setData(model.index(0, 0), value, role)
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    option = QStyleOptionViewItem()
    option.rect, option.direction = image.rect(), direction
    painter = QPainter(image)
    delegate.paint(painter, option, model.index(0, 0))
    painter.end()
    return image


def inked(image: QImage) -> list[int]:
    """The columns of pixels that are not white."""
    rows = range(image.height())
    return [x for x in range(image.width()) if any(image.pixel(QPoint(x, y)) != 0xFFFFFFFF for y in rows)]


def test_a_row_begins_at_the_right(qtbot: QtBot) -> None:
    name, shape = Piece("weight", mono=True), Piece("[8, 8, 3, 3]", mono=True, whole=True)
    usual = drawn(Cell((name,), icon="tensor"), 300, Qt.LayoutDirection.LeftToRight)
    other = drawn(Cell((name,), icon="tensor"), 300, RIGHT_TO_LEFT)
    assert inked(usual)[0] < 10
    assert inked(usual)[-1] < 100
    assert inked(other)[-1] > 290
    assert inked(other)[0] > 200
    narrow = 100
    both, alone = Cell((name, shape)), Cell((name,))
    assert drawn(both, narrow, RIGHT_TO_LEFT) == drawn(alone, narrow, RIGHT_TO_LEFT)
    assert drawn(both, 300, RIGHT_TO_LEFT) != drawn(alone, 300, RIGHT_TO_LEFT)


def test_what_is_left_out_takes_no_later_piece_with_it(qtbot: QtBot) -> None:
    name = Piece("weight", mono=True)
    shape = Piece("[8, 8, 3, 3]", mono=True, whole=True)
    dtype = Piece("f4", mono=True)
    cut = Cell((name, shape, dtype))
    assert drawn(cut, 100, RIGHT_TO_LEFT) == drawn(Cell((name,)), 100, RIGHT_TO_LEFT)


def test_an_argument_stays_behind_its_opcode(qtbot: QtBot) -> None:
    opcode = Piece("58", mono=True, bold=True, chip="text", role="opcode", whole=True)
    argument = Piece("01 00 00 00 61", mono=True, chip="text", role="argument")
    usual = drawn(Cell((opcode, argument)), 300, Qt.LayoutDirection.LeftToRight)
    other = drawn(Cell((opcode, argument)), 300, RIGHT_TO_LEFT)
    first, start = inked(usual)[0], inked(other)[0]
    wide = 30
    assert usual.copy(first, 0, wide, 24) == other.copy(start, 0, wide, 24)


def test_numbers_stand_at_the_right_in_every_language(qtbot: QtBot) -> None:
    for direction in (Qt.LayoutDirection.LeftToRight, RIGHT_TO_LEFT):
        assert inked(drawn(number("1,800"), 200, direction))[-1] > 185


def test_what_the_program_says_of_a_value_is_cut_where_it_ends(qtbot: QtBot, turn: Callable[[], None]) -> None:
    turn()
    said = isolated("{type}، {count} مدخل").format(type="OrderedDict", count=12)
    whole = drawn(Cell((Piece(said, mono=True),)), 300, RIGHT_TO_LEFT)
    short = drawn(Cell((Piece(said, mono=True),)), 120, RIGHT_TO_LEFT)
    name = 60
    assert whole.copy(300 - name, 0, name, 24) == short.copy(120 - name, 0, name, 24)


def test_keys_in_menus_keep_their_order(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings)
    qtbot.addWidget(window)
    menus = window.menuBar().findChildren(QMenu)
    with_keys = [menu for menu in menus if any(not one.shortcut().isEmpty() for one in menu.actions())]
    assert len(with_keys) > 5
    for menu in with_keys:
        assert isinstance(menu, Menu), menu.title()
        for action in menu.actions():
            option = QStyleOptionMenuItem()
            menu.initStyleOption(option, action)
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            assert option.text.partition("\t")[2] == (words.left_to_right(keys) if keys else "")
    window.close()


def test_lines_of_a_report_begin_where_the_language_does(qtbot: QtBot, turn: Callable[[], None]) -> None:
    for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight):
        field = QPlainTextEdit()
        qtbot.addWidget(field)
        lead_lines(field)
        assert field.document().defaultTextOption().alignment() == side | Qt.AlignmentFlag.AlignAbsolute
        turn()


@pytest.mark.parametrize("text", ["*.weight", "Ctrl+,", "Ctrl+]"])
def test_code_among_words_keeps_its_order_where_it_is_drawn(text: str) -> None:
    assert upright(text) == words.left_to_right(text)
    assert upright(f"{text} نکته") == f"{text} نکته"
    assert upright("") == ""
    assert KeysDelegate().displayText(text, QLocale()) == words.left_to_right(text)


def test_a_list_of_two_lines_draws_code_in_its_order(qtbot: QtBot, turn: Callable[[], None]) -> None:
    turn()
    drawings = []
    for sentence in ("*.weight", words.left_to_right("*.weight"), "weight.*"):
        row = Row("", "", sentence, "info", more=sentence)
        drawings.append(painted(RowDelegate(load_theme("light")), ROW_ROLE, row, 300, 48, RIGHT_TO_LEFT))
    assert drawings[0] == drawings[1] != drawings[2]


def test_arrows_turn_round_but_not_where_nothing_does(turn: Callable[[], None]) -> None:
    theme = load_theme("light")
    usual = pixmap(theme, "chevron-right").toImage()
    turn()
    assert pixmap(theme, "chevron-right").toImage() == usual.flipped(Qt.Orientation.Horizontal) != usual
    assert pixmap(theme, "chevron-right", upright=True).toImage() == usual
    assert pixmap(theme, "tensor").toImage() == pixmap(theme, "tensor", upright=True).toImage()


def test_the_style_sheet_turns_its_sides(qapp: QApplication) -> None:
    theme = load_theme("light")
    sheet = style_sheet(theme)
    other = turned(sheet, theme)
    menu = "QMenu::item { padding: 5px 24px 5px 28px;"
    assert menu in sheet
    assert menu.replace("24px 5px 28px", "28px 5px 24px") in other
    assert "QComboBox { padding-right: 22px; }" in sheet
    assert "QComboBox { padding-left: 22px; }" in other
    assert "padding: 2px 8px; color" in other


def test_values_begin_where_the_language_does(qtbot: QtBot, turn: Callable[[], None]) -> None:
    turn()
    label = WrappedLabel("conv.weight")
    qtbot.addWidget(label)
    right, absolute = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignAbsolute
    assert label.alignment() & (right | absolute) == right | absolute
    label.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert label.alignment() & Qt.AlignmentFlag.AlignLeft
    assert isinstance(label, QLabel)
