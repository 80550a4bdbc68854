"""The files after public reports, as `inspect --json --hash --regions --values` tells of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import inspected
from tests.expected import Facts, expected
from tests.shared import ABSENT

Found = dict[str, Any]
ALL = ("--hash", "--regions", "--values")


def case_facts(case: str) -> Facts:
    """What stands beside a case; a skip with a sentence where the folder is absent."""
    facts = expected("cases").get(case)
    if facts is None:
        pytest.skip(ABSENT)
    return dict(facts)


def look_at(shared: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Found]:
    """A function that gives the object of a case. `flags` beside those that all have; `code`: the exit code."""

    def look(case: str, *flags: str, code: int = 0) -> Found:
        found, given = inspected(shared / "cases" / case / case_facts(case)["open"], capfdbinary, *ALL, *flags)
        assert given == code
        assert_tiles(found)
        return found

    return look


def assert_tiles(found: Found) -> None:
    """The regions of a file have all its bytes, each once."""
    reached = 0
    for row in found["regions"]:
        assert row["start"] == reached, row
        reached = row["stop"]
    assert reached == found["file"]["size"]


def codes(found: Found, *leaving: str) -> list[str]:
    """The codes of all Problems but for some."""
    return [row["code"] for row in found["problems"] if row["code"] not in leaving]


def problem(found: Found, code: str) -> Found:
    """The one Problem of a code."""
    (row,) = [row for row in found["problems"] if row["code"] == code]
    return dict(row)


def texts(found: Found) -> str:
    """All sentences on a file: on what is wrong and on loading it; numbers without thousands."""
    rows = [*found["problems"], *found["loading"]["expectations"]]
    return " ".join(row["text"] for row in rows).replace(",", "")


def tensor(found: Found, name: str) -> Found:
    """The tensor of a name, or whose path is this one key."""
    (row,) = [row for row in found["tensors"] if name == row["name"] or row["path"] == [name]]
    return dict(row)


def values(found: Found) -> dict[str, Any]:
    """The plain values by their path, joined by dots."""
    return {".".join(map(str, row["path"])): row["value"] for row in found["values"]}


def expectations(found: Found) -> list[str]:
    """The codes of what torch.load would do."""
    return [row["code"] for row in found["loading"]["expectations"]]
