"""Options of exports: types, only the elements in use, requires_grad, compression."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.builders.torch_values import Storage, full, state_dict, tensor
from tests.builders.values import Global
from tests.core.export.reading import document_of, exported, facts, groups, read_npz, record
from tests.core.export.test_special import HOOKS, sparse, utils
from viewer.core.errors import ExportError
from viewer.core.export.plan import Report
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import read


def found_in(path: Path) -> dict[str, Tensor]:
    return {str(one.name): one for one in open_document(path).tensors}


def written(path: Path, value: dict[str, object], wanted: Wanted, form: str = "state_dict") -> Report:
    return exported(document_of(state_dict(value)), path, form, wanted)


@pytest.mark.parametrize("form", ["state_dict", "legacy_state_dict", "safetensors"])
def test_floating_point_tensors_are_turned_into_a_type(tmp_path: Path, form: str) -> None:
    value = {"w": full("float32", (3,), [1, 1e6, 1e-9]), "n": full("int64", (1,), [7]), "h": full("float16", (1,), [2])}
    report = written(tmp_path / "out", value, Wanted(dtype="float16"), form)
    found = found_in(tmp_path / "out")
    assert {name: one.dtype for name, one in found.items()} == {"w": "float16", "n": "int64", "h": "float16"}
    assert [(one.name, one.source, one.result) for one in report.plan.converted] == [("w", "float32", "float16")]
    assert [line.text for line in report.lines] == [
        "Too large for float16, and infinite now: 1 numbers. Write a wider type to keep them.",
        "Too small for float16, and zero now: 1 numbers.",
        "They are in: w.",
    ]


def test_single_names_are_left_out(tmp_path: Path) -> None:
    value = {"w[0]": full("float32", (), [1]), "w*": full("float32", (), [2]), "w": full("float32", (), [3])}
    report = written(tmp_path / "out", value, Wanted(without=frozenset({"w*", "w[0]"})))
    assert [item.name for item in report.plan.items] == ["w"]
    with pytest.raises(ExportError, match="All names are left out one by one"):
        written(tmp_path / "none", value, Wanted(without=frozenset(value)))


def test_an_npz_says_both_changes(tmp_path: Path) -> None:
    report = written(tmp_path / "out.npz", {"w": full("float32", (2,), [1, 1 / 3])}, Wanted(dtype="bfloat16"), "npz")
    np.testing.assert_array_equal(read_npz(tmp_path / "out.npz")["w"], np.array([1, 0.333984375], "f4"), strict=True)
    assert [(one.source, one.result) for one in report.plan.converted] == [
        ("float32", "bfloat16"),
        ("bfloat16", "float32"),
    ]
    assert report.lines == ()


def test_a_slice_comes_with_its_own_elements_only(tmp_path: Path) -> None:
    large = Storage("float32", np.arange(10_000, dtype="f4").tobytes())
    value: dict[str, object] = {
        "row": tensor(large, (100,), (1,), 500),
        "same": tensor(large, (100,), (1,), 500),
        "column": tensor(large, (100,), (100,), 3),
        "whole": full("int8", (4,), range(4)),
    }
    as_it_is = written(tmp_path / "as.pt", value, Wanted())
    report = written(tmp_path / "out.pt", value, Wanted(compact=True))
    assert as_it_is.nbytes > 40_000 > 4_000 > report.nbytes
    found = found_in(tmp_path / "out.pt")
    assert groups(found) == {frozenset({"row", "same"}), frozenset({"column"}), frozenset({"whole"})}
    before = found_in(tmp_path / "as.pt")
    assert {name: facts(one)[4] for name, one in found.items()} == {name: facts(one)[4] for name, one in before.items()}
    assert [(one.stride, one.storage_offset) for one in found.values()] == [((1,), 0)] * 4


def test_storages_in_full_use_stay_shared(tmp_path: Path) -> None:
    shared = Storage("float32", np.arange(6, dtype="f4").tobytes())
    value: dict[str, object] = {
        "first": tensor(shared, (2,), (1,)),
        "rest": tensor(shared, (4,), (1,), 2),
        "turned": tensor(shared, (3, 2), (1, 3)),
    }
    written(tmp_path / "out.pt", value, Wanted(compact=True))
    found = found_in(tmp_path / "out.pt")
    assert groups(found) == {frozenset({"first", "rest", "turned"})}
    assert found["turned"].stride == (1, 3)


def test_copies_are_never_larger_than_the_storage(tmp_path: Path) -> None:
    few, many = (Storage("float32", np.arange(count, dtype="f4").tobytes()) for count in (1, 100))
    value: dict[str, object] = {
        "spread": tensor(few, (1000,), (0,)),
        "windows": tensor(many, (50, 50), (1, 1)),
        "end": tensor(many, (1,), (1,), 98),
    }
    written(tmp_path / "out.pt", value, Wanted(compact=True))
    assert record(tmp_path / "out.pt", "data/0") == np.arange(1, dtype="f4").tobytes()
    assert record(tmp_path / "out.pt", "data/1") == np.arange(100, dtype="f4").tobytes()
    assert [one.stride for one in found_in(tmp_path / "out.pt").values()] == [(0,), (1, 1), (1,)]


def test_integers_and_parts_come_with_their_own_elements_only(tmp_path: Path) -> None:
    codes, rows = Storage("qint8", bytes(range(100))), Storage("int64", np.arange(100).tobytes())
    scheme = (Global("torch", "per_tensor_affine"), 0.5, 3)
    value: dict[str, object] = {
        "codes": utils("_rebuild_qtensor", codes, 10, (3,), (2,), scheme, False, HOOKS),
        "rows": sparse("sparse_coo", tensor(rows, (1, 2), (2, 1), 4), full("float32", (2,), [1, 2]), (7,)),
    }
    written(tmp_path / "out.pt", value, Wanted(compact=True))
    assert record(tmp_path / "out.pt", "data/0") == bytes([10, 12, 14])
    assert record(tmp_path / "out.pt", "data/1") == np.array([4, 5]).tobytes()
    found = found_in(tmp_path / "out.pt")
    assert (found["codes"].storage_offset, found["codes"].stride) == (0, (1,))
    assert read(dict(found["rows"].parts)["indices"]).tolist() == [[4, 5]]


def test_requires_grad_is_off_unless_it_is_kept(tmp_path: Path) -> None:
    value = {"w": tensor(Storage("float32", bytes(4)), (1,), (1,), requires_grad=True), "b": full("float32", (1,), [1])}
    written(tmp_path / "off.pt", value, Wanted())
    assert [one.requires_grad for one in found_in(tmp_path / "off.pt").values()] == [False, False]
    written(tmp_path / "kept.pt", value, Wanted(keep_grad=True))
    assert [one.requires_grad for one in found_in(tmp_path / "kept.pt").values()] == [True, False]


def test_arrays_are_compressed_as_asked(tmp_path: Path) -> None:
    value = {"w": full("float32", (1000,), [0] * 1000)}
    for deflate, method in ((False, zipfile.ZIP_STORED), (True, zipfile.ZIP_DEFLATED)):
        path = tmp_path / f"{method}.npz"
        report = written(path, value, Wanted(deflate=deflate), "npz")
        with zipfile.ZipFile(path) as archive:
            assert [entry.compress_type for entry in archive.infolist()] == [method]
        assert read_npz(path)["w"].tolist() == [0.0] * 1000
        assert report.nbytes == path.stat().st_size
    assert path.stat().st_size < 500


def test_types_and_compact_copies_go_together(tmp_path: Path) -> None:
    large = Storage("float64", np.arange(1000, dtype="f8").tobytes())
    written(tmp_path / "out.pt", {"w": tensor(large, (2,), (10,), 5)}, Wanted(compact=True, dtype="float32"))
    assert record(tmp_path / "out.pt", "data/0") == np.array([5, 15], "f4").tobytes()
