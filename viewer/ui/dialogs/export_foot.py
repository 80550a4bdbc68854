"""The foot of the export window: what stands against it, then how far it is, then how it ended and what comes next."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from viewer.core.progress import Pace, Step, how_far
from viewer.ui.measures import keep_lengths, keep_picture, keep_text, keep_theme
from viewer.ui.spoken import speak
from viewer.ui.theme import Theme
from viewer.ui.widgets.message_bar import Message
from viewer.ui.widgets.progress_strip import REFRESH_MS, WHOLE, told
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import count, said, size, tensors_of
from viewer.wording.steps import STEPS

ICONS: Final = {"done": "done", "note": "info", "warning": "warning", "error": "error"}
ASKING, WRITING, ENDED = range(3)
PATIENCE_MS: Final = 300
LONGEST: Final = 40
"""Letters of a name in the line that says what is written."""


class ExportFoot(QWidget):
    """Three pages, one for each part of an export's life.

    stopped: the person wants the writing to end.
        Signal()
    """

    stopped = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        keep_theme(theme, self)
        self._pace = Pace(clock)
        self._step = Step("", 0, 0)
        self.told: Message | None = None
        self.pages = QStackedWidget()
        for page in (self._asking(), self._writing(), self._ended()):
            self.pages.addWidget(page)
        row = QHBoxLayout(self)
        keep_lengths(theme, row.setContentsMargins, 16, 10, 16, 10)
        row.addWidget(self.pages)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self.waiting.show)
        self._refresh = QTimer(self, interval=REFRESH_MS)
        self._refresh.timeout.connect(self._tell)

    # -- before -----------------------------------------------------------------------------------

    def _asking(self) -> QWidget:
        self.fault_icon = QLabel()
        keep_picture(self._theme, self.fault_icon, "error", "error", 16)
        self.fault = WrappedLabel()
        self.fault.setProperty("fault", True)
        self.waiting = QLabel(self.tr("Working out what would be written…"))
        self.waiting.setProperty("muted", True)
        self.waiting.hide()
        self.next = QPushButton(self.tr("Show next"))
        self.cancel = QPushButton(self.tr("Cancel"))
        self.go = QPushButton(self.tr("Export"))
        self.go.setProperty("primary", True)
        self.go.setDefault(True)
        self.next.hide()
        return self._row(self.fault_icon, self.fault, self.waiting, self.next, self.cancel, self.go)

    def fields(self) -> list[QWidget]:
        """All that takes the keyboard before something is written."""
        return [self.next, self.cancel, self.go]

    def ask(self) -> None:
        """Back to what stands before an export."""
        self.pages.setCurrentIndex(ASKING)

    @property
    def is_asking(self) -> bool:
        """False while something is written, and until the person leaves the page that says how it ended."""
        return self.pages.currentIndex() == ASKING

    def judge(self, fault: str, words: str, *, can_go: bool, has_clashes: bool) -> None:
        """Say what stands against writing; `words`: of the button."""
        self.fault.setText(fault)
        self.fault_icon.setVisible(bool(fault))
        self._patience.stop()
        self.waiting.hide()
        self.next.setVisible(has_clashes)
        self.go.setEnabled(can_go)
        if words:
            self.go.setText(words)

    def tell_wait(self, step: Step) -> None:
        """How far the working out is."""
        if step.total:
            words = self.tr("Working out what would be written: {percent} %")
            self.waiting.setText(words.format(percent=100 * min(step.done, step.total) // step.total))

    def wait(self) -> None:
        """Nothing stands against it yet: it is worked out. Said only where that takes long enough to be read."""
        self.waiting.setText(self.tr("Working out what would be written…"))
        self._patience.start()

    # -- while ------------------------------------------------------------------------------------

    def _writing(self) -> QWidget:
        self.what = QLabel()
        keep_text(self._theme, self.what, bold=True)
        self.what.setTextFormat(Qt.TextFormat.PlainText)
        self.of_many = QLabel()
        self.of_many.setProperty("muted", True)
        self.how_far = QLabel()
        self.how_far.setProperty("muted", True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, WHOLE)
        words = QLabel(self.tr("The target appears when all is written."))
        words.setProperty("muted", True)
        line = QHBoxLayout()
        line.addWidget(self.what)
        line.addWidget(self.of_many)
        line.addStretch(1)
        line.addWidget(self.how_far)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(self._theme, column.setSpacing, 4)
        column.addLayout(line)
        column.addWidget(self.bar)
        column.addWidget(words)
        self.hide_it = QPushButton(self.tr("Hide"))
        self.hide_it.setToolTip(self.tr("Go on with the file while it is written"))
        self.stop = QPushButton(self.tr("Stop"))
        # Enter that was held a moment too long on Export would stop what it began.
        self.stop.setAutoDefault(False)
        self.stop.clicked.connect(self.stopped)
        return self._row(None, left, self.hide_it, self.stop)

    def begin(self) -> None:
        """Writing begins."""
        self.told = None
        self.pages.setCurrentIndex(WRITING)
        self.stop.setEnabled(True)
        self.stop.setFocus()
        self.step(Step("export", 0, 0))
        self._tell()
        self._refresh.start()

    def step(self, step: Step) -> None:
        """How far it is; shown four times a second."""
        self._step = step
        self._pace.take(step)

    def _tell(self) -> None:
        step = self._step
        words = said(STEPS[step.what][0])
        self.what.setText(f"{words} {shortened(step.item)}" if step.item else words)
        self.of_many.setText(self._of_many(step))
        self.how_far.setText(how_far(step, self._pace, told, size))
        self.bar.setValue(round(WHOLE * min(1.0, step.done / step.total)) if step.total else 0)
        self.bar.setAccessibleName(f"{self.what.text()} {self.of_many.text()} {self.how_far.text()}")

    def _of_many(self, step: Step) -> str:
        if not step.count:
            return ""
        return self.tr("{number} of {tensors}").format(number=count(step.number), tensors=tensors_of(step.count))

    # -- after ------------------------------------------------------------------------------------

    def _ended(self) -> QWidget:
        self.end_icon = QLabel()
        self.end_title = WrappedLabel()
        keep_text(self._theme, self.end_title, bold=True)
        self.end_words = WrappedLabel()
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(self._theme, column.setSpacing, 2)
        column.addWidget(self.end_title)
        column.addWidget(self.end_words)
        self.acts = QHBoxLayout()
        keep_lengths(self._theme, self.acts.setSpacing, 8)
        holder = QWidget()
        holder.setLayout(self.acts)
        self.acts.setContentsMargins(0, 0, 0, 0)
        self.again = QPushButton(self.tr("Change it"))
        self.close_it = QPushButton(self.tr("Close"))
        self.close_it.setProperty("primary", True)
        return self._row(self.end_icon, left, holder, self.again, self.close_it)

    def end(self, message: Message) -> None:
        """How it ended, and what can be done with the result."""
        self._refresh.stop()
        self.told = message
        self.pages.setCurrentIndex(ENDED)
        role = message.severity
        keep_picture(self._theme, self.end_icon, ICONS[role], role, 20)
        self.end_title.setText(message.title)
        self.end_words.setText(message.sentence)
        self.end_words.setVisible(bool(message.sentence))
        while (item := self.acts.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for words, act in message.actions:
            button = QPushButton(words)
            button.clicked.connect(partial(_do, act))
            self.acts.addWidget(button)
        self.close_it.setFocus()

    def add_words(self, words: str) -> None:
        """Something was done with the result: say so behind how it ended."""
        ended = self.told.sentence if self.told is not None else ""
        self.end_words.setText(f"{ended} {words}".strip())
        self.end_words.setVisible(True)
        speak(self.end_words, words)

    def _row(self, icon: QLabel | None, left: QWidget, *buttons: QWidget) -> QWidget:
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        keep_lengths(self._theme, row.setSpacing, 8)
        if icon is not None:
            row.addWidget(icon)
        row.addWidget(left, 1)
        for button in buttons:
            row.addWidget(button)
        return page


def _do(act: Callable[[], object], *_: object) -> None:
    act()


def shortened(name: str) -> str:
    """A name that fits a line: its middle goes."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST // 2]}\u2026{name[-LONGEST // 2 + 1 :]}"
