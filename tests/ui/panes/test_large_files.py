"""Files far larger than memory: bytes from end to end, and the tree of a checkpoint of 100 GB, made of holes."""

import os

import pytest
from PySide6.QtCore import Qt

from tests.builders.large import sparse_legacy
from viewer.core.span import Span
from viewer.ui.panes.contents import ContentsPane
from viewer.ui.panes.hex import HexPane
from viewer.ui.panes.tensor import TensorPane

SIZE = 100 * 10**9


@pytest.fixture
def hole(tmp_path):
    """100 GB of zeros that take no room."""
    path = tmp_path / "hole.bin"
    with path.open("wb") as file:
        file.write(b"begin")
        file.truncate(SIZE)
        os.pwrite(file.fileno(), b"the end", SIZE - 7)
    return path


def test_100_gb_scroll_end_to_end(hole, opened, shown, qtbot):
    pane = shown(HexPane, opened(hole))
    view = pane.view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert view.caret == SIZE - 1
    assert view.visible_span().stop == SIZE
    for _ in range(50):
        qtbot.keyClick(view, Qt.Key.Key_PageUp)
    assert view.visible_span().stop < SIZE
    bar = view.verticalScrollBar()
    for part in range(0, 101, 5):
        bar.setValue(bar.minimum() + (bar.maximum() - bar.minimum()) * part // 100)
        middle = view.visible_span().start
        assert abs(middle - SIZE * part // 100) < SIZE // 100
    qtbot.keyClick(view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert view.visible_span().start == 0


def test_a_checkpoint_of_100_gb_opens_and_links(tmp_path, opened, shown):
    path = tmp_path / "large.pth"
    size = sparse_legacy(path, 10, 2_500_000_000 // 1024 * 1024)
    assert size > 99 * 10**9
    session = opened(path)
    assert len(session.document.tensors) == 10
    hexes, contents, tensor = shown(HexPane, session), shown(ContentsPane, session), shown(TensorPane, session)
    last = session.document.tensors[-1]
    end = max(one.storage.span.stop for one in session.document.tensors)
    session.select_bytes((Span(end - 1, end),), "test")
    assert session.selection.element == (last.shape[0] - 1, 1023)
    assert hexes.view.visible_span().stop == size
    assert contents.tree.currentIndex().data().startswith("layer.")
    assert tensor.shape.text() == f"[{last.shape[0]}, 1024]"
