"""The builders write what CPython's own pickler and numpy write, byte for byte."""

from __future__ import annotations

import copyreg
import io
import pickle
import pickletools
import zipfile
from collections import OrderedDict

import numpy as np
import pytest

from tests.builders.arrays import floats, npy, npz
from tests.builders.legacy import build
from tests.builders.pickles import OPCODES, Stream, encoded
from tests.builders.torch_values import full
from tests.builders.torch_zip import ZipWriter, torch_zip
from tests.builders.values import Global, Instance, dumps


class Point:
    """Something with attributes, to be pickled by both."""

    def __init__(self, x: int) -> None:
        self.x = x
        self.name = "p"


def metadata() -> OrderedDict[str, object]:
    """A mapping with an attribute, as state_dict() gives it."""
    mapping: OrderedDict[str, object] = OrderedDict([("a", 1), ("b", 2.5)])
    vars(mapping)["_metadata"] = OrderedDict(version=1)
    return mapping


PLAIN = {
    "numbers": [
        0,
        255,
        256,
        65535,
        65536,
        -1,
        -(2**31),
        2**31,
        -(2**31) - 1,
        2**63,
        -(2**63),
        2**71,
        2**2100,
        -128,
        -(2**39),
    ],
    "texts": ["", "weight", "\u00e4\n\\", "\u4e2d", "x" * 300, "\U0001f600"],
    "reals": [0.0, -0.5, 1e300, float("inf")],
    "truths": (True, False, None),
    "one": [7],
    "tuples": ((), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)),
    "dict of one": {"a": 1},
    "batches": list(range(2500)),
    "batch and one": list(range(1001)),
    "big dict": dict.fromkeys(range(1001)),
    "big ordered": OrderedDict((i, None) for i in range(1001)),
    "ordered": metadata(),
    "bytes": [b"", b"\x00\xff\n", b"y" * 300],
    "bytearrays": [bytearray(), bytearray(b"ab\xff")],
    "sets": [set(), {1}, frozenset({2})],
    "complex": 1 - 2j,
    "nested": {"state": {0: {"step": 1, "lists": [[], [[]], {}]}}},
}


def shared() -> object:
    inner: list[object] = [1]
    inner.append(inner)
    return [inner, inner, {"k": inner}]


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("name", PLAIN)
def test_values_as_cpython_writes_them(name: str, protocol: int) -> None:
    assert dumps(PLAIN[name], protocol) == pickle.dumps(PLAIN[name], protocol)


@pytest.mark.parametrize("protocol", range(6))
def test_shared_and_cyclic_values(protocol: int) -> None:
    value = shared()
    assert dumps(value, protocol) == pickle.dumps(value, protocol)


@pytest.mark.parametrize("protocol", range(6))
def test_instances_and_globals(protocol: int) -> None:
    ours = [
        Instance(Global(__name__, "Point"), (), {"x": 3, "name": "p"}),
        Global("builtins", "range"),
        Global("copyreg", "pickle"),
    ]
    assert dumps(ours, protocol) == pickle.dumps([Point(3), range, copyreg.pickle], protocol)


def test_all_opcodes_are_there() -> None:
    ours = {(name, code.decode("latin-1")) for name, (code, _) in OPCODES.items()}
    assert ours == {(opcode.name, opcode.code) for opcode in pickletools.opcodes}


@pytest.mark.parametrize(
    ("name", "argument", "expected"),
    [
        ("BININT", -2, b"J\xfe\xff\xff\xff"),
        ("LONG1", 255, b"\x8a\x02\xff\x00"),
        ("LONG4", -1, b"\x8b\x01\x00\x00\x00\xff"),
        ("BINFLOAT", 1.0, b"G\x3f\xf0\x00\x00\x00\x00\x00\x00"),
        ("SHORT_BINSTRING", b"cpu", b"U\x03cpu"),
        ("GLOBAL", "posix system", b"cposix\nsystem\n"),
        ("INST", "a.b c", b"ia.b\nc\n"),
        ("GET", 12, b"g12\n"),
        ("BINUNICODE8", "a", b"\x8d\x01\x00\x00\x00\x00\x00\x00\x00a"),
        ("FRAME", 5, b"\x95\x05\x00\x00\x00\x00\x00\x00\x00"),
        ("EXT2", 258, b"\x83\x02\x01"),
    ],
)
def test_single_opcodes(name: str, argument: str, expected: bytes) -> None:
    assert encoded(name, argument) == expected


def test_an_argument_too_many_is_an_error() -> None:
    with pytest.raises(ValueError, match="no argument"):
        Stream().op("STOP", 1)


def saved(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


ARRAYS = {
    "vector": np.arange(3, dtype="<f4"),
    "scalar": np.array(2.5),
    "fortran": np.asfortranarray(np.arange(6, dtype="<i8").reshape(2, 3)),
    "big-endian": np.arange(4, dtype=">i2").reshape(2, 2),
    "bool": np.array([[True, False]]),
    "empty": np.zeros((0, 3), "<f8"),
    "struct": np.zeros(2, [("a", "<f4"), ("b", "<i4", (2,))]),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_npy_as_numpy_writes_it(name: str) -> None:
    array = ARRAYS[name]
    fortran = bool(array.flags.f_contiguous and not array.flags.c_contiguous)
    descr = array.dtype.descr if array.dtype.names else array.dtype.str
    assert npy(array.tobytes("A"), array.shape, descr, fortran) == saved(array)


@pytest.mark.parametrize("deflated", [False, True])
def test_npz_as_numpy_writes_it(deflated: bool) -> None:
    buffer = io.BytesIO()
    save = np.savez_compressed if deflated else np.savez
    save(buffer, weight=ARRAYS["vector"], bias=ARRAYS["scalar"])
    members = {"weight": saved(ARRAYS["vector"]), "bias": saved(ARRAYS["scalar"])}
    assert npz(members, deflated) == buffer.getvalue()


def test_floats_refuse_a_shape_that_does_not_fit() -> None:
    with pytest.raises(ValueError, match="do not fill"):
        floats([1.0, 2.0], (3,))


def test_python_reads_the_torch_zip() -> None:
    archive = zipfile.ZipFile(io.BytesIO(torch_zip({"w": full("float32", (2,), [1.5, 2.5])}, root="model")))
    assert archive.testzip() is None
    assert archive.namelist() == [
        "model/data.pkl",
        "model/.format_version",
        "model/.storage_alignment",
        "model/byteorder",
        "model/data/0",
        "model/version",
        "model/.data/serialization_id",
    ]
    assert archive.read("model/data/0") == bytes.fromhex("0000c03f00002040")


def test_records_of_a_torch_zip_are_aligned() -> None:
    writer = ZipWriter("m")
    entries = [writer.add(f"data/{count}", bytes(count)) for count in (0, 1, 64, 65)]
    assert [entry.start % 64 for entry in entries] == [0, 0, 0, 0]
    assert [entry.descriptor for entry in entries] == [0, 16, 16, 16]


def test_a_legacy_stream_has_its_parts_where_torch_has_them() -> None:
    stream = build({"w": full("float32", (2,), [1.5, 2.5])})
    assert stream.starts[:4] == [0, 15, 21, 137]
    assert stream.data[:15] == bytes.fromhex("80028a0a6cfc9c46f9206aa850192e")
    assert stream.data[stream.starts[5] :] == bytes.fromhex("02000000000000000000c03f00002040")
