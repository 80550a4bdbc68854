"""The section of Summary on loading: expectations, classes with their places, code."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from viewer.core.summary.answers import Answer
from viewer.core.summary.blockers import Blocker
from viewer.core.summary.missing import Missing, Place
from viewer.core.summary.prediction import Expectation, Prediction
from viewer.core.tensors.path import Attribute
from viewer.ui.theme import load_theme
from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.widgets.loading_section import LoadingSection


@pytest.fixture
def section(qtbot):
    made = LoadingSection(load_theme("light"))
    qtbot.addWidget(made)
    made.resize(400, 600)
    with qtbot.waitExposed(made):
        made.show()
    return made


def show(section, **facts):
    section.show_prediction(load_theme("light"), Prediction(**facts))


def test_nothing_is_shown_before_anything_is_known(section):
    section.show_prediction(load_theme("light"), None)
    assert not section.isVisible()


def test_titles_and_what_follows(section):
    show(section, expectations=[Expectation("classes-missing", {"count": 1200, "names": "a.B"}), Expectation("loads")])
    first, second = section.expectations.lines
    assert first.title.text() == "Classes and functions that torch does not bring: 1,200"
    assert first.detail.text().startswith("torch.load stops where they cannot be imported: \u2066a.B\u2069.")
    assert second.title.text() == "torch.load reads this file as it is"
    assert not section.code.isVisible()
    assert not section.missing.isVisible()


def test_names_are_shown_with_what_is_hidden_in_them(section):
    show(section, expectations=[Expectation("classes-missing", {"count": 1, "names": "a\u202e.\x00B"})])
    assert "\u2066a\\u202e.\\x00B\u2069" in section.expectations.lines[0].detail.text()


def test_long_lists_are_folded(section, qtbot):
    told = [
        Expectation("device-unknown", {"location": f"x{n}", "count": 1, "all": 9, "map_location": "cpu"})
        for n in range(9)
    ]
    show(section, expectations=told)
    lines = section.expectations.lines
    assert [line.isVisible() for line in lines] == [True] * 5 + [False] * 4
    assert section.expectations.more.text() == "Show 4 more"
    qtbot.mouseClick(section.expectations.more, Qt.MouseButton.LeftButton)
    assert all(line.isVisible() for line in lines)
    assert not section.expectations.more.isVisible()
    show(section, expectations=told[:5])
    assert not section.expectations.more.isVisible()


def places(count):
    return [Place(("log", number), 10 + number) for number in range(count)]


def test_a_row_for_each_place(section, qtbot):
    root = Missing("nets.Net", [Place((), 3)])
    inner = Missing("nets.blocks.Block", [Place((Attribute("_modules"), "body", Attribute("_modules"), "0"), 5)])
    show(section, missing=[root, inner, Missing("app.make")], pickle=3)
    table = section.missing
    assert [[table.words(row, column) for column in (0, 1)] for row in range(3)] == [
        ["nets.Net", "the root"],
        ["nets.blocks.Block", "body.0"],
        ["app.make", "in nothing that is kept"],
    ]
    with qtbot.waitSignal(section.place_chosen) as chosen:
        table.table.clicked.emit(table.model.index(1, 1))
    assert chosen.args == [3, 5]
    with qtbot.assertNotEmitted(section.place_chosen):
        table.table.clicked.emit(table.model.index(2, 1))


def test_very_many_places_are_folded_and_cost_no_widget(section, qtbot):
    show(section, missing=[Missing("a.A", places(100_000)), Missing("b.B", places(1))])
    table = section.missing
    assert table.rows == 100_001
    assert table.model.rowCount() == 5
    assert table.fold.text() == "Show all 100,001"
    assert table.cell(0, 0).text == "A ×\u202f100,000 a"
    assert table.cell(1, 0).text == ""
    widgets = len(section.findChildren(QWidget))
    qtbot.mouseClick(table.fold, Qt.MouseButton.LeftButton)
    assert table.model.rowCount() == 100_001
    assert table.words(100_000, 0) == "b.B"
    assert table.table.height() < 500
    assert len(section.findChildren(QWidget)) < widgets + 10
    qtbot.mouseClick(table.fold, Qt.MouseButton.LeftButton)
    assert table.model.rowCount() == 5


def test_enter_follows_a_link(section, qtbot):
    show(section, missing=[Missing("a.A", places(2))], pickle=0)
    table = section.missing.table
    table.setCurrentIndex(section.missing.model.index(1, 1))
    with qtbot.waitSignal(section.place_chosen) as chosen:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert chosen.args == [0, 11]


def test_the_end_of_a_long_path_is_shown_and_its_tooltip_is_whole(section):
    path = ("a_very_long_key_of_a_checkpoint", "and_another_one_that_is_long_too", "log", 17)
    show(section, missing=[Missing("a.A", [Place(path, 1)])])
    (piece,) = section.missing.cell(0, 1).pieces
    assert (piece.text[-6:], piece.cut) == ("log.17", "start")
    index = section.missing.model.index(0, 1)
    tip = index.data(Qt.ItemDataRole.ToolTipRole)
    assert "a_very_long_key_of_a_checkpoint" in tip
    assert "log.17" in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_code_and_its_button(section, qtbot):
    show(section, code="import torch\n\nx = 1")
    assert section.code.toPlainText() == "import torch\n\nx = 1"
    with qtbot.waitSignal(section.copy_wanted):
        section.copy.click()


def test_buttons_flow_into_the_next_line(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    flow = FlowLayout(widget)
    flow.setSpacing(6)
    buttons = [QPushButton("A button of some width") for _ in range(3)]
    for button in buttons:
        flow.addWidget(button)
    width = buttons[0].sizeHint().width()
    height = buttons[0].sizeHint().height()
    assert flow.heightForWidth(3 * width + 12) == height
    assert flow.heightForWidth(2 * width + 6) == 2 * height + 6
    assert flow.heightForWidth(10) == 3 * height + 12
    flow.setGeometry(QRect(0, 0, 2 * width + 6, 200))
    assert [(button.x(), button.y()) for button in buttons] == [(0, 0), (width + 6, 0), (0, height + 6)]
    flow.clear()
    assert flow.count() == 0


def test_both_answers_with_what_stops_them(section, qtbot):
    blockers = tuple(Blocker("name", {"name": f"a.B{number}"}, number, 3, 0) for number in range(6))
    show(section, answers=(Answer(True, blockers), Answer(False)))
    first, second = section.answers
    titles = [one.line.title.text().replace("\u200b", "") for one in section.answers]
    assert titles[0] == "torch.load(weights_only=True) does not load it"
    assert titles[1] == "torch.load(weights_only=False) loads it, and runs what the file asks for"
    assert [first.model.rowCount(), second.model.rowCount()] == [4, 0]
    assert first.model.index(0, 0).data() == "\u2066a.B0\u2069 \u00d7\u202f3 not on its list"
    assert first.fold.text() == "Show all 6"
    qtbot.mouseClick(first.fold, Qt.MouseButton.LeftButton)
    assert first.model.rowCount() == 6
    with qtbot.waitSignal(section.opcode_chosen) as chosen:
        first.table.clicked.emit(first.model.index(5, 0))
    assert chosen.args == [0, 5]
    assert not second.table.isVisible()
