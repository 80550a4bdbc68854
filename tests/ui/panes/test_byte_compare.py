"""Two files by bytes: the first difference at once, steps, one scrolling, underlines."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from viewer.core.span import Span
from viewer.ui.hexview.overlay import difference_ink
from viewer.ui.panes.hex import HexPane


def test_two_files_side_by_side(opened, shown, qtbot, tmp_path):
    data = bytearray(40_000)
    first, second = tmp_path / "a.bin", tmp_path / "b.bin"
    first.write_bytes(data)
    data[5000:5004] = b"abcd"
    data[30_000] = 1
    second.write_bytes(data)
    session, other = opened(first), opened(second)
    session.peers = lambda: [other]
    pane = shown(HexPane, session)
    pane.resize(1300, 480)
    assert "go.next_difference" not in pane.commands()
    menu = QMenu()
    pane.compared.add_to(menu)
    menu.actions()[0].menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: pane.view.caret == 5000)
    assert pane.compared.view.caret == 5000
    assert pane.compared.view.row_bytes == pane.view.row_bytes
    assert pane.compared.view.top_row == pane.view.top_row
    assert pane.compared.view.mapTo(pane, QPoint(0, 0)).y() == pane.view.mapTo(pane, QPoint(0, 0)).y()
    assert not pane.view.horizontalScrollBar().maximum()
    ink = difference_ink(pane.theme).name()
    for view in (pane.view, pane.compared.view):
        image = view.grab().toImage()
        assert ink in {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(image.height())}
    pane.commands()["go.next_difference"]()
    qtbot.waitUntil(lambda: pane.view.caret == 30_000)
    pane.commands()["go.next_difference"]()
    qtbot.waitUntil(lambda: pane.compared.words.text() == "No further difference.")
    pane.commands()["go.previous_difference"]()
    qtbot.waitUntil(lambda: pane.view.caret == 5000)
    pane.compared.view.set_top_row(100)
    assert pane.view.top_row == 100
    pane.compared.leave()
    assert pane.compared.isHidden()
    assert pane.view.surface.differences is None


def test_a_shorter_file_does_not_hold_the_longer_one(opened, shown, qtbot, tmp_path):
    first, second = tmp_path / "a.bin", tmp_path / "b.bin"
    first.write_bytes(bytes(40_000))
    second.write_bytes(bytes(20_000))
    session, other = opened(first), opened(second)
    pane = shown(HexPane, session)
    pane.compared.compare(other.source, "b.bin")
    qtbot.waitUntil(lambda: pane.view.caret == 20_000)
    pane.view.set_top_row(pane.view.surface.last_top)
    assert pane.view.top_row == pane.view.surface.last_top
    assert pane.compared.view.top_row == pane.compared.view.surface.last_top < pane.view.top_row
    pane.compared.view.set_top_row(10)
    assert pane.view.top_row == 10


def test_the_other_file_has_its_own_colours(adam, opened, shown, qtbot, tmp_path):
    path = tmp_path / "same.pt"
    path.write_bytes(adam.path.read_bytes() + b"x")
    other = opened(path)
    pane = shown(HexPane, adam)
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: pane.view.caret > 0)
    pane.view.set_top_row(0)
    assert pane.compared.view.visible_kinds() == pane.view.visible_kinds() != ()


def test_a_difference_is_the_selection_of_all_panes(opened, shown, qtbot, tmp_path):
    first, second = tmp_path / "a.bin", tmp_path / "b.bin"
    first.write_bytes(b"abcdefgh")
    second.write_bytes(b"abcXefgh")
    session, other = opened(first), opened(second)
    pane = shown(HexPane, session)
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: session.selection.spans == (Span(3, 4),))


def test_rows_are_fitted_again_when_the_pane_is_resized(opened, shown, qtbot, tmp_path):
    first, second = tmp_path / "a.bin", tmp_path / "b.bin"
    first.write_bytes(bytes(4000))
    second.write_bytes(bytes(3999) + b"x")
    session, other = opened(first), opened(second)
    pane = shown(HexPane, session)
    pane.compared.compare_with(other)
    found = []
    for width in (640, 860, 1400):
        pane.resize(width, 480)
        qtbot.waitUntil(lambda: not pane.view.horizontalScrollBar().maximum())
        assert not pane.compared.view.horizontalScrollBar().maximum()
        assert pane.view.row_bytes == pane.compared.view.row_bytes
        found.append(pane.view.row_bytes)
    assert found == sorted(set(found))
