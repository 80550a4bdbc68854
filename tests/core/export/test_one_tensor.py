"""One tensor as npy and as CSV: what is written to the byte, what numpy reads, and what is said of several."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from tests.builders.arrays import npy
from tests.builders.torch_values import Storage, full, state_dict, tensor
from tests.core.export.reading import document_of, exported
from tests.core.export.test_round_trips import as_numpy, fresh, opened
from tests.core.export.trees import Tree, trees
from viewer.core.errors import ExportError
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("out")


def written(path: Path, value: object, form: str = "csv") -> bytes:
    """The file of a state_dict of one tensor, verified."""
    report = exported(document_of(state_dict({"x": value})), path, form)
    verdict = exporter_of(form).verify(report, Progress())
    assert verdict is not None
    assert (verdict.code, verdict.good) == ("numpy-verified", True)
    assert report.nbytes == path.stat().st_size
    return path.read_bytes()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (full("float32", (2, 3), [0, 1, -2, 0.1, 1e-9, 3e38]), "0.0,1.0,-2.0\n0.1,1e-09,3e+38\n"),
        (full("float64", (2,), [0.1, float("nan")]), "0.1,nan\n"),
        (full("float16", (3,), [0.1, float("inf"), float("-inf")]), "0.1,inf,-inf\n"),
        (tensor(Storage("bfloat16", b"\x80\x3f\xcd\x3d"), (2, 1), (1, 1)), "1.0\n0.100097656\n"),
        (tensor(Storage("uint64", b"\xff" * 8), (), ()), "18446744073709551615\n"),
        (full("int8", (2, 2, 2), range(-4, 4)), "-4,-3\n-2,-1\n0,1\n2,3\n"),
        (tensor(Storage("bool", b"\x00\x02\x01"), (3,), (1,)), "0,1,1\n"),
        (tensor(Storage("complex64", b"\x00\x00\x80\x3f" + b"\x00\x00\x00\xc0"), (1,), (1,)), "1.0-2.0j\n"),
        (full("float32", (0, 3), []), ""),
    ],
)
def test_numbers_as_text(tmp_path: Path, value: object, text: str) -> None:
    assert written(tmp_path / "x.csv", value).decode() == text


@pytest.mark.parametrize(("dtype", "text"), [("g", "0.1,-1e+300\n"), ("G", "0.1+0.1j,-1e+300-1e+300j\n")])
def test_numbers_wider_than_those_of_python(tmp_path: Path, dtype: str, text: str) -> None:
    real = np.array(["0.1", "-1e+300"]).astype("g")
    np.save(tmp_path / "x.npy", real if dtype == "g" else real + 1j * real)
    with closing(open_document(tmp_path / "x.npy")) as document:
        report = exported(document, tmp_path / "x.csv", "csv")
        assert (tmp_path / "x.csv").read_text() == text
        verdict = exporter_of("csv").verify(report, Progress())
        assert verdict is not None
        assert verdict.good is True
        (tmp_path / "x.csv").write_text(text.replace("0.1", "0.10000000000000000001", 1))
        verdict = exporter_of("csv").verify(report, Progress())
        assert verdict is not None
        assert verdict.good is (np.dtype("g").itemsize == 8)


def test_rows_of_a_transposed_tensor(tmp_path: Path) -> None:
    value = tensor(Storage("int16", np.arange(6, dtype="<i2").tobytes()), (3, 2), (1, 3))
    assert written(tmp_path / "x.csv", value) == b"0,3\n1,4\n2,5\n"


def test_numpy_reads_the_text(tmp_path: Path) -> None:
    numbers = np.linspace(-1, 1, 30_000, dtype="<f4").reshape(300, 100)
    written(tmp_path / "x.csv", tensor(Storage("float32", numbers.tobytes()), (300, 100), (100, 1)))
    np.testing.assert_array_equal(np.loadtxt(tmp_path / "x.csv", delimiter=",", dtype="<f4"), numbers, strict=True)


@pytest.mark.parametrize("text", [b"1,2,9\n", b"1,2,3\n5\n", b"1,2\n", b"1,2,x\n", b""])
def test_a_changed_text_is_seen(tmp_path: Path, text: bytes) -> None:
    report = exported(document_of(state_dict({"x": full("int32", (3,), [1, 2, 3])})), tmp_path / "x.csv", "csv")
    assert (tmp_path / "x.csv").read_bytes() == b"1,2,3\n"
    (tmp_path / "x.csv").write_bytes(text)
    verdict = exporter_of("csv").verify(report, Progress())
    assert verdict is not None
    assert verdict.good is False


def test_an_npy_is_what_numpy_saves(tmp_path: Path) -> None:
    data = written(tmp_path / "x.npy", full("float32", (2, 3), range(6)), "npy")
    np.save(tmp_path / "theirs.npy", np.arange(6, dtype="<f4").reshape(2, 3))
    assert data == (tmp_path / "theirs.npy").read_bytes()


@given(trees())
@settings(max_examples=60)
def test_random_tensors_come_back(folder: Path, tree: Tree) -> None:
    document = opened(tree)
    for item, meant in zip(document.tensors, tree.arrays.values(), strict=True):
        for form in ("npy", "csv"):
            path = fresh(folder / f"out.{form}")
            exporter = exporter_of(form)
            report = exporter.write(exporter.plan(document, Wanted(tensors=(item,))), path, Progress())
            verdict = exporter.verify(report, Progress())
            assert verdict is not None
            assert verdict.good is True
            if form == "npy":
                np.testing.assert_array_equal(np.load(path), as_numpy(meant), strict=True)


@pytest.mark.parametrize("form", ["npy", "csv"])
def test_one_of_several_has_to_be_named(tmp_path: Path, form: str) -> None:
    document = document_of(state_dict({name: full("int8", (1,), [1]) for name in "abcdefg"}))
    words = f"The form {form} holds one tensor, and 7 are there. Choose one of them: a, b, c, d, e and 2 more."
    with pytest.raises(ExportError, match=words):
        exported(document, tmp_path / f"x.{form}", form)
    report = exported(document, tmp_path / f"x.{form}", form, Wanted(only=("c",)))
    assert [item.name for item in report.plan.items] == ["c"]


def test_what_are_no_numbers_are_no_csv(tmp_path: Path) -> None:
    document = open_document(MemorySource(npy(bytes(8), (1,), "<M8[D]")))
    with pytest.raises(ExportError, match="are no numbers, which this form needs"):
        exported(document, tmp_path / "x.csv", "csv")
