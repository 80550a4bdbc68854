"""The program with a voice: tells a test outside, in lines of JSON, what its panes show and where they stand.

`python -m tests.journeys.driven FILE...` starts the window as the command does. A line `where byte 0x2A46` on its
standard input is answered with the place on the screen; `where dialog target` with that of a field of the
dialog on top. Nothing else of the program is touched: clicks and keys come from the X server.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from PySide6.QtCore import QObject, QPoint, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from viewer.session.session import Session
from viewer.ui import application
from viewer.ui.hexview.view import HexView
from viewer.ui.window import MainWindow


def say(event: str, **facts: Any) -> None:
    """One line for the test."""
    print(json.dumps({"event": event, **facts}), flush=True)


class Speaking(MainWindow):
    """The window, telling of each change after all panes have followed it."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._told = QTimer(self, singleShot=True, interval=0)
        self._told.timeout.connect(self._tell_place)
        self._asked = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self)
        self._asked.activated.connect(self._answer)
        self.workspace.added.connect(self._follow)

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
            opcode=_current(panes.pane("opcodes").tree),
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
        if words[1] == "byte":
            say("where", at=_of_byte(self.view.pane("hex").view, int(words[2], 0)))
        elif words[1] == "dialog":
            dialog = QApplication.activeModalWidget()
            say("where", at=_centre(getattr(dialog, words[2])) if dialog is not None else None)

    @override
    def closeEvent(self, event: Any) -> None:
        super().closeEvent(event)
        say("closed")


def _current(view: Any) -> str:
    index = view.currentIndex()
    return str(index.siblingAtColumn(0).data()) if index.isValid() else ""


def _centre(widget: QWidget) -> list[int]:
    place = widget.mapToGlobal(widget.rect().center())
    return [place.x(), place.y()]


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
