"""Small tensors that are compared together: what is known of each is what comparing it by itself tells."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.core.comparing.test_comparison import between, statuses
from tests.core.comparing.test_elements import floats, of
from tests.core.tensors.streams import over
from viewer.core.comparing import comparison, elements
from viewer.core.comparing.elements import compare_elements
from viewer.core.comparing.meter import Meter
from viewer.core.comparing.outcome import Differences
from viewer.core.comparing.small import Small, compare_small, small
from viewer.core.source import MemorySource, SliceSource
from viewer.core.tensors.tensor import Quantizer, Tensor

KINDS = ["<f4", "<f8", "<f2", ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, "|b1", "|i1", "|u1", "<i2", "<i4", "<i8"]


def alike(one: float | None, other: float | None) -> bool:
    return one == other or (one is not None and other is not None and math.isclose(one, other, rel_tol=1e-9))


def name_of(kind: Any) -> str:
    return np.dtype(kind).name


def pairs_of(rng: np.random.Generator, kind: Any) -> list[tuple[Tensor, Tensor]]:
    made = []
    for size in (1, 2, 3, 7, 100, 512):
        first = (rng.standard_normal(size) * 50).astype(kind)
        second = first.copy()
        second[rng.integers(0, size, size // 2)] = np.array(rng.standard_normal() * 40).astype(kind)
        made.append((of(first, name_of(kind)), of(second, name_of(kind))))
        made.append((of(first, name_of(kind)), of(first, name_of(kind))))
    return made


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_the_same_is_known_as_of_each_alone(kind: Any) -> None:
    pairs = pairs_of(np.random.default_rng(3), kind)
    lot = [small(*pair) for pair in pairs]
    assert all(lot)
    outcomes = compare_small([pair for pair in lot if pair is not None])
    for pair, outcome in zip(pairs, outcomes, strict=True):
        alone = compare_elements(*pair, Meter())
        assert isinstance(alone, Differences)
        if outcome is None:
            # Wide integers are for exact arithmetic.
            assert np.dtype(kind).itemsize == 8
            assert np.dtype(kind).kind == "i"
            assert alone.differing
            continue
        for name in ("mean", "relative", "cosine"):
            assert alike(getattr(outcome, name), getattr(alone, name)), name
        assert replace(outcome, mean=None, relative=None, cosine=None) == replace(
            alone, mean=None, relative=None, cosine=None
        )
        assert type(outcome.largest) is type(alone.largest)


def test_nan_and_infinities_are_left_to_the_exact_way_and_equal_ones_counted() -> None:
    nan, inf = math.nan, math.inf
    lot = [
        small(floats(*numbers), floats(*others))
        for numbers, others in (((nan, 1), (nan, 1)), ((1, 2), (1, 2)), ((nan, 1), (nan, 2)), ((inf, 1), (inf, 2)))
    ]
    outcomes = compare_small([pair for pair in lot if pair is not None])
    assert outcomes == [Differences(2, nans=1, same_bytes=True), Differences(2, same_bytes=True), None, None]


def test_what_is_not_small_plain_and_whole_is_looked_at_by_itself() -> None:
    plain = floats(1, 2)
    others = [
        over(np.arange(2, dtype=">f4").tobytes(), "float32", (2,), byteorder="big"),
        over(b"\0" * 4, "float32", (2,)),
        replace(plain, stride=(2,)),
        replace(plain, neg=True),
        replace(plain, storage_offset=1),
        replace(of(np.array([1, 2], np.uint8), "quint8"), quantizer=Quantizer("per_tensor_affine", 0.5, 10)),
        over(b"\x21", "quint4x2", (2,), itemsize=1),
        floats(),
        of(np.zeros(2000, "<f4")),
    ]
    for other in others:
        assert small(other, other) is None, other
    assert small(plain, floats(1, 2, dtype="float64")) is None
    assert small(plain, plain) is not None


def test_neighbours_are_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[tuple[int, int]] = []
    data = np.arange(3000, dtype="<f4").tobytes()
    read = MemorySource.read

    def counted(source: MemorySource, offset: int, length: int) -> bytes:
        reads.append((offset, length))
        return read(source, offset, length)

    monkeypatch.setattr(MemorySource, "read", counted)
    file = MemorySource(data)

    def at(place: int) -> Tensor:
        tensor = floats(0)
        assert tensor.storage is not None
        return replace(tensor, storage=replace(tensor.storage, source=SliceSource(file, place, place + 4)))

    lot = [pair for place in (0, 8000, 4, 100) if (pair := small(at(place), at(place))) is not None]
    assert compare_small(lot) == [Differences(1, same_bytes=True)] * 4
    assert reads == [(0, 104), (8000, 4)] * 2


def test_bytes_that_vanished_are_told_by_reading_each() -> None:
    pair = small(floats(1, 2), floats(1, 2))
    assert pair is not None
    gone = replace(pair, b=replace(pair.b, source=MemorySource(b"abc")))
    assert isinstance(pair, Small)
    assert compare_small([gone]) == [None]
    assert compare_small([]) == []


def test_small_and_large_ones_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "MOST", 3)
    alone: list[object] = []
    whole = elements.compare_elements
    monkeypatch.setattr(comparison, "compare_elements", lambda *args: alone.append(args) or whole(*args))

    def holding(last: float) -> bytes:
        held = {f"small.{at}": full("float32", (2,), [at, at if at % 2 else last]) for at in range(8)}
        return torch_zip(state_dict({**held, "large": full("float32", (2000,), [last] * 2000)}))

    found = between(holding(1), holding(2))
    assert statuses(found) == {f"small.{at}": "equal" if at % 2 else "changed" for at in range(8)} | {
        "large": "changed"
    }
    assert len(alone) == 1
