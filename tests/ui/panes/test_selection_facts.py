"""Checksums of the selection, and saving it."""

import hashlib

import pytest

from viewer.core.span import Span
from viewer.ui.panes.hex import HexPane


@pytest.fixture
def pane(adam, shown):
    return shown(HexPane, adam)


def test_checksums_are_shown_beside_what_the_archive_states(pane, adam, qtbot):
    record = next(record for record in adam.document.records if record.stored and record.data.length > 8)
    pane.view.select(record.data)
    pane.commands()["edit.byte_facts"]()
    qtbot.waitUntil(lambda: "SHA-256" in pane.facts.words.text())
    data = adam.source.read(record.data.start, record.data.length)
    text = pane.facts.words.text()
    assert hashlib.sha256(data).hexdigest() in text
    assert f"CRC-32   {record.crc:08X}   as the archive states" in text
    pane.facts.leave()
    assert pane.facts.isHidden()


def test_the_selection_is_saved_and_never_over_the_open_file(pane, adam, qtbot, tmp_path):
    pane.view.select_spans([Span(0, 4), Span(10, 12)])
    with qtbot.waitSignal(pane.message) as told:
        pane.facts.save_to(tmp_path / "part.bin")
    assert told.args == ["done", "The bytes were saved", "6 bytes in part.bin."]
    assert (tmp_path / "part.bin").read_bytes() == adam.source.read(0, 4) + adam.source.read(10, 2)
    before = adam.path.read_bytes()
    with qtbot.waitSignal(pane.message) as told:
        pane.facts.save_to(adam.path)
    assert told.args[:2] == ["error", "The bytes were not saved"]
    assert adam.path.read_bytes() == before
