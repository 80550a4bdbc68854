"""Groups of tensors: sums by prefix, equal blocks as one row, the row of each tensor."""

from __future__ import annotations

from collections.abc import Sequence

from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.opened import opened
from viewer.core.progress import Progress
from viewer.core.tensors.grouping import BRANCH, FOLD, TENSOR, Groups
from viewer.core.tree import PAGE, ROOT


def grouped(values: dict[str, object], numbers: Sequence[int] | None = None) -> Groups:
    tensors = opened(torch_zip(values)).tensors
    return Groups(tensors, range(len(tensors)) if numbers is None else numbers, Progress())


def told(groups: Groups, node: int) -> list[tuple[int, str, tuple[int, int, int]]]:
    tree, found = groups.tree, []
    for child in tree.children(node):
        kind, payload = tree.kinds[child], tree.payloads[child]
        if kind == TENSOR:
            found.append((kind, str(groups.tensors[payload].name), (1, 0, 0)))
        elif kind == FOLD:
            fold = groups.folds[payload]
            found.append((kind, f"{fold.first}..{fold.last}", groups.sums(kind, payload)))
        else:
            found.append((kind, groups.branches.texts[payload], groups.sums(kind, payload)))
    return found


def blocks(count: int) -> dict[str, object]:
    return {
        f"layers.{number}.{name}": full("float32", shape, [0] * size)
        for number in range(count)
        for name, shape, size in (("fc.weight", (2, 3), 6), ("norm", (3,), 3))
    }


def test_sums_of_more_elements_than_64_bits_hold() -> None:
    wide = tensor(storage("float32", [1.0]), (2**62, 4), (0, 0))
    groups = grouped({"a.x": wide, "a.y": full("float32", (2,), [1, 2])})
    assert told(groups, ROOT) == [(BRANCH, "a", (2, 2**64 + 2, 4 * (2**64 + 2)))]


def test_branches_have_sums() -> None:
    groups = grouped(
        {"a.x": full("float32", (4,), range(4)), "b": full("int64", (), [1]), "a.y.z": full("int8", (3,), [1] * 3)}
    )
    assert told(groups, ROOT) == [(BRANCH, "a", (2, 7, 19)), (TENSOR, "b", (1, 0, 0))]
    assert told(groups, groups.tree.child(ROOT, 0)) == [(TENSOR, "a.x", (1, 0, 0)), (BRANCH, "y", (1, 3, 3))]
    assert groups.below(ROOT) == [0, 1, 2]
    assert groups.below(groups.tree.child(ROOT, 0)) == [0, 2]


def test_equal_blocks_are_one_row_that_opens() -> None:
    groups = grouped({**blocks(12), "layers.12.norm": full("float32", (3,), [0] * 3)})
    layers = groups.tree.child(ROOT, 0)
    assert told(groups, layers) == [(FOLD, "0..11", (24, 108, 432)), (BRANCH, "12", (1, 3, 12))]
    fold = groups.tree.child(layers, 0)
    assert len(told(groups, fold)) == 12
    assert groups.below(fold) == list(range(24))


def test_blocks_of_other_shapes_are_not_folded() -> None:
    odd = {**blocks(5), "layers.2.norm": full("float32", (4,), [0] * 4)}
    groups = grouped(odd)
    assert [name for _, name, _ in told(groups, groups.tree.child(ROOT, 0))] == ["0", "1", "2", "3", "4"]


def test_the_row_of_each_tensor_is_found() -> None:
    groups = grouped({**blocks(4), "head": full("float32", (1,), [0])})
    for number in range(len(groups.tensors)):
        node = groups.node_of(number)
        assert (groups.tree.kinds[node], groups.tree.payloads[node]) == (TENSOR, number)


def test_only_some_tensors_are_grouped() -> None:
    groups = grouped(blocks(4), [1, 5])
    assert told(groups, groups.tree.child(ROOT, 0)) == [(BRANCH, "0", (1, 3, 12)), (BRANCH, "2", (1, 3, 12))]
    assert groups.node_of(0) == ROOT
    assert groups.below(groups.tree.child(ROOT, 0)) == [1, 5]


def test_many_tensors_side_by_side_come_in_pages() -> None:
    groups = grouped({f"w{number}": full("int8", (), [0]) for number in range(PAGE + 5)})
    assert groups.tree.count(ROOT) == 2
    node = groups.node_of(PAGE + 2)
    assert groups.tree.payloads[node] == PAGE + 2
    assert groups.below(groups.tree.child(ROOT, 1)) == list(range(PAGE, PAGE + 5))


def test_no_tensors_have_no_groups() -> None:
    groups = grouped({"a": full("int8", (), [0])}, [])
    assert groups.tree.count(ROOT) == 0
