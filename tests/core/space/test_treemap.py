"""Treemaps: areas are as sizes, nothing overlaps or sticks out, small ones are merged, bytes by branch are right."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.opened import opened
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.space.account import What, account
from viewer.core.space.nodes import By, Kind, Node, Nodes
from viewer.core.space.treemap import MOST_TILES, Rect, squarify, tiles
from viewer.core.tensors.branches import branches_of

ROOM = Rect(10.0, 20.0, 600.0, 300.0)


def nodes_of(document: Document) -> Nodes:
    return Nodes(account(document, Progress()), branches_of(document.tensors, Progress()), document.tensors)


def named(nodes: Nodes, node: Node) -> dict[str, int]:
    return {child.label: child.nbytes for child in nodes.children(node)}


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=40))
def test_areas_are_as_sizes_and_nothing_overlaps(sizes: list[int]) -> None:
    sizes.sort(reverse=True)
    placed = squarify([float(size) for size in sizes], ROOM)
    for size, rect in zip(sizes, placed, strict=True):
        assert rect.area == pytest.approx(ROOM.area * size / sum(sizes), rel=1e-6, abs=1e-6)
        assert rect.x >= ROOM.x - 1e-6
        assert rect.x + rect.width <= ROOM.x + ROOM.width + 1e-6
        assert rect.y >= ROOM.y - 1e-6
        assert rect.y + rect.height <= ROOM.y + ROOM.height + 1e-6
    for one, two in combinations(placed, 2):
        wide = min(one.x + one.width, two.x + two.width) - max(one.x, two.x)
        high = min(one.y + one.height, two.y + two.height) - max(one.y, two.y)
        assert wide <= 1e-6 or high <= 1e-6


def test_squares_stay_squares() -> None:
    assert [(rect.width, rect.height) for rect in squarify([1, 1, 1, 1], Rect(0, 0, 10, 10))] == [(5, 5)] * 4


def test_bytes_by_branch_are_those_of_the_tensors() -> None:
    values = {
        "a.x": full("float32", (4,), range(4)),
        "a.y.z": full("float32", (2,), range(2)),
        "b": full("int64", (), [1]),
    }
    nodes = nodes_of(opened(torch_zip(values)))
    root = nodes.root(By.BRANCH)
    assert sum(child.nbytes for child in nodes.children(root)) == root.nbytes
    group = next(child for child in nodes.children(root) if child.what is What.TENSORS)
    assert named(nodes, group) == {"a": 24, "b": 8}
    branch = nodes.children(group)[0]
    assert named(nodes, branch) == {"x": 16, "y": 8}
    assert [node.label for node in nodes.path(1, By.BRANCH)] == ["branch", "", "a", "y", "z"]


@pytest.mark.parametrize("case", ["opt-adam/ckpt.pt", "opt-toplevel/large.pt"])
def test_reported_files_show_their_optimizers(shared: Path, case: str) -> None:
    expected = {
        "opt-adam/ckpt.pt": {"optimizer": 800, "model": 400, "best_val_loss": 4},
        "opt-toplevel/large.pt": {"optim0": 512, "model": 256, "optim1": 128},
    }
    document = open_document(shared / "cases" / case)
    nodes = nodes_of(document)
    group = next(child for child in nodes.children(nodes.root(By.BRANCH)) if child.what is What.TENSORS)
    assert list(named(nodes, group).items()) == list(expected[case].items())
    document.close()


def test_thousands_of_small_tensors_are_merged_and_none_is_lost() -> None:
    values = {f"w{number}": full("float32", (1,), [0]) for number in range(4000)}
    values["large"] = full("float32", (4000,), range(4000))
    nodes = nodes_of(opened(torch_zip(values)))
    group = next(child for child in nodes.children(nodes.root(By.BRANCH)) if child.what is What.TENSORS)
    found = tiles(nodes, group, Rect(0, 0, 300, 100), 20, 2)
    assert len(found) < MOST_TILES
    assert sum(tile.node.nbytes for tile in found if tile.parent < 0) == group.nbytes
    merged = [tile for tile in found if tile.node.kind is Kind.MERGED]
    assert len(merged) == 1
    assert merged[0].merged + len(found) - 1 == 4001
