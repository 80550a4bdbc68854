from __future__ import annotations

import pytest

from viewer.ui.hexview.copying import Copied, as_hex, as_text


def test_bytes_as_hex() -> None:
    assert as_hex(b"\x80\x02\x8a\n") == "80 02 8A 0A"
    assert as_hex(b"") == ""


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"torch._utils", "torch._utils"), ("é−".encode(), "é−"), (b"a\x80b\xff", "a\\x80b\\xff"), (b"a\0b", "a\\x00b")],
)
def test_bytes_as_text(data: bytes, text: str) -> None:
    assert as_text(data) == text


def test_a_copy_says_whether_it_is_whole() -> None:
    assert Copied(5, 5).whole
    assert not Copied(5, 6).whole
