"""Tensors that are pictures: (height, width, colours), (colours, height, width), and kernels over colours in tiles."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.tensors.meaning import read_meant
from viewer.core.tensors.sheet import Plane, can_draw, plain_numbers
from viewer.core.tensors.tensor import Tensor

Pixels = npt.NDArray[np.uint8]
COLOURS: Final = (3, 4)
LARGEST: Final = 1024
"""Rows and columns of a picture at most; of a larger one every so manieth is read."""
MOST_TILES: Final = 1024
MOST_KERNEL: Final = 32
BYTE: Final = 255


@dataclass(frozen=True, slots=True)
class Picture:
    """How a tensor is a picture. `axes`: of rows, columns and colours. `tiles`: of the kernels, None for one picture.

    `step`: every so manieth row and column is drawn.
    """

    tensor: Tensor
    axes: tuple[int, int, int]
    tiles: int | None = None

    @property
    def count(self) -> int:
        """Tiles that are drawn."""
        return 1 if self.tiles is None else min(MOST_TILES, self.tensor.shape[self.tiles])

    @property
    def in_row(self) -> int:
        """Tiles in a row of them."""
        return ceil(sqrt(self.count))

    @property
    def step(self) -> int:
        """Every so manieth row and column is drawn."""
        shape = self.tensor.shape
        return max(1, ceil(max(shape[self.axes[0]], shape[self.axes[1]]) / LARGEST))

    def read(self, low: float, high: float) -> tuple[Pixels, npt.NDArray[np.bool_]]:
        """Red, green and blue of each pixel, and where a tile stands; `low`, `high`: least and greatest number.

        Bytes are shown as they are, numbers from 0 to 1 as shares of full light, all others from least to greatest.
        Raises what reading the tensor does.
        """
        planes = self._planes()
        scaled = _scaled(planes, low, high)
        if self.tiles is None:
            return scaled[0], np.ones(scaled.shape[1:3], dtype=np.bool_)
        tall, wide = scaled.shape[1] + 1, scaled.shape[2] + 1
        rows = ceil(self.count / self.in_row)
        whole = np.zeros((rows * tall - 1, self.in_row * wide - 1, 3), dtype=np.uint8)
        used = np.zeros(whole.shape[:2], dtype=np.bool_)
        for number, tile in enumerate(scaled):
            down, right = divmod(number, self.in_row)
            place = slice(down * tall, down * tall + tall - 1), slice(right * wide, right * wide + wide - 1)
            whole[place], used[place] = tile, True
        return whole, used

    def index(self, row: int, column: int) -> tuple[int, ...] | None:
        """The element of the first colour at a pixel; None between tiles."""
        shape, found = self.tensor.shape, [0] * len(self.tensor.shape)
        tall, wide = shape[self.axes[0]] + 1, shape[self.axes[1]] + 1
        if self.tiles is not None:
            (down, row), (right, column) = divmod(row, tall), divmod(column, wide)
            found[self.tiles] = down * self.in_row + right
            if right >= self.in_row or found[self.tiles] >= self.count:
                return None
        row, column = row * self.step, column * self.step
        if row >= shape[self.axes[0]] or column >= shape[self.axes[1]]:
            return None
        found[self.axes[0]], found[self.axes[1]] = row, column
        return tuple(found)

    def pixel(self, index: tuple[int, ...]) -> tuple[int, int] | None:
        """The pixel that an element is drawn in; None where its row, column or tile is left out."""
        if len(index) != len(self.tensor.shape):
            return None
        row, column = index[self.axes[0]], index[self.axes[1]]
        if self.tiles is None:
            return (row // self.step, column // self.step) if not (row % self.step or column % self.step) else None
        tile = index[self.tiles]
        if tile >= self.count:
            return None
        down, right = divmod(tile, self.in_row)
        shape = self.tensor.shape
        return down * (shape[self.axes[0]] + 1) + row, right * (shape[self.axes[1]] + 1) + column

    def _planes(self) -> Plane:
        """[tile, row, column, colour], three colours."""
        key: list[int | slice] = [slice(None)] * len(self.tensor.shape)
        key[self.axes[0]] = key[self.axes[1]] = slice(None, None, self.step)
        key[self.axes[2]] = slice(0, 3)
        if self.tiles is not None:
            key[self.tiles] = slice(0, self.count)
        numbers = plain_numbers(read_meant(self.tensor, key))
        if self.tiles is None:
            return numbers.transpose(self.axes)[np.newaxis]
        return numbers.transpose((self.tiles, *self.axes))


def picture_of(tensor: Tensor) -> Picture | None:
    """How a tensor is a picture; None for what is none."""
    shape = tensor.shape
    if not can_draw(tensor) or 0 in shape:
        return None
    if len(shape) == 3 and shape[2] in COLOURS and min(shape[:2]) > 1:
        return Picture(tensor, (0, 1, 2))
    if len(shape) == 3 and shape[0] in COLOURS and min(shape[1:]) > 1:
        return Picture(tensor, (1, 2, 0))
    if len(shape) == 4 and shape[1] == 3 and 1 < max(shape[2:]) <= MOST_KERNEL:
        return Picture(tensor, (2, 3, 1), tiles=0)
    return None


def _scaled(numbers: Plane, low: float, high: float) -> Pixels:
    if low >= 0 and high > 1 and high <= BYTE:
        shares = numbers / BYTE
    elif low >= 0 and high <= 1:
        shares = numbers
    else:
        half = high / 2 - low / 2
        shares = (numbers / 2 - low / 2) / half if half > 0 else np.full(numbers.shape, 0.5)
    with np.errstate(all="ignore"):
        return (np.clip(np.nan_to_num(shares, nan=0.0), 0, 1) * BYTE + 0.5).astype(np.uint8)
