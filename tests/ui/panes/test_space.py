"""The map of the space: what it shows, how it is walked, what a click selects, and what is said of waste."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import torch_zip
from viewer.core.space.account import What
from viewer.core.space.nodes import By, Kind
from viewer.ui.models.space_words import tip_of, title_of
from viewer.ui.panes.space import SpacePane
from viewer.ui.panes.values import ValuesPane
from viewer.ui.theme import load_theme

SIX = storage("float32", range(600))


@pytest.fixture
def space(opened, shown, qtbot, tmp_path):
    """The pane over a file with two branches and a slice that keeps its storage."""
    path = tmp_path / "slice.pt"
    values = {"a.w": full("float32", (500,), range(500)), "a.b": full("float32", (100,), range(100))}
    path.write_bytes(torch_zip({**values, "slice": tensor(SIX, (20,), (1,))}))
    pane = shown(SpacePane, opened(path))
    qtbot.waitUntil(lambda: pane.nodes is not None)
    return pane


def tile_of(pane, kind, label):
    return next(at for at, tile in enumerate(pane.map.tiles) if tile.node.kind is kind and tile.node.label == label)


def middle(rect):
    return QPoint(int(rect.x + rect.width / 2), int(rect.y + rect.height / 2))


def test_the_account_adds_up_to_the_file(space):
    rows = [[space.model.index(row, column).data() for column in (0, 1)] for row in range(space.model.rowCount())]
    total = space.session.source.size
    assert rows[-1] == ["In the file", f"{total:,}"]
    assert sum(int(nbytes.replace(",", "")) for _, nbytes in rows[:-1]) == total
    assert ["Stored, in no tensor", "2,320"] in [[name.strip(), nbytes] for name, nbytes in rows]


def test_waste_is_said_with_what_a_compact_export_takes(space):
    assert space.waste.text().startswith("2,320 of 4,800 stored bytes are used by no tensor. A compact state_dict")
    assert space.compact.isVisible()


@pytest.mark.parametrize(("cls", "found"), [(SpacePane, "nodes"), (ValuesPane, "tables")])
def test_what_was_stopped_begins_again_when_it_is_looked_at(cls, found, opened, qtbot, tmp_path):
    path = tmp_path / "a.pt"
    path.write_bytes(torch_zip({"w": full("float32", (5,), range(5)), "lr": 0.1}))
    pane = cls(opened(path), load_theme("light"))
    qtbot.addWidget(pane)
    pane._work_out()
    for key in list(pane.session.jobs._running):
        pane.session.cancel(key)
    assert getattr(pane, found) is None
    with qtbot.waitExposed(pane):
        pane.show()
    qtbot.waitUntil(lambda: getattr(pane, found) is not None)


def test_a_click_selects_the_tensor(space, qtbot):
    tile = space.map.tiles[tile_of(space, Kind.TENSOR, "w")]
    qtbot.mouseClick(space.map, Qt.MouseButton.LeftButton, pos=middle(tile.rect))
    assert space.session.selection.tensor == tile.node.number
    assert space.map.accessibleDescription().startswith("a.w, 2,000 bytes")


def test_keys_walk_and_look_into_frames(space, qtbot):
    space.map.setFocus()
    qtbot.keyClick(space.map, Qt.Key.Key_Right)
    assert space.map.current is not None
    assert not space.map.current.is_frame
    space.look_into(space.map.tiles[tile_of(space, Kind.BRANCH, "a")].node)
    assert {tile.node.label for tile in space.map.tiles} == {"w", "b"}
    assert "a" in space.crumbs.text()
    qtbot.keyClick(space.map, Qt.Key.Key_Backspace)
    qtbot.keyClick(space.map, Qt.Key.Key_Backspace)
    assert space.map.tiles[0].node.kind is Kind.GROUP


def test_by_storage_each_storage_tells_its_waste(space):
    space.by.choose("storage")
    wasted = [tile.node.nbytes for tile in space.map.tiles if tile.node.what is What.WASTED]
    assert wasted == [2320]


def test_another_document_is_counted_anew(space, qtbot):
    before = space.nodes
    space.session.reread(byteorder="big")
    qtbot.waitUntil(lambda: space.nodes is not None and space.nodes is not before)
    assert space.nodes.account.size == space.session.source.size


def test_parts_of_the_container_are_called_by_words(space):
    (headers,) = [node for node in space.nodes.children(space.nodes.root(By.BRANCH)) if node.what is What.HEADERS]
    found = {title_of(node) for node in space.nodes.children(headers)}
    assert found == {("local header", False), ("descriptor", False), ("directory entry", False), ("end record", False)}
    assert tip_of(space.nodes, space.nodes.children(headers)[0]).split("\n")[0] in {name for name, _ in found}


def test_bytes_that_are_missing_are_a_row_outside_of_the_sum(opened, shown, qtbot, tmp_path):
    path = tmp_path / "cut.safetensors"
    path.write_bytes(safetensors({"w": entry("U8", [40], 0, 40)}, bytes(15)))
    pane = shown(SpacePane, opened(path))
    qtbot.waitUntil(lambda: pane.nodes is not None)
    rows = [[pane.model.index(row, column).data() for column in range(3)] for row in range(pane.model.rowCount())]
    assert [row[1] for row in rows[-2:]] == [f"{path.stat().st_size:,}", "25"]
    assert rows[-1][0].strip() == "Missing"
    assert not rows[-1][2]
    pane.table.setCurrentIndex(pane.model.index(len(rows) - 1, 0))
    assert pane.map.tiles[0].node.kind is Kind.GROUP


def test_tab_to_the_account_leaves_the_map_as_it_is_until_a_row_is_chosen(space, qtbot):
    before = space.crumbs.text()
    space.table.setFocus(Qt.FocusReason.TabFocusReason)
    assert not space.table.currentIndex().isValid()
    assert space.crumbs.text() == before
    qtbot.mouseClick(
        space.table.viewport(),
        Qt.MouseButton.LeftButton,
        pos=space.table.visualRect(space.model.index(0, 0)).center(),
    )
    assert space.crumbs.text() != before
