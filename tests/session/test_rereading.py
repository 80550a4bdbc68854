"""Reading a file again with other options: what is shown stays meanwhile, the place and the history after it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from pytestqt.qtbot import QtBot

from tests.builders.tars import member, tar
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.core.tensors.tensor import ValueRef
from viewer.session import rereading
from viewer.session.session import LINKING, OPENING, Session

VALUE: Final = {"first": full("float32", (2,), [1, 2]), "second": full("float32", (2,), [3, 4])}
INNER: Final = torch_zip(VALUE)
PYTHON2: Final = b"(dp0\nS'\\xc3\\xa9'\np1\nI7\ns."


@pytest.fixture
def folder(qapp: object, tmp_path: Path) -> Path:
    return tmp_path


class Opener:
    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot, self.folder, self.made = qtbot, folder, list[Session]()

    def __call__(self, data: bytes) -> Session:
        path = self.folder / f"{len(self.made)}.pt"
        path.write_bytes(data)
        session = Session(path)
        self.made.append(session)
        with self.qtbot.waitSignal(session.jobs.idle):
            session.open()
        return session


@pytest.fixture
def opened(qtbot: QtBot, folder: Path) -> Iterator[Opener]:
    opener = Opener(qtbot, folder)
    yield opener
    for session in opener.made:
        session.close()


def reread(qtbot: QtBot, session: Session, **changes: Any) -> None:
    with qtbot.waitSignal(session.jobs.idle):
        session.reread(**changes)


def first_value(session: Session) -> float:
    assert session.document is not None
    return float(window.read(session.document.tensors[0], (1,))[()])


def test_the_byte_order_is_chosen_and_given_back(qtbot: QtBot, opened: Opener) -> None:
    session = opened(INNER)
    assert first_value(session) == 2.0
    reread(qtbot, session, byteorder="big")
    assert first_value(session) == pytest.approx(8.96831017167883e-44)
    assert (session.document.byteorder, session.options.byteorder) == ("big", "big")
    reread(qtbot, session, byteorder=None)
    assert first_value(session) == 2.0
    assert (session.document.byteorder, session.options.byteorder) == ("little", None)


def test_what_was_read_stays_until_the_new_reading_is_there(qtbot: QtBot, opened: Opener) -> None:
    session = opened(INNER)
    before = session.document
    with qtbot.waitSignal(session.document_changed):
        session.reread(byteorder="big")
        assert session.document is before
        assert session.options.byteorder is None
    assert session.document is not before


def test_the_tensor_and_its_element_stay_selected(qtbot: QtBot, opened: Opener) -> None:
    session = opened(INNER)
    session.select_tensor(session.document.tensors[1], "test", (1,))
    before = session.selection
    assert (before.tensor, before.element) == (1, (1,))
    reread(qtbot, session, byteorder="big")
    assert session.selection == before


def test_a_whole_value_and_an_opcode_stay_selected(qtbot: QtBot, opened: Opener) -> None:
    session = opened(INNER)
    pickle = session.document.pickles[0]
    session.select_node(session.contents.node_of_value(session.document.tensors[0].value), "test")
    by_node = session.selection
    reread(qtbot, session, byteorder="big")
    assert session.selection == by_node
    session.select_bytes((Span(pickle.base or 0, (pickle.base or 0) + 1),), "test")
    by_bytes = session.selection
    reread(qtbot, session, byteorder=None)
    assert session.selection == by_bytes


def test_back_leads_to_places_of_earlier_readings(qtbot: QtBot, opened: Opener) -> None:
    session = opened(tar(member(b"a.pt", INNER), member(b"b.pt", INNER)))
    session.select_document(2, "test")
    session.select_tensor(session.document.tensors[1], "test")
    reread(qtbot, session, byteorder="big")
    assert (session.selection.document, session.selection.tensor) == (2, 1)
    session.select_tensor(session.document.tensors[0], "test")
    session.back()
    assert (session.selection.document, session.selection.tensor) == (2, 1)
    session.back()
    assert (session.selection.document, session.selection.tensor, session.selection.spans) == (2, None, ())
    session.forward()
    session.forward()
    assert (session.selection.tensor, session.history.can_go_forward) == (0, False)


def test_more_is_unpacked_when_it_is_allowed(qtbot: QtBot, opened: Opener) -> None:
    session = opened(gzip.compress(INNER))
    assert session.document.format == "torch-zip"
    reread(qtbot, session, most_unpacked=100)
    assert [part.format for part in session.documents] == ["gzip"]
    assert session.selection.document == 0
    reread(qtbot, session, most_unpacked=100_000)
    assert (session.document.format, len(session.documents)) == ("torch-zip", 2)
    session.back()
    assert session.document.format == "gzip"


def test_documents_before_the_place_may_come_and_go(qtbot: QtBot, opened: Opener) -> None:
    small = gzip.compress(torch_zip({"w": full("float32", (1,), [5])}))
    session = opened(tar(member(b"a.gz", gzip.compress(INNER)), member(b"b.pt", INNER), member(b"c.gz", small)))
    assert [part.format for part in session.documents] == ["tar", "gzip", "torch-zip", "torch-zip", "gzip", "torch-zip"]
    session.select_document(3, "test")
    session.select_tensor(session.document.tensors[1], "test")
    reread(qtbot, session, most_unpacked=100)
    assert [part.format for part in session.documents] == ["tar", "gzip", "torch-zip", "gzip"]
    assert (session.selection.document, session.selection.tensor) == (2, 1)


def test_a_reading_that_is_stopped_changes_nothing(qtbot: QtBot, opened: Opener) -> None:
    session = opened(INNER)
    before = session.document
    session.reread(byteorder="big")
    session.cancel(OPENING)
    assert (session.document, session.options.byteorder) == (before, None)
    reread(qtbot, session, encoding="latin-1")
    assert (session.options.byteorder, session.options.encoding) == (None, "latin-1")


def test_two_choices_in_a_row_both_hold(qtbot: QtBot, opened: Opener) -> None:
    session = opened(INNER)
    session.reread(byteorder="big")
    reread(qtbot, session, encoding="latin-1")
    assert (session.options.byteorder, session.options.encoding) == ("big", "latin-1")


def test_strings_of_python_2_are_noticed_and_read_in_the_encoding(qtbot: QtBot, opened: Opener) -> None:
    assert not opened(INNER).python2_text
    session = opened(PYTHON2)
    assert session.python2_text
    assert "é" in labels(session)
    reread(qtbot, session, encoding="latin-1")
    assert "Ã©" in labels(session)


def labels(session: Session) -> list[str]:
    contents = session.contents
    root = contents.node_of_value(ValueRef(0, session.document.pickles[0].values.root))
    return [contents.label(node).text for node in contents.tree.children(root)]


def test_the_ties_of_a_large_document_are_made_in_a_thread(
    qtbot: QtBot, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(tar(member(b"a.pt", INNER), member(b"b.pt", INNER)))
    monkeypatch.setattr(rereading, "FEW", 0)
    session.select_document(1, "test")
    assert session.jobs.is_running(LINKING)
    assert session.selection.document == 0
    qtbot.waitUntil(lambda: session.selection.document == 1)
    session.select_bytes((Span(0, 4),), "test", document=2)
    qtbot.waitUntil(lambda: session.selection.document == 2)
    assert session.selection.spans == (Span(0, 4),)


def test_another_choice_meanwhile_holds(qtbot: QtBot, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(tar(member(b"a.pt", INNER), member(b"b.pt", INNER)))
    monkeypatch.setattr(rereading, "FEW", 0)
    session.select_document(1, "test")
    session.select_bytes((Span(3, 4),), "test")
    assert not session.jobs.is_running(LINKING)
    assert (session.selection.document, session.selection.spans) == (0, (Span(3, 4),))


def test_of_a_file_that_was_cut_the_last_byte_is_selected(qtbot: QtBot, opened: Opener) -> None:
    whole = opened(bytes(range(200)) * 5)
    for span, size, kept in (
        (Span(900, 910), 100, (Span(99, 100),)),
        (Span(90, 400), 100, (Span(90, 100),)),
        (Span(7, 9), 100, (Span(7, 9),)),
        (Span(7, 9), 0, ()),
    ):
        whole.select_bytes((span,), "test")
        whole.path.write_bytes(bytes(range(size)))
        again = Session(whole.path)
        opened.made.append(again)
        again.take_over(whole)
        with qtbot.waitSignal(again.jobs.idle):
            again.open()
        assert again.selection.spans == kept
