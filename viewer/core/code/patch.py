"""The differences of two texts as a patch: unified, as `patch` and `git apply` take it.

Lines are compared with their ends, so that what is applied gives the other text to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from viewer.core.code.line_matching import match
from viewer.core.progress import Progress

CONTEXT: Final = 3
NO_END: Final = "\\ No newline at end of file\n"
MOST_CHARACTERS: Final = 10_000_000
MOST_LINES: Final = 1_000_000
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_LONGEST_NAME: Final = 200
_Piece = tuple[str, int, int, int, int]


def patch(
    left: str, right: str, left_name: str, right_name: str, context: int = CONTEXT, progress: Progress | None = None
) -> str:
    """The patch that makes the right text of the left one; "" where they are equal.

    The names may come from a file: they are made relative and escaped as git does. Raises CancelledError, and
    ValueError for a text of over 10,000,000 characters or 1,000,000 lines.
    """
    if any(len(text) > MOST_CHARACTERS or text.count("\n") > MOST_LINES for text in (left, right)):
        raise ValueError("the text is too long for a patch")
    if left == right:
        return ""
    ours, theirs = _lines(left), _lines(right)
    runs = match(ours, theirs, progress).runs
    pieces: list[_Piece] = []
    at = to = 0
    for first, second, length in [*((run.left, run.right, run.length) for run in runs), (len(ours), len(theirs), 0)]:
        if first > at or second > to:
            pieces.append(("change", at, first, to, second))
        if length:
            pieces.append(("same", first, first + length, second, second + length))
        at, to = first + length, second + length
    head = f"--- {header_name('a', left_name)}\n+++ {header_name('b', right_name)}\n"
    return head + "".join("".join(_hunk(hunk, ours, theirs)) for hunk in _hunks(pieces, context))


def _lines(text: str) -> list[str]:
    """Lines ended by LF alone: a CR before it belongs to the line."""
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def _hunks(pieces: Sequence[_Piece], context: int) -> Iterator[list[_Piece]]:
    """Changes with the lines around them; those that are close share a hunk."""
    hunk: list[_Piece] = []
    for number, (kind, at, first, to, second) in enumerate(pieces):
        if kind == "change":
            hunk.append((kind, at, first, to, second))
            continue
        is_last = number == len(pieces) - 1
        if hunk and not is_last and first - at <= 2 * context:
            hunk.append((kind, at, first, to, second))
            continue
        if hunk:
            end = min(context, first - at)
            yield [*hunk, (kind, at, at + end, to, to + end)]
        begin = max(at, first - context)
        hunk = [(kind, begin, first, to + begin - at, second)]
    if any(kind == "change" for kind, *_ in hunk):
        yield hunk


def _hunk(hunk: Sequence[_Piece], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[str]:
    _, at, _, to, _ = hunk[0]
    _, _, first, _, second = hunk[-1]
    yield f"@@ -{_range(at, first)} +{_range(to, second)} @@\n"
    for kind, begin, end, start, stop in hunk:
        if kind == "same":
            yield from (_line(" ", line) for line in ours[begin:end])
        else:
            yield from (_line("-", line) for line in ours[begin:end])
            yield from (_line("+", line) for line in theirs[start:stop])


def _range(start: int, stop: int) -> str:
    count = stop - start
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"


def _line(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n{NO_END}"


def header_name(side: str, name: str) -> str:
    """A name for the head of a patch: below `a/` or `b/`, without steps upwards, quoted where it has odd characters."""
    parts = [part for part in re.split(r"[/\\]", name) if part not in ("", ".", "..") and not _DRIVE.fullmatch(part)]
    path = "/".join([side, *(parts or ["text"])])[-_LONGEST_NAME:]
    path = path if path.startswith(f"{side}/") else f"{side}/{path.rpartition('/')[2]}"
    if path.isprintable() and not set(path) & {'"', "\\", " "} and "/dev/null" not in path:
        return path
    return '"' + "".join(_escaped(char) for char in path) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogatepass"))
