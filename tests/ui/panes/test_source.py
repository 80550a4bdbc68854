"""The Source pane: every class with its texts and uses, lines as bytes, names not found, hidden characters, saving."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from tests.builders.legacy import legacy as legacy_file
from tests.builders.torch_values import ModuleClass, module
from tests.builders.values import Global, Instance
from tests.ui.panes.conftest import SAMPLES
from viewer.ui.models.text_saving import file_name
from viewer.ui.panes.source import SourcePane

STEM = """class Stem(nn.Module):
    def __init__(self):
        self.act = nn.ReLU()

    def forward(self, x):
        return F.relu(x)
"""
NET = """class Net(nn.Module):
    def __init__(self):
        self.body = nn.Sequential(Stem(), Stem())
        self.end = Stem()
"""
TORCH = "class Sequential(Module):\n    pass\n"
HOSTILE = "class Bad(nn.Module):\r\n    a = 1\x00\n    # \u202e reversed\n    b = '\u200b'\n"


@pytest.fixture
def file_of(tmp_path, opened):
    """Write a legacy file of a value and open it."""

    def write(value):
        path = tmp_path / "made.pth"
        path.write_bytes(legacy_file(value))
        return opened(path)

    return write


def zoo():
    """A net of three stems, two of them in a Sequential; a settings object without a text."""
    stem = ModuleClass("zoo.blocks", "Stem", "C:\\work\\zoo\\blocks.py", STEM)
    sequential = ModuleClass("torch.nn.modules.container", "Sequential", "/torch/container.py", TORCH)
    body = module(sequential, children={"0": module(stem), "1": module(stem)})
    settings = Instance(Global("zoo.config", "Settings"), (), {"lr": 0.1})
    net = ModuleClass("zoo.nets", "Net", None, NET)
    return module(net, {"settings": settings}, children={"body": body, "end": module(stem)})


@pytest.fixture
def pane(file_of, shown, qtbot):
    """The pane over the zoo, all found."""
    made = shown(SourcePane, file_of(zoo()))
    qtbot.waitUntil(lambda: not made.session.jobs.busy)
    return made


def column(pane, number):
    model = pane.list.model
    return [model.index(row, number).data() for row in range(model.rowCount())]


def test_every_class_is_listed_with_uses_and_texts(pane):
    assert column(pane, 0) == [
        "Net zoo.nets",
        "Stem zoo.blocks",
        "Settings zoo.config",
        "torch's own",
        "Sequential torch.nn.modules.container",
    ]
    assert column(pane, 1) == ["1", "3", "1", "", "1"]
    assert column(pane, 2) == ["stored", "stored", "derived", "", "stored"]
    assert pane.shown_row().name == "zoo.nets.Net"
    assert pane.head.count.text() == "class 1 of 4"


def test_the_tab_counts_as_many_classes_as_the_pane(pane):
    told = []
    pane.badge_changed.connect(told.append)
    pane._list()
    pane.list.chosen.emit(0)
    assert told == ["4"]
    assert pane.head.count.text() == "class 1 of 4"


def test_choosing_a_place_selects_the_object_in_the_file(pane, qtbot):
    pane.list.chosen.emit(1)
    links = [link.text() for link in pane.head.used.links if not link.isHidden()]
    assert links == ["body.0", "body.1", "end"]
    assert pane.head.used.words.text() == "Used 3 times:"
    qtbot.mouseClick(pane.head.used.links[1], Qt.MouseButton.LeftButton)
    selection = pane.session.selection
    place = pane.shown_row().places[1]
    assert (selection.value, selection.origin) == (place.value, "source")
    assert pane.session.contents.crumbs(selection.node)
    assert pane.shown_row().name == "zoo.blocks.Stem"


def test_the_list_of_places_drops_down_where_links_have_no_room(pane, qtbot):
    used = pane.head.used
    pane.list.chosen.emit(1)
    # How wide the links are is the font's: as narrow as the words alone, where at most one of them has room.
    used.setFixedWidth(used.words.sizeHint().width() + used.more.sizeHint().width())
    qtbot.waitUntil(lambda: used.more.isVisible())
    pane.head.used.drop()
    rows = pane.head.used.down.inner
    assert [rows.model.index(row, 0).data() for row in range(3)] == ["body.0", "body.1", "end"]
    qtbot.mouseClick(
        rows.table.viewport(), Qt.MouseButton.LeftButton, pos=rows.table.visualRect(rows.model.index(2, 0)).center()
    )
    assert not pane.head.used.down.isVisible()
    assert pane.session.selection.value == pane.shown_row().places[2].value


def test_an_object_leads_to_its_class_and_a_weight_to_the_line_that_sets_its_layer(legacy, shown, qtbot):
    pane = shown(SourcePane, legacy)
    qtbot.waitUntil(lambda: not legacy.jobs.busy)
    rows = pane._classes.rows
    relu = next(row for row in rows if row.qualname == "ReLU")
    legacy.select_value(relu.places[0].value, "test")
    assert pane.shown_row() is relu
    assert relu.places[0].name == "blocks.0.act"
    weight = next(tensor for tensor in legacy.document.tensors if tensor.name == "conv.conv.weight")
    legacy.select_tensor(weight, "test")
    assert pane.shown_row().name == "zoo.blocks.Stem"
    line = pane.text.linked_line
    assert pane.shown_text().text.split("\n")[line - 1].strip().startswith("self.conv = nn.Conv2d(")
    assert set(pane.commands()) >= {"go.class_source", "go.first_object", "edit.find"}
    with qtbot.waitSignal(pane.asks) as asked:
        pane.commands()["go.class_source"]()
    assert asked.args == ["pane.source"]


def test_the_first_object_is_selected_from_its_class(pane):
    pane.list.chosen.emit(1)
    pane.commands()["go.first_object"]()
    assert pane.session.selection.value == pane.shown_row().places[0].value


def test_names_not_found_are_underlined_and_told(pane, qtbot):
    pane.list.chosen.emit(1)
    qtbot.waitUntil(lambda: pane.foot.names.names.text() != "")
    assert pane.foot.names.names.text() == "F, nn"
    assert pane.foot.names.words.text() == "Names not found in the file:"
    assert underlined(pane.text) == [(1, "nn"), (3, "nn"), (6, "F")]
    pane.list.chosen.emit(0)
    qtbot.waitUntil(lambda: pane.foot.names.names.text() == "nn")
    assert underlined(pane.text) == [(1, "nn"), (3, "nn")]


def underlined(shown):
    found = []
    block = shown.document().begin()
    while block.isValid():
        pieces = [piece for piece in block.layout().formats() if piece.format.underlineStyle().value]
        line, text = block.blockNumber() + 1, block.text()
        found += [(line, text[piece.start : piece.start + piece.length]) for piece in pieces]
        block = block.next()
    return found


def test_python_2_is_said_instead_of_names(file_of, shown, qtbot):
    text = "class Old(nn.Module):\n    def forward(self, x):\n        print x\n"
    pane = shown(SourcePane, file_of(module(ModuleClass("old", "Old", "old.py", text))))
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)
    assert pane.foot.names.words.text() == "Python 2, from line 3 on: names were not looked for"


def test_hidden_characters_are_counted_and_walked(file_of, shown, qtbot):
    pane = shown(SourcePane, file_of(module(ModuleClass("bad", "Bad", "bad.py", HOSTILE))))
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)
    assert pane.foot.hidden.words.text() == "3 hidden characters"
    assert pane.text.toPlainText().split("\n")[1:4] == [
        "    a = 1\u2400",
        "    # <U+202E> reversed",
        "    b = '<U+200B>'",
    ]
    seen = []
    for _ in range(4):
        qtbot.mouseClick(pane.foot.hidden.link, Qt.MouseButton.LeftButton)
        seen.append(pane.text.linked_line)
    assert seen == [2, 3, 4, 2]
    (span,) = pane.session.selection.spans
    assert pane.session.source.read(span.start, span.length) == b"    a = 1\x00"


def test_a_class_with_two_texts_shows_each(file_of, shown, qtbot, tmp_path):
    first, second = (
        ModuleClass("zoo", "Stem", f"{name}.py", f"class Stem:\n    version = '{name}'\n") for name in "ab"
    )
    pane = shown(SourcePane, file_of([module(first), module(second), module(first)]))
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)
    assert column(pane, 2) == ["2 texts"]
    assert column(pane, 1) == ["3"]
    assert [pane.head.texts.itemText(at) for at in range(2)] == ["text 1 of 2", "text 2 of 2"]
    pane.head.texts.setCurrentIndex(1)
    pane.head.texts.activated.emit(1)
    assert "version = 'b'" in pane.text.toPlainText()
    assert pane.foot.file.text() == "b.py"
    assert pane.session.selection.code == 1
    pane.save_to(tmp_path / "b.py")
    assert (tmp_path / "b.py").read_bytes() == b"class Stem:\n    version = 'b'\n"
    pane.session.select_line(0, 2, "test")
    assert "version = 'a'" in pane.text.toPlainText()
    assert pane.text.linked_line == 2


def test_letters_are_found_counted_and_walked(pane, qtbot):
    pane.list.chosen.emit(0)
    pane.commands()["edit.find"]()
    bar = pane.body.bar
    assert bar.isVisible()
    bar.field.setText("stem")
    qtbot.waitUntil(lambda: bar.words.text() == "1 of 3")
    assert pane.text.textCursor().selectedText() == "Stem"
    seen = []
    for step in (1, 1, 1, -1):
        pane.body.step(step)
        seen.append((bar.words.text(), pane.text.here().line))
    assert seen == [("2 of 3", 3), ("3 of 3", 4), ("1 of 3", 3), ("3 of 3", 4)]
    bar.field.setText("nowhere")
    qtbot.waitUntil(lambda: bar.words.text() == "Not found")
    assert not bar.next.isEnabled()
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.isHidden()
    assert pane.text.extraSelections() == []


def test_a_line_that_is_clicked_selects_its_bytes(pane, qtbot):
    pane.list.chosen.emit(1)
    top = pane.text.top_of(6)
    qtbot.mouseClick(pane.text.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, top + 4))
    (span,) = pane.session.selection.spans
    assert pane.session.source.read(span.start, span.length) == b"        return F.relu(x)"
    assert pane.text.linked_line == 6


def test_saving_writes_the_stored_bytes(file_of, shown, tmp_path, qtbot):
    pane = shown(SourcePane, file_of(module(ModuleClass("bad", "Bad", "bad.py", HOSTILE))))
    target = tmp_path / "saved.py"
    with qtbot.waitSignal(pane.message) as told:
        pane.save_to(target)
    assert told.args[0] == "done"
    assert target.read_bytes() == HOSTILE.encode()
    with qtbot.waitSignal(pane.message) as told:
        pane.copy_source()
    assert told.args == ["done", "The text is on the clipboard", ""]
    assert QApplication.clipboard().text() == HOSTILE
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)


def test_a_text_is_never_saved_over_the_open_file(opened, shown, tmp_path, qtbot):
    copy = tmp_path / "model.pth"
    copy.write_bytes((SAMPLES / "whole_model_legacy.pth").read_bytes())
    before = copy.read_bytes()
    pane = shown(SourcePane, opened(copy))
    with qtbot.waitSignal(pane.message) as told:
        pane.save_to(copy)
    assert told.args[0] == "error"
    assert copy.read_bytes() == before
    assert list(tmp_path.iterdir()) == [copy]
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)


@pytest.mark.parametrize(
    ("name", "safe"), [("Outer.Inner", "Inner"), ("../../etc", "_etc"), ("a/b", "a_b"), ("", "source")]
)
def test_the_proposed_name_leads_nowhere(name, safe):
    assert file_name(name) == safe


def test_without_source_the_pane_says_why(adam, opened, shown, qtbot):
    pane = shown(SourcePane, adam)
    qtbot.waitUntil(lambda: not adam.jobs.busy)
    assert "A state_dict holds values only" in pane.empty.text()
    assert pane.pages.currentWidget() is pane.empty
    whole = opened(SAMPLES / "whole_model_zip.pt")
    pane = shown(SourcePane, whole)
    qtbot.waitUntil(lambda: not whole.jobs.busy)
    assert column(pane, 0)[0] == "Autoencoder shapes.model"
    assert column(pane, 2)[:2] == ["derived", ""]
    assert column(pane, 2)[2] == "no source"
    words = "<b>No source in this file</b><br>What follows is derived from the stored attributes. It cannot run."
    assert pane.body.banner.text() == words
    assert pane.body.banner.isVisible()
    assert "class Autoencoder(nn.Module):" in pane.text.toPlainText()
    assert pane.foot.save.isEnabled()
    pane.list.chosen.emit(1)
    assert pane.body.words.text().startswith("<b>No source in this file</b><br>The zip form stores no source.")
    assert not pane.body.banner.isVisible()
    assert not pane.foot.save.isEnabled()
    assert not pane.foot.files.isEnabled()
    assert pane.foot.kit.isEnabled()


def test_a_class_whose_source_was_not_at_hand_gets_a_derived_text(file_of, shown, qtbot):
    pane = shown(SourcePane, file_of(module(ModuleClass("__main__", "Net"))))
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)
    assert pane.body.banner.text().startswith("<b>No source in this file</b><br>What follows is derived")
    assert pane.head.box.currentText() == "__main__.Net"


def test_buttons_ask_for_the_forms(pane, qtbot):
    for button, action in ((pane.foot.files, "file.export_source"), (pane.foot.kit, "file.export_recovery")):
        with qtbot.waitSignal(pane.asks) as asked:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert asked.args == [action]


def test_the_list_stands_beside_where_there_is_room(pane, qtbot):
    pane.resize(800, 480)
    qtbot.waitUntil(pane.list.isVisible)
    pane.resize(500, 480)
    qtbot.waitUntil(lambda: not pane.list.isVisible())
    pane.head.box.showPopup()
    assert pane.head.down.isVisible()
    qtbot.keyClick(pane.head.down.inner.table, Qt.Key.Key_Down)
    qtbot.keyClick(pane.head.down.inner.table, Qt.Key.Key_Return)
    assert pane.shown_row().name == "zoo.blocks.Stem"
    assert not pane.head.down.isVisible()


def test_a_stored_path_is_one_line(file_of, shown, qtbot):
    pane = shown(SourcePane, file_of(module(ModuleClass("zoo", "Net", "../evil\n\u202e.py", NET))))
    assert pane.foot.file.text() == "../evil\\n\\u202e.py"
    qtbot.waitUntil(lambda: not pane.session.jobs.busy)
