"""The program with a window: Qt set up, the theme kept in step with the system, second starts taken in."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFileOpenEvent, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QDialog
from typing_extensions import override

from viewer import __version__, resources
from viewer.core.memory import MIB, allow
from viewer.handing_over import server_name
from viewer.session.cycles import Cycles
from viewer.session.jobs import EXPORT, Jobs
from viewer.session.open_lists import OpenLists
from viewer.session.reopening import Reopening, known_now, open_now, open_on
from viewer.session.settings import (
    COLOURS,
    CONTRAST,
    MEMORY,
    MONO_FAMILY,
    MOTION,
    NAME,
    TEXT_SIZE,
    THEME,
    TORCH_PYTHON,
    Settings,
)
from viewer.session.workspace import Workspace
from viewer.torch_python import use_python
from viewer.ui import measures
from viewer.ui import theme as themes
from viewer.ui.faults import Faults, keep_log, stop_log
from viewer.ui.handover import Handed, Handover
from viewer.ui.language import Language
from viewer.ui.number_forms import NumberForms
from viewer.ui.reopened import Reopened
from viewer.ui.system_motion import SystemMotion
from viewer.ui.warming import FirstPicture, Warming
from viewer.ui.widgets.motion import allow_motion
from viewer.ui.window import MainWindow

if TYPE_CHECKING:
    from viewer.ui.theme import Theme
    from viewer.wording.numbers import Numbers

TITLE: Final = "Picklescope"
DESKTOP_FILE: Final = "io.github.picklescope.Picklescope"


class Application(QApplication):
    """Qt's application, which also hears of files that the system wants opened.

    file_asked: the system asks for a file (macOS).
        Signal(path: str)
    """

    file_asked = Signal(str)

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(list(arguments))
        self.setApplicationName(NAME)
        self.setApplicationDisplayName(TITLE)
        self.setOrganizationName(NAME)
        self.setApplicationVersion(__version__)
        self.setDesktopFileName(DESKTOP_FILE)
        self.setWindowIcon(QIcon(str(resources.folder("icons") / "picklescope.svg")))

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self.file_asked.emit(event.file())
            return True
        return super().event(event)


class Appearance(QObject):
    """The theme of the program: as the settings say, or as the system does, live.

    changed: another theme holds.
        Signal(theme: Theme)
    """

    changed = Signal(object)

    def __init__(self, app: QApplication, settings: Settings) -> None:
        super().__init__(app)
        self._app = app
        self._settings = settings
        self.theme = self._load()
        themes.apply(app, self.theme)
        self._reduced = False
        self._system_motion = SystemMotion(self)
        self._system_motion.told.connect(self._system_told)
        self._allow_motion()
        settings.changed.connect(self._setting_changed)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self.refresh)
        accessibility = getattr(hints, "accessibility", None)
        if accessibility is not None:
            accessibility().contrastPreferenceChanged.connect(self.refresh)

    def refresh(self) -> None:
        """Use what holds now."""
        theme = self._load()
        if _facts(theme) == _facts(self.theme):
            return
        self._take(theme)
        self.changed.emit(theme)

    def ask_system(self) -> None:
        """Ask what the start had no time for: whether the system wishes less motion."""
        self._system_motion.ask()

    def turn(self) -> None:
        """Another language may need other fonts and run the other way, and the style sheet with it."""
        self._take(self._load())

    def _take(self, theme: Theme) -> None:
        self.theme = theme
        themes.apply(self._app, theme)
        measures.follow(theme)

    def _load(self) -> Theme:
        chosen = self._settings.get(THEME)
        name = themes.system_theme_name() if chosen == "system" else chosen
        text_scale = self._settings.get(TEXT_SIZE) / 100
        distinct = self._settings.get(COLOURS) == "distinct"
        mono = self._settings.get(MONO_FAMILY)
        wish = self._settings.get(CONTRAST)
        strong = themes.system_wants_contrast() if wish == "system" else wish == "high"
        return themes.load_theme(name, text_scale=text_scale, mono=mono, distinct=distinct, strong=strong)

    def _setting_changed(self, key: str) -> None:
        if key in (THEME.key, COLOURS.key, CONTRAST.key, TEXT_SIZE.key, MONO_FAMILY.key):
            self.refresh()
        if key == MOTION.key:
            self._allow_motion()

    def _allow_motion(self) -> None:
        allow_motion(allowed=self._settings.get(MOTION) != "none" and not self._reduced)

    def _system_told(self, reduced: bool) -> None:
        self._reduced = reduced
        self._allow_motion()


def _facts(theme: Theme) -> tuple[object, ...]:
    """What makes a theme another one."""
    return theme.name, theme.distinct, theme.strong, theme.scale, theme.mono_family


class Running:
    """The files and the window. Made anew for another language or form of numbers: every word is another one then."""

    def __init__(self, app: Application, settings: Settings, appearance: Appearance, cycles: Cycles) -> None:
        self._app = app
        self.workspace = Workspace(settings)
        self.workspace.removed.connect(cycles.collect_soon)
        self.window = MainWindow(self.workspace, appearance.theme)
        self.reopened: Reopened | None = None
        self._faults = Faults(self.window)
        self._joins = [
            appearance.changed.connect(self.window.set_theme),
            app.file_asked.connect(self.workspace.open),
        ]

    def take(self, handed: Handed) -> None:
        """Open what another start was asked for, and come to the front with the leave that it was given."""
        self.workspace.open_targets(handed.targets)
        window = self.window
        if window.isMinimized():
            window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        if handed.token:
            # On Wayland only who holds a token may come to the front; Qt reads it when it asks.
            os.environ["XDG_ACTIVATION_TOKEN"] = handed.token
        window.raise_()
        window.activateWindow()
        os.environ.pop("XDG_ACTIVATION_TOKEN", None)
        if not window.isActiveWindow():
            QApplication.alert(window)

    def keep_open_files(self, lists: OpenLists) -> Reopened:
        """Who remembers which files are open in this window, so that they come back after a fault."""
        self.reopened = Reopened(self.window, Reopening(self.workspace, lists))
        return self.reopened

    def stop(self) -> None:
        """End all work and let everything go."""
        self.end()
        self.window.deleteLater()

    def end(self) -> None:
        """End all work. The window stays as it was painted last: what takes its place needs seconds for many files."""
        window = self.window
        for dialog in window.findChildren(QDialog):
            dialog.hide()
        # What was chosen from, a menu or the palette, goes from the picture.
        window.repaint()
        window.setUpdatesEnabled(False)
        window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        for join in self._joins:
            QObject.disconnect(join)
        self._faults.restore()
        self.workspace.close_all()


class Program(QObject):
    """What lives as long as the program: settings, theme, language, and the one `Running`."""

    def __init__(self, app: Application) -> None:
        super().__init__(app)
        self._app = app
        self.settings = Settings()
        self.language = Language(app, self.settings)
        self._numbers = NumberForms(self.settings, app)
        self._spoken = self._told()
        self._appearance = Appearance(app, self.settings)
        self._cycles = Cycles(app)
        follow_python(self.settings)
        follow_memory(self.settings)
        self.running = self._make()
        self._lists: OpenLists | None = None
        self._handover = Handover(app)
        self._handover.handed.connect(self._take)
        self._warming = Warming()
        # A dialog that chose the language is still on its way out of its own click.
        self.language.changed.connect(self._speak, Qt.ConnectionType.QueuedConnection)
        self._numbers.changed.connect(self._speak, Qt.ConnectionType.QueuedConnection)

    def start(self, name: str, arguments: Sequence[str]) -> None:
        """Listen for other starts, bring back what was open, open what was named, and show it.

        `name`: where this screen's program listens.
        """
        Jobs.hold()
        self._lists = OpenLists(self.settings, name)
        is_first = self._handover.begin(name)
        self.running.keep_open_files(self._lists).bring_back(is_first=is_first)
        # Opened before the window is shown, so that its first picture has the bytes already.
        self.running.workspace.open_targets(arguments)
        self.running.window.show()
        self.running.window.tour.greet()
        FirstPicture(self.running.window).drawn.connect(self._go_on)

    def _go_on(self) -> None:
        """The window is up: read the files that are open, and load behind that what later ones will need."""
        Jobs.let_go()
        self._appearance.ask_system()
        session = self.running.workspace.current
        if session is None or not session.jobs.busy:
            self._warming.begin()
        else:
            session.jobs.idle.connect(self._warming.begin)
            session.jobs.closed.connect(self._warming.begin)

    def stop(self) -> None:
        """The end."""
        self._warming.stop()
        Jobs.let_go()
        self._handover.close()
        self.running.stop()
        self._cycles.stop()

    def _make(self) -> Running:
        return Running(self._app, self.settings, self._appearance, self._cycles)

    def _take(self, handed: Handed) -> None:
        self.running.take(handed)
        if self.running.reopened is not None:
            self.running.reopened.offer_lost()

    def _told(self) -> tuple[str, Numbers]:
        """What makes all words and numbers of a window other ones."""
        return self.language.code, self._numbers.now

    def _speak(self) -> None:
        """Another language, or numbers in another form: the same files in a new window, at the same place."""
        from viewer.ui.dialogs.preferences import Preferences

        before = self.running
        # What was waited for may have been the end of the program.
        if self._spoken == self._told() or not before.window.isVisible():
            return
        writing = next((one for one in before.workspace.sessions if one.jobs.is_running(EXPORT)), None)
        if writing is not None:
            # A file that is half written would be lost with the window.
            for end in (writing.jobs.idle, writing.jobs.closed):
                end.connect(self._speak, Qt.ConnectionType.QueuedConnection)
            return
        self._spoken = self._told()
        left, known, geometry = open_now(before.workspace), known_now(before.workspace), before.window.saveGeometry()
        listed = [file.path for file in before.workspace.recent.files]
        preferences = before.window.findChild(Preferences)
        at = preferences.left() if preferences is not None else None
        toured = before.window.tour.at
        asked = before.reopened.hand_on() if before.reopened is not None else None
        # While no window counts Qt would take the program to be over.
        self._app.setQuitOnLastWindowClosed(False)
        before.end()
        self._appearance.turn()
        self.running = self._make()
        self.running.window.restoreGeometry(geometry)
        if self._lists is not None:
            self.running.keep_open_files(self._lists).follow(asked)
        open_on(self.running.workspace, left, known, listed)
        self.running.window.show()
        FirstPicture(self.running.window).drawn.connect(before.window.deleteLater)
        if toured is not None:
            self.running.window.tour.show(toured)
        if at is not None:
            self.running.window.actions_by_id["edit.preferences"].trigger()
            for asked_anew in self.running.window.findChildren(Preferences):
                asked_anew.come_back(at)
        self._app.setQuitOnLastWindowClosed(True)


def follow_python(settings: Settings) -> None:
    """Have torch asked by the Python that the person named, from now on."""

    def use(key: str) -> None:
        if key == TORCH_PYTHON.key:
            use_python(settings.get(TORCH_PYTHON))

    settings.changed.connect(use)
    use(TORCH_PYTHON.key)


def follow_memory(settings: Settings) -> None:
    """Allow as much memory as the person wants, from now on."""

    def use(key: str) -> None:
        if key == MEMORY.key:
            allow(settings.get(MEMORY) * MIB)

    settings.changed.connect(use)
    use(MEMORY.key)


def end_at_once() -> None:
    """Leave what is destroyed at the end of the process to the system, where the library of C can be told so.

    Xlib ends the process where the screen is gone, also in the middle of a call from Python. Qt then waits for its
    threads, which may wait for Python; and its bindings destroy objects that Python still uses, and may turn in that
    for good. Either is a program without a window that stays.

    What was asked for last comes first at the end, and Qt makes its threads when it first needs them: called again
    behind each step that may have made one.
    """
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    library = ctypes.CDLL(None)
    on_exit = getattr(library, "on_exit", None)  # of glibc; hands the code of the end over
    if on_exit is not None:
        on_exit(library["_exit"], None)


def run(arguments: Sequence[str]) -> int:
    """Open the files named, by their arguments without the program's name; gives the exit code."""
    end_at_once()
    app = Application([TITLE])
    kept_log = keep_log()
    program = Program(app)
    end_at_once()
    program.start(server_name(), arguments)
    end_at_once()
    code = app.exec()
    program.stop()
    stop_log(kept_log)
    return code
