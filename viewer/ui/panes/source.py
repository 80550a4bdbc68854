"""Source: the text that the file stores of its classes, line by line beside its bytes."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.errors import ViewerError
from viewer.core.export.atomic import FileId, check_target, whole_or_absent
from viewer.core.objects.describe import class_name
from viewer.core.source import FileSource
from viewer.core.tensors.path import Attribute
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.pane import Area, Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.code_text import CodeText
from viewer.ui.words import tip
from viewer.wording import QT_TRANSLATE_NOOP

MOST_LOOKED_AT: Final = 1000
LONGEST_NAME: Final = 26


class SourcePane(Pane):
    """One class at a time: its stored text, the file it came from, its place in this file."""

    key: ClassVar[str] = "source"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("panes", "Source")
    icon: ClassVar[str] = "source"
    area: ClassVar[Area] = Area.RIGHT
    order: ClassVar[int] = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._sources: list[EmbeddedSource] = []
        self.classes = QComboBox(self)
        self.classes.setFont(theme.mono())
        self.classes.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.classes.setMinimumContentsLength(LONGEST_NAME)
        self.classes.setAccessibleName(self.tr("Class"))
        self.classes.activated.connect(self._chosen)
        self.count = QLabel(self)
        self.place = QLabel(self)
        self.text = CodeText(theme, self)
        self.text.line_chosen.connect(self._line_chosen)
        self.file = QLabel(self)
        self.file.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = QPushButton(self.tr("Copy"), self)
        self.copy.clicked.connect(self.copy_source)
        self.save = QPushButton(self.tr("Save this text"), self)
        self.save.clicked.connect(self.save_source)
        self.empty = QLabel(self)
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty.setMargin(theme.px(16))
        self._build()
        self.show_document()

    def _build(self) -> None:
        px = self.theme.px
        head = QHBoxLayout()
        head.setContentsMargins(px(12), px(6), px(12), px(6))
        head.setSpacing(px(8))
        head.addWidget(self.classes, 3)
        head.addWidget(self.count)
        head.addStretch(1)
        head.addWidget(self.place)
        foot = QHBoxLayout()
        foot.setContentsMargins(px(12), px(6), px(12), px(6))
        foot.setSpacing(px(8))
        foot.addWidget(self.file, 1)
        foot.addWidget(self.copy)
        foot.addWidget(self.save)
        full = QWidget(self)
        column = QVBoxLayout(full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        self.bodies = QStackedWidget(full)
        self.missing = QLabel(full)
        self.missing.setWordWrap(True)
        self.missing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.missing.setMargin(px(16))
        self.bodies.addWidget(self.text)
        self.bodies.addWidget(self.missing)
        column.addWidget(self.bodies, 1)
        column.addLayout(foot)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(full)
        self.pages.addWidget(self.empty)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)
        self._colour()

    def _colour(self) -> None:
        muted = f"color: {self.theme.color('muted').name()}"
        for label in (self.count, self.place, self.file):
            label.setStyleSheet(muted)
        self.place.setFont(self.theme.mono("small"))
        self.file.setFont(self.theme.mono("small"))

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.text.set_theme(theme)
        self._colour()

    @override
    def focus_target(self) -> QWidget:
        return self.text if self._sources else self

    # -- document and selection -------------------------------------------------------------------

    @override
    def show_document(self) -> None:
        document = self.session.document
        self._sources = list(document.sources) if document is not None else []
        self.classes.clear()
        for number, source in enumerate(self._sources):
            self.classes.addItem(_end_of(source.name))
            words = tip(f"{source.name}\n{source.file or ''}")
            self.classes.setItemData(number, words, Qt.ItemDataRole.ToolTipRole)
        held = sum(source.text is not None for source in self._sources)
        self.badge_changed.emit(str(held) if held else "")
        self.pages.setCurrentIndex(0 if self._sources else 1)
        self.empty.setText(self._empty_words() if document is not None else "")
        if self._sources:
            self._show(self._first_of_person())

    @override
    def show_selection(self, selection: Selection) -> None:
        code = selection.code
        if code is None:
            code = self._code_of_value(selection)
        if code is None or code >= len(self._sources):
            self.text.link_line(None)
            return
        if code != self.classes.currentIndex():
            self._show(code)
        self.text.link_line(selection.line)

    def _code_of_value(self, selection: Selection) -> int | None:
        """The class of a selected module: the source whose persistent id made its class."""
        document = self.session.document
        if selection.value is None or document is None or not self._sources:
            return None
        name = class_name(document.pickles[selection.value.pickle].values, selection.value.value)
        return next((number for number, source in enumerate(self._sources) if source.name == name), None)

    def _first_of_person(self) -> int:
        """The first class that is not torch's own: what people come for."""
        own = (number for number, source in enumerate(self._sources) if not source.name.startswith("torch."))
        return next((number for number in own if self._sources[number].text is not None), 0)

    def _show(self, number: int) -> None:
        source = self._sources[number]
        self.classes.setCurrentIndex(number)
        self.count.setText(self.tr("class {number} of {count}").format(number=number + 1, count=len(self._sources)))
        self.place.setText(str(source.span) if source.span is not None else "")
        self.file.setText(_elided(source.file or ""))
        self.file.setToolTip(tip(source.file or ""))
        self.copy.setEnabled(source.text is not None)
        self.save.setEnabled(source.text is not None)
        if source.text is None:
            title = self.tr("No source of this class")
            words = self.tr("The file names the class, but its source text was not at hand when the model was saved.")
            self.missing.setText(f"<b>{title}</b><br>{words}")
            self.bodies.setCurrentWidget(self.missing)
        else:
            self.text.set_text(source.text)
            self.bodies.setCurrentWidget(self.text)

    def _empty_words(self) -> str:
        document = self.session.document
        title = self.tr("No source in this file")
        words = self.tr("A state dict holds values only. The classes are not stored with it.")
        if document is not None and document.format == "torch-zip" and self._holds_module():
            words = self.tr(
                "The zip form stores no source. Only the legacy form, before torch 1.6, kept the text of classes."
            )
        return f"<b>{title}</b><br>{words}"

    def _holds_module(self) -> bool:
        document = self.session.document
        parts = Attribute("_parameters"), Attribute("_buffers")
        return document is not None and any(
            part in tensor.path for tensor in document.tensors[:MOST_LOOKED_AT] for part in parts
        )

    # -- what the person does ---------------------------------------------------------------------

    def _chosen(self, number: int) -> None:
        self._show(number)
        self.session.select_line(number, None, self.key)

    def _line_chosen(self, line: int) -> None:
        if self._sources:
            self.session.select_line(self.classes.currentIndex(), line, self.key)
            self.text.link_line(line)

    def copy_source(self) -> None:
        """Put the whole stored text on the clipboard."""
        text = self._sources[self.classes.currentIndex()].text if self._sources else None
        if text is not None:
            QApplication.clipboard().setText(text)

    def save_source(self) -> None:
        """Ask for a file and write the stored text into it, byte for byte."""
        source = self._sources[self.classes.currentIndex()]
        proposed = str(self.session.path.parent / f"{source.name.rsplit('.', 1)[-1]}.py")
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Save this text"), proposed, self.tr("Python (*.py)"))
        if chosen:
            self.save_to(Path(chosen))

    def save_to(self, target: Path) -> None:
        """Write the text of the class that is shown."""
        source = self._sources[self.classes.currentIndex()]
        document = self.session.document
        if document is None or source.text is None:
            return
        try:
            place = check_target(target, overwrite=True, kept=self._open_files())
            with whole_or_absent(place, overwrite=True) as file:
                file.write(self._stored_bytes(source))
        except ViewerError as failure:
            self.message.emit("error", self.tr("The text was not saved"), str(failure))
            return
        self.message.emit("done", self.tr("Saved {name}").format(name=target.name), str(target))

    def _open_files(self) -> tuple[FileId, ...]:
        """The file that must stay as it is."""
        source = self.session.source
        if not isinstance(source, FileSource):
            return ()
        return (FileId(source.identity.device, source.identity.inode),)

    def _stored_bytes(self, source: EmbeddedSource) -> bytes:
        """The bytes as they stand in the file; made from the text where they stand in no part of it."""
        bytes_of = self.session.source
        if source.span is not None and bytes_of is not None:
            return bytes_of.read(source.span.start, source.span.length)
        return (source.text or "").encode("utf-8", "surrogatepass")


def _end_of(name: str) -> str:
    """A class name that fits: of long ones the start of the module's path goes."""
    return name if len(name) <= LONGEST_NAME else f"\u2026{name[1 - LONGEST_NAME :]}"


def _elided(path: str) -> str:
    """A stored path with its middle left out, so that the file's name stays in sight."""
    return path if len(path) <= 48 else f"{path[:14]}\u2026{path[-33:]}"
