"""The menus by name, `View/Theme` for one inside another, and their titles, which a translator finds here."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

MENUS: Final = {
    "File": QT_TRANSLATE_NOOP("actions", "&File"),
    "Edit": QT_TRANSLATE_NOOP("actions", "&Edit"),
    "View": QT_TRANSLATE_NOOP("actions", "&View"),
    "View/Layout": QT_TRANSLATE_NOOP("actions", "Layout"),
    "View/Text size": QT_TRANSLATE_NOOP("actions", "Text size"),
    "View/Theme": QT_TRANSLATE_NOOP("actions", "Theme"),
    "Go": QT_TRANSLATE_NOOP("actions", "&Go"),
    "Go/Bookmark": QT_TRANSLATE_NOOP("actions", "Bookmark"),
    "Tensor": QT_TRANSLATE_NOOP("actions", "&Tensor"),
    "Tools": QT_TRANSLATE_NOOP("actions", "T&ools"),
    "Window": QT_TRANSLATE_NOOP("actions", "&Window"),
    "Help": QT_TRANSLATE_NOOP("actions", "&Help"),
}
