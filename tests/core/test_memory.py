"""The memory limit: what it allows of each budget, and what is told where it forbids something."""

from __future__ import annotations

import pickle
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer.core import memory
from viewer.core.memory import MIB, USUAL, allow, limit, room, share
from viewer.core.opening import open_document
from viewer.core.pickles.disassembly import EACH
from viewer.core.problem import Severity
from viewer.core.source import CACHED_PAGES, LEAST_PAGES, PAGE, FileSource
from viewer.wording import fill
from viewer.wording.problems import PROBLEMS


@pytest.fixture(autouse=True)
def none_afterwards() -> Iterator[None]:
    yield
    allow(None)


def test_without_a_limit_all_budgets_are_the_usual_ones() -> None:
    assert (limit(), room(1), share(64)) == (USUAL, None, 64)


def test_budgets_shrink_in_proportion_and_never_grow() -> None:
    for nbytes, allowed in ((USUAL // 16, 4), (USUAL // 2, 32), (USUAL, 64), (4 * USUAL, 64), (0, 1)):
        allow(nbytes)
        assert share(64) == allowed
    allow(MIB)
    assert (limit(), room(40), share(64, 4)) == (MIB, MIB // 40, 4)


def stream() -> bytes:
    return pickle.dumps([[number, str(number)] for number in range(40_000)], protocol=2)


@pytest.fixture(params=["bare", "zip"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "bare":
        made = tmp_path / "long.pkl"
        made.write_bytes(stream())
        return made
    made = tmp_path / "long.pt"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("long/data.pkl", stream())
        archive.writestr("long/version", "3\n")
    return made


def test_more_opcodes_than_allowed_are_not_read_and_that_is_told(path: Path) -> None:
    whole = open_document(FileSource(path))
    assert "pickle-memory" not in [problem.code for problem in whole.problems]
    allow(EACH * 50_000)
    document = open_document(FileSource(path))
    (problem,) = [problem for problem in document.problems if problem.code == "pickle-memory"]
    (first,) = document.pickles
    assert 50_000 < len(first.code) < len(whole.pickles[0].code)
    assert problem.severity is Severity.ERROR
    assert problem.params["count"] == len(first.code)
    assert problem.params["offset"] == first.code.stop
    assert "memory limit" in fill(PROBLEMS["pickle-memory"].title, problem.params)
    assert "pickle-behind-break" not in [problem.code for problem in document.problems]
    # What was read is what it would have been.
    assert list(first.code.codes) == list(whole.pickles[0].code.codes[: len(first.code)])
    assert document.regions[-1].span.stop == whole.source.size


def test_a_stream_that_fits_is_read_to_its_end(path: Path) -> None:
    count = len(open_document(FileSource(path)).pickles[0].code)
    allow(EACH * count)
    assert open_document(FileSource(path)).pickles[0].code.complete


def test_fewer_pages_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "pages"
    path.write_bytes(bytes(PAGE * (CACHED_PAGES + 10)))
    source = FileSource(path)
    for page in range(CACHED_PAGES + 10):
        source.read(page * PAGE, 10)
    assert len(source._pages) == CACHED_PAGES
    allow(memory.USUAL // 8)
    source.read(0, 10)
    assert len(source._pages) == CACHED_PAGES // 8
    allow(1)
    source.read(PAGE, 10)
    assert len(source._pages) == LEAST_PAGES
    source.close()
