"""Strings that opcodes hold: every opcode of text, its bytes, how long, what it holds; the keys above it."""

import pytest

from tests.builders.pickles import Stream
from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.opened import opened
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.search.roles import trail
from viewer.core.search_bytes import opcode_strings
from viewer.core.search_bytes.base import QueryError
from viewer.core.search_bytes.opcode_strings import OpcodeStrings
from viewer.core.search_bytes.scan import hits, last_in, next_hit
from viewer.core.span import Span

HELD = [
    ("SHORT_BINUNICODE", "weight of one", b"weight of one"),
    ("BINUNICODE", "\u6f22\u5b57", "\u6f22\u5b57".encode()),
    ("BINUNICODE8", "x" * 5000 + "Needle", b"x" * 5000 + b"Needle"),
    ("UNICODE", "caf\u00e9 \u6f22", rb"caf" + b"\xe9" + rb" \u6f22"),
    ("STRING", "a line of two", b"'a line of two'"),
    ("BINSTRING", "counted by four", b"counted by four"),
    ("SHORT_BINSTRING", "counted by one", b"counted by one"),
]


@pytest.fixture
def document():
    stream = Stream(4).op("PROTO", 4)
    stream.op("EMPTY_DICT").op("MARK")
    for number, (name, text, raw) in enumerate(HELD):
        stream.op("SHORT_BINUNICODE", f"key {number}")
        stream.op(name, text if name.endswith(("BINUNICODE", "BINUNICODE8")) else raw)
    return opened(stream.op("SETITEMS").op("STOP").data)


def found(document, *arguments, part=None, **options):
    whole = Span(0, document.source.size)
    query = OpcodeStrings(document.pickles, *arguments, **options)
    spans = hits(document.source, query, whole, part or whole, Progress())
    return [document.source.read(span.start, span.length) for span in spans]


def test_each_opcode_of_text_with_its_own_bytes(document):
    texts = [text for number, (_, _, text) in enumerate(HELD) for text in (f"key {number}".encode(), text)]
    assert found(document, 1) == texts


def test_those_of_so_many_letters(document):
    assert "\u6f22\u5b57".encode() in found(document, 2)
    assert "\u6f22\u5b57".encode() not in found(document, 3)
    assert found(document, 16) == [HELD[2][2]]


def test_those_that_hold_a_text(document):
    assert found(document, 1, "counted") == [b"counted by four", b"counted by one"]
    assert found(document, 1, "caf\u00e9") == [HELD[3][2]]
    assert found(document, 1, "needle") == []
    assert found(document, 1, "needle", ignore_case=True) == [HELD[2][2]]
    assert found(document, 1, "LINE OF", ignore_case=True) == [HELD[4][2]]
    with pytest.raises(QueryError):
        OpcodeStrings(document.pickles, 1, "\ud800")


def test_the_same_however_many_are_read_at_once(document, monkeypatch):
    whole = found(document, 1)
    for at_once in (1, 2, 3):
        monkeypatch.setattr(opcode_strings, "AT_ONCE", at_once)
        assert found(document, 1) == whole


def test_in_a_stream_that_stands_within_an_archive():
    document = opened(torch_zip(state_dict({"first.weight": full("float32", (1,), [1])})))
    (pickle,) = document.pickles
    start = pickle.shown(pickle.span()).start
    assert start > 0
    assert b"first.weight" in found(document, 5)
    behind = document.source.read(0, document.source.size).index(b"first.weight") + 1
    assert b"first.weight" not in found(document, 5, part=Span(behind, document.source.size))


def test_in_a_part_and_next_to_a_place(document):
    whole = Span(0, document.source.size)
    query = OpcodeStrings(document.pickles, 1)
    spans = list(hits(document.source, query, whole, whole, Progress()))
    for at in range(0, whole.stop, 3 if whole.stop < 500 else 97):
        begin = [span for span in spans if span.start >= at]
        assert list(hits(document.source, query, whole, Span(at, whole.stop), Progress())) == begin
        before = [span for span in spans if span.start < at]
        assert last_in(document.source, query, whole, Span(0, at), Progress()) == (before[-1] if before else None)
    assert next_hit(document.source, query, spans[-1], Progress()) == spans[0]
    # What goes on beyond the scope is none of it.
    scope = Span(spans[0].start, spans[1].stop - 1)
    assert list(hits(document.source, query, scope, scope, Progress())) == spans[:1]


def test_left_between_two_blocks(document):
    progress = Progress()
    progress.cancel()
    whole = Span(0, document.source.size)
    with pytest.raises(CancelledError):
        list(OpcodeStrings(document.pickles, 1).pieces(document.source, whole, whole, progress))


def test_the_keys_above_a_value():
    stream = Stream(4).op("PROTO", 4).op("EMPTY_DICT").op("SHORT_BINUNICODE", "outer")
    stream.op("EMPTY_DICT").op("SHORT_BINUNICODE", "inner").op("EMPTY_LIST")
    stream.op("SHORT_BINUNICODE", "held").op("APPEND").op("SETITEM").op("SETITEM").op("STOP")
    pickle = opened(stream.data).pickles[0]
    rows = {pickle.values.text(row): row for row in range(len(pickle.code)) if pickle.code.name(row)[:5] == "SHORT"}
    assert trail(pickle.values, rows["held"], "utf-8") == ["outer", "inner"]
    assert trail(pickle.values, rows["inner"], "utf-8") == ["outer"]
    assert trail(pickle.values, rows["outer"], "utf-8") == []
