"""Heads of the tables of plain values and optimizers."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

COLUMNS: Final[dict[str, str]] = {
    "path": QT_TRANSLATE_NOOP("wording", "Path"),
    "type": QT_TRANSLATE_NOOP("wording", "Type"),
    "value": QT_TRANSLATE_NOOP("wording", "Value"),
    "optimizer": QT_TRANSLATE_NOOP("wording", "Optimizer"),
    "group": QT_TRANSLATE_NOOP("wording", "Group"),
    "parameters": QT_TRANSLATE_NOOP("wording", "Parameters"),
    "parameter": QT_TRANSLATE_NOOP("wording", "Parameter"),
    "found": QT_TRANSLATE_NOOP("wording", "Name found by"),
}
"""Columns that are the program's; all others are keys of the file."""

FOUND_BY: Final[dict[str, str]] = {
    "names": QT_TRANSLATE_NOOP("wording", "the file"),
    "identity": QT_TRANSLATE_NOOP("wording", "the same tensor"),
    "order": QT_TRANSLATE_NOOP("wording", "order"),
    "shape": QT_TRANSLATE_NOOP("wording", "shape"),
    "": QT_TRANSLATE_NOOP("wording", "no name fits"),
}
"""How the name of a parameter was found: a code of `objects.optimizer_names`."""
