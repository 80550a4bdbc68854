"""Below the text of a class: how the objects fit it, and texts from outside the file to hold them against."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.code.files import DERIVED, SUPPLIED
from viewer.core.code.torch_text import TorchTexts
from viewer.core.problem import Severity
from viewer.core.source import printable
from viewer.core.summary.classes import Classes, ClassRow
from viewer.session.session import Session
from viewer.ui.models.class_findings import marks_of, of_class, worst_of
from viewer.ui.models.version_words import version_words
from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.findings_list import FindingsList
from viewer.ui.widgets.fitting import FittingWidget
from viewer.ui.widgets.labels import ElidedLabel
from viewer.ui.widgets.source_foot import THIN, link_icon
from viewer.ui.words import count, of_failure, said
from viewer.wording.checks import TORCH_TEXTS

BUTTON: Final = 36
"""Width of a button beside its words."""
AROUND: Final = 64
MOST_PLACES: Final = 10_000


class SourceChecks(FittingWidget):
    """One line, then the findings on the class that is shown. `origin`: the pane that they stand in.

    marked: the lines of the shown text that findings are about.
        Signal(marks: Mapping[int, Severity])
    judged: by the name of a class the worst that was found on its objects.
        Signal(worst: Mapping[str, Severity])
    message: something to tell in a bar: severity word, title, sentence.
        Signal(severity: str, title: str, sentence: str)
    """

    marked = Signal(object)
    judged = Signal(object)
    message = Signal(str, str, str)

    def __init__(self, session: Session, theme: Theme, origin: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.session = session
        self._origin = origin
        self._classes = Classes()
        self._row = self._number = -1
        self.marks: Mapping[int, Severity] = {}
        self.worst: Mapping[str, Severity] = {}
        self.picture = QLabel(self)
        self.words = ElidedLabel(parent=self)
        self.version = ElidedLabel(parent=self)
        self.version.setProperty("muted", True)
        self.list = FindingsList(theme, self)
        self.withdraw, self.torch, self.give = (self._button() for _ in range(3))
        self._words = {
            self.withdraw: self.tr("Withdraw this file"),
            self.torch: self.tr("Check against installed torch"),
            self.give: self.tr("Give a .py file"),
        }
        self._names = {self.withdraw: "close", self.torch: "flask", self.give: "open"}
        for button, words in self._words.items():
            button.setAccessibleName(words)
        self._line = QHBoxLayout()
        for widget in (self.picture, self.words, self.version):
            self._line.addWidget(widget)
        self._line.addStretch(1)
        for button in self._words:
            self._line.addWidget(button)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(self._line)
        self._column.addWidget(self.list)
        self._connect()
        self.set_theme(theme)

    def _button(self) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("link", True)
        return button

    def _connect(self) -> None:
        checks, code = self.session.checks, self.session.code
        checks.changed.connect(self._changed)
        checks.answered.connect(self._answered)
        code.refused.connect(self._refused)
        self.session.versions.changed.connect(self._tell_version)
        self.session.selection_changed.connect(self._tell_version)
        self.torch.clicked.connect(checks.ask_torch)
        self.give.clicked.connect(self.ask_file)
        self.withdraw.clicked.connect(self._withdraw)
        self.list.copied.connect(self._copied)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        px = theme.px
        self._line.setContentsMargins(px(12), px(2), px(8), px(2))
        self._line.setSpacing(px(6))
        for button, name in self._names.items():
            button.setIcon(link_icon(theme, name, self.devicePixelRatioF()))
        self.list.set_theme(theme)
        self._tell()

    # -- showing ----------------------------------------------------------------------------------

    def show_class(self, classes: Classes, row: int, number: int) -> None:
        """Tell about a class by one of its texts (-1: it has none)."""
        self._classes, self._row, self._number = classes, row, number
        self.session.versions.look_at(self.session.document, self.session.options.encoding)
        self._changed()

    def shown_row(self) -> ClassRow | None:
        """The class that is told about."""
        return self._classes.rows[self._row] if 0 <= self._row < len(self._classes.rows) else None

    def _changed(self) -> None:
        """Other findings, or another class."""
        found, row = self.session.checks.findings, self.shown_row()
        self.list.set_findings(of_class(found, row) if row is not None else ())
        self.marks = marks_of(found, self._classes, self._row, self._number)
        self.worst = worst_of(found)
        self._tell()
        self.marked.emit(self.marks)
        self.judged.emit(self.worst)

    def _tell(self) -> None:
        checks, row = self.session.checks, self.shown_row()
        self.words.setText(self._sentence(row) if row is not None else "")
        worst = self.worst.get(row.name) if row is not None else None
        name = str(worst) if worst is not None else "done"
        self.picture.setPixmap(pixmap(self.theme, name, name, 16, self.devicePixelRatioF()))
        self.picture.setVisible(worst is not None or self._fits(row))
        self.torch.setEnabled(row is not None and not checks.asking)
        self.withdraw.setVisible(self._file() is not None)
        self._tell_version()

    def _tell_version(self) -> None:
        """The version of the module that is selected, or else of the only one of the class."""
        row, selected = self.shown_row(), self.session.selection.value
        places = {place.value for place in row.places[:MOST_PLACES]} if row is not None else set()
        only = next(iter(places)) if len(places) == 1 else None
        found = self.session.versions.of(selected if selected in places else only)
        self.version.setText(version_words(found) if found is not None else "")
        self.version.setVisible(found is not None)
        self.fit()

    def _fits(self, row: ClassRow | None) -> bool:
        """True where there was something to check against and nothing was found."""
        return row is not None and self.session.checks.done and not self.list.findings and self._is_checked(row)

    def _is_checked(self, row: ClassRow) -> bool:
        return bool(row.places) and (not row.own or any(text.origin != DERIVED for text in row.texts))

    def _sentence(self, row: ClassRow) -> str:
        checks, found = self.session.checks, self.list.findings
        if checks.asking:
            return self.tr("torch is asked for its texts")
        if not checks.done:
            return self.tr("Checking the objects")
        if found:
            return self.tr("1 finding") if len(found) == 1 else self.tr("{0} findings").format(count(len(found)))
        if not row.places:
            return self.tr("The file holds no object of this class")
        if not self._is_checked(row):
            return self.tr("No text to check the objects against")
        return self.tr("Nothing found on its objects")

    @override
    def fit(self) -> None:
        """Where there is little room the buttons are icons only."""
        shown = [words for button, words in self._words.items() if not button.isHidden()]
        needed = sum(self.torch.fontMetrics().horizontalAdvance(words) + self.theme.px(BUTTON) for words in shown)
        said = [label.sizeHint().width() for label in (self.words, self.version) if not label.isHidden()]
        narrow = self.width() < needed + sum(said) + self.theme.px(AROUND)
        for button, words in self._words.items():
            button.setText("" if narrow else f"{THIN}{words}")
            button.setToolTip(words)
        self.torch.setToolTip(self.tr("Fetch the texts of torch's own classes and check the objects against them"))
        self.give.setToolTip(self.tr("A .py file that has classes of this file: it is read, never run"))

    # -- what the person does ---------------------------------------------------------------------

    def ask_file(self) -> None:
        """Let the person choose a file that has the class."""
        folder = str(self.session.path.parent)
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Give a .py file"), folder, self.tr("Python (*.py)"))
        if chosen:
            self.session.code.supply(Path(chosen), self._origin)

    def _file(self) -> Path | None:
        """The file that the shown text comes from, where the person gave it."""
        row = self.shown_row()
        text = row.texts[self._number] if row is not None and 0 <= self._number < len(row.texts) else None
        return Path(text.file) if text is not None and text.origin == SUPPLIED else None

    def _withdraw(self) -> None:
        path = self._file()
        if path is not None:
            self.session.code.withdraw(path)

    def _refused(self, path: Path, failure: Exception, origin: str) -> None:
        if origin == self._origin:
            title = self.tr("{name} cannot be used").format(name=printable(path.name))
            self.message.emit("error", title, of_failure(failure))

    def _answered(self, texts: TorchTexts) -> None:
        if texts.failure:
            words = said(TORCH_TEXTS[texts.failure], texts.params)
            self.message.emit("warning", self.tr("Not checked against torch"), words)

    def _copied(self) -> None:
        words = self.tr("Run it after loading; it works on the loaded model.")
        self.message.emit("done", self.tr("The fix is on the clipboard"), words)
