"""Pictures of the bytes that a person has looked at: light, dark, a fine screen, a narrow and a wide pane; each look.

They hold for one font; where the program would use another one they cannot be compared. `PICKLESCOPE_APPROVE=1` draws
them anew: look at each before it is committed.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.screens import ALONE
from tests.screens.comparing import FONTS, compare
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.session.session import Session
from viewer.ui.hexview.area import ByteArea
from viewer.ui.hexview.layout import Form
from viewer.ui.hexview.marks import KINDS
from viewer.ui.hexview.numbers import Cells
from viewer.ui.hexview.view import HexView
from viewer.ui.models.byte_regions import ByteRegions
from viewer.ui.theme import load_theme, mono_family

pytestmark = pytest.mark.skipif(not os.environ.get(ALONE), reason="drawn by test_alone.py, in a process of its own")

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "whole_model_legacy.pth"
FLOATS = struct.pack("<8f", 1.5, math.nan, 0.0, -math.inf, 1e-9, -0.0, -3e8, 0.125)
LETTERS = "Grüße, → и кириллица \u2014 \u201cé\u201d \U0001d670\U0001d7f6 √∞"
"""Letters that the font itself has: which other one the system takes for the rest is not ours to say."""
SCREENS = {
    "light": ("light", 1.0, 640, 420),
    "dark": ("dark", 1.0, 640, 420),
    "fine": ("dark", 2.0, 640, 420),
    "narrow": ("light", 1.0, 330, 420),
    "wide": ("light", 1.0, 1500, 420),
}


def shown_numbers(view: HexView) -> None:
    """Floats behind an odd offset, where rows and cells begin; no numbers, selected cells, a part of a cell."""
    view.set_reader(MemorySource(b"\x80\x02}q\x00." + FLOATS * 8 + b"end"))
    view.set_regions(lambda start, stop: [(0, 6, "memo", "data"), (6, 6 + 8 * len(FLOATS), "float32", "data")])
    view.set_form(Form(group=8, phase=6, cells=Cells("float32")), "Offset")
    view.go_to(26)
    QTest.keyClick(view.viewport(), Qt.Key.Key_Right)
    QTest.keyClick(view.viewport(), Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)


def shown_letters(view: HexView, encoding: str, phase: int) -> None:
    """Letters of one to four bytes, some selected, and wrong sequences."""
    view.set_encoding(encoding)
    view.set_reader(MemorySource(b"!" * phase + LETTERS.encode(encoding) * 6 + b"\xff\xfe\xed\xa0\x80\xc0\x80"))
    view.set_form(Form(phase=phase), "Offset")
    view.select(Span(0x40, 0x4C))


def shown_values(view: HexView) -> None:
    """Every byte by its value, on the pane and on each kind of region."""
    view.set_reader(MemorySource(bytes(range(256)) + b"\x00A\n\x9c\xff" * 80))
    runs = [(256 + at * 15, 271 + at * 15, kind, "argument" if at % 2 else "data") for at, kind in enumerate(KINDS)]
    view.set_regions(lambda start, stop: [run for run in runs if run[1] > start and run[0] < stop])
    view.set_form(Form(shading=True, lines=True), "Offset")


LOOKS: dict[str, Callable[[HexView], None]] = {
    "numbers": shown_numbers,
    "letters": partial(shown_letters, encoding="utf-8", phase=0),
    "letters_of_two": partial(shown_letters, encoding="utf-16-le", phase=1),
    "values": shown_values,
}


@pytest.mark.usefixtures("steady")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", LOOKS)
def test_each_look_is_as_approved(qtbot: QtBot, theme: str, name: str) -> None:
    if mono_family() != FONTS[0]:
        pytest.skip(f"approved in {FONTS[0]}")
    view = HexView(load_theme(theme))
    qtbot.addWidget(view)
    view.resize(640, 820 if name == "values" else 420)
    with qtbot.waitExposed(view):
        view.show()
    LOOKS[name](view)
    compare(picture(view, 1.0), f"hex_{name}_{theme}")


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(SAMPLE)
    with qtbot.waitSignal(made.jobs.idle):
        made.open()
    yield made
    made.close()


@pytest.fixture
def steady(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Views have the keyboard, and a caret that does not blink."""
    before = qapp.cursorFlashTime()
    qapp.setCursorFlashTime(0)
    monkeypatch.setattr(HexView, "hasFocus", lambda view: True)
    yield
    qapp.setCursorFlashTime(before)


def picture(view: HexView, dpr: float) -> QImage:
    image = QImage(view.size() * dpr, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(dpr)
    # Where a scroll bar stands nothing is drawn, and the memory would be as it was left.
    image.fill(Qt.GlobalColor.white)
    view.viewport().render(image, QPoint(0, 0))
    return image


def marked(view: HexView, session: Session) -> None:
    """All that can stand at the bytes: regions, selection, link, hits, what has changed, a difference, bookmarks."""
    assert session.document is not None
    view.set_reader(session.source)
    view.set_regions(ByteRegions(session.document))
    if view.width() > 1000:
        view.set_form(Form(group=8, most=64, lines=True), "Offset")
    view.select(Span(0x2A, 0x36))
    view.set_linked([Span(0x50, 0x75)])
    view.set_hits(lambda start, stop: [(0x90, 0x94), (0x9E, 0xA3)])
    view.set_changed(lambda start, stop: [(0xB0, 0xB1)])
    view.set_differences(lambda start, stop: [(0xC1, 0xC6)])
    view.set_bookmarks([0x60, 0x80], [(Span(0x80, 0x84), "accent"), (Span(0xD0, 0xDC), "call")])


@pytest.mark.usefixtures("steady")
@pytest.mark.parametrize("name", SCREENS)
def test_the_bytes_look_as_approved(session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    if mono_family() != FONTS[0]:
        pytest.skip(f"approved in {FONTS[0]}")
    theme, dpr, width, height = SCREENS[name]
    monkeypatch.setattr(ByteArea, "_dpr", dpr)
    view = HexView(load_theme(theme))
    qtbot.addWidget(view)
    view.resize(width, height)
    with qtbot.waitExposed(view):
        view.show()
    marked(view, session)
    compare(picture(view, dpr), f"hex_{name}")
