"""How the bytes look, in one menu: row width, groups, offsets and what they count from, letters, lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from PySide6.QtWidgets import QMenu, QWidget

from viewer.core.tensors import window
from viewer.session.session import Session
from viewer.session.settings import BYTE_LOOK
from viewer.ui.hexview.atlas import ENCODINGS
from viewer.ui.hexview.layout import ROW_WIDTHS, Form
from viewer.ui.hexview.view import HexView
from viewer.ui.models.byte_scopes import scope_of
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import IconButton

FILE: Final = "file"
WIDEST: Final = 64
FIXED: Final = (4, 8, 16, 24, 32, 48, 64)
GROUPS: Final = (1, 2, 4, 8, 16)
NO_GROUPS: Final = 1024
NAMES: Final = {"ascii": "ASCII", "latin-1": "Latin-1", "cp1252": "Windows-1252", "cp437": "DOS 437"}
NAMES_MORE: Final = {"koi8-r": "KOI8-R", "mac-roman": "Mac Roman"}
Choice = tuple[str, Any]


class ByteOptions(IconButton):
    """The button in the header of Bytes. The menu is made when it is opened: what can be counted from changes."""

    def __init__(self, session: Session, view: HexView, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "options", "", parent)
        words = self.tr("How the bytes look")
        self.setToolTip(words)
        self.setAccessibleName(words)
        self._session, self._view = session, view
        self._base = FILE
        self._fixed: int | None = None
        self._encoding = ENCODINGS[0]
        self.clicked.connect(self._open)
        self._wear_kept()

    def _wear_kept(self) -> None:
        """What was chosen last, for any file. What is kept and cannot be is left out."""
        kept = self._session.habits.get(BYTE_LOOK, {})
        form = self._view.form
        if kept.get("fixed") in FIXED:
            self._fixed = kept["fixed"]
            self._view.set_row_bytes(self._fixed)
        if kept.get("encoding") in ENCODINGS:
            self._set_encoding(kept["encoding"])
        group, radix, most = (kept.get(name) for name in ("group", "radix", "most"))
        form = replace(form, group=group) if group in (*GROUPS, NO_GROUPS) else form
        form = replace(form, radix=radix) if radix in (16, 10) else form
        form = replace(form, most=most) if most in (ROW_WIDTHS[0], WIDEST) else form
        form = replace(form, lines=kept.get("lines") is True)
        if form != self._view.form:
            self._wear(form)

    def _keep(self) -> None:
        form = self._view.form
        look = {"fixed": self._fixed, "encoding": self._encoding, "group": form.group, "radix": form.radix}
        self._session.habits.keep(BYTE_LOOK, {**look, "most": form.most, "lines": form.lines})

    def forget_base(self) -> None:
        """Other bytes: offsets count from their start."""
        if self._base != FILE:
            self._count_from(FILE)

    def menu_now(self) -> QMenu:
        """The menu as it is now."""
        menu, form = QMenu(self), self._view.form
        fitted = [(self.tr("At most 16, as fits"), (None, 16)), (self.tr("As many as fit"), (None, WIDEST))]
        fixed = [(f"{width}", (width, form.most)) for width in FIXED]
        row = self._tensor_row()
        if row is not None:
            fixed.append((self.tr("A row of the tensor, {width}").format(width=row), (row, form.most)))
        self._choices(menu, self.tr("Bytes in a row"), [*fitted, *fixed], (self._fixed, form.most), self._set_width)
        groups = [(f"{size}", size) for size in GROUPS]
        self._choices(menu, self.tr("Groups of"), [(self.tr("None"), NO_GROUPS), *groups], form.group, self._set_group)
        radixes = [(self.tr("Hexadecimal"), 16), (self.tr("Decimal"), 10)]
        self._choices(menu, self.tr("Offsets"), radixes, form.radix, self._set_radix)
        bases = [
            (self.tr("The file"), FILE),
            (self.tr("The record"), "record"),
            (self.tr("The storage"), "storage"),
            (self.tr("The tensor"), "tensor"),
        ]
        there = [choice for choice in bases if choice[1] == FILE or self._start_of(choice[1]) is not None]
        self._choices(menu, self.tr("Offsets count from"), there, self._base, self._count_from)
        letters = [((NAMES | NAMES_MORE)[name], name) for name in ENCODINGS]
        self._choices(menu, self.tr("Letters"), letters, self._encoding, self._set_encoding)
        lines = menu.addAction(self.tr("Lines at 64 bytes and 4 KiB"))
        lines.setCheckable(True)
        lines.setChecked(form.lines)
        lines.toggled.connect(lambda on: self._wear(replace(self._view.form, lines=on)))
        return menu

    def _open(self) -> None:
        menu = self.menu_now()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _choices(
        self, menu: QMenu, title: str, choices: Iterable[Choice], chosen: Any, choose: Callable[[Any], None]
    ) -> None:
        """A menu inside, of which one line is on."""
        inner = menu.addMenu(title)
        for words, value in choices:
            action = inner.addAction(words)
            action.setCheckable(True)
            action.setChecked(value == chosen or value == (chosen, None))
            action.triggered.connect(partial(choose, value))

    def _set_width(self, wanted: tuple[int | None, int]) -> None:
        self._fixed, most = wanted
        self._view.set_row_bytes(self._fixed)
        self._wear(replace(self._view.form, most=most))

    def _set_group(self, group: int) -> None:
        self._wear(replace(self._view.form, group=group))

    def _set_radix(self, radix: int) -> None:
        self._wear(replace(self._view.form, radix=radix))

    def _set_encoding(self, encoding: str) -> None:
        self._encoding = encoding
        self._view.set_encoding(encoding)
        self._keep()

    def _count_from(self, base: str) -> None:
        self._base = base
        start = self._start_of(base) if base != FILE else 0
        self._wear(replace(self._view.form, base=start or 0))

    def _wear(self, form: Form) -> None:
        label = self.tr("Offset") if form.radix == 16 else self.tr("Decimal")
        labels = {
            "record": self.tr("In record"),
            "storage": self.tr("In storage"),
            "tensor": self.tr("In tensor"),
        }
        self._view.set_form(form, labels.get(self._base, label))
        self._keep()

    def _start_of(self, base: str) -> int | None:
        span = scope_of(self._session, base, self._view.selected_span())
        return span.start if span is not None else None

    def _tensor_row(self) -> int | None:
        """Bytes of one row of the selected tensor, where its rows are whole bytes one behind the other."""
        document, number = self._session.document, self._session.selection.tensor
        tensor = document.tensors[number] if document is not None and number is not None else None
        if tensor is None or not tensor.shape or tensor.stride[-1:] != (1,):
            return None
        row = tensor.shape[-1] * window.itemsize(tensor)
        return row if 4 <= row <= 1024 else None
