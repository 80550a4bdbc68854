"""Two tensors of one shape, element by element: by their bytes first, then by their numbers.

Types may differ: then integers are held against integers exactly, all else in float64. Quantised tensors are compared
by the numbers that their integers stand for; sparse and nested ones by the tensors that they are made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Final

import numpy as np

from viewer.core.comparing.meter import Meter
from viewer.core.comparing.numbers import Kind, Numbers, numbers_of, paired, values
from viewer.core.comparing.outcome import Differences, Outcome, Refused, found
from viewer.core.comparing.sparse import compare_sparse
from viewer.core.comparing.sums import Sums
from viewer.core.errors import CancelledError, ViewerError
from viewer.core.source import ByteSource
from viewer.core.tensors.dtypes import COMPLEX32, AnyArray, NumpyType
from viewer.core.tensors.elements import elements
from viewer.core.tensors.layout import is_row_major
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.tensor import Quantizer, Tensor
from viewer.core.tensors.window import available, complete, missing_bytes

READ: Final = 1024 * 1024
_SINGLE: Final = 4
# numpy has no fast maximum of two-byte floats. A signed view of them is greatest among the positive ones, an unsigned
# among the negative ones: NaN are all that is beyond infinity.
_INFINITY: Final = 0x7C00
_BFLOAT_INFINITY: Final = 0x7F80


def compare_elements(first: Tensor, second: Tensor, meter: Meter) -> Outcome:
    """Hold two tensors of one shape against each other; never fails for damage. Raises CancelledError."""
    try:
        repeats = _repeated(first, second)
        if not repeats:
            return _compared(first, second, meter)
        times = prod(first.shape[axis] for axis in repeats)
        return _times(_compared(_once(first, repeats), _once(second, repeats), meter), times)
    except CancelledError:
        raise
    except ViewerError as failure:
        return Refused("unreadable", failure.params, failure)


def _compared(first: Tensor, second: Tensor, meter: Meter) -> Outcome:
    # Quantised tensors have elements of their own beside the tensors of their scales.
    if any(each.parts and each.storage is None for each in (first, second)):
        return _by_parts(first, second, meter)
    hows = numbers_of(first), numbers_of(second)
    if hows[0] is None or hows[1] is None:
        return _without(first, second)
    for side, tensor in (("A", first), ("B", second)):
        if not complete(tensor):
            missing, size = missing_bytes(tensor)
            return Refused("cut", {"missing": missing, "size": size, "side": side})
    if _is_alike(first, second):
        done = meter.done
        nans = _by_bytes(first, second, meter)
        if nans is not None:
            return Differences(first.elements, nans=nans, same_bytes=True)
        meter.again(done)
    return _by_numbers(first, second, hows[0], hows[1], meter)


def _repeated(first: Tensor, second: Tensor) -> list[int]:
    """Axes along which one element repeats in both: terabytes may be expanded from a few bytes.

    The axis of a quantizer stays: its scales differ.
    """
    kept = {each.quantizer.axis for each in (first, second) if each.quantizer is not None}
    strides = enumerate(zip(first.stride, second.stride, strict=False))
    return [axis for axis, steps in strides if not any(steps) and first.shape[axis] > 1 and axis not in kept]


def _once(tensor: Tensor, repeats: Sequence[int]) -> Tensor:
    shape = tuple(1 if axis in repeats else size for axis, size in enumerate(tensor.shape))
    return replace(tensor, shape=shape)


def _times(outcome: Outcome, times: int) -> Outcome:
    """The outcome for all repeats; means and quotients are the same for each."""
    if isinstance(outcome, Refused):
        return outcome
    return replace(
        outcome,
        elements=outcome.elements * times,
        differing=outcome.differing * times,
        nans=outcome.nans * times,
        nans_a=outcome.nans_a * times,
        nans_b=outcome.nans_b * times,
    )


def _without(first: Tensor, second: Tensor) -> Outcome:
    """One of them has no values at all; two that have none are alike."""
    if first.storage is None and second.storage is None and first.note == second.note:
        return Differences(first.elements, largest=None, mean=None, relative=None, cosine=None, note="no-values")
    side, bare = ("A", first) if numbers_of(first) is None else ("B", second)
    return Refused("no-values", {"dtype": bare.dtype, "side": side})


# -- by bytes ----------------------------------------------------------------------------------------


def _is_alike(first: Tensor, second: Tensor) -> bool:
    """True where equal bytes are equal elements, and both stand in one run."""
    straight = all(is_row_major(each.shape, each.stride) and per_byte(each) == 1 for each in (first, second))
    return straight and elements(first) == elements(second) and _same_scales(first.quantizer, second.quantizer)


def _same_scales(first: Quantizer | None, second: Quantizer | None) -> bool:
    """True for quantisers that state the same in numbers; tensors of scales are not looked into here."""
    if first is None or second is None:
        return first is second
    if any(isinstance(each, Tensor) for each in (first.scale, first.zero_point, second.scale, second.zero_point)):
        return False
    return (first.scale, first.zero_point, first.axis) == (second.scale, second.zero_point, second.axis)


def _by_bytes(first: Tensor, second: Tensor, meter: Meter) -> int | None:
    """How many NaN both have, where all bytes are equal; None as soon as one differs, or cannot be had."""
    kind = elements(first)
    sources = [each.storage.source if each.storage is not None else None for each in (first, second)]
    if kind is None or not kind.itemsize or not first.elements:
        return 0
    if sources[0] is None or sources[1] is None:
        return 0 if sources[0] is sources[1] else None
    size = first.elements * kind.itemsize
    places = first.storage_offset * kind.itemsize, second.storage_offset * kind.itemsize
    step = READ // kind.itemsize * kind.itemsize or kind.itemsize
    left, right = bytearray(min(step, size)), bytearray(min(step, size))
    nans = 0
    for at in range(0, size, step):
        length = min(step, size - at)
        if length < len(left):
            left, right = bytearray(length), bytearray(length)
        meter.add(2 * length)
        whole = _fill(sources[0], places[0] + at, left) and _fill(sources[1], places[1] + at, right)
        # Bytes that vanished meanwhile are told by reading them as numbers.
        if not whole or left != right:
            return None
        nans += count_nans(np.frombuffer(left, dtype=np.uint8), kind.stored)
    return nans


def _fill(source: ByteSource, at: int, buffer: bytearray) -> bool:
    return source.read_into(at, memoryview(buffer)) == len(buffer)


def count_nans(raw: AnyArray, kind: NumpyType) -> int:
    """NaN among stored elements; of complex ones those with NaN in a part."""
    parts = 1
    if kind.kind == "c" or kind == COMPLEX32:
        parts, kind = 2, np.dtype(f"<f{kind.itemsize // 2}").newbyteorder(kind.byteorder)
    is_small = kind.type.__module__ == "ml_dtypes"
    if kind.names is not None or (kind.kind != "f" and not is_small):
        return 0
    if not _may_have_nans(raw, kind, is_small=is_small):
        return 0
    found = np.isnan(raw.view(kind))
    return int(np.count_nonzero(found.reshape(-1, parts).any(axis=1)))


def _may_have_nans(raw: AnyArray, kind: NumpyType, *, is_small: bool) -> bool:
    """False only where none is: four times as fast as asking each number."""
    is_bfloat = is_small and kind.name == "bfloat16"
    if not kind.isnative or (is_small and not is_bfloat):
        return True
    if kind.itemsize >= _SINGLE:
        return bool(np.isnan(raw.view(kind).max()))
    infinity = _BFLOAT_INFINITY if is_bfloat else _INFINITY
    return bool(raw.view("i2").max() > infinity or raw.view("u2").max() > infinity | 0x8000)


# -- by numbers --------------------------------------------------------------------------------------


def _by_numbers(first: Tensor, second: Tensor, one: Numbers, other: Numbers, meter: Meter) -> Outcome:
    kinds = {one.kind, other.kind}
    if Kind.RAW in kinds and (kinds != {Kind.RAW} or not _same_raw(first, second, one, other)):
        return Refused("types", {"first": first.dtype, "second": second.dtype})
    kind = next(each for each in (Kind.RAW, Kind.COMPLEX, Kind.REAL, Kind.INTEGER) if each in kinds)
    sums = Sums()
    for left, right in paired(values(first, one, meter), values(second, other, meter)):
        sums.add(left, right, kind)
    return found(sums, first.shape, kind, _note(first, second, one, other))


def _same_raw(first: Tensor, second: Tensor, one: Numbers, other: Numbers) -> bool:
    if first.dtype == second.dtype or one.native == other.native:
        return True
    kinds = {native.kind for native in (one.native, other.native) if native is not None}
    return len(kinds) == 1 and kinds <= set("SU")


def _note(first: Tensor, second: Tensor, one: Numbers, other: Numbers) -> str:
    if one.quantizer is not None or other.quantizer is not None:
        return "dequantised"
    if one.kind is Kind.RAW:
        return "raw"
    if one.kind is Kind.INTEGER and other.kind is Kind.INTEGER:
        return ""
    return "float64" if first.dtype != second.dtype else ""


# -- by parts ----------------------------------------------------------------------------------------


def _by_parts(first: Tensor, second: Tensor, meter: Meter) -> Outcome:
    """Sparse, nested and wrapped tensors: each part against the same part of the other; sparse ones else by index."""
    roles = [[role for role, _ in each.parts] for each in (first, second)]
    done = meter.done
    if (roles[0], first.layout, first.ragged) != (roles[1], second.layout, second.ragged):
        by_index = compare_sparse(first, second, meter)
        return by_index or Refused("layouts", {"first": first.layout, "second": second.layout})
    outcomes: list[Differences] = []
    for (role, one), (_, other) in zip(first.parts, second.parts, strict=True):
        if one.shape != other.shape:
            meter.again(done)
            return compare_sparse(first, second, meter) or Refused("parts", {"role": role})
        outcome = _compared(one, other, meter)
        if isinstance(outcome, Refused):
            return outcome
        if outcome.differing and role != "values" and len(roles[0]) > 1:
            meter.again(done)
            return compare_sparse(first, second, meter) or Refused("parts", {"role": role})
        outcomes.append(outcome)
    most = max(outcomes, key=lambda each: each.differing)
    is_same = all(each.same_bytes for each in outcomes)
    if most.differing or len(outcomes) == 1:
        return _of_part(most, is_same=is_same)
    nans = sum(each.nans for each in outcomes)
    return Differences(sum(each.elements for each in outcomes), nans=nans, same_bytes=is_same, note="parts")


def _of_part(outcome: Differences, *, is_same: bool) -> Differences:
    """What is known of the one part that counts; its places are none of the whole."""
    return replace(outcome, place=None, first=None, same_bytes=is_same, note="parts")


def compared_bytes(first: Tensor, second: Tensor) -> int:
    """Bytes that are there to be read of both."""
    every = (first, second, *(part for each in (first, second) for _, part in each.parts))
    return sum(map(available, every))
