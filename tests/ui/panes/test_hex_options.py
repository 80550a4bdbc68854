"""How the bytes look: each choice of the menu changes what is composed, and what stands where."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QSpinBox

from tests.ui.hexview.drawn import gutter_of, text_of
from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.session.settings import (
    BYTE_CELLS,
    BYTE_ENCODINGS,
    BYTE_GROUP,
    BYTE_LETTERS,
    BYTE_LINES,
    BYTE_ORDER,
    BYTE_RADIX,
    BYTE_ROW,
    BYTE_SHADING,
    BYTE_TYPES,
)
from viewer.ui.hexview.area import MOST_ROW_BYTES
from viewer.ui.hexview.layout import FORM, Side
from viewer.ui.hexview.numbers import LETTERS, Cells
from viewer.ui.hexview.texts import ENCODINGS
from viewer.ui.panes.hex import HexPane


@pytest.fixture
def pane(adam, shown):
    return shown(HexPane, adam)


def submenu(pane, title):
    return next(action.menu() for action in pane.options.menu_now().actions() if action.text() == title)


def choose(pane, title, words):
    menu = submenu(pane, title)
    next(action for action in menu.actions() if action.text().startswith(words)).trigger()


def titles(pane, title):
    menu = submenu(pane, title)
    return {action.text(): action.isChecked() for action in menu.actions()}


def gutter(pane):
    """The pixels of the offsets, row by row."""
    return gutter_of(pane.view.surface)


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


@pytest.mark.parametrize(("words", "group"), [("1", 1), ("2", 2), ("8", 8), ("None", MOST_ROW_BYTES)])
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
    dots = text_of(surface)
    choose(pane, "Letters", "Latin-1")
    assert not np.array_equal(dots, text_of(surface))


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
    assert again.view.surface.content.encoding == "koi8-r"
    assert gutter(again)[0].tolist() == gutter(pane)[0].tolist()


def test_what_can_be_chosen_is_what_can_be_shown():
    assert tuple(LETTERS) == BYTE_TYPES
    assert tuple(BYTE_ENCODINGS) == ENCODINGS


def test_a_view_begins_plain(pane):
    assert pane.view.form == FORM
    assert pane.view.surface.fixed is None


def test_choices_of_the_preferences_hold_at_once(pane, adam):
    habits = adam.habits
    habits.choose(BYTE_ROW, 37)
    habits.choose(BYTE_GROUP, 0)
    habits.choose(BYTE_LETTERS, "utf-8")
    habits.choose(BYTE_SHADING, True)
    assert pane.view.row_bytes == 37
    assert pane.view.form.group == MOST_ROW_BYTES
    assert pane.view.form.shading
    assert pane.view.surface.content.encoding == "utf-8"
    habits.choose(BYTE_CELLS, "float32")
    habits.choose(BYTE_ORDER, "big")
    assert pane.view.form.cells == Cells("float32", big=True)
    assert pane.view.row_bytes == 36, "whole cells"


def test_any_width_can_be_typed(pane):
    menu = submenu(pane, "Bytes in a row")
    field = menu.actions()[-1].defaultWidget().findChild(QSpinBox)
    field.setValue(21)
    assert pane.view.row_bytes == 21
    assert not any(titles(pane, "Bytes in a row").values())


def test_cells_of_the_tensor_begin_where_its_storage_does(pane, adam):
    tensor = next(tensor for tensor in adam.document.tensors if tensor.dtype == "float32" and tensor.elements > 4)
    adam.select_tensor(tensor, "test")
    choose(pane, "Cells", "As the tensor")
    start = tensor.storage.span.start
    layout = pane.view.surface.layout
    assert (layout.form.cells, layout.form.phase, layout.column_of(start)) == (Cells("float32"), start, 0)
    assert titles(pane, "Cells")["float32"]
    assert titles(pane, "Rows begin at")["The storage"]
    values = window.read(tensor).reshape(-1)
    pane.view.set_top_row(layout.row_of(start))
    pane.view.surface.look()
    numbers = pane.view.surface.content.numbers
    assert numbers.raw[:4].view("<f4").tolist() == values[:4].tolist()
    pane.options.forget_base()
    assert pane.view.form.phase == 0


def test_a_legacy_storage_is_shown_from_its_odd_offset(legacy, shown):
    pane = shown(HexPane, legacy)
    tensors = [tensor for tensor in legacy.document.tensors if tensor.storage and tensor.storage.span]
    tensor = next(tensor for tensor in tensors if tensor.storage.span.start % 4 and tensor.dtype == "float32")
    legacy.select_tensor(tensor, "test")
    choose(pane, "Cells", "float32")
    start, layout = tensor.storage.span.start, pane.view.surface.layout
    assert (start - layout.form.phase) % 4 == 0
    assert layout.grain(Side.HEX).start(start + 3) == start
    # The keys and the mouse select whole elements.
    pane.view.go_to(start)
    QTest.keyClick(pane.view.viewport(), Qt.Key.Key_Right)
    assert pane.view.selected_span() == Span(start + 4, start + 8)
    QTest.keyClick(pane.view.viewport(), Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert pane.view.selected_span() == Span(start + 4, start + 12)
    choose(pane, "Cells", "Bytes")
    assert pane.view.selected_span() == Span(start + 4, start + 12), "other cells keep what is selected"


def test_rows_begin_at_the_caret(pane):
    pane.view.go_to(0x45)
    choose(pane, "Rows begin at", "The caret")
    assert pane.view.surface.layout.column_of(0x45) == 0
    pane.view.go_to(0x60)
    choose(pane, "Groups of", "8")
    assert pane.view.surface.layout.column_of(0x45) == 0, "it stays where it was"
    choose(pane, "Rows begin at", "The file")
    assert pane.view.surface.layout.column_of(0) == 0


def test_the_rows_of_a_tensor_begin_with_it_and_are_its_own(pane, adam):
    tensor = next(tensor for tensor in adam.document.tensors if len(tensor.shape) == 2)
    adam.select_tensor(tensor, "test")
    choose(pane, "Bytes in a row", "A row of the tensor")
    start = window.span(tensor).start
    assert pane.view.surface.layout.column_of(start) == 0
    assert adam.habits.chosen(BYTE_ROW) == 0, "it is no width for other files"
    assert titles(pane, "Bytes in a row")[f"A row of the tensor, {tensor.shape[-1] * 4}"]
    choose(pane, "Bytes in a row", "16")
    assert pane.view.row_bytes == 16


def test_the_menu_is_also_a_command(pane, monkeypatch):
    opened = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, point: opened.append([action.text() for action in menu.actions()]))
    pane.commands()["view.byte_look"]()
    assert opened[0][:2] == ["Cells", "Bytes in a row"]


def test_a_switch_holds_for_the_next_pane(pane, adam, shown):
    action = next(action for action in pane.options.menu_now().actions() if action.text().startswith("Colour"))
    action.trigger()
    assert adam.habits.chosen(BYTE_SHADING)
    assert not adam.habits.chosen(BYTE_LINES)
    assert shown(HexPane, adam).view.form.shading


def test_cells_follow_the_storage_that_is_selected(legacy, shown):
    legacy.habits.choose(BYTE_CELLS, "float32")
    pane = shown(HexPane, legacy)
    assert pane.view.form.phase == 0
    tensors = [tensor for tensor in legacy.document.tensors if tensor.storage and tensor.storage.span]
    for tensor in (tensors[0], tensors[-1], tensors[1]):
        legacy.select_tensor(tensor, "test")
        start, layout = tensor.storage.span.start, pane.view.surface.layout
        assert layout.grain(Side.HEX).start(start + 2) == start
        pane.view.set_top_row(layout.row_of(start))
        pane.view.surface.look()
        content = pane.view.surface.content
        first = (start - content.first) // 4
        assert content.numbers.raw[first : first + 1].view("<f4") == window.read(tensor).reshape(-1)[0]
    choose(pane, "Rows begin at", "The file")
    legacy.select_tensor(tensors[0], "test")
    assert pane.view.form.phase == 0, "a choice is kept"
    choose(pane, "Cells", "As the tensor")
    assert (tensors[0].storage.span.start - pane.view.form.phase) % 4 == 0


def test_cells_that_are_chosen_elsewhere_begin_with_the_storage_too(legacy, shown):
    pane = shown(HexPane, legacy)
    tensors = (tensor for tensor in legacy.document.tensors if tensor.storage and tensor.storage.span)
    tensor = next(tensor for tensor in tensors if tensor.storage.span.start % 4)
    legacy.select_tensor(tensor, "test")
    legacy.habits.choose(BYTE_CELLS, "float32")
    start = tensor.storage.span.start
    assert pane.view.surface.layout.grain(Side.HEX).start(start + 2) == start
    choose(pane, "Rows begin at", "The file")
    legacy.habits.choose(BYTE_CELLS, "int32")
    assert pane.view.form.phase == 0, "a choice is kept"


def test_a_click_on_the_offsets_shows_them_in_the_other_radix(legacy, shown, qtbot):
    pane = shown(HexPane, legacy)
    view, look = pane.view, pane.options.look
    view.go_to(40)
    gutter = QPoint(30, 60)
    assert view.in_gutter(gutter)
    assert view.gutter_words(gutter) == "Click: offsets in decimal"
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, gutter)
    assert (look.get(BYTE_RADIX), view.form.radix, view.caret) == (10, 10, 40)
    assert view.gutter_words(gutter) == "Click: offsets in hexadecimal"
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, gutter)
    assert view.form.radix == 16
    assert view.gutter_words(QPoint(200, 60)) == ""
