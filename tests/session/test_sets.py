"""Sets of files in a session: a folder, a part or the index opens the set; tensors lead to the files they stand in."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from viewer.core.span import Span
from viewer.core.tensors.tensor import ValueRef
from viewer.session.session import Session
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace

SHARDS = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")
INDEX = "model.safetensors.index.json"


@pytest.fixture
def work(qapp: object, tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace(Settings(tmp_path / "settings.ini"))
    yield workspace
    workspace.close_all()


@pytest.fixture
def sharded(tmp_path: Path) -> Path:
    folder = tmp_path / "sharded"
    folder.mkdir()
    (folder / SHARDS[0]).write_bytes(safetensors({"a": entry("U8", [4], 0, 4)}, b"abcd"))
    (folder / SHARDS[1]).write_bytes(safetensors({"b": entry("I16", [2], 0, 4)}, b"wxyz"))
    weights = {"a": SHARDS[0], "b": SHARDS[1]}
    index = {"metadata": {"total_size": 8}, "weight_map": weights}
    (folder / INDEX).write_text(json.dumps(index), encoding="utf-8")
    return folder


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    folder = tmp_path / "llama"
    folder.mkdir()
    for number in range(2):
        value = {
            "wq.weight": full("int16", (1, 2), [number, number]),
            "norm.weight": full("int16", (2,), [7, 7]),
        }
        (folder / f"consolidated.0{number}.pth").write_bytes(torch_zip(OrderedDict(value)))
    return folder


def opened(qtbot: QtBot, work: Workspace, path: Path) -> Session:
    session = work.open(path)
    assert session is not None
    qtbot.waitUntil(lambda: session.document is not None)
    return session


def shown(session: Session) -> bytes:
    """The bytes that the selection stands in."""
    source = session.shown_source
    assert source is not None
    return source.read(0, source.size)


@pytest.mark.parametrize("name", ["", INDEX, *SHARDS])
def test_a_folder_its_index_and_each_shard_open_the_set(
    qtbot: QtBot, work: Workspace, sharded: Path, name: str
) -> None:
    session = opened(qtbot, work, sharded / name)
    root = session.root
    assert root is not None
    assert (root.format, [tensor.name for tensor in root.tensors]) == ("sharded-index", ["a", "b"])
    assert session.shown_path == sharded / INDEX
    assert root.opened_by == (name if name in SHARDS else "")
    assert session.selection.source == root.opened_by
    expected = sharded / (name if name in SHARDS else INDEX)
    assert shown(session) == expected.read_bytes()
    size = sum((sharded / one).stat().st_size for one in (INDEX, *SHARDS)) if not name else expected.stat().st_size
    assert [recent.size for recent in work.recent.files] == [size]


def test_tensors_lead_to_the_bytes_of_their_file_and_back(qtbot: QtBot, work: Workspace, sharded: Path) -> None:
    session = opened(qtbot, work, sharded)
    root = session.root
    assert root is not None
    data = (sharded / SHARDS[1]).read_bytes()
    session.select_tensor(root.tensors[1], "test", (1,))
    assert session.selection.source == SHARDS[1]
    assert shown(session) == data
    assert session.selection.span == Span(len(data) - 2, len(data))
    session.select_bytes((Span(len(data) - 4, len(data) - 3),), "test", SHARDS[1])
    assert (session.selection.tensor, session.selection.element, session.selection.document) == (1, (0,), 0)
    session.back()
    assert session.selection.element == (1,)
    session.select_bytes((Span(0, 1),), "test")
    assert shown(session) == (sharded / INDEX).read_bytes()


def test_a_second_part_of_an_open_set_is_the_same_file(qtbot: QtBot, work: Workspace, sharded: Path) -> None:
    session = opened(qtbot, work, sharded / SHARDS[0])
    with qtbot.waitSignal(work.removed):
        assert work.open(sharded / SHARDS[1]) is not session
    assert work.sessions == [session]
    assert work.current is session
    assert session.selection.source == SHARDS[1]
    assert work.open(sharded / INDEX) is session
    with qtbot.waitSignal(work.removed):
        work.open(sharded)
    assert work.sessions == [session]
    assert session.selection.source == SHARDS[1]


def test_parts_that_are_opened_at_once_leave_the_last_file_in_view(
    qtbot: QtBot, work: Workspace, sharded: Path, parts: Path
) -> None:
    with qtbot.waitSignal(work.removed):
        work.open_targets([str(sharded / SHARDS[0]), str(sharded / SHARDS[1]), str(parts)])
    # Which of the parts is read last is the threads' affair.
    assert [session.path.parent for session in work.sessions] == [sharded, sharded.parent]
    assert work.current is work.sessions[1]


def test_a_part_can_be_looked_at_alone(qtbot: QtBot, work: Workspace, sharded: Path) -> None:
    session = opened(qtbot, work, sharded / SHARDS[0])
    with qtbot.waitSignal(session.document_changed):
        session.reread(whole_set=False)
    root = session.root
    assert root is not None
    assert (root.format, session.shown_path) == ("safetensors", sharded / SHARDS[0])
    assert [problem.code for problem in root.problems] == ["set-part"]
    with qtbot.waitSignal(session.document_changed):
        session.reread(whole_set=True)
    assert session.root is not None
    assert session.root.format == "sharded-index"


def test_the_place_in_a_part_is_kept_alone_and_in_the_whole_again(qtbot: QtBot, work: Workspace, sharded: Path) -> None:
    session = opened(qtbot, work, sharded / SHARDS[0])
    assert session.root is not None
    session.select_tensor(session.root.tensors[0], "test")
    spans = session.selection.spans
    session.select_tensor(session.root.tensors[1], "test")
    session.select_bytes((Span(8, 12),), "test", SHARDS[0])
    with qtbot.waitSignal(session.document_changed):
        session.reread(whole_set=False)
    assert (session.selection.source, session.selection.spans) == ("", (Span(8, 12),))
    # What was seen in another file is not in this one.
    session.back()
    qtbot.waitUntil(lambda: session.selection.spans == ())
    assert session.selection.source == ""
    session.back()
    qtbot.waitUntil(lambda: session.selection.spans == spans)
    assert (session.selection.source, session.selection.tensor) == ("", 0)
    with qtbot.waitSignal(session.document_changed):
        session.reread(whole_set=True)
    assert (session.selection.source, session.selection.spans) == (SHARDS[0], spans)
    assert session.selection.tensor == 0


def test_an_opcode_of_a_part_is_found_alone_and_in_the_whole_again(qtbot: QtBot, work: Workspace, parts: Path) -> None:
    session = opened(qtbot, work, parts / "consolidated.01.pth")
    root = session.root
    assert root is not None
    member = root.member("consolidated.01.pth")
    assert member is not None
    session.select_opcode(ValueRef(0, 3), "test", member.index)
    qtbot.waitUntil(lambda: session.selection.opcode == ValueRef(0, 3))
    assert session.selection.document == member.index
    with qtbot.waitSignal(session.document_changed):
        session.reread(whole_set=False)
    qtbot.waitUntil(lambda: session.selection.opcode == ValueRef(0, 3))
    assert (session.selection.document, session.selection.source) == (0, "")


def test_a_set_that_no_file_stands_for(qtbot: QtBot, work: Workspace, parts: Path) -> None:
    session = opened(qtbot, work, parts)
    root = session.root
    assert root is not None
    assert (root.format, session.shown_path) == ("distributed", parts)
    # It opens on the first of its files.
    assert session.selection.source == "consolidated.00.pth"
    assert shown(session) == (parts / "consolidated.00.pth").read_bytes()
    session.select_tensor(root.tensors[0], "test", (1, 0))
    assert session.selection.source == "consolidated.01.pth"
    with qtbot.waitSignal(work.removed):
        work.open(parts / "consolidated.01.pth")
    assert work.current is session


def test_bytes_asked_for_stand_in_the_file_that_was_named(qtbot: QtBot, work: Workspace, sharded: Path) -> None:
    work.open_targets([f"{sharded / SHARDS[1]}#8+2"])
    session = work.current
    assert session is not None
    qtbot.waitUntil(lambda: session.document is not None and session.selection.source == SHARDS[1])
    assert session.selection.span == Span(8, 10)


def test_bytes_asked_for_later_stand_in_it_too(qtbot: QtBot, work: Workspace, sharded: Path) -> None:
    session = opened(qtbot, work, sharded / SHARDS[1])
    for text, place in (
        (f"{sharded / SHARDS[1]}#8+2", (SHARDS[1], Span(8, 10))),
        (f"{sharded / INDEX}#4+2", ("", Span(4, 6))),
    ):
        work.open_targets([text])
        assert (session.selection.source, session.selection.span) == place
    with qtbot.waitSignal(work.removed):
        work.open_targets([f"{sharded / SHARDS[0]}#8+3"])
    assert work.sessions == [session]
    assert (session.selection.source, session.selection.span) == (SHARDS[0], Span(8, 11))


def test_bytes_of_a_file_with_many_tensors_lead_to_them_when_those_are_looked_up(
    qtbot: QtBot, work: Workspace, sharded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.session.set_links.AT_ONCE", 1)
    session = opened(qtbot, work, sharded)
    at = (sharded / SHARDS[1]).stat().st_size - 2
    with qtbot.waitSignal(session.selection_changed):
        session.select_bytes((Span(at, at + 1),), "test", SHARDS[1])
        assert not session.selection.spans
    assert (session.selection.tensor, session.selection.element) == (1, (1,))
    session.hover_bytes(at - 2, SHARDS[1])
    assert session.hover is not None
    assert session.hover.element == (0,)


def test_a_byte_under_the_mouse_tells_its_tensor_once_those_are_looked_up(
    qtbot: QtBot, work: Workspace, sharded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.session.set_links.AT_ONCE", 1)
    session = opened(qtbot, work, sharded)
    at = (sharded / SHARDS[1]).stat().st_size - 2
    session.hover_bytes(at, SHARDS[1])
    assert session.hover is None

    def told() -> bool:
        session.hover_bytes(at, SHARDS[1])
        return session.hover is not None and session.hover.element == (1,)

    qtbot.waitUntil(told)


def test_a_folder_can_be_read_again(qtbot: QtBot, work: Workspace, sharded: Path) -> None:
    session = opened(qtbot, work, sharded)
    (sharded / SHARDS[1]).write_bytes(safetensors({"b": entry("I16", [3], 0, 6)}, b"uvwxyz"))
    again = work.reload(session)
    assert again is not None
    qtbot.waitUntil(lambda: again.document is not None)
    assert again.root is not None
    assert [tensor.shape for tensor in again.root.tensors] == [(4,), (3,)]


def test_closing_in_the_middle_gives_all_files_back(qtbot: QtBot, work: Workspace, sharded: Path) -> None:
    session = opened(qtbot, work, sharded)
    source = session.shown_source
    work.close(session)
    assert source is not None
    assert work.sessions == []


@pytest.mark.parametrize("start", ["", INDEX, SHARDS[1]])
def test_a_file_of_a_set_that_changes_is_told(qtbot: QtBot, work: Workspace, sharded: Path, start: str) -> None:
    session = opened(qtbot, work, sharded / start)
    with qtbot.waitSignal(work.changed_on_disk) as told, (sharded / SHARDS[0]).open("ab") as appended:
        appended.write(b"more")
    assert told.args == [session, "changed", [SHARDS[0]]]
    with qtbot.waitSignal(work.changed_on_disk) as told:
        (sharded / SHARDS[1]).unlink()
    assert told.args == [session, "gone", [SHARDS[1]]]
    with qtbot.waitSignal(work.changed_on_disk) as told, (sharded / INDEX).open("ab") as appended:
        appended.write(b"\n")
    assert told.args == [session, "changed", [INDEX]]


def test_of_a_file_that_is_shown_alone_only_its_own_changes_are_told(
    qtbot: QtBot, work: Workspace, sharded: Path
) -> None:
    session = opened(qtbot, work, sharded / SHARDS[0])
    with qtbot.waitSignal(session.document_changed):
        session.reread(whole_set=False)
    (sharded / SHARDS[1]).unlink()
    with qtbot.waitSignal(work.changed_on_disk) as told, (sharded / SHARDS[0]).open("ab") as appended:
        appended.write(b"more")
    assert told.args == [session, "changed", [SHARDS[0]]]


def test_a_set_without_an_index_is_watched_too(qtbot: QtBot, work: Workspace, parts: Path) -> None:
    session = opened(qtbot, work, parts)
    with qtbot.waitSignal(work.changed_on_disk) as told:
        (parts / "consolidated.01.pth").unlink()
    assert told.args == [session, "gone", ["consolidated.01.pth"]]
