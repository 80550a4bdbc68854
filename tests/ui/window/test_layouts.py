"""Where panes stand, as plain values: made from what the panes say and from the size of the window."""

from __future__ import annotations

import pytest

from tests.ui.shell import SMALL_PANES, small
from viewer.ui.pane import Area
from viewer.ui.window.layouts import Known, Layout, Room, Split, Tabs, leaves, plan, sized_by

KNOWN = Known.of(SMALL_PANES)
LARGE, NARROW, LOW = Room.of(1440, 900), Room.of(1100, 900), Room.of(1440, 650)


def tabs(layout: Layout, room: Room, known: Known = KNOWN) -> list[tuple[str, ...]]:
    return [place.keys for place in leaves(plan(layout, known, room))]


def test_rooms() -> None:
    assert Room.of(1200, 800) == Room(narrow=False, low=False, short=False)
    assert Room.of(1199, 799) == Room(narrow=True, low=False, short=True)
    assert Room.of(900, 600) == Room(narrow=True, low=True, short=True)


def test_the_default_layout_is_that_of_the_picture() -> None:
    assert tabs(Layout.BYTES, LARGE) == [
        ("contents",),
        ("opcodes",),
        ("hex",),
        ("inspector",),
        ("problems", "tensors"),
        ("summary", "source"),
        ("tensor",),
    ]
    whole = plan(Layout.BYTES, KNOWN, LARGE)
    assert not whole.vertical
    assert [type(part) for part in whole.parts] == [Split, Split]
    assert whole.parts[1].size == 436


def test_structure_shares_one_place_where_height_lacks() -> None:
    assert tabs(Layout.BYTES, Room.of(1440, 780))[:2] == [("contents", "opcodes"), ("hex",)]


def test_what_the_file_opens_on_has_the_height_where_it_lacks() -> None:
    room = Room.of(1366, 768)
    size = {place.keys: place.size for place in leaves(plan(Layout.BYTES, KNOWN, room))}
    assert (size[("hex",)], size[("inspector",)]) == (0, 144)
    assert (size[("summary", "source")], size[("tensor",)]) == (0, 240)


def test_narrow_windows_put_the_right_column_behind_the_bytes() -> None:
    assert tabs(Layout.BYTES, NARROW) == [
        ("contents", "opcodes"),
        ("hex", "summary", "source", "tensor", "inspector"),
        ("problems", "tensors"),
    ]


def test_low_windows_fold_what_lies_below() -> None:
    folded = {place.keys: place.folded for place in leaves(plan(Layout.BYTES, KNOWN, LOW))}
    assert folded[("inspector",)]
    assert folded[("problems", "tensors")]
    assert not folded[("hex",)]


def test_places_without_panes_are_left_out() -> None:
    known = Known.of([small("hex", "Bytes", Area.BYTES)])
    assert plan(Layout.BYTES, known, LARGE) == Split((Tabs(("hex",)),))
    assert plan(Layout.BYTES, Known.of([]), LARGE) == Split(())


def test_a_new_pane_stands_in_its_area_by_its_order() -> None:
    known = Known.of(
        [*SMALL_PANES, small("imports", "Imports", Area.BOTTOM), small("effect", "Effect", Area.STRUCTURE, 2)]
    )
    assert ("problems", "imports", "tensors") in tabs(Layout.BYTES, LARGE, known)
    assert ("opcodes", "effect") in tabs(Layout.BYTES, LARGE, known)


@pytest.mark.parametrize("room", [LARGE, NARROW, LOW, Room.of(900, 600)])
@pytest.mark.parametrize("layout", list(Layout))
def test_no_pane_stands_twice(layout: Layout, room: Room) -> None:
    keys = [key for place in tabs(layout, room) for key in place]
    assert len(keys) == len(set(keys))
    assert "hex" in keys


@pytest.mark.parametrize(
    ("layout", "front"), [(Layout.STRUCTURE, "opcodes"), (Layout.TENSORS, "tensors"), (Layout.SOURCE, "source")]
)
def test_each_layout_shows_what_it_is_named_after(layout: Layout, front: str) -> None:
    assert front in [place.front for place in leaves(plan(layout, KNOWN, LARGE))]


def test_the_pane_that_gives_a_part_its_size() -> None:
    row = Split((Tabs(("a",)), Tabs(("b",))))
    column = Split((row, Tabs(("c",))), vertical=True)
    assert sized_by(column, vertical=False) == "c"
    assert sized_by(row, vertical=True) == "a"
    assert sized_by(row, vertical=False) is None
