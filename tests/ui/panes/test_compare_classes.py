"""The Compare pane: a class against another open file, a .py file, a derived text and torch; steps, copy, patch."""

from __future__ import annotations

import subprocess

import pytest
from PySide6.QtWidgets import QApplication

from tests.builders.legacy import legacy as legacy_file
from tests.builders.torch_values import ModuleClass, module
from viewer.core.code.torch_text import TorchText, TorchTexts
from viewer.ui.compare_views.classes import ClassesView as ComparePane
from viewer.ui.panes.source import SourcePane

OLD = """class Net(nn.Module):
    def forward(self, x):
        return F.relu(x)

    def same(self):
        return 0

    def score(self):
        return 1
"""
NEW = """class Net(nn.Module):
    def forward(self, x):
        return F.elu(x)

    def same(self):
        return 0
"""
LINEAR = "class Linear(Module):\n    pass\n"


@pytest.fixture
def write(tmp_path):
    """Write a legacy file of one module of a class with a text."""

    def make(name, text, qualname="zoo.Net"):
        path = tmp_path / name
        where, _, own = qualname.rpartition(".")
        child = module(ModuleClass("torch.nn.modules.linear", "Linear", "/torch/linear.py", LINEAR))
        path.write_bytes(legacy_file(module(ModuleClass(where, own, "net.py", text), children={"fc": child})))
        return path

    return make


@pytest.fixture
def pair(write, opened):
    """Two sessions that know of each other."""
    one, two = opened(write("old.pth", OLD)), opened(write("new.pth", NEW))
    one.peers, two.peers = (lambda: [two]), (lambda: [one])
    return one, two


@pytest.fixture
def pane(pair, shown, qtbot):
    """The pane over the old file, compared with the new one."""
    made = shown(ComparePane, pair[0])
    qtbot.waitUntil(lambda: not made.session.jobs.busy and len(made.differences) > 0)
    return made


def titles(pane):
    return [pane.head.other.itemText(at) for at in range(pane.head.other.count())]


def test_the_same_class_of_another_open_file(pane):
    assert pane.head.box.currentText() == "zoo.Net"
    assert pane.head.side.text() == "stored"
    assert titles(pane) == ["new.pth"]
    assert pane.differences.counts == {"changed": 1, "added": 0, "removed": 3}
    assert pane.tally.text() == "Lines changed: 1, only here: 3, only there: 0"


def test_steps_go_from_difference_to_difference(pane):
    assert pane.view.row == 2
    assert not pane.previous.isEnabled()
    pane.next.click()
    assert pane.view.row == 6
    assert not pane.next.isEnabled()
    pane.commands()["go.previous_difference"]()
    assert pane.view.row == 2


def test_a_chosen_row_selects_the_bytes_of_its_line(pane):
    pane.view.choose(8)
    selection = pane.session.selection
    assert (selection.code, selection.line) == (0, 9)
    source = pane.session.source
    assert source.read(selection.spans[0].start, selection.spans[0].length) == b"        return 1"


def test_rows_are_copied_with_their_signs(pane):
    pane.view.choose(2)
    pane.view.choose(3, extend=True)
    pane.copy_rows()
    assert QApplication.clipboard().text() == ("-         return F.relu(x)\n+         return F.elu(x)\n  \n")


def test_the_patch_makes_the_other_text(pane, tmp_path, qtbot):
    target = tmp_path / "net.patch"
    with qtbot.waitSignal(pane.message) as told:
        pane.save_patch_to(target)
    assert told.args[:2] == ["done", "Saved net.patch"]
    place = tmp_path / "zoo" / "Net.py"
    place.parent.mkdir()
    place.write_text(OLD)
    subprocess.run(["git", "apply", str(target)], cwd=tmp_path, check=True)
    assert place.read_text() == NEW


def test_a_patch_never_goes_over_the_open_file(pane, qtbot):
    before = pane.session.path.read_bytes()
    with qtbot.waitSignal(pane.message) as told:
        pane.save_patch_to(pane.session.path)
    assert told.args[0] == "error"
    assert pane.session.path.read_bytes() == before


def test_a_file_of_the_person(pane, tmp_path, qtbot):
    given = tmp_path / "net.py"
    given.write_text("import torch.nn as nn\n\n\n" + OLD)
    with qtbot.waitSignal(pane.session.code.supplied_one):
        pane.session.code.supply(given, "compare")
    qtbot.waitUntil(lambda: pane.tally.text() == "The two texts are the same.")
    assert titles(pane) == [str(given), "new.pth"]
    assert not pane.save.isEnabled()
    pane.session.code.withdraw(given)
    qtbot.waitUntil(lambda: pane.differences.counts["removed"] == 3)
    assert titles(pane) == ["new.pth"]


@pytest.mark.parametrize(
    ("text", "title", "words"),
    [
        ("class Other:\n    pass\n", "Nothing to compare with", "net.py has no class Net."),
        ("class Net(:\n", "net.py cannot be compared", "Line 1"),
    ],
)
def test_a_file_that_does_not_help_is_said(pane, tmp_path, qtbot, text, title, words):
    given = tmp_path / "net.py"
    given.write_text(text)
    with qtbot.waitSignal(pane.message) as told:
        pane.session.code.supply(given, "compare")
    assert told.args[1] == title
    assert words in told.args[2]


@pytest.mark.parametrize("asker", ["source", "compare"])
@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("class Other:\n    pass\n", {"source": "net.py is not used", "compare": "Nothing to compare with"}),
        ("class Net(:\n", {"source": "net.py cannot be used", "compare": "net.py cannot be compared"}),
    ],
)
def test_of_two_panes_in_view_the_one_that_was_asked_tells(pane, shown, tmp_path, qtbot, asker, text, titles):
    both = [shown(SourcePane, pane.session), pane]
    assert all(one.isVisible() for one in both)
    told = []
    for one in both:
        one.message.connect(lambda *words: told.append(words[1]))
    given = tmp_path / "net.py"
    given.write_text(text)
    pane.session.code.supply(given, asker)
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)
    assert told == [titles[asker]]


def test_torch_is_asked_only_when_it_is_chosen(pane, qtbot, monkeypatch):
    asked = []

    def texts(names, progress):
        asked.append(list(names))
        name = "torch.nn.modules.linear.Linear"
        return TorchTexts({name: TorchText(name, LINEAR + "    x = 1\n", "", 1, "", (), "2.13.0")})

    monkeypatch.setattr("viewer.torch_client.torch_texts", texts)
    assert asked == []
    pane.head.class_chosen.emit(1)
    assert titles(pane) == ["new.pth", "installed torch"]
    pane.head.other_chosen.emit(1)
    qtbot.waitUntil(lambda: pane.differences.counts["added"] == 1)
    assert asked == [["torch.nn.modules.linear.Linear"]]
    assert titles(pane) == ["new.pth", "installed torch 2.13.0"]


def test_without_torch_a_sentence_says_so(pane, qtbot, monkeypatch):
    monkeypatch.setattr("viewer.torch_client.torch_texts", lambda names, progress: TorchTexts(failure="torch-absent"))
    pane.head.class_chosen.emit(1)
    assert titles(pane) == ["new.pth", "installed torch"]
    pane.head.other_chosen.emit(1)
    qtbot.waitUntil(lambda: "torch is not installed" in pane.notes.words.text())
    assert len(pane.differences) == 0


def test_nothing_to_compare_with_is_said(write, opened, shown, qtbot):
    pane = shown(ComparePane, opened(write("alone.pth", NEW)))
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)
    assert pane.notes.words.text() == "Open a second file that has this class, or choose a .py file."
    assert not pane.save.isEnabled()


def test_a_file_without_classes(adam, shown, qtbot):
    pane = shown(ComparePane, adam)
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)
    assert pane.pages.currentIndex() == 1
    assert "Nothing to compare" in pane.empty.text()


def test_other_line_ends_are_said_once(write, opened, shown, qtbot):
    one, two = opened(write("lf.pth", OLD)), opened(write("crlf.pth", OLD.replace("\n", "\r\n")))
    one.peers = lambda: [two]
    pane = shown(ComparePane, one)
    qtbot.waitUntil(lambda: "CR LF" in pane.notes.words.text())
    assert pane.differences.counts == {"changed": 0, "added": 0, "removed": 0}
