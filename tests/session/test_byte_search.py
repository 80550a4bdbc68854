"""The byte search of a session: all hits as they come, steps from the list and before it knows."""

import random
import threading

import numpy as np
import pytest

from viewer.core.errors import SourceError
from viewer.core.progress import Progress
from viewer.core.search_bytes.base import Hits
from viewer.core.search_bytes.expression import expression_query
from viewer.core.search_bytes.hit_list import HitList
from viewer.core.search_bytes.literal import Literal
from viewer.core.search_bytes.scan import next_hit, pieces
from viewer.core.source import BLOCK, MemorySource
from viewer.core.span import Span
from viewer.session.byte_search import ByteSearch, known
from viewer.session.jobs import Jobs


class Failing(MemorySource):
    """A device that fails."""

    def read_into(self, offset, buffer):
        raise SourceError("file-unreadable", path="x", reason="Input/output error")


class Slow(MemorySource):
    """Waits in each block until it is let go or the search is stopped."""

    def __init__(self, data, event):
        super().__init__(data)
        self.event = event

    def read_into(self, offset, buffer):
        self.event.wait(120)
        return super().read_into(offset, buffer)


@pytest.fixture
def search(qtbot):
    jobs = Jobs()
    yield ByteSearch(jobs)
    jobs.close()


def whole(source):
    return Span(0, source.size)


def test_all_hits_are_listed_and_the_next_is_reached(search, qtbot):
    source = MemorySource(b"ab..ab" + bytes(3 * BLOCK) + b"ab")
    search.look(source, Literal(b"ab"), whole(source))
    with qtbot.waitSignal(search.reached) as reached:
        search.step(Span(0, 2))
    assert reached.args == [Span(4, 6)]
    qtbot.waitUntil(lambda: not search.running)
    assert [search.hits[number].start for number in range(3)] == [0, 4, 3 * BLOCK + 6]
    # Known by now: told at once, round the end too.
    told = []
    search.reached.connect(told.append)
    search.step(Span(4, 6))
    search.step(search.current)
    search.step(search.current, backwards=True)
    assert told == [Span(3 * BLOCK + 6, 3 * BLOCK + 8), Span(0, 2), Span(3 * BLOCK + 6, 3 * BLOCK + 8)]


def test_nothing_found_is_told(search, qtbot):
    source = MemorySource(bytes(100))
    search.look(source, Literal(b"ab"), whole(source))
    with qtbot.waitSignal(search.reached) as reached:
        search.step(Span(0, 0))
    assert reached.args == [None]
    assert not search.finding


def test_a_device_that_fails_ends_the_search(search, qtbot):
    source = Failing(bytes(100))
    search.look(source, Literal(b"ab"), whole(source))
    qtbot.waitUntil(lambda: search.failure is not None)
    assert not search.running


def test_what_is_stopped_tells_no_more(search, qtbot):
    event = threading.Event()
    source = Slow(b"ab" + bytes(4 * BLOCK), event)
    search.look(source, Literal(b"ab"), whole(source))
    search.stop()
    event.set()
    other = MemorySource(b"..cd")
    search.look(other, Literal(b"cd"), whole(other))
    qtbot.waitUntil(lambda: not search.running)
    assert search.hits.total == 1
    assert search.hits[0] == Span(2, 4)


@pytest.mark.parametrize("query", [Literal(b"aa"), expression_query("a+b?")], ids=["literal", "expression"])
def test_the_list_tells_what_a_search_would(query):
    chance = random.Random(7)
    source = MemorySource(bytes(chance.choices(b"abcd", k=120)))
    scope = Span(5, 110)
    found = HitList(scope.start, query.length)
    for piece in pieces(source, query, scope, scope, Progress()):
        found.add(piece.hits, piece.searched)
    starts = [found[number].start for number in range(len(found))]
    for at in range(5, 110):
        for selected in (Span(at, at), Span(at, at + 1)):
            here = known(found, scope, selected, backwards=False)
            turn = selected.start + (selected.length > 0)
            assert here.start == next((start for start in starts if start >= turn), starts[0])
            back = known(found, scope, selected, backwards=True)
            assert back.start == next((start for start in reversed(starts) if start < at), starts[-1])
            if query.overlap:
                assert next_hit(source, query, selected, Progress(), scope=scope) == here
                assert next_hit(source, query, selected, Progress(), scope=scope, backwards=True) == back


def test_a_list_that_is_not_whole_says_so():
    found = HitList(0, 1, most=2)
    found.add(Hits(np.array([5, 9], np.int64)), 20)
    scope = Span(0, 100)
    assert known(found, scope, Span(6, 7), backwards=False) == Span(9, 10)
    assert known(found, scope, Span(9, 10), backwards=False) is None
    assert known(found, scope, Span(9, 10), backwards=True) == Span(5, 6)
    assert known(found, scope, Span(50, 51), backwards=True) is None
    found.add(Hits(np.array([70], np.int64)), 100)
    assert known(found, scope, Span(9, 10), backwards=False) is None
    assert known(found, scope, Span(80, 81), backwards=True) is None


def test_other_work_goes_on_while_all_of_a_huge_file_is_searched(qtbot):
    """Listing takes one thread and the next hit another: what a click asks for is still done."""
    jobs, event = Jobs(), threading.Event()
    search, source = ByteSearch(jobs), Slow(bytes(BLOCK), event)
    try:
        search.look(source, Literal(b"ab"), whole(source))
        search.step(Span(0, 2))
        done = []
        jobs.start("a click", lambda _: 1, done.append)
        qtbot.waitUntil(lambda: done == [1])
        assert search.running
        assert search.finding
    finally:
        event.set()
        jobs.close()
