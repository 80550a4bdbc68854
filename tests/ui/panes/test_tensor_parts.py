"""Tensors that are more than plain elements in the Tensor pane: what their numbers mean, and their parts as links."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from tests.builders.torch_values import Storage, full, storage
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global
from viewer.core.source import SliceSource
from viewer.core.span import Span
from viewer.core.summary.contents import Contents
from viewer.core.tensors.columns import By
from viewer.core.tensors.window import element_offset, span
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.previews.channels import ChannelsPreview
from viewer.ui.previews.entries import EntriesPreview
from viewer.ui.previews.facts import FactsPreview
from viewer.ui.previews.held import HeldPreview
from viewer.ui.previews.parts import PartsPreview
from viewer.ui.previews.values import ValuesPreview
from viewer.ui.theme import load_theme
from viewer.ui.widgets.labels import ElidedLabel

HOOKS: OrderedDict[str, object] = OrderedDict()
QUANTIZER = (
    Global("torch", "per_channel_affine"),
    full("float64", (2,), [1, 10]),
    full("int64", (2,), [0, 1]),
    0,
)
QUANTISED = Call(
    Global("torch._utils", "_rebuild_qtensor"),
    (storage("qint8", range(6)), 0, (2, 3), (3, 1), QUANTIZER, False, HOOKS),
)
SPARSE = Call(
    Global("torch._utils", "_rebuild_sparse_tensor"),
    (
        Global("torch", "sparse_coo"),
        (full("int64", (2, 2), [0, 1, 2, 0]), full("float32", (2,), [7, 8]), (2, 3), True),
    ),
)
PAIRS = Call(
    Global("torch._utils", "_rebuild_tensor_v3"),
    (
        *(Storage("float4_e2m1fn_x2", bytes([0x72, 0xF1])), 0, (2,), (1,), False, HOOKS),
        Global("torch", "float4_e2m1fn_x2"),
    ),
)


NESTED = Call(
    Global("torch._utils", "_rebuild_nested_tensor"),
    (
        full("float32", (10,), range(10)),
        full("int64", (2, 2), [2, 3, 2, 2]),
        full("int64", (2, 2), [3, 1, 2, 1]),
        full("int64", (2,), [0, 6]),
    ),
)
BLOCKS = Call(
    Global("torch._utils", "_rebuild_sparse_tensor"),
    (
        Global("torch", "sparse_bsr"),
        (
            full("int64", (3,), [0, 1, 2]),
            full("int64", (2,), [1, 0]),
            full("float32", (2, 1, 2), [1, 2, 3, 4]),
            (2, 4),
        ),
    ),
)


@pytest.fixture
def session(opened, tmp_path):
    path = tmp_path / "parts.pt"
    path.write_bytes(torch_zip({"q": QUANTISED, "s": SPARSE, "p": PAIRS, "n": NESTED, "b": BLOCKS}))
    return opened(path)


def preview_of(pane, cls):
    return next(preview for preview in pane.previews if isinstance(preview, cls))


def cells(pane):
    model = preview_of(pane, ValuesPreview).model
    rows = range(model.rowCount())
    return [[model.index(row, column).data() for column in range(model.columnCount())] for row in rows]


BREAKS = "\u200b"


def facts_of(pane):
    form = preview_of(pane, FactsPreview).form
    rows = range(form.rowCount())
    return {
        form.itemAt(row, form.ItemRole.LabelRole).widget().text(): form.itemAt(row, form.ItemRole.FieldRole)
        .widget()
        .text()
        .replace(BREAKS, "")
        for row in rows
    }


def select(session, pane, name):
    tensor = next(tensor for tensor in session.document.tensors if tensor.name == name)
    session.select_tensor(tensor, "test")
    return tensor


def test_numbers_and_stored_integers(session, shown):
    pane = shown(TensorPane, session)
    select(session, pane, "q")
    choice = preview_of(pane, ValuesPreview).meaning
    assert choice.isVisible()
    assert cells(pane) == [["0", "1.000", "2.000"], ["20.00", "30.00", "40.00"]]
    choice.setCurrentIndex(1)
    choice.activated.emit(1)
    assert cells(pane) == [["0", "1", "2"], ["3", "4", "5"]]
    facts = facts_of(pane)
    assert (facts["Quantizer"], facts["Scale"], facts["Zero point"]) == ("per_channel_affine", "1.000, 10.00", "0, 1")
    assert facts["Axis"] == "0"


def test_pairs_of_floats(session, shown):
    pane = shown(TensorPane, session)
    select(session, pane, "p")
    assert cells(pane) == [["1.000, 6.000"], ["0.5000, \u22126.000"]]


def test_parts_are_links(session, shown):
    pane = shown(TensorPane, session)
    whole = select(session, pane, "s")
    assert (facts_of(pane)["Density"], facts_of(pane)["Coalesced"]) == ("2 / 6", "yes")
    assert not preview_of(pane, ValuesPreview).isVisible()
    links = preview_of(pane, PartsPreview).links
    assert [link.text() for link in links] == ["Whole", "indices", "values"]
    links[2].click()
    assert cells(pane) == [["7.000"], ["8.000"]]
    assert session.selection.spans == (span(whole.parts[1][1]),)
    assert [link.isChecked() for link in links] == [False, False, True]
    preview_of(pane, ValuesPreview).grid.setCurrentIndex(preview_of(pane, ValuesPreview).model.index(1, 0))
    assert session.selection.spans[0].length == 4
    links[0].click()
    assert not preview_of(pane, ValuesPreview).isVisible()
    assert pane.shape.text() == "[2, 3]"


def test_a_part_stays_in_view_when_the_theme_changes(session, shown):
    pane = shown(TensorPane, session)
    select(session, pane, "s")
    preview_of(pane, PartsPreview).links[1].click()
    pane.set_theme(load_theme("dark"))
    assert [link.isChecked() for link in preview_of(pane, PartsPreview).links] == [False, True, False]
    assert cells(pane) == [["0", "1"], ["2", "0"]]


def test_plain_tensors_have_neither(legacy, shown):
    pane = shown(TensorPane, legacy)
    legacy.select_tensor(legacy.document.tensors[0], "test")
    assert not preview_of(pane, PartsPreview).isVisible()
    assert not preview_of(pane, ValuesPreview).meaning.isVisible()


def test_a_byte_of_a_part_selects_the_whole(session, shown):
    pane = shown(TensorPane, session)
    sparse = next(tensor for tensor in session.document.tensors if tensor.name == "s")
    session.select_bytes((span(sparse.parts[0][1]),), "test")
    assert session.selection.tensor == sparse.index
    assert pane.shape.text() == "[2, 3]"


def test_what_a_part_is_has_the_room_beside_its_link(qtbot, session, shown):
    pane = shown(TensorPane, session)
    select(session, pane, "s")
    parts = preview_of(pane, PartsPreview)
    labels = parts.findChildren(ElidedLabel)
    assert [label.text() for label in labels] == ["float32 [2, 3]", "int64 [2, 2]", "float32 [2]"]
    qtbot.waitUntil(lambda: all(label.width() > 400 for label in labels))
    assert {link.x() for link in parts.links} == {0}


def rows_of(model):
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


def test_a_sparse_tensor_is_a_table_of_entries_that_select_their_bytes(session, shown):
    pane = shown(TensorPane, session)
    whole = select(session, pane, "s")
    view = preview_of(pane, EntriesPreview)
    assert view.isVisible()
    assert rows_of(view.model) == [["[0, 2]", "7.000"], ["[1, 0]", "8.000"]]
    assert view.words.text() == "2 of 6 elements are stored: density 33.33 %."
    view.table.setCurrentIndex(view.model.index(1, 0))
    indices, values = (part for _, part in whole.parts)
    wanted = (element_offset(values, (1,)), element_offset(indices, (0, 1)), element_offset(indices, (1, 1)))
    assert session.selection.spans == wanted
    assert (session.selection.tensor, session.selection.element) == (whole.index, (1, 0))
    assert view.isVisible()
    session.select_bytes((Span(wanted[0].start + 1, wanted[0].start + 2),), "hex")
    assert (session.selection.tensor, session.selection.element) == (whole.index, (1, 0))
    session.select_bytes((element_offset(indices, (1, 0)),), "hex")
    assert session.selection.element == (0, 2)
    assert QAccessible.queryAccessibleInterface(view.table).text(QAccessible.Text.Name)


def test_the_elements_of_blocks_have_the_index_that_they_have_in_the_whole(session, shown):
    pane = shown(TensorPane, session)
    select(session, pane, "b")
    found = rows_of(preview_of(pane, EntriesPreview).model)
    assert found == [["[0, 2]", "1.000"], ["[0, 3]", "2.000"], ["[1, 0]", "3.000"], ["[1, 1]", "4.000"]]


def test_entries_whose_bytes_are_missing_are_dashes(session, shown, monkeypatch):
    pane = shown(TensorPane, session)
    whole = select(session, pane, "s")
    values = whole.parts[1][1]
    values.storage = replace(values.storage, source=SliceSource(values.storage.source, 0, 4))
    select(session, pane, "q")
    select(session, pane, "s")
    assert rows_of(preview_of(pane, EntriesPreview).model) == [["[0, 2]", "7.000"], ["\u2014", "\u2014"]]


def test_a_nested_tensor_lists_its_tensors_and_each_is_a_view(session, shown):
    pane = shown(TensorPane, session)
    whole = select(session, pane, "n")
    view = preview_of(pane, HeldPreview)
    assert view.isVisible()
    values = dict(whole.parts)["values"]
    start = span(values).start
    assert [row[:2] for row in rows_of(view.model)] == [["[2, 3]", "6"], ["[2, 2]", "4"]]
    view.table.setCurrentIndex(view.model.index(1, 0))
    assert session.selection.spans == (Span(start + 24, start + 40),)
    assert view.isVisible()
    view.table.activated.emit(view.model.index(1, 0))
    assert cells(pane) == [["6.000", "7.000"], ["8.000", "9.000"]]
    assert (pane.name.text(), pane.shape.text()) == ("n[1]", "[2, 2]")
    links = preview_of(pane, PartsPreview).links
    links[0].click()
    assert view.isVisible()
    assert pane.name.text() == "n"
    links[1].click()
    assert pane.name.text() == "n.values"


def test_scale_and_zero_point_of_each_channel_stand_beside_the_values(session, shown):
    pane = shown(TensorPane, session)
    pane.resize(900, 760)
    select(session, pane, "q")
    pane.switch.choose("channels")
    assert preview_of(pane, ValuesPreview).isVisible()
    assert preview_of(pane, ChannelsPreview).isVisible()
    grid = preview_of(pane, ValuesPreview)
    assert [grid.model.headerData(row, Qt.Orientation.Vertical) for row in range(2)] == ["0", "1"]
    tips = [grid.model.headerData(row, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole) for row in range(2)]
    assert tips == ["Scale 1.0, zero point 0", "Scale 10.0, zero point 1"]
    assert grid.model.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) is None


def test_the_bytes_of_a_sparse_tensor_are_those_of_its_entries_in_tensors_and_in_contents(session, shown):
    pane = shown(TensorsPane, session)
    pane.bar.field.setText("s size=40")
    assert [pane.model.index(0, column).data() for column in (By.NAME, By.BYTES)] == ["s", "40"]
    assert pane.totals.text() == "1 tensor, 6 elements, 40 bytes"
    contents = Contents(session.document)
    number = next(tensor.value for tensor in session.document.tensors if tensor.name == "s")
    node = contents.node_of_value(number)
    assert contents.size(node) == 40
