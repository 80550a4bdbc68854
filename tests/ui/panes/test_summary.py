"""Summary: what a file is, and the next steps as buttons that act."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from tests.ui.panes.conftest import SAMPLES
from viewer.ui.panes.summary import SummaryPane


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
    return pane.findChildren(QPushButton)


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


def test_loading_code_is_copied(ready):
    pane = ready("checkpoint_adam.pt")
    _buttons(pane)["Copy the code that loads this file"].click()
    copied = QApplication.clipboard().text()
    assert "torch.load('checkpoint_adam.pt', weights_only=True)" in copied
    assert 'loaded["model_state_dict"]' in copied or "loaded['model_state_dict']" in copied


def test_half_a_file_offers_what_is_whole(ready):
    pane = ready("half_download.pth")
    assert "Rescue what is whole" in _buttons(pane)
    assert "errors" in _facts(pane)["Problems"]


def test_what_loading_would_call_is_named(ready):
    assert _facts(ready("runs_a_command.pkl"))["Loading calls"] == "posix.system"
    assert "Loading calls" not in _facts(ready("checkpoint_adam.pt"))


def test_no_text_of_a_file_is_taken_for_markup(ready):
    pane = ready("checkpoint_adam.pt")
    values = [pane.form.itemAt(row, pane.form.ItemRole.FieldRole).widget() for row in range(pane.form.rowCount())]
    assert all(isinstance(value, QLabel) and value.textFormat().name == "PlainText" for value in values)
