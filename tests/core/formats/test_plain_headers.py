"""Headers and indexes that are read by the block: what counts as plain is what the careful readers find no fault in."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.builders.safetensors import entry, safetensors
from viewer.core.formats.safetensors_reading import read_safetensors
from viewer.core.formats.sharded_index.index_text import BLOCK, IndexText, read_index
from viewer.core.formats.sharded_index.plain_headers import FIRST, PlainHeaders
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.tensors import window

HEADER = {
    "__metadata__": {"format": "pt"},
    "a": entry("F32", [2, 2], 0, 16),
    "b.weight": entry("BF16", [], 16, 18),
    "c": entry("F4", [4], 18, 20),
    "empty": entry("I64", [0, 3], 20, 20),
    "d": entry("U8", [10], 20, 30),
}
GOOD = safetensors(HEADER, bytes(30))
SPACED = safetensors(json.dumps(HEADER) + "   ", bytes(30))


def facts(data: bytes) -> list[tuple[object, ...]] | None:
    """What the quick reader takes of a file; None where it leaves it to the other one."""
    headers = PlainHeaders()
    found = headers.read(MemorySource(data), data[:FIRST], [])
    if found is None:
        return None
    shared = [headers.kinds.shared[number] for number in found.kinds.tolist()]
    return [
        (name.decode(), kind.dtype, kind.shape, kind.stride, found.base + begin, kind.nbytes)
        for name, kind, begin in zip(found.names, shared, found.begins.tolist(), strict=True)
    ]


def careful(data: bytes) -> tuple[list[str], list[tuple[object, ...]]]:
    """The codes of the Problems and the tensors that the careful reader finds."""
    document = read_safetensors(MemorySource(data), "", Progress())
    tensors: list[tuple[object, ...]] = []
    for tensor in document.tensors:
        span = window.span(tensor)
        assert span is not None
        tensors.append((tensor.name, tensor.dtype, tensor.shape, tensor.stride, span.start, span.length))
    return [problem.code for problem in document.problems], tensors


@pytest.mark.parametrize("data", [GOOD, SPACED], ids=["compact", "spaced"])
def test_a_plain_header_is_taken(data: bytes) -> None:
    assert facts(data) == careful(data)[1]
    assert facts(data) == [
        ("a", "float32", (2, 2), (2, 1), len(data) - 30, 16),
        ("b.weight", "bfloat16", (), (), len(data) - 14, 2),
        ("c", "float4_e2m1fn_x2", (2,), (1,), len(data) - 12, 2),
        ("empty", "int64", (0, 3), (3, 1), len(data) - 10, 0),
        ("d", "uint8", (10,), (1,), len(data) - 10, 10),
    ]


def test_the_texts_of_the_writer_keep_their_bytes() -> None:
    found = PlainHeaders().read(MemorySource(GOOD), GOOD[:100], [])
    assert found is not None
    (stated,) = found.metadata
    assert (stated.key, stated.value) == ("format", "pt")
    assert stated.span is not None
    assert GOOD[stated.span.start : stated.span.stop] == b'"format":"pt"'


@pytest.mark.parametrize(
    "change",
    [
        (b'"F32"', b'"F33"'),
        (b'"F32"', b'"F64"'),
        (b"[2,2]", b"[2,3]"),
        (b"[2,2]", b"[02,2]"),
        (b"[2,2]", b"[2, 2"),
        (b"[0,16]", b"[0,15]"),
        (b"[0,16]", b"[00,16]"),
        (b"[0,16]", b"[0,1 6]"),
        (b"[0,16]", b"[0,16,]"),
        (b"[0,16]", b"[0,-16]"),
        (b"[16,18]", b"[17,18]"),
        (b'"a"', b'"c"'),
        (b'"a"', b'"\\u0061"'),
        (b'"a"', b'"\xff"'),
        (b'"a"', b'"\n"'),
        (b'"a"', b'"__metadata__"'),
        (b'"pt"', b"3"),
        (b'"shape"', b'"shapes"'),
        (b"},", b"};"),
    ],
)
def test_what_is_not_plain_is_left(change: tuple[bytes, bytes]) -> None:
    header = json.dumps(HEADER, separators=(",", ":")).encode()
    changed = header.replace(*change, 1)
    assert changed != header
    assert facts(safetensors(changed, bytes(30))) is None


@pytest.mark.parametrize(
    "data", [b"", GOOD[:4], GOOD[:40], GOOD[:-1], GOOD + b"x", safetensors({}), safetensors(b"[]")]
)
def test_files_that_are_not_whole_are_left(data: bytes) -> None:
    assert facts(data) is None


@settings(max_examples=400, deadline=None)
@given(st.integers(8, len(GOOD) - 31), st.binary(min_size=0, max_size=3), st.integers(0, 3), st.booleans())
@example(9, b"\xef", 1, True)
def test_whatever_is_taken_has_no_fault(at: int, new: bytes, removed: int, spaced: bool) -> None:
    data = SPACED if spaced else GOOD
    header = data[8:-30]
    changed = header[: at - 8] + new + header[at - 8 + removed :]
    taken = facts(safetensors(changed, bytes(30)))
    if taken is not None:
        assert careful(safetensors(changed, bytes(30))) == ([], taken)


# -- indexes ------------------------------------------------------------------------------------------


def read(data: bytes) -> IndexText:
    found = read_index(data, Progress())
    for number in range(len(found.names)):
        start, middle = found.starts[number], found.starts[number] + found.lengths[number]
        assert json.loads(data[start:middle]) == found.name(number)
        file = data[middle : found.stops[number]].lstrip(b" \t\r\n").removeprefix(b":")
        assert json.loads(file) == found.file_names[found.files[number]]
    return found


def pairs(found: IndexText) -> dict[str, str]:
    return {found.name(number): found.file_names[found.files[number]] for number in range(len(found.names))}


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.text(max_size=20), st.text(max_size=8), max_size=30),
    st.sampled_from([None, 1, 4]),
    st.booleans(),
)
def test_any_names_are_read_as_json_reads_them(held: dict[str, str], indent: int | None, ascii_only: bool) -> None:
    text = json.dumps({"metadata": {"n": [1]}, "weight_map": held}, indent=indent, ensure_ascii=ascii_only)
    data = text.encode("utf-8", "surrogatepass")
    found = read(data)
    assert found.problems == []
    assert pairs(found) == json.loads(data)["weight_map"]


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 200), st.binary(min_size=0, max_size=2), st.integers(0, 2))
def test_damage_anywhere_is_told_or_is_json(at: int, new: bytes, removed: int) -> None:
    text = json.dumps({"metadata": {"total_size": 3}, "weight_map": {f"name {n}": f"file {n % 3}" for n in range(6)}})
    data = text[:at].encode() + new + text[at + removed :].encode()
    found = read_index(data, Progress())
    if found.problems:
        return
    value = json.loads(data)
    held = value.get("weight_map", {}) if isinstance(value, dict) else {}
    assert pairs(found) == held


def test_an_index_of_many_blocks() -> None:
    held = {f"layer.{number:06d}.weight": f"model-{number // 100:05d}.bin" for number in range(50_000)}
    data = json.dumps({"weight_map": held}, indent=2).encode()
    assert len(data) > 2 * BLOCK
    found = read(data)
    assert pairs(found) == held
    assert found.problems == []
    assert len(found.file_names) == 500


def test_an_odd_entry_in_the_midst_of_many() -> None:
    held: dict[str, object] = {
        f"layer.{number:06d}.weight": f"model-{number // 100:05d}.bin" for number in range(40_000)
    }
    held["layer.020000.weight"] = 7
    held['say "a"'] = "model.bin"
    held["z}"] = "model.bin"
    data = json.dumps({"weight_map": held}, sort_keys=True).encode()
    found = read(data)
    assert [problem.code for problem in found.problems] == ["set-index-entry"]
    del held["layer.020000.weight"]
    assert pairs(found) == held
    assert found.has_escapes


def test_deep_nesting_ends_the_reading() -> None:
    found = read_index(b'{"metadata": ' + b"[" * 100_000 + b', "weight_map": {}}', Progress())
    assert [problem.code for problem in found.problems] == ["set-index-json"]
