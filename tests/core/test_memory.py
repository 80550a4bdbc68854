"""The memory limit: what it allows of each budget, and what is told where it forbids something."""

from __future__ import annotations

import bz2
import json
import lzma
import pickle
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from viewer.core import memory
from viewer.core.archive.unpacking import Room, unpack
from viewer.core.formats.sharded_index.beside import LEAST
from viewer.core.memory import MIB, USUAL, allow, limit, room, share
from viewer.core.opening import open_document
from viewer.core.pickles.disassembly import EACH
from viewer.core.problem import Problem, Severity
from viewer.core.progress import Progress
from viewer.core.source import CACHED_PAGES, LEAST_PAGES, PAGE, FileSource, MemorySource
from viewer.core.tensors.bounded_json import parse
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


def xz(preset: int) -> bytes:
    return lzma.compress(bytes(100), preset=preset)


ALONE: list[dict[str, int]] = [{"id": lzma.FILTER_LZMA1, "dict_size": 100 << 20}]


def zstd(window_log: int) -> bytes:
    parameters = zstandard.ZstdCompressionParameters(window_log=window_log)
    stream = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return stream.compress(bytes(2 << window_log)) + stream.flush()


@pytest.mark.parametrize(
    ("kind", "data", "fits"),
    [
        ("xz", xz(9), True),
        ("xz", lzma.compress(bytes(100), filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 100 << 20}]), False),
        ("lzma", lzma.compress(bytes(9), lzma.FORMAT_ALONE, filters=ALONE), False),
        ("zstd", zstd(23), True),
        ("zstd", zstd(24), False),
        ("bz2", bz2.compress(bytes(100)), True),
    ],
)
def test_a_stream_that_needs_more_memory_is_no_damaged_one(kind: str, data: bytes, fits: bool) -> None:
    def codes() -> list[str]:
        return [problem.code for problem in unpack(MemorySource(data), kind, Room(), Progress()).problems]

    assert codes() == []
    allow(1)
    assert codes() == ([] if fits else ["unpack-memory"])
    if not fits:
        allow(USUAL)
        assert codes() == []


def test_what_is_damaged_is_told_damaged_under_any_limit() -> None:
    allow(1)
    found = unpack(MemorySource(xz(6)[:40] + bytes(100)), "xz", Room(), Progress())
    assert [problem.code for problem in found.problems] == ["unpack-broken"]


@pytest.mark.parametrize("data", [b"[" + b"0," * 30_000 + b"0]", b'"' + b" " * (1 << 20) + b'"'])
def test_json_that_needs_more_memory_is_not_read_and_that_is_told(data: bytes) -> None:
    assert not parse(data).code
    allow(1)
    assert (parse(data).code, parse(data).value) == ("json-memory", None)
    assert not parse(b"[0, 1]").code


def test_an_index_larger_than_allowed_is_read_as_far_as_it_may_be(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors.index.json"
    names = {f"layers.{number:09}.weight": "model-00001-of-00001.safetensors" for number in range(80_000)}
    path.write_text(json.dumps({"metadata": {}, "weight_map": names}))
    assert path.stat().st_size > LEAST
    assert not limits(path)
    allow(1)
    (found,) = limits(path)
    assert (found.code, found.params["limit"]) == ("set-index-memory", LEAST)


def limits(path: Path) -> list[Problem]:
    return [problem for problem in open_document(FileSource(path)).problems if "memory" in problem.code]


@pytest.mark.parametrize("code", ["unpack-memory", "json-memory", "set-index-memory", "pickle-memory"])
def test_what_the_limit_refused_is_said_with_what_to_do(code: str) -> None:
    assert PROBLEMS[code].remedy == "Raise the memory limit in the preferences, and read the file again."
