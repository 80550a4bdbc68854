"""Icons in fields as large as the text: Qt gives them 16 px whatever the size of the text is."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLineEdit, QProxyStyle, QStyle, QStyleOption, QWidget
from typing_extensions import override

from viewer.ui.theme import STYLE, Theme

ICON: Final = 16
SIDE: Final = "icon side"
CLEAR: Final = "_q_qlineeditclearaction"
"""How Qt names the sign of a field that empties it."""


class FieldStyle(QProxyStyle):
    """The style of fields with icons of one size."""

    def __init__(self, side: int) -> None:
        super().__init__(STYLE)
        self._side = side

    @override
    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric == QStyle.PixelMetric.PM_LineEditIconSize:
            return self._side
        return super().pixelMetric(metric, option, widget)


def clearable(field: QLineEdit) -> None:
    """Give a field the sign that empties it, with words for those who hear it."""
    field.setClearButtonEnabled(True)
    name_icons(field)


def name_icons(field: QLineEdit) -> None:
    """Give the signs in a field that have no words yet those of what they do; a lens only tells what the field is."""
    for action in field.findChildren(QAction, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if action.objectName() == CLEAR:
            action.setText(QCoreApplication.translate("fields", "Empty the field"))
        elif not action.text() and field.accessibleName():
            action.setText(field.accessibleName())


def fit_icons(field: QLineEdit, theme: Theme) -> None:
    """Give the icons in a field the size that icons have beside text of this theme."""
    name_icons(field)
    side = theme.px(ICON)
    program = QApplication.instance()
    # Most have text of the usual size, and need no style of their own.
    if program is None or (field.property(SIDE) or ICON) == side:
        return
    name = f"fields of {side}"
    style = program.findChild(FieldStyle, name)
    if style is None:
        style = FieldStyle(side)
        style.setObjectName(name)
        style.setParent(program)
    field.setProperty(SIDE, side)
    field.setStyle(style)
