"""The list of hits: order, what touches a view, the bound, its memory."""

import numpy as np

from viewer.core.search_bytes.base import Hits
from viewer.core.search_bytes.hit_list import HitList
from viewer.core.span import Span


def starts(*values):
    return np.array(values, np.int64)


def test_hits_are_found_by_place():
    found = HitList(length=4)
    found.add(Hits(starts(3, 10)), 20)
    found.add(Hits(starts(25)), 40)
    assert len(found) == found.total == 3
    assert found[1] == Span(10, 14)
    assert (found.before(10), found.before(11), found.before(99)) == (1, 2, 3)
    assert list(found.touching(13, 26, 4)) == [(10, 14), (25, 29)]
    assert found.shares([0, 5, 20, 40]) == [1, 1, 1]
    assert (found.searched, found.known_to) == (40, 40)


def test_places_before_the_first_hit_and_behind_one():
    found = HitList(100, 4)
    assert (found.searched, found.known_to, found.before(500)) == (100, 100, 0)
    found.add(Hits(starts(200, 300)), 400)
    assert [found.before(offset) for offset in (0, 200, 201, 300, 301)] == [0, 0, 1, 1, 2]
    assert list(found.touching(150, 200, 4)) == []
    assert list(found.touching(203, 300, 4)) == [(200, 204)]
    assert list(found.touching(204, 300, 4)) == []


def test_lengths_that_differ():
    found = HitList()
    found.add(Hits(starts(3, 10), np.array([2, 7], np.uint32)), 20)
    assert [found[0], found[1]] == [Span(3, 5), Span(10, 17)]
    assert list(found.touching(16, 17, 10)) == [(10, 17)]


def test_all_are_counted_and_so_many_are_kept():
    found = HitList(length=1, most=3)
    found.add(Hits(starts(1, 2)), 10)
    found.add(Hits(starts(11, 12)), 20)
    assert (len(found), found.total, found.is_whole) == (3, 4, False)
    assert (found.searched, found.known_to) == (20, 10)


def test_a_million_hits_take_less_than_16_mib():
    for lengths in (None, np.ones(1_000_000, np.uint32)):
        found = HitList(length=0 if lengths is not None else 1)
        found.add(Hits(np.arange(1_000_000), lengths), 1_000_000)
        assert found.total == 1_000_000
        assert found.nbytes <= 16 * 2**20
    assert HitList().shares([0, 1, 2]) == [0, 0]
