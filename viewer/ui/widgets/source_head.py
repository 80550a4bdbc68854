"""Above a text: the class, its number among all, its different texts, its place in the file, and where it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.problem import Severity
from viewer.core.summary.classes import Classes
from viewer.ui.models.outside_texts import names_of
from viewer.ui.theme import Theme
from viewer.ui.widgets.class_lists import ClassList
from viewer.ui.widgets.pick_list import DropDown
from viewer.ui.widgets.used_line import UsedLine
from viewer.ui.words import count, tip

LEAST_BOX: Final = 130
USUAL_BOX: Final = 320
ARROW: Final = 76
INSET: Final = 4
LEAST: Final = 180


class ClassBox(QComboBox):
    """Shows the name of a class; the list that drops down is another's.

    wanted: the list should drop down.
        Signal()
    stepped: the next class (1) or the one before (-1).
        Signal(step: int)
    """

    wanted = Signal()
    stepped = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._name = ""
        self.addItem("")
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_name(self, name: str) -> None:
        """Show a name; of one that is too long the start goes."""
        self._name = name
        self._fit()
        self.updateGeometry()
        self.setToolTip(tip(name))

    @property
    def name(self) -> str:
        """The whole name."""
        return self._name

    @override
    def showPopup(self) -> None:
        self.wanted.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up) and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    @override
    def sizeHint(self) -> QSize:
        wanted = self.fontMetrics().horizontalAdvance(self._name) + self.theme.px(ARROW)
        width = max(self.theme.px(LEAST_BOX), min(wanted, self.theme.px(USUAL_BOX)))
        return QSize(width, super().sizeHint().height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(LEAST_BOX), super().minimumSizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        self.setItemText(0, self.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideLeft, room - INSET))


class SourceHead(QWidget):
    """Two lines. `worst`: the classes, by name, on whose objects something was found; marked in the list.

    class_chosen: a class was chosen by its row.
        Signal(row: int)
    text_chosen: another of the texts of the class.
        Signal(number: int)
    """

    class_chosen = Signal(object)
    text_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._classes = Classes()
        self._row = -1
        self.box = ClassBox(theme, self)
        self.box.setAccessibleName(self.tr("Class"))
        self.count = QLabel(self)
        self.texts = QComboBox(self)
        self.texts.setAccessibleName(self.tr("Texts of this class"))
        self.place = QLabel(self)
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.used = UsedLine(theme, self)
        self._counted = False
        self.worst: Mapping[str, Severity] = {}
        self.down: DropDown | None = None
        self._line = QHBoxLayout()
        self._line.addWidget(self.box)
        for widget in (self.count, self.texts):
            self._line.addWidget(widget)
        self._line.addStretch(1)
        self._line.addWidget(self.place)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._line)
        column.addWidget(self.used)
        self.box.wanted.connect(self.drop)
        self.box.stepped.connect(self._step)
        self.texts.activated.connect(lambda number: self.text_chosen.emit(number))
        self.set_theme(theme)

    def set_classes(self, classes: Classes, *, counted: bool) -> None:
        """The classes to choose from; `counted`: their objects are known."""
        self._classes, self._counted = classes, counted
        if self.down is not None:
            self.down.close()

    def show_class(self, row: int, text: int, place: str, *, counted: bool) -> None:
        """Tell about a class, one of its texts, and where that stands."""
        found = self._classes.rows[row]
        self._row = row
        self.box.set_name(found.name)
        words = self.tr("class {number} of {count}")
        self.count.setText(words.format(number=count(row + 1), count=count(len(self._classes.rows))))
        self.texts.clear()
        self.texts.addItems(names_of(found.texts))
        self.texts.setCurrentIndex(text)
        self.place.setText(place)
        self.used.set_places(found.places, known=counted)
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        muted = f"color: {theme.color('muted').name()}"
        for label in (self.count, self.place):
            label.setStyleSheet(muted)
        self.box.theme = theme
        self.box.setFont(theme.mono())
        self.place.setFont(theme.mono("small"))
        self._line.setContentsMargins(theme.px(12), theme.px(6), theme.px(12), theme.px(4))
        self._line.setSpacing(theme.px(8))
        self.used.set_theme(theme)
        if self.down is not None:
            self.down.inner.set_theme(theme)
        self._fit()

    def drop(self) -> None:
        """Open the list of all classes, which is made when it is wanted first."""
        if self.down is None:
            self.down = DropDown(ClassList(self.theme), self)
            self.down.inner.chosen.connect(lambda row: self.class_chosen.emit(row))
        if isinstance(self.down.inner, ClassList):
            self.down.inner.set_classes(self._classes, counted=self._counted)
            self.down.inner.set_worst(self.worst)
        self.down.drop_from(self.box, self._row)

    def _step(self, step: int) -> None:
        row = self._row + step
        if 0 <= row < len(self._classes.rows):
            self.class_chosen.emit(row)

    def _fit(self) -> None:
        """What has no room goes, never half of it: the place first, then the number."""
        self.texts.setVisible(self.texts.count() > 1)
        left = self.width() - self.theme.px(24 + LEAST_BOX)
        if self.texts.count() > 1:
            left -= self.texts.sizeHint().width() + self.theme.px(8)
        for label in (self.count, self.place):
            needed = label.sizeHint().width() + self.theme.px(8)
            label.setVisible(bool(label.text()) and needed <= left)
            left -= needed

    @override
    def minimumSizeHint(self) -> QSize:
        # What does not fit is left out, so the words of today set no limit.
        return QSize(self.theme.px(LEAST), super().minimumSizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
