"""Contents of a distributed checkpoint: a value opens the document that it is, as the keyboard chooses its bytes."""

import pytest
from PySide6.QtCore import Qt

from tests.builders.distributed import FILE, Value, save, whole
from tests.builders.torch_zip import torch_zip
from viewer.ui.panes.contents import ContentsPane


@pytest.fixture
def folder(tmp_path):
    save(tmp_path, [whole("w", "int16", (2,), [1, 2])], [Value("step", torch_zip(7))])
    return tmp_path


def test_a_value_opens_its_document(folder, opened, shown, qtbot):
    session = opened(folder)
    pane = shown(ContentsPane, session)
    node = session.contents.node_of_other(0)
    pane.tree.setFocus()
    pane.tree.setCurrentIndex(pane.model.index_of(node))
    assert (session.selection.document, session.selection.source) == (0, FILE)
    assert session.selection.spans == (session.document.others[0].span,)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.selection.document != 0)
    assert session.document.how == "item step"
    session.back()
    qtbot.waitUntil(lambda: session.selection.document == 0)
    assert session.selection.node == node
