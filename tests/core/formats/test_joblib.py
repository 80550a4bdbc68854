"""joblib: raw arrays between the opcodes of a pickle, of every version, compressed and cut."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import zlib
from pathlib import Path

import pytest

from tests.builders.arrays import floats
from tests.builders.joblib_stream import joblib_dict, put_array
from tests.builders.pickles import Stream
from tests.builders.torch_zip import ZipWriter
from tests.builders.values import dumps
from tests.opened import codes, opened, regions_tile
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.tensors import window

A = struct.pack("<6f", 0, 1, 2, 3, 4, 5)
B = struct.pack("<2f", 0.5, -8)
TWO = {"a": ((2, 3), A), "b": ((2,), B)}


def values(document: Document) -> dict[str, object]:
    return {str(tensor.path[0]): window.read(tensor).tolist() for tensor in document.tensors}


@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_arrays_between_opcodes(protocol: int, aligned: bool) -> None:
    data = joblib_dict(TWO, protocol, aligned)
    document = opened(data)
    assert document.format == "joblib"
    assert document.problems == []
    assert document.pickles[0].code.complete
    assert values(document) == {"a": [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], "b": [0.5, -8.0]}
    regions_tile(document)
    spans = [tensor.storage.span for tensor in document.tensors if tensor.storage is not None]
    assert [data[span.start : span.stop] for span in spans if span is not None] == [A, B]
    if aligned:
        assert [span.start % 16 for span in spans if span is not None] == [0, 0]


def test_bytes_that_look_like_opcodes() -> None:
    document = opened(joblib_dict({"a": ((4,), b"....NNNN(((()))}")}, aligned=False))
    assert document.problems == []
    assert [len(window.read(tensor)) for tensor in document.tensors] == [4]


def test_column_major() -> None:
    stream = Stream(4).start()
    put_array(stream, (2, 3), A, order="F")
    document = opened(stream.op("STOP").data)
    assert [tensor.stride for tensor in document.tensors] == [(1, 2)]
    assert window.read(document.tensors[0]).tolist() == [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]


@pytest.mark.parametrize("code", ["O", "O8"])
def test_objects_are_a_pickle_of_their_own(code: str) -> None:
    stream = Stream(4).start().op("MARK")
    put_array(stream, (2,), dumps(["x", {"y": 1}], 2), dtype=code, objects=True)
    put_array(stream, (2,), B)
    document = opened(stream.ops("LIST STOP").data)
    assert document.problems == []
    assert [(tensor.note, tensor.shape) for tensor in document.tensors] == [("object", (2,)), ("", (2,))]
    assert window.read(document.tensors[1]).tolist() == [0.5, -8.0]
    assert [(child.how, child.format, child.pickles[0].code.complete) for child in document.children] == [
        ("objects", "pickle", True)
    ]
    regions_tile(document)


def test_no_elements() -> None:
    document = opened(joblib_dict({"a": ((0, 3), b""), "b": ((2,), B)}))
    assert values(document) == {"a": [], "b": [0.5, -8.0]}
    assert document.problems == []


def test_a_copy_inside_another_package() -> None:
    stream = Stream(3).start()
    put_array(stream, (2,), B, module="sklearn.externals.joblib.numpy_pickle", aligned=False)
    document = opened(stream.op("STOP").data)
    assert window.read(document.tensors[0]).tolist() == [0.5, -8.0]


def test_a_wrapper_that_comes_late() -> None:
    stream = Stream(4).start().op("MARK").text("x" * 200_000)
    put_array(stream, (2,), B)
    document = opened(stream.ops("LIST STOP").data)
    assert (document.format, document.problems) == ("joblib", [])
    assert window.read(document.tensors[0]).tolist() == [0.5, -8.0]


@pytest.mark.parametrize("missing", [1, 8, 20])
def test_cut_inside_an_array(missing: int) -> None:
    data = joblib_dict({"a": ((2, 3), A)})
    cut = data[: data.index(A) + len(A) - missing]
    document = opened(cut)
    assert "pickle-cut" in codes(document)
    assert document.problems[0].params["missing"] == missing
    regions_tile(document)


def test_cut_everywhere() -> None:
    data = joblib_dict(TWO)
    for length in range(1, len(data)):
        document = opened(data[:length])
        regions_tile(document)


@pytest.mark.parametrize("shape", ["text", -3, 2**70])
def test_shapes_that_are_none(shape: object) -> None:
    stream = Stream(4).start().op("GLOBAL", "joblib.numpy_pickle NumpyArrayWrapper").ops("EMPTY_TUPLE NEWOBJ")
    stream.ops("EMPTY_DICT MARK").text("shape")
    if isinstance(shape, int):
        stream.number(shape).op("TUPLE1")
    else:
        stream.text(str(shape))
    document = opened(stream.ops("SETITEMS BUILD STOP").data)
    assert document.pickles[0].code.complete
    assert document.tensors == []


def test_compressed() -> None:
    data = joblib_dict(TWO)
    alone = lzma.compress(data, lzma.FORMAT_ALONE)
    for packed in (gzip.compress(data), bz2.compress(data), zlib.compress(data), lzma.compress(data), alone):
        document = opened(packed).content
        assert values(document) == {"a": [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], "b": [0.5, -8.0]}


def test_a_record_of_a_zip() -> None:
    writer = ZipWriter("")
    writer.add("model.joblib", joblib_dict(TWO))
    document = opened(writer.finish())
    assert [child.format for child in document.children] == ["joblib"]
    assert values(document.children[0])["b"] == [0.5, -8.0]


@pytest.mark.parametrize("space", [b"", b" "])
def test_compressed_by_joblib_itself(space: bytes) -> None:
    inner = dumps({"a": [1, 2]}, 2)
    head = b"ZF" + hex(len(inner)).encode().ljust(19) + space
    document = opened(head + zlib.compress(inner))
    assert (document.format, document.detail) == ("joblib", "ZFile of joblib 0.9 and before")
    assert codes(document) == ["unpacked"]
    assert (document.content.format, document.content.problems) == ("pickle", [])
    assert document.content.source.read(0, 1000) == inner
    assert document.regions[0].span.length == len(head)
    regions_tile(document)


def test_compressed_by_joblib_and_cut() -> None:
    inner = dumps({"a": list(range(300))}, 2)
    data = b"ZF" + hex(len(inner)).encode().ljust(19) + zlib.compress(inner)
    for length in range(21, len(data)):
        document = opened(data[:length])
        regions_tile(document)
        assert document.problems


@pytest.mark.parametrize(("module", "name", "size"), [("ml_dtypes", "bfloat16", 2), ("ml_dtypes", "float8_e5m2", 1)])
def test_types_of_ml_dtypes(module: str, name: str, size: int) -> None:
    stream = Stream(4).start().op("MARK")
    put_array(stream, (3,), bytes(3 * size), dtype=f"{module} {name}")
    put_array(stream, (2,), B)
    document = opened(stream.ops("LIST STOP").data)
    assert [(tensor.dtype, tensor.shape) for tensor in document.tensors] == [(name, (3,)), ("float32", (2,))]
    assert window.read(document.tensors[1]).tolist() == [0.5, -8.0]


def side_stream(names: list[str], wrapper: str = "NDArrayWrapper") -> bytes:
    """What joblib to 0.9 wrote: a wrapper for each array, which names its file."""
    stream = Stream(2).start().ops("EMPTY_LIST MARK")
    for name in names:
        stream.op("GLOBAL", f"joblib.numpy_pickle {wrapper}").ops("EMPTY_TUPLE NEWOBJ EMPTY_DICT MARK")
        stream.text("filename").text(name).text("subclass").op("GLOBAL", "numpy ndarray").ops("SETITEMS BUILD")
    return stream.ops("APPENDS STOP").data


def test_arrays_in_files_beside(tmp_path: Path) -> None:
    path = tmp_path / "model.pkl"
    path.write_bytes(side_stream(["model.pkl_01.npy", "model.pkl_02.npy", "model.pkl_01.npy", "../model.pkl"]))
    (tmp_path / "model.pkl_01.npy").write_bytes(floats([1, 2]))
    document = open_document(path)
    document.source.close()
    assert [(child.how, child.format, child.offset) for child in document.children] == [
        ("file model.pkl_01.npy", "npy", None)
    ]
    assert window.read(document.children[0].tensors[0]).tolist() == [1.0, 2.0]
    assert [(problem.code, problem.params["file"]) for problem in document.problems] == [
        ("array-file-missing", "model.pkl_02.npy"),
        ("array-file-missing", "../model.pkl"),
    ]
    regions_tile(document)


def test_only_arrays_are_opened_beside(tmp_path: Path) -> None:
    path = tmp_path / "model.pkl"
    path.write_bytes(side_stream(["model.pkl", "./model.pkl"]))
    document = open_document(path)
    document.source.close()
    assert document.children == []
    assert codes(document) == ["array-file-missing", "array-file-missing"]
