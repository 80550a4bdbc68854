from __future__ import annotations

import os

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tests.ui.hexview.readers import Pattern
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.ui.hexview.marks import KINDS, NO_REGIONS, RegionRun, RegionRuns
from viewer.ui.hexview.overview import bounds, entropies, resampled, shares

MEMO, FLOAT = KINDS.index("memo"), KINDS.index("float32")


def test_a_file_is_cut_in_rows_of_equal_length() -> None:
    assert bounds(100, 4).tolist() == [0, 25, 50, 75, 100]
    assert bounds(3, 10).tolist() == [0, 1, 2, 3]
    assert bounds(2**50, 1024)[-1] == 2**50


def test_a_row_shows_the_share_of_each_kind() -> None:
    runs = RegionRuns.of([RegionRun(0, 5, "memo"), RegionRun(5, 30, "float32"), RegionRun(35, 40, "memo")])
    table = shares(runs, 40, 4)
    assert table[:, MEMO].tolist() == [0.5, 0, 0, 0.5]
    assert table[:, FLOAT].tolist() == [0.5, 1, 1, 0]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 40), st.sampled_from(KINDS)), max_size=30))
def test_shares_add_up_to_the_bytes(parts: list[tuple[int, int, str]]) -> None:
    at, rows = 0, []
    for space, length, kind in parts:
        rows.append(RegionRun(at + space, at + space + length, kind))
        at += space + length
    size = at + 7
    lengths = np.diff(bounds(size, 16))
    counted = (shares(RegionRuns.of(rows), size, 16) * lengths[:, None]).sum(axis=0)
    expected = [sum(run.stop - run.start for run in rows if run.kind == kind) for kind in KINDS]
    assert counted == pytest.approx(expected)


def test_no_regions_are_no_shares() -> None:
    assert not shares(NO_REGIONS, 1000, 8).any()


def test_entropy_is_low_for_zeros_and_high_for_noise() -> None:
    source = MemorySource(bytes(4096) + os.urandom(4096) + b"\0\1" * 2048)
    assert entropies(source, 3, Progress()) == pytest.approx([0, 1, 1 / 8], abs=0.02)


def test_entropy_reads_a_sample_of_each_row() -> None:
    reader = Pattern(2**50)
    entropies(reader, 8, Progress())
    assert reader.reads == [(row * 2**47, 4096) for row in range(8)]


def test_measuring_stops_when_asked() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        entropies(Pattern(100), 8, progress)


def test_rows_are_averaged_or_repeated() -> None:
    values = np.array([0.0, 1.0, 2.0, 3.0])
    assert resampled(values, 2).tolist() == [0.5, 2.5]
    assert resampled(values, 8).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert resampled(np.zeros((0, 3)), 5).shape == (5, 3)


def test_the_shares_of_a_million_runs_fill_every_row() -> None:
    starts = np.arange(1_000_000, dtype=np.int64) * 3
    runs = RegionRuns(starts, starts + 3, (starts % 22).astype(np.uint8), np.zeros(1_000_000, np.uint8))
    table = shares(runs, 3_000_000, 1024)
    assert table.sum() == pytest.approx(1024)
