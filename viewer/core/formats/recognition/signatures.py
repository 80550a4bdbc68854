"""Signatures: files that say at a fixed place what they are."""

from __future__ import annotations

import re
import zlib
from typing import Final

from viewer.core.formats.recognition.guess import Guess, Sight
from viewer.wording.phrases import phrase
from viewer.wording.told import Told

# (bytes at the beginning, format, detail)
SIGNATURES: Final[tuple[tuple[bytes, str, str | None], ...]] = (
    (b"\x1f\x8b", "gzip", None),
    (b"\xfd7zXZ\x00", "xz", None),
    (b"\x28\xb5\x2f\xfd", "zstd", None),
    (b"\x04\x22\x4d\x18", "lz4", None),
    (b"7z\xbc\xaf\x27\x1c", "7z", None),
    (b"Rar!\x1a\x07", "rar", None),
    (b"\x93NUMPY", "npy", None),
    (b"GGUF", "gguf", None),
    (b"lmgg", "foreign", phrase("kind-ggml")),
    (b"fmgg", "foreign", phrase("kind-ggml")),
    (b"tjgg", "foreign", phrase("kind-ggml")),
    (b"\x7fELF", "foreign", phrase("kind-elf")),
    (b"%PDF", "foreign", phrase("kind-pdf")),
    (b"\x89PNG\r\n\x1a\n", "foreign", phrase("kind-png")),
    (b"\xff\xd8\xff", "foreign", phrase("kind-jpeg")),
    (b"GIF8", "foreign", phrase("kind-gif")),
    (b"SQLite format 3\x00", "foreign", phrase("kind-sqlite")),
    (b"PAR1", "foreign", phrase("kind-parquet")),
    (b"ARROW1", "foreign", phrase("kind-arrow")),
)
BZIP2: Final = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
FLATBUFFERS: Final = {b"TFL3": phrase("kind-lite"), b"PTMF": phrase("kind-mobile")}
EXECUTORCH: Final = re.compile(rb"ET\d\d")
HDF5: Final = b"\x89HDF\r\n\x1a\n"
FIRST_USER_BLOCK: Final = 512
CHECKPOINT_INDEX: Final = bytes.fromhex("57fb808b247547db")
# number 4 (an object), index 1, a text of three characters: its version
LUA_OBJECT: Final = re.compile(rb"\x04\0\0\0.{4}\x03\0\0\0V \d.{4}([\w.]*)", re.DOTALL)
# number 3 (a table), index, count, and the type of the first key
LUA_TABLE: Final = re.compile(rb"\x03\0\0\0\x01\0\0\0.{3}\0[\x01-\x08]\0\0\0", re.DOTALL)
LUA_AXES: Final = 16
LUA_TEXT: Final = re.compile(rb"4\n1\n3\nV \d\n")
# length and text of the first key, and its type: a text; then the length of that
GGUF_ARCHITECTURE: Final = re.compile(rb"\x14\0{7}general\.architecture\x08\0{3}(.{8})", re.DOTALL)
LONGEST_NAME: Final = 100
LARGEST_HEADER: Final = 100_000_000
HEADER: Final = re.compile(rb'\s*\{\s*["}]')
ZLIB_LEVELS: Final = (0x01, 0x5E, 0x9C, 0xDA)
LZMA: Final = b"\x5d\x00\x00"
UNKNOWN_LENGTH: Final = b"\xff" * 8
ZEROS: Final = 512
ZERO_BLOCK: Final = 1024 * 1024
ZERO_BLOCKS: Final = 64


def by_signature(sight: Sight) -> Guess | None:
    """Those that begin with their signature."""
    for start, name, detail in SIGNATURES:
        if sight.head.startswith(start):
            return Guess(name, gguf_facts(sight.head) if name == "gguf" else detail)
    return Guess("bz2") if BZIP2.match(sight.head) else None


def gguf_facts(head: bytes) -> str:
    """Version of a GGUF model, and its architecture where its first key tells it."""
    version = int.from_bytes(head[4:8], "little")
    found = GGUF_ARCHITECTURE.match(head, 24)
    length = int.from_bytes(found[1], "little") if found else 0
    name = head[found.end() : found.end() + length].decode("utf-8", "replace") if found else ""
    is_shown = 0 < length <= LONGEST_NAME and name.isprintable()
    return Told(phrase("kind-version", number=str(version)), f", {name}" if is_shown else "")


def by_packing(sight: Sight) -> Guess | None:
    """Streams of zlib and of old lzma, whose few fixed bytes are not trusted alone."""
    head = sight.head
    if len(head) > 2 and head[0] == 0x78 and head[1] in ZLIB_LEVELS and inflates(head):
        return Guess("zlib")
    if head.startswith(LZMA) and len(head) > 13:
        length = head[5:13]
        if length == UNKNOWN_LENGTH or int.from_bytes(length, "little") < 1 << 48:
            return Guess("xz", phrase("kind-lzma"))
    return None


def inflates(head: bytes) -> bool:
    """True when a zlib stream begins here."""
    try:
        zlib.decompressobj().decompress(head[:4096], 64)
    except zlib.error:
        return False
    return True


def by_inner_signature(sight: Sight) -> Guess | None:
    """Those whose signature stands further on, or at the end."""
    head = sight.head
    detail = FLATBUFFERS.get(head[4:8]) or (phrase("kind-executorch") if EXECUTORCH.match(head[4:8]) else None)
    if detail:
        return Guess("flatbuffer", detail)
    at = 0
    while at < len(head):
        if head.startswith(HDF5, at):
            return Guess("hdf5", phrase("kind-behind", count=at) if at else None)
        at = max(FIRST_USER_BLOCK, 2 * at)
    if sight.size >= len(CHECKPOINT_INDEX) and sight.source.read(sight.size - 8, 8) == CHECKPOINT_INDEX:
        return Guess("foreign", phrase("kind-tensorflow"))
    return None


def by_lua(sight: Sight) -> Guess | None:
    """A file of Lua Torch 7: its root is an object or a table."""
    found = LUA_OBJECT.match(sight.head)
    if found:
        return Guess(
            "lua-t7",
            (found[1].decode("ascii", "replace") + lua_shape(sight.head, found.end())) or phrase("kind-lua-object"),
        )
    if LUA_TABLE.match(sight.head):
        return Guess("lua-t7", phrase("kind-lua-table"))
    return Guess("lua-t7", phrase("kind-lua-text")) if LUA_TEXT.match(sight.head) else None


def lua_shape(head: bytes, at: int) -> str:
    """The sizes of a tensor that stand behind the name of its class; nothing for other objects."""
    axes = int.from_bytes(head[at : at + 4], "little")
    numbers = head[at + 4 : at + 4 + 8 * axes] if axes <= LUA_AXES else b""
    if not head[:at].endswith(b"Tensor") or not axes or len(numbers) < 8 * axes:
        return ""
    return f" {[int.from_bytes(numbers[first : first + 8], 'little') for first in range(0, 8 * axes, 8)]}"


def by_safetensors(sight: Sight) -> Guess | None:
    """A length and a JSON object of that length; damage to either is still told for what it is."""
    head = sight.head
    if len(head) < 10:
        return None
    length = int.from_bytes(head[:8], "little")
    if 2 <= length <= LARGEST_HEADER and (HEADER.match(head, 8) or (head[8:9] == b"[" and 8 + length <= sight.size)):
        return Guess("safetensors")
    is_number = head[:8].count(0) >= 2
    return Guess("safetensors") if is_number and head[8:10] in (b'{"', b"{}") else None


def by_zeros(sight: Sight) -> Guess | None:
    """Leading zeros: all of a small file, or more than any format begins with."""
    count = zeros(sight.head)
    if count < min(ZEROS, sight.size):
        return None
    at = len(sight.head)
    for _ in range(ZERO_BLOCKS):
        if count < at or at >= sight.size:
            break
        block = sight.source.read(at, ZERO_BLOCK)
        count += zeros(block)
        at += len(block)
    return Guess("zeros", None, {"count": count})


def zeros(data: bytes) -> int:
    """How many zero bytes it begins with."""
    return len(data) - len(data.lstrip(b"\0"))
