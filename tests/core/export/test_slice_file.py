"""Slices of tensors as CSV and npy, read back by numpy."""

from __future__ import annotations

import io
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.builders.torch_values import Storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.core.export.reading import document_of
from tests.core.tensors.streams import over
from tests.core.tensors.test_sheet import CUBE, of
from viewer.core.errors import ExportError, TargetExistsError
from viewer.core.export import exporter_of, slice_file
from viewer.core.export.selection import Wanted
from viewer.core.export.slice_file import Slice, csv_text, write_slice
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.tensors.tensor import Quantizer
from viewer.core.tensors.window import IncompleteError


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (2, 1), (0, 2), (2, 0)])
@pytest.mark.parametrize("suffix", [".npy", ".csv"])
def test_two_axes(rows: int, columns: int, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slice_file, "AT_ONCE", 11)
    path = tmp_path / f"part{suffix}"
    write_slice(Slice(of(CUBE), rows, columns, (1, 1, 1)), None, path, Progress())
    (left,) = {0, 1, 2} - {rows, columns}
    wanted = CUBE.take(1, left)
    wanted = wanted if rows < columns else wanted.T
    found = np.load(path) if suffix == ".npy" else np.loadtxt(path, delimiter=",", dtype="f4")
    assert found.dtype == np.float32
    assert np.array_equal(found, wanted)


def test_one_axis_is_one_column_and_a_scalar_one_number() -> None:
    assert csv_text(Slice(of(np.array([1, 2.5], "<f4")), 0, None, (0,)), Progress()) == "1.0\n2.5"
    assert csv_text(Slice(of(np.array(5, "<i8"), "int64"), None, None, ()), Progress()) == "5"


@pytest.mark.parametrize(("dtype", "raw", "wanted"), [
    ("complex32", struct.pack("<4e", 1, 2, 3, -4), [[1 + 2j], [3 - 4j]]),
    ("bfloat16", b"\x80\x3f\x00\xc0", [[1], [-2]]),
    ("bool", b"\x00\x07", [[False], [True]]),
    ("float4_e2m1fn_x2", bytes([0x72, 0xF1]), [[1, 6], [0.5, -6]]),
])  # fmt: skip
def test_types_that_numpy_lacks(dtype: str, raw: bytes, wanted: list[list[float]], tmp_path: Path) -> None:
    tensor = over(raw, dtype, (2,), itemsize=len(raw) // 2)
    write_slice(Slice(tensor, 0, None, (0,)), None, tmp_path / "a.npy", Progress())
    assert np.load(tmp_path / "a.npy").tolist() == wanted


@pytest.mark.parametrize(("shape", "wanted"), [((0, 5), (0, 5)), ((5, 0), (5, 0)), ((0, 3, 4), (0, 4)), ((0,), (0, 1))])
def test_no_elements_are_a_file_too(shape: tuple[int, ...], wanted: tuple[int, int], tmp_path: Path) -> None:
    rows, columns = (len(shape) - 2, len(shape) - 1) if len(shape) > 1 else (0, None)
    part = Slice(over(b"", "float16", shape, itemsize=2), rows, columns, (0,) * len(shape))
    write_slice(part, None, tmp_path / "a.npy", Progress())
    found = np.load(tmp_path / "a.npy")
    assert (found.shape, found.dtype) == (wanted, np.float16)
    assert csv_text(part, Progress()).strip() == ""


def test_numbers_that_are_meant_or_stored() -> None:
    tensor = replace(over(bytes([0, 1]), "quint8", (2,), itemsize=1), quantizer=Quantizer("per_tensor_affine", 0.5, 1))
    assert csv_text(Slice(tensor, 0, None, (0,)), Progress()) == "-0.5\n0.0"
    assert csv_text(Slice(tensor, 0, None, (0,), meant=False), Progress()) == "0\n1"


@pytest.mark.parametrize("suffix", [".npy", ".csv"])
def test_a_row_longer_than_what_is_read_at_once(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory follows the screen, however wide a tensor is; each piece is a place to stop."""
    monkeypatch.setattr(slice_file, "AT_ONCE", 7)
    tensor = of(np.arange(60, dtype="<f4").reshape(3, 20))
    part, path, seen = Slice(tensor, 0, 1, (0, 0)), tmp_path / f"a{suffix}", []

    class Noting(Progress):
        def step(self, what: str, done: int, total: int = 0) -> None:
            seen.append((what, done, total))

    assert max(numbers.size for numbers, _ in part.blocks(Progress())) == 7
    write_slice(part, None, path, Noting())
    found = np.load(path) if suffix == ".npy" else np.loadtxt(path, delimiter=",", dtype="f4")
    assert np.array_equal(found, np.arange(60).reshape(3, 20))
    assert seen == [("export", 4 * (20 * row + at), 240) for row in range(3) for at in (0, 7, 14)]


def test_pairs_in_a_row_longer_than_what_is_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slice_file, "AT_ONCE", 2)
    tensor = over(bytes([0x10, 0x32, 0x54]), "float4_e2m1fn_x2", (1, 3), itemsize=1)
    write_slice(Slice(tensor, 0, 1, (0, 0)), None, tmp_path / "a.npy", Progress())
    assert np.load(tmp_path / "a.npy").tolist() == [[0, 0.5, 1, 1.5, 2, 3]]


def test_no_file_of_a_set_is_ever_replaced(tmp_path: Path) -> None:
    value = {name: tensor(Storage("uint8", bytes(9)), (9,)) for name in "abcd"}
    form, folder = exporter_of("safetensors_shards"), tmp_path / "model"
    form.write(form.plan(document_of(value), Wanted(shard_size=20)), folder, Progress())
    before = {path: path.read_bytes() for path in folder.iterdir()}
    document = open_document(folder)
    assert len(before) == 3
    for path in before:
        for target in (path, tmp_path / "link"):
            if target != path:
                target.symlink_to(path)
            with pytest.raises(ExportError) as told:
                write_slice(Slice(document.tensors[0], 0, None, (0,)), document, target, Progress())
            assert told.value.code == "target-is-source"
        target.unlink()
    document.close()
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_what_is_there_stays_unless_it_was_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"old")
    part = Slice(of(CUBE), 1, 2, (0, 0, 0))
    with pytest.raises(TargetExistsError):
        write_slice(part, None, path, Progress(), overwrite=False)
    assert path.read_bytes() == b"old"
    write_slice(part, None, path, Progress())
    assert path.read_bytes() != b"old"


def test_the_open_file_is_never_replaced_and_nothing_is_left_of_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "open.csv"
    path.write_bytes(torch_zip({"t": tensor(Storage("uint8", bytes(9)), (9,))}))
    before, document = path.read_bytes(), open_document(path)
    with pytest.raises(ExportError):
        write_slice(Slice(of(CUBE), 1, 2, (0, 0, 0)), document, path, Progress())
    document.close()
    assert path.read_bytes() == before
    with pytest.raises(IncompleteError):
        write_slice(Slice(over(bytes(8), "float32", (3,)), 0, None, (0,)), None, tmp_path / "b.csv", Progress())
    assert [found.name for found in tmp_path.iterdir()] == ["open.csv"]


def test_csv_is_what_numpy_reads() -> None:
    text = csv_text(Slice(of(CUBE), 1, 2, (1, 0, 0)), Progress())
    assert np.array_equal(np.loadtxt(io.StringIO(text), delimiter=","), CUBE[1])
