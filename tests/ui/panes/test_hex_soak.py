"""The open file is cut, replaced and removed under a pane that scrolls and searches: no fault, no wrong byte.

A wrong byte is one that the open file never held at its offset. `PICKLESCOPE_SOAK=1000` runs so many rounds; without it
a short soak.
"""

import os
import random
from functools import lru_cache

import numpy as np
import pytest

from viewer.core.search_bytes.literal import Literal
from viewer.core.source import PAGE, FileSource
from viewer.core.span import Span
from viewer.session.byte_comparing import LISTING as ALL_DIFFERENCES
from viewer.session.byte_comparing import STEPPING, Part
from viewer.session.byte_search import LISTING, NEAREST
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace
from viewer.ui.dialogs.go_to import GoToBar
from viewer.ui.hexview.numbers import NO_BYTE
from viewer.ui.panes.hex import HexPane
from viewer.ui.panes.inspector import InspectorPane
from viewer.ui.theme import load_theme

ROUNDS = int(os.environ.get("PICKLESCOPE_SOAK", "40"))
SIZE = 5 * 2**20
MARK = b"\x01needle\x02"
APART = 65_537
SEEDS = range(3, 250, 19)
NEW = 6
"""States of a file after which it is opened anew: more of them, and every byte would have been there once."""


@lru_cache
def filled(seed):
    """Bytes that tell where they stand: bytes that are moved are wrong ones."""
    places = np.arange(SIZE, dtype=np.uint32)
    data = bytearray(((places * 167 + (places >> 8) * 101 + seed * 59) >> 2).astype(np.uint8).tobytes())
    for at in range(0, SIZE - 64, APART):
        data[at : at + len(MARK)] = MARK
    return bytes(data)


class Damaged:
    """A file with the states that it has had since it was opened, as long as it is the one that was opened."""

    def __init__(self, path, chance):
        self.path, self.chance = path, chance
        self.begin()

    def begin(self):
        """A new file of the name, and nothing else that it ever was."""
        self.path.unlink(missing_ok=True)
        self._write(self.path)

    def _write(self, path):
        data = filled(self.chance.choice(SEEDS))
        path.write_bytes(data)
        self.states = [data]
        self.cut = SIZE
        self.is_other = False

    def damage(self):
        """What another program may do."""
        what = self.chance.choice((0, 0, 0, 0, 1, 2, 3, 3, 4, 4))
        if what == 0:
            # One that is longer already would grow, by zeros.
            self.cut = min(self.chance.randrange(SIZE), self.path.stat().st_size)
            os.truncate(self.path, self.cut)
        elif what == 1:
            other = self.path.with_suffix(".new")
            other.write_bytes(filled(self.chance.choice(SEEDS)))
            other.replace(self.path)
            self.is_other = True
        elif what == 2:
            self.path.unlink()
            self.is_other = True
        elif what == 3:
            data = filled(self.chance.choice(SEEDS))
            self.path.write_bytes(data)
            self.states.append(data)
        else:
            self._overwrite()

    def _overwrite(self):
        at, data = self.chance.randrange(SIZE), filled(self.chance.choice(SEEDS))
        part = data[at : at + 70_000]
        with self.path.open("r+b") as file:
            file.seek(at)
            file.write(part)
        whole = bytearray(SIZE)
        whole[at : at + len(part)] = part
        self.states += [self.states[-1][:at] + part + self.states[-1][at + len(part) :], bytes(whole)]

    @property
    def is_spent(self):
        return self.is_other or len(self.states) > NEW

    def wrong(self, start, values):
        """The offsets at which a byte is shown that the file never held there."""
        first, stop = max(0, start), min(start + len(values), SIZE)
        shown = np.asarray(values)[first - start : stop - start]
        # Where a file was cut and written to behind its end there are zeros.
        known = (shown == NO_BYTE) | ((shown == 0) & (len(self.states) > 1))
        for state in self.states:
            known |= shown == np.frombuffer(state[first:stop], np.uint8)
        return (np.flatnonzero(~known) + first).tolist()


def wrong_bytes(damaged, view, start=0):
    """What a view shows that its file never held; `start`: where what it shows begins there."""
    content = view.surface.content
    size = view.surface.layout.size
    inside = content.values[: max(0, size - content.first)]
    return damaged.wrong(content.first + start, inside)


@pytest.fixture
def work(qapp, tmp_path):
    made = Workspace(Settings(tmp_path / "settings.ini"))
    yield made
    made.close_all()


def walked(chance, *views):
    """Scroll anywhere, and to where the page ends in which the file was cut: the one behind may be held from before."""
    for damaged, view, start in views:
        last = max(1, view.surface.last_top)
        page = (damaged.cut // PAGE + 1) * PAGE - start - 100
        for top in (chance.randrange(last), min(max(0, page) // view.row_bytes, last), chance.randrange(last)):
            view.set_top_row(top)
            view.viewport().repaint()
            assert wrong_bytes(damaged, view, start) == []


def test_a_wrong_byte_is_known_as_one(tmp_path):
    """The soak can fail."""
    damaged = Damaged(tmp_path / "open.bin", random.Random(1))
    data = np.frombuffer(damaged.states[0], np.uint8).astype(np.int32)
    assert damaged.wrong(1000, data[1000:2000]) == []
    assert len(damaged.wrong(1000, data[1001:2001])) > 900
    assert len(damaged.wrong(65_536, data[:1000])) > 900
    assert damaged.wrong(SIZE - 4, np.full(8, NO_BYTE)) == []


def test_the_open_file_may_be_damaged_at_any_time(work, shown, tmp_path, qtbot):
    chance = random.Random(11)
    damaged = Damaged(tmp_path / "open.bin", chance)
    pane = None
    for _ in range(ROUNDS):
        if pane is None or damaged.is_spent:
            if pane is not None:
                pane.hide()
            damaged.begin()
            session = work.open(damaged.path) if pane is None else work.reload(pane.session)
            pane = shown(HexPane, session)
            pane.finding.show()
            pane.find_bar.form.setCurrentIndex(0)
        pane.find_bar.field.setText(MARK.hex())
        pane.finding.step(pane.finding.bar.query(), chance.random() < 0.5)
        damaged.damage()
        walked(chance, (damaged, pane.view, 0))
        search = pane.finding.search
        qtbot.waitUntil(lambda search=search: not search.finding)
        found = search.hits
        assert all(found[number].start % APART == 0 for number in range(len(found)))
        pane.find_bar.field.setText("00")
    pane.finding.leave()
    assert not pane.session.jobs.is_running(LISTING)
    assert not pane.session.jobs.is_running(NEAREST)


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "open.bin"
    made.write_bytes(filled(0x10))
    return made


def test_a_search_in_a_file_that_was_cut_ends_at_its_end(path, opened, shown, qtbot):
    session = opened(path)
    pane = shown(HexPane, session)
    os.truncate(path, 70_000)
    assert isinstance(session.source, FileSource)
    search = pane.finding.search
    search.look(session.source, Literal(MARK), Span(0, SIZE))
    qtbot.waitUntil(lambda: not search.running)
    assert [search.hits[number].start for number in range(len(search.hits))] == [0, APART]
    with qtbot.waitSignal(search.reached) as told:
        search.step(Span(65_537, 65_540))
    assert told.args == [Span(0, len(MARK))]


def test_files_may_be_damaged_while_they_are_compared_and_inspected(work, shown, tmp_path, qtbot):
    """Comparison, list of differences, inspector, facts, ways and go-to over two files that others write to."""
    chance = random.Random(5)
    files = [Damaged(tmp_path / name, chance) for name in ("open.bin", "second.bin")]
    bar = GoToBar(load_theme("light"))
    qtbot.addWidget(bar)
    pane = inspector = other = None
    # Each opens two files and compares them whole: half as many.
    for number in range(ROUNDS // 2):
        if pane is None or any(file.is_spent for file in files):
            for each in (pane, inspector):
                if each is not None:
                    each.hide()
            for file in files:
                file.begin()
            for each in list(work.sessions):
                work.close(each)
            session, other = (work.open(file.path) for file in files)
            pane, inspector = shown(HexPane, session), shown(InspectorPane, session)
            pane.resize(1200, 480)
        compared, session = pane.compared, pane.session
        parts = Span(chance.randrange(SIZE // 2), SIZE), Span(chance.randrange(SIZE // 2), SIZE)
        starts = parts[0].start, parts[1].start
        if number % 3:
            compared.compare_with(other)
            starts = 0, 0
        else:
            compared.compare(Part(session, session.source, parts[0]), Part(other, other.source, parts[1]))
        compared.head.list.setChecked(number % 2 == 0)
        chance.choice(files).damage()
        at = chance.randrange(SIZE)
        session.select_bytes((Span(at, at + chance.randrange(1, 40)),), "test")
        pane.facts.ask()
        bar.ask_in(session)
        bar.field.setText(f"end-{at}")
        walked(chance, *zip(files, (compared.left_view, compared.view), starts, strict=True))
        compared.step(chance.choice((1, -1)))
        pane.ways.targets()
        for row in range(min(5, compared.list.model.rowCount())):
            assert all(compared.list.model.cell(row, column) is not None for column in range(5))
        for reading in inspector.sheet.rows:
            assert reading.name
        jobs = session.jobs
        qtbot.waitUntil(lambda jobs=jobs: not jobs.is_running(STEPPING))
        bar.setVisible(False)
    qtbot.waitUntil(lambda: not session.jobs.busy)
    pane.compared.leave()
    assert not session.jobs.is_running(ALL_DIFFERENCES)
