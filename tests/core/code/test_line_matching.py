"""Common lines of two texts: shortest edit scripts, and what a budget leaves out."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.code import line_matching
from viewer.core.code.line_matching import Run, match, shortest

LINES = st.lists(st.sampled_from("abcd"), max_size=14)


def longest(left: Sequence[str], right: Sequence[str]) -> int:
    """The length of the longest common subsequence, by the table of all prefixes."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, ours in enumerate(left):
        for j, theirs in enumerate(right):
            table[i + 1][j + 1] = table[i][j] + 1 if ours == theirs else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(LINES, LINES)
def test_scripts_are_shortest(left: list[str], right: list[str]) -> None:
    script, _ = shortest(left, right)
    assert script is not None
    assert sum(length for _, _, length in script) == longest(left, right)


@given(LINES, LINES)
def test_runs_are_common_and_in_order(left: list[str], right: list[str]) -> None:
    at = to = 0
    for run in match(left, right).runs:
        assert run.left >= at
        assert run.right >= to
        assert run.length > 0
        assert left[run.left : run.left + run.length] == right[run.right : run.right + run.length]
        at, to = run.left + run.length, run.right + run.length


def test_runs_that_touch_are_one() -> None:
    assert match(list("abcxdef"), list("abcydef")).runs == [Run(0, 0, 3), Run(4, 4, 3)]
    assert match(list("abc"), list("abc")).runs == [Run(0, 0, 3)]
    assert match([], list("abc")).runs == []


def test_more_edits_than_are_looked_for() -> None:
    assert shortest("abcd", "dcba", most=2)[0] is None


def test_a_budget_that_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = list("xyxyxyxy"), list("yxxyyxxyxy")
    assert match(left, right).exact
    monkeypatch.setattr(line_matching, "MOST_STEPS", 3)
    found = match(left, right)
    assert not found.exact
    assert found.runs[-1] == Run(4, 6, 4)
