"""Export: what is written, in which form, where; what is left out or converted is said before that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.export import EXPORTERS
from viewer.core.export.base import Exporter
from viewer.core.export.plan import Plan
from viewer.core.export.selection import Wanted, branches
from viewer.core.progress import Progress
from viewer.core.source import printable
from viewer.core.tensors.tensor import Tensor
from viewer.session.letting_go import let_go
from viewer.session.session import Session
from viewer.ui.models.export_words import chosen_words, lines, written_of
from viewer.ui.theme import Theme, pixmap
from viewer.ui.words import of_failure, said, tensors_of

CHOICES: Final = "export choices"
PLANNING: Final = "export plan"


@dataclass(frozen=True, slots=True)
class Order:
    """What was decided: write this plan there."""

    exporter: Exporter
    plan: Plan
    target: Path
    overwrite: bool
    verify: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A line of "What": its words, what it asks for, and which forms can take it (`Exporter.takes`)."""

    words: str
    wanted: Wanted
    takes: str = "tensors"


class ExportDialog(QDialog):
    """Asks; `order`: what was decided once it was accepted. `tensors`: offered first, `compact`: as used."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        form: str,
        folder: Path,
        tensors: Sequence[Tensor] = (),
        parent: QWidget | None = None,
        compact: bool = False,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._document: Document | None = session.root
        self._folder = folder
        self._plan: Plan | None = None
        self._choices: list[Choice] = []
        self._offered: list[Choice] = []
        self._named = False
        self.order: Order | None = None
        self.setWindowTitle(self.tr("Export {name}").format(name=printable(session.title)))
        self.title = QLabel(self.windowTitle())
        self.sentence = muted(self.tr("Nothing is written before you press Export."))
        self.forms = {exporter.form: QRadioButton(said(exporter.title)) for exporter in EXPORTERS}
        self.what = QComboBox()
        self.what.setAccessibleName(self.tr("What is exported"))
        self.target = QLineEdit()
        self.target.setAccessibleName(self.tr("Write to"))
        self.choose = QPushButton(self.tr("Choose…"))
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setAccessibleName(self.tr("What will be written"))
        self.replace = QCheckBox()
        self.verify = QCheckBox(self.tr("Read back and compare after writing"))
        self.verify.setChecked(True)
        self.fault_icon = QLabel()
        self.fault = QLabel()
        self.fault.setWordWrap(True)
        self._make_buttons()
        self._lay_out(theme)
        self._join()
        self.forms[form].setChecked(True)
        self.forms[form].setFocus()
        self._offer(tensors, compact)

    @property
    def exporter(self) -> Exporter:
        """The form that is chosen."""
        return next(exporter for exporter in EXPORTERS if self.forms[exporter.form].isChecked())

    @property
    def plan(self) -> Plan | None:
        """What would be written, None while it is being worked out or when it cannot be."""
        return self._plan

    # -- making -----------------------------------------------------------------------------------

    def _make_buttons(self) -> None:
        self.go = QPushButton(self.tr("Export"))
        self.go.setProperty("primary", True)
        self.go.setDefault(True)
        self.cancel = QPushButton(self.tr("Cancel"))

    def _lay_out(self, theme: Theme) -> None:
        self.title.setFont(theme.text("heading"))
        self.target.setFont(theme.mono())
        self.report.setFont(theme.text("small"))
        self.report.document().setDocumentMargin(theme.px(10))
        self.target.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.report.setMinimumHeight(7 * QFontMetrics(self.report.font()).lineSpacing())
        self.fault_icon.setPixmap(pixmap(theme, "error", "error", 16, self.devicePixelRatioF()))
        self.fault.setProperty("fault", True)
        foot = QHBoxLayout()
        foot.setSpacing(theme.px(8))
        foot.addWidget(self.fault_icon)
        foot.addWidget(self.fault, 1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(theme.px(20),) * 4)
        column.setSpacing(theme.px(12))
        column.addWidget(self.title)
        column.addWidget(self.sentence)
        column.addLayout(self._fields(theme))
        column.addWidget(self.report, 1)
        column.addLayout(foot)
        self.resize(QSize(theme.px(680), theme.px(500)))

    def _fields(self, theme: Theme) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.px(12))
        grid.setVerticalSpacing(theme.px(8))
        grid.setColumnStretch(1, 1)
        row = 0
        for exporter in EXPORTERS:
            if row == 0:
                grid.addWidget(QLabel(self.tr("Form")), row, 0)
            line = QHBoxLayout()
            line.setSpacing(theme.px(12))
            line.addWidget(self.forms[exporter.form])
            line.addWidget(muted(said(exporter.summary)), 1)
            grid.addLayout(line, row, 1, 1, 2)
            row += 1
        grid.addWidget(QLabel(self.tr("What")), row, 0)
        grid.addWidget(self.what, row, 1, 1, 2)
        grid.addWidget(QLabel(self.tr("Write to")), row + 1, 0)
        grid.addWidget(self.target, row + 1, 1)
        grid.addWidget(self.choose, row + 1, 2)
        grid.addWidget(self.replace, row + 2, 1, 1, 2)
        grid.addWidget(self.verify, row + 3, 1, 1, 2)
        return grid

    def _join(self) -> None:
        for button in self.forms.values():
            button.toggled.connect(self._form_changed)
        self.what.currentIndexChanged.connect(self._work_out)
        self.target.textEdited.connect(self._target_edited)
        self.choose.clicked.connect(self._choose_target)
        self.replace.toggled.connect(self._judge)
        self.go.clicked.connect(self._accept)
        self.cancel.clicked.connect(self.reject)
        self._session.document_changed.connect(self.reject)
        self._session.code.changed.connect(self._work_out)

    # -- what -------------------------------------------------------------------------------------

    def _offer(self, tensors: Sequence[Tensor], compact: bool) -> None:
        """List the chosen tensors and the usual branch at once; the other branches when they have been found."""
        document = self._document
        if document is None:
            return
        encoding = self._session.options.encoding
        if tensors:
            self._choices.append(Choice(chosen_words(tensors, compact), Wanted(tensors=tensors, compact=compact)))
        usual = Wanted(encoding=encoding)
        self._choices += [
            Choice(self.tr("The state_dict of the file"), usual),
            Choice(self.tr("The module of the file"), usual, "module"),
            Choice(self.tr("All classes with their text"), usual, "classes"),
            Choice(self.tr("The whole file"), usual, "file"),
        ]
        self._list_choices()
        self._work_out()

        def look(progress: Progress) -> list[tuple[str, int, bool]]:
            progress.check()
            found = [one for one in branches(document, encoding) if one.title]
            return [(one.title, len(one.branch.entries), one.branch.kind == "module") for one in found]

        self._session.start(CHOICES, look, self._found_branches)

    def _found_branches(self, found: list[tuple[str, int, bool]]) -> None:
        encoding = self._session.options.encoding
        for title, tensors, is_module in found:
            words = f"{title}: {tensors_of(tensors)}"
            wanted = Wanted(root=title, encoding=encoding)
            self._choices += [Choice(words, wanted, takes) for takes in ("tensors", "module")[: 1 + is_module]]
        document = self._document
        parts = [part.tensors for part in document.holders()] if document is not None else []
        # Those of a set are not looked at for this: there may be a million.
        every = parts[0] if len(parts) == 1 else tuple(chain.from_iterable(parts))
        words = self.tr("All of the file: {0}").format(tensors_of(len(every)))
        self._choices.append(Choice(words, Wanted(tensors=every)))
        self._list_choices()

    def _list_choices(self) -> None:
        """The choices that the form can take; what was chosen stays if it can."""
        at = self.what.currentIndex()
        before = self._offered[at] if 0 <= at < len(self._offered) else None
        self._offered = [choice for choice in self._choices if choice.takes == self.exporter.takes]
        self.what.blockSignals(True)
        self.what.clear()
        self.what.addItems([choice.words for choice in self._offered])
        self.what.setCurrentIndex(self._offered.index(before) if before in self._offered else 0)
        self.what.blockSignals(False)
        self.what.setEnabled(len(self._offered) > 1)

    def _work_out(self) -> None:
        """Ask the exporter what it would write, off the GUI thread."""
        document, at = self._document, self.what.currentIndex()
        if document is None or at < 0:
            return
        exporter = self.exporter
        wanted = replace(self._offered[at].wanted, supplied=self._session.code.supplied)
        self._drop_plan()

        def work(progress: Progress) -> Plan:
            return exporter.plan(document, replace(wanted, progress=progress))

        self._session.start(PLANNING, work, self._planned, self._refused)
        self._judge()

    def _drop_plan(self) -> None:
        plan, self._plan = self._plan, None
        let_go(self._session.jobs, plan)

    def _planned(self, plan: Plan) -> None:
        self._plan = plan
        self.report.setPlainText("\n".join(lines(plan)))
        if not self._named:
            self.target.setText(str(self._folder / self._usual_name(plan)))
        self._judge()

    def _refused(self, failure: Exception) -> None:
        """The form cannot be written of what was chosen."""
        self.report.clear()
        self._judge(of_failure(failure))

    # -- where ------------------------------------------------------------------------------------

    def _usual_name(self, plan: Plan) -> str:
        stem = self._stem()
        branch = "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in plan.title)
        if self.exporter.folder:
            return f"{stem}_{self.exporter.form}"
        middle = f"_{branch}" if branch else "_state" if self.exporter.form == "state_dict" else ""
        middle = middle if self.exporter.by_suffix else f"_{self.exporter.form}"
        return f"{stem}{middle}{self._suffix}"

    def _stem(self) -> str:
        root = self._session.root
        return self._session.title if root is not None and root.files else self._session.path.stem

    @property
    def _suffix(self) -> str:
        """The usual one of the form, "" where it writes a folder."""
        return self.exporter.suffixes[0] if self.exporter.suffixes else ""

    def _form_changed(self, on: bool) -> None:
        if not on:
            return
        self._list_choices()
        path = Path(self.target.text())
        if self._named and path.name and path.suffix.lower() not in (self.exporter.suffixes or ("",)):
            self.target.setText(str(path.with_suffix(self._suffix)))
        self._work_out()

    def _target_edited(self) -> None:
        self._named = True
        self.replace.setChecked(False)
        self._judge()

    def _choose_target(self) -> None:
        name = self._chosen_folder() if self.exporter.folder else self._chosen_file()
        if name:
            self.target.setText(name)
            self._target_edited()

    def _chosen_file(self) -> str:
        patterns = " ".join(f"*{suffix}" for suffix in self.exporter.suffixes)
        name, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Write to"),
            self.target.text(),
            f"{said(self.exporter.title)} ({patterns})",
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        path = Path(name)
        return str(path if path.suffix else path.with_suffix(self._suffix)) if name else ""

    def _chosen_folder(self) -> str:
        """A folder that is empty is written itself; in any other a new one is proposed."""
        above = str(Path(self.target.text()).parent) if self.target.text() else str(self._folder)
        name = QFileDialog.getExistingDirectory(self, self.tr("Write to a folder in"), above)
        if not name or not holds_files(Path(name)):
            return name
        return str(Path(name) / self._usual_name(self._plan)) if self._plan is not None else name

    def _judge(self, fault: object = "") -> None:
        """Say what stands against writing; the button is on when nothing does."""
        text = self.target.text().strip()
        is_folder = self.exporter.folder
        stands = bool(text) and (holds_files(Path(text)) if is_folder else self._stands(Path(text)))
        self.replace.setVisible(stands)
        self.replace.setText(
            self.tr("Replace the export that stands there")
            if is_folder
            else self.tr("Replace the file that stands there")
        )
        words = fault if isinstance(fault, str) else ""
        if not words and self._plan is not None:
            words = self._against(bool(text), stands and not self.replace.isChecked())
        self.fault.setText(words)
        self.fault_icon.setVisible(bool(words))
        self.go.setEnabled(self._plan is not None and not words)
        if self._plan is not None:
            self.go.setText(self.tr("Export {0}").format(written_of(self._plan)))

    def _stands(self, path: Path) -> bool:
        """True where a file would be replaced, the one that is written beside it included."""
        beside = self.exporter.beside(self._plan, path) if self._plan is not None else None
        return path.is_file() or (beside is not None and beside.path.is_file())

    def _against(self, named: bool, stands: bool) -> str:
        """What is wrong with the target, "" for nothing. `stands`: something is there and is not to be replaced."""
        if self.exporter.folder:
            if not named:
                return self.tr("Write the name of a folder.")
            return self.tr("That folder holds files. Choose another, or replace an export in it.") if stands else ""
        if not named:
            return self.tr("Write the name of a file.")
        return self.tr("A file of that name exists. Choose another name, or replace it.") if stands else ""

    def _accept(self) -> None:
        if self._plan is not None:
            target = Path(self.target.text().strip())
            self.order = Order(self.exporter, self._plan, target, self.replace.isChecked(), self.verify.isChecked())
            self.accept()

    @override
    def done(self, result: int) -> None:
        for key in (CHOICES, PLANNING):
            self._session.jobs.cancel(key)
        if self.order is None:
            self._drop_plan()
        super().done(result)


def holds_files(folder: Path) -> bool:
    """True for what would have to be replaced by a folder: a file, or a folder that is not empty."""
    try:
        return folder.is_file() or any(folder.iterdir())
    except OSError:
        return False


def muted(text: str) -> QLabel:
    """Words that stand back."""
    label = QLabel(text)
    label.setProperty("muted", True)
    return label
