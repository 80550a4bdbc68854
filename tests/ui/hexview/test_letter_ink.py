"""Letters of several bytes stand over the cells of their bytes, in the ink of these."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.hexview import drawn as pictures
from tests.ui.hexview.readers import regions
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.ui.hexview import atlas, letter_ink
from viewer.ui.hexview.atlas import DOT, Pixels
from viewer.ui.hexview.layout import Form
from viewer.ui.hexview.letter_ink import LetterInk, letter_of
from viewer.ui.hexview.marks import Marks, RegionRun
from viewer.ui.hexview.surface import Surface
from viewer.ui.theme import Theme, load_theme


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return load_theme("light")


def text_of(
    theme: Theme, data: bytes, encoding: str, width: int = 8, phase: int = 0, selected: Span | None = None
) -> Pixels:
    """The text column of some bytes: shape (rows, height, columns, pixels of a cell)."""
    surface = Surface(theme)
    surface.content.reader = MemorySource(data)
    surface.content.regions = regions([RegionRun(8, 16, "float32")])
    surface.content.encoding = encoding
    surface.form, surface.fixed = Form(phase=phase), width
    surface.dress(theme, 1.0, 1.0)
    metrics = surface.face.metrics
    surface.arrange(900, metrics.header + 4 * metrics.row)
    if selected:
        surface.mark(Marks(selected, selected.start, focused=True))
    return pictures.text_of(surface).reshape(4, metrics.row, width, metrics.text)


def inked(cells: Pixels) -> list[bool]:
    """Which cells of a row hold more than one colour in their middle lines."""
    return [len(np.unique(cells[5:15, column])) > 1 for column in range(cells.shape[1])]


def test_a_letter_takes_the_cells_of_its_bytes(theme: Theme) -> None:
    drawn = text_of(theme, "a漢b".encode() + b"xyz", "utf-8")[0]
    assert inked(drawn)[0]
    assert any(inked(drawn)[1:4])
    dots = text_of(theme, "a漢b".encode() + b"xyz", "ascii")[0]
    assert np.array_equal(drawn[:, 0], dots[:, 0])
    assert np.array_equal(drawn[:, 4:], dots[:, 4:])
    assert not np.array_equal(drawn[:, 1:4], dots[:, 1:4])


def test_wrong_sequences_stay_dots(theme: Theme) -> None:
    data = b"\xff\xc3(\xe6\xbc!\xed\xa0"
    assert np.array_equal(text_of(theme, data, "utf-8"), text_of(theme, data, "ascii"))


def test_a_letter_over_two_rows_stands_in_the_first(theme: Theme) -> None:
    rows = text_of(theme, b"abcdefg" + "é".encode() + b"1234567", "utf-8")
    assert inked(rows[0])[7]
    assert not inked(rows[1])[0]
    assert inked(rows[1])[1]


def test_letters_have_the_ink_of_their_cells(theme: Theme) -> None:
    drawn = text_of(theme, "éééé".encode() * 3, "utf-8", selected=Span(20, 22))
    ground = [int(drawn[row, 3, 2, 0]) for row in range(3)]
    assert ground[1] == theme.region("float32").fill.rgb()
    assert int(drawn[2, 3, 4, 0]) == theme.color("passive").rgb()
    # The darkest pixel of a letter is nearly the ink.
    for row in range(3):
        darkest = min(int(pixel) & 0xFF for pixel in drawn[row].reshape(-1))
        assert darkest <= theme.color("text").blue() + 40


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_units_of_two_bytes_follow_the_rows(theme: Theme, encoding: str) -> None:
    data = b"\xff" + "漢字ab".encode(encoding) * 3
    shifted = text_of(theme, data, encoding, phase=1)
    straight = text_of(theme, data[1:], encoding)
    assert np.array_equal(shifted[3], straight[2])
    assert all(inked(shifted[3].reshape(shifted.shape[1], 4, -1)))


def test_more_letters_than_are_kept(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letter_ink, "MOST", 3)
    ink = LetterInk(atlas.face(theme, 1.0))
    first = ink._drawn(2, np.array([0xE9, 0xE8], np.int32))
    ink._drawn(2, np.array([0x416, 0x417, 0x418, 0x419], np.int32))
    assert np.array_equal(ink._drawn(2, np.array([0xE9, 0xE8, 0xE9], np.int32))[:2], first)
    assert len(ink._slots[2]) <= 4


def test_a_wide_letter_fits_its_cells(theme: Theme) -> None:
    ink = LetterInk(atlas.face(theme, 1.0))
    narrow = ink._drawn(1, np.array([0x6F22], np.int32))[0]
    assert narrow.shape[1] == atlas.face(theme, 1.0).metrics.text
    assert narrow.any()


def test_what_cannot_be_seen_is_a_dot() -> None:
    assert [letter_of(point) for point in (0x200B, 0x85, 0xE000, 0x41)] == [DOT, DOT, DOT, "A"]
    assert letter_of(0x301) == "\u25cc\u0301"
