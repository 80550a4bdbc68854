"""What torch.load would do with a file: both answers, expectations, missing classes, code, and torch's own word."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from viewer.core.document import Document
from viewer.core.summary.blockers import Blocker
from viewer.core.summary.prediction import Prediction
from viewer.core.summary.versions import Conversion
from viewer.session.torch_answers import TorchAnswers
from viewer.ui.measures import keep_lengths, keep_text
from viewer.ui.theme import Theme
from viewer.ui.widgets.answers import AnswerView
from viewer.ui.widgets.expectations import ExpectationList
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.placed_classes import PlacedClasses
from viewer.ui.widgets.torch_section import TorchSection
from viewer.ui.widgets.wrapped import CodeBlock, WrappedLabel
from viewer.ui.words import offset


class LoadingSection(QWidget):
    """A section of Summary.

    place_chosen: a value is to be selected.
        Signal(pickle: int, value: int)
    opcode_chosen: a place in a stream is to be selected.
        Signal(pickle: int, opcode: int)
    copy_wanted: the code is to be copied.
        Signal()
    torch_spoke: torch is being asked or has answered.
        Signal(section: QWidget)
    """

    place_chosen = Signal(int, object)
    opcode_chosen = Signal(int, object)
    copy_wanted = Signal()
    torch_spoke = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.prediction: Prediction | None = None
        self.title = QLabel(self.tr("Loading with torch"), self)
        self.answers = [AnswerView(theme, self) for _ in Prediction().answers]
        self.torch: TorchSection | None = None
        self.expectations = ExpectationList(theme, self)
        self.versions_title = WrappedLabel(self.tr("Loading its state_dict into a module of today's torch"), self)
        self.versions = ExpectationList(theme, self)
        self.missing = PlacedClasses(theme, self)
        self.missing.place_chosen.connect(self._choose)
        self.code = CodeBlock(theme, self)
        self.code.setAccessibleName(self.tr("The code that loads this file"))
        self.copy = IconButton(theme, "copy", self.tr("Copy loading code"), self)
        self.copy.clicked.connect(self.copy_wanted)
        self._column = column = QVBoxLayout(self)
        keep_lengths(theme, column.setContentsMargins, 0, 6, 0, 0)
        keep_lengths(theme, column.setSpacing, 8)
        column.addWidget(self.title)
        for answer in self.answers:
            answer.place_chosen.connect(self.opcode_chosen)
            column.addWidget(answer)
        column.addWidget(self.expectations)
        column.addWidget(self.missing)
        row = QHBoxLayout()
        keep_lengths(theme, row.setSpacing, 4)
        row.addWidget(self.code, 1)
        row.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        column.addWidget(self.versions_title)
        column.addWidget(self.versions)
        self.show_conversions(theme, ())

    def follow(self, answers: TorchAnswers) -> None:
        """Offer to ask torch itself, and show what it says."""
        self.torch = TorchSection(self.theme, answers, self)
        self.torch.spoke.connect(self.torch_spoke)
        self._column.insertWidget(self._column.indexOf(self.expectations), self.torch)

    def show_prediction(self, theme: Theme, prediction: Prediction | None, document: Document | None = None) -> None:
        """Show another one, of a document; None: there is nothing to be said yet."""
        self.theme = theme
        self.prediction = prediction
        keep_text(theme, self.title, "heading")
        self.copy.set_theme(theme)
        found = prediction if prediction is not None else Prediction()
        for view, answer in zip(self.answers, found.answers, strict=True):
            view.show_answer(theme, answer, [offset_of(document, blocker) for blocker in answer.blockers])
        if self.torch is not None:
            self.torch.set_theme(theme)
        self.expectations.show_expectations(theme, found.expectations)
        self.missing.show_classes(theme, found.missing)
        self.missing.setVisible(bool(found.missing))
        self.code.show_code(theme, found.code or "")
        for widget in (self.code, self.copy):
            widget.setVisible(found.code is not None)
        self.setVisible(prediction is not None)

    def show_conversions(self, theme: Theme, conversions: Sequence[Conversion]) -> None:
        """Show what the loader of torch does about modules of other versions."""
        keep_text(theme, self.versions_title, "heading")
        self.versions.show_conversions(theme, conversions)
        for widget in (self.versions_title, self.versions):
            widget.setVisible(bool(conversions))

    def _choose(self, value: int) -> None:
        if self.prediction is not None:
            self.place_chosen.emit(self.prediction.pickle, value)


def offset_of(document: Document | None, blocker: Blocker) -> str:
    """Where a blocker stands in the bytes that the hex pane shows; "" for the file as a whole."""
    if document is None or blocker.opcode < 0:
        return ""
    pickle = document.pickles[blocker.pickle]
    return offset(pickle.shown(pickle.code.span(blocker.opcode)).start)
