"""Fonts for the letters that the program's own fonts lack, in the shapes of the person's language.

Chinese and Japanese share code points that each writes in its own way: a system that is set to neither picks one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QLocale
from PySide6.QtGui import QFontDatabase

CHINESE: Final = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "Microsoft YaHei UI"),
    *("PingFang SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback"),
)
JAPANESE: Final = (
    *("Noto Sans CJK JP", "Noto Sans JP", "Source Han Sans JP", "Source Han Sans", "Yu Gothic UI", "Meiryo UI"),
    *("Hiragino Sans", "IPAexGothic", "IPAPGothic", "TakaoPGothic", "VL PGothic"),
)
FAMILIES: Final = {
    (QLocale.Language.Chinese, QLocale.Script.SimplifiedHanScript): CHINESE,
    (QLocale.Language.Japanese, QLocale.Script.JapaneseScript): JAPANESE,
}


def fallbacks() -> tuple[str, ...]:
    """The family that comes behind the program's own for the language of the window; none where it needs none."""
    spoken = QLocale()
    return _installed(FAMILIES.get((spoken.language(), spoken.script()), ()))


def clear() -> None:
    """Forget which fonts there are."""
    _installed.cache_clear()


@lru_cache(maxsize=8)
def _installed(families: tuple[str, ...]) -> tuple[str, ...]:
    return next(((family,) for family in families if QFontDatabase.hasFamily(family)), ())
