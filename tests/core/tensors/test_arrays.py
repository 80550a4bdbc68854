"""numpy arrays and scalars in pickles, against the arrays that numpy pickled here."""

from __future__ import annotations

import pickle
from typing import Any, Literal

import ml_dtypes
import numpy as np
import pytest

from tests.builders.pickles import Stream as Opcodes
from tests.builders.values import ENCODE, Call, Global, builtin, dumps
from tests.core.tensors.streams import reading
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.core.tensors.dtypes import numpy_type
from viewer.core.tensors.rebuild import Rebuilder
from viewer.core.tensors.table import StorageTable
from viewer.core.tensors.window import available, complete, read, span

ARRAYS: dict[str, np.ndarray[Any, Any]] = {
    "float": np.arange(6, dtype="<f4").reshape(2, 3),
    "high bytes": np.arange(-300, 300, dtype="<i8").reshape(3, 200),
    "fortran": np.asfortranarray(np.arange(24, dtype="<i4").reshape(2, 3, 4)),
    "big": np.arange(5, dtype=">f8"),
    "bool": np.array([True, False]),
    "scalar": np.array(7, dtype="<u2"),
    "empty": np.zeros((0, 3)),
    "complex": np.array([1 + 2j]),
    "half": np.array([1.5], dtype="<f2"),
    "bytes": np.array([b"ab", b"c"]),
    "text": np.array(["ab", "\u00e4\u4e2d"]),
    "big text": np.array(["ab", "c"], dtype=">U2"),
    "date": np.array(["2020-01-02", "NaT"], dtype="M8[D]"),
    "span": np.array([5, 6], dtype="m8[25us]"),
    "fields": np.array([(1, 2.0), (3, 4.0)], dtype=[("a", "<i4"), ("b", ">f8")]),
    "aligned": np.array([(1, 2.0)], dtype=np.dtype([("a", "<i2"), ("b", "<f8")], align=True)),
    "nested": np.zeros(2, dtype=[("a", [("b", "<u1"), ("c", "<U2")]), ("d", "<f4", (2, 2))]),
    "raw": np.frombuffer(b"abcdef", dtype="V3"),
    "bfloat16": np.arange(4).astype(ml_dtypes.bfloat16),
    "float8": np.arange(4).astype(ml_dtypes.float8_e4m3fn),
}


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_all_protocols(name: str, protocol: int) -> None:
    array = ARRAYS[name]
    stream = reading(pickle.dumps(array, protocol))
    found = stream.root()
    assert found is not None
    assert stream.codes() == []
    assert (found.kind, found.shape, found.requires_grad, found.note) == ("array", array.shape, None, "")
    assert numpy_type(found.numpy_dtype) == array.dtype
    if array.dtype.names is None:
        assert found.dtype == array.dtype.name
    values = read(found)
    assert values.dtype == array.dtype.newbyteorder("<")
    if array.dtype.names is not None:  # whose padding holds anything
        assert repr(values.tolist()) == repr(array.tolist())
    else:
        assert values.tobytes() == np.ascontiguousarray(array).astype(values.dtype).tobytes()
    assert complete(found)


@pytest.mark.parametrize("protocol", [3, 4, 5])
def test_the_bytes_in_the_file(protocol: int) -> None:
    array = np.arange(10, dtype="<i4")
    data = pickle.dumps(array, protocol)
    found = reading(data).root()
    assert found is not None
    start = data.index(array.tobytes())
    assert span(found) == Span(start, start + 40)


def test_plain_text_stands_in_the_file_as_it_is() -> None:
    array = np.array([1, 2, 3], dtype="<i4")
    data = pickle.dumps(array, 2)
    found = reading(data).root()
    assert found is not None
    start = data.index(array.tobytes())
    assert span(found) == Span(start, start + 12)


def test_text_with_high_bytes_stands_nowhere() -> None:
    found = reading(pickle.dumps(np.array([200, 300], dtype="<i4"), 2)).root()
    assert found is not None
    assert span(found) is None
    assert read(found).tolist() == [200, 300]


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("value", [np.float32(1.5), np.int64(-7), np.bool_(True), np.complex64(2j), np.str_("ab")])
def test_scalars(value: Any, protocol: int) -> None:
    found = reading(pickle.dumps(value, protocol)).root()
    assert found is not None
    assert (found.kind, found.shape, found.dtype) == ("array", (), value.dtype.name)
    assert read(found)[()] == value


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_older_module_names(protocol: int) -> None:
    data = pickle.dumps(np.arange(3, dtype="<i4"), protocol)
    old = data.replace(b"numpy._core", b"numpy.core" if protocol < 4 else b"numpy.corf").replace(b"corf", b"core")
    if protocol >= 4:
        old = data.replace(b"\x16numpy._core.multiarray", b"\x15numpy.core.multiarray")
        old = old.replace(b"\x13numpy._core.numeric", b"\x12numpy.core.numeric")
        old = old.replace(data[3:11], (int.from_bytes(data[3:11], "little") - 1).to_bytes(8, "little"))
    assert b"_core" not in old
    found = reading(old).root()
    assert found is not None
    assert read(found).tolist() == [0, 1, 2]


def test_masked_arrays_give_their_data() -> None:
    array = np.ma.masked_array([1, 2, 3], mask=[False, True, False], dtype="<i8")
    stream = reading(pickle.dumps(array, 4))
    found = stream.root()
    assert found is not None
    assert read(found).tolist() == [1, 2, 3]
    assert stream.codes() == ["array-masked"]


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_mask_is_a_part(protocol: int, order: Literal["C", "F"]) -> None:
    mask = np.array([[False, True, False], [False, False, True]], order=order)
    array = np.ma.masked_array(np.array([[1, 2, 3], [4, 5, 6]], "<i2", order=order), mask=mask)
    found = reading(pickle.dumps(array, protocol)).root()
    assert found is not None
    assert read(found).tolist() == [[1, 2, 3], [4, 5, 6]]
    ((role, part),) = found.parts
    assert (role, part.kind, part.dtype, part.shape) == ("mask", "array", "bool", (2, 3))
    assert read(part).tolist() == mask.tolist()


def test_a_mask_of_nothing_is_not_told() -> None:
    stream = reading(pickle.dumps(np.ma.masked_array([1, 2]), 4))
    found = stream.root()
    assert found is not None
    assert (stream.codes(), [role for role, _ in found.parts]) == ([], ["mask"])


def test_a_mask_of_another_size() -> None:
    data = pickle.dumps(np.ma.masked_array(np.arange(3, dtype="|i1"), mask=[1, 0, 1]), 4)
    assert data.count(b"C\x03\x01\x00\x01") == 1
    stream = reading(data.replace(b"C\x03\x01\x00\x01", b"C\x02\x01\x00"))
    found = stream.root()
    assert found is not None
    (problem, _) = stream.rebuilder.problems
    assert (problem.code, problem.params["found"], problem.params["expected"]) == ("array-mask-size", 2, 3)
    assert read(found).tolist() == [0, 1, 2]


def test_arrays_of_objects_have_no_elements() -> None:
    found = reading(pickle.dumps(np.array([{}, None], dtype=object))).root()
    assert found is not None
    assert (found.dtype, found.shape, found.note, found.storage) == ("object", (2,), "object", None)


def test_buffers_that_are_not_in_the_file() -> None:
    array = np.arange(4, dtype="<i8")
    stream = reading(pickle.dumps(array, 5, buffer_callback=lambda buffer: None))
    found = stream.root()
    assert found is not None
    assert (found.shape, found.dtype, complete(found), available(found)) == ((4,), "int64", False, 0)
    assert stream.codes() == ["array-buffer-missing"]


def array_call(raw: object, shape: object = (2,), dtype: object = None, fortran: object = False) -> Call:
    kind = Call(Global("numpy", "dtype"), ("i4", False, True), (3, "<", None, None, None, -1, -1, 0))
    function = Global("numpy.core.multiarray", "_reconstruct")
    state = (1, shape, kind if dtype is None else dtype, fortran, raw)
    return Call(function, (Global("numpy", "ndarray"), (0,), b"b"), state)


def test_too_few_bytes() -> None:
    stream = reading(dumps(array_call(b"\x01\0\0\0\x02"), 4))
    found = stream.root()
    assert found is not None
    assert (available(found), complete(found)) == (5, False)
    assert stream.codes() == ["array-size-differs"]


@pytest.mark.parametrize(
    "raw",
    [
        bytearray(8),
        Call(builtin("bytearray"), (bytes(8),)),
        Call(builtin("bytearray"), (Call(ENCODE, ("\0" * 8, "latin1")),)),
    ],
)
def test_bytes_in_other_forms(raw: object) -> None:
    found = reading(dumps(array_call(raw), 4)).root()
    assert found is not None
    assert read(found).tolist() == [0, 0]


def test_no_bytes_at_all() -> None:
    found = reading(dumps(array_call(Call(builtin("bytes")), (0,)), 2)).root()
    assert found is not None
    assert read(found).tolist() == []


def test_strings_of_python_2() -> None:
    code = Opcodes(2).start().op("GLOBAL", "numpy.core.multiarray _reconstruct")
    code.op("GLOBAL", "numpy ndarray").op("BININT1", 0).op("TUPLE1").op("SHORT_BINSTRING", b"b").ops("TUPLE3 REDUCE")
    code.op("MARK").op("BININT1", 1).op("BININT1", 2).op("TUPLE1")
    code.op("GLOBAL", "numpy dtype").op("SHORT_BINSTRING", b"i2").op("BININT1", 0).op("BININT1", 1).ops("TUPLE3 REDUCE")
    code.op("MARK").op("BININT1", 3).op("SHORT_BINSTRING", b"<").ops("NONE NONE NONE")
    code.op("BININT", -1).op("BININT", -1).op("BININT1", 0).ops("TUPLE BUILD")
    code.op("BININT1", 0).op("SHORT_BINSTRING", b"\x01\x00\xff\xff").ops("TUPLE BUILD STOP")
    found = reading(code.data).root()
    assert found is not None
    assert (found.dtype, found.shape) == ("int16", (2,))
    assert read(found).tolist() == [1, -1]
    assert span(found) is not None


@pytest.mark.parametrize(
    "call",
    [
        array_call(b"", "2"),
        array_call(b"", (-1,)),
        array_call(b"", (0,), Global("numpy", "float32")),
        array_call(7, (0,)),
        array_call(b"", (0,), fortran="no"),
        array_call(Call(ENCODE, ("\u4e2d", "latin1")), (1,)),
        array_call(Call(ENCODE, ("a", "utf-16")), (1,)),
        Call(Global("numpy._core.multiarray", "_reconstruct"), ()),
        Call(Global("numpy._core.multiarray", "scalar"), ()),
        Call(Global("numpy._core.numeric", "_frombuffer"), (b"", 0, (0,), "C")),
        Call(Global("numpy._core.multiarray", "scalar"), (Call(Global("numpy", "dtype"), ("q9999999999",)), b"")),
        Call(Global("numpy._core.multiarray", "scalar"), (Call(Global("numpy", "dtype"), ("V99999999999",)), b"")),
        Call(Global("numpy._core.multiarray", "scalar"), (Call(Global("numpy", "dtype"), ("no",)), b"")),
    ],
)
def test_arguments_of_another_kind(call: Call) -> None:
    stream = reading(dumps(call, 4))
    assert stream.root() is None
    assert stream.codes() == ["array-arguments"]


def test_a_dtype_that_holds_itself() -> None:
    kind = Call(Global("numpy", "dtype"), ("V8", False, True))
    kind.state = (3, "|", None, ("a",), {"a": (kind, 0)}, 8, 1, 0)
    stream = reading(dumps(array_call(b"", (0,), kind), 4))
    assert stream.root() is None


def test_spans_are_left_out_when_the_stream_was_inflated() -> None:
    values = Values(disassemble(MemorySource(pickle.dumps(np.arange(3), 4))))
    found = Rebuilder(values, 0, StorageTable(values), spans=False).tensor(values.root)
    assert found is not None
    assert span(found) is None
    assert read(found).tolist() == [0, 1, 2]


@pytest.mark.parametrize("module", ["dill._dill", "dill.dill"])
def test_arrays_of_dill_whose_state_is_an_argument(module: str) -> None:
    array = np.array([[1.5, -2.0, 3.0]], dtype="<f8")
    kind = Call(Global("numpy", "dtype"), ("f8", False, True), (3, "<", None, None, None, -1, -1, 0))
    maker, start = Global("numpy._core.multiarray", "_reconstruct"), (Global("numpy", "ndarray"), (0,), b"b")
    state = (1, (1, 3), kind, False, array.tobytes())
    stream = reading(dumps(Call(Global(module, "_create_array"), (maker, start, state, None)), 4))
    found = stream.root()
    assert found is not None
    assert (found.dtype, found.shape, stream.codes()) == ("float64", (1, 3), [])
    assert read(found).tolist() == [[1.5, -2.0, 3.0]]


@pytest.mark.parametrize("maker", [Global("os", "system"), Global("numpy._core.multiarray", "scalar"), 7])
def test_dill_with_another_maker_is_no_array(maker: object) -> None:
    stream = reading(dumps(Call(Global("dill._dill", "_create_array"), (maker, (0,), (1, (1,), 3, False, b""))), 4))
    assert stream.root() is None
    assert stream.codes() == ["array-arguments"]
