"""The open file is changed, cut, removed or replaced, and read again: the place stays, what is different is lit up."""

import os
from pathlib import Path

import numpy as np
import pytest

from viewer.core.span import Span
from viewer.session.byte_comparing import Part
from viewer.session.session import Session
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace
from viewer.ui.hexview import marks
from viewer.ui.hexview.layout import Place, Side
from viewer.ui.panes.hex import HexPane
from viewer.ui.theme import load_theme

SIZE = 200_000
PLACE = 90_000


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "open.bin"
    path.write_bytes(bytes(range(256)) * (SIZE // 256))
    return path


@pytest.fixture
def work(qapp, tmp_path):
    made = Workspace(Settings(tmp_path / "settings.ini"))
    yield made
    made.close_all()


@pytest.fixture
def pane(work, file, shown, ready):
    session = ready(work.open(file))
    pane = shown(HexPane, session)
    pane.view.set_top_row(PLACE // pane.view.row_bytes)
    return pane


@pytest.fixture
def ready(qtbot):
    def wait(session: Session | None) -> Session:
        assert session is not None
        qtbot.waitUntil(lambda: session.document is not None and not session.jobs.busy)
        return session

    return wait


def lit(pane: HexPane) -> list[int]:
    """The offsets of bytes that are lit up."""
    surface = pane.view.surface
    surface.look()
    codes = surface.codes()[Side.HEX] >> marks.FLAG_BITS
    kinds = codes // len(marks.ROLES)
    return [surface.content.first + at for at, kind in enumerate(kinds.tolist()) if kind == marks.HIT]


def write(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def test_what_has_changed_is_lit_up_for_a_while(pane, work, file, shown, ready, qtbot):
    before = pane.view.top_row
    with qtbot.waitSignal(work.changed_on_disk) as told:
        write(file, PLACE + 20, b"\x00\x00\x00")
    assert told.args[1:] == ["changed", ["open.bin"]]
    again = shown(HexPane, ready(work.reload(pane.session)))
    assert again.view.top_row == before
    assert lit(again) == [PLACE + 20, PLACE + 21, PLACE + 22]
    assert again._changed_shown.isActive()
    again._changed_shown.timeout.emit()
    assert lit(again) == []


def test_a_file_that_was_replaced_is_compared_with_what_was_seen(pane, work, file, shown, ready, qtbot):
    new = file.with_suffix(".new")
    new.write_bytes(file.read_bytes())
    write(new, PLACE + 1, b"\x00")
    with qtbot.waitSignal(work.changed_on_disk) as told:
        new.replace(file)
    assert told.args[1] == "changed"
    again = shown(HexPane, ready(work.reload(pane.session)))
    assert lit(again) == [PLACE + 1]


def test_nothing_is_lit_up_where_nothing_is_different(pane, work, shown, ready):
    again = shown(HexPane, ready(work.reload(pane.session)))
    assert lit(again) == []


def test_a_file_that_was_cut_is_shown_to_its_end(pane, work, file, shown, ready, qtbot):
    pane.view.select(Span(PLACE, PLACE + 4))
    with qtbot.waitSignal(work.changed_on_disk):
        os.truncate(file, 5000)
    pane.view.viewport().repaint()
    again = shown(HexPane, ready(work.reload(pane.session)))
    assert again.view.visible_span().stop == 5000
    assert lit(again) == []


def test_a_file_that_is_gone_stays_on_the_screen(pane, work, file, qtbot):
    seen = pane.view.shown_bytes()
    with qtbot.waitSignal(work.changed_on_disk) as told:
        file.unlink()
    assert told.args[1] == "gone"
    with qtbot.waitSignal(work.refused):
        assert work.reload(pane.session) is None
    assert work.sessions == [pane.session]
    pane.view.surface.refresh()
    assert pane.view.shown_bytes() == seen


@pytest.fixture
def again(work, ready, qtbot):
    """Read the file of a pane again and show a pane of it; what it tells is kept in `told`."""

    def read(pane: HexPane) -> HexPane:
        pane.hide()
        session = work.reload(pane.session)
        assert session is not None
        new = HexPane(session, load_theme("light"))
        new.told = []
        new.message.connect(lambda *words: new.told.append(words))
        qtbot.addWidget(new)
        new.resize(1300, 480)
        with qtbot.waitExposed(new):
            new.show()
        ready(session)
        return new

    return read


@pytest.mark.parametrize("by_mouse", [True, False])
def test_the_caret_and_the_rows_in_view_stay_each_where_they_are(pane, again, by_mouse):
    if by_mouse:
        pane.view.point_to(Place(300, Side.HEX), extend=False, shift=False)
        pane.view.point_to(Place(309, Side.HEX), extend=True, shift=False)
    else:
        pane.session.select_bytes((Span(300, 310),), "test")
    pane.view.set_top_row(PLACE // pane.view.row_bytes)
    top = pane.view.top_row
    new = again(pane)
    assert new.view.selected_span() == new.session.selection.span == Span(300, 310)
    assert new.view.top_row == top
    new.session.select_bytes((Span(8, 9),), "test")
    assert 8 in new.view.visible_span()


@pytest.fixture
def compared(work, file, shown, ready, qtbot):
    """A pane of the file beside another one, which differs in one byte."""
    other = file.with_name("other.bin")
    other.write_bytes(file.read_bytes())
    write(other, PLACE + 2, b"\xee")
    session, peer = ready(work.open(file)), ready(work.open(other))
    pane = shown(HexPane, session)
    pane.resize(1300, 480)
    pane.compared.compare_with(peer)
    qtbot.waitUntil(lambda: "1 difference, 1 byte" in pane.compared.head.words.text())
    return pane


def test_a_comparison_goes_on_with_the_new_bytes(compared, file, again, qtbot):
    compared.view.set_top_row(PLACE // compared.view.row_bytes - 100)
    top, row_bytes = compared.view.top_row, compared.view.row_bytes
    write(file, 7, b"\xaa\xaa")
    pane = again(compared)
    qtbot.waitUntil(lambda: pane.compared.head.words.text() == "2 differences, 3 bytes")
    assert pane.compared.isVisible()
    assert pane.told == [("note", "Compared again", "open.bin was read again; its new bytes are compared.")]
    assert (pane.view.top_row, pane.view.row_bytes) == (top, row_bytes)
    assert pane.compared.view.top_row == top
    pane.compared.step(-1)
    qtbot.waitUntil(lambda: pane.view.caret == 7)


def test_a_part_that_is_compared_is_the_same_part_of_the_new_file(compared, file, again, qtbot):
    mine, theirs = Span(PLACE, PLACE + 100), Span(PLACE + 1, PLACE + 101)
    peer = compared.session.peers()[0]
    compared.compared.compare(Part(compared.session, compared.session.source, mine), Part(peer, peer.source, theirs))
    pane = again(compared)
    qtbot.waitUntil(lambda: bool(pane.told))
    assert (pane.compared._mine.span, pane.compared._theirs.span) == (mine, theirs)
    assert pane.compared.own.surface.content.reader.read(0, 4) == file.read_bytes()[PLACE : PLACE + 4]
    os.truncate(file, PLACE)
    pane = again(pane)
    qtbot.waitUntil(lambda: bool(pane.told))
    assert pane.told == [("note", "Nothing to compare with any more", "open.bin has no such bytes any more.")]
    assert pane.compared.isHidden()


def test_a_second_view_stays(compared, again, qtbot):
    compared.compared.show_second()
    pane = again(compared)
    qtbot.waitUntil(pane.compared.isVisible)
    assert pane.compared.head.name.text() == "The same bytes again"


def test_a_comparison_that_was_left_does_not_come_back(compared, again):
    compared.compared.leave()
    pane = again(compared)
    assert pane.compared.isHidden()
    assert pane.told == []


def test_what_has_changed_is_lit_up_in_rows_wider_than_the_pane(pane, work, file, shown, ready, qtbot):
    pane.view.set_row_bytes(2000)
    pane.view.go_to(0)
    pane._scrolled()
    with qtbot.waitSignal(work.changed_on_disk):
        for at in (8, 2009, 2700):
            write(file, at, bytes([file.read_bytes()[at] ^ 1]))
    again = shown(HexPane, ready(work.reload(pane.session)))
    again.view.set_row_bytes(2000)
    surface = again.view.surface
    surface.look()
    marked = surface.codes()[Side.HEX].reshape(surface.shown, -1)
    hits = np.argwhere((marked >> marks.FLAG_BITS) // len(marks.ROLES) == marks.HIT).tolist()
    assert hits == [[0, 8], [1, 9]], "what was not in view, at 2700, is not known"
