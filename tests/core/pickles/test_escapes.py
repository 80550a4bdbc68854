"""The escapes of STRING, held against the codec that both of Python's unpicklers use."""

from __future__ import annotations

import codecs
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viewer.core.pickles.escapes import unescaped


def as_python_reads(text: bytes) -> bytes | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            return codecs.escape_decode(text)[0]
        except ValueError:
            return None


@settings(max_examples=500)
@given(st.lists(st.sampled_from([*b"\\\\\\\\x0123478aAfgn'\"\nbuU\xff"]), max_size=8).map(bytes))
def test_every_text_is_read_as_python_reads_it(text: bytes) -> None:
    try:
        found: bytes | None = unescaped(text)
    except ValueError:
        found = None
    assert found == as_python_reads(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (rb"a\x41\n\'\\", b"aA\n'\\"),
        (rb"\q", rb"\q"),
        (rb"\7\101\377\400", b"\x07A\xff\x00"),
        (b"a\\\nb", b"ab"),
        (rb"\u1234", rb"\u1234"),
    ],
)
def test_escapes(text: bytes, found: bytes) -> None:
    assert unescaped(text) == found


@pytest.mark.parametrize("text", [rb"\x", rb"\x4", rb"\xg1", b"abc\\"])
def test_escapes_that_are_not_whole(text: bytes) -> None:
    with pytest.raises(ValueError, match="escape"):
        unescaped(text)
