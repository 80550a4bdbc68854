"""The pages on opcodes and on their filter: made from their tables, and F1 comes to the entry."""

import pytest

from viewer.core.pickles.opcodes import BY_NAME
from viewer.ui.help.base import Part
from viewer.ui.help.opcode_filter import OpcodeFilterPage
from viewer.ui.help.opcodes import OpcodesPage
from viewer.wording.opcode_filter import FILTER_FORMS


@pytest.fixture
def opcodes(qapp):
    del qapp
    return {entry.key: entry for entry in OpcodesPage().entries()}


def test_every_opcode_has_an_entry(opcodes):
    assert list(opcodes) == sorted(BY_NAME)
    assert all(entry.title and entry.parts for entry in opcodes.values())


def test_an_entry_says_what_it_does_and_what_to_watch_for(opcodes):
    entry = opcodes["BINPUT"]
    assert entry.title == "Stores the top value in a memo slot; 1 byte names the slot"
    assert entry.kind == "from protocol 1"
    assert entry.parts == (
        Part(
            "What it does",
            "Stores the top value in a memo slot, so that BINGET can put it on the stack again. "
            "The value stays where it is.",
        ),
        Part("What to watch for", "A slot that is stored twice gives the later value to all reads behind it."),
        Part("Byte", "71 q"),
        Part("Argument", "1 byte: the number of a memo slot"),
        Part("Stack, the top last", "any value \u2192 any value"),
    )
    assert opcodes["REDUCE"].holds(["runs", "code"])
    assert Part("Argument", "none") in opcodes["REDUCE"].parts
    assert Part("Stack, the top last", "any value, tuple \u2192 any value") in opcodes["REDUCE"].parts


def test_all_forms_of_the_filter_are_told(qapp):
    del qapp
    entries = OpcodeFilterPage().entries()
    assert [entry.key for entry in entries] == [form.example for form in FILTER_FORMS]
    assert len({entry.key for entry in entries}) == len(entries)
    assert all(entry.parts[0].text.endswith(".") for entry in entries)
