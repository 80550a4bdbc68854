"""Text of several lines that never makes its pane wider: a label that wraps long names too, and a block of code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QGuiApplication, QTextDocumentFragment, QTextOption
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QSizePolicy, QWidget
from typing_extensions import override

from viewer.ui.measures import keep_dressed, keep_mono
from viewer.ui.spoken import DRAWN
from viewer.ui.widgets.labels import lead

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

LONGEST: Final = 24
_LONG: Final = re.compile(rf"\S{{{LONGEST},}}")
_JOINT: Final = re.compile(rf"(?<=[._/:])(?=\w)|(?<=[^\s._/:]{{{LONGEST}}})(?=\S)")
_NAME: Final = re.compile(r"\S{8,}")
_NAME_JOINT: Final = re.compile(r"(?<=[._/:])(?!(?<=\d\.)\d)(?=\w)")
MOST_LINES: Final = 40


def show_marked_up(label: QLabel, text: str) -> None:
    """Show rich text whose names may break, and tell it without the marks that allow it."""
    label.setText(text)
    label.setAccessibleName(DRAWN.sub("", QTextDocumentFragment.fromHtml(text).toPlainText()))


class WrappedLabel(QLabel):
    """Plain text, selectable. Names without blanks may break behind their dots.

    Marks that only guide how it is drawn are not copied, and not told to screen readers. `narrow`: short names may
    break too, as where large letters leave room for few of them.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None, *, narrow: bool = False) -> None:
        super().__init__(parent)
        self._narrow = narrow
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        lead(self)
        self._told = ""
        self.setText(text)
        # Qt copies by keys and by a menu of its own.
        QGuiApplication.clipboard().dataChanged.connect(self._copied)

    def _copied(self) -> None:
        clipboard, selected = QGuiApplication.clipboard(), self.selectedText()
        plain = DRAWN.sub("", selected)
        if plain != selected and clipboard.text() == selected:
            clipboard.setText(plain)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            lead(self)

    @override
    def setText(self, text: str) -> None:
        super().setText(breakable_at_joints(text) if self._narrow else breakable(text))
        # Nothing can be selected in a line without words, and a screen reader would have nothing to say there.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus if text else Qt.FocusPolicy.NoFocus)
        plain = DRAWN.sub("", text)
        # A name that was given by others stays.
        if self.accessibleName() == self._told:
            self._told = plain if plain != self.text() else ""
            self.setAccessibleName(self._told)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class OneLine(WrappedLabel):
    """Words that want one line, and go on in the next where there is no room for them."""

    @override
    def sizeHint(self) -> QSize:
        words = self.fontMetrics().size(Qt.TextFlag.TextSingleLine, self.text())
        return words + QSize(2 * self.margin(), 2 * self.margin())


class CodeBlock(QPlainTextEdit):
    """Lines of code as they are; long ones scroll sideways. As high as its lines, up to 40 of them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_theme(theme)
        keep_dressed(self)

    def show_code(self, theme: Theme, code: str) -> None:
        """Show other lines."""
        self.set_theme(theme)
        self.setPlainText(code)
        self._fit()

    def _fit(self) -> None:
        lines = self.document().blockCount()
        bar = self.horizontalScrollBar().sizeHint().height()
        margins = 2 * round(self.document().documentMargin())
        self.setFixedHeight(min(lines, MOST_LINES) * self.fontMetrics().lineSpacing() + margins + bar)
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if lines > MOST_LINES else policy.ScrollBarAlwaysOff)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        keep_mono(theme, self, "small")
        self.document().setDocumentMargin(theme.px(8))
        self.setStyleSheet(f"background: {theme.color('sunken').name()}; border-radius: {theme.px(6)}px")
        self._fit()


def breakable(text: str) -> str:
    """The text with places where long names may go on in the next line; they take no room."""
    return _LONG.sub(lambda match: _JOINT.sub("\u200b", match[0]), text)


def breakable_at_joints(text: str) -> str:
    """As `breakable`, and short names at their joints."""
    return _NAME.sub(lambda match: _NAME_JOINT.sub("\u200b", match[0]), breakable(text))
