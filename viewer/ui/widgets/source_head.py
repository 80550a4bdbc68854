"""Above a text: the class, its number among all, its different texts, its place in the file, and where it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.problem import Severity
from viewer.core.summary.classes import Classes
from viewer.ui.models.outside_texts import names_of
from viewer.ui.theme import Theme
from viewer.ui.widgets.class_lists import ClassList
from viewer.ui.widgets.fitting import FittingWidget
from viewer.ui.widgets.labels import ElidedBox
from viewer.ui.widgets.pick_list import DropDown
from viewer.ui.widgets.used_line import UsedLine
from viewer.ui.words import count

LEAST_BOX: Final = 130
USUAL_BOX: Final = 320
ARROW: Final = 76
MOST_TEXTS: Final = 220


class ClassBox(ElidedBox):
    """Shows the name of a class, of one that is too long the end; the list that drops down is another's.

    wanted: the list should drop down.
        Signal()
    stepped: the next class (1) or the one before (-1).
        Signal(step: int)
    """

    wanted = Signal()
    stepped = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.TextElideMode.ElideLeft, parent)
        self.theme = theme
        self.addItem("")
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setProperty("upright", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_name(self, name: str) -> None:
        """Show a name."""
        self.setItemText(0, name)
        self.updateGeometry()

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
    def sizeHint(self) -> QSize:
        wanted = self.fontMetrics().horizontalAdvance(self.currentText()) + self.theme.px(ARROW)
        width = max(self.theme.px(LEAST_BOX), min(wanted, self.theme.px(USUAL_BOX)))
        return QSize(width, super().sizeHint().height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(LEAST_BOX), super().minimumSizeHint().height())


class SourceHead(FittingWidget):
    """Two lines. `worst`: the classes, by name, on whose objects something was found; marked in the list.

    class_chosen: a class was chosen by its row.
        Signal(row: int)
    text_chosen: another of the texts of the class.
        Signal(number: int)
    """

    class_chosen = Signal(object)
    text_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._classes = Classes()
        self._row = -1
        self.box = ClassBox(theme, self)
        self.box.setAccessibleName(self.tr("Class"))
        self.count = QLabel(self)
        self.texts = ElidedBox(Qt.TextElideMode.ElideMiddle, self)
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
        self.fit()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        muted = f"color: {theme.color('muted').name()}"
        for label in (self.count, self.place):
            label.setStyleSheet(muted)
        self.box.theme = theme
        self.box.setFont(theme.mono())
        self.texts.setMaximumWidth(theme.px(MOST_TEXTS))
        self.place.setFont(theme.mono("small"))
        self._line.setContentsMargins(theme.px(12), theme.px(6), theme.px(12), theme.px(4))
        self._line.setSpacing(theme.px(8))
        self.used.set_theme(theme)
        if self.down is not None:
            self.down.inner.set_theme(theme)
        self.fit()

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

    @override
    def fit(self) -> None:
        """What has no room goes, never half of it: the place first, then the number."""
        self.texts.setVisible(self.texts.count() > 1)
        left = self.width() - self.theme.px(24 + LEAST_BOX)
        if self.texts.count() > 1:
            left -= min(self.texts.sizeHint().width(), self.texts.maximumWidth()) + self.theme.px(8)
        for label in (self.count, self.place):
            needed = label.sizeHint().width() + self.theme.px(8)
            label.setVisible(bool(label.text()) and needed <= left)
            left -= needed
