from __future__ import annotations

from collections.abc import Iterable

import pytest

from viewer.core.tree import PAGE_KIND, ROOT, Row, Tree


class Numbers:
    """A root with `size` children, each with `size // 10` children; child n owns the bytes 10n..10n+9."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.asked: list[tuple[int, int]] = []
        self.tree = Tree(self)

    def count(self, node: int) -> int:
        return self.size if node == ROOT else 0

    def rows(self, node: int, first: int, stop: int) -> Iterable[Row]:
        self.asked.append((first, stop))
        return [Row(1, n, 10 * n, 10 * n + 10) for n in range(first, stop)]

    def find(self, node: int, offset: int) -> int:
        return offset // 10 if node == ROOT else -1


def test_few_children_are_rows_themselves() -> None:
    tree = Numbers(3).tree
    assert tree.count(ROOT) == 3
    assert list(tree.children(ROOT)) == [1, 2, 3]
    assert [tree.payloads[node] for node in tree.children(ROOT)] == [0, 1, 2]
    assert tree.parent(2) == ROOT
    assert tree.row(2) == 1
    assert tree.page(2) is None


def test_nothing_is_made_before_it_is_asked_for() -> None:
    numbers = Numbers(1000)
    assert numbers.tree.count(ROOT) == 1000
    assert numbers.asked == []
    assert len(numbers.tree) == 1


def test_a_million_children_show_a_thousand_pages() -> None:
    numbers = Numbers(1_000_000)
    tree = numbers.tree
    assert tree.count(ROOT) == 1000
    assert tree.kinds[tree.child(ROOT, 999)] == PAGE_KIND
    assert tree.page(tree.child(ROOT, 999)) == (999_000, 1_000_000)
    assert numbers.asked == []
    assert len(tree) == 1001


def test_a_jump_makes_one_page() -> None:
    numbers = Numbers(1_000_000)
    tree = numbers.tree
    node = tree.nth(ROOT, 123_456)
    assert tree.payloads[node] == 123_456
    assert numbers.asked == [(123_000, 124_000)]
    assert tree.number(node) == 123_456
    assert tree.row(node) == 456
    assert tree.owner(tree.parent(node)) == ROOT
    assert len(tree) == 1 + 1000 + 1000


def test_pages_of_pages() -> None:
    numbers = Numbers(1_000_001)
    tree = numbers.tree
    assert tree.count(ROOT) == 2
    assert tree.page(tree.child(ROOT, 1)) == (1_000_000, 1_000_001)
    first = tree.child(ROOT, 0)
    assert tree.count(first) == 1000
    assert tree.page(tree.child(first, 1)) == (1000, 2000)
    assert tree.payloads[tree.nth(ROOT, 1_000_000)] == 1_000_000
    assert tree.payloads[tree.nth(ROOT, 1999)] == 1999
    assert len(tree.path_to(tree.nth(ROOT, 1999))) == 3


def test_the_smallest_node_that_owns_a_byte() -> None:
    tree = Numbers(5000).tree
    node = tree.node_at(43_215)
    assert tree.payloads[node] == 4321
    assert (tree.starts[node], tree.stops[node]) == (43_210, 43_220)
    assert tree.node_at(50_000) == ROOT


def test_offsets_are_not_cut_to_32_bits() -> None:
    class Far(Numbers):
        def rows(self, node: int, first: int, stop: int) -> Iterable[Row]:
            return [Row(1, 0, 2**40, 2**41)]

    tree = Far(1).tree
    assert tree.stops[tree.child(ROOT, 0)] == 2_199_023_255_552


def test_a_row_that_is_not_there() -> None:
    tree = Numbers(3).tree
    with pytest.raises(IndexError):
        tree.child(ROOT, 3)
    with pytest.raises(IndexError):
        tree.nth(ROOT, -1)


def test_a_provider_that_breaks_its_promise() -> None:
    class Short(Numbers):
        def rows(self, node: int, first: int, stop: int) -> Iterable[Row]:
            return [Row(1, 0)]

    with pytest.raises(ValueError, match="2 rows were expected, 1 came"):
        Short(2).tree.child(ROOT, 0)
