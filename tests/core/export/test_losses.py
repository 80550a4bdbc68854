"""Numbers that a type cannot hold are counted before anything is written, and each once all the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders.torch_values import Storage, full, state_dict, tensor
from tests.core.export.reading import document_of, exported
from viewer.core.errors import CancelledError
from viewer.core.export import exporter_of
from viewer.core.export.losses import STEP, count, may_lose
from viewer.core.export.plan import Plan
from viewer.core.export.selection import Wanted
from viewer.core.progress import Progress, Step

LARGE = Storage("float32", np.array([1, 1e6, 1e-9, 7e4, 2], dtype="f4").tobytes())
VALUE = {
    "whole": tensor(LARGE, (5,), (1,)),
    "part": tensor(LARGE, (2,), (1,), 1),
    "fine": full("float32", (2,), [1, 2]),
    "wide": full("float64", (3,), [1e300, 1, 1e5]),
    "number": full("int64", (1,), [1 << 40]),
}


def planned(form: str, wanted: Wanted) -> Plan:
    return exporter_of(form).plan(document_of(state_dict(VALUE)), wanted)


def texts(plan: Plan) -> list[str]:
    return [line.text for line in count(plan, Progress())]


def test_all_that_is_written_is_counted() -> None:
    plan = planned("state_dict", Wanted(dtype="float16"))
    assert may_lose(plan)
    expected = [
        "Too large for float16: 4 numbers, which would become infinite.",
        "Too small for float16: 1 numbers, which would become zero.",
        "They are in: whole, part, wide.",
    ]
    assert texts(plan) == expected
    # read a second time, nothing is counted anew
    assert texts(plan) == expected


def test_only_what_is_copied_is_counted_of_a_slice() -> None:
    wanted = Wanted(dtype="float16", only=("part", "fine"))
    assert texts(planned("npz", wanted))[0] == "Too large for float16: 1 numbers, which would become infinite."
    assert texts(planned("state_dict", wanted))[0] == "Too large for float16: 2 numbers, which would become infinite."
    compact = Wanted(dtype="float16", only=("part", "fine"), compact=True)
    assert texts(planned("state_dict", compact))[0] == "Too large for float16: 1 numbers, which would become infinite."


def test_repeated_elements_are_counted_once() -> None:
    value = {"expanded": tensor(LARGE, (1 << 30, 1 << 30, 2), (0, 0, 2)), "windows": tensor(LARGE, (3, 3), (1, 1))}
    plan = exporter_of("npz").plan(document_of(state_dict(value)), Wanted(dtype="float16"))
    assert texts(plan) == [
        "Too large for float16: 2 numbers, which would become infinite.",
        "Too small for float16: 1 numbers, which would become zero.",
        "They are in: expanded, windows.",
    ]


def test_a_type_that_holds_all_says_so() -> None:
    assert texts(planned("npz", Wanted(dtype="bfloat16", only=("fine",)))) == [
        "bfloat16 holds every number: none is too large or too small for it."
    ]
    widened = planned("npz", Wanted(dtype="float32", only=("fine",)))
    assert not may_lose(widened)
    assert count(planned("npz", Wanted()), Progress()) == ()


def test_what_was_written_is_told_with_the_names(tmp_path: Path) -> None:
    report = exported(document_of(state_dict(VALUE)), tmp_path / "out.pt", "state_dict", Wanted(dtype="float16"))
    assert [line.text for line in report.lines] == [
        "Too large for float16, and infinite now: 4 numbers. Write a wider type to keep them.",
        "Too small for float16, and zero now: 1 numbers.",
        "They are in: whole, part, wide.",
    ]


def test_counting_tells_how_far_it_is_and_stops() -> None:
    plan = planned("state_dict", Wanted(dtype="float16"))
    steps: list[Step] = []
    count(plan, Progress(steps.append))
    assert [(step.what, step.total) for step in steps[:1]] == [(STEP, 5 * 2 + 2 * 2 + 3 * 2)]
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        count(plan, progress)
