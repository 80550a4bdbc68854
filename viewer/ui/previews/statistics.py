"""Statistics: minimum, maximum, mean and so on in one row, computed in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.progress import Progress
from viewer.core.tensors import window
from viewer.core.tensors.statistics import Occurrences, Statistics, sample, statistics
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.models.value_text import short
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme
from viewer.ui.words import of_failure

AT_ONCE: Final = 256 * 1024 * 1024
JOB: Final = "statistics"


class StatisticsPreview(Preview):
    """The row. Tensors over 256 MiB are sampled first; all elements are read when asked for.

    measured: this is known of the tensor now; None: nothing any more.
        Signal(found: Statistics | None)
    """

    key: ClassVar[str] = "statistics"

    measured = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensor: Tensor | None = None
        titles = (self.tr("Min"), self.tr("Max"), self.tr("Mean"), self.tr("Std"), self.tr("Zeros"))
        self._titles = [QLabel(title, self) for title in (*titles, self.tr("NaN"), self.tr("Inf"))]
        self.values = [QLabel(self) for _ in self._titles]
        table = QWidget(self)
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.px(8))
        grid.setVerticalSpacing(theme.px(2))
        for column, (title, value) in enumerate(zip(self._titles, self.values, strict=True)):
            grid.addWidget(title, 0, column)
            grid.addWidget(value, 1, column)
            grid.setColumnStretch(column, 1)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.whole = QPushButton(self.tr("Read all elements"), self)
        self.whole.clicked.connect(self._read_all)
        foot = QHBoxLayout()
        foot.addWidget(self.words, 1)
        foot.addWidget(self.whole)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(4))
        layout.addWidget(self.pages)
        layout.addLayout(foot)
        self._style()

    def _style(self) -> None:
        muted = f"color: {self.theme.color('muted').name()}"
        for title in self._titles:
            title.setFont(self.theme.text("caption"))
            title.setStyleSheet(muted)
        for value in self.values:
            value.setFont(self.theme.mono())
        self.words.setStyleSheet(muted)

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._style()

    @override
    def suits(self, tensor: Tensor) -> bool:
        return tensor.storage is not None and tensor.elements > 0

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self._tensor = tensor
        self._say("")
        self.whole.hide()
        for value in self.values:
            value.setText("")
        self.session.jobs.cancel(JOB)
        self.measured.emit(None)
        if tensor is None:
            return
        if window.nbytes(tensor) > AT_ONCE:
            self._start(lambda progress: sample(tensor))
        else:
            self._start(lambda progress: statistics(tensor, progress))

    def _read_all(self) -> None:
        tensor = self._tensor
        if tensor is not None:
            self.whole.hide()
            self._start(lambda progress: statistics(tensor, progress), shown=True)

    def _start(self, work: Callable[[Progress], Statistics | None], *, shown: bool = False) -> None:
        start = self.session.start if shown else self.session.jobs.start
        start(JOB, work, self._show, self._failed)

    def _failed(self, failure: Exception) -> None:
        self._say(of_failure(failure))

    def _say(self, words: str) -> None:
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def _show(self, found: Statistics | None) -> None:
        if found is None:
            self._say(self.tr("These elements are no numbers."))
            return
        self.measured.emit(found)
        infinite = found.positive_infinities.count + found.negative_infinities.count
        texts = [_or_empty(found.minimum), _or_empty(found.maximum), _or_empty(found.mean), _or_empty(found.std)]
        texts += [f"{found.zeros.count:,}", f"{found.nans.count:,}", f"{infinite:,}"]
        for value, text in zip(self.values, texts, strict=True):
            value.setText(text)
        if self._tensor is not None and self._tensor.quantizer is not None:
            self._say(self.tr("Of the stored integers."))
        self._mark(self.values[5], found.nans)
        first = found.positive_infinities if found.positive_infinities.count else found.negative_infinities
        self._mark(self.values[6], first)
        if not found.exact:
            words = self.tr("From a sample of {looked} of {total} elements.")
            self._say(words.format(looked=f"{found.elements:,}", total=f"{found.total:,}"))
            self.whole.show()

    def _mark(self, value: QLabel, seen: Occurrences) -> None:
        """NaN and infinity in the ink of errors, with the place of the first."""
        value.setStyleSheet(f"color: {self.theme.color('error').name()}" if seen.count else "")
        place = ", ".join(str(part) for part in seen.first) if seen.first is not None else ""
        value.setToolTip(self.tr("First at [{place}]").format(place=place) if seen.count else "")


def _or_empty(value: object) -> str:
    return "" if value is None else short(value)
