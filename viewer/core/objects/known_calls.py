"""Objects of well-known classes as people read them: dates, and what settings keep around their values."""

from __future__ import annotations

import struct
from typing import Final

from viewer.core.objects.content import Role, octets, states
from viewer.core.pickles.values import Values

NAMESPACES: Final = frozenset({"argparse.Namespace", "types.SimpleNamespace"})
"""Classes whose objects are their attributes and nothing else."""
OMEGACONF: Final = "omegaconf."
_CONTENT: Final = ("_val", "_content")
_DATE: Final = struct.Struct(">HBB")
_TIME: Final = struct.Struct(">BBB")
_MOST_ATTRIBUTES: Final = 100


def date_text(values: Values, value: int, name: str) -> str | None:
    """A `datetime.datetime`, `date` or `time` as ISO writes it; None for anything else. `name`: what is called.

    Their only argument is a string of bytes: year (2), month, day, hour, minute, second, microsecond (3).
    """
    if name not in ("datetime.datetime", "datetime.date", "datetime.time"):
        return None
    arguments = values.arguments(value)
    raw = octets(values, arguments[0]) if arguments else None
    sizes = {"datetime.datetime": 10, "datetime.date": 4, "datetime.time": 6}
    if raw is None or len(raw) != sizes[name]:
        return None
    date, time = (raw[:4], raw[4:]) if name != "datetime.time" else (b"", raw)
    parts = []
    if date:
        year, month, day = _DATE.unpack(date)
        # The highest bit of the month marks the second of two equal times in autumn.
        parts.append(f"{year:04}-{month & 0x7F:02}-{day:02}")
    if time:
        hour, minute, second = _TIME.unpack(time[:3])
        micro = int.from_bytes(time[3:], "big")
        parts.append(f"{hour & 0x7F:02}:{minute:02}:{second:02}" + (f".{micro:06}" if micro else ""))
    return " ".join(parts)


def wrapped_value(values: Values, value: int, name: str, encoding: str) -> tuple[str, int] | None:
    """The value that a node of OmegaConf keeps, and the attribute that it is in; None for anything else."""
    if not name.startswith(OMEGACONF):
        return None
    held = dict(attributes_of(values, value, encoding))
    return next(((key, held[key]) for key in _CONTENT if key in held), None)


def attributes_of(values: Values, value: int, encoding: str) -> list[tuple[str, int]]:
    """The first hundred attributes of an object with their names."""
    found: list[tuple[str, int]] = []
    for section in states(values, value):
        if section.role is Role.ATTRIBUTE:
            for key, child in section.read(0, min(section.count, _MOST_ATTRIBUTES)):
                text = values.text(key, encoding)
                found += [(text, child)] if text is not None else []
    return found
