"""What each command of the table does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QTableView, QTreeView

from viewer.core.source import printable
from viewer.core.span import Span
from viewer.session.jobs import EXPORT
from viewer.session.settings import OPEN_FOLDER, TEXT_SIZE, THEME
from viewer.ui.actions import ACTIONS, Fact
from viewer.ui.panes.welcome import samples
from viewer.ui.widgets.message_bar import Message
from viewer.ui.window.asking import Asking
from viewer.ui.window.byte_menu import ByteMenu
from viewer.ui.window.comparing import Comparisons
from viewer.ui.window.exporting import Exports
from viewer.ui.window.helping import Helping
from viewer.ui.window.holding import facts_of, problems_with_place
from viewer.ui.window.layouts import Layout
from viewer.ui.window.menus import Line, Lines
from viewer.ui.window.readings import Readings
from viewer.ui.window.remembering import Remembering
from viewer.ui.window.speaking import language_lines

if TYPE_CHECKING:
    from viewer.session.selection import Selection
    from viewer.session.session import Session
    from viewer.ui.widgets.rows import RowTable, RowTree
    from viewer.ui.window.frame import Frame

TEXT_STEP: Final = 10


class Commands(QObject):
    """The handlers of one window."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window = window
        self._work = window.workspace
        self.exports = Exports(window)
        self.readings = Readings(window)
        self.comparisons = Comparisons(window)
        self._byte_menu = ByteMenu(window)
        self._asking = Asking(window)
        self.helping = Helping(window)
        self.remembering = Remembering(window)

    def handlers(self) -> Mapping[str, Callable[[], None]]:
        """A handler for each action of the table."""
        found: dict[str, Callable[[], None]] = {
            "file.open": self.open,
            "file.open_folder": self.open_folder,
            "file.close": self._close,
            "file.reload": self._reload_current,
            "file.copy_path": self._copy_path,
            "file.show_folder": self._show_folder,
            "file.quit": self._quit,
            "view.layout.reset": self._reset_layout,
            "view.text_larger": partial(self._scale_text, TEXT_STEP),
            "view.text_smaller": partial(self._scale_text, -TEXT_STEP),
            "view.text_normal": partial(self._work.settings.reset, TEXT_SIZE),
            "view.full_screen": self._full_screen,
            "go.back": self._back,
            "go.forward": self._forward,
            "go.offset": self._ask_offset,
            "go.first_byte": partial(self.go_to, 0),
            "go.last_byte": self._go_last,
            "go.next_problem": partial(self._walk_problems, 1),
            "go.previous_problem": partial(self._walk_problems, -1),
            "tensor.show_bytes": self._show_bytes,
            "tools.palette": self._palette,
            "tools.compare": self.comparisons.ask,
            "tools.copy_code": self._copy_loading_code,
            "tools.unpack_more": self.readings.unpack_more,
            "tools.stop": self._stop,
            "window.next_pane": partial(self._walk_panes, 1),
            "window.previous_pane": partial(self._walk_panes, -1),
            "window.next_tab": partial(self._walk_tabs, 1),
            "window.previous_tab": partial(self._walk_tabs, -1),
            "window.tab_left": partial(self._move_tab, -1),
            "window.tab_right": partial(self._move_tab, 1),
            "help.shortcuts": self._asking.shortcuts,
            "help.about": self._asking.about,
            "edit.preferences": self._asking.preferences,
        }
        found |= {f"view.layout.{layout}": partial(self._apply_layout, layout) for layout in Layout}
        found |= {f"view.theme.{name}": partial(self._choose_theme, name) for name in THEME.choices}
        asked_of_panes = {spec.id: partial(self._ask_panes, spec.id) for spec in ACTIONS if spec.needs is Fact.PANE}
        views = ("values", "histogram", "heat_map", "image", "channels")
        of_tensor = {f"tensor.show_{view}": partial(self._look_at_tensor, f"tensor.show_{view}") for view in views}
        own: dict[str, Callable[[], None]] = {
            "view.columns": self._ask_columns,
            **self.exports.handlers(),
            **self.helping.handlers(),
            **self.remembering.handlers(),
        }
        return {**found, **asked_of_panes, **of_tensor, **own}

    # -- what is on -------------------------------------------------------------------------------

    def facts(self) -> set[Fact]:
        """What holds now."""
        session = self._window.session
        if session is None:
            return {Fact.ALWAYS}
        tabs = {Fact.TABS} if len(self._work.sessions) > 1 else set()
        return {Fact.ALWAYS} | tabs | facts_of(session)

    def offered(self) -> set[str]:
        """What the window itself can do with what has the keyboard, by the id of the action."""
        return {"view.columns"} if self._columns() is not None else set()

    def choices(self) -> dict[str, bool]:
        """Which of the choices is on."""
        chosen = self._work.settings.get(THEME)
        found = {f"view.theme.{name}": name == chosen for name in THEME.choices}
        return found | {"view.full_screen": self._window.isFullScreen(), "file.pin": self.remembering.is_pinned()}

    def changing_menus(self) -> Mapping[str, tuple[str, Lines]]:
        """Submenus whose lines depend on what is open, by the action that they follow."""
        return {
            "file.open": (self.tr("Open recent"), self.remembering.recent_lines),
            "file.open_folder": (self.tr("Pin recent files"), self.remembering.pin_lines),
            "view.byte_look": (self.tr("Cells of bytes"), self._byte_menu.lines),
            "view.full_screen": (self.tr("Language"), partial(language_lines, self._work.settings)),
            "tools.palette": (self.tr("Byte order"), self.readings.order_lines),
            "tools.compare": (self.tr("Compare with"), self.comparisons.lines),
            "tools.unpack_more": (self.tr("Text of Python 2"), self.readings.encoding_lines),
            "window.previous_tab": (self.tr("Open files"), self._file_lines),
            "help.shortcuts": (self.tr("Samples"), self._sample_lines),
        }

    def _file_lines(self) -> Sequence[Line]:
        return [
            Line(printable(one.title), partial(self._work.activate, one), one is self._work.current)
            for one in self._work.sessions
        ]

    def _sample_lines(self) -> Sequence[Line]:
        return [Line(row.title, partial(self.open_path, row.target), tooltip=row.sentence) for row in samples()]

    # -- files ------------------------------------------------------------------------------------

    def open(self) -> None:
        """Let the person choose files."""
        self.open_in(Path(self._work.settings.get(OPEN_FOLDER) or Path.cwd()))

    def open_in(self, folder: Path) -> None:
        """Let the person choose files, beginning in a folder."""
        everything = self.tr("All files (*)")
        known = self.tr("Checkpoints ({0})").format("*.pt *.pth *.ckpt *.bin *.pkl *.pickle *.th *.npz *.npy *.tar")
        names, _ = QFileDialog.getOpenFileNames(
            self._window, self.tr("Open"), str(folder), f"{everything};;{known}", everything
        )
        if names:
            self._work.settings.set(OPEN_FOLDER, str(Path(names[0]).parent))
        self.open_paths(names)

    def open_folder(self) -> None:
        """Let the person choose the folder of a model in several files."""
        above = self._work.settings.get(OPEN_FOLDER) or str(Path.cwd())
        name = QFileDialog.getExistingDirectory(self._window, self.tr("Open the model in a folder"), above)
        if name:
            self._work.settings.set(OPEN_FOLDER, name)
            self.open_path(name)

    def open_path(self, path: str) -> None:
        """Open one file."""
        self._work.open(path)

    def open_paths(self, paths: Sequence[str]) -> None:
        """Open several files, each in its tab."""
        for path in paths:
            self._work.open(path)

    def source_taker(self) -> str:
        """The name of the checkpoint that is looked at, which takes .py files; "" where there is none."""
        session = self._window.session
        document = session.document if session is not None else None
        has_objects = document is not None and document.main_pickle is not None
        return printable(session.title) if session is not None and has_objects else ""

    def give_sources(self, paths: Sequence[str]) -> None:
        """Give .py files to the checkpoint that is looked at, and show what comes of it."""
        session = self._window.session
        if session is not None:
            self.show_pane("source")
            for path in paths:
                session.code.supply(Path(path), "source")

    def reload(self, session: Session) -> None:
        """Read a file anew, at the same place and in the same tab."""
        at = self._work.sessions.index(session)
        if self._work.reload(session) is not None:
            self._window.tabs.moveTab(self._window.tabs.count() - 1, at)

    def _close(self) -> None:
        if self._window.session is not None:
            self._work.close(self._window.session)

    def _reload_current(self) -> None:
        if self._window.session is not None:
            self.reload(self._window.session)

    def _copy_path(self) -> None:
        if self._window.session is not None:
            QGuiApplication.clipboard().setText(str(self._window.session.shown_path.absolute()))
            title = self.tr("The path is on the clipboard")
            self._window.say(Message("done", title, key="path copied", about=self._window.session))

    def _copy_loading_code(self) -> None:
        from viewer.ui.window.loading_code import copy_loading_code

        copy_loading_code(self._window)

    def _show_folder(self) -> None:
        if self._window.session is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._window.session.path.absolute().parent)))

    def _quit(self) -> None:
        self._window.close()

    # -- looking ----------------------------------------------------------------------------------

    def show_pane(self, key: str) -> None:
        """Bring a pane to the front, with the keyboard."""
        if self._window.view is not None:
            self._window.view.show_pane(key, focus=True)

    def toggle_pane(self, key: str) -> None:
        """Open a pane, or close it."""
        if self._window.view is not None:
            self._window.view.toggle_pane(key)

    def show_node(self, node: int | Selection | None) -> None:
        """Select a row of Contents, or another document of the file: a crumb was clicked."""
        session = self._window.session
        if session is not None and isinstance(node, int):
            session.select_node(node, "breadcrumb")
        elif session is not None and not (node is None or isinstance(node, int)):
            session.select_document(node.document, "breadcrumb")

    def go_to(self, offset: int) -> None:
        """Select one byte and show it."""
        session = self._window.session
        if session is not None:
            session.select_bytes((Span(offset, offset + 1),), "go to", session.selection.source)
            self.show_pane("hex")

    def return_to_bytes(self) -> None:
        """Give the keyboard back to the bytes."""
        self.show_pane("hex")

    def _go_last(self) -> None:
        size = self._size()
        if size:
            self.go_to(size - 1)

    def _size(self) -> int:
        session = self._window.session
        source = session.shown_source if session is not None else None
        return source.size if source is not None else 0

    def _ask_offset(self) -> None:
        session = self._window.session
        if session is not None:
            self._window.go_to.ask_in(session)

    def _back(self) -> None:
        if self._window.session is not None:
            self._window.session.back()

    def _forward(self) -> None:
        if self._window.session is not None:
            self._window.session.forward()

    def _walk_problems(self, step: int) -> None:
        session = self._window.session
        if session is None:
            return
        spans = [problem.span for problem in problems_with_place(session.document) if problem.span is not None]
        if not spans:
            return
        here = session.selection.span
        at = here.start if here is not None else -1
        if step > 0:
            meant = next((span for span in spans if span.start > at), spans[0])
        else:
            meant = next((span for span in reversed(spans) if span.start < at), spans[-1])
        session.select_bytes((meant,), "problems")

    def _show_bytes(self) -> None:
        session = self._window.session
        document = session.document if session is not None else None
        if session is None or document is None or session.selection.tensor is None:
            return
        session.select_tensor(document.tensors[session.selection.tensor], "menu")
        self.show_pane("hex")

    def _ask_panes(self, name: str) -> None:
        view = self._window.view
        act = view.commands().get(name) if view is not None else None
        if act is not None:
            act()

    def _look_at_tensor(self, name: str) -> None:
        self.show_pane("tensor")
        self._ask_panes(name)

    def _walk_panes(self, step: int) -> None:
        if self._window.view is not None:
            self._window.view.walk(step)

    def _walk_tabs(self, step: int) -> None:
        sessions = self._work.sessions
        if self._work.current is not None:
            at = sessions.index(self._work.current) + step
            self._work.activate(sessions[at % len(sessions)])

    def _move_tab(self, step: int) -> None:
        """The tab of the file that is looked at goes past its neighbour, as it would by dragging."""
        tabs = self._window.tabs
        at = tabs.currentIndex() + step
        if 0 <= at < tabs.count():
            tabs.moveTab(tabs.currentIndex(), at)

    def _apply_layout(self, layout: Layout) -> None:
        if self._window.view is not None:
            self._window.view.apply(layout)

    def _reset_layout(self) -> None:
        self._apply_layout(Layout.BYTES)

    # -- the program ------------------------------------------------------------------------------

    def _choose_theme(self, name: str) -> None:
        self._work.settings.set(THEME, name)

    def _scale_text(self, step: int) -> None:
        self._work.settings.set(TEXT_SIZE, self._work.settings.get(TEXT_SIZE) + step)

    def _full_screen(self) -> None:
        state = self._window.windowState()
        self._window.setWindowState(state ^ Qt.WindowState.WindowFullScreen)

    def stop_work(self, session: Session, key: str) -> None:
        """Stop one job of a file."""
        if key == EXPORT:
            self.exports.stop(session)
        else:
            session.cancel(key)

    def _stop(self) -> None:
        if self._window.view is not None:
            self._window.view.stop_work()

    def _ask_columns(self) -> None:
        table = self._columns()
        if table is not None:
            from viewer.ui.window.columns import ask

            ask(table)

    def _columns(self) -> RowTable | RowTree | None:
        view = self._window.view
        dock = view.active_dock() if view is not None else None
        about = dock.pane.focus_target() if dock is not None and dock.made else None
        near = [one for one in (QApplication.focusWidget(), about) if isinstance(one, QTableView | QTreeView)]
        if not near:
            return None
        from viewer.ui.window.columns import table_of

        return table_of(near)

    def _palette(self) -> None:
        self._window.commands_palette.ask(self._window.menus.entries())
