"""The sentences on what an opcode does at its place: literal words for literal streams."""

import re

import pytest

from tests.core.pickles.inert import ours
from tests.core.pickles.test_values import STREAMS
from viewer.core.objects.effect_words import EffectWords
from viewer.core.pickles.effects import Effects
from viewer.core.pickles.opcodes import BY_NAME
from viewer.wording import fill
from viewer.wording.effects import EFFECTS


def words_of(data, base=0):
    return EffectWords(Effects(ours(data)[1]), base)


def told(data, opcode, base=0):
    sentences = words_of(data, base).sentences(opcode)
    return " ".join(fill(EFFECTS[key], params) for key, params in sentences)


RECORDED = "The call is recorded here and not made."


@pytest.mark.parametrize(
    ("data", "opcode", "sentence"),
    [
        (b"\x80\x02N.", 0, "Says that the stream is written in protocol 2."),
        (b"\x95\x02\x00\x00\x00\x00\x00\x00\x00N.", 0, "Opens a frame of 2 bytes, which ends at 0xB."),
        (b"X\x0a\x00\x00\x00fc1.weight.", 0, "Puts the text 'fc1.weight' on the stack."),
        (b"U\x02ab.", 0, "Puts the Python 2 string 'ab' on the stack."),
        (b"K\x07.", 0, "Puts the number 7 on the stack."),
        (b"I01\n.", 0, "Puts True on the stack."),
        (b"C\x03abc.", 0, "Puts 3 bytes on the stack: b'abc'."),
        (b"C\x01a.", 0, "Puts 1 byte on the stack: b'a'."),
        (b"C\x00.", 0, "Puts empty bytes on the stack."),
        (b"\x96\x00\x00\x00\x00\x00\x00\x00\x00.", 0, "Puts an empty bytearray on the stack."),
        (b"}.", 0, "Puts a new dict on the stack, with no entries yet."),
        (b"(K\x01K\x02t.", 0, "Puts a mark on the stack. TUPLE at 0x5 takes what is put above it."),
        (b"(K\x01K\x02t.", 3, "Makes a tuple of 2 values: (1, 2)."),
        (b"K\x05\x85.", 1, "Makes a tuple of 1 value: 5."),
        (b"(d.", 1, "Makes an empty dict."),
        (b"(K\x01K\x02d.", 3, "Makes a dict of 1 entry."),
        (b"(K\x01", 0, "Puts a mark on the stack. No opcode takes it."),
        (b"K\x01K\x020.", 2, "Drops 2 from the stack."),
        (b"K\x01(0.", 2, "Drops the mark from 0x2."),
        (b"K\x01(K\x021.", 3, "Drops 2 and the mark from 0x2."),
        (b"cos\ngetcwd\n)R0N.", 3, "Drops what the call of os.getcwd gives. The call itself is not undone."),
        (b"K\x01q\x05h\x05h\x05\x87.", 1, "Stores 1 in slot 5 of the memo. It is read back 2 times, first at 0x4."),
        (b"K\x01q\x05h\x05\x86.", 2, "Puts 1 on the stack, from slot 5 of the memo, where it was stored at 0x2."),
        (
            b"K\x01q\x05K\x02q\x05\x86.",
            3,
            "Stores 2 in slot 5 of the memo, in place of 1. Nothing reads it back.",
        ),
        (b"]K\x01a.", 2, "Appends 1 to the list from 0x0. It holds 1 item then."),
        (b"](K\x01K\x02e.", 4, "Adds 2 items to the list from 0x0. It holds 2 items then."),
        (b"}(K\x01K\x02K\x03K\x04u.", 6, "Sets 2 entries in the dict from 0x0."),
        (b"}X\x01\x00\x00\x00aK\x02s.", 3, "Sets 'a' to 2 in the dict from 0x0."),
        (
            b"cos\nenviron\nX\x01\x00\x00\x00aK\x02s.",
            3,
            (
                "Sets 'a' to 2 in the global from 0x0. "
                "This changes os.environ itself, which belongs to the loading program and not to the file."
            ),
        ),
        (b"cx\ny\n)\x81}b.", 4, "Sets the state {} in the x.y from 0x6."),
        (b"cos\ngetcwd\n.", 0, "Puts os.getcwd on the stack, which the loading program imports."),
        (
            b"\x8c\x02oscx\ny\n)R\x93.",
            4,
            (
                "Puts a global on the stack whose name is computed: module 'os', name x.y(). "
                "Which one it is shows only when the file is loaded."
            ),
        ),
        (
            b"ctorch._utils\n_rebuild_tensor_v2\n(K\x01K\x02K\x03K\x04K\x05K\x06tR.",
            9,
            f"Calls torch._utils._rebuild_tensor_v2 with 6 arguments: (1, 2, 3, 4, 5, 6). {RECORDED}",
        ),
        (b"cos\ngetcwd\n)R.", 2, f"Calls os.getcwd without arguments. {RECORDED}"),
        (b"cos\nx\nK\x01\x85R.", 3, f"Calls os.x with 1 argument: 1. {RECORDED}"),
        (b"cos\nx\n]R.", 2, f"Calls os.x with the arguments that [] gives. {RECORDED}"),
        (b"cx\ny\n)R)R.", 4, f"Calls x.y() without arguments. {RECORDED}"),
        (
            b"(ix\ny\n.",
            1,
            f"Calls x.y without arguments; of a class without __getinitargs__ only its __new__. {RECORDED}",
        ),
        (
            b"(cx\ny\no.",
            2,
            f"Calls x.y without arguments; of a class without __getinitargs__ only its __new__. {RECORDED}",
        ),
        (b"cx\ny\n)\x81.", 2, f"Makes an object by the __new__ of x.y, without arguments. {RECORDED}"),
        (b"(K\x01K\x02ix\ny\n.", 3, f"Calls x.y with 2 arguments: 1, 2. {RECORDED}"),
        (b"(cx\ny\nK\x01o.", 3, f"Calls x.y with 1 argument: 1. {RECORDED}"),
        (b"K\x07Q.", 1, "Asks the loading program for the object with the id 7."),
        (b"Pabc\n.", 0, "Asks the loading program for the object with the id 'abc'."),
        (
            b"\x82\x05.",
            0,
            (
                "Puts the global on the stack that the loading program has registered under the number 5. "
                "Its name does not stand in the file."
            ),
        ),
        (b"\x97\x98.", 0, "Puts the next out-of-band buffer on the stack. Its bytes do not stand in the file."),
        (b"K\x01.", 1, "Ends the stream. Its result is 1."),
        (b"K\x01K\x02.", 2, "Ends the stream. Its result is 2. 1 more value is left on the stack and is lost."),
        (b"K\x01\xff", 1, "The stream breaks here. The stack and the memo are shown as they stood."),
    ],
)
def test_what_an_opcode_does_here(data, opcode, sentence):
    assert told(data, opcode) == sentence


def test_offsets_are_those_of_the_file():
    assert told(b"]K\x01a.", 2, base=0x100) == "Appends 1 to the list from 0x100. It holds 1 item then."


def test_values_are_told_as_they_are_at_the_moment():
    words = words_of(b"](K\x01K\x02eK\x03a.")
    assert [words.text(0, moment) for moment in (1, 5, 8)] == ["[]", "[1, 2]", "[1, 2, 3]"]


def test_what_is_changed_very_often_is_counted():
    words = words_of(b"]" + b"K\x01a" * 1000 + b".")
    assert words.text(0, 9) == "[1, 1, 1, 1]"
    assert words.text(0, 2001) == "list, 1,000 items"
    words = words_of(b"}" + b"K\x01K\x02s" * 100 + b".")
    assert words.text(0, 301) == "dict, 100 entries"


def test_every_opcode_is_told_of_and_no_parameter_is_missing():
    streams = [*STREAMS.values(), b"\x97\x98.", b"\x82\x05\x83\x05\x00\x84\x05\x00\x00\x00."]
    for words in map(words_of, streams):
        for opcode in range(len(words.code)):
            for key, params in words.sentences(opcode):
                assert set(re.findall(r"\{(\w+)", EFFECTS[key])) <= set(params), key
    assert set(words_of(b".").writers()) == set(BY_NAME)
