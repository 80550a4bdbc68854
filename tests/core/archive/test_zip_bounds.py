"""Archives built to take long or to take much: what is looked at has a bound, whatever they state."""

from __future__ import annotations

import struct

from tests.builders.zips import Member, local, plain_zip
from tests.core.archive.test_zip_reader import check_tiling, codes, read
from viewer.core.archive.zip_repair import MOST_FOUND


def test_records_without_entries_are_found_up_to_a_limit() -> None:
    data = plain_zip([Member(f"a/{number}") for number in range(MOST_FOUND + 200)])
    directory = data.index(b"PK\x01\x02")
    first = data[directory : data.index(b"PK\x01\x02", directory + 4)]
    end = data.rindex(b"PK\x05\x06")
    fields = list(struct.unpack("<4sHHHHIIH", data[end : end + 22]))
    fields[5] = len(first)
    archive = read(data[:directory] + first + struct.pack("<4sHHHHIIH", *fields))
    assert len(archive.records) == MOST_FOUND + 1
    assert {"zip-entry-count", "zip-entry-damaged"} <= set(codes(archive))
    check_tiling(archive)


def test_sizes_of_exabytes_in_a_cut_archive() -> None:
    extra = struct.pack("<HHQQ", 1, 16, 2**62, 2**62)
    header = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 45, 0, 0, 0, 0, 0, 2**32 - 1, 2**32 - 1, 3, len(extra))
    archive = read(header + b"a/x" + extra + bytes(100))
    (record,) = archive.records
    assert (record.size, record.data.length) == (2**62, 100)
    assert "zip-record-cut" in codes(archive)
    check_tiling(archive)


def test_records_that_fit_nowhere_are_read_up_to_a_limit() -> None:
    members = [Member(f"a/{number}", b"12345", before=b"gap") for number in range(3000)]
    archive = read(plain_zip(members))
    assert len(archive.records) == 3000
    assert "zip-record-settled" not in codes(archive)
    check_tiling(archive)


def test_a_header_within_each_record() -> None:
    inner = local(Member("i/x", descriptor=16))[:-16]
    data = b"".join(local(Member(f"o/{number}", inner, descriptor=16))[:-16] for number in range(2000))
    archive = read(data)
    assert len(archive.records) == 2000
    check_tiling(archive)
