"""Tars: every form of header, hostile names, damage, and every byte with its owner."""

from __future__ import annotations

from typing import Final

import pytest

from tests.builders.tars import BLOCK, END, GNU, binary, header, member, padded, pax, pax_record, tar
from viewer.core.archive.tar_reader import TarArchive, read_tar
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.span import Region, Span

LONG: Final = b"folder/" * 40 + b"name"


def read(data: bytes) -> TarArchive:
    archive = read_tar(MemorySource(data), Progress())
    reached = 0
    for region in archive.regions:
        assert region.span.start == reached
        assert region.span.stop > reached
        reached = region.span.stop
    assert reached == len(data)
    return archive


def contents(archive: TarArchive) -> list[tuple[str, bytes | None]]:
    return [
        (record.name, None if record.source is None else record.source.read(0, 1 << 20)) for record in archive.records
    ]


def codes(archive: TarArchive) -> list[str]:
    return [problem.code for problem in archive.problems]


def test_two_members() -> None:
    archive = read(tar(member(b"a", b"first"), member(b"b", bytes(BLOCK))))
    assert contents(archive) == [("a", b"first"), ("b", bytes(BLOCK))]
    assert archive.regions == [
        Region(Span(0, 512), "tar-header", "a"),
        Region(Span(512, 517), "record", "a"),
        Region(Span(517, 1024), "padding", "a"),
        Region(Span(1024, 1536), "tar-header", "b"),
        Region(Span(1536, 2048), "record", "b"),
        Region(Span(2048, 10240), "tar-end", ""),
    ]
    assert archive.problems == []
    first = archive.records[0]
    assert (first.header, first.data, first.size, first.stored) == (Span(0, 512), Span(512, 517), 5, True)


def test_names_of_all_kinds() -> None:
    data = tar(
        member(b"name", b"1", prefix=b"a/folder"),
        member(b"name", b"2", magic=GNU, prefix=b"no name"),
        member(b"v7", b"3", magic=b""),
        member(b"././@LongLink", LONG + b"\0", b"L", magic=GNU),
        member(LONG[:100], b"4", magic=GNU),
        pax(path="gr\xf6\xdfe/\u732b".encode()),
        member(b"short", b"5"),
        member(b"latin-\xe9", b"6"),
    )
    assert contents(read(data)) == [
        ("a/folder/name", b"1"),
        ("name", b"2"),
        ("v7", b"3"),
        (LONG.decode(), b"4"),
        ("gr\xf6\xdfe/\u732b", b"5"),
        ("latin-\xe9", b"6"),
    ]
    assert read(data).records[5].extra["raw_name"] == b"latin-\xe9"


def test_extensions_belong_to_their_member() -> None:
    archive = read(tar(pax(path=b"given"), member(b"x", b"content")))
    assert archive.records[0].header == Span(0, 1536)
    assert [(region.span, region.kind, region.label) for region in archive.regions[:3]] == [
        (Span(0, 1024), "tar-extension", "given"),
        (Span(1024, 1536), "tar-header", "given"),
        (Span(1536, 1543), "record", "given"),
    ]


def test_facts_for_all_members() -> None:
    data = tar(pax(b"g", mtime=b"1.5"), pax(size=b"3"), header(b"a", 0) + padded(b"abc"), member(b"b", b"12"))
    archive = read(data)
    assert contents(archive) == [("a", b"abc"), ("b", b"12")]
    assert archive.regions[0] == Region(Span(0, 1024), "tar-extension", "all")
    assert archive.problems == []


def test_sizes_in_binary() -> None:
    archive = read(tar(header(b"a", binary(3, 12)) + padded(b"abc"), member(b"b", b"1")))
    assert contents(archive) == [("a", b"abc"), ("b", b"1")]


def test_a_size_beyond_the_file_is_never_cut_to_32_bits() -> None:
    archive = read(header(b"a", binary(1 << 70, 12)) + b"abc")
    assert archive.records[0].size == 1 << 70
    assert archive.records[0].data == Span(512, 515)
    assert codes(archive) == ["tar-record-cut"]
    assert archive.problems[0].params == {"name": "a", "present": 3, "stated": 1 << 70}
    assert archive.problems[0].span == Span(512, 515)


def test_a_header_whose_content_is_absent_is_what_is_marked() -> None:
    archive = read(member(b"a", b"1") + header(b"b", 3))
    assert codes(archive) == ["tar-record-cut"]
    assert archive.problems[0].params == {"name": "b", "present": 0, "stated": 3}
    assert archive.problems[0].span == Span(1024, 1536)


@pytest.mark.parametrize("size", [binary(-1024, 12), b"12345678x\0\0\0"])
def test_an_impossible_size(size: bytes) -> None:
    archive = read(tar(header(b"a", size) + padded(b"abc"), member(b"b", b"1")))
    assert contents(archive) == [("b", b"1")]
    assert codes(archive) == ["tar-size"]
    assert archive.regions[0] == Region(Span(0, 1024), "unknown", "")


def test_hostile_names_are_only_names() -> None:
    names = [b"../../etc/passwd", b"/etc/shadow", b"C:\\boot.ini", b"a\nb", b""]
    assert read(tar(*(member(name, b"x") for name in names))).names == [name.decode() for name in names]


def test_what_has_no_content() -> None:
    data = tar(
        member(b"folder/", b"", b"5"),
        header(b"hard", 512, b"1", b"../target"),
        header(b"soft", 0, b"2", b"/etc/passwd"),
        header(b"pipe", 0, b"6"),
        header(b"old folder/", 0, b"\0"),
        member(b"file", b"1"),
    )
    archive = read(data)
    assert contents(archive) == [
        *((name, None) for name in ("folder/", "hard", "soft", "pipe", "old folder/")),
        ("file", b"1"),
    ]
    assert [record.extra for record in archive.records[:3]] == [
        {"what": "folder"},
        {"what": "hard link", "link": "../target"},
        {"what": "symbolic link", "link": "/etc/passwd"},
    ]
    assert [record.size for record in archive.records] == [0, 0, 0, 0, 0, 1]


def test_sparse_members_are_named() -> None:
    old = bytearray(header(b"old", 512, b"S", magic=GNU))
    old[482] = 1
    old[148:156] = b"%06o\0 " % (sum(old[:148]) + 8 * 32 + sum(old[156:]))
    new = pax_record(b"GNU.sparse.major", b"1") + pax_record(b"GNU.sparse.name", b"real")
    data = tar(
        bytes(old) + bytes(512) + bytes(range(256)) * 2,
        member(b"PaxHeader", new + pax_record(b"path", b"GNUSparseFile.1/real"), b"x"),
        member(b"hidden", b"0\n" + bytes(510)),
        member(b"plain", b"1"),
    )
    archive = read(data)
    assert contents(archive) == [("old", None), ("real", None), ("plain", b"1")]
    assert codes(archive) == ["tar-sparse", "tar-sparse"]


def test_the_last_of_equal_names_counts() -> None:
    archive = read(tar(member(b"a", b"first"), member(b"./b", b"other"), member(b"a", b"second")))
    found, other = archive.find("a"), archive.find("b")
    assert found is not None
    assert other is not None
    assert (found.data.start, other.name) == (2560, "./b")
    assert codes(archive) == ["tar-name-twice"]
    assert archive.problems[0].params == {"name": "a", "count": 2}


def test_a_wrong_checksum_before_a_good_header() -> None:
    broken = header(b"a", 5, checksum=1) + padded(b"12345")
    archive = read(tar(broken, member(b"b", b"1")))
    assert contents(archive) == [("a", b"12345"), ("b", b"1")]
    assert codes(archive) == ["tar-checksum"]


def test_reading_goes_on_behind_a_spoilt_header() -> None:
    data = bytearray(tar(member(b"a", b"1"), member(b"b", b"2"), member(b"c", b"3")))
    data[1024:1536] = b"\xa5" * 512
    archive = read(bytes(data))
    assert contents(archive) == [("a", b"1"), ("c", b"3")]
    assert codes(archive) == ["tar-header-broken"]
    assert archive.problems[0].span == Span(1024, 1536)
    assert Region(Span(1024, 2048), "unknown", "") in archive.regions


def test_signed_checksums() -> None:
    block = bytearray(header(b"\xe9" * 10, 1))
    block[148:156] = b"%06o\0 " % (sum(block[:148]) + 256 + sum(block[156:]) - 10 * 256)
    assert read(tar(bytes(block) + padded(b"1"))).problems == []


@pytest.mark.parametrize(
    ("length", "found", "problems"),
    [
        (0, [], []),
        (300, [], ["tar-header-cut"]),
        (512, [("a", b"")], ["tar-record-cut"]),
        (515, [("a", b"123")], ["tar-record-cut"]),
        (517, [("a", b"12345")], ["tar-no-end"]),
        (1024, [("a", b"12345")], ["tar-no-end"]),
        (1100, [("a", b"12345")], ["tar-header-cut"]),
        (1540, [("a", b"12345"), ("b", b"6")], ["tar-no-end"]),
        (2048 + 512, [("a", b"12345"), ("b", b"6")], []),
    ],
)
def test_cut(length: int, found: list[tuple[str, bytes]], problems: list[str]) -> None:
    archive = read(tar(member(b"a", b"12345"), member(b"b", b"6"))[:length])
    assert contents(archive) == found
    assert codes(archive) == problems


def test_bytes_behind_the_end() -> None:
    data = tar(member(b"a", b"1"), record=1)
    archive = read(data + member(b"late", b"2"))
    assert contents(archive) == [("a", b"1")]
    assert codes(archive) == ["tar-trailing"]
    assert archive.regions[-2:] == [
        Region(Span(1024, 2048), "tar-end", ""),
        Region(Span(2048, 3072), "trailing", ""),
    ]


def test_facts_that_are_spoilt() -> None:
    broken = pax_record(b"path", b"good") + b"99999 path=bad\n"
    archive = read(tar(member(b"h", broken, b"x"), member(b"short", b"1")))
    assert contents(archive) == [("good", b"1")]
    assert codes(archive) == ["tar-pax"]


def test_facts_that_are_too_long_are_not_read() -> None:
    size = 1024 * 1024 + 1
    archive = read(tar(member(b"h", bytes(size), b"L"), member(b"short", b"1"), end=END))
    assert contents(archive) == [("short", b"1")]
    assert codes(archive) == ["tar-extension-long"]


def test_facts_without_a_member() -> None:
    archive = read(tar(member(b"a", b"1"), pax(path=b"nobody")))
    assert contents(archive) == [("a", b"1")]
    assert Region(Span(1024, 2048), "tar-extension", "") in archive.regions
