"""Letters of several bytes: what Python's own decoders find in the same bytes."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given

from viewer.ui.hexview.numbers import NO_BYTE
from viewer.ui.hexview.texts import ENCODINGS, NO_LETTERS, UNITS, Letters, letters, reach

TEXT = "Añ→漢𝄞é\u0301"


def values(data: bytes) -> npt.NDArray[np.int32]:
    return np.frombuffer(data, np.uint8).astype(np.int32)


def listed(found: Letters) -> list[tuple[int, int, str]]:
    rows = zip(found.at.tolist(), found.lengths.tolist(), found.points.tolist(), strict=True)
    return [(at, length, chr(point)) for at, length, point in rows]


def by_python(encoding: str, data: bytes) -> list[tuple[int, int, str]]:
    """Each letter that decodes by itself: at most four bytes, from every place that one may begin at."""
    found, unit = [], UNITS[encoding]
    for at in range(0, len(data), unit):
        for length in (2, 3, 4):
            try:
                text = data[at : at + length].decode(encoding)
            except UnicodeDecodeError:
                continue
            if at + length <= len(data) and len(text) == 1:
                found.append((at, length, text))
    return found


@pytest.mark.parametrize("encoding", UNITS)
def test_letters_take_their_bytes(encoding: str) -> None:
    data = TEXT.encode(encoding)
    found = listed(letters(encoding, values(data)))
    assert "".join(letter for _, _, letter in found) == TEXT.replace("A", "" if encoding == "utf-8" else "A")
    for at, length, letter in found:
        assert data[at : at + length].decode(encoding) == letter


@given(data=st.binary(max_size=40) | st.text(max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"\xc0\x80\xe0\x80\x80\xed\xa0\x80\xf0\x80\x80\x80\xf4\x90\x80\x80\xf5\x80\x80\x80")
@example(b"\xe6\xbc")
def test_wrong_utf_8_is_left_out(data: bytes) -> None:
    assert listed(letters("utf-8", values(data))) == by_python("utf-8", data)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@given(
    data=st.lists(st.sampled_from([0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x41, 0xFFFD, 0xE000]), max_size=12),
    odd=st.booleans(),
)
def test_wrong_surrogates_are_left_out(encoding: str, data: list[int], odd: bool) -> None:
    raw = b"".join(unit.to_bytes(2, "big" if encoding.endswith("be") else "little") for unit in data) + b"\0" * odd
    assert listed(letters(encoding, values(raw))) == by_python(encoding, raw)


def test_units_of_two_begin_where_they_are_said_to() -> None:
    data = b"\xff" + "ab".encode("utf-16-le")
    assert listed(letters("utf-16-le", values(data), 1)) == [(1, 2, "a"), (3, 2, "b")]


def test_no_letter_reaches_over_bytes_that_are_not_there() -> None:
    data = np.array([0xE6, 0xBC, NO_BYTE, 0x41, 0x00, 0x00, NO_BYTE, 0x3D, 0xD8, NO_BYTE, NO_BYTE], np.int32)
    assert listed(letters("utf-8", data)) == []
    assert listed(letters("utf-16-le", data, 3)) == [(3, 2, "A")]


def test_other_encodings_have_letters_of_one_byte() -> None:
    for encoding in set(ENCODINGS) - set(UNITS):
        assert letters(encoding, values(b"\xc3\xa9")) is NO_LETTERS
        assert reach(encoding) == 0
    assert reach("utf-8") == 3
