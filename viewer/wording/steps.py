"""What is being done, for the line beside a progress bar: one entry a code that core gives to `Progress.step`.

Each has the work in words, and how its units are counted where the number in all is not known.
"""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

STEPS: Final[dict[str, tuple[str, str]]] = {
    "archive": (QT_TRANSLATE_NOOP("wording", "Reading the archive"), QT_TRANSLATE_NOOP("wording", "{done} records")),
    "branches": (QT_TRANSLATE_NOOP("wording", "Sorting names"), QT_TRANSLATE_NOOP("wording", "{done} tensors")),
    "checks": (QT_TRANSLATE_NOOP("wording", "Checking objects"), QT_TRANSLATE_NOOP("wording", "{done} objects")),
    "checksums": (
        QT_TRANSLATE_NOOP("wording", "Checking checksums"),
        QT_TRANSLATE_NOOP("wording", "{done} bytes"),
    ),
    "comparing": (QT_TRANSLATE_NOOP("wording", "Comparing"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "everything": (QT_TRANSLATE_NOOP("wording", "Searching everything"), QT_TRANSLATE_NOOP("wording", "{done} hits")),
    "export": (QT_TRANSLATE_NOOP("wording", "Writing"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "finding": (QT_TRANSLATE_NOOP("wording", "Looking for pickles"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "hashing": (QT_TRANSLATE_NOOP("wording", "Hashing the file"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "held": (
        QT_TRANSLATE_NOOP("wording", "Looking for files in values"),
        QT_TRANSLATE_NOOP("wording", "{done} values"),
    ),
    "health": (QT_TRANSLATE_NOOP("wording", "Scanning values"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "imports": (QT_TRANSLATE_NOOP("wording", "Looking at imports"), QT_TRANSLATE_NOOP("wording", "{done} pickles")),
    "inflate": (QT_TRANSLATE_NOOP("wording", "Unpacking"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "listing": (QT_TRANSLATE_NOOP("wording", "Making the listing"), QT_TRANSLATE_NOOP("wording", "{done} lines")),
    "losses": (QT_TRANSLATE_NOOP("wording", "Counting numbers"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "objects": (QT_TRANSLATE_NOOP("wording", "Reading objects"), QT_TRANSLATE_NOOP("wording", "{done} values")),
    "opcodes": (QT_TRANSLATE_NOOP("wording", "Reading opcodes"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "opening": (QT_TRANSLATE_NOOP("wording", "Reading the file"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "planning": (QT_TRANSLATE_NOOP("wording", "Planning"), QT_TRANSLATE_NOOP("wording", "{done} tensors")),
    "rows": (QT_TRANSLATE_NOOP("wording", "Listing tensors"), QT_TRANSLATE_NOOP("wording", "{done} tensors")),
    "searching": (QT_TRANSLATE_NOOP("wording", "Searching"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "set": (QT_TRANSLATE_NOOP("wording", "Reading files"), QT_TRANSLATE_NOOP("wording", "{done} files")),
    "sorting": (QT_TRANSLATE_NOOP("wording", "Sorting"), QT_TRANSLATE_NOOP("wording", "{done} rows")),
    "sources": (QT_TRANSLATE_NOOP("wording", "Reading sources"), QT_TRANSLATE_NOOP("wording", "{done} modules")),
    "space": (QT_TRANSLATE_NOOP("wording", "Counting bytes"), QT_TRANSLATE_NOOP("wording", "{done} tensors")),
    "statistics": (QT_TRANSLATE_NOOP("wording", "Reading values"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "storages": (QT_TRANSLATE_NOOP("wording", "Reading storages"), QT_TRANSLATE_NOOP("wording", "{done} storages")),
    "tensor": (QT_TRANSLATE_NOOP("wording", "Reading values"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "torch": (QT_TRANSLATE_NOOP("wording", "Asking torch"), QT_TRANSLATE_NOOP("wording", "{done} answers")),
    "versions": (QT_TRANSLATE_NOOP("wording", "Looking at versions"), QT_TRANSLATE_NOOP("wording", "{done} files")),
    "verify": (QT_TRANSLATE_NOOP("wording", "Verifying"), QT_TRANSLATE_NOOP("wording", "{done} bytes")),
    "verify-files": (QT_TRANSLATE_NOOP("wording", "Verifying"), QT_TRANSLATE_NOOP("wording", "{done} files")),
}

IN_BYTES: Final = frozenset({"comparing", "export", "hashing", "health", "inflate", "losses", "searching", "verify"})
"""Steps of which the bytes are told, and how many of them in a second; of the others their share."""

PACE: Final[dict[str, str]] = {
    "of": QT_TRANSLATE_NOOP("wording", "{done} of {total}"),
    "percent": QT_TRANSLATE_NOOP("wording", "{percent} %"),
    "rate": QT_TRANSLATE_NOOP("wording", "{rate}/s"),
    "seconds": QT_TRANSLATE_NOOP("wording", "{left} s left"),
    "minutes": QT_TRANSLATE_NOOP("wording", "{left} min left"),
    "hours": QT_TRANSLATE_NOOP("wording", "{left} h left"),
}
"""How far work is; parts of one line."""
