"""The opcode table is the standard library's, complete, and every opcode has its sentence."""

import pickletools

from viewer.core.pickles.opcodes import BY_NAME, OPCODES, Form, Group
from viewer.wording.opcodes import OPCODE_SENTENCES


def test_all_68_opcodes_are_known():
    assert len(OPCODES) == 68
    assert set(BY_NAME) == {info.name for info in pickletools.opcodes}


def test_every_opcode_has_a_sentence():
    assert set(OPCODE_SENTENCES) == set(BY_NAME)
    assert all(text.endswith(".") for text in OPCODE_SENTENCES.values())


def test_facts_of_single_opcodes():
    binput = BY_NAME["BINPUT"]
    assert (binput.code, binput.size, binput.group, binput.need, binput.writes) == (0x71, 2, Group.MEMO, 1, False)
    setitems = BY_NAME["SETITEMS"]
    assert (setitems.closes, setitems.below, setitems.out, setitems.writes) == (True, 1, 1, False)
    assert BY_NAME["GLOBAL"].form is Form.LINES2
    assert BY_NAME["LONG4"].form is Form.COUNT4
    assert (BY_NAME["NEWOBJ_EX"].need, BY_NAME["NEWOBJ_EX"].delta) == (3, -2)
