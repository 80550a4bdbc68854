"""Checksums of the selection, and saving it."""

import hashlib

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QToolTip

from viewer.core.dumped import dump
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


def test_the_dialog_offers_bytes_and_a_dump(pane, adam, qtbot, tmp_path, monkeypatch):
    pane.view.select(Span(0, 20))
    offered = []

    def choose(parent, title, name, filters):
        offered.append(name)
        return str(tmp_path / "part.txt"), filters.split(";;")[1]

    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(choose))
    with qtbot.waitSignal(pane.message) as told:
        pane.commands()["edit.save_bytes"]()
    assert offered[0].endswith("checkpoint_adam_0x0.bin")
    assert told.args == ["done", "The bytes were saved", "20 bytes in part.txt."]
    assert (tmp_path / "part.txt").read_text() == dump(0, adam.source.read(0, 20))


def test_the_histogram_tells_how_often_each_value_occurs(pane, adam, qtbot):
    pane.view.select(Span(0, 64))
    pane.commands()["edit.byte_facts"]()
    qtbot.waitUntil(lambda: pane.facts.histogram.isVisible())
    data = adam.source.read(0, 64)
    shown = pane.facts.histogram
    assert {value for value, height in enumerate(shown.heights()) if height} == set(data)
    most = max(range(256), key=data.count)
    assert shown.heights()[most] == 1
    assert shown.accessibleDescription() == f"Most often {most:02X}, {data.count(most)} times"
    assert [shown.value_at(x) for x in (-5, 0, shown.width() - 1, shown.width() + 9)] == [0, 0, 255, 255]
    image = shown.grab().toImage()
    colour = pane.theme.color("link_line").name()
    bars = {x for x in range(image.width()) if image.pixelColor(x, image.height() - 3).name() == colour}
    assert bars


def test_pairs_of_bytes_are_drawn_and_told(opened, shown, qtbot, tmp_path):
    path = tmp_path / "pairs.bin"
    path.write_bytes(b"\x10\xe0" * 500 + b"\xe0\xe0")
    pane = shown(HexPane, opened(path))
    pane.resize(900, 700)
    pane.view.select_all()
    pane.facts.ask()
    pairs = pane.facts.pairs
    qtbot.waitUntil(pairs.isVisible)
    told = QAccessible.queryAccessibleInterface(pairs)
    assert told.text(QAccessible.Text.Name) == "How often one byte follows another"
    assert told.text(QAccessible.Text.Description) == "Most often 10 E0, 500 times"
    shades = pairs.shades()
    assert shades[0xE0, 0x10] == 255
    assert 0 < shades[0xE0, 0xE0] < shades[0x10, 0xE0] <= 255
    assert (shades > 0).sum() == 3
    area = pairs.area()
    assert area.width() == area.height() >= 128
    assert pairs.rect().contains(area)
    at = area.topLeft() + QPoint(0x10 * area.width() // 256, 0xE0 * area.height() // 256 + 1)
    first, second = pairs.pair_at(at)
    assert abs(first - 0x10) <= 2
    assert abs(second - 0xE0) <= 2
    picture = pairs.picture()
    assert picture.pixelColor(0x10, 0xE0) == pane.theme.color("text")
    assert picture.pixelColor(0, 0) == pane.theme.color("pane")
    assert pairs.picture(128).pixelColor(0x10 // 2, 0xE0 // 2) == pane.theme.color("text")


def test_what_is_below_the_mouse_is_told(opened, shown, qtbot, tmp_path):
    path = tmp_path / "pairs.bin"
    path.write_bytes(b"\x80\xfe" * 500 + b"\xff\xff")
    pane = shown(HexPane, opened(path))
    pane.resize(900, 700)
    pane.view.select_all()
    pane.facts.ask()
    qtbot.waitUntil(pane.facts.pairs.isVisible)
    pairs, histogram = pane.facts.pairs, pane.facts.histogram
    area = pairs.area()
    assert pairs.told_at(QPoint(area.left() + area.width() // 2, area.bottom())) == "80, then FE: 500 times"
    assert pairs.told_at(area.topLeft() - QPoint(1, 1)) == ""
    assert histogram.told_at(QPoint(histogram.width() - 1, 3)) == "FF: 2 times"
    tip(histogram, QPoint(histogram.width() - 1, 3))
    qtbot.waitUntil(lambda: QToolTip.text() == "FF: 2 times")
    tip(pairs, area.topLeft() - QPoint(1, 1))
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def tip(widget, point):
    """Let the mouse rest there."""
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, point, widget.mapToGlobal(point)))


def test_pairs_without_room_are_left_out(opened, shown, qtbot, tmp_path):
    path = tmp_path / "pairs.bin"
    path.write_bytes(bytes(range(256)) * 4)
    pane = shown(HexPane, opened(path))
    pane.view.select_all()
    pane.facts.ask()
    qtbot.waitUntil(pane.facts.pairs.isVisible)
    pane.facts.pairs.resize(20, 100)
    assert pane.facts.pairs.area().isEmpty()
    assert pane.facts.pairs.pair_at(QPoint(5, 5)) is None


def test_facts_leave_the_bytes_their_room(pane, qtbot):
    pane.view.select(Span(0, 64))
    pane.facts.ask()
    qtbot.waitUntil(pane.facts.pairs.isVisible)
    pane.resize(700, 800)
    qtbot.waitUntil(lambda: pane.facts.histogram.height() == pane.theme.px(128))
    pane.resize(700, 300)
    qtbot.waitUntil(lambda: pane.facts.histogram.height() == pane.theme.px(44))
    qtbot.waitUntil(lambda: pane.view.height() > 120)
