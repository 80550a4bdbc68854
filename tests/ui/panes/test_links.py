"""A place chosen in one pane is shown by all others: bytes, opcodes, contents, source, tensor."""

import pytest
from PySide6.QtCore import Qt

from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.core.tensors.tensor import ValueRef
from viewer.ui.panes.contents import ContentsPane
from viewer.ui.panes.hex import HexPane
from viewer.ui.panes.opcodes import OpcodesPane
from viewer.ui.panes.source import SourcePane
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.previews.values import ValuesPreview


@pytest.fixture
def panes(legacy, shown):
    classes = (HexPane, ContentsPane, OpcodesPane, SourcePane, TensorPane, TensorsPane)
    return legacy, {cls.key: shown(cls, legacy) for cls in classes}


def values_of(pane):
    return next(preview for preview in pane.previews if isinstance(preview, ValuesPreview))


def _row_texts(view):
    index = view.currentIndex()
    return [index.siblingAtColumn(column).data() for column in range(view.model().columnCount())]


def test_a_byte_of_a_storage_tells_tensor_and_element(panes):
    session, shown = panes
    tensor = session.document.tensors[0]
    span = window.element_offset(tensor, (1, 0, 2, 3))
    session.select_bytes((Span(span.start + 1, span.start + 2),), "test")
    assert (session.selection.tensor, session.selection.element) == (0, (1, 0, 2, 3))
    assert shown["tensor"].name.text() == "conv.conv.weight"
    grid = values_of(shown["tensor"])
    assert grid.model.element(grid.grid.currentIndex().row(), grid.grid.currentIndex().column()) == (1, 0, 2, 3)
    assert shown["tensors"].table.currentIndex().row() == 0
    assert _row_texts(shown["contents"].tree)[0].startswith("weight")
    assert shown["hex"].view.selected_span() == Span(span.start + 1, span.start + 2)


def test_an_opcode_selects_its_byte_and_the_bytes_of_its_value(panes):
    session, shown = panes
    pickle = session.document.main_pickle
    opcode = session.document.tensors[0].value.value
    session.select_opcode(ValueRef(pickle.index, opcode), "test")
    code = pickle.code
    assert shown["hex"].view.selected_span() == code.span(opcode)
    first, _ = pickle.values.opcodes(opcode)
    assert session.selection.linked[0].start == code.offset(first)
    assert shown["opcodes"].view("tree").tree.currentIndex().data().startswith("REDUCE")
    assert session.selection.tensor == 0


def test_a_line_of_source_selects_its_bytes_and_back(panes):
    session, shown = panes
    document = session.document
    code = next(number for number, source in enumerate(document.sources) if source.text and "forward" in source.text)
    source = document.sources[code]
    line = next(n for n, text in enumerate(source.text.splitlines(), 1) if "def forward" in text)
    session.select_line(code, line, "test")
    (span,) = session.selection.spans
    assert b"def forward" in session.source.read(span.start, span.length)
    assert shown["source"].text.linked_line == line
    assert _row_texts(shown["contents"].tree)[0] in {
        shown["contents"].model.index_of(node).data()
        for node in session.contents.tree.path_to(session.contents.node_of_value(source.value))
    }
    session.select_bytes((Span(span.start + 3, span.start + 4),), "hex")
    assert (session.selection.code, session.selection.line) == (code, line)


def test_a_row_of_contents_selects_bytes_opcodes_and_tensor(panes):
    session, shown = panes
    node = session.contents.node_of_tensor(session.document.tensors[2])
    session.select_node(node, "test")
    assert session.selection.tensor == 2
    assert session.selection.spans == (window.span(session.document.tensors[2]),)
    assert shown["opcodes"].view("tree").tree.currentIndex().isValid()


def test_a_click_in_the_grid_selects_the_bytes_of_the_element(panes, qtbot):
    session, shown = panes
    session.select_tensor(session.document.tensors[0], "test")
    grid = values_of(shown["tensor"])
    index = grid.model.index(1, 2)
    qtbot.mouseClick(grid.grid.viewport(), Qt.MouseButton.LeftButton, pos=grid.grid.visualRect(index).center())
    assert session.selection.element == (0, 0, 1, 2)
    span = window.element_offset(session.document.tensors[0], (0, 0, 1, 2))
    assert shown["hex"].view.selected_span() == span


def test_back_and_forward_walk_the_places(panes):
    session, _ = panes
    first, second = session.document.tensors[:2]
    session.select_tensor(first, "test")
    session.select_tensor(second, "test")
    session.back()
    assert session.selection.tensor == 0
    session.forward()
    assert session.selection.tensor == 1


def test_hover_moves_nothing(panes):
    session, shown = panes
    before, top = session.selection, shown["hex"].view.top_row
    session.hover_bytes(session.document.main_pickle.code.start + 200)
    assert session.hover is not None
    assert (session.selection, shown["hex"].view.top_row) == (before, top)
    session.hover_bytes(None)
    assert session.hover is None


def test_every_opcode_of_the_object_can_be_selected(panes):
    session, shown = panes
    pickle = session.document.main_pickle
    for opcode in range(0, len(pickle.code), 7):
        session.select_opcode(ValueRef(pickle.index, opcode), "test")
        assert session.selection.spans == (pickle.code.span(opcode),)
        assert session.selection.node is not None
    assert shown["hex"].view.selected_span() == session.selection.span
