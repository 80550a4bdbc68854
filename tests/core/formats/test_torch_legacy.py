"""Legacy streams: whole, cut, with wrong counts and keys, several in one file."""

from __future__ import annotations

import struct
from collections import OrderedDict

import pytest

from tests.builders.legacy import LegacyStream, build, legacy
from tests.builders.torch_values import full, storage, tensor
from tests.opened import codes, opened, regions_tile
from viewer.core.document import Document
from viewer.core.formats.base import Options
from viewer.core.span import Region, Span
from viewer.core.tensors import window


def two() -> LegacyStream:
    """Storages of 24 and 8 bytes."""
    return build(OrderedDict(a=full("float32", (2, 3), range(6)), b=full("int64", (1,), [7])))


def spans(document: Document) -> list[Span | None]:
    return [None if tensor.storage is None else tensor.storage.span for tensor in document.tensors]


def test_a_whole_stream() -> None:
    stream = two()
    document = opened(stream.data)
    places = stream.starts
    assert document.format == "torch-legacy"
    assert [pickle.role for pickle in document.pickles] == [
        "magic number",
        "protocol version",
        "system info",
        "object",
        "storage keys",
    ]
    assert [pickle.code.start for pickle in document.pickles] == places[:5]
    assert document.main == 3
    assert [(t.path, t.name, t.dtype, t.shape) for t in document.tensors] == [
        (("a",), "a", "float32", (2, 3)),
        (("b",), "b", "int64", (1,)),
    ]
    assert spans(document) == [Span(places[5] + 8, places[6]), Span(places[6] + 8, places[7])]
    assert document.problems == []
    assert document.byteorder == "little"


def test_regions_name_every_part() -> None:
    stream = two()
    document = opened(stream.data + b"rest")
    places = stream.starts
    key, other = stream.keys
    assert [(region.kind, region.label) for region in document.regions] == [
        *[("pickle", pickle.role) for pickle in document.pickles],
        ("storage-count", key),
        ("storage", f"float32 {key}"),
        ("storage-count", other),
        ("storage", f"int64 {other}"),
        ("trailing", ""),
    ]
    assert document.regions[5].span == Span(places[5], places[5] + 8)
    assert document.regions[-1] == Region(Span(places[7], places[7] + 4), "trailing", "")
    assert codes(document) == ["torch-trailing"]
    regions_tile(document)


@pytest.mark.parametrize("protocol", [1, 2, 3, 4, 5])
def test_protocols(protocol: int) -> None:
    document = opened(build({"w": full("float32", (3,), [1, 2, 3])}, protocol).data)
    assert document.format == "torch-legacy"
    assert [(t.path, t.dtype, t.shape) for t in document.tensors] == [(("w",), "float32", (3,))]
    assert all(tensor.storage is not None and tensor.storage.complete for tensor in document.tensors)
    assert not [problem for problem in document.problems if problem.severity == "error"]


def test_keys_are_in_the_order_of_text() -> None:
    shared = [storage("uint8", [number]) for number in range(12)]
    for number, kept in enumerate(shared):
        kept.key = str(number)
    document = opened(legacy([tensor(kept, (1,)) for kept in shared]))
    stored = [t.storage for t in document.tensors]
    assert [s.source.read(0, 1)[0] for s in stored if s is not None and s.source is not None] == list(range(12))
    assert document.problems == []


def test_cut_within_a_storage() -> None:
    stream = two()
    document = opened(stream.data[:-5])
    problem = next(problem for problem in document.problems if problem.code == "storage-cut")
    assert (problem.params["present"], problem.params["stated"], problem.params["missing"]) == (3, 8, 5)
    assert problem.params["names"] == "b"
    places = stream.starts
    assert spans(document)[1] == Span(places[6] + 8, places[7])
    assert [t.storage.available for t in document.tensors if t.storage is not None] == [24, 3]
    regions_tile(document)


def test_cut_before_a_storage_leaves_its_place() -> None:
    stream = two()
    places = stream.starts
    document = opened(stream.data[: places[5] + 10])
    assert spans(document) == [Span(places[5] + 8, places[6]), Span(places[6] + 8, places[7])]
    assert [t.storage.available for t in document.tensors if t.storage is not None] == [2, 0]
    assert codes(document) == ["file-ends-early", "storage-cut", "storage-cut"]
    ends = document.problems[0]
    assert (ends.params["size"], ends.params["expected"]) == (places[5] + 10, len(stream.data))
    assert (ends.params["whole"], ends.params["count"]) == (0, 2)


def test_cut_anywhere_opens_and_tiles() -> None:
    data = two().data
    seen = set()
    for length in range(len(data)):
        document = opened(data[:length])
        regions_tile(document)
        seen.add(document.format)
        assert any(problem.severity == "error" for part in document.walk() for problem in part.problems), length
    assert "torch-legacy" in seen


def test_cut_within_the_object_shows_what_stands_before() -> None:
    stream = two()
    document = opened(stream.data[: stream.starts[4] - 2])
    assert document.main == 3
    assert [t.path for t in document.tensors] == [("a",), ("b",)]
    assert "storage-missing" not in codes(document)
    assert document.tensors[0].storage is not None
    assert document.tensors[0].storage.source is None


# the number of the protocol and of the memo, which nothing depends on
QUIET = (1, 4)


@pytest.mark.parametrize("at", range(12))
def test_a_damaged_list_of_keys(at: int) -> None:
    stream = two()
    data = bytearray(stream.data)
    data[stream.starts[4] + at] ^= 0xC0
    document = opened(bytes(data) + stream.data)
    assert ("legacy-keys-settled" in codes(document)) == (at not in QUIET)
    assert [window.read(t).tolist() for t in document.tensors] == [[[0, 1, 2], [3, 4, 5]], [7]]
    assert [child.how for child in document.children] == ["next stream"]
    regions_tile(document)


def test_a_damaged_list_of_keys_in_a_cut_file() -> None:
    stream = two()
    data = bytearray(stream.data[: stream.starts[6] + 12])
    data[stream.starts[4] + 5] ^= 0xC0
    document = opened(bytes(data))
    assert "legacy-keys-settled" in codes(document)
    assert [window.missing_bytes(t) for t in document.tensors] == [(0, 24), (4, 8)]


def test_a_broken_list_of_keys_places_no_storage_that_does_not_fit() -> None:
    stream = two()
    data = bytearray(stream.data)
    data[stream.starts[5] - 2] = 0xFF
    data[stream.starts[6]] ^= 0x02
    document = opened(bytes(data))
    assert "legacy-keys-settled" not in codes(document)
    assert [(t.path, t.storage is not None and t.storage.source) for t in document.tensors] == [
        (("a",), None),
        (("b",), None),
    ]
    regions_tile(document)


@pytest.mark.parametrize(("number", "part"), [(1, "protocol version"), (3, "object"), (4, "storage keys")])
def test_parts_that_are_missing(number: int, part: str) -> None:
    stream = two()
    document = opened(stream.data[: stream.starts[number]])
    code = "legacy-save-failed" if part == "object" else "legacy-parts-missing"
    problem = next(problem for problem in document.problems if problem.code == code)
    assert (problem.params["part"], problem.params["count"]) == (part, number)


def test_a_wrong_count_is_told_and_the_id_decides() -> None:
    value = OrderedDict(a=full("float32", (2, 3), range(6)), b=full("int64", (1,), [7]))
    stream = build(value, counts=lambda key, count: -1 if count == 6 else count)
    document = opened(stream.data)
    problem = next(problem for problem in document.problems if problem.code == "storage-count-alone")
    assert (problem.params["found"], problem.params["expected"], problem.params["names"]) == ("-1", "6", "a")
    assert "It is storage 1 of 2." in problem.text
    assert "only the number seems to be wrong" in problem.text
    assert spans(document)[1] == Span(stream.starts[6] + 8, stream.starts[7])
    assert codes(document) == ["storage-count-alone"]


def test_a_count_that_the_bytes_follow_decides_where_the_next_storage_is() -> None:
    long = storage("float32", range(9))
    value = [tensor(long, (9,)), full("int64", (1,), [7])]
    data = bytearray(build(value).data)
    # The id in the object says 6 elements where 9 follow.
    at = data.index(b"K\x09")
    data[at + 1] = 6
    document = opened(bytes(data))
    assert "storage-count" in codes(document)
    last = document.tensors[1].storage
    assert last is not None
    assert last.source is not None
    assert last.source.read(0, 8) == struct.pack("<q", 7)


def test_a_key_that_is_not_listed() -> None:
    stream = two()
    value = OrderedDict(a=full("float32", (2, 3), range(6)), b=full("int64", (1,), [7]))
    document = opened(build(value, keys=stream.keys[:1]).data)
    assert codes(document) == ["storage-missing", "legacy-keys"]
    assert document.problems[1].params == {"count": 1, "key": stream.keys[1]}
    assert document.problems[1].span is not None
    assert [t.storage.complete for t in document.tensors if t.storage is not None] == [True, False]


def test_a_key_that_nothing_refers_to() -> None:
    kept = storage("float32", [1, 2])
    kept.key = "1"
    lost = storage("float64", [3, 4, 5])
    lost.key = "0"
    whole = build([tensor(lost, (3,)), tensor(kept, (2,))])
    only = build([tensor(kept, (2,))])
    data = b"".join([*only.pickles[:4], whole.pickles[4], *whole.storages])
    document = opened(data)
    assert codes(document) == ["storage-unreferenced"]
    stored = document.tensors[0].storage
    assert stored is not None
    assert stored.source is not None
    assert stored.source.read(0, 8) == struct.pack("<2f", 1, 2)
    regions_tile(document)


def test_protocol_version() -> None:
    data = two().data.replace(b"M\xe9\x03", b"M\xea\x03", 1)
    document = opened(data)
    problem = next(problem for problem in document.problems if problem.code == "legacy-version")
    assert problem.params["version"] == "1002"
    assert len(document.tensors) == 2


def test_several_saves_in_one_file() -> None:
    first, second = two().data, legacy({"w": full("int16", (2,), [5, 6])})
    document = opened(first + second + second + b"end")
    assert [(child.how, child.offset, child.index, child.parent) for child in document.children] == [
        ("next stream", len(first), 1, 0),
        ("next stream", len(first) + len(second), 2, 0),
    ]
    child = document.children[1]
    stored = child.tensors[0].storage
    assert stored is not None
    assert stored.span is not None
    assert child.source.to_outer(stored.span.start) == len(first) + 2 * len(second) - 4
    assert stored.span.length == 4
    assert codes(document) == ["torch-trailing"]
    for part in document.walk():
        regions_tile(part)
    assert sum(region.kind == "storage" for region in document.regions) == 4


def test_system_info_does_not_swap_but_the_person_may() -> None:
    information = {"protocol_version": 1001, "little_endian": False, "type_sizes": {"short": 2, "int": 4, "long": 4}}
    data = build([full("int32", (1,), [1])], system_info=information).data
    assert opened(data).tensors[0].storage.byteorder == "little"
    chosen = opened(data, Options(byteorder="big"))
    assert chosen.byteorder == "big"
    assert chosen.tensors[0].storage.byteorder == "big"


def test_a_broken_object_before_its_storages() -> None:
    """The list of keys is found behind the break, and with it the storages of what was read before."""
    stream = two()
    start, stop = stream.starts[3], stream.starts[4]
    data = bytearray(stream.data)
    data[stop - 2] = 0xFF
    document = opened(bytes(data))
    assert [pickle.role for pickle in document.pickles][3:] == ["object", "storage keys"]
    assert not document.pickles[3].code.complete
    assert codes(document)[:2] == ["pickle-unknown-opcode", "pickle-behind-break"]
    assert document.problems[1].params == {"count": 1, "offset": stop}
    assert [(tensor.name, window.read(tensor).tolist()) for tensor in document.tensors] == [
        ("a", [[0, 1, 2], [3, 4, 5]]),
        ("b", [7]),
    ]
    assert start < document.pickles[3].code.stop < stop
    regions_tile(document)
