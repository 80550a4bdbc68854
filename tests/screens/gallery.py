"""Every screen of the window, one after the other: panes with their views, bars, help, dialogs, menus, the tour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget

from tests.shared import ROOT
from viewer.core.export import EXPORTERS
from viewer.session.session import Session
from viewer.ui.help import PAGES
from viewer.ui.widgets.segments import Segments
from viewer.ui.window import MainWindow
from viewer.ui.window.file_view import FileView
from viewer.ui.window.layouts import Layout

SAMPLES: Final = ROOT / "resources" / "samples"
POPUP: Final = Qt.WindowType.Popup
Screen = tuple[str, QWidget]
FOREIGN: Final = {
    "empty.pt": b"",
    "page.pth": b"<!DOCTYPE html><html><body>404</body></html>",
    "notes.pt": b"just a note\n" * 40,
    "pointer.bin": b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"ab" * 32 + b"\nsize 438007537\n",
    "zeros.pt": bytes(5000),
}
"""Files that are no checkpoints."""


class Gallery:
    """Walks a window. `wait`: lets the program live until something is so. `folder`: for files that are made."""

    def __init__(self, window: MainWindow, wait: Callable[[Callable[[], bool]], None], folder: Path) -> None:
        self.window = window
        self._wait = wait
        self._folder = folder

    def screens(self) -> Iterator[Screen]:
        """All of them, each as it is to be looked at: name and widget."""
        yield from self._empty()
        yield from self._panes()
        yield from self._compare()
        yield from self._tensor()
        yield from self._bytes()
        yield from self._help()
        yield from self._dialogs()
        yield from self._menus()
        yield from self._files()

    def settle(self) -> None:
        """Until nothing is worked on, laid out or put off any more."""
        window = self.window
        for _ in range(4):
            # What was shown and hidden last asks its layout, that the one around it, and so on.
            QCoreApplication.sendPostedEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            self._wait(lambda: not any(session.jobs.busy for session in window.workspace.sessions))
            self._wait(lambda: window.view is None or window.view.complete)
            self._wait(lambda: not window._soon.isActive())
            self._wait(lambda: window.view is None or not window.view._later.isActive())

    def open(self, path: Path) -> Session:
        """A file, decoded, with the default layout."""
        session = self.window.workspace.open(path)
        assert session is not None
        self._wait(lambda: session.document is not None and not session.jobs.busy)
        self.settle()
        return session

    # -- the screens ------------------------------------------------------------------------------

    def _empty(self) -> Iterator[Screen]:
        self.settle()
        yield "welcome", self.window
        yield from self._tour("welcome")

    def _tour(self, where: str) -> Iterator[Screen]:
        for step in range(3):
            self.window.tour.show(step)
            self.settle()
            yield f"tour_{where}_{step + 1}", self.window
        self.window.tour.leave()

    def _panes(self) -> Iterator[Screen]:
        self.open(SAMPLES / "whole_model_legacy.pth")
        yield "opened_legacy", self.window
        yield from self._tour("opened")
        self.settle()
        session = self.open(SAMPLES / "checkpoint_adam.pt")
        yield "opened_adam", self.window
        document = session.document
        assert document is not None
        session.select_tensor(document.tensors[0], "test", (0, 0))
        self.settle()
        for key in self._view.docks:
            self._view.show_pane(key, focus=True)
            self.settle()
            yield f"pane_{key}", self.window
            yield from self._ways(key)
        for layout in Layout:
            self._view.apply(layout)
            self.settle()
            yield f"layout_{layout.value}", self.window
        self._view.apply(Layout.BYTES)
        self.settle()

    def _ways(self, key: str) -> Iterator[Screen]:
        """The ways to look at a pane that has a switch."""
        pane = self._view.docks[key].pane
        for name in ("switch", "ways", "kinds", "by"):
            switch = getattr(pane, name, None)
            if not isinstance(switch, Segments) or key in ("tensor", "compare"):
                continue
            for way in switch._keys:
                switch.choose(way)
                self.settle()
                yield f"pane_{key}_{way}", self.window
            switch.choose(switch._keys[0])

    def _compare(self) -> Iterator[Screen]:
        work = self.window.workspace
        a = self.open(SAMPLES / "whole_model_legacy.pth")
        b = self.open(SAMPLES / "whole_model_zip.pt")
        work.activate(a)
        self.settle()
        self.window.commands.comparisons.start(a, b)
        self.settle()
        self._view.apply(Layout.COMPARE)
        self.settle()
        pane = self._view.docks["compare"].pane
        pane.names.setChecked(True)
        self.settle()
        yield "compare_rules", self.window
        pane.names.setChecked(False)
        for view in ("tensors", "values", "classes"):
            pane.switch.choose(view)
            self.settle()
            if view == "tensors":
                pane.tensors.table.selectRow(0)
                self.settle()
            yield f"compare_{view}", self.window
        self._view.apply(Layout.BYTES)

    def _tensor(self) -> Iterator[Screen]:
        from tests.screens.test_tensor_views import ELEMENTS, tensor_file

        session = self.open(tensor_file(self._folder))
        document = session.document
        assert document is not None
        self._view.show_pane("tensor", focus=True)
        for tensor in document.tensors:
            if tensor.name not in ELEMENTS:
                continue
            session.select_tensor(tensor, "test", ELEMENTS[tensor.name])
            self.settle()
            pane = self._view.docks["tensor"].pane
            for view in pane.arrangement.views:
                if pane.arrangement.can_show(view.key):
                    pane.arrangement.show_view(view.key)
                    self.settle()
                    yield f"tensor_{tensor.name}_{view.key}", self.window
        self._view.apply(Layout.TENSORS)
        self.settle()
        yield "tensor_large", self.window
        self._view.apply(Layout.BYTES)
        self.settle()

    def _bytes(self) -> Iterator[Screen]:
        self.open(SAMPLES / "whole_model_legacy.pth")
        self._view.show_pane("hex", focus=True)
        self.settle()
        for name in ("edit.find", "edit.strings", "edit.bookmark", "edit.byte_facts", "view.byte_look"):
            action = self.window.actions_by_id[name]
            before = set(popups())
            action.trigger()
            self.settle()
            yield f"bytes_{name.partition('.')[2]}", self.window
            for menu in set(popups()) - before:
                yield f"bytes_{name.partition('.')[2]}_popup", menu
                menu.close()
        self.window.actions_by_id["go.offset"].trigger()
        self.settle()
        yield "go_to", self.window
        self.window.go_to.setVisible(False)
        self.window.actions_by_id["tools.palette"].trigger()
        self.settle()
        yield "palette", self.window
        self.window.commands_palette.hide()
        self.window.toolbar.search.setText("weight")
        self.settle()
        self._view.show_pane("search", focus=True)
        self.settle()
        yield "search", self.window

    def _help(self) -> Iterator[Screen]:
        for page in PAGES:
            self.window.help.open(page.key)
            self.settle()
            yield f"help_{page.key}", self.window
        self.window.help.leave()

    def _dialogs(self) -> Iterator[Screen]:
        session = self.open(SAMPLES / "checkpoint_adam.pt")
        for exporter in EXPORTERS:
            self.window.commands.exports.ask(exporter.form)
            dialog = self._dialog()
            self._wait(lambda: not session.jobs.busy)
            self.settle()
            yield f"export_{exporter.form}", dialog
            dialog.reject()
            self.settle()
        for name in ("edit.preferences", "help.shortcuts", "help.about"):
            self.window.actions_by_id[name].trigger()
            self.settle()
            dialog = self._dialog()
            yield name.partition(".")[2], dialog
            if name == "edit.preferences":
                bar = dialog.area.verticalScrollBar()
                page = 1
                while bar.value() < bar.maximum():
                    bar.setValue(bar.value() + bar.pageStep())
                    self.settle()
                    page += 1
                    yield f"preferences_{page}", dialog
            dialog.reject()
            self.settle()

    def _menus(self) -> Iterator[Screen]:
        for action in self.window.menuBar().actions():
            menu = action.menu()
            if isinstance(menu, QMenu):
                menu.aboutToShow.emit()
                menu.ensurePolished()
                menu.resize(menu.sizeHint())
                yield f"menu_{menu.title().replace('&', '')}", menu

    def _files(self) -> Iterator[Screen]:
        """Damaged, dangerous, empty and foreign ones."""
        for name, data in FOREIGN.items():
            (self._folder / name).write_bytes(data)
        files = [SAMPLES / "half_download.pth", SAMPLES / "runs_a_command.pkl", SAMPLES / "shared_and_strided.pt"]
        for path in (*files, *(self._folder / name for name in FOREIGN)):
            self.open(path)
            yield f"file_{path.stem}", self.window
            for key in ("summary", "problems", "imports"):
                self._view.show_pane(key)
                self.settle()
                yield f"file_{path.stem}_{key}", self.window

    # -- small ------------------------------------------------------------------------------------

    @property
    def _view(self) -> FileView:
        view = self.window.view
        assert view is not None
        return view

    def _dialog(self) -> QDialog:
        def shown() -> list[QDialog]:
            return [one for one in self.window.findChildren(QDialog) if one.isVisible()]

        self._wait(lambda: bool(shown()))
        return shown()[-1]


def popups() -> list[QWidget]:
    """The menus and panels that lie over the window now."""
    return [one for one in QApplication.topLevelWidgets() if one.isVisible() and one.windowType() == POPUP]
