"""Headers of safetensors files without a fault, read by the hundred: facts of the tensors as columns.

Only what safetensors itself accepts and every writer makes counts as plain. All else is left to the reader that says
what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from viewer.core.document import Stated
from viewer.core.formats.sharded_index.index_text import has_control, quotes_of
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Span
from viewer.core.tensors.indexed import Column, Kind
from viewer.core.tensors.json_text import WS
from viewer.core.tensors.safetensors_header import METADATA, read_header
from viewer.core.tensors.safetensors_types import meaning_of

LENGTH: Final = 8
FIRST: Final = 16 * 1024
"""Bytes of a file that are read at once: most headers are no longer."""
LARGEST: Final = 16 * 1024 * 1024
DIGITS: Final = b"0123456789"
SPACE: Final = b" \t\n\r"
QUOTES: Final = 10
"""Quotes of an entry: around its name, three keys, and the text of its type."""
_OWN: Final = METADATA.encode()
_METADATA: Final = re.compile(rb'\{~"%b"~:~\{[^{}\\]*\}~,'.replace(b"~", WS) % _OWN)
_INT: Final = rb"(?:0|[1-9][0-9]{0,17})"
# Between the two quotes before the facts and before the numbers of an entry; ~ is for spaces.
_KIND: Final = re.compile(
    rb'"~:~\{~"dtype"~:~"(\w+)"~,~"shape"~:~\[~((?:%b(?:~,~%b)*)?)~\]~,~"data_offsets'.replace(b"%b", _INT).replace(
        b"~", WS
    )
)
# What stands around the two numbers of an entry, as the usual writers make it.
_TAILS: Final = (b":[,]},", b": [, ]}, ")
_POWERS: Final = 10 ** np.arange(1, 19, dtype=np.int64)


class PlainHeader(NamedTuple):
    """What one header states. `names` raw; `kinds` numbers of `PlainHeaders.kinds`; `begins` count from `base`."""

    base: int
    names: list[bytes]
    kinds: Column
    begins: Column
    metadata: list[Stated]


class Kinds(dict[bytes, int]):
    """Numbers of `shared` by the text that states a type and a shape; -1: they are none that can be shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shared: list[Kind] = []
        self.sizes: Column = np.zeros(0, dtype=np.int64)

    def __missing__(self, key: bytes) -> int:
        kind = kind_of(key)
        self[key] = -1 if kind is None else len(self.shared)
        if kind is not None:
            self.shared.append(kind)
            self.sizes = np.append(self.sizes, kind.nbytes)
        return self[key]


@dataclass(slots=True)
class PlainHeaders:
    """Reads headers, and keeps what many of them have in common."""

    kinds: Kinds = field(default_factory=Kinds)
    _metadata: dict[bytes, list[Stated] | None] = field(default_factory=dict)

    def read(self, source: ByteSource, head: bytes, expected: list[bytes]) -> PlainHeader | None:
        """The header of a file; None where it is not plain, or does not fit the file. Raises SourceError.

        `head`: the first bytes of the file. `expected`: names, of which none stands twice.
        """
        length = int.from_bytes(head[:LENGTH], "little")
        if not 2 < length <= LARGEST or LENGTH + length > source.size:
            return None
        if LENGTH + length > len(head):
            head += source.read(len(head), LENGTH + length - len(head))
        return self._parsed(head[LENGTH : LENGTH + length], source.size, expected)

    def _parsed(self, header: bytes, size: int, expected: list[bytes]) -> PlainHeader | None:
        found = _METADATA.match(header)
        opening, metadata = (found.end(), self._metadata_of(found[0])) if found else (1, [])
        if not header.startswith(b"{") or metadata is None or b"\\" in header or not is_utf8(header):
            return None
        body, base = header[opening:], LENGTH + len(header)
        places = quotes_of(body, QUOTES)
        if not len(places) or body[: places[0, 0]].strip(SPACE):
            return None
        starts, ends, lasts = (places[:, 0] + 1).tolist(), places[:, 1].tolist(), places[:, -1].tolist()
        names = [body[start:end] for start, end in zip(starts, ends, strict=True)]
        if (names != expected and not are_names(names)) or _OWN in names:
            return None
        numbers = self.kinds
        kinds = np.array([numbers[body[start:end]] for start, end in zip(ends, lasts, strict=True)], dtype=np.int64)
        tails = [body[start + 1 : end - 1] for start, end in zip(lasts, [*starts[1:], len(body) + 1], strict=True)]
        offsets = offsets_of(tails)
        if kinds.min() < 0 or offsets is None or not fits(offsets, self.kinds.sizes[kinds], size - base):
            return None
        return PlainHeader(base, names, kinds, offsets[::2], metadata)

    def _metadata_of(self, text: bytes) -> list[Stated] | None:
        """The texts of the writer, which are the same in all files of a set; None where they are no plain texts."""
        if text not in self._metadata:
            header = read_header(text.rstrip(SPACE + b",") + b"}", Progress())
            stated = [
                Stated(pair.key, pair.value, Span(pair.start + LENGTH, pair.stop + LENGTH)) for pair in header.metadata
            ]
            self._metadata[text] = None if header.faults else stated
        return self._metadata[text]


def offsets_of(texts: Sequence[bytes]) -> Column | None:
    """The numbers in what follows `data_offsets` of each entry; None where there is anything else."""
    joined = b"".join(texts).rstrip(SPACE)
    skeleton, count = joined.translate(None, DIGITS), len(texts)
    if skeleton not in (tail * (count - 1) + tail.rstrip(b", ") + b"}" for tail in _TAILS):
        return None
    numbers = joined.translate(None, b":[]} ")
    if b",," in numbers or numbers.startswith(b",") or numbers.endswith(b","):
        return None
    offsets = np.fromstring(numbers, np.int64, sep=",")
    # Each number as it is written has to be the shortest: no zeros before it, and none that is too large.
    digits = len(offsets) + int(np.searchsorted(_POWERS, offsets, side="right").sum())
    return offsets if len(offsets) == 2 * count and digits == len(joined) - len(skeleton) else None


def fits(offsets: Column, sizes: Column, size: int) -> bool:
    """Whether tensors follow one another without a gap, from the first byte of the data to the last."""
    begins, ends = offsets[::2], offsets[1::2]
    is_tiled = begins[0] == 0 and ends[-1] == size and np.array_equal(ends[:-1], begins[1:])
    return bool(is_tiled and np.array_equal(ends - begins, sizes))


def kind_of(text: bytes) -> Kind | None:
    """What the text of a type and a shape says; None where that is nothing that can be shown as numbers."""
    found = _KIND.fullmatch(text)
    if found is None:
        return None
    stated = tuple(int(size) for size in found[2].split(b",")) if found[2] else ()
    meaning, bits, code = meaning_of(found[1].decode("ascii"), stated)
    if meaning is None or code or bits % 8:
        return None
    elements = 1
    for length in meaning[1]:
        elements *= length
    return Kind(meaning[0], meaning[1], meaning[2], elements, bits // 8)


def are_names(names: Sequence[bytes]) -> bool:
    """Whether names are texts of which none stands twice."""
    return len(set(names)) == len(names) and not has_control(names)


def is_utf8(text: bytes) -> bool:
    """Whether a text is UTF-8."""
    try:
        return text.isascii() or bool(text.decode())
    except UnicodeDecodeError:
        return False
