"""Opcodes found by name, offset, text, number, slot, bytes and use, and by several of these at once."""

import pickle

import pytest

from tests.core.pickles.inert import ours
from viewer.core.errors import CancelledError
from viewer.core.pickles.finding import find_opcodes
from viewer.core.progress import Progress

_, VALUES = ours(b"\x80\x02]q\x00(X\x05\x00\x00\x00HellocBuiltins\nhello\nK\x05e.")


def found(data, text, base=0):
    values = ours(data)[1] if isinstance(data, bytes) else data
    return [values.code.name(row) for row in find_opcodes(values, text, Progress(), base).tolist()]


def rows(data, text):
    return find_opcodes(ours(data)[1], text, Progress()).tolist()


def test_by_name_or_part_of_it():
    assert found(VALUES, "BINUNICODE") == ["BINUNICODE"]
    assert found(VALUES, "APP") == ["APPENDS"]
    assert found(VALUES, "global") == ["GLOBAL"]


def test_by_text_of_arguments_whatever_the_case():
    assert found(VALUES, "hello") == ["BINUNICODE", "GLOBAL"]
    assert found(VALUES, "builtins.Hello") == ["GLOBAL"]
    assert found(VALUES, "nothing") == []
    assert found(VALUES, "") == []


def test_the_bytes_of_opcodes_lengths_and_numbers_are_no_text():
    # X is the byte of BINUNICODE, and K A is the number 65.
    stream = b"\x80\x02(X\x01\x00\x00\x00yKAX\x01\x00\x00\x00xt."
    assert rows(stream, '"x"') == [4]
    assert found(stream, '"a"') == []
    assert found(b"\x80\x02(X\x01\x00\x00\x00nX\x01\x00\x00\x00ot.", "nx") == []


def test_by_offset_and_by_a_range_of_them():
    assert found(VALUES, "0x3") == ["BINPUT"]
    assert found(VALUES, "@3") == ["BINPUT"]
    assert found(VALUES, "0x67", base=100) == ["BINPUT"]
    assert found(VALUES, "0xFFFF") == []
    assert found(VALUES, "0x1-0x4") == ["PROTO", "EMPTY_LIST", "BINPUT"]
    assert found(VALUES, "0x2..0x3") == ["EMPTY_LIST"]


def test_several_words_have_to_fit_all():
    data = b"\x80\x02(cos\npopen\nctorch.nn.modules.linear\nLinear\nX\x05\x00\x00\x00torcht."
    assert found(data, "GLOBAL torch") == ["GLOBAL"]
    assert rows(data, "GLOBAL torch") == [3]
    assert rows(data, "torch.nn.modules.linear.Linear") == [3]
    assert rows(data, "0x0-0xC os") == [2]
    assert found(data, "REDUCE torch") == []


def test_quotes_keep_blanks_and_make_text_of_anything():
    data = b"\x80\x02(X\x05\x00\x00\x00a STOX\x04\x00\x00\x00STOPX\x03\x00\x00\x00a bt."
    assert rows(data, '"a b"') == [4]
    assert rows(data, '"STOP"') == [3]
    assert rows(data, 'a "sto') == [2]


@pytest.mark.parametrize(
    ("value", "text"),
    [(5, "5"), (-1, "-1"), (300, "300"), (70_000, "70000"), (2**40, "1099511627776"), (-129, "-129"), (2.5, "2.5")],
)
@pytest.mark.parametrize("protocol", [0, 1, 2, 4])
def test_numbers_in_every_form_that_python_writes(value, text, protocol):
    data = pickle.dumps([value, 123456, "some", 77.25], protocol)
    numbers = found(data, "=" + text)
    assert len(numbers) == 1
    assert numbers[0] in {"INT", "LONG", "FLOAT", "BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT"}
    assert found(data, "=99") == []


def test_every_float_that_is_no_number_and_both_zeros():
    bits = ["7ff8000000000000", "fff8000000000000", "7ff0000000000001", "ffffffffffffffff", "7ff7474747474747"]
    others = ["7ff0000000000000", "fff0000000000000", "7fe8000000000000", "0000000000000000", "8000000000000000"]
    data = b"(" + b"".join(b"G" + bytes.fromhex(one) for one in bits + others) + b"Fnan\nF-NaN\nF-0.0\nI0\nt."
    assert rows(data, "=nan") == [1, 2, 3, 4, 5, 11, 12]
    assert rows(data, "=inf") == [6]
    assert rows(data, "=-Inf") == [7]
    assert rows(data, "=0.0") == rows(data, "=-0.0") == [9, 10, 13]
    assert rows(data, "=0") == [9, 10, 13, 14]
    assert found(pickle.dumps([float("nan"), "nanny", 1.5], 2), "NaN") == ["BINFLOAT", "BINUNICODE"]


def test_numbers_beyond_all_floats():
    number = 10**400
    assert found(pickle.dumps([number, float("inf")], 2), f"={number}") == ["LONG1"]
    assert found(pickle.dumps([number, float("inf")], 0), f"={number}") == ["LONG"]
    assert found(VALUES, "1" * 5000) == []
    assert found(VALUES, "#" + "1" * 5000) == []


def test_a_number_is_looked_for_in_texts_too():
    data = pickle.dumps([42, "room 42", 7], 2)
    assert found(data, "42") == ["BININT1", "BINUNICODE"]
    assert found(data, "=42") == ["BININT1"]
    assert found(data, '"42"') == ["BINUNICODE"]


def test_by_slot_of_the_memo():
    data = b"\x80\x02(]q\x05]q\x06h\x05r\x05\x00\x00\x00t."
    assert found(data, "#5") == ["BINPUT", "BINGET", "LONG_BINPUT"]
    assert found(data, "#9") == []
    assert found(b"(lp99999999999999999999\ng99999999999999999999\nt.", "#99999999999999999999") == ["PUT", "GET"]


def test_by_bytes_of_opcode_and_argument():
    assert found(VALUES, "hex:8002") == ["PROTO"]
    assert found(VALUES, "hex:4B05") == ["BININT1"]
    assert found(VALUES, "hex:0565") == []
    assert found(VALUES, "hex:5") == []


def test_names_of_stack_global_stand_elsewhere():
    data = b"\x80\x04\x8c\x0bcollections\x8c\x0bOrderedDict\x93)R."
    assert found(data, "GLOBAL ordereddict") == ["STACK_GLOBAL"]
    assert found(data, "collections.OrderedDict") == ["STACK_GLOBAL"]


def test_letters_beyond_ascii_in_both_ways_of_writing():
    assert found(pickle.dumps(["Ж"], 0), "Ж") == ["UNICODE"]
    assert found(pickle.dumps(["Ж"], 2), "Ж") == ["BINUNICODE"]


def test_a_text_across_blocks_is_found_once():
    data = pickle.dumps(["x" * 1_048_560 + "needle", "needle"], 4)
    assert found(data, "needle") == ["BINUNICODE", "SHORT_BINUNICODE"]
    assert found(data, "hex:6E6565646C65") == ["BINUNICODE", "SHORT_BINUNICODE"]


def test_a_number_across_blocks_is_found():
    data = pickle.dumps([b"x" * (1_048_576 - 22), 305_419_896, 305_419_896], 3)
    assert len(found(data, "=305419896")) == 2


def test_it_can_be_stopped():
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        find_opcodes(VALUES, "hello", progress)
