"""Bytes kept as text of latin-1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.source import MemorySource
from viewer.core.tensors import latin
from viewer.core.tensors.latin import LatinError, LatinSource


def source(data: bytes, before: bytes = b"") -> LatinSource:
    text = data.decode("latin-1").encode()
    return LatinSource(MemorySource(before + text + b"behind"), len(before), len(before) + len(text))


@given(st.binary(max_size=60), st.integers(0, 70), st.integers(0, 70), st.integers(1, 7))
def test_any_part_of_any_bytes(data: bytes, offset: int, length: int, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(latin, "BLOCK", block)
        made = source(data, b"before")
        assert made.size == len(data)
        assert made.read(offset, length) == data[offset : offset + length]
        assert made.plain == data.isascii()


def test_large_text_is_read_in_part() -> None:
    data = bytes(range(256)) * 4096
    made = source(data)
    assert made.read(700_001, 1000) == data[700_001:701_001]


def test_characters_beyond_latin_1() -> None:
    text = "a\u0100".encode()
    with pytest.raises(LatinError):
        LatinSource(MemorySource(text), 0, len(text))
