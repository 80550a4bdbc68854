"""The workspace: one session a file, each file once, refusals in words, everything closed in the middle of work."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.shared import ROOT
from viewer.core.errors import SourceError
from viewer.core.span import Span
from viewer.session.session import OPENING, Session
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace

SAMPLES = ROOT / "resources" / "samples"


@pytest.fixture
def work(qapp: object, tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace(Settings(tmp_path / "settings.ini"))
    yield workspace
    workspace.close_all()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return Path(shutil.copy(SAMPLES / "checkpoint_adam.pt", tmp_path / "model.pt"))


def opened(work: Workspace, path: Path) -> Session:
    session = work.open(path)
    assert session is not None
    return session


def decoded(qtbot: QtBot, session: Session) -> Session:
    qtbot.waitUntil(lambda: session.document is not None)
    return session


def test_the_view_is_made_before_the_file_is_read(work: Workspace, file: Path) -> None:
    seen: list[object] = []
    work.added.connect(lambda session: seen.append(("added", session.source)))
    work.current_changed.connect(lambda session: seen.append(("current", session and session.source)))
    session = opened(work, file)
    assert seen == [("added", None), ("current", None)]
    assert session.source is not None
    assert work.current is session


def test_a_file_is_open_once_whatever_it_is_called(work: Workspace, file: Path, tmp_path: Path) -> None:
    session = opened(work, file)
    other = opened(work, SAMPLES / "half_download.pth")
    (tmp_path / "link.pt").symlink_to(file)
    os.link(file, tmp_path / "hard.pt")
    for name in (file, tmp_path / "." / "model.pt", tmp_path / "link.pt", tmp_path / "hard.pt"):
        work.activate(other)
        assert work.open(name) is session
        assert work.current is session
    assert work.sessions == [session, other]


def test_a_file_that_is_open_shows_the_bytes_that_are_asked_for(qtbot: QtBot, work: Workspace, file: Path) -> None:
    session = decoded(qtbot, opened(work, file))
    work.open(file, Span(16, 20))
    assert session.selection.span == Span(16, 20)


def test_bytes_that_are_asked_for_count_in_the_file_whatever_is_looked_at_inside_it(
    qtbot: QtBot, work: Workspace, file: Path
) -> None:
    packed = file.with_name("model.pt.gz")
    packed.write_bytes(gzip.compress(file.read_bytes()))
    session = decoded(qtbot, opened(work, packed))
    assert session.selection.document == 1
    work.open(packed, Span(16, 20))
    assert (session.selection.document, session.selection.span) == (0, Span(16, 20))


def test_targets_name_bytes(qtbot: QtBot, work: Workspace, file: Path) -> None:
    work.open_targets([f"{file}#0x10+4"])
    session = work.current
    assert session is not None
    qtbot.waitUntil(lambda: session.selection.span == Span(16, 20))


def test_several_targets_each_get_a_session_and_the_last_is_looked_at(work: Workspace, file: Path) -> None:
    work.open_targets([str(file), str(SAMPLES / "half_download.pth")])
    assert [session.path.name for session in work.sessions] == ["model.pt", "half_download.pth"]
    assert work.current is work.sessions[1]


@pytest.mark.parametrize(
    ("name", "code"), [("missing.pt", "file-missing"), ("folder", "file-is-folder"), ("pipe", "file-not-regular")]
)
def test_what_cannot_be_opened_is_refused(qtbot: QtBot, work: Workspace, tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with qtbot.waitSignal(work.refused) as told:
        session = work.open(tmp_path / name)
        # A folder is listed in a thread: only then it shows that nothing in it can be opened.
        assert (session is None) == (name != "folder")
    path, failure = told.args
    assert path == tmp_path / name
    assert isinstance(failure, SourceError)
    assert failure.code == code
    assert work.sessions == []
    assert work.recent.files == ()


@pytest.mark.parametrize("name", ["a\0b.pt", "\ud800.pt"])
def test_what_no_system_can_name_is_refused(qtbot: QtBot, work: Workspace, file: Path, name: str) -> None:
    first = opened(work, file)
    with qtbot.waitSignal(work.refused) as told:
        assert work.open(name) is None
    assert told.args[1].code == "file-unreadable"
    assert work.sessions == [first]


def test_recent_files_tell_what_was_found(qtbot: QtBot, work: Workspace, tmp_path: Path) -> None:
    for name in ("checkpoint_adam.pt", "half_download.pth"):
        decoded(qtbot, opened(work, SAMPLES / name))
    damaged, whole = work.recent.files
    assert (Path(damaged.path).name, damaged.format, damaged.damaged) == ("half_download.pth", "torch-legacy", True)
    assert (Path(whole.path).name, whole.format, whole.damaged) == ("checkpoint_adam.pt", "torch-zip", False)
    assert (whole.tensors, whole.size) == (46, (SAMPLES / "checkpoint_adam.pt").stat().st_size)


def test_the_neighbour_is_looked_at_when_a_file_is_closed(work: Workspace) -> None:
    names = ("checkpoint_adam.pt", "half_download.pth", "whole_model_zip.pt")
    first, second, third = (opened(work, SAMPLES / name) for name in names)
    work.activate(second)
    work.close(second)
    assert work.current is third
    work.close(third)
    assert work.current is first
    work.close(first)
    assert work.current is None


def test_a_session_that_ended_is_not_looked_at(work: Workspace, file: Path) -> None:
    first, second = opened(work, file), opened(work, SAMPLES / "checkpoint_adam.pt")
    work.close(second)
    work.activate(second)
    assert work.current is first


def test_closing_in_the_middle_of_decoding_stops_it(qtbot: QtBot, work: Workspace, file: Path) -> None:
    session = opened(work, file)
    assert session.jobs.is_running(OPENING)
    with qtbot.waitSignal(work.removed):
        work.close(session)
    assert not session.jobs.busy


def test_reading_again_keeps_the_place(qtbot: QtBot, work: Workspace, file: Path) -> None:
    session = decoded(qtbot, opened(work, file))
    session.select_bytes((Span(32, 40),), "test")
    shutil.copy(SAMPLES / "whole_model_zip.pt", file)
    again = work.reload(session)
    assert again is not None
    assert again is not session
    decoded(qtbot, again)
    qtbot.waitUntil(lambda: again.selection.span == Span(32, 40))
    assert again.source is not None
    assert again.source.size == (SAMPLES / "whole_model_zip.pt").stat().st_size


def test_a_file_that_is_written_to_is_told(qtbot: QtBot, work: Workspace, file: Path) -> None:
    session = opened(work, file)
    with qtbot.waitSignal(work.changed_on_disk) as told, file.open("ab") as appended:
        appended.write(b"more")
    assert told.args == [session, "changed", ["model.pt"]]


def test_a_file_that_is_replaced_is_told_and_watched_on(qtbot: QtBot, work: Workspace, file: Path) -> None:
    session = opened(work, file)
    new = file.with_suffix(".new")
    shutil.copy(SAMPLES / "whole_model_zip.pt", new)
    with qtbot.waitSignal(work.changed_on_disk) as told:
        new.replace(file)
    assert told.args == [session, "changed", ["model.pt"]]
    with qtbot.waitSignal(work.changed_on_disk) as told:
        file.unlink()
    assert told.args == [session, "gone", ["model.pt"]]


def test_reading_a_file_tells_no_change(qtbot: QtBot, work: Workspace, file: Path) -> None:
    session = decoded(qtbot, opened(work, file))
    watch = work._watches[session]
    with qtbot.assertNotEmitted(work.changed_on_disk):
        watch.check()
        qtbot.waitUntil(lambda: not session.jobs.busy)
