"""The titles of the commands that go to a bookmark: those with a key, in the order of their bytes."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

BOOKMARKS: Final = (
    QT_TRANSLATE_NOOP("actions", "Bookmark 1"),
    QT_TRANSLATE_NOOP("actions", "Bookmark 2"),
    QT_TRANSLATE_NOOP("actions", "Bookmark 3"),
    QT_TRANSLATE_NOOP("actions", "Bookmark 4"),
    QT_TRANSLATE_NOOP("actions", "Bookmark 5"),
    QT_TRANSLATE_NOOP("actions", "Bookmark 6"),
    QT_TRANSLATE_NOOP("actions", "Bookmark 7"),
    QT_TRANSLATE_NOOP("actions", "Bookmark 8"),
    QT_TRANSLATE_NOOP("actions", "Bookmark 9"),
)
