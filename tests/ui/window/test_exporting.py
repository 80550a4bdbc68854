"""Exporting from the window: asked, written in a thread, read back, told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.ui.shell import HALF, LEGACY, SAMPLES, ZIP, opened, settled
from viewer import torch_client
from viewer.core.errors import ExportError
from viewer.core.export.base import FileExporter
from viewer.core.export.plan import Plan, Report, Verdict
from viewer.core.progress import Progress
from viewer.session.settings import EXPORT_FOLDER
from viewer.ui.dialogs.export import ExportDialog
from viewer.ui.widgets.message_bar import Message
from viewer.ui.window import MainWindow
from viewer.ui.window.exporting import CLOSING, EXPORT


def asked(qtbot: QtBot, window: MainWindow, name: str = "file.export_npz") -> ExportDialog:
    """The dialog, when it has worked out what it would write."""
    window.actions_by_id[name].trigger()
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
    session = window.session
    assert session is not None
    qtbot.waitUntil(lambda: not session.jobs.busy)
    return dialog


def write_to(dialog: ExportDialog, target: Path) -> None:
    dialog.target.setText(str(target))
    dialog.target.textEdited.emit(str(target))


def ended(qtbot: QtBot, window: MainWindow) -> tuple[str, str, str]:
    """Severity, title and sentence of what the dialog says at the end of an export."""
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.foot.told is not None)
    message = dialog.foot.told
    assert message is not None
    return message.severity, message.title, message.sentence


def test_npz_is_written_and_read_back(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    opened(qtbot, window, LEGACY)
    target = tmp_path / "out.npz"
    dialog = asked(qtbot, window)
    assert dialog.exporter.form == "npz"
    assert dialog.go.text() == "Export 8 tensors"
    write_to(dialog, target)
    dialog.go.click()
    severity, title, sentence = ended(qtbot, window)
    assert (severity, title) == ("done", "Exported 8 tensors to out.npz.")
    assert sentence.startswith("Verified: numpy reads the same")
    with np.load(target) as arrays:
        assert len(arrays.files) == 8
    assert window.workspace.settings.get(EXPORT_FOLDER) == str(tmp_path)


@pytest.mark.torch
def test_a_state_dict_is_verified_by_torch(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window, "file.export_state_dict")
    write_to(dialog, tmp_path / "out.pth")
    dialog.go.click()
    severity, title, sentence = ended(qtbot, window)
    assert (severity, title) == ("done", "Exported 16 tensors to out.pth.")
    assert sentence.startswith("Verified: torch ")
    assert sentence.endswith("It loads in torch 1.6 and later.")
    opening = dict(dialog.foot.told.actions)["Open it"] if dialog.foot.told is not None else None
    assert opening is not None
    opening()
    assert window.session is not None
    assert window.session.path == tmp_path / "out.pth"


def test_without_checking(qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_client, "verify", lambda *_: pytest.fail("nobody asked for a check"))
    opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, tmp_path / "out.npz")
    dialog.verify.setChecked(False)
    dialog.go.click()
    assert ended(qtbot, window)[2] == ""


def test_branches_are_offered(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    offered = [dialog.what.itemText(at) for at in range(dialog.what.count())]
    assert offered[0] == "The state_dict of the file"
    assert "model_state_dict: 16 tensors" in offered
    assert offered[-1] == "All of the file: 46 tensors"
    dialog.what.setCurrentIndex(len(offered) - 1)
    qtbot.waitUntil(lambda: dialog.plan is not None and len(dialog.plan.items) == 46)
    dialog.reject()


def test_a_selected_tensor_is_exported_alone(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    view = opened(qtbot, window, LEGACY)
    document = view.session.document
    assert document is not None
    tensor = document.tensors[0]
    view.session.select_tensor(tensor, "test")
    settled(qtbot, window)
    dialog = asked(qtbot, window, "tensor.export")
    assert dialog.go.text() == "Export 1 tensor"
    write_to(dialog, tmp_path / "one.npz")
    dialog.go.click()
    assert ended(qtbot, window)[1] == "Exported 1 tensor to one.npz."
    with np.load(tmp_path / "one.npz") as arrays:
        assert arrays[arrays.files[0]].shape == tensor.shape


def test_what_is_left_out_is_said_before_writing(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, HALF)
    dialog = asked(qtbot, window)
    assert "missing" not in dialog.report.toPlainText()
    dialog.what.setCurrentIndex(dialog.what.count() - 1)
    qtbot.waitUntil(lambda: "missing" in dialog.report.toPlainText())
    assert "optimizer_state_dict.state.4.exp_avg_sq" in dialog.report.toPlainText()
    dialog.reject()


def test_a_file_that_stands_there_is_replaced_only_when_asked(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    target = tmp_path / "out.npz"
    target.write_bytes(b"mine")
    opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, target)
    assert not dialog.go.isEnabled()
    assert dialog.fault.text() == "A file of that name exists. Choose another name, or replace it."
    dialog.replace.setChecked(True)
    assert dialog.go.isEnabled()
    dialog.go.click()
    assert ended(qtbot, window)[0] == "done"
    assert target.read_bytes()[:2] == b"PK"


def test_a_table_of_names_comes_with_names_that_had_to_change(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    # more changes than the dialog lists
    (tmp_path / "x.pt").write_bytes(torch_zip({f"../{n}": full("uint8", (), [1]) for n in range(201)}))
    (tmp_path / "out.names.json").write_bytes(b"mine")
    opened(qtbot, window, tmp_path / "x.pt")
    dialog = asked(qtbot, window)
    assert "Renamed ../0 to __/0: the first name cannot be used there." in dialog.report.toPlainText()
    assert dialog.report.toPlainText().endswith("Changed and left out too, for such reasons: 1.")
    write_to(dialog, tmp_path / "out.npz")
    assert dialog.fault.text() == "A file of that name exists. Choose another name, or replace it."
    dialog.replace.setChecked(True)
    dialog.go.click()
    severity, _, sentence = ended(qtbot, window)
    assert severity == "done"
    assert "out.names.json, the table of names and types, because names had to change: 201." in sentence
    assert (tmp_path / "out.names.json").read_bytes().startswith(b'{"npz": "out.npz"')


def test_the_open_file_is_never_written_over(qtbot: QtBot, window: MainWindow) -> None:
    before = ZIP.read_bytes()
    opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window, "file.export_state_dict")
    write_to(dialog, ZIP)
    dialog.replace.setChecked(True)
    dialog.go.click()
    severity, title, _ = ended(qtbot, window)
    assert (severity, title) == ("error", "checkpoint_adam.pt was not written.")
    assert ZIP.read_bytes() == before


def test_a_folder_that_is_not_there_is_one_sentence(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, tmp_path / "no" / "out.npz")
    dialog.go.click()
    severity, title, sentence = ended(qtbot, window)
    assert (severity, title) == ("error", "out.npz was not written.")
    assert str(tmp_path / "no") in sentence


def test_choosing_a_name_adds_the_suffix(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "mine"), ""))
    opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    dialog.choose.click()
    assert dialog.target.text() == str(tmp_path / "mine.npz")
    dialog.choose_form("state_dict")
    assert dialog.target.text() == str(tmp_path / "mine.pth")
    dialog.reject()


def slow(monkeypatch: pytest.MonkeyPatch, then: Callable[[Progress], None]) -> None:
    """Let writing take until it is stopped."""

    def write(self: FileExporter, plan: Plan, path: Path, progress: Progress, overwrite: bool = False) -> Report:
        del self, overwrite
        then(progress)
        return Report(plan, path, 0)

    monkeypatch.setattr(FileExporter, "write", write)


def test_an_export_can_be_stopped(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def until_stopped(progress: Progress) -> None:
        while True:
            progress.step("export", 1, 2)

    slow(monkeypatch, until_stopped)
    view = opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, tmp_path / "out.npz")
    dialog.go.click()
    qtbot.waitUntil(view.strip.isVisible)
    assert not dialog.side.inner.isEnabled()
    assert dialog.foot.what.text() == "Writing"
    dialog.foot.hide_it.click()
    assert not dialog.isVisible()
    window.actions_by_id["file.export_npz"].trigger()
    assert dialog.isVisible()
    dialog.foot.stop.click()
    assert ended(qtbot, window) == ("note", "The export to out.npz was stopped.", "Nothing was written.")
    assert not view.strip.isVisible()
    dialog.foot.again.click()
    qtbot.waitUntil(dialog.go.isEnabled)
    assert dialog.side.inner.isEnabled()
    dialog.reject()
    assert list(tmp_path.glob("out*")) == []


def test_a_text_that_arrives_late_leaves_the_end_on_the_screen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    view = opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, tmp_path / "out.npz")
    dialog.go.click()
    _, title, _ = ended(qtbot, window)
    view.session.code.changed.emit()
    qtbot.waitUntil(lambda: not view.session.jobs.busy)
    assert not dialog.foot.is_asking
    assert dialog.sentence.text() == title
    dialog.foot.again.click()
    qtbot.waitUntil(lambda: dialog.plan is not None)
    assert dialog.foot.is_asking
    dialog.reject()


def test_an_export_whose_window_is_hidden_ends_with_a_bar(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    view = opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, tmp_path / "out.npz")
    dialog.go.click()
    dialog.reject()
    assert not dialog.isVisible()
    qtbot.waitUntil(lambda: any(message.key == EXPORT for message in window.bars.shown))
    message = next(message for message in window.bars.shown if message.key == EXPORT)
    assert (message.severity, message.title) == ("done", "Exported 16 tensors to out.npz.")
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None)
    assert not view.session.jobs.busy


def test_closing_the_file_stops_its_export(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def until_stopped(progress: Progress) -> None:
        while True:
            progress.step("export", 1, 2)

    slow(monkeypatch, until_stopped)
    view = opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, tmp_path / "out.npz")
    dialog.go.click()
    qtbot.waitUntil(lambda: view.session.jobs.is_running(EXPORT))
    window.workspace.close(view.session)
    assert window.session is None
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None)
    (told,) = (message for message in window.bars.shown if message.key == EXPORT)
    assert (told.title, told.sentence) == ("The export to out.npz was stopped.", "Its file was closed.")


def hidden_export(qtbot: QtBot, window: MainWindow, target: Path) -> None:
    """Begin one, and hide its dialog."""
    view = opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, target)
    dialog.go.click()
    dialog.reject()
    qtbot.waitUntil(lambda: view.session.jobs.is_running(EXPORT))


def question(window: MainWindow) -> Message:
    """What the window asks before it closes."""
    (found,) = (message for message in window.bars.shown if message.key == CLOSING)
    assert (found.severity, found.title) == ("warning", "Still being written: out.npz.")
    assert found.sentence == "What is stopped leaves nothing behind."
    assert [words for words, _ in found.actions] == ["Close when it is done", "Stop it and close"]
    return found


def test_a_window_that_writes_asks_before_it_closes(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def until_stopped(progress: Progress) -> None:
        while True:
            progress.step("export", 1, 2)

    slow(monkeypatch, until_stopped)
    hidden_export(qtbot, window, tmp_path / "out.npz")
    for _ in range(2):
        assert not window.close()
        assert window.isVisible()
    question(window).actions[1][1]()
    assert not window.isVisible()
    assert window.session is None


@pytest.mark.parametrize("is_good", [True, False])
def test_a_window_closes_when_its_export_is_done_and_stays_when_it_failed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_good: bool
) -> None:
    go = Event()

    def write(progress: Progress) -> None:
        del progress
        assert go.wait(120)
        if not is_good:
            raise ExportError("target-disk-full", path="out.npz")

    slow(monkeypatch, write)
    monkeypatch.setattr(torch_client, "verify", lambda report, progress: Verdict("numpy-verified", True, {"count": 1}))
    hidden_export(qtbot, window, tmp_path / "out.npz")
    assert not window.close()
    question(window).actions[0][1]()
    assert window.isVisible()
    go.set()
    if is_good:
        qtbot.waitUntil(lambda: not window.isVisible())
        return
    qtbot.waitUntil(lambda: any(message.title == "out.npz was not written." for message in window.bars.shown))
    assert window.isVisible()
    assert window.close()


@pytest.mark.parametrize("is_closed", [True, False])
def test_the_question_goes_with_what_it_is_about(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_closed: bool
) -> None:
    go = Event()

    def write(progress: Progress) -> None:
        del progress
        assert go.wait(120)

    slow(monkeypatch, write)
    monkeypatch.setattr(torch_client, "verify", lambda report, progress: Verdict("numpy-verified", True, {"count": 1}))
    hidden_export(qtbot, window, tmp_path / "out.npz")
    assert not window.close()
    assert question(window)
    go.set()
    if is_closed:
        session = window.session
        assert session is not None
        window.workspace.close(session)
    qtbot.waitUntil(lambda: any(message.key == EXPORT for message in window.bars.shown))
    assert not [message for message in window.bars.shown if message.key == CLOSING]
    assert window.isVisible()


def test_an_export_that_waits_for_a_thread_can_be_stopped(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    view = opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, tmp_path / "out.npz")
    busy = Event()
    for key in ("one", "another"):
        view.session.start(key, lambda _: busy.wait(120), lambda _: None)
    dialog.go.click()
    dialog.foot.stop.click()
    busy.set()
    assert ended(qtbot, window) == ("note", "The export to out.npz was stopped.", "Nothing was written.")
    assert list(tmp_path.glob("out*")) == []


def test_a_failure_is_told(qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(progress: Progress) -> None:
        raise ExportError("export-nothing")

    slow(monkeypatch, fail)
    opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, tmp_path / "out.npz")
    dialog.go.click()
    assert ended(qtbot, window)[0] == "error"


def test_a_reader_that_was_killed_is_a_warning(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    died = Verdict("torch-died", None, {"reason": "signal 9"})
    monkeypatch.setattr(torch_client, "verify", lambda *_: died)
    opened(qtbot, window, ZIP)
    dialog = asked(qtbot, window)
    write_to(dialog, tmp_path / "out.npz")
    dialog.go.click()
    assert ended(qtbot, window) == (
        *("warning", "Exported 16 tensors to out.npz."),
        "Not verified: the torch process ended before it answered (signal 9).",
    )


def test_sources_are_written_as_a_folder(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.workspace.settings.set(EXPORT_FOLDER, str(tmp_path))
    opened(qtbot, window, LEGACY)
    dialog = asked(qtbot, window, "file.export_source")
    assert dialog.exporter.form == "source"
    assert dialog.target.text() == str(tmp_path / "whole_model_legacy_source")
    assert [dialog.what.itemText(at) for at in range(dialog.what.count())] == ["All classes with their text"]
    assert not dialog.what.isEnabled()
    said_before = dialog.report.toPlainText()
    assert "Classes with source: 3, in Python files: 2." in said_before
    assert "zoo/blocks.py" in said_before
    dialog.go.click()
    severity, title, _ = ended(qtbot, window)
    assert severity == "done"
    assert title.endswith("files to whole_model_legacy_source.")
    target = tmp_path / "whole_model_legacy_source"
    assert "class Stem(nn.Module):" in (target / "zoo" / "blocks.py").read_text(encoding="utf-8")
    message = dialog.foot.told
    assert message is not None
    assert [words for words, _ in message.actions] == ["Open folder", "Copy path"]
    message.actions[1][1]()
    assert QApplication.clipboard().text() == str(target)


def test_a_folder_with_other_files_is_left_alone(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep", encoding="utf-8")
    opened(qtbot, window, LEGACY)
    dialog = asked(qtbot, window, "file.export_source")
    write_to(dialog, tmp_path / "mine")
    assert not dialog.go.isEnabled()
    assert dialog.replace.text() == "Replace the export that stands there"
    dialog.replace.setChecked(True)
    dialog.go.click()
    assert ended(qtbot, window)[0] == "error"
    assert [path.name for path in tmp_path.glob("*mine*/*")] == ["notes.txt"]


def test_a_recovery_kit_takes_a_python_file_that_was_given(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    opened(qtbot, window, LEGACY)
    session = window.session
    assert session is not None
    written = tmp_path / "mine.py"
    written.write_text("from torch import nn\nclass Stem(nn.Module):\n    answer = 42\n", encoding="utf-8")
    session.code.supply(written, "source")
    qtbot.waitUntil(lambda: bool(session.code.supplied))
    dialog = asked(qtbot, window, "file.export_recovery")
    write_to(dialog, tmp_path / "kit")
    dialog.go.click()
    assert ended(qtbot, window)[0] == "done"
    assert any("answer = 42" in path.read_text(encoding="utf-8") for path in (tmp_path / "kit").rglob("blocks.py"))


def test_a_recovery_kit_offers_modules_only(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.workspace.settings.set(EXPORT_FOLDER, str(tmp_path))
    opened(qtbot, window, LEGACY)
    dialog = asked(qtbot, window, "file.export_recovery")
    assert dialog.target.text() == str(tmp_path / "whole_model_legacy_recovery")
    assert dialog.what.itemText(0) == "The module of the file"
    assert "load.py" in dialog.report.toPlainText()
    dialog.verify.setChecked(False)
    dialog.go.click()
    severity, title, _ = ended(qtbot, window)
    assert (severity, title.endswith("files to whole_model_legacy_recovery.")) == ("done", True)
    assert (tmp_path / "whole_model_legacy_recovery" / "load.py").is_file()


def test_a_file_without_modules_cannot_be_recovered(qtbot: QtBot, window: MainWindow) -> None:
    opened(qtbot, window, ZIP)
    assert not window.actions_by_id["file.export_recovery"].isEnabled()
    assert not window.actions_by_id["file.export_source"].isEnabled()
    dialog = asked(qtbot, window)
    dialog.choose_form("recovery")
    qtbot.waitUntil(lambda: dialog.fault.text() != "")
    assert not dialog.go.isEnabled()
    dialog.choose_form("npz")
    qtbot.waitUntil(dialog.go.isEnabled)
    dialog.reject()


def test_an_open_dialog_takes_in_a_file_that_is_given(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    view = opened(qtbot, window, SAMPLES / "whole_model_zip.pt")
    code = tmp_path / "shapes.py"
    code.write_text("from torch import nn\n\nclass Autoencoder(nn.Module):\n    pass\n", encoding="utf-8")
    dialog = asked(qtbot, window, "file.export_recovery")
    line = "Taken from shapes.py: shapes.model.Autoencoder."
    assert line not in dialog.report.toPlainText()
    view.session.code.supply(code, "source")
    qtbot.waitUntil(lambda: line in dialog.report.toPlainText().splitlines())
    view.session.code.withdraw(code)
    qtbot.waitUntil(lambda: line not in dialog.report.toPlainText())
    dialog.reject()


def test_the_chosen_folder_takes_a_new_one_unless_it_is_empty(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    opened(qtbot, window, LEGACY)
    dialog = asked(qtbot, window, "file.export_source")
    for chosen, target in ((tmp_path, tmp_path / "whole_model_legacy_source"), (tmp_path / "empty",) * 2):
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, chosen=chosen: str(chosen))
        dialog.choose.click()
        assert dialog.target.text() == str(target)
    dialog.reject()


def test_a_kit_takes_the_classes_of_a_file_that_was_given(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    view = opened(qtbot, window, SAMPLES / "whole_model_zip.pt")
    code = tmp_path / "shapes.py"
    code.write_text("from torch import nn\n\nclass Autoencoder(nn.Module):\n    pass\n", encoding="utf-8")
    with qtbot.waitSignal(view.session.code.supplied_one):
        view.session.code.supply(code, "source")
    dialog = asked(qtbot, window, "file.export_recovery")
    assert "Taken from shapes.py: shapes.model.Autoencoder." in dialog.report.toPlainText().splitlines()
    write_to(dialog, tmp_path / "kit")
    dialog.go.click()
    severity, _, _ = ended(qtbot, window)
    assert severity == "done"
    text = (tmp_path / "kit" / "source" / "shapes" / "model.py").read_text(encoding="utf-8")
    assert "class Autoencoder(nn.Module):\n    pass\n" in text
