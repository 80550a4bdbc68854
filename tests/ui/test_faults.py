"""Faults of the program: a bar, a log, and a report that tells nothing of files unless it is asked to."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton

from viewer.ui import faults
from viewer.ui.faults import Faults, clear_log, keep_log, log_path, report, stop_log
from viewer.ui.widgets.message_bar import Message, MessageBar
from viewer.ui.window import MainWindow

SECRET = "the name of a layer"


def fail() -> None:
    try:
        raise KeyError(SECRET)
    except KeyError as inner:
        raise ValueError(f"no {SECRET}") from inner


@pytest.fixture
def fault() -> ValueError:
    with pytest.raises(ValueError, match="no the name") as caught:
        fail()
    return caught.value


def test_a_fault_is_told_and_logged(window: MainWindow, logged: list[str]) -> None:
    before = sys.excepthook
    taking = Faults(window)
    try:
        sys.excepthook(ValueError, ValueError("half a thought"), None)
    finally:
        taking.restore()
    assert sys.excepthook is before
    (message,) = window.bars.shown
    assert message.title == "Something went wrong in the program."
    assert message.sentence == "The program itself made a mistake (ValueError: half a thought)."
    assert logged == ["ERROR viewer.ui.faults: not caught"]


def test_the_report_tells_where_and_nothing_of_files(fault: ValueError) -> None:
    text = report(fault)
    assert text.startswith("Picklescope ")
    assert "Python 3" in text
    assert "test_faults.py:" in text
    assert text.index("ValueError") < text.index("Before that:") < text.index("KeyError")
    assert SECRET not in text
    assert str(Path(__file__).parent) not in text
    assert str(Path.home()) not in text


def test_the_words_come_when_they_are_asked_for(fault: ValueError) -> None:
    assert f"ValueError: no {SECRET}\n" in report(fault, words=True)


def test_a_long_way_is_cut() -> None:
    def down(depth: int) -> None:
        if not depth:
            raise ValueError
        down(depth - 1)

    with pytest.raises(ValueError, match=r"^$") as caught:
        down(100)
    lines = report(caught.value).splitlines()
    assert sum(line.startswith("  test_faults.py:") for line in lines) == faults.FRAMES
    assert any(line.endswith("outer lines left out") for line in lines)


def test_one_report_after_the_other_is_copied(window: MainWindow, fault: ValueError, logged: list[str]) -> None:
    taking = Faults(window)
    try:
        sys.excepthook(ValueError, fault, fault.__traceback__)
    finally:
        taking.restore()
    (bar,) = window.bars.findChildren(MessageBar)
    told = {
        "Copy report": ("The report is on the clipboard.", report(fault)),
        "Copy with its words": ("The report with its words is on the clipboard.", report(fault, words=True)),
    }
    for words in (*told, *told):
        sentence, text = told[words]
        button = next(button for button in bar.findChildren(QPushButton) if button.text() == words)
        button.click()
        assert QGuiApplication.clipboard().text() == text
        assert [label.text() for label in bar.findChildren(QLabel)][-1].replace("\u200b", "") == sentence
        assert sentence in bar.accessibleName()
        assert [message.title for message in window.bars.shown] == ["Something went wrong in the program."]
    assert len(logged) == 1


def test_the_log_turns_over(qapp: object, monkeypatch: pytest.MonkeyPatch, logged: list[str]) -> None:
    del qapp
    monkeypatch.setattr(faults, "LOG_BYTES", 500)
    handler = keep_log()
    for number in range(40):
        logging.getLogger("viewer.test").error("number %d of many", number)
    logging.getLogger("viewer.test").info("nothing of this")
    stop_log(handler)
    kept = sorted(path.name for path in log_path().parent.glob("picklescope.log*"))
    assert kept == ["picklescope.log", "picklescope.log.1", "picklescope.log.2", "picklescope.log.3"]
    assert log_path().read_text(encoding="utf-8").splitlines()[-1].endswith("ERROR viewer.test: number 39 of many")
    assert len(logged) == 40


def test_without_a_place_for_it_there_is_no_log(qapp: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    del qapp
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setattr(faults, "log_path", lambda: tmp_path / "file" / "picklescope.log")
    assert keep_log() is None
    stop_log(None)


def test_a_fault_in_painting_is_told_once(
    window: MainWindow, logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    taking = Faults(window)
    told = 0

    def say(message: Message) -> None:
        nonlocal told
        told += 1
        # The bar that tells of it has the widget painted anew, as one that is laid out anew does.
        throw()

    def throw() -> None:
        try:
            raise ValueError("a stroke")
        except ValueError as fault:
            sys.excepthook(ValueError, fault, fault.__traceback__)

    monkeypatch.setattr(window, "say", say)
    try:
        for _ in range(5):
            throw()
    finally:
        taking.restore()
    assert told == 1
    assert logged == ["ERROR viewer.ui.faults: not caught"]


def test_a_fault_that_comes_back_later_is_told_again(
    window: MainWindow, logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 1.0, 5.9, 11.0])
    monkeypatch.setattr(faults, "monotonic", lambda: next(clock))
    taking = Faults(window)
    try:
        for _ in range(4):
            sys.excepthook(ValueError, ValueError("again"), None)
    finally:
        taking.restore()
    # Each time counts: it is told once nothing was heard of it for five seconds.
    assert len(logged) == 2


def test_another_fault_while_one_is_told_is_only_logged(
    window: MainWindow, logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    taking = Faults(window)

    def say(message: Message) -> None:
        sys.excepthook(KeyError, KeyError("in the bar"), None)

    monkeypatch.setattr(window, "say", say)
    try:
        sys.excepthook(ValueError, ValueError("first"), None)
    finally:
        taking.restore()
    assert logged == ["ERROR viewer.ui.faults: not caught"] * 2


def test_files_that_are_forgotten_go_from_the_log(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, logged: list[str]
) -> None:
    taking = Faults(window)
    monkeypatch.setattr(faults, "LOG_BYTES", 500)
    handler = keep_log()
    write = logging.getLogger("viewer.test").error
    for number in range(40):
        write("number %d: no such file: '/home/me/model.pt'", number)
    window.workspace.forget_all()
    kept = {path.name: path.read_bytes() for path in log_path().parent.glob("picklescope.log*")}
    assert kept == {"picklescope.log": b""}
    # What comes later is logged as ever.
    write("another")
    taking.restore()
    window.workspace.forget_all()
    stop_log(handler)
    assert log_path().read_text(encoding="utf-8").endswith("ERROR viewer.test: another\n")
    assert "\0" not in log_path().read_text(encoding="utf-8")
    assert len(logged) == 41
    log_path().unlink()
    clear_log()
    assert not log_path().exists()
