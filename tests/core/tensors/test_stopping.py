"""How much is read between two places to stop, whatever the layout: that is what stopping waits for."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from typing_extensions import override

from viewer.core.export.elements import Written, written
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, MemorySource
from viewer.core.span import Span
from viewer.core.tensors import packed
from viewer.core.tensors.assembled import AssembledSource
from viewer.core.tensors.gather import PIECE, boxes_between
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import blocks

COUNT = 1 << 21
NUMBERS = np.arange(COUNT, dtype="<u4")
MOST_READS = 8


class Counting(ByteSource):
    """Bytes in memory that know how many of them were read, in how many reads."""

    def __init__(self) -> None:
        self._memory = MemorySource(NUMBERS.tobytes())
        self.size = self._memory.size
        self.nbytes = self.reads = 0

    @override
    def read(self, offset: int, length: int) -> bytes:
        self.reads += 1
        found = self._memory.read(offset, length)
        self.nbytes += len(found)
        return found


class Looking(Progress):
    """Notes what was read at each place to stop."""

    def __init__(self, source: Counting) -> None:
        super().__init__()
        self._source = source
        self.looks = [(0, 0)]

    @override
    def check(self) -> None:
        self.looks.append((self._source.nbytes, self._source.reads))


def elements_over(source: Counting, shape: tuple[int, ...], stride: tuple[int, ...]) -> Written:
    """What is written of a tensor on those bytes."""
    storage = Storage("0", "cpu", "uint32", False, COUNT, source.size, Span(0, source.size), source)
    elements = written(Tensor(0, (), "w", "tensor", "uint32", shape, stride, 0, storage))
    assert elements is not None
    return elements


@pytest.mark.parametrize(
    ("shape", "stride"),
    [
        ((COUNT // 8,), (8,)),
        ((COUNT // 2048,), (2048,)),
        ((1024, COUNT // 1024), (1, 1024)),
        ((2, COUNT // 64, 32), (1, 64, 2)),
        ((3, COUNT // 64), (0, 64)),
    ],
    ids=["column", "far apart", "turned", "permuted", "expanded"],
)
def test_little_is_read_between_two_places_to_stop(shape: tuple[int, ...], stride: tuple[int, ...]) -> None:
    source = Counting()
    elements = elements_over(source, shape, stride)
    progress = Looking(source)
    found = b"".join(map(bytes, elements.blocks(progress)))
    steps = tuple(4 * step for step in stride)
    assert found == np.lib.stride_tricks.as_strided(NUMBERS, shape, steps).tobytes()
    looks = [*progress.looks, (source.nbytes, source.reads)]
    assert max(last[0] - first[0] for first, last in pairwise(looks)) <= PIECE
    assert max(last[1] - first[1] for first, last in pairwise(looks)) <= MOST_READS


def test_a_column_is_read_by_pages_and_not_by_elements() -> None:
    source = Counting()
    elements = elements_over(source, (COUNT // 8,), (8,))
    assert sum(map(len, elements.blocks(Progress()))) == source.size // 8
    assert source.reads <= source.size // (32 * 1024)


def test_elements_that_share_bytes_and_lie_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is read for itself."""
    monkeypatch.setattr(packed, "LARGEST", 64)
    source = Counting()
    storage = Storage("0", "cpu", "quint4x2", False, COUNT, source.size, Span(0, source.size), source)
    tensor = Tensor(0, (), "w", "tensor", "quint4x2", (16, 16), (4096, 65536), 0, storage)
    progress = Looking(source)
    found = np.concatenate(list(blocks(tensor, progress)))
    wanted = NUMBERS.view("u1")[(np.arange(16)[:, None] * 4096 + np.arange(16) * 65536) // 2] & 15
    assert found.tolist() == wanted.reshape(-1).tolist()
    looks = [*progress.looks, (source.nbytes, source.reads)]
    assert source.reads == 256
    assert max(last[1] - first[1] for first, last in pairwise(looks)) == 1


def test_of_a_long_row_that_is_a_piece_only_what_is_wanted_is_read() -> None:
    source = Counting()
    storage = Storage("0", "cpu", "uint32", False, COUNT, source.size, Span(0, source.size), source)
    half = COUNT // 2
    piece = Tensor(0, (), "w", "tensor", "uint32", (2, half), (1, 2), 0, storage, offsets=(0, 0))
    whole = AssembledSource((2, half), 4, [piece])
    assert whole.read(4 * 1000, 4096) == NUMBERS[2000:4048:2].tobytes()
    assert whole.read(4 * (half - 10), 80) == np.concatenate((NUMBERS[-20::2], NUMBERS[1:20:2])).tobytes()
    assert source.nbytes < 16 * 4096


@pytest.mark.parametrize("shape", [(), (1,), (7,), (3, 4), (2, 3, 4), (2, 1, 3, 2)])
def test_boxes_between_two_elements(shape: tuple[int, ...]) -> None:
    count = int(np.prod(shape))
    numbers = np.arange(count).reshape(shape)
    for first in range(count):
        for stop in range(first, count + 1):
            found = [
                numbers[tuple(slice(at, at + size) for at, size in zip(index, sizes, strict=True))].reshape(-1)
                for index, sizes in boxes_between(shape, first, stop)
            ]
            assert np.concatenate([*found, np.zeros(0, int)]).tolist() == list(range(first, stop))
            assert len(found) <= 2 * max(1, len(shape))
