"""How the bytes look: each choice of the menu changes what is composed, and what stands where."""

import numpy as np
import pytest

from viewer.session.settings import BYTE_LOOK
from viewer.ui.hexview.layout import Form, Side
from viewer.ui.panes.hex import HexPane


@pytest.fixture
def pane(adam, shown):
    return shown(HexPane, adam)


def choose(pane, title, words):
    menu = next(action.menu() for action in pane.options.menu_now().actions() if action.text() == title)
    next(action for action in menu.actions() if action.text().startswith(words)).trigger()


def titles(pane, title):
    menu = next(action.menu() for action in pane.options.menu_now().actions() if action.text() == title)
    return {action.text(): action.isChecked() for action in menu.actions()}


def gutter(pane):
    """The pixels of the offsets, row by row."""
    surface = pane.view.surface
    surface.compose()
    return surface._canvas._offset_strip.pixels.copy()


def test_rows_are_as_wide_as_asked(pane):
    for words, width in (("8", 8), ("64", 64), ("At most 16", 16)):
        choose(pane, "Bytes in a row", words)
        assert pane.view.row_bytes == width
    pane.resize(2400, 480)
    choose(pane, "Bytes in a row", "As many")
    assert pane.view.row_bytes == 64
    assert titles(pane, "Bytes in a row")["As many as fit"]


def test_a_row_of_the_tensor(pane, adam):
    tensor = next(tensor for tensor in adam.document.tensors if len(tensor.shape) == 2)
    adam.select_tensor(tensor, "test")
    choose(pane, "Bytes in a row", "A row of the tensor")
    assert pane.view.row_bytes == tensor.shape[-1] * 4


@pytest.mark.parametrize(("words", "group"), [("1", 1), ("2", 2), ("8", 8), ("None", 1024)])
def test_groups_move_cells_and_clicks_alike(pane, words, group):
    choose(pane, "Groups of", words)
    layout = pane.view.surface.layout
    gaps = [
        layout.cell_x(column, Side.HEX) - layout.cell_x(column - 1, Side.HEX) - layout.metrics.cell
        for column in range(1, layout.row_bytes)
    ]
    assert [at for at, gap in enumerate(gaps, 1) if gap] == list(range(group, layout.row_bytes, group))
    for column in range(layout.row_bytes):
        x = layout.cell_x(column, Side.HEX) + layout.metrics.cell // 2
        assert layout.hit(x, 1, 0).offset == column
    pane.view.grab()


def test_decimal_offsets_are_drawn_as_their_digits(pane):
    pane.view.set_top_row(10)
    hexadecimal = gutter(pane)
    choose(pane, "Offsets", "Decimal")
    decimal = gutter(pane)
    # Row 10 begins at 0xA0 and 160; as a number in hexadecimal 160 is 0x160, the row 22.
    pane.view.set_top_row(22)
    choose(pane, "Offsets", "Hexadecimal")
    assert np.array_equal(gutter(pane)[0], decimal[0])
    assert not np.array_equal(hexadecimal[0], decimal[0])


def test_offsets_count_from_a_storage(pane, adam):
    tensor = adam.document.tensors[0]
    adam.select_tensor(tensor, "test")
    start = tensor.storage.span.start
    choose(pane, "Offsets count from", "The storage")
    assert pane.view.form.base == start
    assert pane.view.surface.labels[0] == "In storage"
    row = pane.view.surface.layout.row_of(start)
    pane.view.set_top_row(row - 2)
    pixels, pane_colour = gutter(pane), pane.view.surface.theme.color("pane").rgb()
    # What lies before it has no offset.
    assert (pixels[0] == pane_colour).all()
    assert not (pixels[2 + (start % 16 > 0)] == pane_colour).all()
    pane.options.forget_base()
    assert pane.view.form.base == 0


def test_only_what_is_there_can_be_counted_from(legacy, shown):
    pane = shown(HexPane, legacy)
    assert list(titles(pane, "Offsets count from")) == ["The file"]


def test_letters_of_other_encodings(opened, shown, tmp_path):
    path = tmp_path / "letters.bin"
    path.write_bytes(b"\xe9" * 64)
    pane = shown(HexPane, opened(path))
    surface = pane.view.surface
    surface.compose()
    dots = surface._canvas._text_strip.pixels.copy()
    choose(pane, "Letters", "Latin-1")
    surface.compose()
    assert not np.array_equal(dots, surface._canvas._text_strip.pixels)


def test_lines_stand_above_multiples(pane):
    pane.view.set_top_row(254)
    before = pane.view.grab().toImage()
    action = pane.options.menu_now().actions()[-1]
    action.trigger()
    after = pane.view.grab().toImage()
    metrics, theme = pane.view.surface.face.metrics, pane.view.surface.theme
    y = metrics.header + 2 * metrics.row
    x = pane.view.surface.layout.hex_x + pane.view.surface.layout.hex_width + 4
    assert after.pixelColor(x, y) == theme.color("muted")
    assert before.pixelColor(x, y) != theme.color("muted")
    rows = [
        row
        for row in range(8)
        if after.pixelColor(x, metrics.header + row * metrics.row) in (theme.color("muted"), theme.color("border"))
    ]
    assert rows == [2, 6]


def test_choices_come_back_in_the_next_pane(pane, adam, shown):
    choose(pane, "Bytes in a row", "24")
    choose(pane, "Groups of", "8")
    choose(pane, "Offsets", "Decimal")
    choose(pane, "Letters", "KOI8-R")
    again = shown(HexPane, adam)
    assert again.view.row_bytes == 24
    assert (again.view.form.group, again.view.form.radix) == (8, 10)
    assert titles(again, "Letters")["KOI8-R"]
    assert again.view.surface.encoding == "koi8-r"
    assert gutter(again)[0].tolist() == gutter(pane)[0].tolist()


@pytest.mark.parametrize("kept", [{"group": 3, "radix": "16", "fixed": 5000, "encoding": "x"}, {"most": None}, {}])
def test_kept_choices_that_cannot_be_are_left_out(adam, shown, kept):
    adam.habits.keep(BYTE_LOOK, kept)
    pane = shown(HexPane, adam)
    assert pane.view.form == Form()
    assert pane.view.surface.fixed is None
