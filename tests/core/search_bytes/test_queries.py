"""Each form of query against the plainest way of finding the same bytes."""

import random
import re
import struct

import ml_dtypes
import numpy as np
import pytest

from viewer.core.progress import Progress
from viewer.core.search_bytes.base import QueryError
from viewer.core.search_bytes.expression import expression_query
from viewer.core.search_bytes.hexadecimal import hex_query, reads_like_hex
from viewer.core.search_bytes.literal import Literal
from viewer.core.search_bytes.numbers import number_query
from viewer.core.search_bytes.scan import hits
from viewer.core.search_bytes.text import text_query
from viewer.core.source import BLOCK, MemorySource
from viewer.core.span import Span


def spans(data, query, start=0):
    scope = Span(start, len(data))
    return [(span.start, span.stop) for span in hits(MemorySource(data), query, scope, scope, Progress())]


def plainly(data, pattern):
    """Every place at which a pattern of fixed length matches."""
    return [match.start() for match in re.finditer(b"(?=" + pattern + b")", data, re.DOTALL)]


@pytest.mark.parametrize(
    "literal", [b"\0", b"\0\0\0", b"ab", b"aba", b"\0\1", b"zz", b"\0\0\0\0\1", b"\1\0\0\0\0", b"aaaab"]
)
@pytest.mark.parametrize("alphabet", [b"\0", b"ab", b"\0\1", b"abcdefghij"])
def test_literals_rare_and_dense(literal, alphabet):
    data = bytes(random.Random(4).choices(alphabet, k=3000))
    assert [start for start, _ in spans(data, Literal(literal))] == plainly(data, re.escape(literal))


@pytest.mark.parametrize(
    ("text", "pattern"),
    [("61 ?? 62", b"a.b"), ("6? 61", b"[\x60-\x6f]a"), ("?1 ?2", None), ("?? 61 62", b".ab")],
)
def test_wildcards(text, pattern):
    data = bytes(random.Random(5).choices(b"ab\x12\x31\x42", k=3000))
    nibbles = b"[" + b"".join(b"\\x%x1" % high for high in range(16)) + b"]"
    nibbles += b"[" + b"".join(b"\\x%x2" % high for high in range(16)) + b"]"
    assert [start for start, _ in spans(data, hex_query(text))] == plainly(data, pattern or nibbles)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "latin-1"])
def test_cases_in_encodings(encoding):
    text = "Fc1.Weight fC1.wEIGHT fc1-weight w\u00c4RME W\u00e4rme wArme"
    data = text.encode(encoding)
    for wanted in ("fc1.weight", "w\u00e4rme", "weight", "-"):
        places = [len(text[: match.start()].encode(encoding)) for match in re.finditer(re.escape(wanted), text, re.I)]
        assert [start for start, _ in spans(data, text_query(wanted, encoding, ignore_case=True))] == places


def test_bytes_of_both_cases_mixed_are_no_hit():
    # Cyrillic er: D1 80 and D0 A0. Half of one and half of the other is another letter.
    data = "\u0440\u0420\u0460\u0400".encode()
    assert spans(data, text_query("\u0440", ignore_case=True)) == [(0, 2), (2, 4)]


def test_expressions():
    data = b"fc1.weight fc22.bias \x80\x02\x8a"
    assert spans(data, expression_query(r"fc\d+")) == [(0, 3), (11, 15)]
    assert spans(data, expression_query(r"\x80.[\x80-\xff]")) == [(21, 24)]
    assert spans(data, expression_query("WEIGHT", ignore_case=True)) == [(4, 10)]
    assert spans(data, expression_query("x*")) == []


def test_an_expression_meets_borders_of_blocks_once():
    data = bytearray(b"\0" * 30_000)
    for at in range(5, 29_000, 997):
        data[at : at + 12] = b"abcabcabcabc"
    found = spans(bytes(data), expression_query("(abc){2}"))
    assert found == [(at + part, at + part + 6) for at in range(5, 29_000, 997) for part in (0, 6)]
    assert spans(bytes(data), expression_query("[abc]+")) == [(at, at + 12) for at in range(5, 29_000, 997)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(a+)+b", "nested"),
        ("(", "expression"),
        ("^a", "anchors"),
        (r"a\b", "anchors"),
        ("\u00e4", "ascii"),
        ("(?=a)", "groups"),
        ("", "empty"),
        ("(a|b)" * 30, "heavy"),
    ],
)
def test_expressions_without_a_bound_are_refused(text, code):
    with pytest.raises(QueryError) as raised:
        expression_query(text)
    assert raised.value.code == code


def test_signs_in_classes_and_behind_a_backslash_are_no_anchors():
    assert spans(b"a^b$c", expression_query(r"[$^]")) == [(1, 2), (3, 4)]
    assert spans(b"a^b$c", expression_query(r"\$")) == [(3, 4)]
    assert spans(b"a\\b", expression_query(r"\\b")) == [(1, 3)]


FORMS = {"float16": "e", "float32": "f", "float64": "d", "int16": "h", "int32": "i", "int64": "q", "uint8": "B"}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("big", [False, True])
def test_numbers_aligned_and_not(name, big):
    form = (">" if big else "<") + FORMS[name]
    size = struct.calcsize(form)
    packed = [struct.pack(form, value) for value in (3, 7, 100, 7)]
    data = b"".join(packed)
    aligned = number_query("7", name, big=big)
    assert [start for start, _ in spans(data, aligned)] == [size, 3 * size]
    assert [start for start, _ in spans(b"\1" + data, aligned, start=1)] == [1 + size, 1 + 3 * size]
    anywhere = number_query("7", name, big=big, aligned=False)
    moved = b"\1" + data
    assert [start for start, _ in spans(moved, anywhere)] == plainly(moved, re.escape(packed[1]))
    assert len(spans(data, number_query("3..7", name, big=big))) == 3
    assert [start for start, _ in spans(data, number_query("98 +- 2", name, big=big))] == [2 * size]


def test_floats_are_the_nearest_of_their_type():
    data = np.array([0.1, 0.3, np.nan, np.inf, -np.inf], np.float32).tobytes()
    assert spans(data, number_query("0.1", "float32")) == [(0, 4)]
    assert spans(data, number_query("0.29 +- 0.02", "float32")) == [(4, 8)]
    assert spans(data, number_query("nan", "float32")) == [(8, 12)]
    assert spans(data, number_query("inf", "float32")) == [(12, 16)]
    assert spans(data, number_query("\u22120.5..1e60", "float32")) == [(0, 4), (4, 8)]
    assert spans(data, number_query("\u22120.5..inf", "float32")) == [(0, 4), (4, 8), (12, 16)]
    half = np.array([np.inf, 60000, 1], np.float16).tobytes()
    assert spans(half, number_query("0.5..1e6", "float16")) == [(2, 4), (4, 6)]
    brain = np.array([0.1, 0.3, 5], ml_dtypes.bfloat16).tobytes()
    assert spans(brain, number_query("0.3", "bfloat16")) == [(2, 4)]
    small = np.array([0.5, 448], ml_dtypes.float8_e4m3fn).tobytes()
    assert spans(small, number_query("448", "float8_e4m3fn")) == [(1, 2)]


def test_a_number_across_the_border_of_blocks():
    data = bytearray(BLOCK + 8)
    struct.pack_into("<d", data, BLOCK - 3, 1.25)
    assert spans(bytes(data), number_query("1.25", "float64", aligned=False)) == [(BLOCK - 3, BLOCK + 5)]


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("", "int32", "empty"),
        ("1.5", "int32", "whole"),
        ("abc", "float32", "number"),
        ("300", "uint8", "range"),
        ("1e30", "float16", "range"),
        ("70000..80000", "float16", "range"),
        ("-1e40..-1e39", "float32", "range"),
        ("1e39", "bfloat16", "range"),
        ("1000", "float8_e4m3fn", "range"),
        ("inf", "float8_e4m3fn", "range"),
        ("5..3", "int32", "reversed"),
        ("nan..1", "float32", "reversed"),
    ],
)
def test_numbers_that_cannot_be(text, name, code):
    with pytest.raises(QueryError) as raised:
        number_query(text, name)
    assert raised.value.code == code


def test_long_needles_are_refused():
    with pytest.raises(QueryError) as raised:
        Literal(b"a" * 5000)
    assert raised.value.params == {"limit": 4096}


@pytest.mark.parametrize(
    "text",
    [
        "80 02",
        "de ad be ef",
        "0x80",
        "0x80, 0x02",
        r"\x80\x02",
        "8002ff",
        "0x8002",
        " 80 02 ",
        "80 02 ?? 4?",
        "80:02:8A",
    ],
)
def test_what_reads_like_hexadecimal(text):
    assert reads_like_hex(text)
    hex_query(text)


@pytest.mark.parametrize(
    "text", ["", "conv1.weight", "1234", "2019 05", "ab", "80", "facade", "decade", "12 345", "80 0", "0x8", "8002f"]
)
def test_what_reads_like_something_else(text):
    assert not reads_like_hex(text)
