"""The Effect pane: the sentence, the stack before and after, the memo, the ways to other opcodes, and what is empty."""

import pickle

import pytest
from PySide6.QtCore import Qt

from viewer.core.pickles.opcodes import OPCODES
from viewer.core.tensors.tensor import ValueRef
from viewer.ui.models.effect_rows import AFTER, BEFORE, ITEM, NUMBER, READ, STORED, VALUE
from viewer.ui.panes.effect import EffectPane
from viewer.ui.panes.opcodes import OpcodesPane
from viewer.ui.theme import load_theme

# 0 PROTO  1 EMPTY_DICT  2 BINPUT 0  3 MARK  4 'a'  5 BINPUT 1  6 1  7 BINGET 1  8 ]  9 2  10 APPEND  11 3  12 BINGET 0
STREAM = b"\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01K\x01h\x01]K\x02aK\x03h\x00u."
SETITEMS = 13


@pytest.fixture
def small(tmp_path, opened):
    path = tmp_path / "small.pkl"
    path.write_bytes(STREAM)
    return opened(path)


@pytest.fixture
def broken(tmp_path, opened):
    path = tmp_path / "broken.pkl"
    path.write_bytes(b"\x80\x02}q\x00(X\x01\x00\x00\x00aK\x05\xff\xff\xff")
    return opened(path)


def choose(session, opcode):
    session.select_opcode(ValueRef(0, opcode), "test")


def column(model, number):
    return [model.index(row, number).data() for row in range(model.rowCount())]


def click(qtbot, table, row, number):
    place = table.visualRect(table.model().index(row, number)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_before_and_after_stand_side_by_side(small, shown):
    pane = shown(EffectPane, small)
    choose(small, SETITEMS)
    assert pane.head.name.text() == "SETITEMS"
    assert pane.head.sentence.text() == "Sets 3 entries in the dict from 0x2."
    assert pane.head.offset.text() == "0x1A"
    assert pane.stack_facts.text() == "depth 8 \u2192 1"
    before = [text.replace("\u2009 ", "") for text in column(pane.stack_model, BEFORE)]
    assert before[0].startswith("\u2212")
    assert before[-1] == "{}"
    after = [text.replace("\u2009 ", "") for text in column(pane.stack_model, AFTER)]
    assert after[:-1] == [""] * 7
    assert after[-1] == "~ dict, 3 entries"


def test_in_a_narrow_pane_they_are_one_list(small, shown):
    pane = shown(EffectPane, small)
    pane.resize(300, 480)
    choose(small, 10)
    assert pane.stack.isColumnHidden(BEFORE)
    items = [text.replace("\u2009 ", "") for text in column(pane.stack_model, ITEM)]
    assert items == ["\u2212 2", "~ [2]", "'a'", "1", "'a'", "mark", "{}"]


def test_nothing_of_it_is_wider_than_a_narrow_pane(small, shown):
    pane = shown(EffectPane, small)
    pane.resize(240, 480)
    choose(small, SETITEMS)
    assert pane.head.isVisible()
    for part in (pane.head.offset, pane.stack_facts, pane.memo_facts):
        assert part.mapTo(pane, part.rect().bottomRight()).x() < 240


def test_the_memo_tells_slots_values_and_first_uses(small, shown):
    pane = shown(EffectPane, small)
    choose(small, 5)
    assert pane.memo_facts.text() == "slots 1 \u2192 2"
    assert column(pane.memo_model, NUMBER) == ["1", "0"]
    assert [text.replace("\u2009 ", "") for text in column(pane.memo_model, VALUE)] == ["+ 'a'", "{}"]
    assert column(pane.memo_model, STORED) == ["C", "3"]
    assert column(pane.memo_model, READ) == ["10", "18"]
    assert pane.memo.currentIndex().row() == 0
    assert "It is read back once, at 0x10." in pane.head.sentence.text()


def test_clicks_go_to_the_opcodes(small, shown, qtbot):
    pane = shown(EffectPane, small)
    choose(small, SETITEMS)
    click(qtbot, pane.stack, 2, BEFORE)
    assert small.selection.opcode == ValueRef(0, 8)
    assert pane.head.name.text() == "EMPTY_LIST"
    choose(small, 12)
    click(qtbot, pane.memo, 0, READ)
    assert small.selection.opcode == ValueRef(0, 7)
    click(qtbot, pane.memo, 0, STORED)
    assert small.selection.opcode == ValueRef(0, 5)


def test_links_lead_from_put_to_get_and_from_mark_to_its_end(small, shown):
    pane = shown(EffectPane, small)
    choose(small, 5)
    assert 'href="7"' in pane.head.links.text()
    choose(small, 3)
    assert f'href="{SETITEMS}"' in pane.head.links.text()
    pane.head.links.linkActivated.emit(str(SETITEMS))
    assert small.selection.opcode == ValueRef(0, SETITEMS)
    assert 'href="3"' in pane.head.links.text()


def test_the_commands_of_an_opcode_row(small, shown):
    pane = shown(OpcodesPane, small)
    choose(small, 5)
    assert set(pane.commands()) - {"edit.find"} == {"go.memo_get", "go.maker", "go.uses"}
    pane.link_actions["go.memo_get"].trigger()
    assert small.selection.opcode == ValueRef(0, 7)
    assert pane.view("tree").tree.currentIndex().data().startswith("BINGET")
    assert not pane.link_actions["go.memo_get"].isEnabled()
    pane.link_actions["go.memo_put"].trigger()
    assert small.selection.opcode == ValueRef(0, 5)
    choose(small, 3)
    pane.commands()["go.mark"]()
    assert small.selection.opcode == ValueRef(0, SETITEMS)
    pane.commands()["go.mark"]()
    assert small.selection.opcode == ValueRef(0, 3)


def test_the_notes_on_an_opcode_unfold(small, shown, qtbot):
    pane = shown(EffectPane, small)
    pane.resize(500, 700)
    choose(small, SETITEMS)
    notes = pane.head.notes
    assert notes.summary.text() == "Sets all keys and values above the mark in the dict under it."
    assert not notes.notes.isVisible()
    qtbot.mouseClick(notes.fold, Qt.MouseButton.LeftButton)
    assert notes.notes.isVisible()
    assert "Of a key that comes twice the last value stays." in notes.notes.text()
    assert "dict, mark, values\u2026 \u2192 dict" in notes.notes.text()
    choose(small, 7)
    assert "1 byte: the number of a memo slot" in notes.notes.text()
    with qtbot.waitSignal(pane.asks) as asked:
        notes.notes.linkActivated.emit("opcodes/BINGET")
    assert asked.args == ["explain.opcodes/BINGET"]
    assert pane.topic() == "opcodes/BINGET"


def test_links_take_the_colour_of_a_new_theme(small, shown):
    pane = shown(EffectPane, small)
    choose(small, 5)
    assert "color: #1f5fbf" in pane.head.links.text()
    pane.set_theme(load_theme("dark"))
    assert "color: #7fb0ff" in pane.head.links.text()
    assert "#1f5fbf" not in pane.head.links.text()


def test_a_low_pane_leads_to_the_help_instead(small, shown, qtbot):
    pane = shown(EffectPane, small)
    choose(small, SETITEMS)
    pane.resize(400, 300)
    assert not pane.head.notes.isVisible()
    with qtbot.waitSignal(pane.asks) as asked:
        pane.head.links.linkActivated.emit("explain.opcodes/SETITEMS")
    assert asked.args == ["explain.opcodes/SETITEMS"]
    assert 'href="explain.opcodes/SETITEMS"' in pane.head.links.text()
    pane.resize(400, 700)
    assert pane.head.notes.isVisible()
    assert "explain." not in pane.head.links.text()


def test_the_head_leads_to_all_uses_and_to_imports(tmp_path, opened, shown, qtbot):
    path = tmp_path / "calls.pkl"
    path.write_bytes(b"\x80\x02cos\nsystem\nq\x00(h\x00K\x05tR0h\x00.")
    session = opened(path)
    pane = shown(EffectPane, session)
    for opcode, words in ((1, "List all uses"), (7, "Show in Imports"), (4, "Show in Imports")):
        choose(session, opcode)
        assert words in pane.head.links.text()
    with qtbot.waitSignal(pane.asks) as asked:
        pane.head.links.linkActivated.emit("go.uses")
    assert asked.args == ["go.uses"]
    with qtbot.waitSignal(pane.asks) as asked:
        pane.commands()["go.import"]()
    assert asked.args == ["pane.imports"]


def test_of_many_reads_the_nearest_are_named_and_all_can_be_listed(tmp_path, opened, shown):
    path = tmp_path / "many.pkl"
    path.write_bytes(b"\x80\x02(]q\x00" + b"h\x00" * 2_000 + b"t.")
    session = opened(path)
    pane = shown(EffectPane, session)
    choose(session, 1_000)
    words = pane.head.links.text()
    assert 'href="go.uses"' in words
    assert "2,000" in words
    assert words.count("href") + words.count("<b>") < 10


def test_a_frame_leads_to_its_end_and_a_value_to_its_maker(tmp_path, opened, shown):
    path = tmp_path / "framed.pkl"
    path.write_bytes(pickle.dumps(["a" * 20, "b"], 4))
    session = opened(path)
    pane = shown(EffectPane, session)
    choose(session, 1)
    last = len(session.document.pickles[0].code) - 1
    assert f'href="{last}"' in pane.head.links.text()
    pane.commands()["go.mark"]()
    assert session.selection.opcode == ValueRef(0, last)
    choose(session, last - 1)
    assert "Top made at" in pane.head.links.text()
    pane.commands()["go.maker"]()
    assert session.document.pickles[0].code.name(session.selection.opcode.value) == "EMPTY_LIST"


def test_a_broken_stream_shows_the_stack_at_the_break(broken, shown):
    pane = shown(EffectPane, broken)
    problem = broken.document.problems[0]
    broken.select_bytes((problem.span,), "test")
    assert pane.head.name.text() == "Break"
    assert pane.head.sentence.text().startswith("The stream breaks here.")
    assert [text.replace("\u2009 ", "") for text in column(pane.stack_model, BEFORE)] == ["5", "'a'", "mark", "{}"]
    choose(broken, len(broken.document.pickles[0].code) - 1)
    assert "The stream breaks behind it" in pane.head.links.text()
    pane.head.opcode_chosen.emit(len(broken.document.pickles[0].code))
    assert pane.head.name.text() == "Break"


def test_what_is_said_where_nothing_is_to_be_shown(small, half, tmp_path, opened, shown):
    pane = shown(EffectPane, small)
    assert "No opcode selected" in pane.empty.text()
    path = tmp_path / "empty.bin"
    path.write_bytes(b"no pickle at all")
    pane = shown(EffectPane, opened(path))
    assert "No pickle in this file" in pane.empty.text()


def test_every_opcode_of_a_model_is_told_of(legacy, shown):
    pane = shown(EffectPane, legacy)
    pickle = legacy.document.main_pickle
    seen = {}
    for opcode in range(len(pickle.code)):
        seen.setdefault(int(pickle.code.codes[opcode]), opcode)
    for byte, opcode in seen.items():
        legacy.select_opcode(ValueRef(pickle.index, opcode), "test")
        assert pane.head.name.text() == OPCODES[byte].name
        assert pane.head.sentence.text().endswith(".")
        assert "{" not in pane.head.sentence.text().replace("{}", "")


def test_tables_of_a_large_pickle_are_made_in_a_thread(small, shown, qtbot, monkeypatch):
    monkeypatch.setattr("viewer.ui.panes.effect.LARGE", 1)
    pane = shown(EffectPane, small)
    choose(small, SETITEMS)
    assert "being made out" in pane.empty.text()
    qtbot.waitUntil(lambda: pane.rows is not None)
    assert pane.head.name.text() == "SETITEMS"


def test_strings_of_python_2_are_read_where_no_encoding_was_chosen(tmp_path, opened, shown):
    storage = b"(U\x07storagectorch\nFloatStorage\nU\x010U\x03cpuK\x02tQ"
    path = tmp_path / "python2.pkl"
    path.write_bytes(b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"K\x00K\x02\x85K\x01\x85\x89}tR.")
    session = opened(path)
    pane = shown(EffectPane, session)
    sentences = []
    for opcode in range(len(session.document.pickles[0].code.offsets) - 1):
        choose(session, opcode)
        sentences.append(pane.head.sentence.text())
    assert all(sentences)
    assert any("FloatStorage" in sentence or "storage" in sentence for sentence in sentences)
