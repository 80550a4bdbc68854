"""Icons in fields as large as the text: Qt gives them 16 px whatever the size of the text is."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QApplication, QLineEdit, QProxyStyle, QStyle, QStyleOption, QWidget
from typing_extensions import override

from viewer.ui.theme import STYLE, Theme

ICON: Final = 16
SIDE: Final = "icon side"


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


def fit_icons(field: QLineEdit, theme: Theme) -> None:
    """Give the icons in a field the size that icons have beside text of this theme."""
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
