"""Joins the box of the toolbar to the search of the file that is looked at, and to the dock of its hits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt

from viewer.ui.words import said

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.panes.search import SearchPane
    from viewer.ui.widgets.search_box import SearchBox
    from viewer.ui.window.frame import Frame

RESULTS: Final = "search"


class Searching(QObject):
    """The search of one window."""

    def __init__(self, window: Frame, box: SearchBox) -> None:
        super().__init__(window)
        self._window, self._box = window, box
        box.wanted.connect(self._look)
        box.stepped.connect(self._step)
        box.entered.connect(self._enter)

    def follow(self, session: Session) -> None:
        """Another file was opened."""
        session.search.began.connect(lambda: self._begun(session))

    def look_at(self, session: Session | None) -> None:
        """Another file is looked at: the box holds what that was searched for."""
        self._box.show_text(session.search.text if session is not None else "")
        if session is not None:
            self._tell(session)

    def ask(self) -> None:
        """Give the box the keyboard; what it holds is selected, so that typing replaces it."""
        self._box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._box.selectAll()

    def _begun(self, session: Session) -> None:
        """By this box, or by what was looked for the last time: the box shows it, unless somebody types."""
        if session is self._window.session and not self._box.hasFocus() and self._box.text() != session.search.text:
            self._box.show_text(session.search.text)
        self._tell(session)

    def _tell(self, session: Session) -> None:
        from viewer.wording.search import FAULTS

        if session is self._window.session:
            fault = session.search.fault
            self._box.show_fault(said(FAULTS[fault.code], fault.params) if fault is not None else "")

    def _look(self, text: str) -> None:
        session, view = self._window.session, self._window.view
        if session is None or view is None:
            return
        search = session.search
        search.look(text, match_case=search.match_case, expression=search.expression)
        if text:
            view.show_pane(RESULTS)

    def _pane(self) -> SearchPane | None:
        from viewer.ui.panes.search import SearchPane

        view = self._window.view
        pane = view.pane(RESULTS) if view is not None else None
        return pane if isinstance(pane, SearchPane) else None

    def _step(self, step: int) -> None:
        pane = self._pane()
        if pane is not None and self._box.text():
            pane.step(step)

    def _enter(self) -> None:
        pane, view = self._pane(), self._window.view
        if pane is not None and view is not None:
            view.show_pane(RESULTS)
            pane.enter()
