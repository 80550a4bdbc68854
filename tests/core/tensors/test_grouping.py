"""Groups of tensors: sums by prefix, equal blocks as one row, the row of each tensor."""

from __future__ import annotations

import gc
from collections.abc import Sequence

import numpy as np
import pytest

from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.opened import opened
from viewer.core.progress import Progress
from viewer.core.tensors.branches import LONGEST, Branches, branches_of
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


# -- very many branches ------------------------------------------------------------------------------------


def tree_of(names: Sequence[str]) -> Branches:
    found = Branches()
    for name in names:
        found.add(name)
    return found.finish()


@pytest.mark.parametrize(
    "names",
    [
        [],
        ["a"],
        ["a.b.c", "a.b.d", "a.e", "f", "a.b.c.d"],
        # Odd dots, and names that begin as others end.
        [".a.b", "a..b.c", "a.", ".", "..", "a.b.", "a"],
        [".".join(["deep"] * 100), ".".join(["deep"] * 70 + ["end"]), "deep.x"],
        [f"layers.{number % 7}.w.{number}" for number in range(300)],
    ],
)
def test_sums_of_branches_are_those_of_all_tensors_below(names: list[str]) -> None:
    found = tree_of(names)
    values = np.arange(1, len(names) + 1, dtype=np.int64)
    sums = found.sums(values)
    for branch in range(len(found)):
        assert sums[branch] == values[found.below(branch)].sum()
        assert found.inner(branch) == [one for one in range(1, len(found)) if found.parents[one] == branch]
        assert found.own(branch).tolist() == [at for at, home in enumerate(found.homes) if home == branch]
    assert sums[0] == values.sum()
    assert all(parent < branch for branch, parent in enumerate(found.parents))


def test_a_very_deep_name_stands_in_the_last_branch_that_is_told() -> None:
    found = tree_of([".".join(["deep"] * 200), ".".join(["deep"] * 200)])
    assert len(found) == LONGEST + 1
    assert found.homes[0] == found.homes[1] == LONGEST
    assert found.prefix(LONGEST) == ".".join(["deep"] * LONGEST)


def test_words_that_come_again_are_kept_once() -> None:
    found = tree_of([f"experts.{number}.gate_proj.weight" for number in range(1000)])
    words = [text for text in found.texts if text == "gate_proj"]
    assert len(words) == 1000
    assert len({id(text) for text in words}) == 1


def test_nothing_is_collected_while_groups_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk over millions of new objects would hold the window: it was held for 800 ms."""
    seen: list[bool] = []
    finish = Branches.finish

    def watched(branches: Branches) -> Branches:
        seen.append(gc.isenabled())
        return finish(branches)

    monkeypatch.setattr(Branches, "finish", watched)
    assert gc.isenabled()
    Groups([], [], Progress())
    branches_of([], Progress())
    assert seen == [False, False]
    assert gc.isenabled()
