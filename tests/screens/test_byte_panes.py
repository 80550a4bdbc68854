"""Pictures of what stands round the bytes that a person has looked at: comparisons, facts, the find bar, readings.

They hold for one pair of fonts; with others they cannot be compared. `PICKLESCOPE_APPROVE=1` draws them anew: look at
each before it is committed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.screens import ALONE
from tests.screens.comparing import FONTS, compare_with_approved
from viewer.core.span import Span
from viewer.session.byte_comparing import Part
from viewer.session.session import Session
from viewer.ui.hexview.view import HexView
from viewer.ui.pane import Pane
from viewer.ui.panes.hex import HexPane
from viewer.ui.panes.inspector import InspectorPane
from viewer.ui.theme import load_theme, palette, style_sheet
from viewer.ui.widgets.readings_sheet import ReadingsSheet

pytestmark = pytest.mark.skipif(not os.environ.get(ALONE), reason="drawn by test_alone.py, in a process of its own")

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "checkpoint_adam.pt"
CHANGED = (0x4C, 0x4D, 0x92, 0x1388)


@pytest.fixture
def two(qtbot: QtBot, tmp_path: Path) -> Iterator[tuple[Session, Session]]:
    """A checkpoint, and one that differs from it in four bytes."""
    data = bytearray(SAMPLE.read_bytes())
    for at in CHANGED:
        data[at] ^= 0x55
    second = tmp_path / "other.pt"
    second.write_bytes(data)
    made = []
    for path in (SAMPLE, second):
        session = Session(path)
        with qtbot.waitSignal(session.jobs.idle):
            session.open()
        made.append(session)
    yield made[0], made[1]
    for session in made:
        session.close()


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """No row lights up, and one view has the keyboard."""
    monkeypatch.setattr(HexView, "flash", lambda view, offset: None)
    monkeypatch.setattr(ReadingsSheet, "hasFocus", lambda sheet: True)


def compared(pane: HexPane, other: Session, qtbot: QtBot) -> None:
    pane.compared.head.list.setChecked(True)
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: "3 differences, 4 bytes" in pane.compared.head.words.text())
    qtbot.waitUntil(lambda: pane.compared.list.model.rowCount() == len(CHANGED) - 1)


def parts(pane: HexPane, other: Session, qtbot: QtBot) -> None:
    mine, theirs = pane.session.source, other.source
    assert mine is not None
    assert theirs is not None
    pane.compared.compare(Part(pane.session, mine, Span(0x43, 0xC3)), Part(other, theirs, Span(0x43, 0xC3)))
    qtbot.waitUntil(lambda: "2 differences, 3 bytes" in pane.compared.head.words.text())


def facts(pane: HexPane, other: Session, qtbot: QtBot) -> None:
    del other
    pane.view.select(Span(0x40, 0x1000))
    pane.facts.ask()
    qtbot.waitUntil(pane.facts.histogram.isVisible)


def find(pane: HexPane, other: Session, qtbot: QtBot) -> None:
    del other
    pane.finding.show()
    pane.find_bar.field.setText("80 02 7D 71")
    qtbot.waitUntil(lambda: "Not found" in pane.find_bar.words.text())


def hits(pane: HexPane, other: Session, qtbot: QtBot) -> None:
    """The list of what was found, the second of it reached: the caret stood on the first."""
    del other
    pane.finding.show("50 4B ?? ??")
    pane.find_bar.list.setChecked(True)
    pane.find_bar.ask(backwards=False)
    qtbot.waitUntil(lambda: "2 of 159" in pane.find_bar.words.text())
    found(pane, qtbot)


def strings(pane: HexPane, other: Session, qtbot: QtBot) -> None:
    """The list of the strings, by what holds them."""
    del other
    pane.finding.list_strings()
    found(pane, qtbot)


def found(pane: HexPane, qtbot: QtBot) -> None:
    """Wait for the end of the search, and for the list to show what it found."""
    qtbot.waitUntil(lambda: pane.finding.search.hits is not None and not pane.finding.search.running)
    total = pane.finding.search.hits.total if pane.finding.search.hits is not None else 0
    qtbot.waitUntil(lambda: pane.hits.model.rowCount() == total)


SCREENS: dict[str, tuple[Callable[[HexPane, Session, QtBot], None], int, int]] = {
    "compared": (compared, 900, 520),
    "parts": (parts, 900, 360),
    "facts": (facts, 640, 420),
    "find": (find, 640, 300),
    "find_narrow": (find, 380, 300),
    "hits": (hits, 760, 420),
    "strings": (strings, 760, 420),
    "strings_narrow": (strings, 400, 460),
}


def dressed(pane: Pane, theme: str, plain: QApplication, qtbot: QtBot, width: int, height: int) -> None:
    """Show a pane in a theme, or skip where the fonts are others."""
    loaded = load_theme(theme)
    if (loaded.mono_family, QFontInfo(loaded.text()).family()) != FONTS:
        pytest.skip(f"approved in {FONTS}")
    plain.setPalette(palette(loaded))
    pane.setStyleSheet(style_sheet(loaded))
    for widget in pane.header_widgets():
        # The header of the dock holds them.
        widget.hide()
    qtbot.addWidget(pane)
    pane.resize(width, height)
    with qtbot.waitExposed(pane):
        pane.show()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCREENS)
def test_the_pane_looks_as_approved(
    two: tuple[Session, Session], plain: QApplication, qtbot: QtBot, theme: str, name: str
) -> None:
    session, other = two
    prepare, width, height = SCREENS[name]
    pane = HexPane(session, load_theme(theme))
    dressed(pane, theme, plain, qtbot, width, height)
    prepare(pane, other, qtbot)
    qtbot.waitUntil(lambda: not session.jobs.busy)
    compare_with_approved(pane, f"bytes_{name}_{theme}")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_inspector_looks_as_approved(
    two: tuple[Session, Session], plain: QApplication, qtbot: QtBot, theme: str
) -> None:
    session, _ = two
    session.select_bytes((Span(0x1390, 0x1394),), "test")
    pane = InspectorPane(session, load_theme(theme))
    dressed(pane, theme, plain, qtbot, 640, 200)
    pane.sheet._go([row.name for row in pane.sheet.rows].index("float32"), in_big=False)
    compare_with_approved(pane, f"inspector_{theme}")
