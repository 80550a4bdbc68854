"""Transposed tensors are gathered in large tiles: little is read again, in bounded memory, all elements in place."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from viewer.core.source import ByteSource, MemorySource
from viewer.core.tensors import gather, window
from viewer.core.tensors.layout import row_major
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor

MIB = 1 << 20


class Zeros(ByteSource):
    """Many zeros that take no room, and how many of them were read."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.nbytes = 0

    @override
    def read(self, offset: int, length: int) -> bytes:
        self.nbytes += length
        return bytes(length)

    @override
    def read_into(self, offset: int, buffer: memoryview | bytearray) -> int:
        self.nbytes += len(buffer)
        return len(buffer)


def tensor(source: ByteSource, shape: tuple[int, ...], stride: tuple[int, ...], count: int) -> Tensor:
    storage = Storage("0", "cpu", "float32", False, count, count * 4, None, source)
    return Tensor(0, ("w",), "w", "tensor", "float32", shape, stride, 0, storage)


@pytest.mark.parametrize(
    ("shape", "times"),
    [((4096, 4096), 1), ((1024, 65536), 4), ((65536, 1024), 1), ((256, 131072), 2), ((8192, 8192), 1)],
)
def test_a_transposed_tensor_is_read_few_times(shape: tuple[int, int], times: int) -> None:
    count = shape[0] * shape[1]
    source = Zeros(count * 4)
    tracemalloc.start()
    try:
        nbytes = sum(block.nbytes for block in window.blocks(tensor(source, shape, (1, shape[0]), count)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert nbytes == count * 4
    assert source.nbytes <= times * nbytes
    assert peak < 100 * MIB


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=4),
    st.data(),
    st.sampled_from([8, 64, 4096]),
    st.sampled_from([16, 100, 1 << 16]),
)
def test_every_tile_has_the_right_elements(sizes: list[int], data: st.DataObject, small: int, budget: int) -> None:
    held = np.arange(np.prod(sizes), dtype="f4").reshape(sizes)
    order = data.draw(st.permutations(range(len(sizes))))
    repeated = data.draw(st.integers(0, 3))
    whole = held.transpose(order)
    view = np.broadcast_to(whole[..., None], (*whole.shape, repeated + 1)) if repeated else whole
    strides = [row_major(sizes)[axis] for axis in order] + ([0] if repeated else [])
    one = tensor(MemorySource(held.tobytes()), view.shape, tuple(strides), held.size)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("SMALL", "LARGE", "PIECE"):
            patch.setattr(gather, name, small)
        patch.setattr(gather, "PAGE", 8)
        patch.setattr(gather, "MOST_COPIED", 5)
        patch.setattr(window, "BUDGET", budget)
        found = np.concatenate(list(window.blocks(one, None, 12)))
    np.testing.assert_array_equal(found, view.reshape(-1))


def test_more_axes_than_numpy_has() -> None:
    numbers = np.arange(4, dtype="<f4")
    found = tensor(MemorySource(numbers.tobytes()), (*(1,) * 68, 2, 2), (*(1,) * 68, 1, 2), 4)
    assert np.concatenate(list(window.blocks(found))).tolist() == [0, 2, 1, 3]
