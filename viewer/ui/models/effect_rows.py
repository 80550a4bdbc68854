"""The rows of the Effect pane: the stack before and after an opcode, and the memo; all read when drawn.

The stack stands side by side, or, where that has no room, as one list: what is put, what is taken, what is kept.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.document import Pickle
from viewer.core.objects.describe import class_name
from viewer.core.objects.effect_words import EffectWords
from viewer.core.pickles.effects import Effects, Entry, Item
from viewer.core.pickles.values import Kind
from viewer.ui.models.cells import Cell, Piece, number
from viewer.ui.models.opcode_chips import chip_of
from viewer.ui.words import count, hexadecimal, offset, said

SLOT, BEFORE, AFTER, ITEM, MADE = range(5)
NUMBER, VALUE, STORED, READ = range(4)
LIMIT: Final = 80
TAKEN, PUT, CHANGED = "\u2212", "+", "~"
"""Signs of what an opcode takes from the stack, puts there, and changes in content."""

PAGE: Final = 32
"""Rows that are looked up at once: about as many as are in view."""

_KEPT_PAGES: Final = 32


class EffectRows:
    """One opcode of a pickle; the number of opcodes stands for the end of a broken stream. `listed`: one list."""

    def __init__(self, pickle: Pickle, effects: Effects, opcode: int, encoding: str) -> None:
        self.pickle = pickle
        self.effects = effects
        self.opcode = opcode
        self.listed = False
        self.is_end = opcode >= len(pickle.code)
        self.words = EffectWords(effects, pickle.base or 0, encoding, said)
        self.before, self.after = opcode, opcode + (not self.is_end)
        self.depths = effects.depth(self.before), self._depth_after()
        self.slots = effects.memo_size(self.before), effects.memo_size(self.after)
        self.reach = effects.reach(opcode)
        self.memo_row = effects.entry_row(opcode, self.after)
        self._encoding = encoding
        self._items: dict[tuple[int, int], list[Item]] = {}
        self._entries: dict[int, list[Entry]] = {}

    @property
    def stack_rows(self) -> int:
        """Rows of the stack: slots before or after, whichever are more; in a list those taken and those put."""
        before, after = self.depths
        return before + after - self.reach.kept if self.listed else max(before, after)

    def stack_cell(self, row: int, column: int) -> Cell:
        """Columns: slot, before, after, both in a list, where the item was made. The top is the first row."""
        slot, side = self._slot(row, column)
        if column == SLOT:
            return number(count(slot), "muted")
        if column == MADE:
            value = self.made_by(row, column)
            return number(hexadecimal(self.words.offset(value)) if value >= 0 else "", "muted")
        item = self._item(slot, side)
        if item is None:
            return Cell()
        return self._item_cell(item, self.before if side == BEFORE else self.after, self._sign(slot, side))

    def made_by(self, row: int, column: int) -> int:
        """The opcode that made the item of a row: before or after, or whichever there is; -1: there is none."""
        slot, side = self._slot(row, column)
        item = self._item(slot, side)
        if item is None and column not in (BEFORE, AFTER):
            item = self._item(slot, BEFORE)
        return -1 if item is None else item.value

    def _slot(self, row: int, column: int) -> tuple[int, int]:
        """The slot of a row, and whether its item before or after the opcode is meant."""
        if not self.listed:
            return self.stack_rows - row, BEFORE if column == BEFORE else AFTER
        before, after = self.depths
        put, taken = after - self.reach.kept, before - self.reach.kept
        if row < put:
            return after - row, AFTER
        return (before - (row - put), BEFORE) if row < put + taken else (self.stack_rows - row, AFTER)

    def memo_cell(self, row: int, column: int) -> Cell:
        """Columns: slot, value, where it was stored, where it is read first. The slot that was taken last is first."""
        entry = self._entry(row)
        if entry is None:
            return Cell()
        here = row == self.memo_row
        if column == NUMBER:
            return number(count(entry.number), "text" if here else "muted")
        if column == VALUE:
            text = self.words.text(entry.value, self.after, LIMIT)
            sign = PUT if entry.store == self.opcode else ""
            return self._value_cell(entry.value, text, sign, strong=here)
        if column == STORED:
            return number(hexadecimal(self.words.offset(entry.store)), "muted")
        if entry.first_use < 0:
            return Cell()
        more = f"\u00d7{count(entry.uses)}" if entry.uses > 1 else ""
        tooltip = QCoreApplication.translate("Effect", "Opcodes that read it: {0}").format(count(entry.uses))
        pieces = (Piece(hexadecimal(self.words.offset(entry.first_use)), mono=True, color="muted"),)
        extra = (Piece(more, color="muted", small=True, whole=True),) if more else ()
        return Cell(pieces + extra, right=True, tooltip=tooltip)

    def memo_target(self, row: int, column: int) -> int:
        """The opcode that a cell of the memo leads to: the maker of the value, the PUT, or the first GET; -1: none."""
        entry = self._entry(row)
        if entry is None:
            return -1
        return {VALUE: entry.value, READ: entry.first_use}.get(column, entry.store)

    # -- parts ------------------------------------------------------------------------------------

    def _depth_after(self) -> int:
        return int(self.pickle.code.depths[self.opcode]) if not self.is_end else self.effects.depth(self.before)

    def _sign(self, slot: int, column: int) -> str:
        if slot > self.reach.kept:
            return TAKEN if column == BEFORE else PUT
        return CHANGED if slot == self.reach.changed and column == AFTER else ""

    def _item(self, slot: int, column: int) -> Item | None:
        """The item of a slot, by pages; slots that are kept are looked up once for both columns."""
        moment = self.before if column == BEFORE or slot <= self.reach.kept else self.after
        depth = self.depths[0] if moment == self.before else self.depths[1]
        if not 0 < slot <= depth:
            return None
        page, at = divmod(depth - slot, PAGE)
        items = self._items.get((moment, page))
        if items is None:
            if len(self._items) >= _KEPT_PAGES:
                self._items.clear()
            items = self._items[moment, page] = self.effects.stack(moment, page * PAGE, (page + 1) * PAGE)
        return items[at]

    def _entry(self, row: int) -> Entry | None:
        page, at = divmod(row, PAGE)
        entries = self._entries.get(page)
        if entries is None:
            if len(self._entries) >= _KEPT_PAGES:
                self._entries.clear()
            entries = self._entries[page] = self.effects.entries(self.after, page * PAGE, (page + 1) * PAGE)
        return entries[at] if at < len(entries) else None

    def _item_cell(self, item: Item, moment: int, sign: str) -> Cell:
        values = self.effects.values
        if values.kind(item.value) is Kind.MARK:
            word = Piece(QCoreApplication.translate("Effect", "mark"), color="muted")
            shown = Cell((*_signed(sign), self._swatch(item.value), word), tooltip=self._tip(item, ""))
            shown.spoken = self._spoken(shown, item.value)
            return shown
        text = self.words.text(item.value, moment, LIMIT)
        cell = self._value_cell(item.value, text, sign, strong=bool(sign))
        return Cell(cell.pieces, tooltip=self._tip(item, text), spoken=cell.spoken)

    def _value_cell(self, value: int, text: str, sign: str, *, strong: bool) -> Cell:
        """The sign of what happens, the byte of the opcode that made the value on its colour, and the value."""
        color = "muted" if not strong or sign == TAKEN else "text"
        cell = Cell((*_signed(sign), self._swatch(value), Piece(text, mono=True, color=color)))
        cell.spoken = self._spoken(cell, value)
        return cell

    def _swatch(self, value: int) -> Piece:
        byte = int(self.pickle.code.codes[value])
        return Piece(hexadecimal(byte, 2), mono=True, chip=chip_of(byte), small=True, whole=True, role="sign")

    def _spoken(self, cell: Cell, value: int) -> str:
        """What the swatch says comes in words."""
        words = QCoreApplication.translate("Effect", "{value}, made by {name}")
        return words.format(value=cell.text, name=self.pickle.code.name(value))

    def _tip(self, item: Item, text: str) -> str:
        """Kind, whole text, and the opcodes that made the item and put it here."""
        code = self.pickle.code
        kind = class_name(self.effects.values, item.value, self._encoding)
        made = QCoreApplication.translate("Effect", "{kind}, made by {name} at {at}").format(
            kind=kind, name=code.name(item.value), at=offset(self.words.offset(item.value))
        )
        if item.writer != item.value:
            put = QCoreApplication.translate("Effect", "put here by {name} at {at}").format(
                name=code.name(item.writer), at=offset(self.words.offset(item.writer))
            )
            made = f"{made}, {put}"
        return f"{text}\n{made}" if text else made


def _signed(sign: str) -> tuple[Piece, ...]:
    return (Piece(sign, mono=True, bold=True, color="muted" if sign == TAKEN else "accent"),) if sign else ()
