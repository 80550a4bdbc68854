"""The line that reads a tensor is run here: it is ours, not the file's."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.source import FileSource, MemorySource
from viewer.core.span import Span
from viewer.core.tensors.arrays import array_storage, array_tensor
from viewer.core.tensors.dtypes import numpy_type
from viewer.core.tensors.layout import reach, row_major
from viewer.core.tensors.numpy_line import numpy_line
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import read

HEAD = 37
BYTES = np.random.default_rng(1).integers(0, 250, 4000, dtype=np.uint8).tobytes()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("line") / "a 'quoted' name.pth"
    path.write_bytes(bytes(HEAD) + BYTES)
    opened = FileSource(path)
    yield opened
    opened.close()


def tensor_of(
    source: FileSource,
    dtype: str,
    shape: tuple[int, ...],
    stride: tuple[int, ...] | None = None,
    offset: int = 0,
    itemsize: int = 4,
    byteorder: str = "little",
) -> Tensor:
    count = len(BYTES) // itemsize
    part = source.slice(HEAD, HEAD + count * itemsize)
    span = Span(HEAD, HEAD + count * itemsize)
    storage = Storage("0", "cpu", dtype, False, count, count * itemsize, span, part, "", byteorder)
    steps = row_major(shape) if stride is None else stride
    return Tensor(0, (), "w", "tensor", dtype, shape, steps, offset, storage)


def run(tensor: Tensor, source: FileSource) -> np.ndarray[Any, Any]:
    """What the line gives, its file closed again."""
    line = numpy_line(tensor, str(source.path))
    assert line is not None
    assert "\n" not in line
    return np.array(eval(line, {"np": np, "ml_dtypes": ml_dtypes}))


def same(tensor: Tensor, source: FileSource) -> None:
    given, wanted = run(tensor, source), read(tensor)
    assert given.shape == wanted.shape
    assert given.astype(wanted.dtype).tobytes() == wanted.tobytes()


def test_the_words_of_the_line(source: FileSource) -> None:
    line = numpy_line(tensor_of(source, "float32", (2, 3), offset=5), "m.pth")
    assert line == "np.memmap('m.pth', dtype='<f4', mode='r', offset=57, shape=(2, 3))"
    turned = numpy_line(tensor_of(source, "float32", (2, 3), (1, 2)), "m.pth")
    assert turned == "np.memmap('m.pth', dtype='<f4', mode='r', offset=37, shape=(2, 3), order='F')"
    empty = numpy_line(tensor_of(source, "float16", (0, 3), itemsize=2), "m.pth")
    assert empty == "np.empty((0, 3), dtype='<f2')"


@pytest.mark.parametrize(
    ("dtype", "itemsize"),
    [
        ("float64", 8),
        ("float32", 4),
        ("float16", 2),
        ("bfloat16", 2),
        ("int64", 8),
        ("int8", 1),
        ("uint16", 2),
        ("complex64", 8),
        ("complex32", 4),
        ("float8_e4m3fn", 1),
        ("float8_e8m0fnu", 1),
        ("bits16", 2),
        ("float4_e2m1fn_x2", 1),
    ],
)
@pytest.mark.parametrize("byteorder", ["little", "big"])
@pytest.mark.parametrize("shape", [(), (7,), (2, 3, 4)])
def test_every_type(source: FileSource, dtype: str, itemsize: int, byteorder: str, shape: tuple[int, ...]) -> None:
    same(tensor_of(source, dtype, shape, itemsize=itemsize, byteorder=byteorder), source)


@given(st.data())
def test_every_layout(source: FileSource, data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(0, 4), max_size=4)))
    stride = tuple(data.draw(st.lists(st.integers(-9, 20), min_size=len(shape), max_size=len(shape))))
    offset = data.draw(st.integers(0, 30)) - reach(shape, stride)[0]
    same(tensor_of(source, "int32", shape, stride, offset), source)


@pytest.mark.parametrize("byteorder", ["little", "big"])
def test_conj_and_neg(source: FileSource, byteorder: str) -> None:
    for dtype, itemsize, conj, neg in (
        ("complex64", 8, True, False),
        ("complex128", 16, True, True),
        ("int16", 2, False, True),
        ("bfloat16", 2, False, True),
    ):
        tensor = tensor_of(source, dtype, (3,), (2,), itemsize=itemsize, byteorder=byteorder)
        tensor.conj, tensor.neg = conj, neg
        assert np.array_equal(run(tensor, source), read(tensor), equal_nan=dtype.startswith("complex"))


@pytest.mark.parametrize("kind", [">i4", "<U2", "|S3", "<M8[s]", "[('a', '<i4'), ('b', '>f8')]", "bfloat16"])
def test_arrays(source: FileSource, kind: str) -> None:
    size = numpy_type(kind).itemsize
    storage = array_storage(numpy_type(kind), 6, Span(HEAD, HEAD + 6 * size), source.slice(HEAD, HEAD + 6 * size))
    tensor = array_tensor(numpy_type(kind), (2, 3), True, storage)
    assert run(tensor, source).dtype == numpy_type(kind)
    assert repr(run(tensor, source).tolist()) == repr(read(tensor).tolist())


def test_no_line_where_the_bytes_do_not_stand_in_the_file(source: FileSource) -> None:
    storage = Storage("0", "cpu", "float32", False, 2, 8, None, MemorySource(bytes(8)))
    assert numpy_line(Tensor(0, (), None, "tensor", "float32", (2,), (1,), 0, storage), "m") is None
    assert numpy_line(Tensor(0, (), None, "tensor", "float32", (2,), (1,), 0, None), "m") is None
    assert numpy_line(tensor_of(source, "float32", (10_000,)), "m") is None
    half = tensor_of(source, "complex32", (2,))
    half.conj = True
    assert numpy_line(half, "m") is None
