"""What stored elements mean where they are no numbers yet: quantised integers, pairs of four-bit floats.

value = (stored integer - zero point) x scale, in float32 as torch's dequantize() has it
float4_e2m1fn_x2: two floats a byte, that of the low bits first
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

import numpy as np

from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import AnyArray
from viewer.core.tensors.tensor import Parameters, Quantizer, Tensor
from viewer.core.tensors.window import Key, blocks, read

FLOAT4: Final = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], dtype=np.float32)
FLOAT_BYTES: Final = 4
PAIR: Final = np.dtype([("low", "<f4"), ("high", "<f4")])


def has_meaning(tensor: Tensor) -> bool:
    """Whether the elements mean other numbers than those that are stored."""
    return tensor.quantizer is not None or (tensor.kind == "tensor" and tensor.dtype == "float4_e2m1fn_x2")


def read_meant(tensor: Tensor, key: Key = ()) -> AnyArray:
    """The numbers that a selection means, else the elements as they are; `key` as for `window.read`.

    float32; structures of `low` and `high` for pairs. Raises what `window.read` does, for the scales too.
    """
    stored = read(tensor, key)
    if tensor.quantizer is not None:
        return _dequantised(stored, tensor, tensor.quantizer, key)
    if not has_meaning(tensor):
        return stored
    codes = stored.astype(np.uint8)
    pairs = np.empty(codes.shape, dtype=PAIR)
    pairs["low"], pairs["high"] = FLOAT4[codes & 15], FLOAT4[codes >> 4]
    return pairs


def has_numbers(tensor: Tensor) -> bool:
    """Whether elements mean numbers that `meant_blocks` gives."""
    return tensor.quantizer is not None and tensor.kind == "tensor"


def meant_blocks(tensor: Tensor, block: int, progress: Progress | None = None) -> Iterator[AnyArray]:
    """All numbers that quantised elements mean, in row-major order, flat: float32, of at most `block` bytes.

    Raises what `window.blocks` does, for the scales too, and CancelledError.
    """
    quantizer = tensor.quantizer
    assert quantizer is not None
    scale, zero = numbers(quantizer.scale), numbers(quantizer.zero_point)
    inner = prod(tensor.shape[quantizer.axis + 1 :]) if quantizer.axis is not None else 1
    at = 0
    for stored in blocks(tensor, progress, max(1, block // FLOAT_BYTES)):
        if quantizer.axis is None:
            yield _scaled(stored, scale, zero)
        else:
            channel = np.arange(at, at + len(stored)) // inner % tensor.shape[quantizer.axis]
            yield _scaled(stored, scale[channel], zero[channel])
        at += len(stored)


def pair_blocks(tensor: Tensor, block: int, progress: Progress | None = None) -> Iterator[AnyArray]:
    """Numbers of pairs of four-bit floats, the low half of each first: float32. Raises what `window.blocks` does."""
    for stored in blocks(tensor, progress, max(1, block // (2 * FLOAT_BYTES))):
        codes = stored.view(np.uint8)
        yield FLOAT4[np.stack((codes & 15, codes >> 4), axis=1).reshape(-1)]


def numbers(given: Parameters) -> AnyArray:
    """Scales or zero points as they are stored: an array of one axis, of none where one number serves all."""
    return read(given).reshape(-1) if isinstance(given, Tensor) else np.array(given)


def _dequantised(stored: AnyArray, tensor: Tensor, quantizer: Quantizer, key: Key) -> AnyArray:
    scale, zero = numbers(quantizer.scale), numbers(quantizer.zero_point)
    if quantizer.axis is not None:
        scale, zero = (_along(part, tensor, quantizer.axis, key) for part in (scale, zero))
    return _scaled(stored, scale, zero).reshape(stored.shape)


def _scaled(stored: AnyArray, scale: AnyArray, zero: AnyArray) -> AnyArray:
    exact = np.float32 if zero.dtype.kind == "f" else np.int64
    with np.errstate(all="ignore"):
        shifted = stored.astype(exact) - zero.astype(exact)
        found: AnyArray = shifted.astype(np.float32) * scale.astype(np.float32)
    return found


def _along(given: AnyArray, tensor: Tensor, axis: int, key: Key) -> AnyArray:
    """The parameters of the selected indices of an axis, shaped to stand beside the selection; NaN where none is."""
    wanted = key[axis] if axis < len(key) else slice(None)
    size = tensor.shape[axis]
    if len(given) < size:
        given = np.concatenate((given.astype(np.float32), np.full(size - len(given), np.nan, dtype=np.float32)))
    chosen = given[:size][wanted]
    if not isinstance(wanted, slice):
        return np.asarray(chosen)
    behind = sum(1 for at in range(axis + 1, len(tensor.shape)) if at >= len(key) or isinstance(key[at], slice))
    return np.asarray(chosen).reshape((-1, *[1] * behind))
