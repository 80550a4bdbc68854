"""Comparisons of a window: with a file that is chosen or dropped, with another tab, with another branch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from viewer.core.source import printable
from viewer.ui.window.layouts import Layout
from viewer.ui.window.menus import Line

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.window.frame import Frame

COMPARE: Final = "compare"


class Comparisons(QObject):
    """The comparisons of one window."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window, self._work = window, window.workspace

    def ask(self) -> None:
        """Let the person choose a file, and compare with it."""
        session = self._window.session
        if session is None:
            return
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Compare with"), str(session.path.parent))
        if name:
            self.with_file(name)

    def with_file(self, path: str) -> None:
        """Compare the file that is looked at with one that is opened in a tab beside it."""
        session = self._window.session
        if session is None:
            return
        other = self._work.open(path)
        if other is not None:
            self.start(session, other)

    def partner(self) -> str:
        """The name of the file that others can be compared with; "" where none is open and read."""
        session = self._window.session
        return printable(session.title) if session is not None and session.root is not None else ""

    def files(self, paths: Sequence[str]) -> None:
        """Compare one file with the one that is looked at; the first two of several with each other."""
        if len(paths) == 1:
            self.with_file(paths[0])
        elif paths and self._work.open(paths[0]) is not None:
            self.with_file(paths[1])

    def start(self, session: Session, other: Session) -> None:
        """Compare two tabs, or a file with a branch of itself, in the tab of the first."""
        from viewer.ui.panes.compare import ComparePane

        if not {session, other} <= set(self._work.sessions):
            # One of them ended while the menu that offered it was open.
            return
        self._work.activate(session)
        view = self._window.views.get(session)
        pane = view.pane(COMPARE) if view is not None else None
        if view is not None and isinstance(pane, ComparePane):
            # A layout that a person made is left alone.
            if not view.arranged:
                view.apply(Layout.COMPARE)
            view.show_pane(COMPARE, focus=True)
            pane.compare_with(other)

    def lines(self) -> Sequence[Line]:
        """What the file that is looked at can be compared with, beside a file that is chosen."""
        session = self._window.session
        if session is None or session.root is None:
            return []
        others = [one for one in self._work.sessions if one is not session]
        found = [Line(printable(one.title), partial(self.start, session, one)) for one in others]
        return [*found, Line(self.tr("Another branch of this file"), partial(self.start, session, session))]
