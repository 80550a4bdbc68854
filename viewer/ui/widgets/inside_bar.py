"""A line above bytes with offsets of their own: a file inside the file, an unpacked record; and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget
from typing_extensions import override

from viewer.core.source import printable
from viewer.session.inside import name_inside
from viewer.ui.measures import keep_lengths
from viewer.ui.theme import Theme, icon, paint_bar
from viewer.ui.widgets.labels import ElidedLabel
from viewer.ui.words import offset

if TYPE_CHECKING:
    from viewer.session.session import Session

HEIGHT = 30


class InsideBar(QWidget):
    """The line; hidden over the bytes of the file itself.

    left: the person wants to go back to what is around these bytes.
        Signal()
    """

    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.words = ElidedLabel(Qt.TextElideMode.ElideRight, self)
        self.back = QPushButton(self)
        self.back.setProperty("link", True)
        self.back.clicked.connect(self.left)
        row = QHBoxLayout(self)
        keep_lengths(theme, row.setContentsMargins, 8, 0, 12, 0)
        keep_lengths(theme, row.setSpacing, 12)
        row.addWidget(self.back)
        row.addWidget(self.words)
        row.addStretch(1)
        self.set_theme(theme)
        self.hide()

    def show_place(self, session: Session) -> None:
        """Say whose bytes the selection of a session stands in."""
        document = session.document
        record = session.selection.source
        self.back.setVisible(True)
        inside = document is not None and (bool(record) or document.parent is not None)
        if document is not None and record and document.member(record) is not None:
            self.words.setText(self._file(printable(record)))
            self.back.setText(self.tr("Back to {name}").format(name=cut(printable(session.shown_path.name))))
            # No file stands for the files of ranks.
            self.back.setVisible(bool(document.source.size))
        elif document is not None and record:
            self.words.setText(self.tr("Unpacked record {name}; offsets count in it").format(name=printable(record)))
            self.back.setText(self.tr("Back to its packed bytes"))
        elif document is not None and document.parent is not None:
            around = session.documents[document.parent]
            here = printable(name_inside(document))
            self.words.setText(self._file(here) if document.is_member else self._inside(here, document.offset))
            name = printable(name_inside(around) if around.parent is not None else session.title)
            self.back.setText(self.tr("Back to {name}").format(name=cut(name)))
        self.setVisible(inside)

    def _file(self, name: str) -> str:
        return self.tr("File {name} of the model").format(name=name)

    def _inside(self, name: str, start: int | None) -> str:
        if start is None:
            return self.tr("Inside {name}, unpacked; offsets count in it").format(name=name)
        words = self.tr("Inside {name}, at {offset} of the file; offsets count in it")
        return words.format(name=name, offset=offset(start))

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self.theme = theme
        self.words.setFont(theme.text("small"))
        self.back.setIcon(icon(theme, "back", "accent"))
        self.setFixedHeight(theme.px(HEIGHT))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        paint_bar(self, self.theme.color("note_bar"), self.theme.color("note_edge"))


def cut(name: str, longest: int = 32) -> str:
    """A name with its middle left out where it is long."""
    return name if len(name) <= longest else f"{name[: longest // 2]}\u2026{name[-longest // 2 + 1 :]}"
