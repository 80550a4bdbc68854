"""resources/opcodes.json says of every opcode what the standard library's table says, and says it in sentences."""

import pickletools

import pytest

from viewer.core.pickles.documentation import documentation
from viewer.core.pickles.opcodes import BY_NAME

SIZES = {-1: "line", -2: "1 + n", -3: "4 + n", -4: "4 + n", -5: "8 + n"}
THEIRS = {info.name: info for info in pickletools.opcodes}


def test_all_68_opcodes_are_there_in_alphabetical_order():
    assert list(documentation()) == sorted(THEIRS)
    assert len(documentation()) == 68


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_facts_agree_with_the_standard_library(name):
    ours, theirs = documentation()[name], THEIRS[name]
    assert ours.code == ord(theirs.code)
    assert ours.protocol == theirs.proto
    expected = "0" if theirs.arg is None else SIZES.get(theirs.arg.n, str(theirs.arg.n))
    assert ours.size == ("2 lines" if name in ("GLOBAL", "INST") else expected)
    assert bool(ours.argument) == (theirs.arg is not None)


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_the_stack_agrees_with_what_the_machine_does(name):
    ours, table = documentation()[name], BY_NAME[name]
    assert ("mark" in ours.before) == table.closes
    if table.closes:
        assert ours.before.index("mark") == table.below
        assert ours.before[-1] == "any\u2026"
    else:
        assert len(ours.before) == table.need
    assert len(ours.after) == table.out


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_it_is_said_in_a_few_plain_sentences(name):
    ours = documentation()[name]
    for text in (ours.does, ours.watch):
        assert text == text.strip()
        assert not text or text.endswith(".")
        assert "!" not in text
        assert not any(short in text for short in ("n't", "it's", "It's"))
        assert text.count(". ") <= 2
    assert ours.does
    assert ours.does != THEIRS[name].doc.strip()


def test_what_is_dangerous_is_said():
    assert "runs code" in documentation()["REDUCE"].watch
    for name in ("GLOBAL", "STACK_GLOBAL", "REDUCE", "BUILD", "INST", "OBJ", "NEWOBJ", "EXT1", "EXT2", "EXT4", "STOP"):
        assert documentation()[name].watch
