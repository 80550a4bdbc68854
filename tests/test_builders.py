"""The builders write what CPython's own pickler and numpy write, byte for byte."""

from __future__ import annotations

import copyreg
import pickle
from collections import OrderedDict

import pytest

from tests.builders.pickles import OPCODES, Stream, encoded
from tests.builders.values import Global, Instance, dumps


class Point:
    """Something with attributes, to be pickled by both."""

    def __init__(self, x: int) -> None:
        self.x = x
        self.name = "p"


def metadata() -> OrderedDict[str, object]:
    """A mapping with an attribute, as state_dict() gives it."""
    mapping: OrderedDict[str, object] = OrderedDict([("a", 1), ("b", 2.5)])
    mapping._metadata = OrderedDict(version=1)  # type: ignore[attr-defined]
    return mapping


PLAIN = {
    "numbers": [0, 255, 256, 65535, 65536, -1, -(2**31), 2**31, -(2**31) - 1, 2**63, -(2**63), 2**71, 2**2100, -128, -(2**39)],
    "texts": ["", "weight", "\u00e4\n\\", "\u4e2d", "x" * 300, "\U0001f600"],
    "reals": [0.0, -0.5, 1e300, float("inf")],
    "truths": (True, False, None),
    "one": [7],
    "tuples": ((), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)),
    "dict of one": {"a": 1},
    "batches": list(range(2500)),
    "batch and one": list(range(1001)),
    "big dict": {i: None for i in range(1001)},
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
    ours = [Instance(Global(__name__, "Point"), (), {"x": 3, "name": "p"}), Global("builtins", "range"), Global("copyreg", "pickle")]
    assert dumps(ours, protocol) == pickle.dumps([Point(3), range, copyreg.pickle], protocol)


def test_all_opcodes_are_there() -> None:
    import pickletools

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
