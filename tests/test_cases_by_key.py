"""All cases of all kinds in ../shared, key by key: each fact that stands beside a case is held against what we say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tests.case_checks import CHECKS, KINDS
from tests.case_checks.case import Case
from tests.expected import expected
from tests.shared import ABSENT, SHARED

THERE: Final = "conv1.weight"
Place = tuple[str | int, ...]
# What makes these facts wrong: of what is absent something that is there, of a bound a narrower one.
WRONG: Final = {
    **{("absent_keys", number): THERE for number in range(3)},
    ("attributes", "absent", 0): "training",
    ("diagnosis", "must_not_contain", 0): "pickle",
    ("export", "max_size"): 100,
    ("tensors",): [{"path": ["~"]}],
}
# Where the bytes of a storage would stand that is not there.
UNKNOWN: Final = {("cor-zip-half", "tensors"): [(3, "file_offset"), (4, "file_offset")]}
UNTOLD: Final = frozenset({"must_not_create"})
"""Keys whose check is made wrong in a test of its own."""


def names() -> list[object]:
    return [*sorted(expected("cases"))] or [pytest.param("absent", marks=pytest.mark.skip(reason=ABSENT))]


@cache
def kinds() -> dict[str, str]:
    """The kind of each case."""
    log = SHARED / "cases" / "log.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    return {case["id"]: case["kind"] for case in map(json.loads, lines)}


@pytest.fixture
def case(request: pytest.FixtureRequest, shared: Path, tmp_path: Path) -> Iterator[Case]:
    with Case(request.param, shared, tmp_path) as found:
        yield found


@pytest.mark.parametrize("case", names(), indirect=True)
def test_every_fact_of_every_case(case: Case) -> None:
    wrong = {key: found for key, stated in case.facts.items() if (found := list(CHECKS[key](case, stated)))}
    assert wrong == {}


@pytest.mark.parametrize("case", names(), indirect=True)
def test_what_people_came_for(case: Case) -> None:
    assert list(KINDS[kinds()[case.name]](case)) == []


@pytest.mark.usefixtures("shared")
def test_no_key_and_no_kind_is_without_a_check() -> None:
    keys = {key for facts in expected("cases").values() for key in facts}
    assert keys == set(CHECKS)
    assert set(kinds()) == set(expected("cases"))
    assert set(kinds().values()) == set(KINDS)


# -- checks that check -----------------------------------------------------------------------------------


def leaves(value: Any, place: Place = ()) -> Iterator[Place]:
    """The places of all single facts below a value; an empty list or object is one."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    below = list(inner)
    if not below:
        yield place
    for part, one in below:
        yield from leaves(one, (*place, part))


def spoiled(value: Any) -> Any:
    """Another fact of the same form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + abs(value) + 1
    if isinstance(value, str):
        return value + "~"
    return ["~"] if value == [] else "~"


def with_wrong(value: Any, place: Place, key: str) -> Any:
    """A copy with one fact made wrong."""
    if not place:
        return WRONG.get((key,), spoiled(value)) if value == [] else spoiled(value)
    made = deepcopy(value)
    holder = made
    for part in place[:-1]:
        holder = holder[part]
    holder[place[-1]] = WRONG.get((key, *place), spoiled(holder[place[-1]]))
    return made


def witnesses() -> list[object]:
    """For each key all cases that state it, of which each single fact is made wrong."""
    stated = [(name, key) for name, facts in expected("cases").items() for key in facts if key not in UNTOLD]
    return [*stated] or [pytest.param("absent", "absent", marks=pytest.mark.skip(reason=ABSENT))]


@pytest.mark.parametrize(("case", "key"), witnesses(), indirect=["case"])
def test_a_wrong_fact_is_told(case: Case, key: str) -> None:
    stated = case.facts[key]
    unseen = [place for place in leaves(stated) if not list(CHECKS[key](case, with_wrong(stated, place, key)))]
    assert unseen == UNKNOWN.get((case.name, key), [])


def test_a_folder_that_was_made_is_told(shared: Path, tmp_path: Path) -> None:
    with Case("sec-os-system", shared, tmp_path) as case:
        (tmp_path / case.facts["must_not_create"]).mkdir()
        assert list(CHECKS["must_not_create"](case, case.facts["must_not_create"]))
