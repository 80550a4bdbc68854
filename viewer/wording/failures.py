"""Sentences of errors: what could not be done, why, and what to do."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

FAILURES: Final[dict[str, str]] = {
    "cancelled": QT_TRANSLATE_NOOP("wording", "Stopped before the end. Nothing was written."),
    "file-missing": QT_TRANSLATE_NOOP("wording", "{path}: there is no such file."),
    "file-is-folder": QT_TRANSLATE_NOOP("wording", "{path} is a folder. Choose a file in it."),
    "file-not-permitted": QT_TRANSLATE_NOOP(
        "wording", "{path}: reading is not permitted. Ask its owner for the right to read it."
    ),
    "file-not-regular": QT_TRANSLATE_NOOP(
        "wording", "{path} is a device or a pipe, not a file. Copy its content to a file first."
    ),
    "file-unreadable": QT_TRANSLATE_NOOP("wording", "{path} could not be read: {reason}."),
    "inflated-too-large": QT_TRANSLATE_NOOP(
        "wording", "{name} would unpack to {size} bytes or more; {limit} are allowed. Allow more in the preferences."
    ),
    "record-size-changed": QT_TRANSLATE_NOOP(
        "wording", "{name} gave {given} of {size} bytes. The source was changed while it was read; open it again."
    ),
    "temporary-file-failed": QT_TRANSLATE_NOOP("wording", "A temporary file in {folder} failed: {reason}."),
}
