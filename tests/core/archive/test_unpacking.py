"""Compressed files: all kinds whole, in several parts, cut and damaged anywhere, and within their bound."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import zlib
from collections.abc import Callable
from typing import Final

import pytest
import zstandard

from tests.builders.compressed import (
    deflated,
    gzip_member,
    zlib_stream,
    zstd_block,
    zstd_frame,
    zstd_skipped,
)
from viewer.core.archive.unpacking import Room, Unpacked, unpack
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.span import Region, Span

TEXT: Final = b"".join(b"line %d of a text that can be packed\n" % number for number in range(200))
RANDOM: Final = random.Random(7).randbytes(300_000)
KINDS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "gzip": gzip.compress,
    "zlib": zlib.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "lzma": lambda data: lzma.compress(data, lzma.FORMAT_ALONE),
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
}


def unpacked(data: bytes, kind: str, limit: int = 1 << 30) -> Unpacked:
    found = unpack(MemorySource(data), kind, Room(limit), Progress())
    reached = 0
    for region in found.regions:
        assert region.span.start == reached
        assert region.span.stop > reached
        reached = region.span.stop
    assert reached == len(data)
    return found


def content(found: Unpacked) -> bytes:
    return b"" if found.content is None else found.content.read(0, found.content.size)


def codes(found: Unpacked) -> list[str]:
    return [problem.code for problem in found.problems]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("data", [b"", b"x", TEXT, RANDOM * 4], ids=["empty", "one", "text", "random"])
def test_whole(kind: str, data: bytes) -> None:
    found = unpacked(KINDS[kind](data), kind)
    assert content(found) == data
    assert found.content is not None
    assert found.problems == []


def test_the_parts_of_a_gzip() -> None:
    data = gzip_member(TEXT, b"model.tar", b"a comment", b"XX\1\0?", header_crc=True)
    found = unpacked(data, "gzip")
    header = len(data) - len(deflated(TEXT)) - 8
    assert found.regions == [
        Region(Span(0, header), "packed-header", ""),
        Region(Span(header, len(data) - 8), "packed", ""),
        Region(Span(len(data) - 8, len(data)), "packed-check", ""),
    ]
    assert (content(found), found.name, found.problems) == (TEXT, "model.tar", [])


def test_several_streams_and_zeros_behind_them() -> None:
    assert content(unpacked(gzip_member(b"one") + gzip_member(b"two", b"later") + bytes(700), "gzip")) == b"onetwo"
    assert content(unpacked(bz2.compress(b"one") + bz2.compress(b"two"), "bz2")) == b"onetwo"
    assert content(unpacked(lzma.compress(b"one") + bytes(8) + lzma.compress(b"two"), "xz")) == b"onetwo"
    frames = (
        zstd_skipped(b"note")
        + zstd_frame(zstd_block(b"one", True))
        + zstd_skipped(b"")
        + zstd_frame(zstd_block(b"tw", False), zstd_block(b"o", True))
        + zstd_skipped(b"seek table")
    )
    found = unpacked(frames, "zstd")
    assert content(found) == b"onetwo"
    assert found.problems == []
    assert [region.kind for region in found.regions] == [*("packed-skipped", "packed") * 2, "packed-skipped"]


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_behind_the_end(kind: str) -> None:
    packed = KINDS[kind](TEXT)
    found = unpacked(packed + b"rest", kind)
    assert content(found) == TEXT
    if kind != "lzma":
        assert codes(found) == ["unpack-trailing"]
        assert found.regions[-1] == Region(Span(len(packed), len(packed) + 4), "trailing", "")


@pytest.mark.parametrize("kind", KINDS)
def test_cut_anywhere(kind: str) -> None:
    packed = KINDS[kind](TEXT)
    before = -1
    for length in range(14, len(packed)):
        found = unpacked(packed[:length], kind)
        assert codes(found) == ["unpack-cut"], length
        there = content(found)
        assert TEXT.startswith(there)
        assert len(there) >= before
        before = len(there)
    assert before == len(TEXT) or kind == "zstd"


@pytest.mark.parametrize("kind", KINDS)
def test_a_large_cut_file_gives_what_is_there(kind: str) -> None:
    data = RANDOM * 5
    packed = KINDS[kind](data)
    there = content(unpacked(packed[: len(packed) * 3 // 4], kind))
    assert data.startswith(there)
    # xz finds that the same 300,000 bytes come again.
    assert len(there) > (len(data) // 2 if len(packed) > len(data) // 2 else len(RANDOM) // 3)


@pytest.mark.parametrize("kind", KINDS)
def test_damage_anywhere(kind: str) -> None:
    packed = KINDS[kind](TEXT)
    told = 0
    for at in range(14, len(packed), 3):
        data = bytearray(packed)
        data[at] ^= 0x55
        found = unpacked(bytes(data), kind)
        told += bool(found.problems)
        assert found.problems or kind == "lzma" or content(found) == TEXT, at
    assert told > len(range(14, len(packed), 3)) * 0.7


def test_what_stands_before_the_damage_is_there() -> None:
    packed = bytearray(gzip_member(RANDOM[:50_000] + TEXT))
    packed[len(packed) - 1_000] ^= 0xFF
    found = unpacked(bytes(packed), "gzip")
    assert content(found)[:40_000] == RANDOM[:40_000]
    assert found.problems


def test_a_stored_block_that_lies_about_its_length() -> None:
    head = b"\x1f\x8b\x08" + bytes(7)
    good = b"\x00\x05\x00\xfa\xffhello"
    bad = b"\x00\x05\x00\xfb\xffworld"
    found = unpacked(head + good + bad, "gzip")
    assert content(found) == b"hello"
    assert codes(found) == ["unpack-broken"]
    assert found.problems[0].params["present"] == 5


def test_checksums() -> None:
    assert codes(unpacked(gzip_member(TEXT, crc=1), "gzip")) == ["unpack-checksum"]
    assert codes(unpacked(zlib_stream(TEXT, adler=1), "zlib")) == ["unpack-checksum"]
    assert content(unpacked(gzip_member(TEXT, crc=1) + gzip_member(b"!"), "gzip")) == TEXT + b"!"


def test_dictionaries_are_named() -> None:
    assert codes(unpacked(b"\x78\xbb" + bytes(10), "zlib")) == ["unpack-broken"]
    frame = b"\x28\xb5\x2f\xfd" + bytes([1, 0x50, 7]) + zstd_block(b"x", True)
    found = unpacked(frame, "zstd")
    assert (codes(found), found.problems[0].params["reason"]) == (["unpack-broken"], "it needs a dictionary")


@pytest.mark.parametrize("block", [b"\x06\x00\x00", b"\x08\x00\xff"], ids=["reserved", "too long"])
def test_an_impossible_block(block: bytes) -> None:
    found = unpacked(zstd_frame(zstd_block(b"good", False), block + b"x" * 20), "zstd")
    assert (content(found), codes(found)) == (b"good", ["unpack-broken"])


def test_a_window_that_needs_too_much_memory() -> None:
    found = unpacked(zstd_frame(zstd_block(b"x", True), window=0xF8), "zstd")
    assert codes(found) == ["unpack-broken"]


# -- bounds ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_more_than_may_be(kind: str) -> None:
    packed = KINDS[kind](bytes(3_000_000))
    found = unpacked(packed, kind, limit=2_999_999)
    assert (found.content, codes(found)) == (None, ["unpack-limit"])
    assert found.problems[0].params == {"limit": 2_999_999, "ratio": f"{2_999_999 / len(packed):.1f}"}
    assert content(unpacked(packed, kind, limit=3_000_000)) == bytes(3_000_000)


def test_a_bomb_of_repeated_blocks_stops_at_the_limit() -> None:
    blocks = zstd_block(b"\0", False, times=128 * 1024) * 10_000
    found = unpacked(zstd_frame(blocks), "zstd", limit=1_000_000)
    assert codes(found) == ["unpack-limit"]


def test_the_room_is_shared() -> None:
    room = Room(5_000)
    first = unpack(MemorySource(gzip.compress(bytes(3_000))), "gzip", room, Progress())
    assert (first.problems, room.left) == ([], 2_000)
    second = unpack(MemorySource(gzip.compress(bytes(3_000))), "gzip", room, Progress())
    assert (codes(second), room.left) == (["unpack-limit"], 2_000)


def test_stopping() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        unpack(MemorySource(gzip.compress(TEXT)), "gzip", Room(), progress)
