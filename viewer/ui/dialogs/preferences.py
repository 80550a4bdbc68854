"""Preferences, made from the settings that a person chooses: each holds at once, and can be put back.

A setting of a new kind needs a maker here; a new setting of a known kind needs nothing.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontDatabase, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.session.setting import Setting
from viewer.session.settings import PREFERENCES, SECTIONS, Settings
from viewer.ui.dialogs.room import fit
from viewer.ui.measures import keep, keep_dressed, keep_lengths, keep_mono, keep_text
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import Box, IconButton
from viewer.ui.widgets.number_field import number_field
from viewer.ui.widgets.tab_order import step

PATH_WIDTH: Final = 320
FINDER: Final = 34
"""The button beside a path, with its gap."""


@dataclass(frozen=True, slots=True)
class Left:
    """Where a person was: the field with the keyboard by its setting, "" = none, and what `Put all back` took away."""

    field: str
    taken: Mapping[Setting[Any], Any]


class Preferences(QDialog):
    """All settings by section. `forgetting`: buttons that make the program forget: their words and what they do.

    keys_asked: the keys of the commands are to be changed; the preferences are closed then.
        Signal()
    """

    keys_asked = Signal()

    def __init__(
        self,
        settings: Settings,
        theme: Theme,
        forgetting: tuple[tuple[str, Callable[[], None]], ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Preferences"))
        self._settings = settings
        self._theme = theme
        self.fields: dict[str, QWidget] = {}
        self.finders: dict[str, QWidget] = {}
        self._shown: dict[str, Callable[[], None]] = {}
        self._labels: list[QLabel] = []
        self._helps: dict[str, QLabel] = {}
        self._forgetting: list[QPushButton] = []
        self._before: Mapping[Setting[Any], Any] = {}
        self._putting = False
        self._drawn = False
        page = QWidget()
        self._grid = QGridLayout(page)
        self._grid.setColumnStretch(2, 1)
        keep_lengths(theme, self._grid.setHorizontalSpacing, 12)
        keep_lengths(theme, self._grid.setVerticalSpacing, 4)
        keep_lengths(theme, self._grid.setContentsMargins, 20, 20, 20, 20)
        for section, group in groupby(PREFERENCES, key=lambda setting: setting.section):
            self._add_head(said(SECTIONS[section]))
            for setting in group:
                self._add(setting)
        self._add_forgetting(forgetting)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        self.area = area = QScrollArea()
        area.viewport().installEventFilter(self)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(page)
        self._lay_out(area)
        settings.changed.connect(self._show)

    def left(self) -> Left:
        """For the preferences of the window that takes the place of this one: some settings make all anew."""
        at = self.focusWidget()
        return Left(at.objectName() if at in self.fields.values() and at is not None else "", self._before)

    def come_back(self, left: Left) -> None:
        """Stand where others were left."""
        self._offer_back(left.taken)
        field = self.fields.get(left.field)
        if field is not None:
            field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.area.ensureWidgetVisible(field)
        elif left.taken:
            self.reset.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def focusNextPrevChild(self, forward: bool) -> bool:
        return step(self, forward=forward)

    def _lay_out(self, area: QScrollArea) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.reset = QPushButton(self.tr("Put all back"))
        self.reset.clicked.connect(self._reset)
        buttons.addButton(self.reset, QDialogButtonBox.ButtonRole.ResetRole)
        self.keys = QPushButton(self.tr("Keyboard shortcuts…"))
        self.keys.clicked.connect(self._ask_keys)
        buttons.addButton(self.keys, QDialogButtonBox.ButtonRole.ActionRole)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area, 1)
        foot = QVBoxLayout()
        keep_lengths(self._theme, foot.setContentsMargins, 12, 12, 12, 12)
        foot.addWidget(buttons)
        column.addLayout(foot)
        self._fit_window()
        keep_dressed(self)

    def _fit_window(self) -> None:
        fit(self, QSize(self._theme.px(640), self._theme.px(660)))

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed, perhaps by a field here. A size that the window was drawn to stays."""
        self._theme = theme
        if not self._drawn:
            self._fit_window()
        self._fit(self.area.viewport().width())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._drawn |= event.spontaneous()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit(self.area.viewport().width())
        return False

    def _fit(self, width: int) -> None:
        """In a narrow window names wrap, and fields and buttons are no wider than what is left."""
        px = self._theme.px
        room = max(px(120), width - 2 * px(20) - 2 * px(12))
        names = min(max(label.fontMetrics().horizontalAdvance(label.text()) for label in self._labels), room * 2 // 5)
        for label in self._labels:
            label.setFixedWidth(names + 1)
        for field in (*self.fields.values(), *self._forgetting):
            left = room - names - (px(FINDER) if isinstance(field, QLineEdit) else 0)
            field.setMinimumWidth(min(px(PATH_WIDTH), left) if isinstance(field, QLineEdit) else 0)
            field.setMaximumWidth(left)

    def _add_head(self, words: str) -> None:
        head = QLabel(words)
        keep_text(self._theme, head, "heading")
        row = self._grid.rowCount()
        if row > 1:
            self._leave_free(row, 12)
            row += 1
        self._grid.addWidget(head, row, 0, 1, 3)

    def _leave_free(self, row: int, height: int) -> None:
        keep(self._theme, self._grid, f"row {row}", lambda grid, now: grid.setRowMinimumHeight(row, now.px(height)))

    def _add(self, setting: Setting[Any]) -> None:
        """A row: what it is, the field, and below them what it does."""
        row = self._grid.rowCount()
        label = QLabel(said(setting.label))
        label.setWordWrap(True)
        self._labels.append(label)
        help_ = QLabel(said(setting.help))
        help_.setProperty("muted", True)
        help_.setWordWrap(True)
        field = self._field(setting)
        field.setObjectName(setting.key)
        field.setAccessibleName(said(setting.label))
        field.setAccessibleDescription(said(setting.help))
        label.setBuddy(field)
        self.fields[setting.key], self._helps[setting.key] = field, help_
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignVCenter)
        if setting.key in self.finders:
            self._grid.addLayout(_beside(field, self.finders[setting.key]), row, 1, 1, 2)
        else:
            self._grid.addWidget(field, row, 1, 1, 2, Qt.AlignmentFlag.AlignLeading)
        self._grid.addWidget(help_, row + 1, 1, 1, 2)
        self._leave_free(row + 2, 4)
        self._shown[setting.key]()

    def _field(self, setting: Setting[Any]) -> QWidget:
        if isinstance(setting.default, bool):
            return self._switch(setting)
        if setting.choices or setting.font:
            return self._choice(setting)
        return self._path(setting) if setting.path else self._number(setting)

    def _switch(self, setting: Setting[Any]) -> QWidget:
        field = QCheckBox()
        field.toggled.connect(lambda on: self._settings.set(setting, on))
        self._shown[setting.key] = lambda: field.setChecked(bool(self._settings.get(setting)))
        return field

    def _choice(self, setting: Setting[Any]) -> QWidget:
        field = Box()
        if setting.font:
            field.addItem(self.tr("The program's own choice"), "")
            for family in fixed_families():
                field.addItem(family, family)
        for value, words in zip(setting.choices, setting.words, strict=True):
            field.addItem(said(words), value)
        field.activated.connect(lambda at: self._settings.set(setting, field.itemData(at)))
        self._shown[setting.key] = lambda: field.setCurrentIndex(field.findData(self._settings.get(setting)))
        return field

    def _number(self, setting: Setting[Any]) -> QWidget:
        field = number_field(self._theme)
        field.setRange(setting.least or 0, setting.most or 0)
        field.setSuffix(f"\N{NO-BREAK SPACE}{setting.unit}" if setting.unit else "")
        # While a number is typed its first digits are no wish: 1 of 150 percent would shrink the whole window.
        field.setKeyboardTracking(False)
        field.valueChanged.connect(lambda value: self._settings.set(setting, value))
        self._shown[setting.key] = lambda: field.setValue(int(self._settings.get(setting)))
        return field

    def _path(self, setting: Setting[Any]) -> QWidget:
        field = QLineEdit()
        keep_mono(self._theme, field)
        field.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        find = IconButton(self._theme, "folder", self.tr("Choose a file"))
        find.clicked.connect(lambda: self._find(setting))
        self.finders[setting.key] = find
        field.editingFinished.connect(lambda: self._settings.set(setting, field.text().strip()))
        self._shown[setting.key] = lambda: self._show_path(setting, field)
        return field

    def _show_path(self, setting: Setting[Any], field: QLineEdit) -> None:
        path = self._settings.get(setting)
        field.setText(path)
        there = not path or shutil.which(path) is not None
        words = said(setting.help) if there else self.tr("There is no program at this path.")
        self._helps[setting.key].setText(words)
        field.setAccessibleDescription(words)

    def _find(self, setting: Setting[Any]) -> None:
        name, _ = QFileDialog.getOpenFileName(self, said(setting.label), self._settings.get(setting))
        if name:
            self._settings.set(setting, name)

    def _add_forgetting(self, forgetting: tuple[tuple[str, Callable[[], None]], ...]) -> None:
        for words, act in forgetting:
            button = QPushButton(words)
            button.clicked.connect(lambda _=False, act=act, button=button: self._forget(act, button))
            self._forgetting.append(button)
            self._grid.addWidget(button, self._grid.rowCount(), 1, 1, 2, Qt.AlignmentFlag.AlignLeading)

    def _forget(self, act: Callable[[], None], button: QPushButton) -> None:
        act()
        button.setEnabled(False)
        button.setText(self.tr("Forgotten"))

    def _show(self, key: str) -> None:
        """A setting has another value, by whatever way."""
        show = self._shown.get(key)
        if show is None:
            return
        show()
        if self._before and not self._putting:
            self._offer_back({})

    def _ask_keys(self) -> None:
        self.accept()
        self.keys_asked.emit()

    def _reset(self) -> None:
        """Put all back, or what was chosen before that was done."""
        chosen = {one: value for one in PREFERENCES if (value := self._settings.get(one)) != one.default}
        mine, self._putting = self._before, True
        for setting in PREFERENCES:
            if setting in mine:
                self._settings.set(setting, mine[setting])
            else:
                self._settings.reset(setting)
        self._putting = False
        self._offer_back({} if mine else chosen)

    def _offer_back(self, before: Mapping[Setting[Any], Any]) -> None:
        """`before`: what was chosen and can come back, until a setting is changed by hand."""
        self._before = before
        self.reset.setText(self.tr("Bring my choices back") if before else self.tr("Put all back"))


def _beside(field: QWidget, button: QWidget) -> QHBoxLayout:
    """A field and the button that fills it."""
    line = QHBoxLayout()
    line.addWidget(field)
    line.addWidget(button)
    line.addStretch(1)
    return line


def fixed_families() -> list[str]:
    """Fonts of fixed pitch that are installed, without those made for one purpose of the system."""
    families = QFontDatabase.families(QFontDatabase.WritingSystem.Latin)
    return [name for name in families if QFontDatabase.isFixedPitch(name) and not QFontDatabase.isPrivateFamily(name)]


def said(english: str) -> str:
    """Words of a setting in the person's language."""
    return QCoreApplication.translate("settings", english)
