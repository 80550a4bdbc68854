"""What the widgets of a screen were given by their code: fonts, icons, gaps, least and most sizes, rows and columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QFormLayout,
    QGridLayout,
    QHeaderView,
    QLabel,
    QLayout,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QToolBar,
    QTreeView,
    QWidget,
)

from viewer.ui.theme import Theme
from viewer.ui.widgets.byte_counts import ByteCounts
from viewer.ui.widgets.pane_header import PaneTabs

OF_QT: Final = (
    "qt_scrollarea_hcontainer",
    "qt_scrollarea_vcontainer",
    "qt_dock",
    "qt_tableview",
    "qt_splithandle",
    "qt_toolbar",
    "qt_menubar",
)
"""Parts of Qt's widgets that show no text: they are dressed when they are first shown."""
PLACED: Final = (QDockWidget, QToolBar, PaneTabs, ByteCounts)
"""Their least and most sizes follow from the room that there is, and from what is folded."""
Facts = dict[str, dict[str, Any]]
"""By the place in the tree of widgets, then by the name of the fact."""


def measure(screen: QWidget) -> Facts:
    """The facts of all that lies in a window, hidden parts too; those in windows of their own are left out."""
    return {place: facts_of(one) for place, one in below(screen, type(screen).__name__)}


def below(widget: QWidget, place: str) -> Iterator[tuple[str, QObject]]:
    yield place, widget
    layout = widget.layout()
    if layout is not None:
        yield from layouts(layout, f"{place} layout")
    seen = Counter[str]()
    for child in widget.children():
        kind = child.objectName() or type(child).__name__
        seen[kind] += 1
        there = f"{place} > {kind}{seen[kind] if seen[kind] > 1 else ''}"
        if isinstance(child, QWidget):
            if not child.isWindow() and not kind.startswith(OF_QT):
                yield from below(child, there)
        elif any(isinstance(value, Theme) for value in getattr(child, "__dict__", {}).values()):
            yield there, child


def layouts(layout: QLayout, place: str) -> Iterator[tuple[str, QObject]]:
    """A layout and those within it. Items are not asked: PySide mixes them up with what comes to lie where they lay."""
    yield place, layout
    for at, inner in enumerate(layout.findChildren(QLayout, options=Qt.FindChildOption.FindDirectChildrenOnly)):
        yield from layouts(inner, f"{place} {at}")


def facts_of(one: QObject) -> dict[str, Any]:
    """What its code gave it."""
    found: dict[str, Any] = {
        f"scale of {name}": value.scale
        for name, value in getattr(one, "__dict__", {}).items()
        if isinstance(value, Theme)
    }
    if isinstance(one, QWidget):
        found |= facts_of_widget(one)
    if isinstance(one, QLayout):
        margins = one.contentsMargins()
        found["margins"] = (margins.left(), margins.top(), margins.right(), margins.bottom())
        found["gap"] = (
            (one.horizontalSpacing(), one.verticalSpacing())
            if isinstance(one, QGridLayout | QFormLayout)
            else one.spacing()
        )
    return found


def facts_of_widget(one: QWidget) -> dict[str, Any]:
    margins = one.contentsMargins()
    found: dict[str, Any] = {
        "font": (one.font().family(), one.font().pixelSize(), one.font().bold()),
        "margins": (margins.left(), margins.top(), margins.right(), margins.bottom()),
        "sheet": one.styleSheet(),
    }
    if not isinstance(one, PLACED):
        found["least"], found["most"] = one.minimumSize().toTuple(), one.maximumSize().toTuple()
    if isinstance(one, QAbstractButton | QTabBar | QToolBar):
        found["icon"] = one.iconSize().toTuple()
    if isinstance(one, QLabel):
        found["margin"] = one.margin()
        found["picture"] = one.pixmap().deviceIndependentSize().toTuple()
    if isinstance(one, QPlainTextEdit | QTextEdit):
        found["paper"] = one.document().documentMargin()
    if isinstance(one, QTreeView):
        found["indentation"] = one.indentation()
    if isinstance(one, QHeaderView):
        found["section"] = (
            one.defaultSectionSize() if one.orientation() == Qt.Orientation.Vertical else one.minimumSectionSize()
        )
    return found
