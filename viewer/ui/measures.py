"""Lengths and fonts that widgets are given when they are made, kept so that another text size reaches them at once.

A widget says here what it would else set by itself: `keep_lengths(theme, row.setSpacing, 6)`. That is done now, and
again with each theme that the program takes on later. What a widget sets in its own `set_theme` needs no keeping.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar
from weakref import WeakKeyDictionary

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from viewer.ui.theme import Theme, pixmap

if TYPE_CHECKING:
    from PySide6.QtGui import QFont
    from PySide6.QtWidgets import QLabel

Held = TypeVar("Held", bound=QObject)
Put = Callable[[Any, Theme], object]


class Dressed(Protocol):
    """A widget that takes colours and fonts by itself."""

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""


_KEPT: Final[WeakKeyDictionary[QObject, dict[str, Put]]] = WeakKeyDictionary()
"""What each object was given, by the name of what was set: said again, it takes the place of what was said before."""


def keep(theme: Theme, held: Held, name: str, put: Callable[[Held, Theme], object]) -> None:
    """Do `put(held, theme)` now and with each theme that follows. `put` must not hold `held` itself, or it stays."""
    _KEPT.setdefault(held, {})[name] = put
    put(held, theme)


def keep_lengths(theme: Theme, set_them: Callable[..., object], *lengths: float) -> None:
    """Give a widget or layout lengths by its own method; in pixels beside a system font of 13 px."""
    held, name = _taken_apart(set_them)
    keep(theme, held, name, lambda one, now: getattr(one, name)(*map(now.px, lengths)))


def keep_text(theme: Theme, widget: QWidget, role: str = "text", *, bold: bool | None = None) -> None:
    """Give a widget the font of what the program says."""
    keep(theme, widget, "font", lambda one, now: give_font(one, now.text(role, bold=bold)))


def keep_mono(theme: Theme, widget: QWidget, role: str = "mono", *, bold: bool | None = None) -> None:
    """Give a widget the font of what stands in the file."""
    keep(theme, widget, "font", lambda one, now: give_font(one, now.mono(role, bold=bold)))


def keep_picture(theme: Theme, label: QLabel, name: str, role: str, size: int) -> None:
    """Show an icon in a label, in a role's colour; `size` in pixels beside a system font of 13 px."""

    def put(one: QLabel, now: Theme) -> None:
        one.setPixmap(pixmap(now, name, role, size, one.devicePixelRatioF()))

    keep(theme, label, "picture", put)


def keep_dressed(held: Dressed) -> None:
    """Give a widget that has a `set_theme` each theme that follows, whatever it lies in."""
    assert isinstance(held, QObject)
    _KEPT.setdefault(held, {})["set_theme"] = lambda one, now: one.set_theme(now)


def keep_theme(theme: Theme, held: QObject) -> None:
    """Let the `_theme` of an object be the one that holds, for what it makes later."""
    keep(theme, held, "_theme", lambda one, now: setattr(one, "_theme", now))


def give_font(held: QWidget, font: QFont) -> None:
    """Give a font to a widget, and to what it draws on: under a style sheet Qt does not hand it on to hidden ones."""
    held.setFont(font)
    if isinstance(held, QAbstractScrollArea):
        held.viewport().setFont(font)


def keep_rows(theme: Theme, table: QWidget, rows: int, row: float, beside: float = 0) -> None:
    """Give a table the height of so many rows, and of what stands `beside` them: its titles, its frame."""
    keep(theme, table, "rows", lambda one, now: one.setFixedHeight(now.px(row) * rows + now.px(beside)))


def dress_again(within: QWidget, theme: Theme) -> None:
    """Give fonts once more: Qt takes them back where a widget comes to lie under a style sheet after it got one."""
    for held, puts in list(_KEPT.items()):
        if "font" in puts and isinstance(held, QWidget) and shiboken6.isValid(held) and within.isAncestorOf(held):
            puts["font"](held, theme)


def follow(theme: Theme) -> None:
    """The program took on another theme: give everything that is there its lengths and fonts by it."""
    for held, puts in list(_KEPT.items()):
        if shiboken6.isValid(held):
            for put in list(puts.values()):
                put(held, theme)


def _taken_apart(method: Callable[..., object]) -> tuple[QObject, str]:
    """A bound method as its object and its name: held as it is, it would hold the object."""
    bound: Any = method
    return bound.__self__, bound.__name__
