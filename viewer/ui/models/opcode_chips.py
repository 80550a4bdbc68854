"""The colours of opcodes, by their group: those of their regions in the bytes, and of their names in rows."""

from __future__ import annotations

from typing import Final

from viewer.core.pickles.opcodes import OPCODES, Group

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
