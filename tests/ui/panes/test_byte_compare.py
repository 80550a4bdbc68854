"""Two files by bytes: the first difference at once, steps, one scrolling, underlines, all of them listed, parts."""

import os
from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from tests.ui.shell import make_window, program_panes
from viewer.core.span import Span
from viewer.session.byte_comparing import AT_ONCE, LISTING, STEPPING, Part
from viewer.session.session import Session
from viewer.session.settings import BYTE_CELLS, BYTE_GROUP, BYTE_LETTERS, BYTE_RADIX, BYTE_ROW
from viewer.ui.hexview.overlay import difference_ink
from viewer.ui.panes.hex import HexPane
from viewer.ui.words import _Form
from viewer.wording.numbers import Numbers


def said(pane):
    return pane.compared.head.words.text().replace("\u200b", "")


def entries(pane):
    """What can be compared now, by its words."""
    menu = QMenu()
    inner = pane.compared.choices.add_to(menu)
    return {action.text(): action.trigger for action in inner.actions() if action.text()}, menu


@pytest.fixture
def two(opened, shown, tmp_path):
    """A pane of the first of two files, which differ at 0x10 to 0x14 and at 0x800; the second session."""
    data = bytearray(b"abcdefgh" * 512)
    first, second = tmp_path / "a.bin", tmp_path / "b.bin"
    first.write_bytes(data)
    data[0x10:0x14], data[0x800] = b"1234", 0
    second.write_bytes(data)
    session, other = opened(first), opened(second)
    session.peers = lambda: [other]
    return shown(HexPane, session), other


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
    qtbot.waitUntil(lambda: said(pane) == "No further difference.   2 differences, 5 bytes")
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
    pane.compared.compare_with(other)
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
        found.append((pane.view.row_bytes, pane.view.surface.layout.has_text))
    assert found == sorted(set(found))


def test_a_narrow_pane_tells_all_counts_below_the_names(two, qtbot):
    pane, other = two
    pane.compared.compare_with(other)
    head = pane.compared.head
    qtbot.waitUntil(lambda: "2 differences" in said(pane))
    for width, below in ((1300, False), (360, True), (1300, False)):
        pane.resize(width, 480)
        qtbot.waitUntil(lambda below=below: (head.words.y() > head.name.y() + head.name.height() // 2) is below)
        qtbot.waitUntil(lambda: head.words.height() >= head.words.heightForWidth(head.words.width()))
        assert head.words.width() >= head.words.minimumSizeHint().width()
        assert head.words.isVisible()


def test_a_narrow_pane_shows_rows_of_eight_bytes(two, qtbot):
    """At the width that the window opens with: digits of both rather than letters."""
    pane, other = two
    pane.resize(660, 480)
    pane.compared.compare_with(other)
    views = pane.view, pane.compared.view
    for width, letters in ((660, False), (1300, True), (660, False)):
        pane.resize(width, 480)
        qtbot.waitUntil(lambda letters=letters: all(view.surface.layout.has_text is letters for view in views))
        for view in views:
            assert view.row_bytes >= 8
            assert not view.horizontalScrollBar().maximum()
    pane.compared.leave()
    assert pane.view.surface.layout.has_text
    qtbot.waitUntil(lambda: pane.view.row_bytes > 8)


def test_a_row_of_a_fixed_width_has_letters_where_they_fit(two, qtbot):
    pane, other = two
    pane.options.look.set_row(8)
    pane.resize(660, 480)
    pane.compared.compare_with(other)
    views = pane.view, pane.compared.view
    qtbot.waitUntil(lambda: not any(view.surface.layout.has_text for view in views))
    assert [view.row_bytes for view in views] == [8, 8]
    # Where digits alone do not fit either they are scrolled, and the letters with them.
    pane.options.look.set_row(32)
    qtbot.waitUntil(lambda: all(view.surface.layout.has_text for view in views))
    assert [view.row_bytes for view in views] == [32, 32]


def test_all_differences_are_listed_with_the_bytes_of_both(two, qtbot):
    pane, other = two
    compared = pane.compared
    compared.compare_with(other)
    qtbot.waitUntil(lambda: said(pane) == "Differs at 0x10   2 differences, 5 bytes")
    assert compared.list.isHidden()
    compared.head.list.click()
    table = compared.list.table
    qtbot.waitUntil(lambda: table.model().rowCount() == 2)
    rows = [[table.model().index(row, column).data() for column in range(4)] for row in range(2)]
    assert rows == [
        ["0x10", "4 bytes", "61 62 63 64", "31 32 33 34"],
        ["0x800", "1 byte", "61", "00"],
    ]
    table.setCurrentIndex(table.model().index(1, 0))
    assert pane.session.selection.spans == (Span(0x800, 0x801),)
    assert compared.view.selected_span() == pane.view.selected_span() == Span(0x800, 0x801)
    qtbot.keyClick(compared.list, Qt.Key.Key_Escape)
    compared.step(-1)
    assert pane.view.caret == 0x10
    assert table.currentIndex().row() == 0


def test_very_many_bytes_are_listed_only_when_asked_for(two, qtbot, monkeypatch):
    pane, other = two
    monkeypatch.setattr("viewer.session.byte_comparing.AT_ONCE", 100)
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: said(pane) == "Differs at 0x10")
    assert pane.compared.comparing.found is None
    for step in (0x800, None):
        with qtbot.waitSignal(pane.compared.arrived) as told:
            pane.compared.step(1)
        assert told.args == [step]
    assert said(pane) == "No further difference."
    pane.compared.head.list.click()
    qtbot.waitUntil(lambda: "2 differences, 5 bytes" in said(pane))
    assert AT_ONCE == 2**30


def test_equal_files_say_so(two, opened, qtbot, tmp_path):
    pane, _ = two
    same = tmp_path / "same.bin"
    same.write_bytes(pane.session.path.read_bytes())
    pane.compared.compare_with(opened(same))
    qtbot.waitUntil(lambda: said(pane) == "No difference.")


def test_what_is_compared_is_named_in_the_chosen_letters(two, monkeypatch):
    pane, other = two
    monkeypatch.setattr(_Form, "numbers", Numbers(small=True))
    mine = Part(pane.session, pane.session.source, Span(0xA, 0x4B))
    pane.compared.compare(mine, Part(other, other.source, Span(0xC, 0x4D)))
    assert pane.compared.head.name.text() == "0xa–0x4b compared with 0xc–0x4d of b.bin"


def test_two_ranges_of_one_file_begin_in_the_same_column(opened, shown, qtbot, tmp_path):
    path = tmp_path / "a.bin"
    data = bytearray(range(256)) * 8
    data[0x205] = 0xEE
    path.write_bytes(data)
    pane = shown(HexPane, opened(path))
    pane.resize(1300, 480)
    pane.view.select(Span(3, 0x43))
    pane.session.select_bytes((Span(3, 0x43),), "test")
    found, _ = entries(pane)
    found["Set these bytes aside"]()
    pane.session.select_bytes((Span(0x203, 0x243),), "test")
    found, _ = entries(pane)
    found["Bytes set aside, 0x3–0x43 of a.bin"]()
    compared = pane.compared
    qtbot.waitUntil(lambda: said(pane) == "Differs at 0x205   1 difference, 1 byte")
    assert compared.head.name.text() == "0x203–0x243 compared with 0x3–0x43 of a.bin"
    assert not pane.view.isVisible()
    assert compared.own.isVisible()
    assert compared.own.surface.content.read(0, 4) == bytes([3, 4, 0xEE, 6])
    assert compared.view.surface.content.read(0, 4) == bytes([3, 4, 5, 6])
    assert (compared.own.form.base, compared.view.form.base) == (-0x203, -3)
    assert pane.session.selection.spans == (Span(0x205, 0x206),)
    assert compared.own.caret == compared.view.caret == 2
    compared.own.select(Span(8, 12))
    compared.own.selection_changed.emit(Span(8, 12))
    assert pane.session.selection.spans == (Span(0x20B, 0x20F),)
    pane.session.select_bytes((Span(0x210, 0x214),), "test")
    assert compared.own.selected_span() == Span(0xD, 0x11)
    compared.leave()
    assert pane.view.isVisible()
    assert pane.view.selected_span() == Span(0x210, 0x214)
    assert pane.view.surface.fixed is None


def test_records_and_tensors_are_compared_by_name(adam, opened, shown, qtbot, tmp_path):
    path = tmp_path / "other.pt"
    data = bytearray(adam.path.read_bytes())
    tensor = next(tensor for tensor in adam.document.tensors if tensor.name == "fc.weight")
    span = tensor.storage.span
    data[span.start] ^= 1
    path.write_bytes(data)
    other = opened(path)
    adam.peers = lambda: [other]
    pane = shown(HexPane, adam)
    pane.resize(1300, 480)
    adam.select_bytes((Span(span.start + 4, span.start + 5),), "test")
    found, _ = entries(pane)
    for words in (f"Tensor {tensor_words(found)} of other.pt", *[word for word in found if word.startswith("Record ")]):
        found[words]()
        qtbot.waitUntil(lambda: said(pane).startswith(f"Differs at 0x{span.start:X}   1 difference"))
        assert pane.compared.own.isVisible()
        pane.compared.leave()


def tensor_words(found):
    """The name that the entry of the tensor tells."""
    words = next(word for word in found if word.startswith("Tensor "))
    return words.removeprefix("Tensor ").removesuffix(" of other.pt")


def test_a_name_that_the_other_file_lacks_is_told(adam, legacy, shown, qtbot):
    adam.peers = lambda: [legacy]
    pane = shown(HexPane, adam)
    told = []
    pane.message.connect(lambda *words: told.append(words))
    pane.compared.choices._with_tensor("nobody", Span(0, 4), legacy)
    qtbot.waitUntil(lambda: bool(told))
    pane.compared.choices._with_record("nobody", Span(0, 4), legacy)
    assert [words[2] for words in told] == [
        "whole_model_legacy.pth has no such tensor.",
        "whole_model_legacy.pth has no such record.",
    ]
    assert pane.compared.isHidden()


def test_the_other_file_is_closed(two, qtbot):
    pane, other = two
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: pane.view.caret == 0x10)
    told = []
    pane.message.connect(lambda *words: told.append(words))
    pane.session.peers = list
    with qtbot.waitSignal(other.jobs.closed):
        other.close()
    assert pane.compared.isHidden()
    qtbot.waitUntil(lambda: bool(told))
    assert told == [("note", "Nothing to compare with any more", "b.bin was closed.")]
    assert pane.compared.view.surface.content.reader.size == 0
    assert pane.compared._theirs is None


def test_the_other_file_is_read_again(two, opened, qtbot):
    pane, other = two
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: pane.view.caret == 0x10)
    data = bytearray(other.path.read_bytes())
    data[0x10:0x14] = b"abcd"
    other.path.write_bytes(data)
    again = opened(other.path)
    pane.session.peers = lambda: [again]
    other.close()
    qtbot.waitUntil(lambda: said(pane) == "Differs at 0x800   1 difference, 1 byte")
    assert pane.compared.isVisible()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda path: os.truncate(path, 100), "b.bin was written to: read it again in its tab."),
        (lambda path: path.unlink(), "b.bin is not there any more; what was open of it is shown."),
    ],
)
def test_the_other_file_changes(two, qtbot, change, words):
    pane, other = two
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: "2 differences" in said(pane))
    change(other.path)
    pane.compared._watch.check()
    qtbot.waitUntil(lambda: said(pane) == words)
    pane.view.set_top_row(50)
    pane.compared.view.viewport().repaint()


def test_a_fault_of_the_other_file_is_said_of_that_one(two, qtbot):
    pane, other = two
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: "2 differences" in said(pane))
    failures = []
    pane.session.failed.connect(failures.append)
    other.source.close()
    pane.compared.comparing.begin(pane.session.source, other.source)
    qtbot.waitUntil(lambda: "b.bin" in said(pane))
    assert not failures
    assert pane.compared.head.words.styleSheet() == f"color: {pane.theme.color('error').name()}"
    for key in (STEPPING, LISTING):
        assert not pane.session.jobs.is_running(key)


def test_copies_are_those_of_the_view_with_the_keyboard(two, qtbot, monkeypatch):
    pane, other = two
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: pane.view.caret == 0x10)
    view = pane.compared.view
    view.select(Span(0x10, 0x14))
    monkeypatch.setattr(view, "hasFocus", lambda: True)
    for form, copied in (("hex", "31 32 33 34"), ("text", "1234")):
        pane.commands()[f"edit.copy_{form}"]()
        assert QGuiApplication.clipboard().text() == copied
    pane.commands()["edit.select_all"]()
    assert view.selected_span() == Span(0, 4096)
    monkeypatch.setattr(view, "hasFocus", lambda: False)
    pane.view.select(Span(0, 2))
    pane.commands()["edit.copy_hex"]()
    assert QGuiApplication.clipboard().text() == "61 62"


def test_the_same_bytes_in_a_second_view_scroll_by_themselves(two, qtbot):
    pane, other = two
    pane.compared.compare_with(other)
    pane.compared.head.list.click()
    qtbot.waitUntil(lambda: pane.compared.list.model.rowCount() == 2)
    found, _ = entries(pane)
    found["These bytes in a second view"]()
    second = pane.compared.view
    assert second.isVisible()
    assert said(pane) == ""
    assert pane.compared.list.isHidden()
    assert pane.compared.head.next.isHidden()
    assert second.surface.content.read(0, 8) == b"abcdefgh"
    second.set_top_row(40)
    assert second.top_row == 40
    assert pane.view.top_row < 10
    pane.compared.head.lock.click()
    pane.view.set_top_row(7)
    assert second.top_row == 7
    pane.compared.compare_with(other)
    assert pane.compared.head.lock.isChecked()
    assert pane.compared.list.isVisible()
    assert not pane.compared.head.next.isHidden()


def test_bytes_of_unequal_parts_differ_where_one_has_ended(two, qtbot):
    pane, other = two
    mine = Part(pane.session, pane.session.source, Span(0x20, 0x40))
    theirs = Part(other, other.source, Span(0x28, 0x38))
    pane.compared.compare(mine, theirs)
    qtbot.waitUntil(lambda: said(pane) == "Differs at 0x30   1 difference, 16 bytes")


def test_closing_the_other_tab_ends_the_comparison(settings, qtbot, two):
    window = make_window(settings, panes=program_panes("hex"))
    qtbot.addWidget(window)
    window.show()
    pane, other = two
    for path in (pane.session.path, other.path):
        window.commands.open_path(str(path))
    first = window.workspace.sessions[0]
    window.workspace.activate(first)
    qtbot.waitUntil(lambda: first.document is not None and window.actions_by_id["tools.compare_bytes"].isEnabled())
    shown = window.view.pane("hex")
    shown.compared.compare_with(window.workspace.sessions[1])
    qtbot.waitUntil(lambda: "2 differences" in said(shown))
    window.workspace.close(window.workspace.sessions[1])
    assert shown.compared.isHidden()
    window.close()


def test_looks_that_are_chosen_hold_for_both(two, qtbot):
    pane, other = two
    pane.resize(1300, 480)
    pane.compared.compare_with(other)
    second = pane.compared.view
    fitted = pane.view.row_bytes
    look = pane.options.look
    look.choose(BYTE_RADIX, 10)
    look.choose(BYTE_GROUP, 8)
    assert (second.form.radix, second.form.group) == (10, 8)
    look.choose(BYTE_LETTERS, "latin-1")
    assert second.surface.content.encoding == "latin-1"
    look.set_row(24)
    assert (pane.view.row_bytes, second.row_bytes) == (24, 24)
    look.set_row(0, 16)
    assert pane.view.row_bytes == second.row_bytes <= fitted
    pane.view.set_zoom(1.5)
    pane.view.zoomed.emit(1.5)
    assert second.zoom == pane.view.zoom
    assert pane.view.row_bytes == second.row_bytes
    look.set_row(32)
    pane.compared.leave()
    assert pane.view.surface.fixed == 32


def test_looks_of_parts_count_from_their_start(two, qtbot):
    pane, other = two
    pane.resize(1300, 480)
    mine = Part(pane.session, pane.session.source, Span(0x23, 0x43))
    theirs = Part(other, other.source, Span(0x101, 0x121))
    pane.compared.compare_with(other)
    pane.compared.compare(mine, theirs)
    pane.options.look.choose(BYTE_RADIX, 10)
    for view, start in ((pane.compared.own, 0x23), (pane.compared.view, 0x101)):
        assert (view.form.radix, view.form.base, view.form.phase) == (10, -start, 0)
    pane.options.look.set_row(4)
    assert (pane.compared.own.row_bytes, pane.compared.view.row_bytes) == (4, 4)
    pane.options.look.set_row(0, 16)
    qtbot.waitUntil(lambda: pane.compared.own.row_bytes == pane.compared.view.row_bytes > 4)
    pane.compared.leave()
    assert pane.view.surface.fixed is None


def test_the_keyboard_stays_with_the_bytes(two, qtbot):
    pane, other = two
    pane.view.setFocus()
    compared = pane.compared
    whole = Part.whole(pane.session, pane.session.source), Part.whole(other, other.source)
    parts = Part(pane.session, pane.session.source, Span(3, 40)), Part(other, other.source, Span(5, 40))
    for mine, theirs in (parts, whole, parts):
        compared.compare(mine, theirs)
        assert pane.focus_target() is compared.left_view
        assert compared.left_view.hasFocus()
    assert compared.left_view is compared.own
    compared.view.setFocus()
    compared.leave()
    assert pane.view.hasFocus()
    assert pane.focus_target() is pane.view


def test_colours_come_when_the_other_file_is_decoded(adam, shown, qtbot, tmp_path):
    path = tmp_path / "same.pt"
    path.write_bytes(adam.path.read_bytes() + b"x")
    pane = shown(HexPane, adam)
    other = Session(path)
    with qtbot.waitSignal(other.jobs.idle):
        other.open()
        pane.compared.compare_with(other)
        assert pane.compared.view.visible_kinds() == ()
    pane.view.set_top_row(0)
    assert pane.compared.view.visible_kinds() == pane.view.visible_kinds() != ()
    other.close()
    assert pane.compared.isHidden()


def test_rows_of_a_width_that_cells_do_not_divide(two, qtbot):
    pane, other = two
    pane.options.look.choose(BYTE_ROW, 10)
    pane.options.look.choose(BYTE_CELLS, "float32")
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: pane.view.caret == 0x10)
    assert pane.view.row_bytes == pane.compared.view.row_bytes == 8
    pane.options.look.choose(BYTE_CELLS, "")
    assert pane.view.row_bytes == pane.compared.view.row_bytes == 10
    pane.options.look.choose(BYTE_CELLS, "int64")
    assert pane.view.row_bytes == pane.compared.view.row_bytes == 8
    pane.compared.leave()
    pane.options.look.choose(BYTE_CELLS, "")
    assert pane.view.row_bytes == 10


def test_colours_of_a_part_come_when_its_own_file_is_decoded(adam, shown, qtbot, tmp_path):
    path = tmp_path / "same.pt"
    path.write_bytes(adam.path.read_bytes() + b"x")
    session, free = Session(path), Event()
    for key in ("one", "another"):
        session.jobs.start(key, lambda _: free.wait(120), lambda _: None)
    session.open()
    pane, span = shown(HexPane, session), Span(1, 400)
    session.document_changed.connect(pane.show_document)
    with qtbot.waitSignal(session.jobs.idle):
        pane.compared.compare(Part(session, session.source, span), Part(adam, adam.source, span))
        assert pane.compared.own.visible_kinds() == ()
        free.set()
    assert pane.compared.left_view is pane.compared.own
    assert pane.compared.own.visible_kinds() == pane.compared.view.visible_kinds() != ()
    session.close()


def test_differences_are_copied_as_rows(two, qtbot):
    pane, other = two
    pane.compared.compare_with(other)
    qtbot.waitUntil(lambda: "2 differences" in said(pane))
    pane.compared.head.list.click()
    table = pane.compared.list.table
    table.selectAll()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    pane.commands()["edit.copy_text"]()
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text().count("\n") == 1)
    assert QGuiApplication.clipboard().text().split("\n")[0].split("\t")[:4] == [
        "0x10",
        "4 bytes",
        "61 62 63 64",
        "31 32 33 34",
    ]
