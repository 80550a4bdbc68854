"""Cycles are collected in the GUI thread, never by a job."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.shared import ROOT
from viewer.core.collector import collector_paused
from viewer.core.opening import open_document
from viewer.session.cycles import Cycles

SAMPLE = ROOT / "resources" / "samples" / "checkpoint_adam.pt"


class Node:
    """One half of a cycle; tells which thread it ended in."""

    def __init__(self, ended: list[str]) -> None:
        self.ended = ended
        self.me = self

    def __del__(self) -> None:
        self.ended.append(threading.current_thread().name)


@pytest.fixture
def cycles(qapp: object) -> Iterator[Cycles]:
    del qapp
    gc.enable()
    made = Cycles()
    yield made
    made.stop()
    assert gc.isenabled()


def in_a_thread(path: Path) -> None:
    """Open a file, and make more objects than Python's collector stands."""
    open_document(path).source.close()
    kept = [[] for _ in range(100_000)]
    assert len(kept) == 100_000


def test_a_job_collects_nothing(cycles: Cycles) -> None:
    ended: list[str] = []
    Node(ended)
    thread = threading.Thread(target=in_a_thread, args=(SAMPLE,))
    thread.start()
    thread.join()
    assert ended == []
    gc.collect()
    assert ended == ["MainThread"]


def test_nothing_is_walked_while_a_job_makes_very_many_objects_that_stay(cycles: Cycles) -> None:
    ended: list[str] = []
    gc.set_threshold(10, 10, 10)
    try:
        with collector_paused():
            Node(ended)
            kept: list[list[object]] = [[] for _ in range(1_000)]
            cycles.look()
            assert ended == []
        Node(ended)
        kept += [[] for _ in range(1_000)]
        cycles.look()
        assert len(ended) == 1
    finally:
        gc.set_threshold(700, 10, 10)


def test_what_was_closed_is_collected_from_the_event_loop(qtbot: QtBot, cycles: Cycles) -> None:
    ended: list[str] = []
    seen = weakref.ref(Node(ended))
    gc.collect(0)
    Node(ended)
    cycles.collect_soon()
    qtbot.waitUntil(lambda: len(ended) == 2)
    assert seen() is None
    assert set(ended) == {"MainThread"}


def test_young_objects_are_collected_when_there_are_many(cycles: Cycles) -> None:
    ended: list[str] = []
    gc.collect()
    Node(ended)
    cycles.look()
    assert ended == []
    kept = [[] for _ in range(2_000)]
    cycles.look()
    assert ended == ["MainThread"]
    assert len(kept) == 2_000
