"""JSON of a file, read within bounds: of size, depth and number of values. What it says is never trusted.

A value takes many times the memory of its text, so that the person's memory limit holds for both bounds.
"""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

from viewer.core.memory import share
from viewer.wording.phrases import phrase

LARGEST: Final = 64 * 1024 * 1024
MOST_VALUES: Final = 2_000_000
LEAST: Final = 1024 * 1024
LEAST_VALUES: Final = 25_000
"""What is read under any memory limit."""
DEEPEST: Final = 200
_STEP: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"|([\[{])|([\]}])', re.DOTALL)
_WHOLE: Final = re.compile(r"-?[0-9]{1,20}", re.ASCII)


class Parsed(NamedTuple):
    """What a JSON text holds. `code`: "" or the Problem that says why nothing is; `reason`: its words."""

    value: object
    code: str = ""
    reason: str = ""


def parse(data: bytes) -> Parsed:
    """Read a JSON text; of a key that stands twice the last value is taken, as Python does."""
    if not fits(len(data)):
        return too_large(len(data))
    values = data.count(b",") + data.count(b"[") + data.count(b"{")
    if values > share(MOST_VALUES, LEAST_VALUES):
        return Parsed(None, _code(values > MOST_VALUES), phrase("json-many", count=values))
    if depth_of(data) > DEEPEST:
        return Parsed(None, "json-bounds", phrase("json-deep", limit=DEEPEST))
    try:
        return Parsed(json.loads(data.decode("utf-8")))
    except UnicodeDecodeError as failure:
        return Parsed(None, "json-broken", phrase("json-byte", offset=failure.start))
    except json.JSONDecodeError as failure:
        return Parsed(None, "json-broken", phrase("json-broken", reason=failure.msg, offset=failure.pos))
    except (ValueError, RecursionError):
        return Parsed(None, "json-broken", phrase("json-number"))


def fits(size: int) -> bool:
    """Whether a text of so many bytes is read at all."""
    return size <= share(LARGEST, LEAST)


def too_large(size: int) -> Parsed:
    """What is told of a text that is not."""
    return Parsed(None, _code(size > LARGEST), phrase("json-long", count=size))


def _code(always: bool) -> str:
    """The Problem of a bound: one that always holds, or one that the memory limit sets."""
    return "json-bounds" if always else "json-memory"


def depth_of(data: bytes) -> int:
    """How deep lists and objects stand in one another; stops counting behind the bound."""
    depth = deepest = 0
    for match in _STEP.finditer(data):
        if match[1]:
            depth += 1
            deepest = max(deepest, depth)
            if deepest > DEEPEST:
                break
        elif match[2]:
            depth -= 1
    return deepest


def whole(value: object) -> int | None:
    """An int, also one that is written as a text, as protobuf does; None for all else."""
    if isinstance(value, str):
        return int(value) if _WHOLE.fullmatch(value) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def wholes(value: object, most: int) -> tuple[int, ...] | None:
    """A list of ints of at most so many; None for all else."""
    if not isinstance(value, list) or len(value) > most:
        return None
    found = tuple(number for number in map(whole, value) if number is not None)
    return found if len(found) == len(value) else None


def fields(value: object) -> dict[str, object]:
    """An object; {} for all else."""
    return value if isinstance(value, dict) else {}


def entries(value: object) -> list[object]:
    """A list; [] for all else."""
    return value if isinstance(value, list) else []
