"""Every byte of a file has one head: the sums are its size, and each case's waste is what was reported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders.distributed import Chunk, Saved, large_set, save, tensor_item
from tests.builders.legacy import legacy
from tests.builders.sets import sparse_set
from tests.builders.torch_values import Storage, full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.opened import opened
from tests.shared import ROOT
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.space import account as space_account
from viewer.core.space.account import Account, What, account
from viewer.core.space.runs import Runs, places
from viewer.core.tensors import window

SIX = storage("float32", [0, 1, 2, 3, 4, 5])
FEW = Storage("float32", bytes(24))


def told(document: Document) -> Account:
    found = account(document, Progress())
    assert sum(found.sums.values()) == document.whole_size == found.size
    assert min(found.sums.values()) >= 0
    assert int(found.owned.sum()) == found.tensor_bytes
    assert int(found.storages.sizes.sum()) == found.tensor_bytes + found.sums[What.WASTED]
    assert sum(item.nbytes for item in found.items) == found.size - found.tensor_bytes
    return found


@pytest.mark.parametrize("path", sorted((ROOT / "resources" / "samples").iterdir()), ids=lambda path: path.name)
def test_the_sums_of_each_sample_are_its_size(path: Path) -> None:
    document = open_document(path)
    try:
        for part in document.walk():
            told(part)
    finally:
        document.close()


@pytest.mark.parametrize("path", sorted((ROOT / "resources" / "samples").iterdir()), ids=lambda path: path.name)
def test_regions_that_are_told_together_are_told_as_one_by_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def items(found: Account) -> list[tuple[object, ...]]:
        rows = ((one.what, one.label, one.nbytes, one.span, one.member, one.count) for one in found.items)
        return sorted(rows, key=str)

    document = open_document(path)
    try:
        together = [account(part, Progress()) for part in document.walk()]
        monkeypatch.setattr(space_account, "_add_alike", lambda _a, _b, regions, *_: np.ones(len(regions), np.bool_))
        alone = [account(part, Progress()) for part in document.walk()]
    finally:
        document.close()
    assert [items(found) for found in together] == [items(found) for found in alone]
    assert [found.sums for found in together] == [found.sums for found in alone]


@pytest.mark.parametrize("folder", ["samples", "cases", "tricks"])
def test_the_sums_of_all_shared_files_are_their_sizes(shared: Path, folder: str) -> None:
    paths = [
        path for path in sorted((shared / folder).rglob("*")) if path.is_file() and path.suffix not in (".py", ".md")
    ]
    looked_at = 0
    for path in paths:
        document = open_document(path)
        for part in document.walk():
            told(part)
            looked_at += 1
        document.close()
    assert looked_at >= len(paths) > 0


def test_a_slice_wastes_the_rest_of_its_storage() -> None:
    found = told(opened(torch_zip({"w": tensor(SIX, (2,), (1,), 1)})))
    assert (found.sums[What.TENSORS], found.sums[What.WASTED], found.sums[What.SHARED]) == (8, 16, 0)
    (use,) = found.storages
    assert (use.nbytes, use.used, use.wasted, use.tensors, use.count) == (24, 8, 16, (0,), 1)


def test_what_two_tensors_use_is_shared_and_counts_once() -> None:
    found = told(opened(torch_zip({"a": tensor(SIX, (4,), (1,)), "b": tensor(SIX, (4,), (1,), 2)})))
    assert (found.sums[What.TENSORS], found.sums[What.SHARED], found.sums[What.WASTED]) == (16, 8, 0)
    assert found.owned.tolist() == [16, 8]
    assert found.saved == 8


def test_what_is_missing_of_two_tied_tensors_counts_once() -> None:
    data = legacy({"a": tensor(SIX, (6,)), "b": tensor(SIX, (6,)), "part": tensor(SIX, (3,), (1,), 2)})
    assert told(opened(data)).missing == 0
    assert told(opened(data[:-10])).missing == 10


def test_what_is_missing_of_the_files_of_a_set_is_what_its_tensors_lack(tmp_path: Path) -> None:
    large_set(tmp_path, 12, 3)
    pieces = [Chunk((at, 0), (2, 4), f"__{9 + at}_0.distcp", tensor_item("float32", (2, 4), range(8))) for at in (0, 2)]
    (tmp_path / "pieces").mkdir()
    save(tmp_path / "pieces", [Saved("w", "float32", (4, 4), pieces)])
    first, second, *_ = sorted(tmp_path.glob("*.distcp"))
    first.write_bytes(first.read_bytes()[: first.stat().st_size // 2])
    second.unlink()
    (tmp_path / "pieces" / "__11_0.distcp").unlink()
    for folder, missing in ((tmp_path, 6 * 128), (tmp_path / "pieces", 32)):
        document = open_document(folder)
        found = told(document)
        document.close()
        assert found.missing == sum(window.missing_bytes(one)[0] for one in document.tensors) == missing


def test_columns_own_their_own_bytes() -> None:
    pair = [tensor(SIX, (3, 1), (2, 1)), tensor(SIX, (3, 1), (2, 1), 1)]
    found = told(opened(torch_zip({"pair": pair})))
    assert found.owned.tolist() == [12, 12]
    alone = told(opened(torch_zip({"one": pair[0]})))
    assert (alone.sums[What.TENSORS], alone.sums[What.WASTED]) == (12, 12)


def test_a_transposed_and_an_expanded_tensor_lie_in_one_run() -> None:
    document = opened(torch_zip({"t": tensor(SIX, (3, 2), (1, 3)), "e": tensor(FEW, (5, 6), (0, 1))}))
    runs = [places(one) for one in document.tensors]
    assert [(one.starts, one.length) for one in runs] == [([0], 24), ([0], 24)]


def test_records_of_storages_that_no_tensor_needs_are_unreferenced() -> None:
    whole = torch_zip({"a": full("float32", (2,), range(2)), "b": full("float32", (3,), range(3))})
    document = opened(whole)
    document.tensors = [document.tensors[0]]
    found = told(document)
    assert (found.sums[What.TENSORS], found.sums[What.UNREFERENCED]) == (8, 12)


def test_runs_that_overlap_are_told_apart() -> None:
    runs = Runs.of([0, 2, 2, 9], [6, 4, 8, 20], [0, 1, 2, 3], 12)
    once, twice = runs.disjoint(), runs.doubled()
    assert list(zip(once.starts.tolist(), once.stops.tolist(), once.owners.tolist(), strict=True)) == [
        (0, 6, 0),
        (6, 8, 2),
        (9, 12, 3),
    ]
    assert int(twice.lengths().sum()) == 4
    stretches = np.array([0, 5, 7, 8, 30]), np.array([3, 10, 8, 9, 40])
    assert once.covered(*stretches).tolist() == [3, 4, 1, 0, 0]


@pytest.mark.parametrize(
    ("case", "sums"),
    [
        ("sto-slice/slice.pt", {What.TENSORS: 40, What.WASTED: 39960, What.SHARED: 0}),
        ("sto-tied/gpt2.bin", {What.TENSORS: 32, What.WASTED: 0, What.SHARED: 64}),
    ],
)
def test_the_waste_of_reported_files(shared: Path, case: str, sums: dict[What, int]) -> None:
    document = open_document(shared / "cases" / case)
    found = told(document)
    document.close()
    assert {what: found.sums[what] for what in sums} == sums


def test_files_of_a_set_are_told_in_few_pieces_with_the_same_sums(tmp_path: Path) -> None:
    """Each entry of a header was a region that stayed in memory: half a gigabyte for a million names."""
    document = open_document(sparse_set(tmp_path, 3, 40, (8, 8)))
    files = [child for child in document.children if child.is_member]
    assert [len(child.pieces) for child in files] == [3, 3, 3]
    for child in files:
        reached = 0
        for piece in child.pieces:
            assert piece.span.start == reached
            reached = piece.span.stop
        assert reached == child.source.size
    quick = account(document, Progress())
    assert [len(child.regions) for child in files] == [84, 84, 84]
    for child in files:
        child.pieces = ()
    whole = account(document, Progress())
    assert quick.sums == whole.sums
    assert quick.owned.tolist() == whole.owned.tolist()
    assert quick.waste == whole.waste == 0
    assert sum(quick.sums.values()) == document.whole_size
    document.close()


def test_regions_of_files_of_a_set_are_not_kept(tmp_path: Path) -> None:
    document = open_document(sparse_set(tmp_path, 2, 5, (8, 8)))
    (first, _) = (child for child in document.children if child.is_member)
    kept = list(first.regions)
    assert kept == list(first.regions)
    assert "_regions" not in vars(first.regions)
    document.close()
