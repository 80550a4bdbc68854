"""The export window: names before and after, clashes, what is left out, options by form; nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from viewer.core.export import EXPORTERS
from viewer.core.export.options import Kind
from viewer.core.span import Span
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.dialogs.export import ExportDialog
from viewer.ui.dialogs.export_table import ALL, CHANGED, CLASHES, LEFT, REPORT, TYPES
from viewer.ui.models.export_cells import Column
from viewer.ui.theme import load_theme

NAMES = {
    "module.conv.weight": full("float32", (2, 3), [1.0] * 6),
    "module.conv.bias": full("float32", (2,), [1.0, 2.0]),
    "module.fc.weight": full("float32", (1, 2), [1.0, 2.0]),
    "module.ema.conv": full("float32", (), [3.0]),
    "module.steps": full("int64", (), [7]),
    "epoch": 3,
}

Ask = Callable[..., ExportDialog]


@pytest.fixture
def ask(qtbot: QtBot, tmp_path: Path) -> Iterator[Ask]:
    """Opens the window on a file with these entries, ready to be looked at."""
    sessions: list[Session] = []

    def asked(form: str = "state_dict", entries: dict[str, object] = NAMES) -> ExportDialog:
        path = tmp_path / "x.pt"
        path.write_bytes(torch_zip(entries))
        session = Session(path)
        sessions.append(session)
        session.open()
        qtbot.waitUntil(lambda: session.root is not None and not session.jobs.busy)
        dialog = ExportDialog(session, load_theme("light"), form, tmp_path)
        qtbot.addWidget(dialog)
        ready(qtbot, dialog)
        return dialog

    yield asked
    for session in sessions:
        session.close()


def ready(qtbot: QtBot, dialog: ExportDialog) -> None:
    qtbot.waitUntil(lambda: not dialog._later.isActive() and not dialog._session.jobs.busy)


def write(qtbot: QtBot, dialog: ExportDialog, field: QLineEdit, text: str) -> None:
    field.setText(text)
    field.textEdited.emit(text)
    ready(qtbot, dialog)


def add_rule(qtbot: QtBot, dialog: ExportDialog, old: str, new: str) -> None:
    row = dialog.names.add_rule()
    row.old.setText(old)
    write(qtbot, dialog, row.new, new)


def rows(dialog: ExportDialog, column: int = Column.RESULT) -> list[str]:
    model = dialog.table.model
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_old_and_new_names_stand_beside_each_other(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask()
    write(qtbot, dialog, dialog.names.strip, "module.")
    add_rule(qtbot, dialog, r"re:conv\.(\w+)$", r"stem.0.\1")
    assert rows(dialog, Column.NAME)[:2] == ["module.conv.weight", "module.conv.bias"]
    assert rows(dialog) == ["stem.0.weight", "stem.0.bias", "fc.weight", "ema.conv", "steps", "epoch"]
    assert rows(dialog, Column.SHAPE)[:2] == ["[2, 3]", "[2]"]
    assert rows(dialog, Column.BYTES)[0] == "24"
    assert rows(dialog, Column.NOTE)[-1] == "kept as a value"
    assert dialog.plan is not None
    assert [item.name for item in dialog.plan.items] == rows(dialog)[:-1]
    dialog.table.tabs.setCurrentIndex(CHANGED)
    assert len(rows(dialog)) == 5


def test_clashes_are_marked_before_anything_is_written(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask()
    add_rule(qtbot, dialog, "module.conv", "stem")
    add_rule(qtbot, dialog, "module.fc", "stem")
    assert dialog.fault.text().startswith("One name is used twice: stem.weight.")
    assert not dialog.go.isEnabled()
    assert dialog.plan is None
    assert dialog.foot.next.isVisibleTo(dialog)
    assert rows(dialog, Column.NOTE)[0] == "same name as module.fc.weight"
    assert [bool(row.new.property("fault")) for row in dialog.names.rows] == [True, True]
    dialog.table.tabs.setCurrentIndex(CLASHES)
    assert rows(dialog) == ["stem.weight", "stem.weight"]
    dialog.foot.next.click()
    assert dialog.table.tabs.currentIndex() == ALL
    assert dialog.table.table.currentIndex().row() == 0
    dialog.table.table.ticked.emit(2)
    ready(qtbot, dialog)
    assert dialog.fault.text() == ""
    assert dialog.go.text() == "Export 4 tensors"
    assert not dialog.foot.next.isVisibleTo(dialog)


def test_a_rule_that_leaves_nothing_of_a_name_is_marked(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask()
    add_rule(qtbot, dialog, "epoch", "")
    assert dialog.fault.text() == "The rules leave nothing of epoch. Change them, or leave it out."
    assert rows(dialog, Column.NOTE)[-1] == "the rules leave nothing of it"


def test_an_expression_that_is_none_is_told_at_its_field(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask()
    add_rule(qtbot, dialog, "re:(", "x")
    assert "cannot be used" in dialog.fault.text()
    assert not dialog.go.isEnabled()
    assert dialog.names.rows[0].old.property("fault")
    dialog.names.rows[0].removed.emit()
    ready(qtbot, dialog)
    assert dialog.go.isEnabled()


def test_rules_and_patterns_that_fit_nothing_are_named(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask()
    write(qtbot, dialog, dialog.names.strip, "modul., module.")
    write(qtbot, dialog, dialog.parts.skip, "*.gamma")
    assert dialog.names.note.text() == "Fits no name: *.gamma, modul."


def test_branches_patterns_and_single_names_are_left_out(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask()
    assert [dialog.parts.groups.item(row).text() for row in range(3)] == ["module.conv", "module.fc", "module.ema"]
    dialog.parts.tick("module.ema", on=False)
    write(qtbot, dialog, dialog.parts.skip, "*.bias, epoch")
    dialog.table.table.ticked.emit(4)
    ready(qtbot, dialog)
    assert dialog.plan is not None
    assert [item.name for item in dialog.plan.items] == ["module.conv.weight", "module.fc.weight"]
    assert rows(dialog, Column.NOTE)[3:] == ["its branch is unticked", "unticked", "among Skip"]
    dialog.table.tabs.setCurrentIndex(LEFT)
    assert rows(dialog, Column.NAME) == ["module.conv.bias", "module.ema.conv", "module.steps", "epoch"]
    dialog.table.table.ticked.emit(2)
    write(qtbot, dialog, dialog.parts.only, "*.steps")
    assert dialog.plan is not None
    assert [item.name for item in dialog.plan.items] == ["module.steps"]


def test_a_row_that_the_form_leaves_out_shows_the_choice_and_that_nothing_is_written(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask("safetensors", {"w": full("float32", (2,), [1.0, 2.0]), "c": [1, 2]})
    cells = dialog.table.cells
    assert cells is not None
    ticks = [cells.cell(row, Column.TICK) for row in range(cells.rows)]
    assert [(tick.icon, tick.icon_color, tick.spoken) for tick in ticks] == [
        ("ticked", "accent", "written"),
        ("ticked", "muted", "left out"),
    ]
    assert rows(dialog) == ["w", ""]
    assert [cells.cell(row, Column.NAME).pieces[0].color for row in range(2)] == ["text", "muted"]
    assert rows(dialog, Column.NOTE)[1].startswith("left out: ")


def test_types_that_change_have_a_table_of_their_own(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask()
    assert not dialog.table.tabs.isTabVisible(TYPES)
    box = dialog.options.field("dtype")
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findData("float16"))
    ready(qtbot, dialog)
    assert rows(dialog, Column.DTYPE)[0] == "float32 \u2192 float16"
    assert rows(dialog, Column.DTYPE)[4] == "int64"
    model = dialog.table.type_model
    assert [model.index(0, column).data() for column in range(5)] == ["float32", "float16", "4", "44", "22"]
    assert "infinite" in model.index(0, 5).data()


def test_numbers_that_a_type_cannot_hold_are_counted_before_writing(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask("state_dict", {"w": full("float32", (3,), [1.0, 1e9, 1e-9]), "v": full("float32", (1,), [1.0])})
    box = dialog.options.field("dtype")
    assert isinstance(box, QComboBox)
    losses = dialog.table.losses
    box.setCurrentIndex(box.findData("bfloat16"))
    ready(qtbot, dialog)
    box.setCurrentIndex(box.findData("float16"))
    ready(qtbot, dialog)
    dialog.table.tabs.setCurrentIndex(TYPES)
    assert losses.button.text() == "Count them now"
    losses.button.click()
    assert losses.button.text() == "Stop"
    qtbot.waitUntil(lambda: losses.button.isHidden())
    assert losses.words.text() == (
        "Too large for float16: 1 numbers, which would become infinite. "
        "Too small for float16: 1 numbers, which would become zero. They are in: w."
    )
    assert dialog.go.isEnabled()
    box.setCurrentIndex(0)
    ready(qtbot, dialog)
    assert losses.isHidden()
    box.setCurrentIndex(box.findData("float16"))
    ready(qtbot, dialog)
    dialog.table.tabs.setCurrentIndex(TYPES)
    losses.button.click()
    losses.button.click()
    assert losses.button.text() == "Count them now"


def test_what_the_form_cannot_hold_is_named_with_its_reason(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask("npz", {"w/../x": full("bfloat16", (1,), [1.0]), "epoch": 3})
    assert rows(dialog, Column.NOTE) == ["the form cannot hold the name", "left out: it is no tensor"]
    assert rows(dialog)[0] == "w/__/x"
    assert rows(dialog, Column.DTYPE)[0] == "bfloat16 \u2192 float32"
    assert "1 left out" in dialog.sentence.text()


@pytest.mark.parametrize("exporter", EXPORTERS, ids=lambda exporter: exporter.form)
def test_the_options_are_those_that_the_form_declares(qtbot: QtBot, ask: Ask, exporter) -> None:
    dialog = ask()
    dialog.choose_form(exporter.form)
    kinds = {Kind.SWITCH: QCheckBox, Kind.CHOICE: QComboBox, Kind.BYTES: QLineEdit}
    for option in exporter.options:
        assert isinstance(dialog.options.field(option.key), kinds[option.kind])
    assert dialog.options.values() == {}
    assert dialog.table.tabs.isTabVisible(ALL) is (exporter.takes == "tensors")
    assert dialog.table.tabs.isTabVisible(REPORT)
    ready(qtbot, dialog)


def test_a_size_that_is_none_is_told(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask("safetensors_shards")
    field = dialog.options.field("shard_size")
    assert isinstance(field, QLineEdit)
    write(qtbot, dialog, field, "two")
    assert dialog.fault.text() == "Bytes of tensors in a file: write a size such as 2GB or 500MB."
    assert not dialog.go.isEnabled()
    write(qtbot, dialog, field, "24")
    assert dialog.fault.text() == ""
    assert dialog.plan is not None
    assert dialog.plan.shard_size == 24
    assert len(dialog.plan.files) == 4


def test_an_option_stays_where_the_next_form_has_it_too(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask()
    box = dialog.options.field("dtype")
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(1)
    dialog.choose_form("npz")
    assert dialog.options.values() == {"dtype": box.itemData(1)}
    ready(qtbot, dialog)


def test_tensors_that_a_search_found_are_offered(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask()
    session = dialog._session
    dialog.reject()
    session.search.look("conv")
    qtbot.waitUntil(lambda: not session.search.running)
    dialog = ExportDialog(session, load_theme("dark"), "npz", Path())
    qtbot.addWidget(dialog)
    ready(qtbot, dialog)
    offered = [dialog.what.itemText(at) for at in range(dialog.what.count())]
    words = "Found by \u201cconv\u201d: 3 tensors"
    assert words in offered
    dialog.what.setCurrentIndex(offered.index(words))
    ready(qtbot, dialog)
    assert rows(dialog, Column.NAME) == ["module.conv.weight", "module.conv.bias", "module.ema.conv"]


def test_a_name_with_a_comma_can_be_left_out(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "commas.pt"
    path.write_bytes(torch_zip({"a, b": full("float32", (1,), [1.0]), "b": full("float32", (1,), [2.0])}))
    session = Session(path)
    session.open()
    qtbot.waitUntil(lambda: session.root is not None and not session.jobs.busy)
    dialog = ExportDialog(session, load_theme("light"), "state_dict", tmp_path)
    qtbot.addWidget(dialog)
    qtbot.keyClicks(dialog.parts.skip, '"a, b"')
    qtbot.waitUntil(lambda: dialog.plan is not None and len(dialog.plan.items) == 1)
    assert dialog.plan is not None
    assert dialog.plan.items[0].name == "b"
    session.close()


def test_bytes_are_chosen_by_their_place_or_record(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask("bytes")
    region = dialog.side.region
    assert dialog.plan is not None
    size = dialog.plan.nbytes
    assert region.kind.itemText(0) == f"All bytes of the file: {size:,}"
    assert dialog.what.isHidden() or not dialog.what.isVisibleTo(dialog)
    region.kind.setCurrentIndex(1)
    assert not dialog.go.isEnabled()
    assert dialog.fault.text() == "Write where the region begins and how many bytes it has, as 500 or 0x1F4."
    qtbot.keyClicks(region.start, "0x10")
    qtbot.keyClicks(region.length, "32")
    qtbot.waitUntil(lambda: dialog.plan is not None and dialog.plan.nbytes == 32)
    assert "32, from 0x10 on" in dialog.report.toPlainText()
    region.length.clear()
    qtbot.keyClicks(region.length, str(size))
    assert dialog.fault.text() == f"The region ends behind the file, which has {size:,} bytes."
    assert region.length.property("fault")
    region.kind.setCurrentIndex(2)
    assert dialog.fault.text() == "Write the name of a record."
    write(qtbot, dialog, region.record, "data.pkl")
    assert "all of the record" in dialog.report.toPlainText()
    region.record.setText("data.pklx")
    region.record.textEdited.emit("data.pklx")
    qtbot.waitUntil(lambda: "data.pklx" in dialog.fault.text())
    dialog.choose_form("state_dict")
    ready(qtbot, dialog)
    assert dialog.what.isVisibleTo(dialog)
    assert dialog.fault.text() == ""


def test_selected_bytes_are_offered_as_the_region(qtbot: QtBot, ask: Ask) -> None:
    dialog = ask("state_dict")
    session = dialog._session
    session.select(Selection(spans=(Span(0x20, 0x2A),)))
    other = ExportDialog(session, load_theme("light"), "bytes", Path("/"))
    qtbot.addWidget(other)
    other.side.region.kind.setCurrentIndex(1)
    qtbot.waitUntil(lambda: other.plan is not None and other.plan.nbytes == 10)
    assert (other.side.region.start.text(), other.side.region.root) == ("0x20", "0x20+10")
