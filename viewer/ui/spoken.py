"""What is spoken by a screen reader when it happens, and what painted widgets are to it.

Places, numbers and states that no focus comes to are said by `speak`; a widget that paints what it shows is told by
`tell_as` what it is: a chart, a picture, a table. Its description is then the place that the keyboard is at.
"""

from __future__ import annotations

import re
import weakref
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QScrollArea, QWidget
from typing_extensions import override

DRAWN: Final = re.compile("[\u200b\u2066-\u2069]")
"""Marks that only guide how a text is drawn: where lines may end, which way it runs."""


def speak(widget: QWidget, text: str) -> None:
    """Make the sentence the widget's description, and have it spoken where a screen reader runs."""
    words = DRAWN.sub("", text)
    widget.setAccessibleDescription(words)
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


def with_place(text: str, row: int, rows: int) -> str:
    """What a row of a painted table or list says, and which it is of how many, as rows of models tell. From 0 on."""
    place = QCoreApplication.translate("RowsModel", "Row {row} of {count}").format(row=row + 1, count=rows)
    return f"{text}. {place}" if text else ""


def tell_as(widget: QWidget, role: QAccessible.Role) -> None:
    """From now on the widget is this to a screen reader; its value is its description."""
    _install()
    _ROLES[widget] = role


def hush(kind: str) -> None:
    """From now on a screen reader passes over widgets of this class of Qt: they stand somewhere and show nothing."""
    _install()
    _HUSHED.add(kind)


def _install() -> None:
    if not _INSTALLED:
        QAccessible.installFactory(_made)
        _INSTALLED.append(_made)


class _Painted(QAccessibleWidget):
    """Qt keeps it as long as the widget lives, and a while longer: it holds none."""

    @override
    def text(self, t: QAccessible.Text) -> str:
        return super().text(QAccessible.Text.Description if t == QAccessible.Text.Value else t)


class _Hushed(QAccessibleWidget):
    """Neither seen nor reached, and without parts."""

    @override
    def state(self) -> QAccessible.State:
        state = super().state()
        state.invisible = True
        state.focusable = state.focused = False
        return state

    @override
    def childCount(self) -> int:
        return 0

    @override
    def child(self, index: int) -> QAccessibleInterface:
        # Qt tells of changes of a part by its number, and warns where there is none to tell of.
        return QAccessible.queryAccessibleInterface(self.object())


_HUSHED: Final[set[str]] = set()
_ROLES: Final[weakref.WeakKeyDictionary[QObject, QAccessible.Role]] = weakref.WeakKeyDictionary()
_INSTALLED: Final[list[object]] = []


def _is_ground(widget: QWidget) -> bool:
    """True for what an area is painted on: the area itself is told, and this would be another one without a name.

    Not in an area that scrolls widgets, which lie on it.
    """
    area = widget.parentWidget()
    return isinstance(area, QAbstractScrollArea) and not isinstance(area, QScrollArea) and area.viewport() is widget


def _made(key: str, thing: QObject) -> QAccessibleInterface | None:
    """What Qt asks for each widget that it has no words for yet."""
    if isinstance(thing, QWidget) and (key in _HUSHED or _is_ground(thing)):
        return _Hushed(thing, QAccessible.Role.Client)
    role = _ROLES.get(thing)
    return _Painted(thing, role) if role is not None and isinstance(thing, QWidget) else None
