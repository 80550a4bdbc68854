"""What a window says of the files that were open the last time: they are back, wait for an answer, or are gone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from viewer.core.source import printable
from viewer.ui.widgets.message_bar import Message
from viewer.ui.words import count, joined, said

if TYPE_CHECKING:
    from viewer.session.open_lists import Left
    from viewer.session.reopening import Reopening
    from viewer.ui.window import MainWindow

REOPENED: Final = "reopened"
MISSED: Final = "missed"
NAMED: Final = 3
"""Files that a message names."""


class Reopened(QObject):
    """Of one window."""

    def __init__(self, window: MainWindow, reopening: Reopening) -> None:
        super().__init__(window)
        self._window, self._reopening = window, reopening
        reopening.missed.connect(self._say_missed)

    def bring_back(self, *, is_first: bool) -> None:
        """Open the files of the last time, where that is wished; ask first where they ended the program before.

        `is_first`: no other window of this screen takes second starts.
        """
        left = self._reopening.begin(is_first=is_first)
        if left is not None and left.tries:
            self._ask(left)
        elif left is not None:
            self._reopening.try_again(left)
            if not left.ended and self._window.workspace.sessions:
                title = QApplication.translate("Reopening", "The last time the program was not left as usual.")
                sentence = QApplication.translate("Reopening", "The files that were open then are open again.")
                self._window.say(Message("note", title, sentence, key=REOPENED))

    def follow(self, asked: Left | None) -> None:
        """Go on with the list of a window whose place this one takes. `asked`: what waited for an answer there."""
        self._reopening.follow()
        if asked is not None:
            self._reopening.asked = asked
            self._ask(asked)

    def hand_on(self) -> Left | None:
        """Another window takes the list over; gives what waits for an answer."""
        self._reopening.hand_on()
        return self._reopening.asked

    def offer_lost(self) -> None:
        """Another window was ended while this one runs: its files would wait for a start that finds no window."""
        left = self._reopening.lost()
        if left is None:
            return
        title = QApplication.translate("Reopening", "Another window was not left as usual.")
        sentence = QApplication.translate("Reopening", "It had these files open: {names}.")
        self._offer("note", title, sentence, left, self._reopening.take_lost, self._reopening.drop_lost)

    def _ask(self, left: Left) -> None:
        title = QApplication.translate(
            "Reopening", "The program ended soon after it opened the files of the last time."
        )
        sentence = QApplication.translate(
            "Reopening", "They were not opened again, as one of them may be the cause: {names}."
        )
        again = partial(self._reopening.try_again, left)
        self._offer("warning", title, sentence, left, again, self._reopening.leave_closed)

    def _offer(
        self,
        severity: str,
        title: str,
        sentence: str,
        left: Left,
        take: Callable[[], None],
        leave: Callable[[], None],
    ) -> None:
        """Who closes the bar has answered too."""
        actions = (
            (QApplication.translate("Reopening", "Open them"), take),
            (QApplication.translate("Reopening", "Leave them closed"), leave),
        )
        said = sentence.format(names=names_of(left.paths))
        self._window.say(Message(severity, title, said, actions, REOPENED, closed=leave))

    def _say_missed(self, paths: tuple[str, ...]) -> None:
        """Files are gone that were to come back: where each was stands in the list of recent files, to find it from."""
        if len(paths) == 1:
            title = QApplication.translate("Reopening", "{name} was open and is no longer there.")
            title = title.format(name=printable(Path(paths[0]).name))
            sentence = QApplication.translate("Reopening", "It was {path}. Show where it is now to have it as it was.")
            sentence = sentence.format(path=printable(paths[0]))
            actions = self._window.commands.remembering.actions_on_missing(paths[0])
        else:
            title = QApplication.translate("Reopening", "{0} files that were open are no longer there.")
            title = title.format(count(len(paths)))
            sentence = QApplication.translate(
                "Reopening", "They were: {names}. The list of recent files offers to find each."
            )
            sentence, actions = sentence.format(names=names_of(paths)), ()
        self._window.say(Message("warning", title, sentence, actions, MISSED))


def names_of(paths: Sequence[str]) -> str:
    """The first names of some files, and how many there are more."""
    names = joined(printable(Path(path).name) for path in paths[:NAMED])
    if len(paths) <= NAMED:
        return names
    from viewer.wording.phrases import PHRASES

    return said(PHRASES["more"], {"names": names, "count": len(paths) - NAMED})
