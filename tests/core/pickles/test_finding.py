"""Opcodes found by name, offset and text."""

import pickle

from tests.core.pickles.inert import ours
from viewer.core.pickles.finding import find_opcodes
from viewer.core.progress import Progress

CODE, _ = ours(b"\x80\x02]q\x00(X\x05\x00\x00\x00HellocBuiltins\nhello\nK\x05e.")


def _found(text, base=0):
    return [CODE.name(row) for row in find_opcodes(CODE, text, Progress(), base).tolist()]


def test_by_name_or_part_of_it():
    assert _found("BINUNICODE") == ["BINUNICODE"]
    assert _found("APP") == ["APPENDS"]
    assert _found("global") == ["GLOBAL"]


def test_by_text_of_arguments_whatever_the_case():
    assert _found("hello") == ["BINUNICODE", "GLOBAL"]
    assert _found("nothing") == []
    assert _found("") == []


def test_by_offset():
    assert _found("0x3") == ["BINPUT"]
    assert _found("0x67", base=100) == ["BINPUT"]
    assert _found("0xFFFF") == []


def test_a_text_across_blocks_is_found_once():
    code, _ = ours(pickle.dumps(["x" * 1_048_560 + "needle", "needle"], 4))
    assert [code.name(row) for row in find_opcodes(code, "needle", Progress()).tolist()] == [
        "BINUNICODE",
        "SHORT_BINUNICODE",
    ]
