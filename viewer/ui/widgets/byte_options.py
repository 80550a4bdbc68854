"""How the bytes look, in one menu: cells, row width, groups, offsets and what they count from, letters, lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QWidget, QWidgetAction
from typing_extensions import override

from viewer.session.setting import Setting
from viewer.session.settings import (
    BYTE_CELLS,
    BYTE_ENCODINGS,
    BYTE_GROUP,
    BYTE_LETTERS,
    BYTE_LINES,
    BYTE_MOST,
    BYTE_ORDER,
    BYTE_RADIX,
    BYTE_ROW,
    BYTE_SHADING,
    BYTE_TYPES,
)
from viewer.ui.hexview.area import MOST_ROW_BYTES
from viewer.ui.measures import keep_lengths
from viewer.ui.widgets.byte_look import CARET, ByteLook
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.number_field import number_field

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.hexview.view import HexView
    from viewer.ui.theme import Theme

WIDTHS: Final = (4, 8, 16, 24, 32, 48, 64)
MOST_GROUP: Final = 16
Choice = tuple[str, Any]


class ByteOptions(IconButton):
    """The button in the header of Bytes. The menu is made when it is opened: what can be counted from changes."""

    def __init__(self, session: Session, view: HexView, theme: Theme, parent: QWidget | None = None) -> None:
        self._theme = theme
        super().__init__(theme, "options", "", parent)
        words = self.tr("How the bytes look")
        self.setToolTip(words)
        self.setAccessibleName(words)
        self._view = view
        self.look = ByteLook(session, view, self)
        self.clicked.connect(self.open)

    @override
    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        super().set_theme(theme)

    def forget_base(self) -> None:
        """Other bytes: offsets count from their start, rows begin there."""
        self.look.forget()

    def menu_now(self) -> QMenu:
        """The menu as it is now."""
        menu, look = QMenu(self), self.look
        self.add_cells(menu)
        self._add_rows(menu)
        groups = [(self.tr("None"), 0), *((f"{size}", size) for size in range(1, MOST_GROUP + 1))]
        self._settings(menu, self.tr("Groups of"), groups, BYTE_GROUP)
        self._settings(menu, self.tr("Offsets"), [(self.tr("Hexadecimal"), 16), (self.tr("Decimal"), 10)], BYTE_RADIX)
        places = [(words, place) for words, place in self._places() if place in look.places()]
        self._choices(menu, self.tr("Offsets count from"), places, look.base, look.count_from)
        begins = [*places, (self.tr("The caret"), CARET)]
        self._choices(menu, self.tr("Rows begin at"), begins, look.begins, look.begin_at)
        letters = [(words, name) for name, words in BYTE_ENCODINGS.items()]
        self._settings(menu, self.tr("Letters"), letters, BYTE_LETTERS)
        self._switch(menu, self.tr("Colour bytes by their value"), BYTE_SHADING)
        self._switch(menu, self.tr("Lines at 64 bytes and 4 KiB"), BYTE_LINES)
        return menu

    def add_cells(self, menu: QMenu) -> None:
        """What the cells show, as a menu inside another one."""
        look = self.look
        inner = self._choices(menu, self.tr("Cells"), [(self.tr("Bytes"), "")], look.get(BYTE_CELLS), look.set_cells)
        found = look.cells_of_tensor()
        if found is not None:
            words = self.tr("As the tensor, {type}").format(type=found.dtype)
            inner.addAction(words).triggered.connect(look.take_tensor_cells)
        self._lines(inner, [(name, name) for name in BYTE_TYPES], look.get(BYTE_CELLS), look.set_cells)
        inner.addSeparator()
        orders = [(self.tr("Little-endian"), "little"), (self.tr("Big-endian"), "big")]
        self._lines(inner, orders, look.get(BYTE_ORDER), partial(look.choose, BYTE_ORDER))

    def _add_rows(self, menu: QMenu) -> None:
        look = self.look
        row, most = look.get(BYTE_ROW), look.get(BYTE_MOST)
        fitted = [(self.tr("At most 16, as fits"), (0, 16)), (self.tr("As many as fit"), (0, 64))]
        chosen = (row, None if row else most) if look.tensor_row is None else None
        fixed: list[Choice] = [(f"{width}", (width, None)) for width in WIDTHS]
        inner = self._choices(
            menu, self.tr("Bytes in a row"), [*fitted, *fixed], chosen, lambda wanted: look.set_row(*wanted)
        )
        tensor_row = look.row_of_tensor()
        if tensor_row is not None:
            words = self.tr("A row of the tensor, {width}").format(width=tensor_row)
            self._lines(inner, [(words, tensor_row)], look.tensor_row, lambda _: look.follow_tensor())
        inner.addAction(self._width_field(inner))

    def _width_field(self, menu: QMenu) -> QWidgetAction:
        """A line of the menu in which any width can be typed."""
        box = QWidget(menu)
        field = number_field(self._theme, box)
        field.setRange(1, MOST_ROW_BYTES)
        field.setValue(self._view.row_bytes)
        field.setKeyboardTracking(False)
        label = QLabel(self.tr("Other"), box)
        label.setBuddy(field)
        field.setAccessibleName(self.tr("Bytes in a row"))
        row = QHBoxLayout(box)
        keep_lengths(self._theme, row.setContentsMargins, 28, 2, 8, 2)
        row.addWidget(label)
        row.addWidget(field, 1)
        field.valueChanged.connect(self.look.set_row)
        action = QWidgetAction(menu)
        action.setDefaultWidget(box)
        return action

    def open(self) -> None:
        """Show the menu below the button, or at the bytes where the button has no room."""
        menu = self.menu_now()
        menu.aboutToHide.connect(menu.deleteLater)
        below: QWidget = self if self.isVisible() else self._view
        corner = below.rect().bottomLeft() if below is self else below.rect().topLeft()
        menu.popup(below.mapToGlobal(corner))

    def _places(self) -> list[Choice]:
        return [
            (self.tr("The file"), "file"),
            (self.tr("The record"), "record"),
            (self.tr("The storage"), "storage"),
            (self.tr("The tensor"), "tensor"),
        ]

    def _settings(self, menu: QMenu, title: str, choices: Iterable[Choice], setting: Setting[Any]) -> None:
        self._choices(menu, title, choices, self.look.get(setting), partial(self.look.choose, setting))

    def _switch(self, menu: QMenu, words: str, setting: Setting[bool]) -> None:
        action = menu.addAction(words)
        action.setCheckable(True)
        action.setChecked(self.look.get(setting))
        action.toggled.connect(partial(self.look.choose, setting))

    def _choices(
        self, menu: QMenu, title: str, choices: Iterable[Choice], chosen: Any, choose: Callable[[Any], None]
    ) -> QMenu:
        """A menu inside, of which one line is on."""
        inner = menu.addMenu(title)
        self._lines(inner, choices, chosen, choose)
        return inner

    def _lines(self, menu: QMenu, choices: Iterable[Choice], chosen: Any, choose: Callable[[Any], None]) -> None:
        for words, value in choices:
            action: QAction = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(value == chosen)
            action.triggered.connect(lambda _=False, value=value: choose(value))
