"""CRC-32 by one function, whichever library takes it."""

from __future__ import annotations

import importlib
import random
import sys
import zlib
from collections.abc import Callable, Iterator
from importlib.abc import MetaPathFinder
from typing import Final

import numpy as np
import pytest

from viewer.core import crc

BROKEN: Final = {
    "without isal": None,
    "without its library": ImportError("libisal.so.2: cannot open shared object file"),
    "for another processor": OSError("[WinError 193] not a valid application"),
}


class Broken(MetaPathFinder):
    """Finds isal, and fails with it."""

    def __init__(self, failure: Exception) -> None:
        self._failure = failure

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        del path, target
        if fullname.partition(".")[0] == "isal":
            raise self._failure


@pytest.fixture(params=["as installed", *BROKEN])
def crc32(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., int]]:
    if request.param in BROKEN:
        failure = BROKEN[request.param] or ModuleNotFoundError("No module named 'isal'")
        for name in [name for name in sys.modules if name.partition(".")[0] == "isal"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(sys, "meta_path", [Broken(failure), *sys.meta_path])
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
