"""Heads of the account of a file: what bytes are, and one sentence on each."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

SPACE: Final[dict[str, tuple[str, str]]] = {
    "tensors": (
        QT_TRANSLATE_NOOP("wording", "Tensors"),
        QT_TRANSLATE_NOOP("wording", "Elements that one tensor uses."),
    ),
    "shared": (
        QT_TRANSLATE_NOOP("wording", "Shared by tensors"),
        QT_TRANSLATE_NOOP("wording", "Elements that several tensors use. They stand in the file once."),
    ),
    "wasted": (
        QT_TRANSLATE_NOOP("wording", "Stored, in no tensor"),
        QT_TRANSLATE_NOOP(
            "wording", "A tensor that is a slice keeps its whole storage. A compact export leaves it out."
        ),
    ),
    "unreferenced": (
        QT_TRANSLATE_NOOP("wording", "Storages of no tensor"),
        QT_TRANSLATE_NOOP("wording", "Stored values that no object of the file refers to."),
    ),
    "source": (
        QT_TRANSLATE_NOOP("wording", "Class source"),
        QT_TRANSLATE_NOOP("wording", "The text of classes that the file keeps."),
    ),
    "opcodes": (
        QT_TRANSLATE_NOOP("wording", "Opcodes"),
        QT_TRANSLATE_NOOP("wording", "Pickles: the names, shapes and values of the object."),
    ),
    "headers": (
        QT_TRANSLATE_NOOP("wording", "Headers"),
        QT_TRANSLATE_NOOP("wording", "What the container needs to find its parts."),
    ),
    "other": (
        QT_TRANSLATE_NOOP("wording", "Other records"),
        QT_TRANSLATE_NOOP("wording", "Records that hold no tensors: code, versions, files inside the file."),
    ),
    "padding": (
        QT_TRANSLATE_NOOP("wording", "Padding"),
        QT_TRANSLATE_NOOP("wording", "Bytes that only move what follows to a round offset."),
    ),
    "gap": (
        QT_TRANSLATE_NOOP("wording", "Gaps"),
        QT_TRANSLATE_NOOP("wording", "Bytes between the parts that belong to none of them."),
    ),
    "trailing": (
        QT_TRANSLATE_NOOP("wording", "Before the start, after the end"),
        QT_TRANSLATE_NOOP("wording", "Bytes outside of what the format takes."),
    ),
    "unknown": (
        QT_TRANSLATE_NOOP("wording", "Unknown"),
        QT_TRANSLATE_NOOP("wording", "Bytes that were not understood."),
    ),
}

MISSING: Final = (
    QT_TRANSLATE_NOOP("wording", "Missing"),
    QT_TRANSLATE_NOOP("wording", "Bytes of tensors that are declared and not in the file. They take no room in it."),
)
"""The same of what is not in the file."""

WASTE: Final[dict[str, str]] = {
    "none": QT_TRANSLATE_NOOP("wording", "Every stored element is used by a tensor."),
    "wasted": QT_TRANSLATE_NOOP(
        "wording",
        "{waste} of {size} stored bytes are used by no tensor.",
    ),
    "compact": QT_TRANSLATE_NOOP("wording", "A compact state_dict of all tensors takes about {compact}."),
    "missing": QT_TRANSLATE_NOOP("wording", "{missing} bytes of tensors are declared and not in the file."),
    "saved": QT_TRANSLATE_NOOP("wording", "Sharing saves {saved} bytes."),
    "about": QT_TRANSLATE_NOOP("wording", "One tensor lies in very many pieces; what is between them counts as used."),
}
"""Sentences on waste, beside the map."""
