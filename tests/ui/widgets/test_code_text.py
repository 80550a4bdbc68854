"""The text with line numbers: long texts in parts, lines and marks in their place whatever stands before them."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from viewer.core.progress import Progress
from viewer.ui.theme import load_theme
from viewer.ui.widgets.code_reading import read_text
from viewer.ui.widgets.code_text import CodeText, Mark
from viewer.ui.widgets.text_find import find_all

LONG = "\n".join(f"line = {number}" for number in range(1, 5_001))


@pytest.fixture
def text(qtbot: QtBot) -> CodeText:
    made = CodeText(load_theme("light"))
    qtbot.addWidget(made)
    made.resize(500, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def first_shown(text: CodeText) -> str:
    return text.document().firstBlock().text()


def test_of_a_long_text_a_part_is_shown(text: CodeText, qtbot: QtBot) -> None:
    text.set_text(LONG)
    assert (text.part, text.line_count, text.is_whole) == ((1, 1_000), 5_000, False)
    assert text.blockCount() == 1_000
    with qtbot.waitSignal(text.part_changed):
        text.link_line(4_321)
    first, last = text.part
    assert first < 4_321 <= last
    assert first_shown(text) == f"line = {first}"
    assert text.top_of(4_321) is not None
    assert text.here() == Mark(4_321, 0, 0)
    assert text.top_of(1) is None


def test_the_rest_is_added_bit_by_bit(text: CodeText, qtbot: QtBot) -> None:
    text.set_text(LONG)
    text.link_line(4_321)
    parts = []
    text.part_changed.connect(lambda: parts.append(text.part))
    text.show_all()
    assert text.is_adding
    qtbot.waitUntil(lambda: text.is_whole)
    assert parts[:3] == [(1, 1_000), (1, 1_400), (1, 1_800)]
    assert text.toPlainText() == LONG
    assert not text.is_adding
    assert text.linked_line == 4_321


def test_another_text_ends_the_adding(text: CodeText) -> None:
    text.set_text(LONG)
    text.show_all()
    text.set_text("short\n")
    assert not text.is_adding
    assert text.toPlainText() == "short\n"


def test_a_line_of_any_length_is_cut(text: CodeText) -> None:
    text.set_text("a = '" + "x" * 3_000_000 + "'\nend\n")
    lines = text.toPlainText().split("\n")
    assert len(lines[0]) < 10_100
    assert lines[0].endswith(" \u2026 2,990,006 more")
    assert lines[1] == "end"


def test_marks_count_characters_of_the_stored_text(text: CodeText) -> None:
    text.set_text("\U0001f600\u202e nn.Linear\r\n\t名前 = F\r\n")
    text.choose(Mark(1, 3, 2))
    assert text.textCursor().selectedText() == "nn"
    assert text.here() == Mark(1, 3, 0)
    text.choose(Mark(2, 6, 1))
    assert text.textCursor().selectedText() == "F"


def test_colours_of_long_texts_come_later(text: CodeText, qtbot: QtBot) -> None:
    source = "class Net(nn.Module):\n" + "    x = 1\n" * 1_000
    text.set_text(source)
    assert text.document().firstBlock().layout().formats() == []
    text.set_tokens(read_text(source, (), Progress()).tokens)
    keyword = text.document().firstBlock().layout().formats()[0]
    assert (keyword.start, keyword.length) == (0, 5)
    assert keyword.format.foreground().color().name() == "#8a2f8c"


def test_what_is_known_of_a_text() -> None:
    found = read_text("class A(Base):\n    b = nn.B(helper)\n    c = '\u202e'\n", {"Base"}, Progress())
    assert found.missing == ("helper", "nn")
    assert found.marks == (Mark(2, 8, 2), Mark(2, 13, 6))
    assert (found.hidden.count, found.hidden.lines) == (1, (3,))
    assert read_text("x = " + "1 + " * 40_000 + "1", (), Progress()).fault is not None


def test_letters_are_found_in_any_case_and_not_without_end() -> None:
    assert find_all(["Conv conv", "", "CONV(x)"], "conv", Progress()) == [Mark(1, 0, 4), Mark(1, 5, 4), Mark(3, 0, 4)]
    assert find_all(["a.b"], ".", Progress()) == [Mark(1, 1, 1)]
    at = 64 * 1024 - 2
    assert find_all(["x" * at + "needle"], "needle", Progress()) == [Mark(1, at, 6)]
    assert len(find_all(["aa" * 30_000], "a", Progress())) == 20_001
