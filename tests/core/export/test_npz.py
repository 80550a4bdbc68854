"""An npz, read by numpy."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.builders.arrays import floats, npy, npz
from tests.builders.legacy import legacy
from tests.builders.torch_values import Storage, full, state_dict, storage, tensor
from tests.core.export.reading import document_of, exported, read_npz
from viewer.core.errors import CancelledError
from viewer.core.export import exporter_of
from viewer.core.export.plan import Converted, Dropped
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource


def test_arrays_are_plain_and_in_c_order(tmp_path: Path) -> None:
    base = storage("float32", range(12))
    value = state_dict(
        {"w": tensor(base, (3, 4)), "w.turned": tensor(base, (4, 3), (1, 4)), "n": full("int64", (), [7])}
    )
    report = exported(document_of(value, byteorder="little"), tmp_path / "out.npz", "npz")
    found = read_npz(tmp_path / "out.npz")
    assert list(found) == ["w", "w.turned", "n"]
    assert found["w"].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert found["w.turned"].tolist() == [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]
    assert found["n"].tolist() == 7
    assert [array.dtype.str for array in found.values()] == ["<f4", "<f4", "<i8"]
    assert all(array.flags.c_contiguous for array in found.values())
    assert report.nbytes == (tmp_path / "out.npz").stat().st_size <= report.plan.nbytes


def test_members_are_stored_as_numpy_writes_them(tmp_path: Path) -> None:
    exported(document_of({"w": full("float32", (2,), [1, 2])}), tmp_path / "out.npz", "npz")
    with zipfile.ZipFile(tmp_path / "out.npz") as archive:
        (info,) = archive.infolist()
        assert (info.filename, info.compress_type) == ("w.npy", zipfile.ZIP_STORED)
        assert archive.read("w.npy") == floats([1, 2])


@pytest.mark.parametrize(
    ("dtype", "data", "result", "values"),
    [
        ("bfloat16", b"\x80\x3f\x00\xc0\x80\x7f", "float32", [1, -2, np.inf]),
        ("float8_e4m3fn", b"\x38\x40\xb8", "float32", [1, 2, -1]),
        ("float8_e5m2", b"\x3c\x40\x7c", "float32", [1, 2, np.inf]),
        ("float8_e4m3fnuz", b"\x40\x48\x01", "float32", [1, 2, 0.0009765625]),
        ("float8_e5m2fnuz", b"\x40\x44\x01", "float32", [1, 2, 7.62939453125e-06]),
        ("float8_e8m0fnu", b"\x7f\x80\x00", "float32", [1, 2, 2.0**-127]),
        ("complex32", b"\x00\x3c\x00\x40", "complex64", [1 + 2j]),
        ("bits8", b"\x01\xff", "uint8", [1, 255]),
        ("bits16", b"\x01\x02", "uint16", [513]),
    ],
)
def test_types_that_numpy_lacks_are_widened_and_said(
    tmp_path: Path, dtype: str, data: bytes, result: str, values: list[complex]
) -> None:
    document = document_of({"w": tensor(Storage(dtype, data), (len(values),))})
    report = exported(document, tmp_path / "out.npz", "npz")
    array = read_npz(tmp_path / "out.npz")["w"]
    assert array.dtype == result
    assert array.tolist() == values
    assert report.plan.converted == (Converted("w", dtype, result),)


def test_types_that_stay_are_not_said(tmp_path: Path) -> None:
    value = {
        "b": tensor(Storage("bool", b"\0\x01\x07"), (3,)),
        "u": tensor(Storage("uint16", b"\x01\x02"), (1,)),
        "c": tensor(Storage("complex64", b"\0\0\x80?\0\0\0@"), (1,)),
    }
    report = exported(document_of(value), tmp_path / "out.npz", "npz")
    found = read_npz(tmp_path / "out.npz")
    assert report.plan.converted == ()
    assert found["b"].tolist() == [False, True, True]
    assert found["b"].view(np.uint8).tolist() == [0, 1, 1]
    assert found["u"].tolist() == [513]
    assert found["c"].tolist() == [1 + 2j]


def test_big_endian_and_conjugated_elements(tmp_path: Path) -> None:
    value = {
        "f": tensor(Storage("float32", b"\x3f\x80\0\0\x40\0\0\0"), (2,)),
        "c": tensor(Storage("complex64", b"\x3f\x80\0\0\x40\0\0\0"), (1,), metadata={"conj": True}),
    }
    exported(document_of(value, byteorder="big"), tmp_path / "out.npz", "npz")
    found = read_npz(tmp_path / "out.npz")
    assert found["f"].tolist() == [1, 2]
    assert found["c"].tolist() == [1 - 2j]


def test_what_has_no_form_is_named(tmp_path: Path) -> None:
    value = state_dict(
        {"w": full("float32", (1,), [1]), "f4": tensor(Storage("float4_e2m1fn_x2", b"\x12"), (1,)), "epoch": 3}
    )
    report = exported(document_of(value), tmp_path / "out.npz", "npz")
    assert list(read_npz(tmp_path / "out.npz")) == ["w"]
    assert report.plan.dropped == (
        Dropped("f4", "dtype", {"dtype": "float4_e2m1fn_x2", "form": "numpy"}),
        Dropped("epoch", "not-tensor"),
    )


def test_a_cut_tensor_is_left_out(tmp_path: Path) -> None:
    value = {"a": full("float32", (2,), [1, 2]), "b": full("float32", (2,), [3, 4])}
    report = exported(open_document(MemorySource(legacy(value)[:-1])), tmp_path / "out.npz", "npz")
    assert list(read_npz(tmp_path / "out.npz")) == ["a"]
    assert report.plan.dropped == (Dropped("b", "missing-bytes", {"missing": 1, "nbytes": 8}),)


def test_arrays_of_other_types_stay_what_they_are(tmp_path: Path) -> None:
    data = npz(
        {
            "dates": npy(b"\x01" + bytes(7), (1,), "<M8[s]"),
            "names": npy(b"\0\0\0a\0\0\0b", (1,), ">U2"),
            "pairs": npy(b"\x01\0\x02", (1,), [("a", ">i2"), ("b", "|u1")]),
        }
    )
    exported(open_document(MemorySource(data)), tmp_path / "out.npz", "npz")
    found = read_npz(tmp_path / "out.npz")
    assert found["dates"].tolist() == np.array([1], "M8[s]").tolist()
    assert found["names"].tolist() == ["ab"]
    assert found["pairs"].tolist() == [(256, 2)]


def test_stopping_leaves_nothing(tmp_path: Path) -> None:
    progress = Progress()
    exporter = exporter_of("npz")
    plan = exporter.plan(document_of({"w": full("float32", (1,), [1])}), Wanted())
    progress.cancel()
    with pytest.raises(CancelledError):
        exporter.write(plan, tmp_path / "out.npz", progress)
    assert list(tmp_path.iterdir()) == []


def altered(path: Path, change: str) -> None:
    """Write the archive anew with one fault."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    if change == "element":
        members["w.npy"] = members["w.npy"][:-1] + b"\x01"
    elif change == "type":
        members["w.npy"] = members["w.npy"].replace(b"<f4", b"<i4")
    elif change == "shape":
        members["w.npy"] = npy(bytes(8), (1, 2))
    elif change == "longer":
        members["w.npy"] += b"\0"
    elif change == "missing":
        del members["w.npy"]
    elif change == "more":
        members["v.npy"] = members["w.npy"]
    path.write_bytes(npz({name.removesuffix(".npy"): data for name, data in members.items()}))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("element", "the elements of w differ"),
        ("type", "w is int32 (2,) instead of float32 (2,)"),
        ("shape", "w is float32 (1, 2) instead of float32 (2,)"),
        ("longer", "w has more elements than (2,)"),
        ("missing", "w is missing"),
        ("more", "it has 3 arrays instead of 2"),
    ],
)
def test_what_numpy_reads_differently_is_told(tmp_path: Path, change: str, reason: str) -> None:
    value = {"w": full("float32", (2,), [0, 0]), "n": full("int64", (), [7])}
    report = exported(document_of(value), tmp_path / "out.npz", "npz")
    exporter = exporter_of("npz")
    good = exporter.verify(report, Progress())
    assert good is not None
    assert (good.code, good.good, good.text) == ("numpy-verified", True, "Verified: numpy reads the same arrays (2).")
    altered(tmp_path / "out.npz", change)
    bad = exporter.verify(report, Progress())
    assert bad is not None
    assert (bad.code, bad.good) == ("numpy-differs", False)
    assert bad.text == f"numpy reads other values than were written: {reason}."


def test_a_file_that_is_no_archive_any_more(tmp_path: Path) -> None:
    report = exported(document_of({"w": full("float32", (1,), [1])}), tmp_path / "out.npz", "npz")
    (tmp_path / "out.npz").write_bytes(b"nothing")
    verdict = exporter_of("npz").verify(report, Progress())
    assert verdict is not None
    assert verdict.good is False
