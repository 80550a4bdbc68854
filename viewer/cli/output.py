"""Writing to the two streams of a terminal: UTF-8 for data whatever the locale, and names that hold any bytes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import Final

from viewer.core.summary.rows.json_texts import json_texts

BLOCK: Final = 1 << 20


class OutputError(Exception):
    """stdout takes no more: its reader went away, or the disk is full. The text says which."""


def write_json(value: Mapping[str, object]) -> None:
    """One object on stdout, as UTF-8; lone surrogates become JSON escapes. Streams may be members of it.

    Raises OutputError.
    """
    waiting: list[str] = []
    size = 0
    for text in json_texts(value):
        waiting.append(text)
        size += len(text)
        if size >= BLOCK:
            _write(("".join(waiting).encode("utf-8", "backslashreplace"),))
            waiting, size = [], 0
    waiting.append("\n")
    _write(("".join(waiting).encode("utf-8", "backslashreplace"),))


def write_text(text: str) -> None:
    """Lines on stdout, in the terminal's encoding; what it cannot show is escaped. Raises OutputError."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    _write((text.encode(encoding, "backslashreplace"),))


def say(text: str) -> None:
    """One sentence on stderr; says nothing when stderr is closed."""
    if sys.stderr is None:  # print would take stdout then, among the data
        return
    try:
        print(text.encode("utf-8", "backslashreplace").decode("utf-8"), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


def on_screen() -> bool:
    """True where what is written to stdout stands where a line of progress would."""
    return sys.stdout is not None and sys.stdout.isatty()


def _write(parts: Iterable[bytes]) -> None:
    if sys.stdout is None:
        raise OutputError("it is closed")
    try:
        out = getattr(sys.stdout, "buffer", None)
        for part in parts:
            if out is None:
                sys.stdout.write(part.decode("utf-8"))
            else:
                out.write(part)
        sys.stdout.flush()
    except BrokenPipeError as failure:
        _abandon()
        raise OutputError("its reader went away") from failure
    except (OSError, ValueError) as failure:
        _abandon()
        raise OutputError(getattr(failure, "strerror", None) or str(failure)) from failure


def _abandon() -> None:
    """Point stdout elsewhere, so that the interpreter's own flush at exit finds no closed pipe."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return
