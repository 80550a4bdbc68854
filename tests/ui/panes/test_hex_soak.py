"""The open file is cut, replaced and removed under a pane that scrolls and searches: no fault, no wrong byte.

`PICKLESCOPE_SOAK=1000` runs so many rounds; without it a short soak.
"""

import os
import random

import pytest

from viewer.core.search_bytes.literal import Literal
from viewer.core.source import FileSource
from viewer.core.span import Span
from viewer.session.byte_search import LISTING, NEAREST
from viewer.ui.panes.hex import HexPane

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
        qtbot.waitUntil(lambda: not pane.finding.search.finding, timeout=20_000)
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
