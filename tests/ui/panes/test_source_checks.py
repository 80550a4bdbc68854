"""Checks in the Source pane: findings and their lines, fixes, files that are given and withdrawn, torch's texts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from tests.builders.legacy import legacy as legacy_file
from tests.builders.torch_values import ModuleClass, full, module, state_dict
from tests.builders.values import Global, Instance
from viewer import torch_client
from viewer.core.code.torch_text import TorchText, TorchTexts
from viewer.core.problem import Severity
from viewer.ui.panes.source import SourcePane
from viewer.ui.panes.summary import SummaryPane
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.previews.facts import FactsPreview

BLOCK = """class Block(nn.Module):
    def __init__(self):
        self.act = nn.ReLU()
        self.add = nn.Identity()

    def forward(self, x):
        return self.add(self.act(x))
"""
EDITED = """import torch.nn as nn


class Other:
    pass


class Block(nn.Module):
    def __init__(self):
        self.act = nn.ReLU()
        self.gate = nn.Sigmoid()

    def forward(self, x):
        return self.gate(x)
"""
RELU = "torch.nn.modules.activation.ReLU"
CONV = "torch.nn.modules.conv.Conv1d"


def net():
    """Two blocks that lack `add`, and an old convolution, in a dict beside a settings object."""
    block = ModuleClass("zoo.blocks", "Block", "/home/zoo/blocks.py", BLOCK)
    relu = module(Global("torch.nn.modules.activation", "ReLU"), {"inplace": False})
    conv = module(Global("torch.nn.modules.conv", "Conv1d"), {"in_channels": 2, "out_channels": 4, "groups": 1})
    made = [module(block, children={"act": relu}) for _ in range(2)]
    settings = Instance(Global("zoo.config", "Settings"), (), {"lr": 0.1})
    return {"one": made[0], "two": made[1], "conv": conv, "settings": settings}


@pytest.fixture
def session(tmp_path, opened):
    path = tmp_path / "made.pth"
    path.write_bytes(legacy_file(net()))
    return opened(path)


@pytest.fixture
def pane(session, shown, qtbot):
    made = shown(SourcePane, session)
    qtbot.waitUntil(lambda: not session.jobs.busy)
    return made


@pytest.fixture
def edited(tmp_path):
    path = tmp_path / "edited.py"
    path.write_text(EDITED, encoding="utf-8")
    return path


def supply(pane, qtbot, path):
    with qtbot.waitSignal(pane.session.code.supplied_one):
        pane.session.code.supply(path, "source")
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)


def titles(pane):
    model = pane.checks.list.model
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def choose(pane, row):
    pane.checks.list.table.setCurrentIndex(pane.checks.list.model.index(row, 0))


def test_findings_of_the_class_stand_below_its_text(pane):
    assert pane.shown_row().name == "zoo.blocks.Block"
    assert pane.checks.words.text() == "1 finding"
    assert titles(pane) == ["Block lacks add, which __init__ sets in line 4"]
    assert pane.text.flags == {4: Severity.WARNING}
    assert not pane.checks.list.more.isVisible()


def test_columns_for_line_and_objects_give_way_where_there_is_little_room(pane, qtbot):
    model, table = pane.checks.list.model, pane.checks.list.table
    words = ["Block lacks add, which __init__ sets in line 4", "line 4", "2 objects"]
    assert [model.index(0, column).data() for column in range(3)] == words
    assert not table.isColumnHidden(1)
    pane.resize(400, 480)
    qtbot.waitUntil(lambda: table.isColumnHidden(1))
    assert titles(pane) == ["2 \u00d7 Block lacks add, which __init__ sets in line 4"]
    choose(pane, 0)
    pane.resize(260, 480)
    qtbot.waitUntil(
        lambda: pane.checks.list.detail.text().startswith("Block lacks add, which __init__ sets in line 4. ")
    )


def test_choosing_one_shows_its_line_selects_the_object_and_says_all(pane):
    pane.list.chosen.emit(1)
    pane.list.chosen.emit(0)
    choose(pane, 0)
    assert pane.text.linked_line == 4
    selection = pane.session.selection
    assert selection.value == pane.shown_row().places[0].value
    assert selection.origin == "source"
    assert pane.shown_row().name == "zoo.blocks.Block"
    said = pane.checks.list.detail.text()
    assert said.startswith("forward reads it in line 7 and will fail with an AttributeError")
    assert "loading does not run __init__" in said
    assert "what was on disk when the model was saved" in said


def test_the_fix_is_copied(pane, qtbot):
    choose(pane, 0)
    with qtbot.waitSignal(pane.message) as told:
        qtbot.mouseClick(pane.checks.list.copy, Qt.MouseButton.LeftButton)
    assert told.args[0] == "done"
    assert QApplication.clipboard().text() == (
        "for module in model.modules():\n"
        '    if type(module).__name__ == "Block" and not hasattr(module, "add"):\n'
        "        module.add = nn.Identity()"
    )


def test_an_old_convolution_is_mended_by_a_loop(pane):
    row = next(at for at, row in enumerate(pane._classes.rows) if row.name == CONV)
    pane.list.chosen.emit(row)
    assert any("lacks padding_mode, which torch has set since 1.1" in title for title in titles(pane))
    choose(pane, next(at for at, title in enumerate(titles(pane)) if "padding_mode" in title))
    pane.checks.list.copy.click()
    assert QApplication.clipboard().text() == (
        "for module in model.modules():\n"
        '    if isinstance(module, nn.Conv1d) and not hasattr(module, "padding_mode"):\n'
        '        module.padding_mode = "zeros"'
    )


def test_the_list_marks_classes_with_findings(pane):
    icons = {pane._classes.rows[row].name: pane.list.cell(row, 0).icon for row in range(len(pane._classes.rows))}
    assert icons["zoo.blocks.Block"] == "warning"
    assert icons[CONV] == "warning"
    assert icons["zoo.config.Settings"] == "class"
    pane.head.drop()
    assert pane.head.down.inner.cell(0, 0).icon == "warning"
    pane.head.down.close()


def test_lines_with_findings_are_marked_beside_their_number(pane):
    def amber():
        image = pane.text.numbers.grab().toImage()
        want = pane.theme.color("warning")
        top, height = pane.text.top_of(4), pane.text.line_height()
        ratio = image.devicePixelRatio()
        points = (
            (x, y) for x in range(image.width()) for y in range(round(top * ratio), round((top + height) * ratio))
        )
        return any(near(image.pixelColor(x, y), want) for x, y in points)

    assert amber()
    pane.text.set_flags({})
    assert not amber()


def near(one: QColor, other: QColor) -> bool:
    return max(abs(one.red() - other.red()), abs(one.green() - other.green()), abs(one.blue() - other.blue())) < 12


def test_what_is_said_where_nothing_was_found(pane):
    rows = [row.name for row in pane._classes.rows]
    pane.list.chosen.emit(rows.index(RELU))
    assert pane.checks.words.text() == "Nothing found on its objects"
    assert pane.checks.list.isHidden()
    pane.list.chosen.emit(rows.index("zoo.config.Settings"))
    assert pane.checks.words.text() == "No text to check the objects against"


def test_a_file_that_is_given_is_a_text_of_the_class_and_is_checked(pane, qtbot, edited):
    supply(pane, qtbot, edited)
    assert [pane.head.texts.itemText(at) for at in range(2)] == ["stored", "from edited.py"]
    assert pane.shown_text().origin == "supplied"
    assert pane.text.toPlainText().startswith("class Block(nn.Module):")
    assert pane.body.banner.text() == "<b>Not from this file but from edited.py</b>"
    assert pane.foot.file.text() == str(edited)
    assert titles(pane) == [
        "Block lacks add, which __init__ sets in line 4",
        "Block lacks gate, which __init__ sets in line 11",
    ]
    assert pane.text.shift == 7
    assert pane.text.flags == {4: Severity.WARNING}
    choose(pane, 0)
    assert pane.shown_text().origin == "stored"
    assert (pane.text.linked_line, pane.text.shift) == (4, 0)
    choose(pane, 1)
    assert pane.shown_text().origin == "supplied"
    assert (pane.text.linked_line, pane.text.shift) == (4, 7)


def test_it_can_be_withdrawn(pane, qtbot, edited):
    assert pane.checks.withdraw.isHidden()
    supply(pane, qtbot, edited)
    assert pane.checks.withdraw.isVisible()
    qtbot.mouseClick(pane.checks.withdraw, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)
    assert pane.session.code.supplied == ()
    assert pane.shown_text().origin == "stored"
    assert len(titles(pane)) == 1
    assert pane.checks.withdraw.isHidden()


def test_a_class_without_source_takes_the_given_text_before_the_derived(pane, qtbot, tmp_path):
    path = tmp_path / "config.py"
    path.write_text("class Settings:\n    def __init__(self):\n        self.lr = 0\n        self.size = 1\n", "utf-8")
    supply(pane, qtbot, path)
    assert pane.shown_row().name == "zoo.config.Settings"
    assert [text.origin for text in pane.shown_row().texts] == ["supplied", "derived"]
    assert titles(pane) == ["Settings lacks size, which __init__ sets in line 4"]


def test_of_two_files_the_newest_counts(pane, qtbot, edited, tmp_path):
    newer = tmp_path / "newer.py"
    newer.write_text(EDITED.replace("gate", "door"), encoding="utf-8")
    supply(pane, qtbot, edited)
    supply(pane, qtbot, newer)
    assert [text.file for text in pane.shown_row().texts] == ["", str(newer), str(edited)]
    assert [title[:16] for title in titles(pane)] == ["Block lacks add,", "Block lacks door"]


def test_a_file_without_the_classes_and_one_that_is_no_python_are_sentences(pane, qtbot, tmp_path):
    other, broken = tmp_path / "other.py", tmp_path / "broken.py"
    other.write_text("x = 1\n", encoding="utf-8")
    broken.write_text("print 'two'\n", encoding="utf-8")
    with qtbot.waitSignal(pane.message) as told:
        pane.session.code.supply(other, "source")
    assert told.args == ["warning", "other.py is not used", "It has none of the classes of this file."]
    with qtbot.waitSignal(pane.message) as told:
        pane.session.code.supply(broken, "source")
    assert told.args[:2] == ["error", "broken.py cannot be used"]
    assert "Python 2" in told.args[2]
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)


CONV_TEXT = """class Conv1d(_ConvNd):
    def forward(self, input):
        return self.run(input, self.padding_mode, self.fresh)
"""


def test_torch_is_asked_and_all_is_checked_again(pane, qtbot, monkeypatch):
    asked = []

    def texts(names, progress):
        del progress
        asked.append(list(names))
        made = TorchText(CONV, CONV_TEXT, "/torch/conv.py", 1, "()", (), "2.13.0")
        return TorchTexts({CONV: made}, {RELU: "class-no-source"}, "", {"version": "2.13.0"})

    monkeypatch.setattr(torch_client, "torch_texts", texts)
    with qtbot.waitSignal(pane.session.checks.answered):
        qtbot.mouseClick(pane.checks.torch, Qt.MouseButton.LeftButton)
        assert pane.checks.words.text() == "torch is asked for its texts"
        assert not pane.checks.torch.isEnabled()
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)
    assert asked == [[RELU, CONV]]
    assert pane.checks.torch.isEnabled()
    row = next(at for at, row in enumerate(pane._classes.rows) if row.name == CONV)
    pane.list.chosen.emit(row)
    assert [text.origin for text in pane.shown_row().texts] == ["torch"]
    assert pane.body.banner.text() == "<b>Not from this file but from the installed torch</b>"


def test_why_torch_gave_nothing_is_said(pane, qtbot, monkeypatch):
    monkeypatch.setattr(torch_client, "torch_texts", lambda *_: TorchTexts(failure="torch-absent"))
    with qtbot.waitSignal(pane.message) as told:
        pane.checks.torch.click()
    assert told.args == [
        "warning",
        "Not checked against torch",
        "The texts of torch's own classes cannot be had: torch is not installed.",
    ]
    assert pane.checks.torch.isEnabled()


def test_the_checks_of_another_document_replace_those_of_the_first(session, qtbot):
    checks = session.checks
    checks.look_at(session.document)
    qtbot.waitUntil(lambda: checks.done)
    assert checks.findings
    checks.look_at(None)
    assert (checks.findings, checks.done) == ((), False)
    checks.ask_torch()
    assert not checks.asking


def test_summary_says_how_many_and_leads_to_them(session, shown, qtbot):
    pane = shown(SummaryPane, session)
    qtbot.waitUntil(lambda: pane.findings.isVisible())
    number = len(session.checks.findings)
    assert number >= 2
    assert pane.findings.text() == f"Objects and their classes: {number} findings"
    with qtbot.waitSignal(pane.asks) as asked:
        qtbot.mouseClick(pane.findings, Qt.MouseButton.LeftButton)
    assert asked.args == ["pane.source"]
    qtbot.waitUntil(lambda: not session.jobs.busy)


def test_the_version_of_a_module_stands_with_its_class(legacy, shown, qtbot):
    pane = shown(SourcePane, legacy)
    qtbot.waitUntil(lambda: not legacy.jobs.busy)
    row = next(at for at, row in enumerate(pane._classes.rows) if row.qualname == "MaxPool2d")
    pane.list.chosen.emit(row)
    legacy.select_value(pane.shown_row().places[0].value, "test")
    assert pane.checks.version.text() == "version 1, torch's today 1"


@pytest.fixture
def old_norm(tmp_path, opened):
    tensors = {f"bn.{name}": full("float32", (3,), range(3)) for name in ("weight", "running_mean", "running_var")}
    path = tmp_path / "norm.pth"
    path.write_bytes(legacy_file(state_dict(tensors, {"": 1, "bn": 1})))
    return opened(path)


def test_a_tensor_tells_the_version_of_its_module(old_norm, shown, qtbot):
    pane = shown(TensorPane, old_norm)
    old_norm.select_tensor(old_norm.document.tensors[0], "test")
    qtbot.waitUntil(lambda: not old_norm.jobs.busy)
    form = next(preview for preview in pane.previews if isinstance(preview, FactsPreview)).form
    told = [form.itemAt(row, form.ItemRole.FieldRole).widget().text() for row in range(form.rowCount())]
    assert "bn, version 1, torch's today 2" in told


def test_summary_tells_what_the_loader_converts(old_norm, shown, qtbot):
    pane = shown(SummaryPane, old_norm)
    qtbot.waitUntil(lambda: pane.facts is not None)
    qtbot.waitUntil(lambda: not old_norm.jobs.busy)
    (line,) = pane.loading.versions.lines
    assert line.title.text() == "The counter of batches will be added"
    assert line.detail.text().startswith("\u2066bn\u2069. This norm was saved before version 2")
    assert pane.loading.versions_title.isVisible()


def test_a_conversion_names_its_state_dict(tmp_path, opened, shown, qtbot):
    path = tmp_path / "two.pth"
    tensors = {"bn.running_mean": full("float32", (3,), range(3)), "bn.running_var": full("float32", (3,), range(3))}
    path.write_bytes(legacy_file({name: state_dict(tensors, {"bn": 1}) for name in ("model", "ema")}))
    session = opened(path)
    pane = shown(SummaryPane, session)
    qtbot.waitUntil(lambda: pane.facts is not None and not session.jobs.busy)
    starts = [line.detail.text().partition(". ")[0] for line in pane.loading.versions.lines]
    assert starts == ["\u2066model: bn\u2069", "\u2066ema: bn\u2069"]
