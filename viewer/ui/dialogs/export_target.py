"""Where an export goes: the field, the file chooser, and leave to replace what stands there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from viewer.core.export.base import Exporter
from viewer.core.export.plan import Plan
from viewer.ui.measures import keep_lengths, keep_mono
from viewer.ui.theme import Theme
from viewer.ui.words import said


class TargetField(QWidget):
    """The target of one form. `proposed`: a name to fall back on; what the person typed stays.

    changed: another target, or leave to replace it.
        Signal()
    """

    changed = Signal()

    def __init__(self, theme: Theme, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._exporter: Exporter | None = None
        self._proposed = ""
        self.is_named = False
        self.field = QLineEdit()
        self.field.setAccessibleName(self.tr("Write to"))
        keep_mono(theme, self.field)
        self.field.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.choose = QPushButton(self.tr("Choose…"))
        self.replace = QCheckBox()
        label = QLabel(self.tr("Write to"))
        label.setBuddy(self.field)
        grid = QGridLayout(self)
        keep_lengths(theme, grid.setContentsMargins, 16, 12, 16, 12)
        keep_lengths(theme, grid.setHorizontalSpacing, 8)
        keep_lengths(theme, grid.setVerticalSpacing, 6)
        grid.setColumnStretch(1, 1)
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.field, 0, 1)
        grid.addWidget(self.choose, 0, 2)
        grid.addWidget(self.replace, 1, 1, 1, 2)
        self.field.textEdited.connect(self._edited)
        self.choose.clicked.connect(self._ask)
        self.replace.toggled.connect(lambda: self.changed.emit())
        self.replace.hide()

    def fields(self) -> list[QWidget]:
        """All that takes the keyboard, in its order."""
        return [self.field, self.choose, self.replace]

    @property
    def path(self) -> Path:
        """What stands in the field."""
        return Path(self.field.text().strip())

    def set_form(self, exporter: Exporter) -> None:
        """Another form: a name that was typed gets its suffix."""
        self._exporter = exporter
        path = Path(self.field.text())
        suffixes = exporter.suffixes or ("",)
        if self.is_named and path.name and path.suffix.lower() not in suffixes:
            self.field.setText(str(path.with_suffix(suffixes[0])))

    def propose(self, name: str) -> None:
        """The usual name of what is exported."""
        self._proposed = name
        if not self.is_named:
            self.field.setText(str(self._folder / name))

    def against(self, plan: Plan) -> str:
        """What is wrong with the target, "" for nothing; offers to replace what stands there."""
        exporter, text = self._exporter, self.field.text().strip()
        if exporter is None:
            return ""
        stands = bool(text) and (holds_files(self.path) if exporter.folder else is_taken(exporter, plan, self.path))
        self.replace.setVisible(stands)
        words = self.tr("Replace the export that stands there"), self.tr("Replace the file that stands there")
        self.replace.setText(words[0] if exporter.folder else words[1])
        refused = stands and not self.replace.isChecked()
        if exporter.folder:
            if not text:
                return self.tr("Write the name of a folder.")
            return self.tr("That folder holds files. Choose another, or replace an export in it.") if refused else ""
        if not text:
            return self.tr("Write the name of a file.")
        return self.tr("A file of that name exists. Choose another name, or replace it.") if refused else ""

    def _edited(self) -> None:
        self.is_named = True
        self.replace.setChecked(False)
        self.changed.emit()

    def _ask(self) -> None:
        exporter = self._exporter
        name = "" if exporter is None else self._asked_folder() if exporter.folder else self._asked_file(exporter)
        if name:
            self.field.setText(name)
            self._edited()

    def _asked_file(self, exporter: Exporter) -> str:
        patterns = " ".join(f"*{suffix}" for suffix in exporter.suffixes)
        name, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Write to"),
            self.field.text(),
            f"{said(exporter.title)} ({patterns})",
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        path = Path(name)
        return str(path if path.suffix else path.with_suffix(exporter.suffixes[0])) if name else ""

    def _asked_folder(self) -> str:
        """A folder that is empty is written itself; in any other a new one is proposed."""
        above = str(Path(self.field.text()).parent) if self.field.text() else str(self._folder)
        name = QFileDialog.getExistingDirectory(self, self.tr("Write to a folder in"), above)
        if not name or not holds_files(Path(name)):
            return name
        return str(Path(name) / self._proposed) if self._proposed else name


def holds_files(folder: Path) -> bool:
    """True for what would have to be replaced by a folder: a file, or a folder that is not empty."""
    try:
        return folder.is_file() or any(folder.iterdir())
    except (OSError, ValueError):
        return False


def is_taken(exporter: Exporter, plan: Plan, path: Path) -> bool:
    """True where a file would be replaced, the one that is written beside it included."""
    try:
        beside = exporter.beside(plan, path)
        return path.is_file() or (beside is not None and beside.path.is_file())
    except (OSError, ValueError):
        return False


def usual_name(exporter: Exporter, plan: Plan, stem: str) -> str:
    """What a target is called where nobody says it: after the file, the branch, the form."""
    branch = "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in plan.title)
    if exporter.folder:
        return f"{stem}_{exporter.form}"
    middle = f"_{branch}" if branch else "_state" if exporter.form == "state_dict" else ""
    middle = middle if exporter.by_suffix else f"_{exporter.form}"
    return f"{stem}{middle}{exporter.suffixes[0] if exporter.suffixes else ''}"
