"""All commands with their keys in one list, where they can be changed; made from the menus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QLocale, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.ui.command_keys import CommandKeys, native
from viewer.ui.dialogs.keys_of_command import KeysOfCommand
from viewer.ui.dialogs.room import fit
from viewer.ui.directions import upright
from viewer.ui.measures import keep, keep_lengths, keep_theme
from viewer.ui.theme import Theme
from viewer.ui.widgets.command_palette import Entry
from viewer.ui.widgets.field_icons import clearable
from viewer.ui.widgets.tab_order import step

KEYS: Final = 2
ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class KeysDelegate(QStyledItemDelegate):
    """Draws keys from left to right beside the words of any language."""

    @override
    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        return upright(str(value))


class Shortcuts(QDialog):
    """A table of commands and keys with a filter, and below it the keys of the command that is selected.

    `menus`: titles of the menus by the keys that open them.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        keys: CommandKeys,
        menus: Mapping[str, str],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self._keys = keys
        self._theme = theme
        keep_theme(theme, self)
        # What the lines of a menu open depends on the files; such lines have no name, and no keys.
        self._rows = [entry for entry in entries if entry.action.objectName()]
        titles = {entry.action.objectName(): entry.title.rstrip("…") for entry in self._rows}
        self._items = [QTableWidgetItem() for _ in self._rows]
        self.filter = self._make_filter()
        self.table = self._make_table()
        self.details = KeysOfCommand(keys, titles, menus, theme, self.table)
        self.details.left.connect(self._return)
        self.table.currentCellChanged.connect(self._show_current)
        self.table.activated.connect(self.details.take_focus)
        self._lay_out()
        keys.changed.connect(self._show_keys)
        self._show_keys()
        self.table.setCurrentCell(0, 0)
        self.filter.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def focusNextPrevChild(self, forward: bool) -> bool:
        return step(self, forward=forward)

    @property
    def shown(self) -> list[str]:
        """The commands that the filter leaves, by id."""
        return [entry.action.objectName() for row, entry in enumerate(self._rows) if not self.table.isRowHidden(row)]

    def choose(self, command: str) -> None:
        """Look at a command, by its id."""
        self.table.setCurrentCell([entry.action.objectName() for entry in self._rows].index(command), 0)

    # -- making -----------------------------------------------------------------------------------

    def _make_filter(self) -> QLineEdit:
        made = QLineEdit()
        made.setProperty("filter", True)
        made.setPlaceholderText(self.tr("Filter"))
        made.setAccessibleName(self.tr("Filter"))
        clearable(made)
        made.textChanged.connect(self._filter)
        made.installEventFilter(self)
        return made

    def _make_table(self) -> QTableWidget:
        made = QTableWidget(len(self._rows), KEYS + 1)
        made.setHorizontalHeaderLabels([self.tr("Command"), self.tr("Menu"), self.tr("Keys")])
        made.setAccessibleName(self.tr("Commands"))
        made.verticalHeader().setVisible(False)
        made.setShowGrid(False)
        made.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        made.setTabKeyNavigation(False)
        made.setProperty("marks_always", True)
        made.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        made.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        made.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        made.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        made.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        for row, entry in enumerate(self._rows):
            for at, item in enumerate((QTableWidgetItem(entry.title), QTableWidgetItem(entry.place), self._items[row])):
                made.setItem(row, at, item)
        keep(self._theme, made, "sizes", fit_table)
        made.setItemDelegateForColumn(KEYS, KeysDelegate(made))
        return made

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.reset = buttons.addButton(self.tr("Put all back"), QDialogButtonBox.ButtonRole.ResetRole)
        self.reset.clicked.connect(self._put_all_back)
        for button in (self.reset, buttons.button(QDialogButtonBox.StandardButton.Close)):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        keep_lengths(self._theme, column.setContentsMargins, 12, 12, 12, 12)
        column.addWidget(self.filter)
        column.addWidget(self.table, 1)
        column.addWidget(self.details)
        column.addWidget(buttons)
        fit(self, QSize(self._theme.px(700), self._theme.px(640)))

    # -- what is shown ----------------------------------------------------------------------------

    def _show_keys(self) -> None:
        """Some command has other keys."""
        for row, entry in enumerate(self._rows):
            command, item = entry.action.objectName(), self._items[row]
            words = ", ".join(map(native, self._keys.of(command)))
            is_changed = self._keys.is_changed(command)
            item.setText(self.tr("{keys} (changed)").format(keys=words).strip() if is_changed else words)
            font = self._theme.text()
            font.setBold(is_changed)
            item.setFont(font)
            item.setToolTip(item.text())
        self.reset.setEnabled(any(self._keys.is_changed(entry.action.objectName()) for entry in self._rows))
        self._show_current(self.table.currentRow())

    def _show_current(self, row: int, *_: int) -> None:
        is_one = row >= 0 and not self.table.isRowHidden(row)
        self.details.show_command(self._rows[row].action.objectName() if is_one else "")

    def _filter(self, text: str) -> None:
        wanted = text.casefold().split()
        for row, entry in enumerate(self._rows):
            words = f"{entry.title} {entry.place} {self._items[row].text()}".casefold()
            self.table.setRowHidden(row, not all(word in words or entry.is_called(word) for word in wanted))
        first = next((row for row in range(len(self._rows)) if not self.table.isRowHidden(row)), -1)
        if self.table.currentRow() < 0 or self.table.isRowHidden(self.table.currentRow()):
            self.table.setCurrentCell(first, 0)
        self._show_current(self.table.currentRow())

    def _put_all_back(self) -> None:
        before = self._keys.put_back()
        words = self.tr("All commands have their usual keys.")
        self.details.say(words, self.tr("Undo"), lambda: self._restore(before))

    def _restore(self, before: str) -> None:
        self._keys.restore(before)
        self.details.say("")
        self._return()

    # -- keyboard ---------------------------------------------------------------------------------

    def _return(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if is_key and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Down, *ENTER):
            self._return()
            return True
        return False


def fit_table(table: QTableWidget, theme: Theme) -> None:
    """Rows and columns as large as the text."""
    # The style sheet gives titles as much room beside them.
    table.setStyleSheet(f"QTableWidget::item {{ padding: 0 {theme.px(8)}px; }}")
    table.verticalHeader().setDefaultSectionSize(theme.px(30))
    table.resizeColumnToContents(1)
    table.setColumnWidth(KEYS, theme.px(240))
