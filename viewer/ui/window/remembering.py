"""What the program remembers of files, as the person asks for it: recent ones, how each was left; and forgetting it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from viewer.core.source import printable
from viewer.session.recent import RecentFile, missing
from viewer.ui.widgets.message_bar import Message
from viewer.ui.window.menus import Line

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.session.session import Session
    from viewer.ui.window.frame import Frame

KEY: Final = "forgetting"
LOOKING: Final = "missing files"


class Remembering(QObject):
    """Of one window."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window, self._work = window, window.workspace
        welcome = window.welcome
        welcome.pin_asked.connect(self.pin)
        welcome.find_asked.connect(self.find)
        welcome.forget_asked.connect(lambda path: self._work.recent.forget([path]))

    def handlers(self) -> dict[str, Callable[[], None]]:
        """What the commands of the menu do."""
        return {"file.pin": self._pin_current, "file.forget": self._ask_of_file, "file.forget_all": self._ask_of_all}

    # -- recent files -----------------------------------------------------------------------------

    def recent_lines(self) -> Sequence[Line]:
        """A line for each recent file."""
        recent = self._work.recent
        lines = [
            Line(self._name(file), partial(self._open, file.path), tooltip=printable(file.path))
            for file in recent.files
        ]
        can_be_cleared = any(not file.pinned for file in recent.files)
        return [*lines, Line(self.tr("Clear"), recent.clear)] if can_be_cleared else lines

    def pin_lines(self) -> Sequence[Line]:
        """A line for each, which pins it or does so no more."""
        return [
            Line(self._name(file), partial(self.pin, file.path), file.pinned, tooltip=printable(file.path))
            for file in self._work.recent.files
        ]

    def is_pinned(self) -> bool:
        """True when the file that is looked at is pinned."""
        session = self._work.current
        return session is not None and self._work.recent.known(session.path).pinned

    def pin(self, path: str) -> None:
        """Pin a file, or pin it no more."""
        recent = self._work.recent
        recent.pin(path, pinned=not recent.known(path).pinned)

    def look_for_files(self) -> None:
        """Find out which recent files are gone; off the GUI thread."""
        recent = self._work.recent
        files = recent.files

        def look(progress: Progress) -> list[str]:
            del progress
            return missing(files)

        if files:
            self._work.jobs.start(LOOKING, look, recent.set_gone)

    def find(self, path: str) -> None:
        """Let the person show where a file is that is gone; it is opened, and known as the one that it was."""
        title = self.tr("Find {name}").format(name=printable(Path(path).name))
        found, _ = QFileDialog.getOpenFileName(self._window, title, str(_nearest(Path(path))))
        if found:
            self._work.recent.move(path, found)
            self._work.open(found)

    def actions_on_missing(self, path: str) -> tuple[tuple[str, Callable[[], None]], ...]:
        """What can be done about a recent file that is gone; nothing about one that is none."""
        recent = self._work.recent
        if path not in [file.path for file in recent.files]:
            return ()
        recent.set_gone({*recent.gone, path})
        return (
            (self.tr("Find it…"), partial(self.find, path)),
            (self.tr("Remove from the list"), partial(recent.forget, [path])),
        )

    def _open(self, path: str) -> None:
        self._work.open(path)

    def _name(self, file: RecentFile) -> str:
        name = printable(Path(file.path).name)
        return self.tr("{name} (missing)").format(name=name) if file.path in self._work.recent.gone else name

    def _pin_current(self) -> None:
        session = self._work.current
        if session is not None:
            self.pin(str(session.path.absolute()))

    # -- forgetting -------------------------------------------------------------------------------

    def begin_anew(self, session: Session) -> None:
        """Show a file as one that was never open."""
        work, path = self._work, session.path
        if session in work.sessions:
            at = work.sessions.index(session)
            work.places.forget(path, work.identities[session])
            work.close(session)
            if work.open(path) is not None:
                self._window.tabs.moveTab(self._window.tabs.count() - 1, at)

    def _ask_of_file(self) -> None:
        session = self._work.current
        if session is None:
            return
        title = self.tr("Forget {name}?").format(name=printable(session.path.name))
        sentence = self.tr("How it was left, its bookmarks, that it was open, and the log of faults.")
        act = self.tr("Forget"), lambda: self._forget_file(session)
        self._window.say(Message("warning", title, sentence, (act,), KEY, session))

    def _forget_file(self, session: Session) -> None:
        if session in self._work.sessions:
            self._work.forget_file(session)
            self._window.say(Message("done", self.tr("The file is forgotten."), key=KEY, about=session))

    def _ask_of_all(self) -> None:
        title = self.tr("Forget all files?")
        sentence = self.tr(
            "How each was left, all bookmarks, the recent files with the pinned ones, and the log of faults."
        )
        self._window.say(Message("warning", title, sentence, ((self.tr("Forget"), self._forget_all),), KEY))

    def _forget_all(self) -> None:
        self._work.forget_all()
        self._window.say(Message("done", self.tr("All files are forgotten."), key=KEY))


def _nearest(path: Path) -> Path:
    """The folder of a file; of those above it the first that is there."""
    return next((folder for folder in path.parents if folder.is_dir()), Path.home())
