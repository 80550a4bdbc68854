"""CRC-32 by one function, whichever library takes it."""

from __future__ import annotations

import importlib
import importlib.util
import random
import sys
import zlib
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from viewer.core import crc


@pytest.fixture(params=["as installed", "without isal"])
def crc32(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., int]]:
    if request.param == "without isal":
        found = importlib.util.find_spec
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "isal" else found(name))
        monkeypatch.delitem(sys.modules, "isal.isal_zlib", raising=False)
        module = importlib.reload(crc)
        assert module._crc32 is zlib.crc32
    yield crc.crc32
    monkeypatch.undo()
    importlib.reload(crc)


def test_the_same_as_zlib(crc32: Callable[..., int]) -> None:
    rng = random.Random(7)
    data = memoryview(rng.randbytes(1 << 18))
    # short ones, where blocks of the processor begin and end, and long ones
    lengths = [*range(300), *(rng.randrange(1 << 16) for _ in range(100)), 1 << 17]
    for length in lengths:
        start, value = rng.randrange(1 << 17), rng.choice((0, 1, 2**32 - 1, rng.getrandbits(32)))
        part = data[start : start + length]
        assert crc32(part, value) == zlib.crc32(part, value)


def test_what_follows_goes_on(crc32: Callable[..., int]) -> None:
    assert crc32(b"456789", crc32(b"123")) == crc32(b"123456789") == 0xCBF43926


def test_numbers_in_one_piece(crc32: Callable[..., int]) -> None:
    numbers = np.arange(7.0)
    assert crc32(numbers.data) == zlib.crc32(numbers.tobytes())
