"""Below a histogram: the elements of the bar that was chosen, all at once or one after the other."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from viewer.core.progress import Progress
from viewer.core.span import Span
from viewer.core.tensors.histogram import Histogram
from viewer.core.tensors.members import Bar, Members, members
from viewer.core.tensors.tensor import Tensor
from viewer.session.element_spans import spans_of
from viewer.session.session import Session
from viewer.ui.models.value_text import short
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import ElidedLabel, IconButton
from viewer.ui.words import count, of_failure

LOOKING: Final = "elements of a bar"
MOST: Final = 1000
"""Elements that are selected together."""
ALL: Final = -1


class Found(NamedTuple):
    """A run of elements, the file that they stand in, and their bytes there."""

    elements: Members
    member: str
    spans: tuple[Span, ...]


class BarWalk(QWidget):
    """Words, and two buttons that go to the elements one by one; hidden while no bar is chosen.

    chosen: bytes are to be selected.
        Signal(spans: tuple[Span, ...], element: tuple[int, ...], member: str)
    """

    chosen = Signal(object, object, str)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._tensor: Tensor | None = None
        self._bar: Bar | None = None
        self._count: int | None = None
        # Where each run of MOST elements begins, and which of them is known; the element in it, or all.
        self._starts = [0]
        self._run = 0
        self._found: Found | None = None
        self._at = ALL
        self.words = ElidedLabel(parent=self)
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.previous = IconButton(theme, "chevron-up", self.tr("Previous element of the bar"), self)
        self.next = IconButton(theme, "chevron-down", self.tr("Next element of the bar"), self)
        self.previous.clicked.connect(partial(self.step, -1))
        self.next.clicked.connect(partial(self.step, 1))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.words, 1)
        line.addWidget(self.previous)
        line.addWidget(self.next)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        for button in (self.previous, self.next):
            button.set_theme(theme)

    def clear(self) -> None:
        """No bar is chosen."""
        self.session.cancel(LOOKING)
        self._tensor = self._bar = self._found = None
        self.hide()

    def tell(self, found: Histogram, number: int) -> None:
        """Say what a bar is, without selecting its elements."""
        self.clear()
        low, high = found.edges(number)
        words = self.tr("{low} to {high}, count {count}")
        self._say(words, low, high, count(int(found.counts[number]) * found.times))

    def choose(self, tensor: Tensor, found: Histogram, number: int) -> None:
        """Select the elements of a bar."""
        self.tell(found, number)
        if not found.counts[number]:
            return
        low, high = found.edges(number)
        self._tensor, self._bar = tensor, Bar(low, high, number == len(found.counts) - 1)
        self._count = int(found.counts[number]) if found.exact else None
        self._starts = [0]
        self._look(0, ALL)

    def step(self, step: int) -> None:
        """Go to the next element of the bar, or the one before; behind the last comes the first."""
        found = self._found
        if found is None or self.session.jobs.is_running(LOOKING):
            return
        at, length = (0 if self._at == ALL else self._at + 1) if step > 0 else self._at - 1, len(found.elements.places)
        if 0 <= at < length:
            self._select(at)
        elif step > 0:
            self._look(self._run + 1 if found.elements.more else 0, 0)
        elif self._run:
            self._look(self._run - 1, MOST - 1)
        elif not found.elements.more:
            self._select(length - 1)

    def _look(self, run: int, at: int) -> None:
        """Find a run of elements, then select one of them, or all."""
        if self._tensor is None or self._bar is None:
            return
        if run == self._run and self._found is not None:
            self._select(at)
            return
        work = partial(_find, self._tensor, self._bar, self._starts[run])
        self.session.start(LOOKING, work, partial(self._arrived, run, at), self._failed)

    def _arrived(self, run: int, at: int, found: Found) -> None:
        self._found, self._run = found, run
        if found.elements.more and len(self._starts) == run + 1:
            self._starts.append(found.elements.places[-1] + 1)
        self._select(at)

    def _select(self, at: int) -> None:
        found, tensor, bar = self._found, self._tensor, self._bar
        if found is None or tensor is None or bar is None or not found.elements.places:
            return
        self._at = at
        if at == ALL:
            self._tell_all(found, bar)
            self.chosen.emit(found.spans, found.elements.index(0), found.member)
            return
        index = found.elements.index(at)
        number, place = self._run * MOST + at + 1, ", ".join(map(str, index))
        if self._count is None:
            self._say(self.tr("{low} to {high}: element {number}, [{place}]"), bar.low, bar.high, "", number, place)
        else:
            words = self.tr("{low} to {high}: element {number} of {count}, [{place}]")
            self._say(words, bar.low, bar.high, count(self._count), number, place)
        member, spans = spans_of(tensor, (index,))
        self.chosen.emit(spans, index, member)

    def _tell_all(self, found: Found, bar: Bar) -> None:
        shown = len(found.elements.places)
        if not found.elements.more:
            words = self.tr("{low} to {high}, count {count}: all are selected")
            self._say(words, bar.low, bar.high, count(shown))
        elif self._count is None:
            self._say(self.tr("{low} to {high}: the first {number} are selected"), bar.low, bar.high, "", shown)
        else:
            words = self.tr("{low} to {high}, count {count}: the first {number} are selected")
            self._say(words, bar.low, bar.high, count(self._count), shown)

    def _say(self, words: str, low: float, high: float, amount: str, number: int = 0, place: str = "") -> None:
        facts = {"low": short(low), "high": short(high), "count": amount, "number": count(number), "place": place}
        self.words.setText(words.format(**facts))
        for button in (self.previous, self.next):
            button.setVisible(self._found is not None)
        self.show()

    def _failed(self, failure: Exception) -> None:
        self.words.setText(of_failure(failure))


def _find(tensor: Tensor, bar: Bar, start: int, progress: Progress) -> Found:
    found = members(tensor, bar, start, MOST, progress)
    return Found(found, *spans_of(tensor, map(found.index, range(len(found.places)))))
