"""Search everything in a session: hits come as they are found, the latest search wins, a hit leads to its place."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.builders.pickles import Stream
from tests.builders.sets import shard, write_set
from tests.builders.values import dumps
from tests.shared import ROOT
from viewer.core.search import base
from viewer.core.span import Span
from viewer.session.search import SEARCH, batches
from viewer.session.session import Session

LEGACY = ROOT / "resources" / "samples" / "whole_model_legacy.pth"


@pytest.fixture
def opened(qtbot):
    """Opens a file and waits until it is decoded."""
    sessions: list[Session] = []

    def open_file(path: Path) -> Session:
        session = Session(path)
        sessions.append(session)
        session.open()
        qtbot.waitUntil(lambda: session.document is not None and not session.jobs.busy)
        return session

    yield open_file
    for session in sessions:
        session.close()


def looked(qtbot, session, text, **options):
    """Search to the end; gives the batches that came."""
    came = []
    session.search.found.connect(came.append)
    with qtbot.waitSignal(session.search.ended):
        session.search.look(text, **options)
    session.search.found.disconnect(came.append)
    return came


def every(session):
    """All hits that are kept."""
    return [hit for hits in session.search.hits.values() for hit in hits]


def test_hits_come_by_signals_and_are_kept_by_kind(opened, qtbot):
    session = opened(LEGACY)
    came = looked(qtbot, session, "fc.weight")
    assert [(kind, [hit.text for hit in hits], total) for kind, hits, total in came[0]] == [("name", ["fc.weight"], 1)]
    assert session.search.total == 1
    assert not session.search.running
    assert [hit.kind for hit in every(session)] == ["name"]


def test_another_search_ends_the_one_before(opened, qtbot):
    session = opened(LEGACY)
    began = []
    session.search.began.connect(lambda: began.append(session.search.text))
    session.search.look("conv")
    looked(qtbot, session, "kaiming")
    assert began == ["conv", "kaiming"]
    assert {hit.kind for hit in every(session)} == {"source"}
    assert all("kaiming" in hit.text for hit in every(session))


def test_nothing_typed_and_nothing_found(opened, qtbot):
    session = opened(LEGACY)
    looked(qtbot, session, "conv")
    looked(qtbot, session, "")
    assert session.search.hits == {}
    looked(qtbot, session, "no such thing at all")
    assert (session.search.total, session.search.fault) == (0, None)


def test_a_fault_of_an_expression(opened, qtbot):
    session = opened(LEGACY)
    looked(qtbot, session, "(conv", expression=True)
    fault = session.search.fault
    assert fault is not None
    assert (fault.code, fault.params["at"]) == ("expression", 1)
    assert not session.search.running


def test_offsets_count_in_the_bytes_that_are_shown(opened, qtbot):
    session = opened(LEGACY)
    session.select_bytes((Span(100, 101),), "test")
    for typed, start in (
        ("0x1F4", 0x1F4),
        ("500", 500),
        ("+16", 116),
        ("end-4", session.source.size - 4),
        ("1F4h", 500),
    ):
        looked(qtbot, session, typed)
        assert session.search.hits["go-to"][0].span.start == start
    for typed in ("fc", "0x", "99999999", "fc1"):
        looked(qtbot, session, typed)
        assert "go-to" not in session.search.hits
    looked(qtbot, session, "0x1F4")
    session.search.select(session.search.hits["go-to"][0], "test")
    assert session.selection.span == Span(500, 501)


def test_each_kind_of_hit_leads_to_its_place(opened, qtbot):
    session = opened(LEGACY)
    looked(qtbot, session, "conv")
    hits = session.search.hits
    session.search.select(hits["name"][1], "test")
    assert session.selection.tensor == 1
    session.search.select(hits["source"][0], "test")
    assert (session.selection.code, session.selection.line) == (0, 9)
    session.search.select(hits["key"][0], "test")
    assert session.selection.opcode == hits["key"][0].opcode
    assert session.selection.origin == "test"


def test_hits_of_a_file_inside_the_file(opened, qtbot, tmp_path):
    import gzip

    path = tmp_path / "in.pkl.gz"
    path.write_bytes(gzip.compress(dumps({"inner": 1}, 2)))
    session = opened(path)
    session.select_document(0, "test")
    looked(qtbot, session, "inner")
    session.search.select(session.search.hits["key"][0], "test")
    assert session.selection.document == 1


def test_a_file_of_a_set(opened, qtbot, tmp_path):
    files = {"a.safetensors": shard({"w": ([1], [1])}), "b.safetensors": shard({"v": ([1], [2])})}
    session = opened(write_set(tmp_path, files, {"w": "a.safetensors", "v": "b.safetensors"}))
    looked(qtbot, session, "b.safetensors")
    session.search.select(session.search.hits["record"][0], "test")
    assert session.selection.source == "b.safetensors"


def test_a_byte_of_a_file_with_many_tensors_waits_for_what_leads_from_it(opened, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr("viewer.session.set_links.AT_ONCE", 1)
    files = {"a.safetensors": shard({"w": ([1], [1])}), "b.safetensors": shard({"v": ([1], [2])})}
    session = opened(write_set(tmp_path, files, {"w": "a.safetensors", "v": "b.safetensors"}))
    session.select_member("b.safetensors", "test")
    looked(qtbot, session, "end-1")
    with qtbot.waitSignal(session.selection_changed):
        session.search.select(session.search.hits["go-to"][0], "test")
        # They are looked up in a thread.
        assert not session.selection.spans
    assert session.selection.source == "b.safetensors"
    assert session.document.tensors[session.selection.tensor].name == "v"


def test_a_search_before_the_file_is_read_and_after_it_is_read_anew(opened, qtbot, tmp_path):
    path = tmp_path / "two.pkl"
    path.write_bytes(Stream(2).start().op("MARK").op("SHORT_BINSTRING", b"gr\xf6").op("LIST").op("STOP").data)
    session = Session(path)
    session.search.look("gr")
    assert session.search.total == 0
    with qtbot.waitSignals([session.document_changed, session.search.found]):
        session.open()
    qtbot.waitUntil(lambda: not session.jobs.busy)
    assert [hit.text for hit in every(session)] == ["grö"]
    with qtbot.waitSignal(session.search.found):
        session.reread(encoding="cp437")
    qtbot.waitUntil(lambda: not session.jobs.busy)
    assert [hit.text for hit in every(session)] == ["gr÷"]
    session.close()


def test_a_stopped_search_keeps_what_was_found(opened, qtbot, tmp_path, monkeypatch):
    path = tmp_path / "many.pkl"
    path.write_bytes(dumps(["needle"] + ["needle" + "x" * 500] * 3000, 2))
    session = opened(path)
    gate = threading.Event()
    step = base.Look.step

    def slow(look):
        if look.counts:
            assert gate.wait(120)
        step(look)

    monkeypatch.setattr(base.Look, "step", slow)
    with qtbot.waitSignal(session.search.found):
        session.search.look("needle")
    with qtbot.waitSignal(session.search.ended):
        session.cancel(SEARCH)
    gate.set()
    assert session.search.stopped
    assert session.search.total >= 1
    qtbot.waitUntil(lambda: not session.jobs.busy)


def test_batches_hand_over_the_first_hits_at_once():
    handed = [list(batch) for batch in batches(iter(["a", "b", "c"]))]
    assert handed[0] == ["a"]
    assert [block for batch in handed for block in batch] == ["a", "b", "c"]
