"""Ways from a byte: its owner, what that is a part of, runs, the offset that it holds."""

import struct
from itertools import pairwise

import pytest
from PySide6.QtWidgets import QMenu

from viewer.core.span import Span
from viewer.ui.panes.hex import HexPane


@pytest.fixture
def pane(adam, shown):
    return shown(HexPane, adam)


def test_parents_go_outwards_to_the_file(pane, adam):
    tensor = next(tensor for tensor in adam.document.tensors if tensor.storage.span.length > 8)
    at = tensor.storage.span.start
    found = []
    pane.ways.to_owner(at)
    for _ in range(8):
        found.append(pane.view.selected_span())
        pane.ways.to_parent(at)
    assert all(after.contains_span(before) for before, after in pairwise(found))
    assert found[-1] == Span(0, adam.source.size)
    assert len(set(found)) > 2
    assert adam.selection.spans == (found[-1],)


def test_the_owner_is_what_all_panes_take_as_selected(pane, adam):
    opcode = adam.document.pickles[0]
    at = opcode.span().start + 1
    pane.ways.to_owner(at)
    assert adam.selection.spans == (pane.view.selected_span(),) == (Span(at - 1, at + 1),)
    assert adam.selection.opcode is not None
    tensor = next(tensor for tensor in adam.document.tensors if tensor.storage.span.length > 8)
    pane.ways.to_owner(tensor.storage.span.start + 5)
    assert adam.selection.spans == (pane.view.selected_span(),)
    assert pane.view.selected_span().length > 1
    assert adam.document.tensors[adam.selection.tensor] is tensor


def test_a_run_of_zeros_is_skipped(opened, shown, qtbot, tmp_path):
    path = tmp_path / "zeros.bin"
    path.write_bytes(b"ab" + bytes(5000) + b"c")
    session = opened(path)
    pane = shown(HexPane, session)
    pane.view.go_to(2)
    pane.commands()["go.run_end"]()
    qtbot.waitUntil(lambda: pane.view.caret == 5002)
    pane.commands()["go.run_start"]()
    qtbot.waitUntil(lambda: pane.view.caret == 2)
    pane.view.go_to(5002)
    pane.commands()["go.run_end"]()
    qtbot.waitUntil(lambda: session.selection.spans == (Span(5002, 5003),))


def test_a_value_is_followed_as_an_offset(opened, shown, tmp_path):
    path = tmp_path / "offsets.bin"
    path.write_bytes(b"\xff" * 4 + struct.pack("<I", 100) + bytes(300))
    session = opened(path)
    pane = shown(HexPane, session)
    pane.view.go_to(4)
    assert pane.ways.targets() == [(100, "uint16, little-endian")]
    menu = QMenu()
    pane.ways.add_to(menu)
    follow = menu.actions()[-1].menu()
    follow.actions()[0].trigger()
    assert pane.view.caret == 100
    assert session.selection.spans == (Span(100, 101),)


def test_ranges_of_a_selection_are_those_of_the_session(pane, adam):
    adam.select_bytes((Span(0, 2), Span(10, 12)), "test")
    assert pane.view.selected_spans() == (Span(0, 2), Span(10, 12))


def test_bookmarks_have_keys_in_the_order_of_their_bytes(pane, adam, qtbot):
    for at in (300, 100):
        pane.view.select(Span(at, at + 4))
        pane.copying.bookmark()
    pane.commands()["go.bookmark_1"]()
    assert adam.selection.spans == (Span(100, 104),)
    pane.commands()["go.bookmark_2"]()
    assert adam.selection.spans == (Span(300, 304),)
    with qtbot.waitSignal(pane.message) as told:
        pane.commands()["go.bookmark_3"]()
    assert told.args[1] == "These bytes have no bookmark 3"
    assert adam.selection.spans == (Span(300, 304),)
