"""Tensors that are more than plain elements in the Tensor pane: what their numbers mean, and their parts as links."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from tests.builders.torch_values import Storage, full, storage
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global
from viewer.core.tensors.window import span
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.previews.facts import FactsPreview
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


@pytest.fixture
def session(opened, tmp_path):
    path = tmp_path / "parts.pt"
    path.write_bytes(torch_zip({"q": QUANTISED, "s": SPARSE, "p": PAIRS}))
    return opened(path)


def preview_of(pane, cls):
    return next(preview for preview in pane.previews if isinstance(preview, cls))


def cells(pane):
    model = preview_of(pane, ValuesPreview).model
    rows = range(model.rowCount())
    return [[model.index(row, column).data() for column in range(model.columnCount())] for row in rows]


def facts_of(pane):
    form = preview_of(pane, FactsPreview).form
    rows = range(form.rowCount())
    return {
        form.itemAt(row, form.ItemRole.LabelRole).widget().text(): form.itemAt(row, form.ItemRole.FieldRole)
        .widget()
        .text()
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
