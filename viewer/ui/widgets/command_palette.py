"""The command palette: type a few letters of any command, press Enter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt
from PySide6.QtGui import QAction, QFocusEvent, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid
from typing_extensions import override

from viewer.ui.measures import keep_lengths
from viewer.ui.spoken import speak
from viewer.ui.widgets.list_rows import ROW_ROLE, Index, ListDelegate, ListRows
from viewer.ui.words import joined, left_to_right

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

WIDTH: Final = 560
ROW: Final = 30
SHOWN: Final = 12
TOP: Final = 64
COMMAS: Final = re.compile("[,،、]")
"""What divides a list in any language."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One command: where it stands in the menus, its name, and the action itself.

    `also`: what else people call it, divided by commas; found and not shown.
    """

    place: str
    title: str
    action: QAction
    also: str = ""

    @property
    def shortcut(self) -> str:
        """The keys, as the system writes them."""
        return self.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    @property
    def others(self) -> list[str]:
        """What else it is called, in small letters."""
        return [words.strip() for words in COMMAS.split(self.also.casefold())]

    def is_called(self, word: str) -> bool:
        """Whether one of its other words begins so; in the middle of one a word is chance: `age` in `language`."""
        return any(part.startswith(word) for words in self.others for part in words.split())


def rank(text: str, entry: Entry) -> int | None:
    """How well an entry fits what was typed, 0 = best; None when it does not."""
    wanted, title, place = text.casefold().split(), entry.title.casefold(), entry.place.casefold()
    if all(word in title or word in place for word in wanted):
        if wanted and title.startswith(wanted[0]):
            return 0
        return 1 if all(word in title for word in wanted) else 2
    if any(words.startswith(" ".join(wanted)) for words in entry.others):
        return 1
    if all(word in title or word in place or entry.is_called(word) for word in wanted):
        return 3
    letters = iter(f"{place} {title}")
    return 4 if all(letter in letters for letter in "".join(wanted)) else None


def matching(text: str, entries: Sequence[Entry]) -> list[Entry]:
    """The entries that fit, best first; those that are off now come last among equals."""
    ranked = [(rank(text, entry), not entry.action.isEnabled(), at) for at, entry in enumerate(entries)]
    return [entries[at] for found, _, at in sorted(row for row in ranked if row[0] is not None)]


def told(entry: Entry) -> str:
    """An entry as it is spoken: its name, where it stands, its keys."""
    return joined((entry.title, entry.place, entry.shortcut))


class EntryModel(ListRows[Entry]):
    """The entries that fit."""

    @override
    def words(self, row: Entry, role: int) -> str | None:
        return told(row) if role == Qt.ItemDataRole.DisplayRole else None

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        entry = self.rows[index.row()] if index.isValid() else None
        on = Qt.ItemFlag.ItemIsEnabled if entry is not None and entry.action.isEnabled() else Qt.ItemFlag.NoItemFlags
        return on | Qt.ItemFlag.ItemIsSelectable


class EntryDelegate(ListDelegate):
    """Paints name, menu and keys."""

    height = ROW

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry = index.data(ROW_ROLE)
        if not isinstance(entry, Entry):
            return
        theme, rect = self.theme, QRect(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if selected:
            painter.fillRect(rect, theme.color("selection"))
        on = entry.action.isEnabled()
        ink = theme.color("on_selection" if selected else "text" if on else "faint")
        soft = theme.color("on_selection" if selected else "muted" if on else "faint")
        inner = rect.adjusted(theme.px(12), 0, -theme.px(12), 0)
        mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        near = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        far = Qt.AlignmentFlag.AlignLeft if mirrored else Qt.AlignmentFlag.AlignRight
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        painter.setFont(theme.text())
        painter.setPen(ink)
        painter.drawText(inner, int(near | middle), entry.title)
        step = QFontMetrics(theme.text()).horizontalAdvance(entry.title) + theme.px(12)
        painter.setFont(theme.text("small"))
        painter.setPen(soft)
        rest = inner.adjusted(0 if mirrored else step, 0, -step if mirrored else 0, 0)
        painter.drawText(rest, int(near | middle), entry.place)
        painter.drawText(inner, int(far | middle), left_to_right(entry.shortcut))
        painter.restore()


class CommandPalette(QFrame):
    """Lies over the window; goes away when a command is chosen, at Esc, and when the keyboard goes elsewhere."""

    def __init__(self, theme: Theme, covered: QWidget) -> None:
        super().__init__(covered)
        self._theme = theme
        self._covered = covered
        self._entries: list[Entry] = []
        self._before: QWidget | None = None
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Type the name of a command"))
        self.field.setAccessibleName(self.tr("Command"))
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._filter)
        self._model = EntryModel(self)
        self.view = QListView()
        self.view.setAccessibleName(self.tr("Commands"))
        self._delegate = EntryDelegate(theme, self.view)
        self.view.setModel(self._model)
        self.view.setItemDelegate(self._delegate)
        self.view.setUniformItemSizes(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setMouseTracking(True)
        self.view.entered.connect(self.view.setCurrentIndex)
        self.view.clicked.connect(self._run)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        self.nothing = QLabel(self.tr("No such command"))
        keep_lengths(theme, self.nothing.setContentsMargins, 12, 4, 12, 4)
        column.addWidget(self.field)
        column.addWidget(self.view)
        column.addWidget(self.nothing)
        self.setVisible(False)

    @property
    def titles(self) -> list[str]:
        """Names of the commands that fit, best first."""
        return [entry.title for entry in self._model.rows]

    def ask(self, entries: list[Entry]) -> None:
        """Show all commands and wait for letters."""
        self._entries = entries
        self._before = self._covered.focusWidget()
        self.field.clear()
        self._filter("")
        self._place()
        self.raise_()
        self.setVisible(True)
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self._delegate.theme = theme
        self.view.scheduleDelayedItemsLayout()
        self._place()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("field_edge"))
        painter.setBrush(self._theme.color("pane"))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 8, 8)
        painter.end()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._key(event.key())
        lost = isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusOut
        if isinstance(event, QFocusEvent) and lost and event.reason() != Qt.FocusReason.PopupFocusReason:
            self.setVisible(False)
        return False

    def _key(self, key: int) -> bool:
        steps: dict[int, int] = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: SHOWN,
            Qt.Key.Key_PageUp: -SHOWN,
        }
        if key in steps:
            row = self.view.currentIndex().row() + steps[key]
            self.view.setCurrentIndex(self._model.index(min(max(row, 0), self._model.rowCount() - 1)))
            self._tell()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self.view.currentIndex())
        elif key == Qt.Key.Key_Escape:
            self._leave()
        else:
            return False
        return True

    def _leave(self) -> None:
        self.setVisible(False)
        # Its file may have been closed meanwhile.
        if self._before is not None and isValid(self._before):
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _run(self, index: QModelIndex) -> None:
        entry = index.data(ROW_ROLE)
        if isinstance(entry, Entry) and entry.action.isEnabled():
            self._leave()
            entry.action.trigger()

    def _filter(self, text: str) -> None:
        self._model.set_rows(matching(text, self._entries))
        self.view.setVisible(bool(self._model.rows))
        self.nothing.setVisible(not self._model.rows)
        self.view.setCurrentIndex(self._model.index(0))
        self._tell()
        self._place()

    def _tell(self) -> None:
        """The keyboard stays in the field, so what is chosen below it is spoken: a command that is off never is."""
        if not self._model.rows:
            speak(self.field, self.nothing.text())
            return
        entry = self._model.rows[max(0, self.view.currentIndex().row())]
        words = told(entry)
        speak(self.field, words if entry.action.isEnabled() else self.tr("{command}, off now").format(command=words))

    def _place(self) -> None:
        theme = self._theme
        width = min(theme.px(WIDTH), self._covered.width() - theme.px(32))
        rows = min(max(len(self._model.rows), 1), SHOWN)
        self.view.setFixedHeight(rows * theme.px(ROW))
        over = self.sizeHint().height() - self._covered.height()
        if over > 0:
            # Large text on a small screen: whole rows, as many as there is room for.
            rows = max(1, rows - -(-over // theme.px(ROW)))
            self.view.setFixedHeight(rows * theme.px(ROW))
        height = self.sizeHint().height()
        top = min(theme.px(TOP), max(0, self._covered.height() - height))
        self.setGeometry((self._covered.width() - width) // 2, top, width, height)
