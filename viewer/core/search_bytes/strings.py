"""Strings: runs of letters of one encoding, long enough, in which a text may be looked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.progress import Progress
from viewer.core.search_bytes.base import SEARCHING, BlockQuery, Hits, Offsets, Piece, Query
from viewer.core.search_bytes.letters import (
    LATIN,
    MOST_OF_ONE,
    Mask,
    Octets,
    ascii_letters,
    continues,
    utf8_letters,
    utf16_letters,
)
from viewer.core.search_bytes.text import LEAST, OF_STRINGS, text_query
from viewer.core.source import ByteSource
from viewer.core.span import Span

ASCII, UTF8, UTF16_LE, UTF16_BE = OF_STRINGS
BLOCK: Final = 256 * 1024
REACH: Final = 16 * 1024
BACK: Final = 64
"""Bytes before a part that tell whether a string runs into it."""
LONGEST: Final = 2**32 - 1
"""Bytes of a string that are counted."""
Runs = npt.NDArray[np.int64]


class Strings(Query):
    """Strings of `least` letters or more; with `holding` those in which it finds something.

    They do not share bytes: where two could be read, that which begins first is. They may be of any length.
    """

    def __init__(self, encoding: str, least: int = LEAST, holding: BlockQuery | None = None, *, rare: bool = False):
        self.length, self.reach, self.block = 0, REACH, BLOCK
        self.encoding, self.least = encoding, least
        self._holding, self._rare = holding, rare
        self._unit = 2 if encoding in (UTF16_LE, UTF16_BE) else 1

    @override
    def pieces(self, source: ByteSource, scope: Span, part: Span, progress: Progress) -> Iterator[Piece]:
        at = max(scope.start, part.start - BACK)
        while at < part.stop:
            progress.step(SEARCHING, max(0, at - part.start), part.length)
            wanted = min(self.block, scope.stop - at)
            data = source.read(at, wanted)
            ends = len(data) < wanted or at + wanted == scope.stop
            runs, settled = self._runs(np.frombuffer(data, np.uint8), ends=ends)
            found, following = runs[self._held(data, runs)] + at, at + settled
            if not settled and data:
                whole = self._long(source, at, scope.stop, progress)
                following = whole.stop
                found = np.array([(whole.start, whole.stop)] if self._keeps(source, whole, progress) else [], np.int64)
            begun = found.reshape(-1, 2)
            begun = begun[(begun[:, 0] >= part.start) & (begun[:, 0] < part.stop)]
            lengths = np.minimum(begun[:, 1] - begun[:, 0], LONGEST).astype(np.uint32)
            cut = len(data) < wanted
            yield Piece(Hits(begun[:, 0], lengths), part.stop if cut else min(max(following, part.start), part.stop))
            if cut:
                return
            at = following

    def _runs(self, data: Octets, *, ends: bool) -> tuple[Runs, int]:
        """The strings of a block as [start, stop), and up to where it is settled: there a string may go on.

        0: one string reaches over all of it. `ends`: nothing comes behind the block.
        """
        found, settled = [], len(data)
        for phase in range(self._unit):
            mask = self._letters(data[phase:])
            runs = long_runs(mask, self.least)
            if self.encoding == UTF8 and len(runs):
                runs = runs[self._enough(data, runs)]
            if not ends:
                sure = mask[: max(0, len(mask) - MOST_OF_ONE + 1)]
                open_from = _behind_last_gap(sure)
                runs = runs[runs[:, 0] < open_from]
                settled = min(settled, open_from * self._unit + phase if open_from else 0)
            found.append(runs * self._unit + phase)
        runs = np.concatenate(found)
        if self._unit > 1:
            # Behind an open string those of the other phase are not known to be apart from it.
            runs = apart(runs[runs[:, 0] < max(settled, 1)], self.least * self._unit)
            settled = settled or (int(runs[0, 1]) if len(runs) else 0)
        return runs, max(settled, int(runs[-1, 1])) if len(runs) and settled else settled

    def _letters(self, data: Octets) -> Mask:
        if self.encoding == ASCII:
            return ascii_letters(data)
        if self.encoding == UTF8:
            return utf8_letters(data)
        return utf16_letters(data, big=self.encoding == UTF16_BE, rare=self._rare)

    def _enough(self, data: Octets, runs: Runs) -> Mask:
        """Which runs of bytes are long enough in letters."""
        if data.max() < 0x80:
            return np.ones(len(runs), np.bool_)
        letters = np.zeros(len(data) + 1, np.int32)
        np.cumsum(~continues(data), dtype=np.int32, out=letters[1:])
        found: Mask = letters[runs[:, 1]] - letters[runs[:, 0]] >= self.least
        return found

    def _held(self, data: bytes, runs: Runs) -> Mask:
        """In which strings of a block that stands which is looked for."""
        if self._holding is None or not len(runs):
            return np.ones(len(runs), np.bool_)
        starts = self._holding.find(data, len(data), 0, len(data)).starts
        number = np.searchsorted(runs[:, 0], starts, side="right") - 1
        inside = (number >= 0) & self._within(starts, runs[number])
        held = np.zeros(len(runs), np.bool_)
        held[number[inside]] = True
        return held

    def _within(self, starts: Offsets, runs: Runs) -> Mask:
        """Which places of what is looked for lie in a run, letter on letter."""
        length = self._holding.length if self._holding is not None else 0
        found: Mask = (starts + length <= runs[:, 1]) & ((starts - runs[:, 0]) % self._unit == 0)
        return found

    # -- strings that are longer than a block -----------------------------------------------------

    def _long(self, source: ByteSource, start: int, end: int, progress: Progress) -> Span:
        """The string that begins at a place, or a byte behind it, and reaches over a block and more."""
        masks = [self._letters(np.frombuffer(source.read(start + phase, BLOCK), np.uint8)) for phase in (0, 1)]
        start += int(self._unit > 1 and not bool(masks[0][: -MOST_OF_ONE + 1].all()))
        at = start
        while at < end:
            progress.step(SEARCHING, at - start, end - start)
            data = source.read(at, min(self.block, end - at))
            mask = self._letters(np.frombuffer(data, np.uint8))
            letters = len(mask) if mask.all() else int(mask.argmin())
            at += letters * self._unit
            if letters < len(mask) - MOST_OF_ONE + 1 or not letters or len(data) < self.block:
                break
        return Span(start, at)

    def _keeps(self, source: ByteSource, whole: Span, progress: Progress) -> bool:
        """Whether a long string holds what is looked for."""
        if self._holding is None:
            return True
        for piece in self._holding.pieces(source, whole, whole, progress.silent()):
            progress.check()
            run = np.array([(whole.start, whole.stop)], np.int64)
            if self._within(piece.hits.starts, run).any():
                return True
        return False


def strings_query(encoding: str, least: int = LEAST, holding: str = "", *, ignore_case: bool = False) -> Strings:
    """The strings of an encoding, at least so many letters long, that hold a text. Raises QueryError.

    A text of letters beyond Arabic has strings of all letters looked for in UTF-16: so many are few.
    """
    if not holding:
        return Strings(encoding, least)
    inner = text_query(holding, encoding, ignore_case=ignore_case)
    return Strings(encoding, least, inner, rare=any(ord(letter) >= LATIN for letter in holding))


def long_runs(mask: Mask, least: int) -> Runs:
    """The runs of True that are long enough, as rows of [start, stop)."""
    kept, have = mask, 1
    while have < least and len(kept):
        more = min(have, least - have)
        kept = kept[:-more] & kept[more:]
        have += more
    padded = np.zeros(len(kept) + 2, np.bool_)
    padded[1:-1] = kept
    runs = np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2)
    runs[:, 1] += least - 1
    return runs.astype(np.int64, copy=False)


def apart(runs: Runs, least: int) -> Runs:
    """Runs in order; of two that share bytes the later one begins, letter on letter of two bytes, behind the first."""
    runs = runs[np.argsort(runs[:, 0], kind="stable")]
    if not len(runs) or bool((runs[1:, 0] >= runs[:-1, 1]).all()):
        return runs
    kept, reached = [], 0
    for start, stop in runs.tolist():
        start = max(start, reached + (start - reached) % 2)
        if stop - start >= least:
            kept.append((start, stop))
            reached = stop
    return np.array(kept, np.int64).reshape(-1, 2)


def _behind_last_gap(mask: Mask) -> int:
    """Where the letters at the end of a block begin; 0: it has no other bytes."""
    backwards = mask[::-1]
    at = int(backwards.argmin()) if len(backwards) else 0
    return len(mask) - at if len(mask) and not backwards[at] else 0
