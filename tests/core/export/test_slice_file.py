"""Slices of tensors as CSV and npy, read back by numpy."""

from __future__ import annotations

import io
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.core.tensors.streams import over
from tests.core.tensors.test_sheet import CUBE, of
from viewer.core.errors import ExportError
from viewer.core.export import slice_file
from viewer.core.export.slice_file import Slice, csv_text, write_slice
from viewer.core.progress import Progress
from viewer.core.source import FileSource
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


def test_the_open_file_is_never_replaced_and_nothing_is_left_of_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "open.csv"
    path.write_bytes(bytes(8))
    source = FileSource(path)
    with pytest.raises(ExportError):
        write_slice(Slice(of(CUBE), 1, 2, (0, 0, 0)), source, path, Progress())
    source.close()
    assert path.read_bytes() == bytes(8)
    with pytest.raises(IncompleteError):
        write_slice(Slice(over(bytes(8), "float32", (3,)), 0, None, (0,)), None, tmp_path / "b.csv", Progress())
    assert [found.name for found in tmp_path.iterdir()] == ["open.csv"]


def test_csv_is_what_numpy_reads() -> None:
    text = csv_text(Slice(of(CUBE), 1, 2, (1, 0, 0)), Progress())
    assert np.array_equal(np.loadtxt(io.StringIO(text), delimiter=","), CUBE[1])
