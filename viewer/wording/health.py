"""What the scan of values finds: a title for each finding, how bad it is, and one sentence on what it means."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

HEALTH: Final[dict[str, tuple[str, str, str]]] = {
    "nan": (
        QT_TRANSLATE_NOOP("wording", "NaN"),
        "error",
        QT_TRANSLATE_NOOP("wording", "Elements that are no number: {count}. The first is {first}."),
    ),
    "inf": (
        QT_TRANSLATE_NOOP("wording", "Infinite"),
        "error",
        QT_TRANSLATE_NOOP("wording", "Elements that are infinite: {count}. The first is {first}."),
    ),
    "negative": (
        QT_TRANSLATE_NOOP("wording", "Negative variance"),
        "error",
        QT_TRANSLATE_NOOP("wording", "A variance is {value}. It is never below 0 in a sound model."),
    ),
    "zero": (
        QT_TRANSLATE_NOOP("wording", "All zero"),
        "warning",
        QT_TRANSLATE_NOOP("wording", "All {count} elements are 0."),
    ),
    "constant": (
        QT_TRANSLATE_NOOP("wording", "Constant"),
        "note",
        QT_TRANSLATE_NOOP("wording", "All {count} elements are {value}."),
    ),
    "denormal": (
        QT_TRANSLATE_NOOP("wording", "Denormal"),
        "note",
        QT_TRANSLATE_NOOP(
            "wording", "Elements so small that they lose digits: {count}. Some machines are slow with them."
        ),
    ),
    "identical": (
        QT_TRANSLATE_NOOP("wording", "Identical"),
        "note",
        QT_TRANSLATE_NOOP("wording", "The same values are stored again as {others}."),
    ),
    "shared": (
        QT_TRANSLATE_NOOP("wording", "Shared"),
        "note",
        QT_TRANSLATE_NOOP("wording", "The same bytes have another name: {others}."),
    ),
    "unread": (
        QT_TRANSLATE_NOOP("wording", "Not read"),
        "warning",
        QT_TRANSLATE_NOOP("wording", "Bytes are missing or cannot be read: its values were not looked at."),
    ),
}
"""By code: title, severity, sentence. `first`: an index, `value`: a number, `others`: names."""

SCANNED: Final[dict[str, str]] = {
    "good": QT_TRANSLATE_NOOP("wording", "{count} tensors were scanned; nothing was found."),
    "found": QT_TRANSLATE_NOOP("wording", "{count} tensors were scanned; findings: {found}."),
    "part": QT_TRANSLATE_NOOP(
        "wording", "{count} of {total} tensors were scanned before it was stopped; findings: {found}."
    ),
    "running": QT_TRANSLATE_NOOP("wording", "{count} of {total} tensors are scanned; findings: {found}."),
}
"""How far the scan came."""
