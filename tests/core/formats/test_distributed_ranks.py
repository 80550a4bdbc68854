"""Checkpoints that each rank saved by itself: their metadata is read as one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.builders.distributed import Chunk, Layout, Saved, Value, save, tensor_item, whole
from tests.builders.torch_zip import torch_zip
from tests.opened import codes, regions_tile
from viewer.core.document import Document
from viewer.core.folder import Folder
from viewer.core.formats.base import Entry, Options
from viewer.core.formats.distributed import Distributed
from viewer.core.formats.distributed.streams import rank_metadata, rank_of
from viewer.core.opening import open_document
from viewer.core.summary.contents import Contents
from viewer.core.summary.prediction import predict
from viewer.core.tensors import window
from viewer.core.tensors.many import ManyTensors
from viewer.core.tensors.tensor import Tensor

JOINED: Final = "set-metadata-joined"


def file_of(rank: int) -> str:
    return f"__{rank}_0.distcp"


def save_rank(folder: Path, rank: int, saved: Sequence[Saved], values: Sequence[Value] = ()) -> None:
    """What one rank writes."""
    for one in values:
        one.file = file_of(rank)
    for tensor in saved:
        for chunk in tensor.chunks:
            chunk.file = file_of(rank)
    save(folder, saved, values)
    (folder / ".metadata").rename(folder / f"__{rank}.metadata")


def rows(first: int, count: int = 2, shape: tuple[int, int] = (4, 2)) -> Saved:
    """Some rows of a tensor of 4 x 2 float32, 0 to 7."""
    numbers = list(range(first * 2, (first + count) * 2))
    item = tensor_item("float32", (count, 2), numbers)
    return Saved("w", "float32", shape, [Chunk((first, 0), (count, 2), item=item)])


def named(document: Document) -> dict[str | None, Tensor]:
    return {tensor.name: tensor for tensor in document.tensors}


def params(document: Document, code: str) -> dict[str, object]:
    return next(dict(problem.params) for problem in document.problems if problem.code == code)


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A tensor of which each rank has half, one that both have, one that each has otherwise, and values."""
    for rank in range(2):
        saved = [rows(2 * rank), whole("same", "int16", (2,), [1, 2]), whole("own", "int16", (2,), [rank, 9])]
        save_rank(tmp_path, rank, saved, [Value("step", torch_zip(7)), Value("seed", torch_zip(40 + rank))])
    return tmp_path


def test_chunks_of_all_ranks_make_one_tensor(two: Path) -> None:
    document = open_document(two)
    assert (document.format, document.detail) == ("distributed", "torch.distributed.checkpoint, saved by each rank")
    found = named(document)
    assert list(found) == ["w", "same", "own.rank 0", "own.rank 1"]
    assert window.read(found["w"]).tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert [(piece.member, piece.offsets) for _, piece in found["w"].parts] == [
        (file_of(0), (0, 0)),
        (file_of(1), (2, 0)),
    ]
    assert codes(document) == [JOINED, "set-copies-differ"]
    assert params(document, JOINED) == {"count": 2}
    assert params(document, "set-copies-differ") == {"count": 2, "names": "seed, own"}
    document.close()


def test_what_ranks_have_alike_is_kept_once_and_else_by_rank(two: Path) -> None:
    document = open_document(two)
    found = named(document)
    assert (found["same"].member, found["same"].path) == (file_of(0), ("same",))
    assert [(found[name].path, found[name].member) for name in ("own.rank 0", "own.rank 1")] == [
        (("own", "rank 0"), file_of(0)),
        (("own", "rank 1"), file_of(1)),
    ]
    assert window.read(found["own.rank 1"]).tolist() == [1, 9]
    values = {value.name: value.document for value in document.others}
    assert list(values) == ["step", "seed.rank 0", "seed.rank 1"]
    inner = values["seed.rank 1"]
    assert inner is not None
    assert inner.main_pickle is not None
    assert inner.main_pickle.values.plain(inner.main_pickle.values.root) == 41
    document.close()


def test_the_files_of_the_set(two: Path) -> None:
    document = open_document(two)
    assert [(file.name, file.size == (two / file.name).stat().st_size) for file in document.files] == [
        *(("__0.metadata", True), ("__1.metadata", True), (file_of(0), True), (file_of(1), True))
    ]
    assert [child.how for child in document.children] == [f"file {file.name}" for file in document.files[1:]]
    other = document.member("__1.metadata")
    assert other is not None
    assert (other.file, len(other.pickles), len(other.tensors)) == (1, 1, 0)
    second = document.member(file_of(1))
    assert second is not None
    # The copy that is not shown stands in its file all the same.
    assert [tensor.shape for tensor in second.tensors] == [(2, 2), (2,), (2,)]
    assert document.tensors_in is not None
    assert [list(document.tensors_in(file_of(rank))) for rank in range(2)] == [[0, 1, 2], [0, 3]]
    for part in document.walk():
        regions_tile(part)
    document.close()


def test_rows_totals_and_bytes_of_the_object(two: Path) -> None:
    document = open_document(two)
    tensors = document.tensors
    assert isinstance(tensors, ManyTensors)
    totals = tensors.totals()
    assert (totals.count, totals.whole, totals.elements, totals.nbytes) == (4, 4, 14, 44)
    assert tensors.paths() == [("w",), ("same",), ("own", "rank 0"), ("own", "rank 1")]
    contents = Contents(document)
    for tensor in tensors:
        node = contents.node_of_tensor(tensor)
        assert node is not None
        assert contents.tensor(node) is tensor
    stated = tensors[0].stated
    assert stated is not None
    assert tensors.stated_at(stated.start + 3) == 0
    assert tensors[3].stated is None
    data = (two / "__0.metadata").read_bytes()
    assert {tensors.stated_at(offset) for offset in range(len(data))} == {-1, 0, 1, 2}
    document.close()


def test_a_copy_stands_in_for_a_file_that_is_missing(two: Path) -> None:
    (two / file_of(0)).unlink()
    document = open_document(two)
    found = named(document)
    assert found["same"].member == file_of(1)
    assert window.read(found["same"]).tolist() == [1, 2]
    assert window.available(found["w"]) == 16
    step = next(value for value in document.others if value.name == "step")
    assert (step.member, step.document is not None) == (file_of(1), True)
    assert "set-file-lost" in codes(document)
    document.close()


def test_other_shapes_and_types_are_kept_by_rank(tmp_path: Path) -> None:
    save_rank(tmp_path, 0, [whole("t", "int16", (2,), [1, 2])])
    save_rank(tmp_path, 1, [whole("t", "int16", (3,), [1, 2, 3])])
    save_rank(tmp_path, 2, [whole("t", "int32", (2,), [1, 2])])
    save_rank(tmp_path, 3, [whole("t", "int32", (2,), [1, 2])])
    document = open_document(tmp_path)
    found = [(tensor.name, tensor.dtype, tensor.shape) for tensor in document.tensors]
    assert found == [("t.rank 0", "int16", (2,)), ("t.rank 1", "int16", (3,)), ("t.rank 2", "int32", (2,))]
    document.close()


def test_copies_of_a_chunk_are_no_overlap(tmp_path: Path) -> None:
    for rank in range(4):
        save_rank(tmp_path, rank, [rows(2 * (rank % 2))])
    document = open_document(tmp_path)
    assert codes(document) == [JOINED]
    assert [piece.member for _, piece in document.tensors[0].parts] == [file_of(0), file_of(1)]
    assert window.read(document.tensors[0]).tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    document.close()


def test_chunks_that_no_rank_has(tmp_path: Path) -> None:
    save_rank(tmp_path, 0, [rows(0, 1)])
    save_rank(tmp_path, 1, [rows(3, 1)])
    document = open_document(tmp_path)
    assert params(document, "set-pieces-hole") == {"name": "w", "missing": 4, "count": 8}
    document.close()


def test_ranks_are_counted_by_number(tmp_path: Path) -> None:
    for rank in (10, 2, 0):
        save_rank(tmp_path, rank, [whole(f"t{rank}", "int16", (1,), [rank])])
    document = open_document(tmp_path)
    assert [tensor.name for tensor in document.tensors] == ["t0", "t2", "t10"]
    assert params(document, "set-metadata-rank-lost") == {"count": 8, "ranks": "1, 3, 4, 5, 6 and 3 more"}
    document.close()


def test_names_of_metadata() -> None:
    assert [
        rank_of(name) for name in ("__0.metadata", "__12.metadata.tmp", ".metadata", "__x.metadata", "__0_0.distcp")
    ] == [*(0, 12, -1, -1, -1)]
    names = ["__10.metadata", "__1.metadata.tmp", "__2.metadata", "__2.metadata.tmp"]
    assert rank_metadata(names) == ["__1.metadata.tmp", "__2.metadata", "__10.metadata"]


def test_a_rank_whose_save_did_not_end(two: Path) -> None:
    (two / "__1.metadata").rename(two / "__1.metadata.tmp")
    document = open_document(two)
    assert params(document, "set-metadata-temporary") == {"file": "__1.metadata.tmp"}
    assert window.complete(named(document)["w"])
    document.close()


@pytest.mark.parametrize("data", [b"", b"\x80\x04N.", b"\x80\x04}q", b"no pickle at all"])
def test_metadata_of_a_rank_that_is_none(two: Path, data: bytes) -> None:
    (two / "__1.metadata").write_bytes(data)
    document = open_document(two)
    assert [tensor.name for tensor in document.tensors] == ["w", "same", "own"]
    assert {"set-pieces-hole", "set-file-extra"} <= set(codes(document))
    document.close()


def test_metadata_of_the_first_rank_that_is_cut(two: Path) -> None:
    path = two / "__0.metadata"
    path.write_bytes(path.read_bytes()[:300])
    document = open_document(two)
    assert "set-metadata-incomplete" in codes(document)
    assert named(document)["own"].member == file_of(1)
    document.close()


def test_which_metadata_opens_what(two: Path) -> None:
    folder, known = Folder(two), Distributed()
    assert known.entry(folder.names(), folder) == Entry("__0.metadata", "distributed-ranks")
    assert known.set_of("__1.metadata", folder) == Entry("__0.metadata", "distributed-ranks")
    assert known.set_of(file_of(1), folder) == Entry("__0.metadata", "distributed-ranks")
    chosen = open_document(two / "__1.metadata", options=Options(whole_set=True))
    assert (chosen.opened_by, len(chosen.tensors)) == ("__1.metadata", 4)
    chosen.close()
    alone = open_document(two / "__1.metadata")
    assert ([tensor.name for tensor in alone.tensors], "set-metadata-ranks" in codes(alone)) == (
        ["w", "same", "own"],
        True,
    )
    alone.close()
    (two / "__1.metadata").unlink()
    assert known.entry(folder.names(), folder) == Entry("__0.metadata")
    assert known.set_of("__0.metadata", folder) is None


def test_metadata_of_all_ranks_comes_first(two: Path) -> None:
    save(two, [whole("all", "int16", (1,), [5], "all.distcp")], layout=Layout())
    document = open_document(two)
    assert [tensor.name for tensor in document.tensors] == ["all"]
    assert params(document, "set-metadata-passed") == {"file": ".metadata", "files": "__0.metadata, __1.metadata"}
    document.close()


def test_only_so_many_copies_are_compared(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.core.formats.distributed.streams.MOST_COMPARED", 0)
    monkeypatch.setattr("viewer.core.formats.distributed.copies.MOST_COMPARED", 0)
    document = open_document(two)
    assert [tensor.name for tensor in document.tensors] == ["w", "same", "own"]
    assert params(document, "set-copies-unchecked") == {"count": 0, "total": 4}
    document.close()


def test_the_code_joins_the_ranks(two: Path) -> None:
    document = open_document(two)
    code = predict(document).code
    assert code is not None
    assert "for rank in range(2))" in code
    document.close()
