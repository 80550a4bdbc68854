"""The open file is cut, replaced and removed under a pane that scrolls and searches: no fault, no wrong byte.

`PICKLESCOPE_SOAK=1000` runs so many rounds; without it a short soak.
"""

import os
import random

import pytest

from viewer.core.search_bytes.literal import Literal
from viewer.core.source import FileSource
from viewer.core.span import Span
from viewer.session.byte_comparing import LISTING as ALL_DIFFERENCES
from viewer.session.byte_comparing import STEPPING, Part
from viewer.session.byte_search import LISTING, NEAREST
from viewer.ui.dialogs.go_to import GoToBar
from viewer.ui.panes.hex import HexPane
from viewer.ui.panes.inspector import InspectorPane
from viewer.ui.theme import load_theme

ROUNDS = int(os.environ.get("PICKLESCOPE_SOAK", "40"))
SIZE = 3 * 2**20
MARK = b"\x01needle\x02"


def filled(seed):
    """Bytes of which each tells the file that it was written in."""
    data = bytearray(bytes([seed]) * SIZE)
    for at in range(0, SIZE - 64, 65_537):
        data[at : at + len(MARK)] = MARK
    return bytes(data)


def damage(path, chance, seed):
    """What another program may do."""
    what = chance.randrange(4)
    if what == 0:
        os.truncate(path, chance.randrange(SIZE))
    elif what == 1:
        other = path.with_suffix(".new")
        other.write_bytes(filled(seed))
        other.replace(path)
    elif what == 2:
        path.unlink()
    else:
        with path.open("r+b") as file:
            file.seek(chance.randrange(SIZE))
            file.write(bytes([seed]) * 70_000)


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "open.bin"
    made.write_bytes(filled(0x10))
    return made


def test_the_open_file_may_be_damaged_at_any_time(path, opened, shown, qtbot):
    chance = random.Random(11)
    session = opened(path)
    pane = shown(HexPane, session)
    pane.finding.show()
    pane.find_bar.form.setCurrentIndex(0)
    seeds = {0x10} | {*MARK}
    for number in range(ROUNDS):
        if not path.exists() or path.stat().st_size < SIZE:
            path.write_bytes(filled(0x10))
        seeds.add(seed := 0x20 + number % 0xD0)
        pane.find_bar.field.setText(MARK.hex())
        pane.finding.step(pane.finding.bar.query(), chance.random() < 0.5)
        damage(path, chance, seed)
        for _ in range(4):
            pane.view.set_top_row(chance.randrange(SIZE // pane.view.row_bytes))
            pane.view.viewport().repaint()
            values = pane.view.surface.content.values
            assert {int(value) for value in values} <= seeds | {256}
        qtbot.waitUntil(lambda: not pane.finding.search.finding)
        pane.find_bar.field.setText("00")
    pane.finding.leave()
    assert not session.jobs.is_running(LISTING)
    assert not session.jobs.is_running(NEAREST)


def test_a_search_in_a_file_that_was_cut_ends_at_its_end(path, opened, shown, qtbot):
    session = opened(path)
    pane = shown(HexPane, session)
    os.truncate(path, 70_000)
    assert isinstance(session.source, FileSource)
    search = pane.finding.search
    search.look(session.source, Literal(MARK), Span(0, SIZE))
    qtbot.waitUntil(lambda: not search.running)
    assert [search.hits[number].start for number in range(len(search.hits))] == [0, 65_537]
    with qtbot.waitSignal(search.reached) as told:
        search.step(Span(65_537, 65_540))
    assert told.args == [Span(0, len(MARK))]


def test_files_may_be_damaged_while_they_are_compared_and_inspected(path, opened, shown, qtbot):
    """Comparison, list of differences, inspector, facts, ways and go-to over two files that others write to."""
    chance = random.Random(5)
    second = path.with_name("second.bin")
    second.write_bytes(filled(0x10)[:-1000] + b"z" * 1000)
    session, other = opened(path), opened(second)
    session.peers = lambda: [other]
    pane, inspector, bar = shown(HexPane, session), shown(InspectorPane, session), GoToBar(load_theme("light"))
    qtbot.addWidget(bar)
    pane.resize(1200, 480)
    compared = pane.compared
    seeds = {0x10, ord("z")} | {*MARK}
    for number in range(ROUNDS):
        for each in (path, second):
            if not each.exists() or each.stat().st_size < SIZE:
                each.write_bytes(filled(0x10))
        seeds.add(seed := 0x20 + number % 0xD0)
        parts = Span(chance.randrange(SIZE // 2), SIZE), Span(chance.randrange(SIZE // 2), SIZE)
        if number % 3:
            compared.compare_with(other)
        else:
            compared.compare(Part(session, session.source, parts[0]), Part(other, other.source, parts[1]))
        compared.head.list.setChecked(number % 2 == 0)
        damage(chance.choice((path, second)), chance, seed)
        at = chance.randrange(SIZE)
        session.select_bytes((Span(at, at + chance.randrange(1, 40)),), "test")
        pane.facts.ask()
        bar.ask_in(session)
        bar.field.setText(f"end-{at}")
        for view in (compared.left_view, compared.view):
            view.set_top_row(chance.randrange(max(1, view.surface.last_top)))
            view.viewport().repaint()
            assert {int(value) for value in view.surface.content.values} <= seeds | {256}
        compared.step(chance.choice((1, -1)))
        pane.ways.targets()
        for row in range(min(5, compared.list.model.rowCount())):
            assert all(compared.list.model.cell(row, column) is not None for column in range(5))
        for reading in inspector.sheet.rows:
            assert reading.name
        qtbot.waitUntil(lambda: not session.jobs.is_running(STEPPING))
        bar.setVisible(False)
    qtbot.waitUntil(lambda: not session.jobs.busy)
    compared.leave()
    assert not session.jobs.is_running(ALL_DIFFERENCES)
