"""The cells of the row of an opcode: offset, bytes, name on its colour, argument, what it makes, depth, memo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from viewer.core.objects.describe import class_name, describe
from viewer.core.pickles.earlier import Earlier
from viewer.core.pickles.memo import GETS, PUTS
from viewer.core.pickles.opcodes import OPCODES, code, codes
from viewer.core.pickles.values import Kind, Values
from viewer.ui.models.cells import Cell, Piece, mono, number, plain
from viewer.ui.models.opcode_chips import chip_of
from viewer.ui.words import count, hexadecimal, nbytes_of, offset, said
from viewer.wording.opcodes import OPCODE_SENTENCES

if TYPE_CHECKING:
    from viewer.core.document import Pickle

OFFSET, BYTES, NAME, ARGUMENT, MAKES, DEPTH, MEMO, DOES = range(8)
"""Columns of the row of an opcode."""

PREVIEW: Final = 80
MOST_BYTES: Final = 12
MOST_IN_TOOLTIP: Final = 256
_LEAVES: Final = codes("PROTO FRAME PUT BINPUT LONG_BINPUT MEMOIZE POP POP_MARK STOP")
_CHANGES: Final = codes("APPENDS SETITEMS ADDITEMS")
_CALLS: Final = codes("REDUCE NEWOBJ NEWOBJ_EX OBJ")
_ONE: Final = codes("APPEND SETITEM")
_BUILD: Final = code("BUILD")
_PAIRS: Final = code("SETITEMS")


def preview(pickle: Pickle, opcode: int, encoding: str = "utf-8") -> str:
    """What stands behind the name: the argument, or the value that the opcode makes, changes or reads back."""
    code_, values = pickle.code, pickle.values
    byte = int(code_.codes[opcode])
    if byte in _CHANGES:
        given = code_.depth_before(opcode) - int(code_.depths[opcode]) - 1
        return items(given // 2 if byte == _PAIRS else given)
    if byte in _ONE:
        return ": ".join(_at_that_time(values, value, opcode, encoding) for value in values.given(opcode))
    if byte == _BUILD:
        return describe(values, values.top(opcode), PREVIEW, encoding, said)
    if byte in _CALLS:
        return describe(values, values.callee(opcode), PREVIEW, encoding, said)
    if byte in PUTS or not OPCODES[byte].writes or values.kind(opcode) is Kind.MARK:
        argument = code_.argument(opcode)
        return "" if argument is None else str(argument)
    value = values.resolve(opcode)
    return _at_that_time(values, value, opcode + 1, encoding) if value >= 0 else ""


def _at_that_time(values: Values, value: int, moment: int, encoding: str) -> str:
    """A value in one line as it is before an opcode: what is done to it later does not count yet."""
    if values.is_atom(value):
        return describe(values, value, PREVIEW, encoding, said)
    view = Earlier(values, moment)
    text = describe(view, value, PREVIEW, encoding, said)
    return class_name(view, value, encoding) if view.cut else text


def items(number: int) -> str:
    """1 item, 1,204 items."""
    if number == 1:
        return QCoreApplication.translate("Opcodes", "1 item")
    return QCoreApplication.translate("Opcodes", "{count} items").format(count=count(number))


def memo_text(pickle: Pickle, opcode: int) -> str:
    """`→ 5`: stored in slot 5, by the opcode itself or by the one behind it; `← 5`: read from it."""
    codes_ = pickle.code.codes
    byte = int(codes_[opcode])
    if byte in GETS:
        return f"\u2190 {pickle.code.memo.index(opcode)}"
    if byte in PUTS:
        return f"\u2192 {pickle.code.memo.index(opcode)}"
    stored = opcode + 1 < len(codes_) and int(codes_[opcode + 1]) in PUTS
    return f"\u2192 {pickle.code.memo.index(opcode + 1)}" if stored else ""


def bytes_cell(pickle: Pickle, opcode: int) -> Cell:
    """The first bytes of an opcode, coloured as the hex view colours them; the tooltip counts them and shows more."""
    code_ = pickle.code
    length, kind = code_.length(opcode), chip_of(int(code_.codes[opcode]))
    shown = code_.bytes(code_.offset(opcode), min(length, MOST_BYTES))
    own = Piece(shown[:1].hex().upper(), mono=True, bold=True, chip=kind, role="opcode", whole=True)
    if length == 1:
        return Cell((own,))
    more = "\u2026" if length > len(shown) else ""
    argument = Piece(shown[1:].hex(" ").upper() + more, mono=True, chip=kind, role="argument")
    if length <= MOST_BYTES:
        return Cell((own, argument))
    whole = code_.bytes(code_.offset(opcode), min(length, MOST_IN_TOOLTIP)).hex(" ").upper()
    end = " \u2026" if length > MOST_IN_TOOLTIP else ""
    return Cell((own, argument), tooltip=f"{nbytes_of(length)}: {whole}{end}")


def made(pickle: Pickle, opcode: int, encoding: str) -> str:
    """The type of the value that an opcode makes, reads back or changes; empty where it does nothing of these."""
    byte, values = int(pickle.code.codes[opcode]), pickle.values
    if byte in _LEAVES:
        return ""
    value = values.resolve(opcode) if OPCODES[byte].writes else values.top(opcode)
    return class_name(values, value, encoding) if value >= 0 else ""


def headers() -> list[str]:
    """The titles of the columns."""
    return [
        QCoreApplication.translate("Opcodes", "Offset"),
        QCoreApplication.translate("Opcodes", "Bytes"),
        QCoreApplication.translate("Opcodes", "Opcode"),
        QCoreApplication.translate("Opcodes", "Argument"),
        QCoreApplication.translate("Opcodes", "Makes"),
        QCoreApplication.translate("Opcodes", "Depth"),
        QCoreApplication.translate("Opcodes", "Memo"),
        QCoreApplication.translate("Opcodes", "What it does"),
    ]


def opcode_cell(pickle: Pickle, opcode: int, column: int, encoding: str) -> Cell:
    """A cell of the row of an opcode, the same in the tree and in the stream."""
    if column == OFFSET:
        return number(hexadecimal(pickle.shown_at(opcode)), "muted")
    if column == BYTES:
        return bytes_cell(pickle, opcode)
    if column == NAME:
        return name_cell(pickle, opcode)
    if column == ARGUMENT:
        return mono(preview(pickle, opcode, encoding))
    if column == MAKES:
        return Cell((Piece(made(pickle, opcode, encoding), mono=True, color="muted", cut="start"),))
    if column == DEPTH:
        return number(count(pickle.code.depths[opcode]), "muted")
    if column == MEMO:
        return number(memo_text(pickle, opcode), "muted")
    return plain(said(OPCODE_SENTENCES[pickle.code.name(opcode)]), "muted")


def name_cell(pickle: Pickle, opcode: int, argument: str = "") -> Cell:
    """The opcode's name on its colour, and what stands behind it."""
    byte = int(pickle.code.codes[opcode])
    name = Piece(OPCODES[byte].name, mono=True, chip=chip_of(byte))
    return Cell((name, Piece(argument, mono=True)) if argument else (name,))


def spoken(pickle: Pickle, opcode: int, encoding: str) -> str:
    """What a screen reader is told of a row: offset, opcode and argument."""
    at, name = pickle.shown_at(opcode), pickle.code.name(opcode)
    return f"{offset(at)} {name} {preview(pickle, opcode, encoding)}".rstrip()
