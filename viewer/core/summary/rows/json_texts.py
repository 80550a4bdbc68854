"""JSON in pieces: an object whose long lists are made while it is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

BATCH: Final = 500
_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class Stream:
    """Many values of a JSON list, made while they are written; each pass over it makes them anew."""

    make: Callable[[], Iterable[object]]

    def __iter__(self) -> Iterator[object]:
        return iter(self.make())


def json_texts(value: Mapping[str, object]) -> Iterator[str]:
    """The object in pieces."""
    between = "{"
    for name, member in value.items():
        yield f"{between}{_encode(name)}:"
        yield from _member(member)
        between = ","
    yield "}" if value else "{}"


def _member(member: object) -> Iterator[str]:
    """A member in pieces: a stream, a list of streams, anything else as a whole."""
    if isinstance(member, Stream):
        yield from _listed(member)
    elif isinstance(member, list) and any(isinstance(item, Stream) for item in member):
        between = "["
        for item in member:
            yield between
            yield from _member(item)
            between = ","
        yield "]"
    else:
        yield _encode(member)


def _listed(stream: Stream) -> Iterator[str]:
    rows = iter(stream)
    between = "["
    while batch := list(islice(rows, BATCH)):
        yield between + _encode(batch)[1:-1]
        between = ","
    yield "]" if between == "," else "[]"
