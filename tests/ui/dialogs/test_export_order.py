"""The export window by keyboard and by ear: Tab walks as one reads, everything has a name, none is cut for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QListWidgetItem, QWidget
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from viewer.core.export import EXPORTERS
from viewer.core.progress import Step
from viewer.session.session import Session
from viewer.ui.dialogs.export import ExportDialog
from viewer.ui.dialogs.export_table import shared_out
from viewer.ui.models.export_cells import Column
from viewer.ui.theme import load_theme
from viewer.ui.widgets.message_bar import Message

LONG = "encoder.block.0.running_mean"
ENTRIES = {LONG: full("float32", (2,), [1.0, 2.0]), "fc.weight": full("float64", (1,), [1.0])}


@pytest.fixture
def dialog(qtbot: QtBot, tmp_path: Path) -> Iterator[ExportDialog]:
    path = tmp_path / "x.pt"
    path.write_bytes(torch_zip(ENTRIES))
    session = Session(path)
    session.open()
    qtbot.waitUntil(lambda: session.root is not None and not session.jobs.busy)
    made = ExportDialog(session, load_theme("light"), "state_dict", tmp_path)
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    qtbot.waitUntil(lambda: made.plan is not None)
    yield made
    session.close()


def chain(dialog: ExportDialog) -> list[QWidget]:
    """What Tab reaches, from the form on."""
    found: list[QWidget] = []
    widget: QWidget = dialog.form
    while widget not in found:
        found.append(widget)
        widget = widget.nextInFocusChain()
        while not (
            widget.isVisibleTo(dialog) and widget.isEnabledTo(dialog) and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        ):
            widget = widget.nextInFocusChain()
    return found


@pytest.mark.parametrize("form", [exporter.form for exporter in EXPORTERS])
def test_tab_walks_the_side_then_the_target_the_table_and_the_buttons(
    qtbot: QtBot, dialog: ExportDialog, form: str
) -> None:
    dialog.names.add_rule()
    dialog.choose_form(form)
    qtbot.waitUntil(lambda: not dialog._session.jobs.busy)
    walked = [widget for widget in chain(dialog) if widget is not dialog.side and widget.window() is dialog]
    asked = [*dialog.side.fields(), *dialog.place.fields(), *dialog.table.fields(), *dialog.foot.fields()]
    wanted = [widget for widget in asked if widget in walked]
    assert [widget for widget in walked if widget in wanted] == wanted
    side = [widget.mapTo(dialog, widget.rect().center()) for widget in dialog.side.fields() if widget in walked]
    assert [point.y() for point in side] == sorted(point.y() for point in side)


@pytest.mark.parametrize("form", [exporter.form for exporter in EXPORTERS])
def test_every_field_has_a_name_to_be_spoken(qtbot: QtBot, dialog: ExportDialog, form: str) -> None:
    dialog.names.add_rule()
    dialog.choose_form(form)
    qtbot.waitUntil(lambda: not dialog._session.jobs.busy)
    for widget in (*dialog.side.fields(), *dialog.place.fields(), *dialog.table.fields(), *dialog.foot.fields()):
        spoken = QAccessible.queryAccessibleInterface(widget)
        if widget.isVisibleTo(dialog):
            assert spoken is not None
            assert spoken.text(QAccessible.Text.Name), widget


def test_a_tick_says_what_is_written(dialog: ExportDialog) -> None:
    item: QListWidgetItem = dialog.parts.groups.item(0)
    assert item.checkState() is Qt.CheckState.Checked
    assert "untick" in dialog.parts.title.text()


def test_names_take_the_room_that_nothing_else_needs(dialog: ExportDialog) -> None:
    table = dialog.table.table
    metrics = table.fontMetrics()
    assert table.columnWidth(Column.NAME) > metrics.averageCharWidth() * len(LONG) * 0.9
    assert table.columnWidth(Column.RESULT) > table.columnWidth(Column.NAME)
    assert table.isColumnHidden(Column.BYTES) is False


@pytest.mark.parametrize(
    ("room", "wishes", "widths"),
    [
        (1000, (300, 400), (300, 400)),
        (600, (200, 500), (200, 400)),
        (600, (500, 200), (400, 200)),
        (600, (500, 500), (300, 300)),
        (100, (500, 500), (120, 120)),
        (600, (10, 20), (120, 120)),
    ],
)
def test_a_name_that_is_short_gives_its_room_to_the_other(
    room: int, wishes: tuple[int, int], widths: tuple[int, int]
) -> None:
    assert shared_out(room, wishes, 120) == widths


def test_enter_that_is_held_does_not_stop_what_it_began(qtbot: QtBot, dialog: ExportDialog) -> None:
    stopped: list[bool] = []
    dialog.stopped.connect(lambda: stopped.append(True))
    dialog.foot.begin()
    qtbot.keyClick(dialog.foot.stop, Qt.Key.Key_Return)
    assert stopped == []
    qtbot.keyClick(dialog.foot.stop, Qt.Key.Key_Space)
    assert stopped == [True]


def test_the_foot_names_what_is_written(dialog: ExportDialog) -> None:
    dialog.foot.begin()
    dialog.foot.step(Step("export", 17_588, 31_124, "fc1.weight", 5, 15))
    dialog.foot._tell()
    assert dialog.foot.what.text() == "Writing fc1.weight"
    assert dialog.foot.of_many.text() == "5 of 15 tensors"
    dialog.foot.step(Step("verify", 0, 31_124))
    dialog.foot._tell()
    assert dialog.foot.of_many.text() == ""
    dialog.foot.step(Step("export", 0, 1, "x" * 200, 1, 1))
    dialog.foot._tell()
    assert len(dialog.foot.what.text()) < 60
    dialog.foot.end(Message("done", "Done", ""))


@pytest.mark.parametrize(("form", "order"), [("npz", (0, 1)), ("safetensors", (1, 0))])
def test_each_row_says_how_far_its_writing_is(
    qtbot: QtBot, tmp_path: Path, dialog: ExportDialog, form: str, order: tuple[int, int]
) -> None:
    dialog.choose_form(form)
    qtbot.waitUntil(lambda: dialog.plan is not None and not dialog._session.jobs.busy)
    dialog._order()
    model = dialog.table.model

    def notes() -> list[str]:
        return [model.index(row, Column.NOTE).data() for row in order]

    assert notes() == ["waiting", "waiting"]
    dialog.follow("export", Step("export", 0, 12, "x", 1, 2))
    assert notes() == ["writing", "waiting"]
    dialog.follow("export", Step("export", 8, 12, "y", 2, 2))
    assert notes() == ["written", "writing"]
    dialog.follow("export", Step("verify", 0, 12))
    assert notes() == ["written", "written"]
    dialog.show_end(Message("done", "Done", ""))
    assert notes() == ["", ""]


def test_how_far_the_working_out_is_is_said(dialog: ExportDialog) -> None:
    dialog.foot.wait()
    assert dialog.foot.waiting.text() == "Working out what would be written\u2026"
    dialog.follow("export plan", Step("planning", 250, 1000))
    assert dialog.foot.waiting.text() == "Working out what would be written: 25 %"
    dialog.follow("export plan", None)
    dialog.foot.wait()
    assert dialog.foot.waiting.text() == "Working out what would be written\u2026"
