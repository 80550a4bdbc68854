"""Below a text: what is odd about it, where it was stored, and what can be done with it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.fitting import FittingWidget
from viewer.ui.widgets.hidden import MOST
from viewer.ui.widgets.labels import ElidedLabel, hint
from viewer.ui.words import count

NARROW: Final = 420
MOST_NAMES: Final = 200
THIN: Final = "\u2009"
"""Qt leaves only 4 px between an icon and its words."""


def link_icon(theme: Theme, name: str, dpr: float) -> QIcon:
    """The icon of a link, which has only two looks: drawing all looks of all scales would hold the window."""
    made = QIcon(pixmap(theme, name, "accent", 16, dpr))
    made.addPixmap(pixmap(theme, name, "faint", 16, dpr), QIcon.Mode.Disabled)
    return made


class NoteLine(QWidget):
    """Icon, words of the program, words out of the file, and one thing to do about it.

    acted: the link was clicked.
        Signal()
    """

    acted = Signal()

    def __init__(self, theme: Theme, severity: str, act: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._severity = severity
        self.picture = QLabel(self)
        self.words = ElidedLabel(parent=self)
        self.names = ElidedLabel(parent=self)
        self.names.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.link = QPushButton(act, self)
        self.link.setProperty("link", True)
        self.link.setVisible(bool(act))
        self.link.clicked.connect(self.acted)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.picture, self.words, self.names, self.link):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        self.set_theme(theme)

    def tell(self, words: str, names: str = "") -> None:
        """Say this; the line goes where there is nothing to say."""
        self.words.setText(words)
        self.names.setText(names)
        self.names.setVisible(bool(names))
        self.setVisible(bool(words))

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.picture.setPixmap(pixmap(theme, self._severity, self._severity, 16, self.devicePixelRatioF()))
        self.names.setFont(theme.mono())
        self._row.setSpacing(theme.px(6))
        self.setMinimumHeight(theme.px(26))


class SourceFoot(FittingWidget):
    """Notes, then the stored path and the buttons.

    next_hidden: go to the next line with a hidden character.
        Signal()
    show_all: the whole of a long text is wanted.
        Signal()
    """

    next_hidden = Signal()
    show_all = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.part = NoteLine(theme, "note", self.tr("Show all"), self)
        self.part.acted.connect(self.show_all)
        self.hidden = NoteLine(theme, "warning", self.tr("Next"), self)
        self.hidden.acted.connect(self.next_hidden)
        self.names = NoteLine(theme, "note", parent=self)
        self.file = ElidedLabel(Qt.TextElideMode.ElideMiddle, self)
        self.file.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.save, self.files, self.kit = (self._button() for _ in range(3))
        self.files.setToolTip(self.tr("All classes as files that Python can import"))
        self.kit.setToolTip(self.tr("A folder with sources, weights and a script that builds the model"))
        self._words = {
            self.save: self.tr("Save this text"),
            self.files: self.tr("Save as files"),
            self.kit: self.tr("Recovery kit"),
        }
        for button, words in self._words.items():
            button.setAccessibleName(words)
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self.file)
        self._buttons.addStretch(1)
        for button in self._words:
            self._buttons.addWidget(button)
        self._column = QVBoxLayout(self)
        for note in (self.part, self.hidden, self.names):
            self._column.addWidget(note)
        self._column.addLayout(self._buttons)
        self.show_part(0, 0, 0)
        self.show_hidden(0)
        self.show_names(())
        self.set_theme(theme)

    def _button(self) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("link", True)
        return button

    def show_file(self, path: str) -> None:
        """The path of the source file as it was stored."""
        self.file.setText(path)

    def show_part(self, first: int, last: int, lines: int) -> None:
        """Which lines of a long text are there; 0, 0, 0: all of them."""
        words = self.tr("Lines {first} to {last} of {lines}")
        numbers = {"first": count(first), "last": count(last), "lines": count(lines)}
        self.part.tell(words.format(**numbers) if lines else "")

    def show_hidden(self, number: int) -> None:
        """How many hidden characters the text holds."""
        shown = count(number) + ("+" if number >= MOST else "")
        words = self.tr("1 hidden character") if number == 1 else self.tr("{0} hidden characters").format(shown)
        self.hidden.tell(words if number else "")

    def show_names(self, names: tuple[str, ...]) -> None:
        """Names that the text uses and nothing in the file gives."""
        shown = ", ".join(names[:MOST_NAMES]) + (" \u2026" if len(names) > MOST_NAMES else "")
        self.names.tell(self.tr("Names not found in the file:") if names else "", shown)
        hint(self.names.names, shown)

    def show_fault(self, words: str) -> None:
        """Say that a text cannot be read as Python, in place of names."""
        self.names.tell(words)

    def can(self, *, save: bool, files: bool, kit: bool) -> None:
        """Which of the buttons can act."""
        for button, on in ((self.save, save), (self.files, files), (self.kit, kit)):
            button.setEnabled(on)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        for note in (self.part, self.hidden, self.names):
            note.set_theme(theme)
        self.file.setFont(theme.mono("small"))
        self.file.setStyleSheet(f"color: {theme.color('muted').name()}")
        for button, name in ((self.save, "save"), (self.files, "export"), (self.kit, "rescue")):
            button.setIcon(link_icon(theme, name, self.devicePixelRatioF()))
        self._column.setContentsMargins(theme.px(12), theme.px(4), theme.px(8), theme.px(4))
        self._column.setSpacing(theme.px(2))
        self._buttons.setSpacing(theme.px(6))
        self.fit()

    @override
    def fit(self) -> None:
        """Where there is little room the buttons are icons only."""
        narrow = self.width() < self.theme.px(NARROW)
        for button, words in self._words.items():
            button.setText("" if narrow else f"{THIN}{words}")
            if button is self.save or narrow:
                button.setToolTip(words)
