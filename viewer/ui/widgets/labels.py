"""Small parts of lines and bars: labels and choices that elide, menus, a separating line, a button that is an icon."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QGuiApplication, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionMenuItem,
    QStylePainter,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from viewer.ui.measures import keep_dressed
from viewer.ui.spoken import DRAWN
from viewer.ui.theme import Theme, icon
from viewer.ui.words import left_to_right, tip

INSET: Final = 4
SIDES: Final = 3
"""Pixels that Qt leaves free at both sides of the words of a choice, and one for parts of them."""
_TAB: Final = "\t"
"""Between the words of a command and its keys."""


def lead(label: QLabel) -> None:
    """Have a label begin where the language does, whatever its text is: Qt goes by the first letter."""
    upright = label.alignment() & Qt.AlignmentFlag.AlignVertical_Mask
    side = Qt.AlignmentFlag.AlignRight if label.isRightToLeft() else Qt.AlignmentFlag.AlignLeft
    label.setAlignment(upright | side | Qt.AlignmentFlag.AlignAbsolute)


def lead_lines(field: QPlainTextEdit) -> None:
    """The same for sentences in a field: there Qt has all lines at the left."""
    option = field.document().defaultTextOption()
    side = Qt.AlignmentFlag.AlignRight if field.isRightToLeft() else Qt.AlignmentFlag.AlignLeft
    option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
    field.document().setDefaultTextOption(option)


def drawn_width(metrics: QFontMetrics, text: str) -> int:
    """Pixels of a text with what its letters reach beyond their own room, as the tails of Persian ones do."""
    return max(metrics.horizontalAdvance(text), metrics.boundingRect(text).width())


def hint(widget: QWidget, text: str) -> None:
    """Tell a text that stands in a file under the mouse, and without the markup to those who hear it."""
    widget.setToolTip(tip(text))
    widget.setAccessibleDescription(DRAWN.sub("", text))


def beside_icon(words: str) -> str:
    """The words of a button that has an icon: from right to left Qt leaves no gap between the two."""
    is_turned = QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft
    return f"\N{NO-BREAK SPACE}{words}" if is_turned else words


class ElidedLabel(QLabel):
    """One line of text that is cut with … where there is no room; then the tooltip has all of it."""

    def __init__(self, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        # The style sheet gives the colour to the palette only when a style draws; it is polished by now.
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.setFont(self.font())
        room = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), self._mode, room.width())
        hint(self, self.text() if text != self.text() else "")
        painter.drawText(room, int(self.alignment()), text)
        painter.end()


class Choice(QComboBox):
    """A choice that the wheel passes over: it scrolls the page below the mouse, and changes nothing on its way."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Box(Choice):
    """A choice that is as wide as its words.

    Qt asks for the ink of the words and draws them by their advance: letters that have room round them, as those of
    Chinese and Japanese have, would lose the last one.
    """

    @override
    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self._beside_ink(), 0)

    @override
    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() + QSize(self._beside_ink(), 0)

    def _beside_ink(self) -> int:
        """How much wider the widest words are than the ink of those with the most of it."""
        metrics = self.fontMetrics()
        words = [self.itemText(at) for at in range(self.count())]
        widest = max(map(metrics.horizontalAdvance, words), default=0)
        return max(0, widest + SIDES - max((metrics.boundingRect(each).width() for each in words), default=0))


class ElidedBox(Choice):
    """A choice whose words are cut with … where there is no room; then the tooltip has all of them."""

    def __init__(self, mode: Qt.TextElideMode, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mode = mode
        self.view().setTextElideMode(mode)

    def shown(self) -> str:
        """The words as they are cut."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width() - INSET
        return self.fontMetrics().elidedText(self.currentText(), self._mode, room)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown()
        hint(self, self.currentText() if option.currentText != self.currentText() else "")
        painter = QStylePainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()


class Line(QWidget):
    """A vertical line between the parts of a bar."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.set_theme(theme)
        keep_dressed(self)

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self._theme = theme
        self.setFixedSize(theme.px(17), theme.px(14))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRect(self.width() // 2, 0, 1, self.height()), self._theme.color("border"))
        painter.end()


class IconButton(QToolButton):
    """A button that is only an icon; its words are the tooltip and the accessible name."""

    def __init__(self, theme: Theme, name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._dressed: tuple[Theme, str] | None = None
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_theme(theme)
        keep_dressed(self)

    def set_icon(self, theme: Theme, name: str, words: str) -> None:
        """Show another icon that does something else."""
        self._name = name
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        if self._dressed == (theme, self._name):
            return
        self._dressed = (theme, self._name)
        self.setIcon(icon(theme, self._name))
        self.setIconSize(QSize(theme.px(16), theme.px(16)))
        self.setFixedSize(theme.px(26), theme.px(26))


class Menu(QMenu):
    """A menu whose keys stay from left to right: `Ctrl+,` would be `,+Ctrl` beside words of the other direction.

    Submenus are made by `Menu(title, parent)`, not by `addMenu(title)`, which makes Qt's own.
    """

    @override
    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:
        super().initStyleOption(option, action)
        words, tab, keys = option.text.partition(_TAB)
        if tab and keys:
            option.text = f"{words}{_TAB}{left_to_right(keys)}"
