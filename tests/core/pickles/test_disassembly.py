"""Columns against pickletools on valid streams, and where broken streams break."""

import pickle
import pickletools
import random

import pytest

from viewer.core.errors import CancelledError
from viewer.core.pickles.disassembly import disassemble
from viewer.core.progress import Progress
from viewer.core.source import MemorySource


def _sample(protocol):
    rng = random.Random(7)
    things = [
        rng.choice([1, 300, 70000, 2**40, -1, "text", "long " * 60, b"bytes", 1.5, None, True]) for _ in range(9000)
    ]
    return pickle.dumps({"things": things, "nested": [(1, [2, {"a": (3, 4, 5, 6)}])] * 3}, protocol)


@pytest.mark.parametrize("protocol", range(6))
def test_offsets_names_and_arguments_are_those_of_the_standard_library(protocol):
    data = _sample(protocol)
    ours = disassemble(MemorySource(data))
    theirs = list(pickletools.genops(data))
    assert [ours.offset(row) for row in range(len(ours))] == [position for _, _, position in theirs]
    assert [ours.name(row) for row in range(len(ours))] == [info.name for info, _, _ in theirs]
    for row, (info, argument, _) in enumerate(theirs):
        if info.name in {"GLOBAL", "INST"}:
            assert " ".join(ours.argument(row)) == argument
        elif info.name not in {"STRING", "BINSTRING", "SHORT_BINSTRING"}:
            assert ours.argument(row) == argument, info.name


def test_a_stream_in_the_middle_of_a_source_ends_at_its_stop():
    data = b"junk" + _sample(2) + b"more"
    ours = disassemble(MemorySource(data), 4)
    assert (ours.start, ours.stop, ours.complete) == (4, len(data) - 4, True)


def test_arguments_longer_than_a_window():
    big = b"x" * 3_000_000
    for data in (pickle.dumps([big, "y" * 2_500_000, 5], 4), pickle.dumps(["z" * 2_000_000, 5], 0)):
        ours = disassemble(MemorySource(data))
        assert ours.complete
        assert ours.stop == len(data)
        assert [ours.name(row) for row in range(len(ours))] == [info.name for info, _, _ in pickletools.genops(data)]


def test_depth_counts_marks():
    ours = disassemble(MemorySource(b"]q\x00(K\x01(K\x02K\x03tK\x04e."))
    assert ours.depths.tolist() == [1, 1, 2, 3, 4, 5, 6, 4, 5, 1, 0]


def test_argument_spans_hold_the_text_alone():
    data = b"X\x03\x00\x00\x00abcccollections\nOrderedDict\nI12\n."
    ours = disassemble(MemorySource(data))
    spans = [ours.argument_span(row) for row in range(3)]
    assert [data[span.start : span.stop] for span in spans] == [b"abc", b"collections\nOrderedDict", b"12"]


BROKEN = {
    "empty": (b"", "pickle-no-stop", 0, 0),
    "no stop": (b"K\x01", "pickle-no-stop", 2, 1),
    "cut argument": (b"K\x01X\x05\x00\x00\x00ab", "pickle-cut", 2, 1),
    "cut fixed argument": (b"K\x01G\x00\x00", "pickle-cut", 2, 1),
    "cut line": (b"K\x01I12", "pickle-cut", 2, 1),
    "unknown opcode": (b"K\x01\xffK\x01.", "pickle-unknown-opcode", 2, 1),
    "underflow": (b"K\x01\x86.", "pickle-underflow", 2, 1),
    "underflow at once": (b"0.", "pickle-underflow", 0, 0),
    "across a mark": (b"K\x01(K\x02\x86.", "pickle-underflow", 5, 3),
    "no mark": (b"K\x01t.", "pickle-no-mark", 2, 1),
    "append without list": (b"(K\x01e.", "pickle-underflow", 3, 2),
    "put on nothing": (b"q\x00.", "pickle-underflow", 0, 0),
    "put after a mark": (b"K\x01(q\x00.", "pickle-underflow", 3, 2),
    "stop on nothing": (b".", "pickle-underflow", 0, 0),
    "stop above a mark": (b"(.", "pickle-underflow", 1, 1),
    "empty memo slot": (b"K\x01h\x05.", "pickle-empty-memo", 2, 1),
    "read before store": (b"K\x01h\x05q\x05.", "pickle-empty-memo", 2, 1),
    "not an integer": (b"K\x01Ixyz\n.", "pickle-bad-argument", 2, 1),
    "string without quotes": (b"Sabc\n.", "pickle-bad-argument", 0, 0),
    "negative memo index": (b"K\x01p-1\n.", "pickle-bad-argument", 2, 1),
    "negative length of LONG4": (b"\x8b\xff\xff\xff\xff.", "pickle-bad-argument", 0, 0),
    "negative length of BINSTRING, as the unpickler in C takes it": (b"T\xff\xff\xff\xff.", "pickle-cut", 0, 0),
    "DICT of three": (b"(K\x01K\x02K\x03d.", "pickle-odd-items", 7, 4),
    "SETITEMS of one": (b"}(K\x01u.", "pickle-odd-items", 4, 3),
    "decimal number with a zero in front": (b"I09\n.", "pickle-bad-argument", 0, 0),
    "octal number that C has no room for": (b"I01000000000000000000000\n.", "pickle-bad-argument", 0, 0),
    "text between quotes and blanks": (b"S'a' \n.", "pickle-bad-argument", 0, 0),
    "text with half an escape": (b"S'\\x4'\n.", "pickle-bad-argument", 0, 0),
    "class name of INST in UTF-8": ("(i\u00fc\nx\n.".encode(), "pickle-bad-argument", 1, 1),
    "extension code 0": (b"K\x01\x82\x00.", "pickle-bad-argument", 2, 1),
    "extension code below 0": (b"K\x01\x84\xff\xff\xff\xff.", "pickle-bad-argument", 2, 1),
    "frame of 2^63 bytes": (b"\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x80K\x01.", "pickle-bad-argument", 2, 1),
    "more digits than Python reads": (b"K\x01L" + b"1" * 4301 + b"L\n.", "pickle-bad-argument", 2, 1),
    "huge length": (b"\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.", "pickle-cut", 0, 0),
    "empty OBJ": (b"(o.", "pickle-underflow", 1, 1),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_streams_keep_what_precedes_the_break(name):
    data, code, offset, opcodes = BROKEN[name]
    ours = disassemble(MemorySource(data))
    assert not ours.complete
    assert ours.broken is not None
    assert (ours.broken.code, ours.broken.offset, len(ours)) == (code, offset, opcodes)
    assert ours.stop <= len(data)


def test_a_cut_says_how_many_bytes_are_missing():
    ours = disassemble(MemorySource(b"X\x05\x00\x00\x00ab"))
    assert ours.broken is not None
    assert ours.broken.missing == 3


def test_every_cut_of_a_stream_ends_orderly():
    for protocol in range(6):
        data = pickle.dumps({"a": [1, 2.5, "x" * 300, (True, None)], b"k": {3, 4}}, protocol)
        for stop in range(len(data)):
            ours = disassemble(MemorySource(data[:stop]))
            assert not ours.complete
            assert ours.stop <= stop


def test_a_memo_index_of_4_billion_takes_no_memory():
    ours = disassemble(MemorySource(b"K\x01r\xff\xff\xff\xffj\xff\xff\xff\xff\x86."))
    assert ours.complete
    assert ours.memo.entries(2, 0, 5) == [(0xFFFFFFFF, 1)]


def test_the_opcode_at_a_byte():
    ours = disassemble(MemorySource(b"..K\x01X\x02\x00\x00\x00ab."), 2)
    assert [ours.at(offset) for offset in (1, 2, 3, 4, 10, 11, 12)] == [-1, 0, 0, 1, 1, 2, -1]


def test_decoding_can_be_cancelled():
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        disassemble(MemorySource(_sample(2)), progress=progress)
