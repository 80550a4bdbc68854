"""Summary: what a file is, and the next steps as buttons that act."""

import sys

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel

from tests.builders.tars import member, tar
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.ui.panes.conftest import SAMPLES
from tests.ui.widgets.test_torch_section import STOPS
from viewer import torch_client
from viewer.session.torch_answers import torch_answers
from viewer.ui.panes.summary import JOB, SummaryPane
from viewer.ui.theme import load_theme


@pytest.fixture
def ready(opened, shown, qtbot):
    def show(name):
        pane = shown(SummaryPane, opened(SAMPLES / name))
        # Qt shows what was added to a layout a turn later.
        qtbot.waitUntil(lambda: pane.facts is not None and all(one.isVisible() for one in _all_buttons(pane)))
        return pane

    return show


def _facts(pane):
    return {
        pane.form.itemAt(row, pane.form.ItemRole.LabelRole).widget().text(): pane.form.itemAt(
            row, pane.form.ItemRole.FieldRole
        )
        .widget()
        .text()
        for row in range(pane.form.rowCount())
    }


def _buttons(pane):
    return {button.text(): button for button in _all_buttons(pane) if button.isVisible()}


def _all_buttons(pane):
    """The next steps."""
    return [pane.steps.itemAt(number).widget() for number in range(pane.steps.count())]


def test_a_whole_model_with_source(ready, qtbot):
    pane = ready("whole_model_legacy.pth")
    facts = _facts(pane)
    assert pane.heading.text() == "Legacy archive"
    assert facts["Root"] == "__main__.TheModelClass"
    assert facts["Tensors"] == "8"
    assert facts["Source"] == "9 classes with their text"
    with qtbot.waitSignal(pane.asks) as asked:
        _buttons(pane)["See the source"].click()
    assert asked.args == ["pane.source"]
    with qtbot.waitSignal(pane.asks) as asked:
        _buttons(pane)["Get the weights out"].click()
    assert asked.args == ["file.export_state_dict"]


def test_that_torch_refuses_a_file_stands_above_its_facts_and_leads_to_why(ready, qtbot):
    pane = ready("whole_model_legacy.pth")
    assert pane.answer.line.title.text().replace("\u200b", "") == "torch.load(weights_only=True) does not load it"
    assert pane.answer.mapTo(pane, QPoint()).y() < pane.form.itemAt(0).widget().mapTo(pane, QPoint()).y()
    pane.resize(pane.width(), 300)
    qtbot.waitUntil(lambda: pane.area_widget.verticalScrollBar().maximum() > pane.loading.y())
    pane.answer.link.click()
    assert pane.loading.mapTo(pane, QPoint()).y() == 0


def test_a_file_that_loads_as_it_is_says_so_only_below(ready):
    assert ready("checkpoint_adam.pt").answer.isHidden()


def test_loading_code_is_copied(ready):
    pane = ready("checkpoint_adam.pt")
    _buttons(pane)["Copy loading code"].click()
    copied = QApplication.clipboard().text()
    assert "torch.load('checkpoint_adam.pt', weights_only=True)" in copied
    assert 'loaded["model_state_dict"]' in copied or "loaded['model_state_dict']" in copied


def test_the_button_beside_the_code_copies_it_too(ready, qtbot):
    pane = ready("checkpoint_adam.pt")
    with qtbot.waitSignal(pane.message) as told:
        pane.loading.copy.click()
    assert told.args[0] == "done"
    assert QApplication.clipboard().text() == pane.loading.code.toPlainText()


def test_a_file_with_a_module_offers_a_recovery_kit(ready, qtbot):
    pane = ready("whole_model_legacy.pth")
    with qtbot.waitSignal(pane.asks) as asked:
        _buttons(pane)["Recovery kit"].click()
    assert asked.args == ["file.export_recovery"]
    assert "Recovery kit" not in _buttons(ready("checkpoint_adam.pt"))


def test_loading_is_predicted(ready):
    pane = ready("whole_model_legacy.pth")
    told = {line.title.text(): line.detail.text() for line in pane.loading.expectations.lines}
    assert "Classes that torch compares with their stored source: 9" in told
    assert "Classes and functions that torch does not bring: 3" in told
    assert "weights_only=False" in pane.loading.code.toPlainText()


def test_the_place_of_a_missing_class_is_a_link(ready, qtbot):
    pane = ready("whole_model_legacy.pth")
    assert pane.loading.missing.words(0, 0) == "__main__.TheModelClass"
    with qtbot.waitSignal(pane.session.selection_changed) as changed:
        pane.loading.missing.table.clicked.emit(pane.loading.missing.model.index(0, 1))
    selection = changed.args[0]
    assert selection.origin == "summary"
    contents = pane.session.contents
    assert "TheModelClass" in f"{contents.label(selection.node)} {contents.details(selection.node)}"


def test_what_is_damaged_has_no_code(ready):
    pane = ready("half_download.pth")
    assert pane.loading.expectations.lines[0].title.text() == "torch.load stops at this file, because it is damaged"
    assert not pane.loading.code.isVisible()
    assert not pane.loading.copy.isVisible()
    assert "Copy loading code" not in _buttons(pane)


def test_half_a_file_offers_what_is_whole(ready):
    pane = ready("half_download.pth")
    assert "Rescue what is whole" in _buttons(pane)
    assert "errors" in _facts(pane)["Problems"]


def test_what_loading_would_call_is_named(ready):
    lines = ready("runs_a_command.pkl").loading.expectations.lines
    assert any("posix.system" in part.text() for line in lines for part in (line.title, line.detail))
    assert "Loading calls" not in _facts(ready("checkpoint_adam.pt"))


def test_no_text_of_a_file_is_taken_for_markup(ready):
    pane = ready("checkpoint_adam.pt")
    values = [pane.form.itemAt(row, pane.form.ItemRole.FieldRole).widget() for row in range(pane.form.rowCount())]
    values += [part for line in pane.loading.expectations.lines for part in (line.title, line.detail)]
    values += [pane.heading, pane.writer, pane.holds]
    assert all(isinstance(value, QLabel) and value.textFormat().name == "PlainText" for value in values)


def test_what_torch_says_comes_into_view(ready, qtbot, monkeypatch):
    monkeypatch.setattr(torch_client, "torch_is_there", lambda: True)
    monkeypatch.setattr(torch_client, "child_command", lambda: [sys.executable, "-c", STOPS])
    pane = ready("whole_model_legacy.pth")
    pane.resize(440, 260)
    bar, section = pane.area_widget.verticalScrollBar(), pane.loading.torch
    assert section.visibleRegion().isEmpty()
    # As the button of Imports does it.
    torch_answers(pane.session).ask()
    qtbot.waitUntil(lambda: section.line is not None and section.line.visibleRegion().contains(section.line.rect()))
    bar.setValue(0)
    pane.set_theme(load_theme("dark"))
    assert bar.value() == 0


def test_tensors_of_files_inside_are_told_apart(opened, shown, tmp_path, qtbot):
    """The Tensors pane lists those of the file that is looked at."""
    inner = torch_zip({"w": full("float32", (2,), [1, 2])})
    path = tmp_path / "two.tar"
    path.write_bytes(tar(member(b"a.pt", inner), member(b"b.pt", inner)))
    session = opened(path)
    session.select_document(0, "test")
    pane = shown(SummaryPane, session)
    qtbot.waitUntil(lambda: pane.facts is not None)
    assert len(session.documents[0].tensors) == 0
    assert _facts(pane)["Tensors"] == "2, 2 of them in files inside"


def test_a_document_that_is_being_told_is_not_told_anew(opened, qtbot, monkeypatch):
    """As by the dock, which shows each pane that it made what its session has."""
    session = opened(SAMPLES / "checkpoint_adam.pt")
    started, start = [], session.jobs.start
    monkeypatch.setattr(session.jobs, "start", lambda key, *given: (started.append(key), start(key, *given)))
    pane = SummaryPane(session, load_theme("light"))
    qtbot.addWidget(pane)
    pane.show_document()
    assert started.count(JOB) == 1
    qtbot.waitUntil(lambda: pane.facts is not None)
    pane.show_document()
    assert started.count(JOB) == 2
    qtbot.waitUntil(lambda: pane.facts is not None)
