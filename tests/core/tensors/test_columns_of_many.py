"""What is told of very many tensors by columns is what a look at each of them tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.builders.sets import numbered, shard, write_set
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.space.account import account
from viewer.core.space.nodes import By, Nodes
from viewer.core.tensors import grouping
from viewer.core.tensors.branches import branches_of
from viewer.core.tensors.filtering import filtered, parse
from viewer.core.tensors.grouping import BRANCH, Groups
from viewer.core.tensors.indexed import IndexedTensors
from viewer.core.tensors.tensor import Tensor

LAYERS = 4


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[Document]:
    """A model in three files: blocks alike, a last one that differs, and a file that is cut."""
    weight_map: dict[str, object] = {}
    files = {}
    for number in range(3):
        tensors: dict[str, tuple[list[int], list[float]]] = {}
        for layer in range(LAYERS):
            shape = [2, 3] if layer < LAYERS - 1 else [6]
            tensors[f"model.{number}.layers.{layer}.weight"] = (shape, [float(layer)] * 6)
            tensors[f"model.{number}.layers.{layer}.bias"] = ([2], [1.0, 2.0])
        name = numbered(number + 1, 3)
        files[name] = shard(tensors)
        weight_map.update(dict.fromkeys(tensors, name))
    last = numbered(3, 3)
    files[last] = files[last][:-12]
    document = open_document(write_set(tmp_path, files, weight_map))
    yield document
    document.close()


def many(document: Document) -> IndexedTensors:
    assert isinstance(document.tensors, IndexedTensors)
    return document.tensors


@pytest.mark.parametrize(
    "text",
    ["shape:[2,*]", "dtype:f32 *.bias", "file:00002", "-file:00001 rank:1", "cut", "whole size>8", "shared", "*weight"],
)
def test_a_filter_leaves_the_same(whole: Document, text: str) -> None:
    tensors = many(whole)
    each: Sequence[Tensor] = list(tensors)
    found = filtered(tensors, parse(text), None, Progress())
    assert found == filtered(each, parse(text), None, Progress())
    assert bool(found) is (text != "shared")


def test_the_sorts_are_those_of_each(whole: Document) -> None:
    tensors = many(whole)
    alike = tensors.alike()
    for tensor, sort in zip(tensors, alike.sorts.tolist(), strict=True):
        example = alike.examples[sort]
        assert (example.dtype, example.shape, example.member) == (tensor.dtype, tensor.shape, tensor.member)
    assert len(alike.examples) < len(tensors)


@pytest.mark.parametrize("step", [1, 2])
def test_groups_have_the_same_sums_and_folds(whole: Document, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    tensors = many(whole)
    numbers = range(0, len(tensors), step)
    one_by_one = Groups(list(tensors), numbers, Progress())
    monkeypatch.setattr(grouping, "BLOCK", 1)
    by_sorts = Groups(tensors, numbers, Progress())
    assert by_sorts.branches.texts == one_by_one.branches.texts
    for column in ("counts", "elements", "nbytes"):
        assert getattr(by_sorts, column).tolist() == getattr(one_by_one, column).tolist()
    for branch in range(len(by_sorts.branches)):
        assert by_sorts.rows(BRANCH, branch) == one_by_one.rows(BRANCH, branch)
    assert by_sorts.folds == one_by_one.folds != []


def test_the_account_is_the_same(whole: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    by_columns = account(whole, Progress())
    tensors = many(whole)
    assert len(tensors.stored().numbers) > 0
    monkeypatch.setattr(IndexedTensors, "stored", lambda self: None)
    each = account(whole, Progress())
    assert by_columns.sums == each.sums
    assert by_columns.owned.tolist() == each.owned.tolist()
    assert (by_columns.missing, by_columns.saved, by_columns.items) == (each.missing, each.saved, each.items)
    for number in range(len(tensors)):
        assert by_columns.piles.span(number) == each.piles.span(number)
        assert by_columns.piles.member(number) == each.piles.member(number)
    uses = [
        {(use.span, use.member, use.used, use.wasted, use.tensors, use.count) for use in one.storages}
        for one in (by_columns, each)
    ]
    assert uses[0] == uses[1]


def test_each_tensor_is_found_in_its_storage(whole: Document) -> None:
    nodes = Nodes(account(whole, Progress()), branches_of(whole.tensors, Progress()), whole.tensors)
    stored = [number for number in range(len(whole.tensors)) if nodes.account.owned[number]]
    assert len(stored) > LAYERS
    for number in stored:
        path = nodes.path(number, By.STORAGE)
        assert number in nodes.account.storages[path[-1].number].tensors
