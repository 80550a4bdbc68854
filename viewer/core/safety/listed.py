"""The adapter to picklescan's lists of names. Its lists only: its reader of pickles is never asked.

They are private names of that package, so their shape is checked before use. A list of another shape lists nothing:
a name is then judged by this project's own rules, and is unknown where they do not know it.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from typing import Final

MODULE: Final = "picklescan.scanner"
UNSAFE: Final = "_unsafe_globals"
SAFE: Final = "_safe_globals"
WHOLE: Final = "*"
DEEPEST: Final = 8
"""Parts of a module's name that are looked at; the longest that is listed as a whole has four."""

Names = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Lists:
    """`unsafe`, `safe`: names by module; None for a module that is listed as a whole."""

    unsafe: Mapping[str, Names] = field(default_factory=dict)
    safe: Mapping[str, Names] = field(default_factory=dict)

    def listed_module(self, module: str) -> str:
        """The module itself or the one above it that is listed as a whole among the unsafe ones; "" where none is."""
        parts = module.split(".", DEEPEST)[:DEEPEST]
        heads = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
        return next((head for head in heads if self.unsafe.get(head, frozenset()) is None), "")

    def is_unsafe(self, module: str, name: str) -> bool:
        """True for a name that is listed as unsafe, by itself or with its module."""
        names = self.unsafe.get(module)
        return (names is not None and name in names) or bool(self.listed_module(module))

    def is_safe(self, module: str, name: str) -> bool:
        """True for a name that is listed as harmless by itself."""
        names = self.safe.get(module)
        return names is not None and name in names


@cache
def lists() -> Lists:
    """Both lists, read once; empty where the package is not there or its lists have another shape."""
    try:
        scanner = importlib.import_module(MODULE)
    except ImportError:
        return Lists()
    return Lists(readable(getattr(scanner, UNSAFE, None)), readable(getattr(scanner, SAFE, None)))


@cache
def picklescan_version() -> str:
    """The version of the package whose lists these are; "" where it is not there."""
    try:
        return metadata.version(MODULE.partition(".")[0])
    except metadata.PackageNotFoundError:
        return ""


def readable(table: object) -> dict[str, Names]:
    """A table in our shape: module -> names. {} where it is not a dict of texts to a text or a set of texts."""
    if not isinstance(table, dict):
        return {}
    found: dict[str, Names] = {}
    for module, names in table.items():
        if not isinstance(module, str):
            return {}
        if isinstance(names, str):
            # One text stands for one name: its own check, a part of that text, would also find "l" in "load".
            found[module] = None if names == WHOLE else frozenset({names})
        elif isinstance(names, set | frozenset | list | tuple) and all(isinstance(name, str) for name in names):
            found[module] = frozenset(names)
        else:
            return {}
    return found
