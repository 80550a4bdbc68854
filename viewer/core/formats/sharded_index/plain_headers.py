"""Headers of safetensors files without a fault, read by the hundred: facts of the tensors as columns.

Only what safetensors itself accepts and every writer makes counts as plain. All else is left to the reader that says
what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import add, ne
from typing import Final, NamedTuple

from viewer.core.document import Stated
from viewer.core.formats.sharded_index.index_text import COLON, COMMA, all_match, has_control
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Span
from viewer.core.tensors.indexed import Kind
from viewer.core.tensors.json_text import WS
from viewer.core.tensors.safetensors_header import METADATA, read_header
from viewer.core.tensors.safetensors_types import meaning_of

LENGTH: Final = 8
FIRST: Final = 16 * 1024
LARGEST: Final = 16 * 1024 * 1024
DIGITS: Final = b"0123456789"
SPACE: Final = b" \t\n\r"
STEP: Final = 10
"""Pieces of an entry between quotes: the name, three facts with their keys, the text of a type, what stands between."""
_METADATA: Final = re.compile(rb'\{%b"__metadata__"%b:%b\{[^{}\\]*\}%b,' % (WS, WS, WS, WS))
_OPENING: Final = re.compile(rb"%b:%b\{%b" % (WS, WS, WS))
_INT: Final = rb"(?:0|[1-9][0-9]{0,17})"
_SHAPE: Final = re.compile(rb"%b:%b\[%b(|%b(?:%b,%b%b)*)%b\]%b,%b" % (WS, WS, WS, _INT, WS, WS, _INT, WS, WS, WS))
# What stands around the two numbers of an entry, as the usual writers make it.
_TAILS: Final = (b":[,]},", b": [, ]}, ")
LONGEST: Final = 18


class PlainHeader(NamedTuple):
    """What one header states. `names` raw; `kinds` numbers of `PlainHeaders.kinds`; `begins` and `ends` by turns."""

    base: int
    names: Sequence[bytes]
    kinds: Sequence[int]
    offsets: Sequence[int]
    metadata: list[Stated]


class Kinds(dict[tuple[bytes, bytes], int]):
    """Numbers of `shared` by the texts of a type and a shape; -1: they are none that can be shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shared: list[Kind] = []
        self.sizes: list[int] = []

    def __missing__(self, key: tuple[bytes, bytes]) -> int:
        kind = kind_of(*key)
        self[key] = -1 if kind is None else len(self.shared)
        if kind is not None:
            self.shared.append(kind)
            self.sizes.append(kind.nbytes)
        return self[key]


@dataclass(slots=True)
class PlainHeaders:
    """Reads headers, and keeps what many of them have in common."""

    kinds: Kinds = field(default_factory=Kinds)
    _metadata: dict[bytes, list[Stated] | None] = field(default_factory=dict)

    def read(self, source: ByteSource) -> PlainHeader | None:
        """The header of a file; None where it is not plain, or does not fit the file. Raises SourceError."""
        head = source.peek(0, FIRST)
        length = int.from_bytes(head[:LENGTH], "little")
        if not 2 < length <= LARGEST or LENGTH + length > source.size:
            return None
        if LENGTH + length > len(head):
            head += source.read(len(head), LENGTH + length - len(head))
        return self._parsed(head[LENGTH : LENGTH + length], LENGTH + length, source.size)

    def _parsed(self, header: bytes, base: int, size: int) -> PlainHeader | None:
        found = _METADATA.match(header)
        opening, metadata = (header[: found.end()], self._metadata_of(found[0])) if found else (b"{", [])
        if not header.startswith(opening) or metadata is None or b"\\" in header:
            return None
        pieces = header[len(opening) :].split(b'"')
        count, left = divmod(len(pieces) - 1, STEP)
        if left or not count or not _is_plain(pieces):
            return None
        names = pieces[1::STEP]
        offsets = offsets_of(pieces[STEP::STEP])
        if offsets is None or not fits(offsets, size - base) or not are_names(names):
            return None
        kinds = list(map(self.kinds.__getitem__, zip(pieces[5::STEP], pieces[8::STEP], strict=True)))
        sizes = map(self.kinds.sizes.__getitem__, kinds)
        if min(kinds) < 0 or any(map(ne, map(add, offsets[::2], sizes), offsets[1::2])):
            return None
        return PlainHeader(base, names, kinds, offsets, metadata)

    def _metadata_of(self, text: bytes) -> list[Stated] | None:
        """The texts of the writer, which are the same in all files of a set; None where they are no plain texts."""
        if text not in self._metadata:
            header = read_header(text.rstrip(SPACE + b",") + b"}", Progress())
            stated = [
                Stated(pair.key, pair.value, Span(pair.start + LENGTH, pair.stop + LENGTH)) for pair in header.metadata
            ]
            self._metadata[text] = None if header.faults else stated
        return self._metadata[text]


def _is_plain(pieces: Sequence[bytes]) -> bool:
    """Whether the pieces are those of entries: the keys in their order, and what stands between."""
    keys = (set(pieces[3::STEP]), set(pieces[7::STEP]), set(pieces[9::STEP]))
    return (
        keys == ({b"dtype"}, {b"shape"}, {b"data_offsets"})
        and not pieces[0].strip(SPACE)
        and all_match(_OPENING, pieces[2::STEP])
        and all_match(COLON, pieces[4::STEP])
        and all_match(COMMA, pieces[6::STEP])
    )


def offsets_of(texts: Sequence[bytes]) -> list[int] | None:
    """The numbers in what follows `data_offsets` of each entry; None where there is anything else."""
    joined = b"".join(texts).rstrip(SPACE)
    skeleton, count = joined.translate(None, DIGITS), len(texts)
    if skeleton not in (tail * (count - 1) + tail.rstrip(b", ") + b"}" for tail in _TAILS):
        return None
    numbers = joined.translate(None, b":[]} ").split(b",")
    if b"" in numbers or max(map(len, numbers)) > LONGEST or has_leading_zeros(joined, numbers):
        return None
    return list(map(int, numbers))


def has_leading_zeros(text: bytes, numbers: Sequence[bytes]) -> bool:
    """Whether a number begins with a zero and goes on, which JSON does not allow."""
    return sum(text.count(before + b"0") for before in (b"[", b",", b" ")) != numbers.count(b"0")


def fits(offsets: Sequence[int], size: int) -> bool:
    """Whether tensors follow one another without a gap, from the first byte of the data to the last."""
    return offsets[0] == 0 and offsets[-1] == size and offsets[1:-1:2] == offsets[2::2]


def kind_of(dtype: bytes, shape: bytes) -> Kind | None:
    """What the texts of a type and a shape say; None where that is nothing that can be shown as numbers."""
    sizes = _SHAPE.fullmatch(shape)
    if sizes is None or (not dtype.isalnum() and b"_" not in dtype):
        return None
    stated = tuple(int(text) for text in sizes[1].split(b",")) if sizes[1] else ()
    meaning, bits, code = meaning_of(dtype.decode("ascii", "replace"), stated)
    if meaning is None or code or bits % 8:
        return None
    elements = 1
    for length in meaning[1]:
        elements *= length
    return Kind(meaning[0], meaning[1], meaning[2], elements, bits // 8)


def are_names(names: Sequence[bytes]) -> bool:
    """Whether names are texts of which none stands twice, and none is that of the writer's own texts."""
    unique = set(names)
    if len(unique) < len(names) or METADATA.encode() in unique or has_control(names):
        return False
    joined = b"".join(names)
    try:
        return joined.isascii() or bool(joined.decode())
    except UnicodeDecodeError:
        return False
