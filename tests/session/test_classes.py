"""The classes of a document: found once for all who look, again for another document or encoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared import ROOT
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import FileSource
from viewer.session import classes as session_classes
from viewer.session.classes import FoundClasses
from viewer.session.jobs import Jobs

LEGACY = ROOT / "resources" / "samples" / "whole_model_legacy.pth"
ZIP = ROOT / "resources" / "samples" / "whole_model_zip.pt"


def read(path: Path):
    return open_document(FileSource(path), Progress())


@pytest.fixture
def found(qapp):
    """Classes with jobs of their own."""
    jobs = Jobs()
    made = FoundClasses(jobs)
    made.jobs = jobs
    yield made
    jobs.close()


@pytest.fixture
def runs(monkeypatch):
    """The functions that ran, by name."""
    done = []
    for name in ("find_classes", "derive_texts"):
        real = getattr(session_classes, name)
        monkeypatch.setattr(
            session_classes, name, lambda *given, real=real, name=name: done.append(name) or real(*given)
        )
    return done


def test_two_that_look_have_it_done_once(found, runs, qtbot):
    document = read(ZIP)
    found.look_at(document)
    found.look_at(document, "utf-8")
    qtbot.waitUntil(lambda: not found.jobs.busy)
    found.look_at(document)
    assert not found.jobs.busy
    assert runs == ["find_classes", "derive_texts"]
    row = found.classes.rows[found.classes.row_of["shapes.model.Autoencoder"]]
    assert [text.origin for text in row.texts] == ["derived"]


def test_stored_classes_are_there_at_once_and_their_objects_later(found, qtbot):
    found.look_at(read(LEGACY))
    stem = found.classes.rows[found.classes.row_of["zoo.blocks.Stem"]]
    assert (len(stem.texts), stem.places, found.counted) == (1, (), False)
    with qtbot.waitSignal(found.changed):
        pass
    stem = found.classes.rows[found.classes.row_of["zoo.blocks.Stem"]]
    assert (len(stem.places), found.counted) == (1, True)


def test_another_document_and_another_encoding_are_looked_at_anew(found, runs, qtbot):
    document = read(ZIP)
    for given in ((document, ""), (document, "latin-1"), (None, "")):
        found.look_at(*given)
        qtbot.waitUntil(lambda: not found.jobs.busy)
    assert runs == ["find_classes", "derive_texts"] * 2
    assert found.classes.rows == ()
