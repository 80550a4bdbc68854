"""Values of a distributed checkpoint that are no tensors: rows, bytes in their file, the documents that they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.builders.distributed import FILE, Value, save, whole
from tests.builders.torch_zip import torch_zip
from viewer.core.opening import open_document
from viewer.core.search.base import KEY, Hit
from viewer.core.span import Span
from viewer.core.summary.contents import Contents
from viewer.session.linking import Links
from viewer.session.search import selection_of
from viewer.session.session import Session
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two values, one below a key and a number, and a tensor."""
    values = [Value("step", torch_zip(7)), Value("list.0", torch_zip("seven"), path=("list", 0))]
    saved = [whole("w", "int16", (2,), [1, 2]), whole("list.1", "int16", (1,), [3])]
    saved[1].path = ("list", 1)
    made = tmp_path / "checkpoint"
    made.mkdir()
    save(made, saved, values)
    return made


@pytest.fixture
def session(qtbot: QtBot, folder: Path) -> Iterator[Session]:
    work = Workspace(Settings(folder.parent / "settings.ini"))
    found = work.open(folder)
    assert found is not None
    qtbot.waitUntil(lambda: found.document is not None)
    yield found
    work.close_all()


def test_rows_know_their_values_and_documents(folder: Path) -> None:
    document = open_document(folder)
    contents = Contents(document)
    found = {}
    for number, value in enumerate(document.others):
        node = contents.node_of_other(number)
        assert node is not None
        assert (contents.other(node), contents.child(node)) == (value, value.document)
        found[value.name] = [contents.label(above).text for above in contents.tree.path_to(node)[-2:]]
    assert found == {"step": ["tensors", "step"], "list.0": ["list", "0"]}
    document.close()


def test_bytes_of_values_are_those_of_their_items(folder: Path) -> None:
    document = open_document(folder)
    first, second = torch_zip(7), torch_zip("seven")
    assert [value.span for value in document.others] == [
        Span(0, len(first)),
        Span(len(first), len(first) + len(second)),
    ]
    (folder / FILE).unlink()
    document.close()
    lost = open_document(folder)
    assert [(value.span, value.document) for value in lost.others] == [(None, None)] * 2
    contents = Contents(lost)
    node = contents.node_of_other(0)
    assert node is not None
    assert Links(lost, contents).from_node(node).spans == ()
    lost.close()


def test_a_row_selects_the_bytes_of_its_item_and_these_lead_back(session: Session) -> None:
    contents, document = session.contents, session.document
    assert contents is not None
    assert document is not None
    node = contents.node_of_other(1)
    assert node is not None
    session.select_node(node, "test")
    span = document.others[1].span
    assert (session.selection.source, session.selection.spans) == (FILE, (span,))
    assert span is not None
    for offset in (span.start, span.stop - 1):
        session.select_bytes((Span(0, 1),), "test")
        session.select_bytes((Span(offset, offset + 1),), "test", FILE)
        assert (session.selection.node, session.selection.tensor) == (node, None)
    session.select_bytes((Span(span.stop, span.stop + 1),), "test", FILE)
    assert session.selection.node != node


def test_the_document_of_a_value_opens(session: Session) -> None:
    contents = session.contents
    assert contents is not None
    node = contents.node_of_other(1)
    assert node is not None
    child = contents.child(node)
    assert child is not None
    session.select_document(child.index, "test")
    shown = session.document
    assert shown is not None
    assert (shown.how, shown.format) == ("item list.0", "torch-zip")
    pickle = shown.main_pickle
    assert pickle is not None
    assert pickle.values.text(pickle.values.root) == "seven"


def test_a_found_name_leads_to_the_row(folder: Path) -> None:
    document = open_document(folder)
    contents = Contents(document)
    span = document.others[0].span
    hit = Hit(KEY, "step", 0, 4, 0, span=span, source=FILE, place=FILE)
    found = selection_of(Links(document, contents), hit)
    assert (found.node, found.source, found.spans) == (contents.node_of_other(0), FILE, (span,))
    document.close()
