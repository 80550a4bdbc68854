"""Bytes found: wildcards, text, cases, block borders, the wrap."""

import pytest

from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.search_bytes.base import QueryError
from viewer.core.search_bytes.hexadecimal import hex_query
from viewer.core.search_bytes.scan import hits, next_hit
from viewer.core.search_bytes.text import text_query
from viewer.core.source import BLOCK, MemorySource
from viewer.core.span import Span


def _all(data, query):
    whole = Span(0, len(data))
    return [span.start for span in hits(MemorySource(data), query, whole, whole, Progress())]


def test_hexadecimal_with_wildcards():
    data = bytes.fromhex("80 02 71 80 05 71 80 0A 70")
    assert _all(data, hex_query("80 ?? 71")) == [0, 3]
    assert _all(data, hex_query("0x80,0x0a")) == [6]
    assert _all(b"aaaa", hex_query("6161")) == [0, 1, 2]


@pytest.mark.parametrize(("text", "code"), [("8", "odd"), ("zz", "letters"), ("  ", "empty"), ("8?7", "odd")])
def test_what_means_no_bytes_says_why(text, code):
    with pytest.raises(QueryError) as raised:
        hex_query(text)
    assert raised.value.code == code


def test_text_in_encodings_and_cases():
    data = "weight Weight W\u00c4RME".encode() + "weight".encode("utf-16-le")
    assert _all(data, text_query("weight")) == [0]
    assert _all(data, text_query("weight", ignore_case=True)) == [0, 7]
    assert _all(data, text_query("w\u00e4rme", ignore_case=True)) == [14]
    assert _all(data, text_query("weight", "utf-16-le")) == [20]
    with pytest.raises(QueryError):
        text_query("\u20ac", "latin-1")


def test_nibbles_and_what_people_paste():
    data = bytes.fromhex("40 4F 50 5F 80 02 8A 0A")
    assert _all(data, hex_query("4?")) == [0, 1]
    assert _all(data, hex_query("?F")) == [1, 3]
    assert _all(data, hex_query("?? 5? 8?")) == [2]
    assert _all(data, hex_query("80 02\n8A\t0a")) == _all(data, hex_query(r"\x80\x02\x8a\x0A")) == [4]
    with pytest.raises(QueryError) as raised:
        hex_query("?? ??")
    assert raised.value.code == "anything"


def test_a_part_is_searched_and_hits_end_in_the_scope():
    source, query = MemorySource(b"ababab"), text_query("ab")
    assert [span.start for span in hits(source, query, Span(1, 5), Span(1, 5), Progress())] == [2]
    assert next_hit(source, query, Span(2, 4), Progress(), scope=Span(1, 5)) == Span(2, 4)
    assert next_hit(source, query, Span(0, 2), Progress(), backwards=True, scope=Span(2, 6)) == Span(4, 6)


def test_hits_across_blocks_are_found_once():
    data = bytearray(2 * BLOCK + 10)
    for at in (BLOCK - 2, 2 * BLOCK - 1, 0):
        data[at : at + 4] = b"ABCD"
    assert _all(bytes(data), text_query("ABCD")) == [0, BLOCK - 2, 2 * BLOCK - 1]
    assert _all(bytes(data), hex_query("41??43")) == [0, BLOCK - 2, 2 * BLOCK - 1]


def test_next_and_previous_go_round_the_end():
    source = MemorySource(b"..ab..ab..")
    query = text_query("ab")
    assert next_hit(source, query, Span(0, 0), Progress()) == Span(2, 4)
    assert next_hit(source, query, Span(2, 4), Progress()) == Span(6, 8)
    assert next_hit(source, query, Span(6, 8), Progress()) == Span(2, 4)
    assert next_hit(source, query, Span(6, 8), Progress(), backwards=True) == Span(2, 4)
    assert next_hit(source, query, Span(2, 4), Progress(), backwards=True) == Span(6, 8)


def test_the_only_hit_is_found_though_it_is_selected_or_straddled():
    source = MemorySource(b"....ab....")
    query = text_query("ab")
    for selected in (Span(4, 6), Span(5, 5), Span(5, 6)):
        assert next_hit(source, query, selected, Progress()) == Span(4, 6)
        assert next_hit(source, query, selected, Progress(), backwards=True) == Span(4, 6)
    assert next_hit(source, text_query("zz"), Span(0, 0), Progress()) is None


def test_searching_stops_when_asked():
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        next_hit(MemorySource(b"abc"), text_query("b"), Span(0, 0), progress)
