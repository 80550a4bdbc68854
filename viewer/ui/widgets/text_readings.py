"""Texts read in a thread for what there is to know of them; the latest one wins, and what was read is kept."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from viewer.core.progress import Progress
from viewer.session.jobs import Jobs
from viewer.ui.widgets.code_reading import Reading, read_text

READING_JOB: Final = "source reading"
MOST_READINGS: Final = 32


class TextReadings(QObject):
    """The readings of one pane.

    read: what is known of the text that was asked for last: an empty Reading at once where it is new.
        Signal(reading: Reading)
    """

    read = Signal(object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._known: dict[tuple[str, frozenset[str]], Reading] = {}
        self._wanted = "", frozenset[str]()

    def forget(self) -> None:
        """Other texts will come."""
        self._jobs.cancel(READING_JOB)
        self._known.clear()

    def ask(self, text: str, given: frozenset[str]) -> None:
        """Read a text; `given`: names that other texts give. "" for no text."""
        self._wanted = text, given
        self._jobs.cancel(READING_JOB)
        known = self._known.get(self._wanted)
        self.read.emit(known or Reading())
        if known is not None or not text:
            return

        def work(progress: Progress) -> Reading:
            return read_text(text, given, progress)

        self._jobs.start(READING_JOB, work, self._was_read)

    def _was_read(self, reading: Reading) -> None:
        if len(self._known) >= MOST_READINGS:
            self._known.clear()
        self._known[self._wanted] = reading
        self.read.emit(reading)
