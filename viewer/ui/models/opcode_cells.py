"""The cells of opcode rows: name on its colour, argument or preview, offset, length, depth, memo."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.document import Pickle
from viewer.core.objects.describe import describe
from viewer.core.pickles.memo import GETS, PUTS
from viewer.core.pickles.nesting import Nesting
from viewer.core.pickles.opcodes import OPCODES, Group, code, codes
from viewer.core.pickles.values import Kind
from viewer.ui.models.cells import Cell, Piece, mono, number, plain
from viewer.wording.opcodes import OPCODE_SENTENCES

PREVIEW: Final = 80
_CHANGES: Final = codes("APPENDS SETITEMS ADDITEMS")
_CALLS: Final = codes("REDUCE NEWOBJ NEWOBJ_EX OBJ")
_BUILD: Final = code("BUILD")
_PAIRS: Final = code("SETITEMS")
CHIPS: Final = {
    Group.PROTOCOL: "protocol",
    Group.STACK: "stack",
    Group.MEMO: "memo",
    Group.TEXT: "text",
    Group.NUMBER: "number",
    Group.GLOBAL: "global",
    Group.CALL: "call",
    Group.PERSISTENT: "persistent_id",
    Group.STOP: "stop",
}


def chip_of(byte: int) -> str:
    """The region kind that colours an opcode."""
    return CHIPS[OPCODES[byte].group]


def preview(pickle: Pickle, opcode: int) -> str:
    """What stands behind the name: the argument, or the value that the opcode makes, changes or reads back."""
    code_, values = pickle.code, pickle.values
    byte = int(code_.codes[opcode])
    if byte in _CHANGES:
        given = len(values.given(opcode))
        count = given // 2 if byte == _PAIRS else given
        if count == 1:
            return QCoreApplication.translate("Opcodes", "1 item")
        return QCoreApplication.translate("Opcodes", "{count} items").format(count=f"{count:,}")
    if byte == _BUILD:
        return describe(values, values.top(opcode), PREVIEW)
    if byte in _CALLS:
        return describe(values, values.callee(opcode), PREVIEW)
    if byte in PUTS or not OPCODES[byte].writes or values.kind(opcode) is Kind.MARK:
        argument = code_.argument(opcode)
        return "" if argument is None else str(argument)
    value = values.resolve(opcode)
    return describe(values, value, PREVIEW) if value >= 0 else ""


def memo_text(pickle: Pickle, nesting: Nesting | None, opcode: int) -> str:
    """`→ 5`: stored in slot 5 (by the opcode itself, or folded into its row); `← 5`: read from it."""
    byte = int(pickle.code.codes[opcode])
    if byte in GETS:
        return f"\u2190 {pickle.code.memo.index(opcode)}"
    if byte in PUTS:
        return f"\u2192 {pickle.code.memo.index(opcode)}"
    slot = nesting.stored_as(opcode) if nesting is not None else None
    return "" if slot is None else f"\u2192 {slot}"


def tree_cell(pickle: Pickle, nesting: Nesting, opcode: int, column: int) -> Cell:
    """Columns of the tree: opcode and argument, offset, bytes, depth, memo."""
    if column == 0:
        return name_cell(pickle, opcode)
    if column == 1:
        return number(f"{pickle.shown(pickle.code.span(opcode)).start:X}", "muted")
    if column == 2:
        return number(f"{pickle.code.length(opcode):,}", "muted")
    if column == 3:
        return number(f"{pickle.code.depths[opcode]:,}", "muted")
    return number(memo_text(pickle, nesting, opcode), "muted")


def name_cell(pickle: Pickle, opcode: int) -> Cell:
    """The opcode's name on its colour, with the preview."""
    byte = int(pickle.code.codes[opcode])
    name = Piece(OPCODES[byte].name, mono=True, chip=chip_of(byte))
    return Cell((name, Piece(preview(pickle, opcode), mono=True)))


def table_cell(pickle: Pickle, opcode: int, column: int) -> Cell:
    """Columns of the stream: offset, opcode, argument, depth, memo, what it does."""
    byte = int(pickle.code.codes[opcode])
    if column == 0:
        return number(f"{pickle.shown(pickle.code.span(opcode)).start:X}", "muted")
    if column == 1:
        return Cell((Piece(OPCODES[byte].name, mono=True, chip=chip_of(byte)),))
    if column == 2:
        return mono(preview(pickle, opcode))
    if column == 3:
        return number(f"{pickle.code.depths[opcode]:,}", "muted")
    if column == 4:
        return number(memo_text(pickle, None, opcode), "muted")
    return plain(QCoreApplication.translate("wording", OPCODE_SENTENCES[OPCODES[byte].name]), "muted")
