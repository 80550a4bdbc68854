"""The program with a file, told in its own menu to speak other languages; prints what was on the screen each time.

`python -m tests.ui.language_child SERVER FILE CODE...`: a JSON list, one object for each code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QPushButton, QTableView, QTreeView

from viewer.session.settings import LANGUAGE, MEMORY
from viewer.ui.application import Application, Program
from viewer.ui.dialogs.preferences import Preferences
from viewer.ui.models.cells import CELL_ROLE, Cell
from viewer.ui.models.table_model import RowsModel
from viewer.ui.panes.hex import HexPane
from viewer.ui.panes.opcodes import OpcodesPane
from viewer.ui.panes.source import SourcePane
from viewer.ui.panes.tensors import TensorsPane
from viewer.ui.widgets.rows import RowTree
from viewer.ui.window import MainWindow
from viewer.ui.window.file_view import FileView

TENSOR = 3


class Walk:
    """Speaks one language after the other and notes what is seen, when all of it is there."""

    def __init__(self, program: Program, codes: Sequence[str]) -> None:
        self.program = program
        self.codes = list(codes)
        self.seen: list[dict[str, Any]] = []
        self.before: MainWindow | None = None
        self.asked = False
        self.timer = QTimer(interval=30)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def look(self) -> None:
        """Wait for a whole window that rests; then note, and choose the next language in its menu."""
        window = self.program.running.window
        view, session = window.view, window.session
        if window is self.before or view is None or session is None or not view.complete or session.jobs.busy:
            return
        if not self.asked and session.document is not None:
            self.asked = True
            session.select_tensor(session.document.tensors[TENSOR], "test")
            window.actions_by_id["edit.preferences"].trigger()
            (dialog,) = window.findChildren(Preferences)
            dialog.fields[MEMORY.key].setFocus()
            dialog.area.ensureWidgetVisible(dialog.fields[MEMORY.key])
            return
        self.seen.append(note(window, view))
        self.before = window
        if not self.codes:
            self.timer.stop()
            window.close()
            return
        language_action(window, self.codes.pop(0)).trigger()


def language_action(window: MainWindow, code: str) -> QAction:
    """The line of a language, as the menu and the palette have it."""
    name = LANGUAGE.words[LANGUAGE.choices.index(code)]
    (entry,) = [entry for entry in window.menus.entries() if entry.title == name]
    return entry.action


def note(window: MainWindow, view: FileView) -> dict[str, Any]:
    """What is on the screen: words that speak a language, and what of the file stays as it is."""
    (dialog,) = window.findChildren(Preferences)
    source, tensors = view.pane("source"), view.pane("tensors")
    assert isinstance(source, SourcePane)
    assert isinstance(tensors, TensorsPane)
    assert view.session.selection.span is not None
    return {
        "asked": QCoreApplication.translate("actions", "&File"),
        "menus": [action.text() for action in window.menuBar().actions()],
        "panes": [dock.windowTitle() for dock in view.docks.values()],
        "heads": {key: heads for key, dock in view.docks.items() if (heads := heads_of(dock))},
        "dialog": [dialog.windowTitle(), *(button.text() for button in dialog.findChildren(QPushButton))],
        "shown": dialog.isVisible() and not dialog.fields[MEMORY.key].visibleRegion().isEmpty(),
        "field": dialog.left().field,
        "bytes": bytes_of(view),
        "opcodes": opcodes_of(view),
        "code": source.text.toPlainText(),
        "tensors": cells_of(tensors.table),
        "span": [view.session.selection.span.start, view.session.selection.span.stop],
        "fonts": window.theme.text().families(),
    }


def heads_of(dock: Any) -> list[str]:
    """Titles of all columns of all tables and trees."""
    views = [*dock.findChildren(QTableView), *dock.findChildren(QTreeView)]
    models = [view.model() for view in views if view.model() is not None]
    across = Qt.Orientation.Horizontal
    return [str(model.headerData(at, across) or "") for model in models for at in range(model.columnCount())]


def cells_of(table: QTableView) -> list[list[str]]:
    """Name, dtype and shape of each row."""
    model = table.model()
    assert isinstance(model, RowsModel)
    return [[str(model.cell(row, column).text) for column in range(3)] for row in range(model.rowCount())]


def bytes_of(view: FileView) -> str:
    """The selected bytes as they are copied."""
    pane = view.pane("hex")
    assert isinstance(pane, HexPane)
    pane.view.copy_hex()
    return QGuiApplication.clipboard().text()


def opcodes_of(view: FileView) -> list[str]:
    """The rows of the main pickle as they are shown: opcodes and offsets."""
    pane = view.pane("opcodes")
    assert isinstance(pane, OpcodesPane)
    (tree,) = pane.findChildren(RowTree)
    model = tree.model()
    found = []
    for row in range(model.rowCount()):
        above = model.index(row, 0)
        for at in range(model.rowCount(above)):
            cells = [model.index(at, column, above).data(CELL_ROLE) for column in range(2)]
            found += [cell.text.split(" ")[0] for cell in cells if isinstance(cell, Cell)]
    return found


def main(server: str, file: str, codes: Sequence[str]) -> int:
    """Run the program once through all languages."""
    app = Application(["Picklescope"])
    program = Program(app)
    program.settings.set(LANGUAGE, "en")
    program.start(server, [file])
    walk = Walk(program, codes)
    code = app.exec()
    program.stop()
    sys.stdout.write(json.dumps(walk.seen))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
