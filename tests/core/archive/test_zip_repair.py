"""A damaged byte in an entry, a local header or an end record: the record is found all the same, and it is said."""

from __future__ import annotations

import zlib
from collections import OrderedDict

import pytest

from tests.builders.torch_zip import ZipWriter
from tests.builders.zips import Member, local, plain_zip
from tests.core.archive.test_zip_reader import check_tiling, codes, content, read
from viewer.core.archive.zip_reader import ZipArchive

PARTS = OrderedDict({"net/data.pkl": b"pickle " * 20, "net/data/0": bytes(range(200)), "net/data/1": b"\x01\x02" * 50})


def torch_archive() -> tuple[bytes, ZipWriter]:
    writer = ZipWriter("net")
    for name, data in PARTS.items():
        writer.add(name.removeprefix("net/"), data)
    return writer.finish(), writer


def flipped(data: bytes, at: int, mask: int) -> bytes:
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


def all_there(archive: ZipArchive) -> bool:
    check_tiling(archive)
    return all(content(archive, name) == data for name, data in PARTS.items())


@pytest.mark.parametrize("mask", [0x01, 0x10, 0x80])
@pytest.mark.parametrize("row", range(3))
def test_every_byte_of_an_entry(row: int, mask: int) -> None:
    data, _ = torch_archive()
    starts = [at for at in range(len(data)) if data.startswith(b"PK\x01\x02", at)]
    quiet = []
    for at in range(starts[row], [*starts, data.index(b"PK\x06\x06")][row + 1]):
        archive = read(flipped(data, at, mask))
        assert all_there(archive), at - starts[row]
        if not codes(archive):
            quiet.append(at - starts[row])
    # made by, needed, time, date, comment length, disk, attributes: what no reader needs
    assert set(quiet) <= {*range(4, 10), *range(12, 16), *range(34, 42)}


@pytest.mark.parametrize("mask", [0x01, 0x10, 0x80])
@pytest.mark.parametrize("row", range(3))
def test_every_byte_of_a_local_header(row: int, mask: int) -> None:
    data, writer = torch_archive()
    entry = writer.entries[row]
    for at in range(entry.header, entry.start):
        assert all_there(read(flipped(data, at, mask))), at - entry.header


@pytest.mark.parametrize("mask", [0x01, 0x10, 0x80])
def test_every_byte_of_the_descriptors_and_of_the_end(mask: int) -> None:
    data, writer = torch_archive()
    ends = range(data.index(b"PK\x06\x06"), len(data))
    for at in [*(at for entry in writer.entries for at in range(entry.stop, entry.stop + 16)), *ends]:
        assert all_there(read(flipped(data, at, mask))), at


@pytest.mark.parametrize("mask", [0x01, 0x10, 0x80])
def test_every_byte_of_a_zip_without_descriptors(mask: int) -> None:
    data = plain_zip([Member(name, body) for name, body in PARTS.items()])
    places = set(range(len(data)))
    for body in PARTS.values():
        places -= set(range(data.index(body), data.index(body) + len(body)))
    assert len(places) == len(data) - 440
    assert [at for at in sorted(places) if not all_there(read(flipped(data, at, mask)))] == []


def test_a_record_that_no_entry_lists_is_not_taken_where_none_is_missing() -> None:
    archive = read(plain_zip([Member("a/x", b"one"), Member("a/z", b"three", before=local(Member("a/y", b"two")))]))
    assert archive.names == ["a/x", "a/z"]
    assert codes(archive) == ["zip-gap"]


def test_the_checksum_tells_where_a_record_begins() -> None:
    data = plain_zip([Member("a/x", b"one two three"), Member("a/y", b"four")])
    archive = read(flipped(data, 28, 3))
    assert content(archive, "a/x") == b"one two three"
    assert archive.records[0].crc == zlib.crc32(b"one two three")
    assert "zip-record-settled" in codes(archive)


@pytest.mark.parametrize("at", [27, 29])
def test_lengths_that_lead_beyond_the_end(at: int) -> None:
    data, writer = torch_archive()
    for entry in writer.entries:
        assert all_there(read(flipped(data, entry.header + at, 0x0B)))
