"""One thing that is remembered: its key, its kind, and what it may be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QByteArray

Kept = str | int | bool | bytes
T = TypeVar("T", str, int, bool, bytes)


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """One thing that is remembered. `choices`: the only values, `words`: their names; `least`, `most`: the range.

    `label`, `help`, `words` are English, marked for translation; empty for what no person chooses. `unit`: of a number,
    "%". `font`: the value is a family of fixed pitch, "" for the program's own choice. `path`: of a file, "" for none.
    """

    key: str
    default: T
    label: str = ""
    help: str = ""
    choices: tuple[T, ...] = ()
    least: int | None = None
    most: int | None = None
    words: tuple[str, ...] = ()
    unit: str = ""
    font: bool = False
    path: bool = False

    @property
    def section(self) -> str:
        """What it belongs to: a key of SECTIONS."""
        return self.key.partition("/")[0]

    def checked(self, value: object) -> T:
        """The value, cut to the range; the default for what the setting cannot hold."""
        kept = converted(value, self.default)
        if self.choices and kept not in self.choices:
            return self.default
        if isinstance(kept, int) and not isinstance(kept, bool) and self.least is not None and self.most is not None:
            return type(self.default)(min(max(kept, self.least), self.most))
        return kept


def converted(value: object, default: T) -> T:
    """A value out of a settings file, where all is text, as the type of the default."""
    kind = type(default)
    if isinstance(value, QByteArray):
        value = value.data()
    if kind is bool and isinstance(value, str):
        return kind(value.lower() == "true")
    if kind is int and isinstance(value, str) and value.lstrip("-").isdecimal():
        return kind(int(value))
    return kind(value) if type(value) is kind else default


def parsed(text: str | bytes) -> Any:
    """What was kept as JSON; None where it is none: somebody else may have written it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
