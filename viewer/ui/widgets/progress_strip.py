"""Progress of long work: a line of words, a bar, a way to stop. Work under 200 ms shows nothing at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.progress import Pace, Step, how_far
from viewer.ui.theme import Theme, paint_bar
from viewer.ui.widgets.labels import IconButton
from viewer.ui.words import count, said, size
from viewer.wording.steps import STEPS

APPEAR_MS: Final = 200
REFRESH_MS: Final = 250
WHOLE: Final = 1000


@dataclass(slots=True)
class Work:
    """One piece of work: its latest step, and how fast it goes."""

    step: Step
    pace: Pace


class ProgressStrip(QWidget):
    """Shows the newest of the works that run.

    stopped: the person wants this work to end.
        Signal(key: str)
    """

    stopped = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = clock
        self._works: dict[str, Work] = {}
        self._what = QLabel()
        self._how_far = QLabel()
        self._how_far.setProperty("muted", True)
        self._stop = IconButton(theme, "close", self.tr("Stop"))
        self._stop.clicked.connect(self.stop)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, WHOLE)
        self._appear = QTimer(self, singleShot=True, interval=APPEAR_MS)
        self._appear.timeout.connect(self._show)
        self._refresh = QTimer(self, interval=REFRESH_MS)
        self._refresh.timeout.connect(self._tell)
        self._lay_out()
        self.setVisible(False)

    def begin(self, key: str, what: str) -> None:
        """Work begins; `what` is a code of `wording.steps`."""
        self.step(key, Step(what, 0, 0))

    def step(self, key: str, step: Step) -> None:
        """How far some work is."""
        work = self._works.setdefault(key, Work(step, Pace(self._clock)))
        work.step = step
        work.pace.take(step)
        if not self._appear.isActive() and not self._refresh.isActive():
            self._appear.start()

    def end(self, key: str) -> None:
        """Some work ended, however."""
        self._works.pop(key, None)
        if self._works:
            return
        self._appear.stop()
        self._refresh.stop()
        self.setVisible(False)

    def stop(self) -> None:
        """Ask the newest work to stop."""
        if self._works:
            self.stopped.emit(list(self._works)[-1])

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self._theme = theme
        self._stop.set_theme(theme)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        paint_bar(self, self._theme.color("pane"), self._theme.color("border"))

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self._what)
        line.addStretch(1)
        line.addWidget(self._how_far)
        line.addWidget(self._stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 2, 8, 8)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self._bar)

    def _show(self) -> None:
        self._tell()
        self._refresh.start()
        self.setVisible(True)

    def _tell(self) -> None:
        if not self._works:
            return
        work = list(self._works.values())[-1]
        step = work.step
        self._what.setText(said(STEPS[step.what][0]))
        # The room of the bar stays, so that nothing jumps when the number in all becomes known.
        self._bar.setValue(round(WHOLE * step.done / step.total) if step.total else 0)
        self._how_far.setText(how_far(step, work.pace, told, size))
        self.setAccessibleName(f"{self._what.text()} {self._how_far.text()}")


def told(sentence: str, params: Mapping[str, object]) -> str:
    """A sentence with its numbers as the locale groups them."""
    return said(sentence, {name: count(value) if isinstance(value, int) else value for name, value in params.items()})
