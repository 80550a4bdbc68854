"""The program with a voice: tells a test outside, in lines of JSON, what its panes show and where they stand.

`python -m tests.journeys.driven FILE...` starts the window as the command does. A line on its standard input is
answered with a place on the screen:

where byte 0x2A46                   of a byte in view
where dialog target                 of a field of the dialog on top, where it can be seen
where beside verify                 of the margin of what scrolls that field into view
where end Close                     of a button of the dialog on top
where button source Save as files   of a button of a pane
where row tensors fc.weight         of a row of a pane's table or tree, by its first column
where tab summary                   of a tab of the headers
where bar Open it                   of a button of the message bars
where edge tensors Type             of the right border of a title in a pane's table, which the mouse drags
where handle source                 of the first border in a pane that the mouse drags
where tour Next                     of a button of the tour
where status byte_order             of a field of the status line
where menu big-endian               of a line of the menu that is open
where zone Drop to compare          of what lies over the window in a drag, once that zone is the one that takes it
where keyboard Filter               of the field that has the keyboard, once it is that one
where field Filter tensors          of a field that can be seen, by its name
where file model.pt                 of the tab of a file

`tell` is answered with what the panes of the file that is looked at keep: filters by the name of their field, open rows
of Contents, the first byte that is selected, the panes in front and bookmarks by their first byte; and with the titles
of the message bars, those that stand there and all that ever did.
`sizes tensors` is answered with the widths of the columns and the parts of the splitters of a pane, and whether the
mouse holds something.


Nothing else of the program is touched: clicks and keys come from the X server.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPoint, QSocketNotifier, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QMenu,
    QScrollArea,
    QSplitter,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)
from typing_extensions import override

from viewer.session.session import Session
from viewer.ui import application
from viewer.ui.hexview.view import HexView
from viewer.ui.widgets.drop_overlay import DropOverlay
from viewer.ui.widgets.filter_bar import FilterBar
from viewer.ui.widgets.message_bar import Message
from viewer.ui.window import MainWindow
from viewer.ui.window.file_view import FileView


def say(event: str, **facts: Any) -> None:
    """One line for the test."""
    print(json.dumps({"event": event, **facts}), flush=True)


class Speaking(MainWindow):
    """The window, telling of each change after all panes have followed it."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._found: list[int] | None = None
        self._said: list[str] = []
        self._told = QTimer(self, singleShot=True, interval=0)
        self._told.timeout.connect(self._tell_place)
        self._asked = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self)
        self._asked.activated.connect(self._answer)
        self.workspace.added.connect(self._follow)

    @override
    def say(self, message: Message) -> None:
        self._said.append(message.title)
        super().say(message)

    def _follow(self, session: Session) -> None:
        session.source_ready.connect(lambda: say("bytes", file=session.path.name, size=session.source.size))
        session.document_changed.connect(lambda: self._decoded(session))
        session.selection_changed.connect(self._told.start)
        session.progressed.connect(lambda key, step: say("progress", key=key, ended=step is None))

    def _decoded(self, session: Session) -> None:
        if session.document is not None:
            QTimer.singleShot(0, lambda: say("decoded", file=session.path.name, tensors=len(session.document.tensors)))

    def _tell_place(self) -> None:
        session = self.session
        panes = self.view
        found = session.selection
        say(
            "selection",
            start=found.span.start if found.span is not None else None,
            element=found.element,
            line=found.line,
            contents=_current(panes.pane("contents").tree),
            opcode=_current(panes.pane("opcodes").view("tree").tree),
            tensor=panes.pane("tensor").name.text(),
            source_line=panes.pane("source").text.linked_line,
            bytes=str(panes.pane("hex").view.selected_span()),
            status=[label.text() for label in self.status.findChildren(QObject) if hasattr(label, "text")],
        )

    def _answer(self) -> None:
        words = sys.stdin.readline().split()
        if not words:
            self._asked.setEnabled(False)
            return
        if words[0] == "tell":
            bars = [message.title for message in self.bars.shown]
            say("told", bars=bars, said=self._said, **_standing(self.view) if self.view is not None else {"file": ""})
            return
        if words[0] == "sizes":
            say("sizes", **_sizes(self.view.pane(words[1])))
            return
        if words[1] == "byte":
            say("where", at=_of_byte(self.view.pane("hex").view, int(words[2], 0)))
        elif words[1] == "dialog":
            dialog = QApplication.activeModalWidget()
            field = getattr(dialog, words[2]) if dialog is not None else None
            at = _seen_centre(field) if field is not None and field.isEnabled() else None
            # A window manager may still be placing the dialog: it is told where it was found twice.
            before, self._found = self._found, at
            say("where", at=at if at == before else None)
        elif words[1] == "beside":
            dialog = QApplication.activeModalWidget()
            say("where", at=_beside(getattr(dialog, words[2])) if dialog is not None else None)
        elif words[1] == "file":
            say("where", at=_of_file(self.tabs, " ".join(words[2:])))
        elif words[1] == "end":
            dialog = QApplication.activeModalWidget()
            say("where", at=_of_button(dialog, " ".join(words[2:])) if dialog is not None else None)
        elif words[1] == "button":
            say("where", at=_of_button(self.view.pane(words[2]), " ".join(words[3:])))
        elif words[1] == "field":
            say("where", at=_of_field(self, " ".join(words[2:])))
        elif words[1] == "keyboard":
            say("where", at=_of_keyboard(" ".join(words[2:])))
        elif words[1] == "zone":
            say("where", at=_of_zone(self.findChild(DropOverlay), " ".join(words[2:])))
        elif words[1] == "bar":
            say("where", at=_of_button(self.bars, " ".join(words[2:])))
        elif words[1] == "edge":
            say("where", at=_of_edge(self.view.pane(words[2]), " ".join(words[3:])))
        elif words[1] == "handle":
            say("where", at=_of_handle(self.view.pane(words[2])))
        elif words[1] == "tour":
            say("where", at=_of_button(self.tour.card, " ".join(words[2:])) if self.tour.card is not None else None)
        elif words[1] == "status":
            field = getattr(self.status, words[2])
            say("where", at=_centre(field) if field.isVisible() else None)
        elif words[1] == "menu":
            say("where", at=_of_line(QApplication.activePopupWidget(), " ".join(words[2:])))
        elif words[1] == "row":
            say("where", at=_of_row(self.view.pane(words[2]), " ".join(words[3:])))
        elif words[1] == "tab":
            say("where", at=_of_tab(self.view, words[2]))

    @override
    def closeEvent(self, event: Any) -> None:
        super().closeEvent(event)
        say("closed")


def _current(view: Any) -> str:
    index = view.currentIndex()
    return str(index.siblingAtColumn(0).data()) if index.isValid() else ""


def _centre(widget: QWidget) -> list[int]:
    """The middle; of a box to tick its mark, for it hears no clicks behind its words."""
    middle = widget.rect().center()
    place = widget.mapToGlobal(QPoint(10, middle.y()) if isinstance(widget, QCheckBox) else middle)
    return [place.x(), place.y()]


def _seen_centre(field: QWidget) -> list[int] | None:
    """The same; None while it is scrolled out of view."""
    at = _centre(field)
    return at if field.visibleRegion().contains(field.mapFromGlobal(QPoint(*at))) else None


def _beside(field: QWidget) -> list[int] | None:
    """A place in the margin of the area that scrolls the field, where the wheel turns nothing else."""
    above = field.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    if above is None:
        return None
    place = above.mapToGlobal(QPoint(3, above.height() // 2))
    return [place.x(), place.y()]


def _of_file(tabs: QTabBar, name: str) -> list[int] | None:
    """A place on the tab of a file, away from the button that closes it."""
    rect = next((tabs.tabRect(at) for at in range(tabs.count()) if tabs.tabText(at) == name), None)
    if rect is None or not tabs.isVisible():
        return None
    place = tabs.mapToGlobal(QPoint(rect.left() + 24, rect.center().y()))
    return [place.x(), place.y()]


def _of_button(pane: QWidget, words: str) -> list[int] | None:
    """The middle of the button, or of the box, with these words in a pane."""
    kinds = (QAbstractButton, QComboBox)
    found = [one for kind in kinds for one in pane.findChildren(kind) if not one.visibleRegion().isEmpty()]
    names = [(one, (one.text() if isinstance(one, QAbstractButton) else "") or one.accessibleName()) for one in found]
    return next((_centre(one) for one, text in names if text.strip() == words), None)


def _of_line(menu: QWidget | None, words: str) -> list[int] | None:
    """The middle of the line with these words."""
    lines = menu.actions() if isinstance(menu, QMenu) else []
    line = next((one for one in lines if one.text() == words), None)
    if line is None:
        return None
    place = menu.mapToGlobal(menu.actionGeometry(line).center())
    return [place.x(), place.y()]


def _of_zone(overlay: DropOverlay | None, title: str) -> list[int] | None:
    """The middle of what lies over the window, while the zone under the mouse has that title."""
    is_it = overlay is not None and overlay.isVisible() and overlay.offer.title == title
    return _centre(overlay) if is_it else None


def _of_keyboard(name: str) -> list[int] | None:
    """The middle of the field that has the keyboard, when it has that name; one of Qt's dialogs has Qt's."""
    widget = QApplication.focusWidget()
    return _centre(widget) if widget is not None and name in (widget.accessibleName(), widget.objectName()) else None


def _of_field(window: QWidget, name: str) -> list[int] | None:
    """The middle of the field with that name."""
    fields = (one for one in window.findChildren(QLineEdit) if not one.visibleRegion().isEmpty())
    return next((_centre(one) for one in fields if one.accessibleName() == name), None)


def _standing(view: FileView) -> dict[str, Any]:
    """What a file's panes keep."""
    fields = (bar.field for bar in view.findChildren(FilterBar))
    span, tree = view.session.selection.span, view.pane("contents").tree
    return {
        "file": view.session.path.name,
        "filters": {field.accessibleName(): field.text() for field in fields if field.text()},
        "open": sorted(_open_rows(tree, tree.rootIndex())),
        "start": span.start if span is not None else None,
        "front": sorted(dock.key for dock in view.in_front()),
        "bookmarks": [mark.start for mark in view.session.bookmarks],
    }


def _open_rows(tree: QTreeView, above: QModelIndex) -> Iterator[str]:
    model = tree.model()
    for row in range(model.rowCount(above)):
        index = model.index(row, 0, above)
        if tree.isExpanded(index):
            yield str(index.data())
            yield from _open_rows(tree, index)


def _of_row(pane: QWidget, name: str) -> list[int] | None:
    """A place in the first column of the row that begins with this name, where it can be seen."""
    for view in pane.findChildren(QAbstractItemView):
        for y in range(5, view.viewport().height(), 10):
            at = QPoint(40, y)
            if str(view.indexAt(at).siblingAtColumn(0).data() or "").startswith(name):
                place = view.viewport().mapToGlobal(at)
                return [place.x(), place.y()]
    return None


def _heads(pane: QWidget) -> list[QHeaderView]:
    """The titles over the columns of a pane's tables and trees that can be seen."""
    heads = [view.horizontalHeader() for view in pane.findChildren(QTableView)]
    heads += [view.header() for view in pane.findChildren(QTreeView)]
    return [head for head in heads if not head.visibleRegion().isEmpty()]


def _splits(pane: QWidget) -> list[QSplitter]:
    return [
        one for one in pane.findChildren(QSplitter) if one.count() > 1 and not one.handle(1).visibleRegion().isEmpty()
    ]


def _sizes(pane: QWidget) -> dict[str, Any]:
    """How the pane is divided; `held`: the mouse still holds something."""
    columns = [[head.sectionSize(at) for at in range(head.count())] for head in _heads(pane)]
    held = QApplication.mouseButtons() != Qt.MouseButton.NoButton
    return {"columns": columns, "parts": [split.sizes() for split in _splits(pane)], "held": held}


def _of_edge(pane: QWidget, title: str) -> list[int] | None:
    """Where the mouse takes hold of the border behind a title."""
    for head in _heads(pane):
        for at in range(head.count()):
            if head.model().headerData(at, Qt.Orientation.Horizontal) == title:
                right = head.sectionViewportPosition(at) + head.sectionSize(at) - 2
                place = head.viewport().mapToGlobal(QPoint(right, head.height() // 2))
                return [place.x(), place.y()]
    return None


def _of_handle(pane: QWidget) -> list[int] | None:
    return next((_centre(split.handle(1)) for split in _splits(pane)), None)


def _of_tab(view: QWidget, key: str) -> list[int] | None:
    """The middle of a pane's tab in the header that can be seen."""
    title = view.docks[key].windowTitle()
    for dock in view.in_front():
        tabs = dock.header.tabs
        for at in range(tabs.count()):
            if tabs.tabText(at) == title:
                place = tabs.mapToGlobal(tabs.tabRect(at).center())
                return [place.x(), place.y()]
    return None


def _of_byte(view: HexView, offset: int) -> list[int] | None:
    """Where a byte in view stands on the screen, found as a mouse would find it."""
    viewport = view.viewport()
    for y in range(30, viewport.height(), 10):
        for x in range(60, viewport.width() // 2 + 120, 10):
            place = view.place_at(QPoint(x, y))
            if place is not None and place.offset == offset:
                found = viewport.mapToGlobal(QPoint(x, y))
                return [found.x(), found.y()]
    return None


if __name__ == "__main__":
    application.MainWindow = Speaking
    sys.exit(application.run(sys.argv[1:]))
