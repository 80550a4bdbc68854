"""Bytes with offsets of their own: a line says whose they are, and leads back to where they lie."""

from __future__ import annotations

import gzip

from PySide6.QtCore import Qt

from tests.builders.tars import member, tar
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from viewer.core.span import Span
from viewer.ui.panes.contents import ContentsPane
from viewer.ui.panes.hex import HexPane

INNER = torch_zip({"w": full("float32", (2,), [1, 2])})


def session_of(opened, tmp_path, data, name="a.pt"):
    path = tmp_path / name
    path.write_bytes(data)
    return opened(path)


def test_a_plain_file_has_no_such_line(adam, shown):
    assert not shown(HexPane, adam).inside.isVisible()


def test_a_compressed_file_says_what_is_inside_and_leads_back(opened, shown, qtbot, tmp_path):
    session = session_of(opened, tmp_path, gzip.compress(INNER), "model.gz")
    pane = shown(HexPane, session)
    assert pane.inside.isVisible()
    assert pane.inside.words.text() == "Inside gzip, unpacked; offsets count in it"
    assert pane.inside.back.text() == "Back to model.gz"
    qtbot.mouseClick(pane.inside.back, Qt.MouseButton.LeftButton)
    assert session.selection.document == 0
    assert not pane.inside.isVisible()
    session.back()
    assert session.selection.document == 1
    assert pane.inside.isVisible()


def test_a_record_leads_back_to_its_own_bytes(opened, shown, qtbot, tmp_path):
    session = session_of(opened, tmp_path, tar(member(b"a.pt", INNER), member(b"b.pt", INNER)), "two.tar")
    session.select_document(2, "test")
    pane = shown(HexPane, session)
    start = session.documents[2].offset
    assert pane.inside.words.text() == f"Inside b.pt, at 0x{start:X} of the file; offsets count in it"
    qtbot.mouseClick(pane.inside.back, Qt.MouseButton.LeftButton)
    assert (session.selection.document, session.selection.span) == (0, Span(start, start + len(INNER)))


def test_an_unpacked_record_leads_back_to_its_packed_bytes(opened, shown, qtbot, tmp_path):
    data = torch_zip({"w": full("float32", (2,), [1, 2])}, deflated=True)
    session = session_of(opened, tmp_path, data)
    pane = shown(HexPane, session)
    session.select_bytes((Span(2, 3),), "test", "archive/data.pkl")
    assert pane.inside.words.text() == "Unpacked record archive/data.pkl; offsets count in it"
    qtbot.mouseClick(pane.inside.back, Qt.MouseButton.LeftButton)
    record = next(one for one in session.document.records if one.name == "archive/data.pkl")
    assert (session.selection.source, session.selection.span) == ("", record.data)
    assert not pane.inside.isVisible()


def test_enter_opens_a_file_inside(opened, shown, qtbot, tmp_path):
    session = session_of(opened, tmp_path, tar(member(b"a.pt", INNER), member(b"b.pt", INNER)))
    pane = shown(ContentsPane, session)
    node = next(node for node in session.contents.tree.children(1) if session.contents.child(node) is not None)
    pane.tree.setCurrentIndex(pane.model.index_of(node))
    qtbot.keyClick(pane.tree, Qt.Key.Key_Return)
    assert session.selection.document == 1


def test_open_rows_stay_open_when_the_file_is_read_again_and_on_the_way_back(opened, shown, qtbot, tmp_path):
    session = session_of(opened, tmp_path, tar(member(b"a.pt", INNER), member(b"b.pt", INNER)))
    session.select_document(1, "test")
    pane = shown(ContentsPane, session)
    data = next(row for row in rows_under(pane, pane.model.index(0, 0)) if row.data().startswith("data "))
    pane.tree.expand(data)
    pane.tree.collapse(pane.model.index(0, 0, pane.model.index(0, 0)))
    before = opened_rows(pane)
    assert any(text.startswith("data ") for text in before)
    with qtbot.waitSignal(session.jobs.idle):
        session.reread(byteorder="big")
    assert opened_rows(pane) == before
    session.select_document(0, "test")
    session.select_document(1, "test")
    assert opened_rows(pane) == before


def rows_under(pane, parent):
    return [pane.model.index(row, 0, parent) for row in range(pane.model.rowCount(parent))]


def opened_rows(pane):
    waiting, found = rows_under(pane, pane.tree.rootIndex()), []
    while waiting:
        index = waiting.pop()
        if pane.tree.isExpanded(index):
            found.append(index.data())
            waiting += rows_under(pane, index)
    return sorted(found)
