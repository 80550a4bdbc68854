"""Checksums are read after a small file is open, and for a large one when asked; what does not fit is a Problem."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.builders.legacy import legacy
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from viewer.session import sums
from viewer.session.session import Session

VALUE = OrderedDict(a=full("float32", (4,), range(4)))


@pytest.fixture
def flipped(tmp_path: Path) -> Path:
    """An archive with a changed byte in its storage."""
    data = bytearray(torch_zip(VALUE))
    data[data.index(b"\x00\x00\x80\x3f\x00\x00\x00\x40") + 3] ^= 1
    path = tmp_path / "flipped.pt"
    path.write_bytes(data)
    return path


@pytest.fixture
def session(flipped: Path) -> Iterator[Session]:
    made = Session(flipped)
    yield made
    made.close()


def found(session: Session) -> list[str]:
    return [problem.code for part in session.documents for problem in part.problems]


def test_a_small_file_is_checked_after_opening(qtbot: QtBot, session: Session) -> None:
    with qtbot.waitSignal(session.jobs.idle):
        session.open()
    assert session.sums.done
    assert (session.sums.good, session.sums.unstated, session.sums.bad) == (6, 0, 1)
    assert found(session) == ["tensor-checksum"]


def test_a_large_file_is_checked_when_asked(qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "SMALL", 10)
    with qtbot.waitSignal(session.jobs.idle):
        session.open()
    assert not session.sums.done
    assert found(session) == []
    with qtbot.waitSignal(session.jobs.idle):
        session.sums.begin()
    assert session.sums.done
    session.sums.begin()
    assert not session.sums.running
    assert found(session) == ["tensor-checksum"]


def test_a_stopped_check_can_be_asked_for_again(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "SMALL", 10)
    with qtbot.waitSignal(session.jobs.idle):
        session.open()
    session.sums.begin()
    session.cancel(sums.SUMS)
    assert not session.sums.running
    with qtbot.waitSignal(session.jobs.idle):
        session.sums.begin()
    assert session.sums.bad == 1


def test_reading_again_checks_again(qtbot: QtBot, session: Session) -> None:
    with qtbot.waitSignal(session.jobs.idle):
        session.open()
    with qtbot.waitSignal(session.jobs.idle):
        session.decode(session.options)
    assert session.sums.done
    assert found(session) == ["tensor-checksum"]


def test_what_states_no_checksums_is_not_read(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "stream.pt"
    path.write_bytes(legacy(VALUE))
    session = Session(path)
    with qtbot.waitSignal(session.jobs.idle):
        session.open()
    assert (session.sums.size, session.sums.done, session.sums.running) == (0, False, False)
    session.close()
