"""Sentences of Problems: one entry a code, in alphabetical order. Codes are stable, wordings are not."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

PROBLEMS: Final[dict[str, Words]] = {
    "file-empty": Words(
        QT_TRANSLATE_NOOP("wording", "This file is empty"),
        QT_TRANSLATE_NOOP("wording", "It has 0 bytes."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
}
