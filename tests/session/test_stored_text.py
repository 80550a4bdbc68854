"""Lines of stored texts: the exact bytes, whatever the line ends, letters and opcodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.programs import torch_script
from tests.builders.torch_values import ModuleClass, module
from tests.opened import opened
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.source import FileSource
from viewer.core.span import Span
from viewer.session.stored_text import line_bytes, lines_of, stored_bytes

# A tab, a CRLF, letters of two, three and four bytes, a backslash before an n, an empty line, no last line feed.
TEXT = "class Näme:\r\n\t# 名前 \U0001f600\n\n    pattern = 'a\\n'\n    end = 1"
LINES = [
    b"class N\xc3\xa4me:\r",
    b"\t# \xe5\x90\x8d\xe5\x89\x8d \xf0\x9f\x98\x80",
    b"",
    b"    pattern = 'a\\n'",
    b"    end = 1",
]


def document_of(path: Path, source: str, protocol: int = 2) -> Document:
    path.write_bytes(legacy(module(ModuleClass("zoo", "Name", "/src/zoo.py", source)), protocol))
    return open_document(FileSource(path))


@pytest.mark.parametrize("protocol", [1, 2, 3, 4, 5])
def test_each_line_is_its_own_bytes(tmp_path: Path, protocol: int) -> None:
    document = document_of(tmp_path / "a.pth", TEXT, protocol)
    lines = lines_of(document, document.sources[0])
    assert lines is not None
    assert len(lines) == 5
    spans = [lines.span(number) for number in range(1, 6)]
    assert [document.source.read(span.start, span.length) for span in spans] == LINES
    assert [lines.line_at(span.start) for span in spans] == [1, 2, 3, 4, 5]
    assert lines.line_at(spans[1].stop) == 2
    assert stored_bytes(document, document.sources[0]) == b"\n".join(LINES)


def test_unicode_of_protocol_0_writes_line_feeds_as_escapes() -> None:
    raw = rb"a = 'x\u005cu000a'\u000a\u000Ab = '\\u000a'\U0000000a"
    lines = line_bytes(raw, Span(0, len(raw)), "UNICODE")
    texts = [raw[lines.span(number).start : lines.span(number).stop] for number in range(1, 5)]
    assert texts == [rb"a = 'x\u005cu000a'", b"", rb"b = '\\u000a'", b""]


def test_python_2_strings_of_protocol_0() -> None:
    raw = rb"'one = \'\\n\'\ntwo\x0athree\012'"
    lines = line_bytes(raw, Span(100, 100 + len(raw)), "STRING")
    texts = [raw[lines.span(number).start - 100 : lines.span(number).stop - 100] for number in range(1, 5)]
    assert texts == [rb"one = \'\\n\'", b"two", b"three", b""]
    assert lines.line_at(101) == 1
    assert lines.line_at(lines.span(2).start) == 2


def test_python_2_bytes_in_no_known_encoding_count_as_bytes() -> None:
    raw = "é = 1\nü\n".encode("latin-1")
    lines = line_bytes(raw, Span(10, 10 + len(raw)), "BINSTRING")
    assert [lines.span(number) for number in (1, 2, 3)] == [Span(10, 15), Span(16, 17), Span(18, 18)]
    assert lines.span(9) == Span(18, 18)


def test_a_class_without_text_has_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.pth"
    path.write_bytes(legacy(module(ModuleClass("zoo", "Name"))))
    document = open_document(FileSource(path))
    assert lines_of(document, document.sources[0]) is None
    assert stored_bytes(document, document.sources[0]) == b""


@pytest.mark.parametrize("deflated", [True, False])
def test_texts_that_are_records(deflated: bool) -> None:
    code = b"class A(Module):\n  x : int\ndef f():\n  \xff\n"
    document = opened(torch_script(1, {"__torch__.py": code}, deflated=deflated))
    second = document.sources[1]
    assert stored_bytes(document, second) == b"def f():\n  \xff\n"
    lines = lines_of(document, second)
    assert (lines is None) == deflated
    if lines is not None:
        span = lines.span(2)
        assert document.source.read(span.start, span.length) == b"  \xff"
