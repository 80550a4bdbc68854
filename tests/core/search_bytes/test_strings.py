"""Strings among bytes: against a reading letter by letter, over the borders of blocks, from any place, long ones."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.search_bytes import strings
from viewer.core.search_bytes.base import QueryError
from viewer.core.search_bytes.scan import hits, last_in, next_hit
from viewer.core.search_bytes.strings import Strings, strings_query
from viewer.core.search_bytes.text import OF_STRINGS as ENCODINGS
from viewer.core.source import MemorySource
from viewer.core.span import Span

UNITS = {"ascii": (1,), "utf-8": (1, 2, 3, 4), "utf-16-le": (2,), "utf-16-be": (2,)}
PARTS = {
    "ascii": [b"a", b" ", b"\t", b"~", b"\0", b"\x80", b"\n", b"\x7f"],
    "utf-8": [
        *(letter.encode() for letter in "a\u00e9\u6f22\U0001f600"),
        *(b"\xc3", b"\xe6\xbc", b"\0", b"\xed\xa0\x80", b"\xc0\x80", b"\xc2\x80", b"\xf4\x90\x80\x80", b"\xe0\x80\x80"),
    ],
    "utf-16-le": [b"a\0", b"\0a", b"\xe9\0", b"\0", b"\n\0", b"\1", b"\2\1", b"\x22\x6f"],
    "utf-16-be": [b"\0a", b"a\0", b"\0\xe9", b"\0", b"\1", b"\2\1", b"\x6f\x22"],
}


def walked(data, query, part=None):
    whole = Span(0, len(data))
    return [(hit.start, hit.stop) for hit in hits(MemorySource(data), query, whole, part or whole, Progress())]


def is_letter(letter, encoding):
    if letter == "\t" or ord(letter) < 0x80:
        return letter == "\t" or letter.isprintable()
    if encoding == "utf-8":
        return ord(letter) >= 0xA0
    return letter.isprintable() and ord(letter) < 0x700


def letter_at(data, at, encoding):
    """Bytes of the letter there; 0: none."""
    for length in UNITS[encoding]:
        piece = data[at : at + length]
        try:
            letter = piece.decode(encoding)
        except UnicodeDecodeError:
            continue
        if len(piece) == length and len(letter) == 1 and is_letter(letter, encoding):
            return length
    return 0


def one_by_one(data, encoding, least):
    found, at = [], 0
    while at < len(data):
        stop, letters = at, 0
        while length := letter_at(data, stop, encoding):
            stop, letters = stop + length, letters + 1
        if letters >= least:
            found.append((at, stop))
        at = stop if letters >= least else at + 1
    return found


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=st.data())
def test_as_read_letter_by_letter_in_blocks_of_any_size(encoding, data):
    parts = data.draw(st.lists(st.sampled_from(PARTS[encoding]), max_size=60))
    raw, least = b"".join(parts), data.draw(st.integers(1, 5))
    query = Strings(encoding, least)
    query.block = 4 * least + data.draw(st.sampled_from([12, 13, 16, 21, 1000]))
    assert walked(raw, query) == one_by_one(raw, encoding, least)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_from_any_place_on_and_backwards(encoding):
    chance = random.Random(encoding)
    raw = b"\n\n".join(
        "".join(chance.choices("ab \u00e9" if encoding != "ascii" else "ab ", k=9)).encode(encoding) for _ in range(20)
    )
    query = Strings(encoding, 3)
    found = walked(raw, query)
    whole, source = Span(0, len(raw)), MemorySource(raw)
    assert len(found) == 20
    for start in range(0, len(raw), 7):
        assert walked(raw, query, Span(start, len(raw))) == [each for each in found if each[0] >= start]
        before = [each for each in found if each[0] < start]
        last = last_in(source, query, whole, Span(0, start), Progress())
        assert last == (Span(*before[-1]) if before else None)
    assert next_hit(source, query, Span(*found[-1]), Progress()) == Span(*found[0])


def test_a_random_file_has_no_strings_of_utf_16():
    raw = random.Random(1).randbytes(2**20)
    assert walked(raw, strings_query("utf-16-le")) == walked(raw, strings_query("utf-16-be")) == []


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("shift", [0, 1])
def test_strings_longer_than_a_block(encoding, shift, monkeypatch):
    monkeypatch.setattr(strings, "BLOCK", 4096)
    first, second = "ab" * 40_000, "x" * 9_000 + "needle" + "y" * 9_000
    raw = b"\0" * (10 + shift)
    raw += b"\0\0".join(text.encode(encoding) for text in (first, "needle in hay", second)) + b"\0"

    def texts(query):
        query.block = 4096
        return [raw[start:stop].decode(encoding) for start, stop in walked(raw, query)]

    if encoding == "utf-16-be" or (encoding == "utf-16-le" and shift):
        # Which of the two zeros before it belongs to a letter cannot be told: so much is found at least.
        assert any("needle in hay" in text for text in texts(strings_query(encoding)))
        return
    assert texts(strings_query(encoding)) == [first, "needle in hay", second]
    assert texts(strings_query(encoding, holding="needle")) == ["needle in hay", second]
    assert texts(strings_query(encoding, holding="NEEDLE", ignore_case=True)) == ["needle in hay", second]
    assert texts(strings_query(encoding, holding="absent")) == []


def test_only_strings_that_hold_a_text():
    raw = b"weights of fc1\0bias of fc1\0fc2\0Weights\0"
    assert [raw[a:b] for a, b in walked(raw, strings_query("ascii", 3, "fc1"))] == [b"weights of fc1", b"bias of fc1"]
    assert len(walked(raw, strings_query("ascii", 3, "weights"))) == 1
    assert len(walked(raw, strings_query("ascii", 3, "weights", ignore_case=True))) == 2
    # Letter on letter: "ab" is not in "xaby" read at odd bytes.
    assert walked("\u0161\u0162\u0161\u0162".encode("utf-16-le"), strings_query("utf-16-le", 2, "\u6101")) == []
    with pytest.raises(QueryError):
        strings_query("ascii", 3, "\u00e9")


def test_a_text_that_goes_on_behind_a_string_is_not_in_it():
    raw = b"first one\ntwo words\0"
    assert len(walked(raw, strings_query("ascii", 3))) == 2
    assert walked(raw, strings_query("ascii", 3, "one\ntwo")) == []


def test_letters_beyond_arabic_where_they_are_asked_for():
    raw = "\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57".encode("utf-16-le")
    assert walked(raw, strings_query("utf-16-le")) == []
    assert walked(raw, strings_query("utf-16-le", holding="\u5b57")) == [(0, 12)]


def test_a_file_that_is_cut_ends_the_walk():
    class Cut(MemorySource):
        size = 10**9

    source, whole = Cut(b"some words here"), Span(0, 10**9)
    source.size = 10**9
    assert [(hit.start, hit.stop) for hit in hits(source, Strings("ascii"), whole, whole, Progress())] == [(0, 15)]


def test_a_long_string_can_be_left():
    raw = b"a" * 2**21
    progress = Progress()
    walk = Strings("ascii").pieces(MemorySource(raw), Span(0, len(raw)), Span(0, len(raw)), progress)
    progress.cancel()
    with pytest.raises(CancelledError):
        next(walk)
