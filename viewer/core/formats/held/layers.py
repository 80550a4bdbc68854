"""What stands around a file in an argument: base64, hexadecimal digits, compression, one inside another.

Each layer is tried on its first bytes before it is taken off, so that what holds no file costs little.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Final

from viewer.core.archive.decoders import DECODERS, ERRORS
from viewer.core.archive.text_codings import BLANK, FEEDS, LETTERS, decode_text, first_decoded
from viewer.core.archive.unpacking import Room, TooMuchError, unpack
from viewer.core.formats.held.evidence import file_held
from viewer.core.formats.held.heads import SHORTEST_CODED, WIDTH, may_begin
from viewer.core.formats.recognition import Guess
from viewer.core.problem import Problem, warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource

MOST_LAYERS: Final = 6
LIMIT: Final = "held-limit"
HEAD: Final = 256
# bz2 gives nothing before its first block is there, which has at most 900,000 bytes.
MOST_TRIED: Final = 1024 * 1024
PIECE: Final = 4096
HEX: Final = b"0123456789abcdefABCDEF"
ZLIB_HEADER: Final = 2
SHORTEST_TEXT: Final = 6
PACKED: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\x1f\x8b\x08", "gzip"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x5d\x00\x00", "lzma"),
)


@dataclass(slots=True)
class Peeled:
    """A file without what stood around it. `layers`: that, the outermost first. `guess` None: there is no file.

    `problems`: what was wrong with layers; their spans count in the layer, not in the argument.
    """

    source: ByteSource
    layers: list[str] = field(default_factory=list)
    guess: Guess | None = None
    problems: list[Problem] = field(default_factory=list)
    too_deep: bool = False


def peel(source: ByteSource, room: Room, progress: Progress) -> Peeled:
    """Take off layer by layer until a file stands there. Raises SourceError, CancelledError."""
    found = Peeled(source)
    while True:
        found.guess = file_held(found.source, progress)
        layer = "" if found.guess is not None else layer_of(found.source)
        if not layer:
            return found
        if len(found.layers) == MOST_LAYERS:
            found.too_deep = True
            return found
        inner = _taken_off(found, layer, room, progress)
        if inner is None:
            return found
        found.source = inner
        found.layers.append(layer)


def layer_of(source: ByteSource) -> str:
    """The layer around a source, where what stands in it can begin a file; else ""."""
    head = source.read(0, HEAD)
    for start, kind in PACKED:
        if head.startswith(start):
            return kind if _can_begin(_first_unpacked(source, kind)) else ""
    is_zlib = len(head) > ZLIB_HEADER and head[0] & 15 == 8 and int.from_bytes(head[:ZLIB_HEADER], "big") % 31 == 0
    # Digits can look like the header of zlib.
    if is_zlib and _can_begin(_first_unpacked(source, "zlib")):
        return "zlib"
    text = head.lstrip(BLANK)
    for digits, coding in ((HEX, "hex"), (LETTERS + b"+/-_", "base64")):
        start = text.translate(None, BLANK)[:SHORTEST_CODED].rstrip(b"=")
        if len(start) >= SHORTEST_TEXT and not start.translate(None, digits):
            inner = first_decoded(text, coding)
            if _can_begin(inner):
                return coding
    return ""


def _can_begin(head: bytes) -> bool:
    return len(head) > ZLIB_HEADER and may_begin(head)


def _first_unpacked(source: ByteSource, kind: str) -> bytes:
    """The first bytes that a compressed stream gives; nothing where it is none."""
    at = 0
    if kind == "gzip":
        at = _behind_gzip_header(source.read(0, PIECE))
    elif kind == "zlib":
        at = ZLIB_HEADER
    decoder = DECODERS["deflate" if kind in ("gzip", "zlib") else kind]()
    content = b""
    with contextlib.suppress(*ERRORS):
        while len(content) < WIDTH and at < MOST_TRIED and not decoder.eof:
            piece = source.read(at, HEAD if at < PIECE else PIECE) if decoder.needs_input else b""
            if not piece and decoder.needs_input:
                break
            at += len(piece)
            content += decoder.decompress(piece, HEAD)
    return content


def _behind_gzip_header(head: bytes) -> int:
    """Where the deflate stream begins."""
    if len(head) < 10:
        return len(head)
    flags, at = head[3], 10
    if flags & 4:
        at += 2 + int.from_bytes(head[at : at + 2], "little")
    for flag in (8, 16):
        if flags & flag:
            at = head.find(b"\0", at) + 1 or len(head)
    return at + (2 if flags & 2 else 0)


def _taken_off(found: Peeled, layer: str, room: Room, progress: Progress) -> ByteSource | None:
    """What stands in a layer; None where it is not one, or more than may be unpacked."""
    try:
        if layer in FEEDS:
            return decode_text(found.source, layer, room, progress)
        unpacked = unpack(found.source, layer, room, progress)
    except TooMuchError:
        found.problems.append(warning("held-limit", limit=room.limit))
        return None
    if unpacked.content is None and any(problem.code == "unpack-limit" for problem in unpacked.problems):
        # A bomb beside others must not cost as much as all of them: each halves what the next may take.
        room.left //= 2
        found.problems.append(warning("held-limit", limit=room.limit))
        return None
    found.problems += unpacked.problems
    return unpacked.content
