"""How the bytes of one view look: what the person chose for all files, and what its rows and offsets begin with.

Rows may begin at a record, a storage, a tensor or the caret: legacy storages start at odd offsets, and cells that show
their elements have to begin where they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from viewer.core.tensors import window
from viewer.session.setting import Setting, T
from viewer.session.settings import (
    BYTE_CELLS,
    BYTE_GROUP,
    BYTE_LETTERS,
    BYTE_LINES,
    BYTE_LOOK,
    BYTE_MOST,
    BYTE_ORDER,
    BYTE_RADIX,
    BYTE_ROW,
    BYTE_SHADING,
)
from viewer.ui.hexview.area import MOST_ROW_BYTES
from viewer.ui.hexview.layout import Form
from viewer.ui.hexview.numbers import LETTERS, Cells
from viewer.ui.models.byte_scopes import scope_of

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.hexview.view import HexView

FILE: Final = "file"
CARET: Final = "caret"
BASES: Final = (FILE, "record", "storage", "tensor")
NO_GROUPS: Final = MOST_ROW_BYTES
LEAST_TENSOR_ROW: Final = 4
_KEYS: Final = frozenset(setting.key for setting in BYTE_LOOK)


class ByteLook(QObject):
    """Dresses a view. `base`: what offsets count from; `begins`: where a row begins; both names of BASES, or CARET.

    `tensor_row`: the width that follows a tensor's rows, None where the setting's holds. As long as nobody chose where
    rows begin, cells of several bytes begin with the storage that is selected: else its numbers would be wrong ones.
    """

    def __init__(self, session: Session, view: HexView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._view = session, view
        self.base = self.begins = FILE
        self._pinned = False
        self.tensor_row: int | None = None
        self._base_at = self._phase = 0
        session.habits.changed.connect(self._changed)
        session.selection_changed.connect(self._follow_storage)
        self._wear()

    def get(self, setting: Setting[T]) -> T:
        """What is chosen for all files."""
        return self._session.habits.chosen(setting)

    def choose(self, setting: Setting[T], value: T) -> None:
        """Choose it for all files."""
        self._session.habits.choose(setting, value)

    def set_row(self, row_bytes: int, most: int | None = None) -> None:
        """Rows of so many bytes; 0: as many as fit, `most` at most."""
        self.tensor_row = None
        if most is not None:
            self.choose(BYTE_MOST, most)
        self.choose(BYTE_ROW, row_bytes)
        self._wear()

    def set_cells(self, dtype: str, order: str | None = None) -> None:
        """Cells of a type; where the caret stands in a storage they begin with it."""
        if dtype and not self._pinned and self._start_of("storage") is not None:
            self._begin("storage")
        if order is not None:
            self.choose(BYTE_ORDER, order)
        self.choose(BYTE_CELLS, dtype)
        self._wear()

    def count_from(self, base: str) -> None:
        """Offsets count from a part of the file, and rows begin there."""
        self.base = base
        self._base_at = self._start_of(base) or 0
        self.begin_at(base)

    def begin_at(self, place: str) -> None:
        """A row begins at a part of the file, or at the caret; there it stays."""
        self._pinned = True
        self._begin(place)
        self._wear()

    def follow_tensor(self) -> None:
        """Rows are those of the selected tensor."""
        self.tensor_row = self.row_of_tensor()
        if self.tensor_row is not None:
            self._pinned = True
            self._begin("tensor")
        self._wear()

    def take_tensor_cells(self) -> None:
        """Cells show the elements of the selected tensor as it says that they are."""
        found = self.cells_of_tensor()
        if found is not None:
            self._pinned = False
            self.set_cells(found.dtype, "big" if found.big else "little")

    def forget(self) -> None:
        """Other bytes are shown: what belonged to a part of those before holds no more."""
        self.base, self.tensor_row, self._base_at = FILE, None, 0
        self._pinned = False
        self._begin(FILE)
        self._wear()

    def places(self) -> list[str]:
        """What offsets can count from now."""
        return [base for base in BASES if base == FILE or self._start_of(base) is not None]

    def row_of_tensor(self) -> int | None:
        """Bytes of one row of the selected tensor, where its rows are whole bytes one behind the other."""
        document, number = self._session.document, self._session.selection.tensor
        tensor = document.tensors[number] if document is not None and number is not None else None
        if tensor is None or not tensor.shape or tensor.stride[-1:] != (1,):
            return None
        row = tensor.shape[-1] * window.itemsize(tensor)
        return row if LEAST_TENSOR_ROW <= row <= MOST_ROW_BYTES else None

    def cells_of_tensor(self) -> Cells | None:
        """The cells that show the selected tensor's elements, where there are such."""
        document, number = self._session.document, self._session.selection.tensor
        tensor = document.tensors[number] if document is not None and number is not None else None
        if tensor is None or tensor.storage is None or tensor.dtype not in LETTERS:
            return None
        return Cells(tensor.dtype, tensor.storage.byteorder == "big")

    def _follow_storage(self) -> None:
        """Another place is selected: cells of its storage begin where that does."""
        unit, start = self._view.form.unit, self._start_of("storage")
        if not self._pinned and unit > 1 and start is not None and (start - self._phase) % unit:
            self._begin("storage")
            self._wear()

    def _begin(self, place: str) -> None:
        self.begins = place
        self._phase = self._view.caret if place == CARET else self._start_of(place) or 0

    def _start_of(self, base: str) -> int | None:
        if base == FILE:
            return 0
        span = scope_of(self._session, base, self._view.selected_span())
        return span.start if span is not None else None

    def _changed(self, key: str) -> None:
        if key in _KEYS:
            self._wear()
            # Cells may have been chosen elsewhere, for another file or in the preferences.
            self._follow_storage()

    def _form(self) -> Form:
        return Form(
            group=self.get(BYTE_GROUP) or NO_GROUPS,
            most=self.get(BYTE_MOST),
            radix=self.get(BYTE_RADIX),
            base=self._base_at,
            lines=self.get(BYTE_LINES),
            phase=self._phase,
            cells=Cells(self.get(BYTE_CELLS), self.get(BYTE_ORDER) == "big" and bool(self.get(BYTE_CELLS))),
            shading=self.get(BYTE_SHADING),
        )

    def _wear(self) -> None:
        """Dress the view in what is chosen; what it wears already costs nothing."""
        view, form = self._view, self._form()
        fixed = self.tensor_row or self.get(BYTE_ROW) or None
        if view.surface.fixed != fixed:
            view.set_row_bytes(fixed)
        if view.surface.content.encoding != self.get(BYTE_LETTERS):
            view.set_encoding(self.get(BYTE_LETTERS))
        if view.form != form or view.surface.labels[0] != self._label():
            view.set_form(form, self._label())

    def _label(self) -> str:
        """The word over the offsets."""
        labels = {
            "record": self.tr("In record"),
            "storage": self.tr("In storage"),
            "tensor": self.tr("In tensor"),
        }
        usual = self.tr("Offset") if self.get(BYTE_RADIX) == 16 else self.tr("Decimal")
        return labels.get(self.base, usual)
