"""Statistics: minimum, maximum, mean and so on in cells, computed in the background."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.progress import Progress, Step
from viewer.core.tensors import window
from viewer.core.tensors.meaning import has_meaning
from viewer.core.tensors.repeated import distinct, is_endless, stored_places
from viewer.core.tensors.statistics import Occurrences, Statistics, meant_statistics, sample
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.models.value_text import exact, short
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme
from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.widgets.labels import lead
from viewer.ui.words import count, named, of_failure, paragraph

AT_ONCE: Final = 16 * 1024 * 1024
"""Bytes up to which a tensor is read whole before anything is shown; of a larger one a sample is shown first."""
BY_ITSELF: Final = 1024 * 1024 * 1024
"""Bytes up to which all elements are read behind the sample without being asked for."""
JOB: Final = "statistics"
CELL: Final = 76
SHARES: Final = {"p1": 0.01, "p25": 0.25, "median": 0.5, "p75": 0.75, "p99": 0.99}
ABOUT: Final = "\u2248"


class Cell(QWidget):
    """A title with a value below it."""

    def __init__(self, title: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.title, self.value = QLabel(title, self), QLabel(self)
        self.value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        lead(self.title)
        lead(self.value)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, column.setSpacing, 2)
        column.addWidget(self.title)
        column.addWidget(self.value)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.title.setFont(theme.text("caption"))
        self.title.setStyleSheet(f"color: {theme.color('muted').name()}")
        self.value.setFont(theme.mono())
        self._fit()

    def show_value(self, text: str, hint: str = "", *, odd: bool = False) -> None:
        """Show a value; an `odd` one in the ink of errors."""
        self.value.setText(text)
        self.value.setToolTip(hint)
        self.value.setStyleSheet(f"color: {self.theme.color('error').name()}" if odd else "")
        self._fit()

    def _fit(self) -> None:
        """One width for short values, so that lines of cells stand in columns; a longer value has its own."""
        self.setFixedWidth(max(self.theme.px(CELL), self.value.sizeHint().width(), self.title.sizeHint().width()))


class StatisticsPreview(Preview):
    """The cells. Large tensors are sampled first; very large ones are read whole when asked for.

    measured: this is known of the tensor now; None: nothing any more.
        Signal(found: Statistics | None)
    """

    key: ClassVar[str] = "statistics"

    measured = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensor: Tensor | None = None
        self.found: Statistics | None = None
        self._reading = False
        titles = {
            "min": self.tr("Min"),
            "max": self.tr("Max"),
            "mean": self.tr("Mean"),
            "std": self.tr("Std"),
            "median": self.tr("Median"),
            "l2": self.tr("L2 norm"),
            "zeros": self.tr("Zeros"),
            "nan": self.tr("NaN"),
            "inf": self.tr("Inf"),
            "distinct": self.tr("Distinct"),
            "p1": self.tr("1 %"),
            "p25": self.tr("25 %"),
            "p75": self.tr("75 %"),
            "p99": self.tr("99 %"),
            "l1": self.tr("L1 norm"),
            "largest": self.tr("Max norm"),
        }
        self.table = QWidget(self)
        self.cells = {key: Cell(title, theme, self.table) for key, title in titles.items()}
        self._extra = ("p1", "p25", "p75", "p99", "l1", "largest")
        self.more = QToolButton(self.table)
        self.more.setText(self.tr("More"))
        self.more.setToolTip(self.tr("Quantiles and the other norms"))
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show_cells)
        flow = FlowLayout(self.table)
        keep_lengths(theme, flow.setSpacing, 6)
        for cell in self.cells.values():
            flow.addWidget(cell)
        flow.addWidget(self.more)
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.whole = QPushButton(self.tr("Read all elements"), self)
        self.whole.clicked.connect(self._read_all)
        session.progressed.connect(self._progressed)
        foot = QHBoxLayout()
        foot.addWidget(self.words, 1)
        foot.addWidget(self.whole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, layout.setSpacing, 4)
        layout.addWidget(self.table)
        layout.addLayout(foot)
        self.words.setStyleSheet(f"color: {theme.color('muted').name()}")
        self._show_cells()

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        for cell in self.cells.values():
            cell.set_theme(theme)
        self.words.setStyleSheet(f"color: {theme.color('muted').name()}")
        if self.found is not None:
            self._fill(self.found)

    @override
    def suits(self, tensor: Tensor) -> bool:
        return tensor.storage is not None and tensor.elements > 0

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self._tensor, self.found, self._reading = tensor, None, False
        self._say("")
        self.whole.hide()
        for cell in self.cells.values():
            cell.show_value("")
        self.session.cancel(JOB)
        self.measured.emit(None)
        if tensor is None:
            return
        if window.nbytes(distinct(tensor)[0]) <= AT_ONCE:
            self.session.jobs.start(JOB, partial(_all, tensor), self._show, self._failed)
        elif has_meaning(tensor) and is_endless(tensor):
            self._say(self._endless(tensor))
        elif has_meaning(tensor):
            self._read_all()
        else:
            self.session.jobs.start(JOB, partial(_some, tensor), self._sampled, self._failed)

    def _sampled(self, found: Statistics | None) -> None:
        self._show(found)
        tensor = self._tensor
        if tensor is None or found is None or found.exact:
            return
        if is_endless(tensor):
            self.whole.hide()
            self._say(paragraph(self.words.text(), self._endless(tensor)))
        elif window.nbytes(distinct(tensor)[0]) <= BY_ITSELF:
            self._start_all(tensor)

    def _endless(self, tensor: Tensor) -> str:
        words = self.tr("{0} elements overlap in {1} stored ones: to read each of them would not end.")
        return words.format(count(tensor.elements), count(stored_places(tensor)))

    def _read_all(self) -> None:
        if self._tensor is not None:
            self.whole.hide()
            self._start_all(self._tensor)

    def _start_all(self, tensor: Tensor) -> None:
        """With progress and a way to stop it; what the sample said stays until it is done."""
        self._reading = True
        self.session.start(JOB, partial(_all, tensor), self._show, self._failed)

    def _progressed(self, key: str, step: Step | None) -> None:
        """The pass ended; it was stopped, unless its result follows."""
        if key == JOB and step is None and self._reading:
            self._reading = False
            self.whole.show()
            if self.found is None:
                self._say(self.tr("Reading was stopped."))

    def _failed(self, failure: Exception) -> None:
        self.whole.hide()
        self._say(of_failure(failure))

    def _say(self, words: str) -> None:
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def _show(self, found: Statistics | None) -> None:
        self.found = found
        if found is None:
            self.whole.hide()
            self._say(self.tr("These elements are no numbers."))
            self._show_cells()
            return
        self.measured.emit(found)
        self._fill(found)
        self.whole.setVisible(not found.exact)
        words = []
        if self._tensor is not None and has_meaning(self._tensor):
            words.append(self.tr("Of the numbers that the stored elements stand for."))
        if not found.exact:
            sampled = self.tr("From a sample of {looked} of {total} elements.")
            words.append(sampled.format(looked=count(found.elements), total=count(found.total)))
        self._say(paragraph(*words))

    def _fill(self, found: Statistics) -> None:
        norms, known = found.norms, found.distribution
        floats = {"min": found.minimum, "max": found.maximum, "mean": found.mean, "std": found.std}
        floats |= {"l1": norms.l1, "l2": norms.l2, "largest": norms.maximum}
        for key, value in floats.items():
            self.cells[key].show_value("" if value is None else short(value), "" if value is None else exact(value))
        about = "" if known is None or known.exact else ABOUT
        for key, share in SHARES.items():
            quantile = known.quantile(share) if known is not None else None
            if quantile is not None and known is not None and known.whole and quantile == int(quantile):
                quantile = int(quantile)
            self.cells[key].show_value("" if quantile is None else about + short(quantile), self._hint(found))
        self.cells["zeros"].show_value(count(found.zeros.count), self._place(found.zeros))
        self.cells["nan"].show_value(count(found.nans.count), self._place(found.nans), odd=found.nans.count > 0)
        infinite = found.positive_infinities, found.negative_infinities
        hints = [
            named(sign, self._place(seen)) for sign, seen in zip(("+", "\u2212"), infinite, strict=True) if seen.count
        ]
        total = sum(seen.count for seen in infinite)
        self.cells["inf"].show_value(count(total), "\n".join(hints), odd=total > 0)
        self.cells["distinct"].show_value(*self._distinct(found))
        self._show_cells()

    def _distinct(self, found: Statistics) -> tuple[str, str]:
        """How many different numbers, and which come most."""
        known = found.distribution
        if found.distinct is None or known is None:
            return "", ""
        counts = (number * known.times for number in known.counts.tolist())
        order = sorted(zip(counts, known.lows.tolist(), strict=True), reverse=True)[:10]
        return count(found.distinct), "\n".join(named(short(int(value)), count(times)) for times, value in order)

    def _hint(self, found: Statistics) -> str:
        known = found.distribution
        if known is None or known.exact:
            return ""
        words = self.tr("By a histogram of {0} numbers in classes of 0.8 % width")
        return words.format(count(known.counted))

    def _place(self, seen: Occurrences) -> str:
        if seen.first is None:
            return ""
        place = ", ".join(str(part) for part in seen.first)
        return self.tr("{0} times, first at [{1}]").format(count(seen.count), place)

    def _show_cells(self) -> None:
        """Only the cells that have a value, and the further ones when they are wanted."""
        for key, cell in self.cells.items():
            is_filled = bool(cell.value.text()) or key not in ("distinct", *SHARES, "min", "max")
            cell.setVisible(is_filled and (key not in self._extra or self.more.isChecked()))
        self.table.setVisible(self.found is not None)


def _all(tensor: Tensor, progress: Progress) -> Statistics | None:
    return meant_statistics(tensor, progress)


def _some(tensor: Tensor, progress: Progress) -> Statistics | None:
    progress.check()
    return sample(tensor)
