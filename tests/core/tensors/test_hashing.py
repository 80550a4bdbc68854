"""Digests of elements."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import replace

import numpy as np
import pytest

from tests.core.tensors.streams import over
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.tensors.arrays import array_storage, array_tensor
from viewer.core.tensors.dtypes import numpy_type
from viewer.core.tensors.hashing import sha256

# Of the bytes 00 00 00 00 00 00 80 3F 00 00 00 40: the float32 numbers 0, 1, 2.
ZERO_ONE_TWO = "75664b4da1c08de9e8fad52303cc458b3e420edde6591e58761e138cc5e3f163"


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_contiguous_elements() -> None:
    assert sha256(over(struct.pack("<3f", 0, 1, 2), "float32", (3,))) == ZERO_ONE_TWO


def test_strided_elements_in_the_order_of_their_index() -> None:
    tensor = over(struct.pack("<6f", 9, 0, 9, 1, 9, 2), "float32", (3,), (2,), 1)
    assert sha256(tensor) == ZERO_ONE_TWO


def test_big_endian_elements_as_little_endian() -> None:
    assert sha256(over(struct.pack(">3f", 0, 1, 2), "float32", (3,), byteorder="big")) == ZERO_ONE_TWO


def test_conj_is_applied() -> None:
    tensor = over(struct.pack("<2f", 1, 2), "complex64", (1,), itemsize=8)
    tensor.conj = True
    assert sha256(tensor) == digest(struct.pack("<2f", 1, -2))


def test_raw_bytes_of_booleans_and_packed_types() -> None:
    assert sha256(over(b"\x02\x01", "bool", (2,), itemsize=1)) == digest(b"\x02\x01")
    assert sha256(over(b"\x72", "float4_e2m1fn_x2", (1,), itemsize=1)) == digest(b"\x72")


def test_nothing_has_the_digest_of_nothing() -> None:
    assert sha256(over(b"", "float32", (0, 3))) == digest(b"")


@pytest.mark.parametrize("kind", ["<U2", "|S3", "<M8[s]", "|V5", "[('a', '<i4'), ('b', '<f8')]", "<U0"])
def test_arrays_of_other_kinds(kind: str) -> None:
    data = bytes(range(1, 1 + 2 * numpy_type(kind).itemsize))
    storage = array_storage(numpy_type(kind), 2, None, MemorySource(data))
    assert sha256(array_tensor(numpy_type(kind), (2,), False, storage)) == digest(data)


def test_fortran_order() -> None:
    array = np.arange(6, dtype="<i2").reshape(2, 3)
    storage = array_storage(array.dtype, 6, None, MemorySource(array.tobytes("F")))
    assert sha256(array_tensor(array.dtype, (2, 3), True, storage)) == digest(array.tobytes())


def test_no_digest_of_what_is_not_all_there() -> None:
    assert sha256(over(bytes(8), "float32", (3,))) is None
    assert sha256(over(bytes(8), "uint3", (8,), itemsize=1)) is None


def test_work_can_be_stopped() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        sha256(over(bytes(8), "float32", (2,)), progress)


def test_packed_elements_can_be_stopped_and_may_vanish() -> None:
    """Packed types have several blocks too: there was no place to stop between them."""
    whole = over(bytes(range(256)) * 8192, "quint4x2", (4 * 1024 * 1024,), itemsize=1)
    assert sha256(whole) == digest(bytes(range(256)) * 8192)
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(CancelledError):
        sha256(whole, stopped)

    class Shrinking(MemorySource):
        """A file that another program cuts once it is read."""

        def read_into(self, offset: int, buffer: memoryview) -> int:
            return super().read_into(offset, buffer[: len(buffer) // 2])

    storage = whole.storage
    assert storage is not None
    cut = replace(whole, storage=replace(storage, source=Shrinking(bytes(2 * 1024 * 1024))))
    assert sha256(cut) is None
