"""Below the text of TorchScript: the line of Python that the code at the cursor was made from, and the way back."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget
from typing_extensions import override

from viewer.core.code.texts import ORIGINAL
from viewer.core.source import one_line
from viewer.core.summary.classes import ClassRow, Text
from viewer.core.summary.originals import Origin
from viewer.session.session import Session
from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.fitting import FittingWidget
from viewer.ui.widgets.labels import ElidedLabel, hint
from viewer.ui.words import count, left_to_right

MOST_CALLS: Final = 40
NARROW: Final = 420


class SourceOrigin(FittingWidget):
    """One line: words, a place, the text that stands there, a link to the other text and one to the bytes.

    wanted: show this text of the class at a line of it, both from 0 and 1.
        Signal(number: int, line: int)
    stored_wanted: show this stored source at a line of it, from 1.
        Signal(code: int, line: int)
    """

    wanted = Signal(int, int)
    stored_wanted = Signal(int, int)

    def __init__(self, session: Session, theme: Theme, key: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._session, self._key = session, key
        self._row: ClassRow | None = None
        self._text: Text | None = None
        self._origin: Origin | None = None
        self._other = (-1, -1)
        self.picture = QLabel(self)
        self.words = ElidedLabel(parent=self)
        self.names = ElidedLabel(Qt.TextElideMode.ElideRight, self)
        self.names.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.other = self._link()
        self.bytes = self._link()
        self.bytes.setText(self.tr("Show bytes"))
        self.bytes.setToolTip(self.tr("Select the entry of the debug record that says so"))
        self.other.clicked.connect(self._show_other)
        self.bytes.clicked.connect(self._show_bytes)
        self._line = QHBoxLayout(self)
        for widget in (self.picture, self.words, self.names):
            self._line.addWidget(widget)
        self._line.addStretch(1)
        for button in (self.other, self.bytes):
            self._line.addWidget(button)
        self.set_theme(theme)
        self.hide()

    def _link(self) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("link", True)
        return button

    # -- what is shown ----------------------------------------------------------------------------

    def show_text(self, row: ClassRow | None, text: Text | None) -> None:
        """Another text is shown; the line is there only for one that has an original, or is one."""
        self._row, self._text = row, text
        originals = self._session.classes.originals
        is_told = text is not None and (text.origin == ORIGINAL or any(originals.known(code) for code in text.codes))
        self.setVisible(is_told)
        if is_told:
            self.show_place(1, 0)

    def show_place(self, line: int, column: int) -> None:
        """The cursor stands at a line, from 1, and a column of the text."""
        if self._text is None or self.isHidden():
            return
        self._origin, self._other = None, (-1, -1)
        if self._text.origin == ORIGINAL:
            self._show_code(self._text.file, self._text.line + line - 1)
        else:
            self._show_python(line, column)
        self.bytes.setVisible(self._origin is not None)
        self.other.setVisible(self._other[0] >= 0)
        self.fit()

    def _show_python(self, line: int, column: int) -> None:
        """What the stored code at a place was made from."""
        text, originals = self._text, self._session.classes.originals
        code = text.code if text is not None else None
        origin = originals.at(code, line, column) if code is not None else None
        if origin is None:
            self._tell(self.tr("No line of Python is noted for this place"))
            return
        self._origin = origin
        place = f"{file_name(origin.file)}:{origin.line}"
        first = origin.calls[0].rpartition(": ")[2] if origin.calls else origin.text.strip()
        calls = "\n".join(origin.calls[:MOST_CALLS])
        self._tell(self.tr("Made from"), f"{place}  {first}", calls or f"{origin.file}:{origin.line}\n{origin.text}")
        self.other.setText(self.tr("Original Python"))
        for number, one in enumerate(self._row.texts if self._row is not None else ()):
            at = origin.line - one.line
            if one.origin == ORIGINAL and one.file == origin.file and 0 <= at < one.text.count("\n"):
                self._other = (number, at + 1)
                return

    def _show_code(self, file: str, line: int) -> None:
        """Which stored code was made from a line of a file."""
        originals = self._session.classes.originals
        for code in self._row.codes if self._row is not None else ():
            lines = originals.lines_made_from(code, file, line)
            if lines:
                self._origin, self._other = originals.at(code, lines[0]), (code, lines[0])
                numbers = ", ".join(count(one) for one in lines)
                self._tell(self.tr("Became line") if len(lines) == 1 else self.tr("Became lines"), numbers)
                self.other.setText(self.tr("Stored code"))
                return
        self._tell(self.tr("No stored code was made from this line"))

    def _tell(self, words: str, names: str = "", more: str = "") -> None:
        self.words.setText(words)
        self.names.setText(left_to_right(one_line(names)) if names else "")
        self.names.setVisible(bool(names))
        # The code gives way, the words do not.
        self.words.setMinimumWidth(self.words.sizeHint().width() if names else 0)
        hint(self, more)

    # -- what the person does ---------------------------------------------------------------------

    def _show_other(self) -> None:
        if self._text is None or self._other[0] < 0:
            return
        signal = self.stored_wanted if self._text.origin == ORIGINAL else self.wanted
        signal.emit(*self._other)

    def _show_bytes(self) -> None:
        if self._origin is not None:
            self._session.select_value(self._origin.entry, self._key)

    # -- looks ------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.picture.setPixmap(pixmap(theme, "link", "muted", 16, self.devicePixelRatioF()))
        self.names.setFont(theme.mono())
        self._line.setContentsMargins(theme.px(12), 0, theme.px(8), 0)
        self._line.setSpacing(theme.px(6))
        self.setMinimumHeight(theme.px(28))

    @override
    def fit(self) -> None:
        """Where there is little room the words go, and the way to the bytes before the one to the other text."""
        narrow = self.width() < self.theme.px(NARROW)
        self.words.setVisible(not narrow or self.names.isHidden())
        self.bytes.setVisible(self._origin is not None and not (narrow and self._other[0] >= 0))


def file_name(path: str) -> str:
    """The last part of a path as it was written on any system."""
    return (PureWindowsPath(path) if "\\" in path else PurePosixPath(path)).name or path
