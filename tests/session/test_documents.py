"""Files inside files: which document a file opens on, whose bytes are shown, and places whose document is gone."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from pytestqt.qtbot import QtBot

from tests.builders.tars import member, tar
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.opened import opened
from viewer.core.formats.base import Options
from viewer.core.span import Span
from viewer.core.summary.contents import Contents
from viewer.session.linking import Links
from viewer.session.rereading import Reading
from viewer.session.selection import Selection
from viewer.session.session import Session

INNER: Final = torch_zip({"w": full("float32", (2,), [1, 2])})


@pytest.fixture
def folder(qapp: object, tmp_path: Path) -> Path:
    return tmp_path


def session_of(qtbot: QtBot, path: Path, data: bytes, at: Span | None = None) -> Session:
    path.write_bytes(data)
    session = Session(path)
    session.open(at)
    qtbot.waitUntil(lambda: session.document is not None)
    return session


@pytest.fixture
def packed(qtbot: QtBot, folder: Path) -> Iterator[Session]:
    session = session_of(qtbot, folder / "a.gz", gzip.compress(INNER))
    yield session
    session.close()


def test_a_compressed_file_opens_on_what_is_inside(packed: Session) -> None:
    assert [part.format for part in packed.documents] == ["gzip", "torch-zip"]
    assert packed.document is packed.documents[1]
    assert packed.shown_source is not None
    assert packed.shown_source.read(0, 4) == b"PK\x03\x04"


def test_the_way_back_and_forth(packed: Session) -> None:
    packed.select_document(0, "test")
    assert packed.shown_source is not None
    assert packed.shown_source.read(0, 2) == b"\x1f\x8b"
    packed.select_document(1, "test")
    packed.select_bytes((Span(0, 4),), "test")
    assert (packed.selection.document, packed.selection.span) == (1, Span(0, 4))
    packed.back()
    packed.back()
    assert packed.selection.document == 0


def test_bytes_that_are_asked_for_are_those_of_the_file(qtbot: QtBot, folder: Path) -> None:
    session = session_of(qtbot, folder / "b.gz", gzip.compress(INNER), Span(3, 5))
    assert (session.selection.document, session.selection.span) == (0, Span(3, 5))
    session.close()


def test_an_archive_of_several_files_opens_on_itself(qtbot: QtBot, folder: Path) -> None:
    session = session_of(qtbot, folder / "c.tar", tar(member(b"a.pt", INNER), member(b"b.pt", INNER)))
    assert session.document is session.documents[0]
    session.select_document(2, "test")
    assert session.shown_source is not None
    assert session.shown_source.read(0, 2) == b"PK"
    session.close()


def test_a_place_whose_document_is_gone(packed: Session) -> None:
    packed.select_bytes((Span(0, 4),), "test")
    document = opened(INNER)
    packed._decoded(Reading(document, packed.options, {0: Links(document, Contents(document))}, python2_text=False))
    assert packed.document is document
    assert (packed.selection.document, packed.selection.spans) == (0, ())
    packed.select(Selection(7, spans=(Span(1, 2),)))
    assert packed.selection.document == 0
    packed.back()
    assert packed.document is document


def test_a_place_in_an_inflated_record_stays_when_the_file_is_read_again(qtbot: QtBot, folder: Path) -> None:
    data = torch_zip({"w": full("float32", (2,), [1, 2])}, deflated=True)
    session = session_of(qtbot, folder / "d.pt", data)
    session.select_bytes((Span(2, 3),), "test", "archive/data.pkl")
    before = session.selection
    assert (before.source, before.opcode is not None) == ("archive/data.pkl", True)
    with qtbot.waitSignal(session.document_changed):
        session.decode(Options(byteorder="big"))
    assert session.selection == before
    session.close()
