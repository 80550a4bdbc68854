"""Bytes that were written as text: base64, hexadecimal digits, the characters of latin-1 as UTF-8.

Read as a stream, as lenient readers do: base64 with either pair of its last two characters, and without regard to
characters that it does not have; hexadecimal digits of either case. Line breaks and blanks count in neither.
"""

from __future__ import annotations

import binascii
import codecs
from collections.abc import Callable
from typing import Final

from viewer.core.archive.inflated import Spool
from viewer.core.archive.unpacking import Room, TooMuchError
from viewer.core.progress import Progress
from viewer.core.source import ByteSource

PIECE: Final = 256 * 1024
BLANK: Final = b" \t\r\n\f\v"
LETTERS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_STANDARD: Final = bytes.maketrans(b"-_", b"+/")
_OTHERS: Final = bytes(byte for byte in range(256) if byte not in LETTERS + b"+/-_=")

Feed = Callable[[bytes, bool], bytes]


def base64_feed() -> Feed:
    """Reads pieces of base64 up to its padding; characters that are none are left out."""
    waiting, ended = b"", False

    def feed(piece: bytes, last: bool) -> bytes:
        nonlocal waiting, ended
        if ended:
            return b""
        clean, padding, _ = piece.translate(_STANDARD, _OTHERS).partition(b"=")
        clean, ended = waiting + clean, bool(padding)
        if not (last or ended):
            whole = len(clean) // 4 * 4
            waiting = clean[whole:]
            return binascii.a2b_base64(clean[:whole])
        # One character alone holds no byte: it is left out, and so are missing signs of padding.
        clean = clean[: len(clean) - (len(clean) % 4 == 1)]
        return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))

    return feed


def hex_feed() -> Feed:
    """Reads pieces of hexadecimal digits. Raises ValueError for anything else."""
    waiting = b""

    def feed(piece: bytes, last: bool) -> bytes:
        nonlocal waiting
        clean = waiting + piece.translate(None, BLANK)
        whole = len(clean) if last else len(clean) // 2 * 2
        waiting = clean[whole:]
        return binascii.a2b_hex(clean[:whole])

    return feed


def latin_feed() -> Feed:
    """Reads pieces of UTF-8 whose characters stand for bytes. Raises ValueError for a character beyond 255."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogatepass")

    def feed(piece: bytes, last: bool) -> bytes:
        return decoder.decode(piece, last).encode("latin-1")

    return feed


FEEDS: Final[dict[str, Callable[[], Feed]]] = {"base64": base64_feed, "hex": hex_feed, "latin-1": latin_feed}
"""How each coding is read."""


def decode_text(source: ByteSource, coding: str, room: Room, progress: Progress) -> ByteSource | None:
    """The bytes that a text stands for; None where it is no such text. Takes from the room, also for nothing.

    Raises TooMuchError beyond it, SourceError where the temporary folder is full, CancelledError when stopped.
    """
    spool, feed = Spool(), FEEDS[coding]()
    try:
        for at in range(0, source.size, PIECE):
            progress.check()
            content = feed(source.read(at, PIECE), at + PIECE >= source.size)
            if len(content) > room.left:
                raise TooMuchError(room.limit)
            room.left -= len(content)
            spool.write(content)
    except ValueError:
        spool.close()
        return None
    except BaseException:
        spool.close()
        raise
    return spool.finished()


def first_decoded(head: bytes, coding: str) -> bytes:
    """What the first bytes of a text stand for; nothing where they are no such text."""
    try:
        return FEEDS[coding]()(head, False)
    except ValueError:
        return b""


def is_ascii(source: ByteSource, progress: Progress) -> bool:
    """True where all bytes of a source are ASCII."""
    for at in range(0, source.size, PIECE):
        progress.check()
        if not source.read(at, PIECE).isascii():
            return False
    return True
