"""Where a value stands below the root of its document: keys, indices and attributes.

A part is a text or int (key of a mapping, index of a sequence), an Attribute, or a Key: any other key by
its repr, and texts that start with `@`, which would read as attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LONGEST_INTEGER: Final = 4096


def long_integer(number: int) -> str:
    """What stands for an int that is too long to be written out: Python refuses more than 4,300 digits."""
    return f"<int of {number.bit_length():,} bits>"


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of an object: an entry of the state that BUILD gave it."""

    name: str


@dataclass(frozen=True, slots=True)
class Key:
    """A key that is neither text nor int, or a text that starts with `@`: by its Python repr."""

    repr: str


Part = str | int | Attribute | Key
Path = tuple[Part, ...]

MACHINERY: Final = (Attribute("_modules"), Attribute("_parameters"), Attribute("_buffers"))


def key_part(key: object) -> Part:
    """The part for a key of a mapping."""
    if isinstance(key, int) and not isinstance(key, bool):
        return key if key.bit_length() <= LONGEST_INTEGER else Key(long_integer(key))
    if isinstance(key, str) and not key.startswith("@"):
        return key
    return Key(repr(key))


def to_json(path: Path) -> list[str | int | dict[str, str]]:
    """The path as `inspect --json` writes it: `"@x"` = attribute x, `{"py": repr}` = any other key."""
    return [_part_json(part) for part in path]


def _part_json(part: Part) -> str | int | dict[str, str]:
    if isinstance(part, Attribute):
        return "@" + part.name
    return {"py": part.repr} if isinstance(part, Key) else part


def shown(path: Sequence[Part]) -> str:
    """The path as one line: parts joined by dots, attributes by their bare name."""
    return ".".join(
        part.name if isinstance(part, Attribute) else part.repr if isinstance(part, Key) else str(part) for part in path
    )


def shown_short(path: Sequence[Part]) -> str:
    """As `shown`, without the dicts in which modules keep what they hold: `conv.weight`, not `_modules.conv...`."""
    return shown([part for part in path if part not in MACHINERY])
