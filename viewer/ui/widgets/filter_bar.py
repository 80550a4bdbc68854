"""The filter over rows: a field, and how many rows it left."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QStyle, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.field_icons import clearable, fit_icons
from viewer.ui.widgets.labels import IconButton
from viewer.ui.words import tip

_ROOM: Final = (QEvent.Type.Resize, QEvent.Type.FontChange)
"""What leaves the example of a field more room or less."""
_ON: Final = (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FilterBar(QWidget):
    """Enter and the arrow down go on to the rows. Esc empties the field, then goes to the rows, too.

    left: the keyboard goes to the rows.
        Signal()
    help_asked: what can be typed is to be explained; once `offer_help` was called.
        Signal()
    """

    left = Signal()
    help_asked = Signal()

    def __init__(self, theme: Theme, name: str, example: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self.field.setProperty("filter", True)
        clearable(self.field)
        self.field.setPlaceholderText(example)
        self.field.setAccessibleName(name)
        self._lens = self.field.addAction(icon(theme, "filter"), QLineEdit.ActionPosition.LeadingPosition)
        self.field.installEventFilter(self)
        self.found = QLabel(self)
        self.found.setProperty("muted", True)
        self.found.hide()
        self._faulty = False
        self._told = ""
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.field, 1)
        self._row.addWidget(self.found)
        self.help = IconButton(theme, "info", self.tr("What can be typed here"), self)
        self.help.clicked.connect(self.help_asked)
        self.help.hide()
        self._row.addWidget(self.help)
        self.set_theme(theme)

    def offer_help(self) -> None:
        """Show the button that explains what can be typed."""
        self.help.show()

    def tell(self, words: str, *, error: bool = False) -> None:
        """How many rows there are, or what is being done; or what is wrong with what was typed."""
        self.found.setText(words)
        self.found.setVisible(bool(words))
        if error is not self._faulty:
            self._faulty = error
            for widget in (self.field, self.found):
                widget.setProperty("fault", error)
                widget.setProperty("muted", not error and widget is self.found)
                widget.style().unpolish(widget)
                widget.style().polish(widget)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._lens.setIcon(icon(theme, "filter"))
        fit_icons(self.field, theme)
        self.help.set_theme(theme)
        self.field.setFont(theme.mono())
        self.found.setFont(theme.text("small"))
        self._row.setContentsMargins(theme.px(8), theme.px(4), theme.px(8), theme.px(4))
        self._row.setSpacing(theme.px(8))

    def _tell_example(self) -> None:
        """The example under the mouse, where it has no room in the field and nothing else is told there."""
        if self.field.toolTip() != self._told:
            return
        example = self.field.placeholderText()
        room = self.field.contentsRect().width() - 2 * self.field.style().pixelMetric(
            QStyle.PixelMetric.PM_LineEditIconSize, None, self.field
        )
        is_cut = self.field.fontMetrics().horizontalAdvance(example) > room
        self._told = tip(example) if is_cut else ""
        self.field.setToolTip(self._told)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() in _ROOM:
            self._tell_example()
        if watched is not self.field or not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
            return True
        if event.key() == Qt.Key.Key_Escape or event.key() in _ON:
            self.left.emit()
            return True
        return False
