"""Texts that are not UTF-8, which unpicklers refuse and which are shown all the same."""

from __future__ import annotations

import pytest

from tests.opened import codes, opened
from viewer.core.span import Span


def test_texts_that_are_not_utf_8() -> None:
    right, wrong = b"X\x02\x00\x00\x00\xc3\xa9", b"\x8c\x02\xc3(\x8d\x01\x00\x00\x00\x00\x00\x00\x00\xff"
    document = opened(b"\x80\x04(" + right + wrong + b"X\x03\x00\x00\x00\xed\xa0\x80t.")
    (problem,) = document.problems
    assert (problem.code, problem.span) == ("pickle-text-not-utf8", Span(10, 14))
    assert problem.params == {"offset": 10, "count": 2}
    values = document.pickles[0].values
    assert [values.text(item) for item in values.items(values.root)] == ["\u00e9", "\\xc3(", "\\xff", "\ud800"]


@pytest.mark.parametrize(("last", "is_text"), [(b"\xc3\xa9", True), (b"\xc3(", False), (b"a\xc3", False)])
def test_a_text_that_is_longer_than_a_window(last: bytes, is_text: bool) -> None:
    text = b"\xe4\xb8\xad" * 100_000 + last
    problems = codes(opened(b"\x80\x04X" + len(text).to_bytes(4, "little") + text + b"."))
    assert problems == ([] if is_text else ["pickle-text-not-utf8"])
