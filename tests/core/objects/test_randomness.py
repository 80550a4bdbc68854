"""States of random number generators."""

from __future__ import annotations

import random
import struct

import pytest

from tests.builders.torch_values import Storage, full, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call
from tests.core.objects.streams import pickled
from tests.opened import opened
from viewer.core.objects.randomness import Randomness, of_tensor, of_value

RNG = frozenset({"rng"})


def bytes_of(data: bytes, dtype: str = "uint8") -> Call:
    return tensor(Storage(dtype, data), (len(data),))


def told(value: Call, words: frozenset[str] = RNG) -> Randomness | None:
    (found,) = opened(torch_zip({"rng": value})).tensors
    return of_tensor(found, words)


@pytest.mark.parametrize("size", [5048, 5056])
def test_torch_on_the_cpu(size: int) -> None:
    state = struct.pack("<QiiQ", 2**63 + 5, 600, 1, 24).ljust(size, b"\1")
    assert told(bytes_of(state), frozenset()) == Randomness("cpu", "mt19937", 2**63 + 5, 24)


def test_bytes_that_are_no_state() -> None:
    assert told(bytes_of(struct.pack("<QiiQ", 5, 70_000, 1, 24).ljust(5056, b"\1"))) is None
    assert told(bytes_of(b"\0" * 100)) is None
    assert told(bytes_of(b"\0" * 5056, "int8")) is None
    assert told(full("uint8", (2, 8), range(16))) is None


def test_torch_on_a_gpu() -> None:
    state = struct.pack("<QQ", 1234, 56)
    assert told(bytes_of(state)) == Randomness("cuda", "Philox", 1234, 56)
    assert told(bytes_of(state), frozenset({"mask"})) is None
    assert told(bytes_of(b"\0" * 816_016)) == Randomness("cuda", "mtgp32")


def test_bytes_that_are_missing() -> None:
    data = torch_zip({"rng": bytes_of(bytes(5056))}, deflated=True)
    (found,) = opened(data).tensors
    assert of_tensor(found) == Randomness("cpu", "mt19937")


def test_python() -> None:
    values = pickled(random.Random(5).getstate())
    assert of_value(values, values.root) == Randomness("python", "mt19937", None, 624)
    values = pickled((3, tuple(range(600)), None))
    assert of_value(values, values.root) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (("MT19937", [1, 2], 7, 0, 0.0), Randomness("numpy", "mt19937", None, 7)),
        ({"bit_generator": "PCG64", "state": {"state": 5, "inc": 7}}, Randomness("numpy", "PCG64")),
        ({"bit_generator": "MT19937", "state": {"key": [1], "pos": 3}}, Randomness("numpy", "MT19937", None, 3)),
        ({"bit_generator": "MT19937"}, None),
        (("other", 1, 2, 3, 4), None),
        ((1, 2), None),
        ({}, None),
        (5, None),
    ],
)
def test_numpy(value: object, expected: Randomness | None) -> None:
    values = pickled(value)
    assert of_value(values, values.root) == expected
