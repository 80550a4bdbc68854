"""Source: the classes of a file with their texts, line by line beside their bytes, and where each is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.findings import Finding
from viewer.core.code.supplied import SuppliedFile
from viewer.core.problem import Severity
from viewer.core.progress import Progress
from viewer.core.source import one_line, printable
from viewer.core.summary.classes import Classes, ClassRow, Place, Text, holds_modules
from viewer.core.tensors.tensor import ValueRef
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.models.class_findings import line_of
from viewer.ui.models.class_of_selection import Spot, spot_of
from viewer.ui.models.outside_texts import place_of, with_outside
from viewer.ui.models.source_words import above_text, of_fault, without_classes, without_text
from viewer.ui.models.text_saving import file_name, save_text
from viewer.ui.pane import Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.class_lists import ClassList
from viewer.ui.widgets.code_reading import Reading
from viewer.ui.widgets.code_text import Mark
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.source_checks import SourceChecks
from viewer.ui.widgets.source_foot import SourceFoot
from viewer.ui.widgets.source_head import SourceHead
from viewer.ui.widgets.source_origin import SourceOrigin
from viewer.ui.widgets.source_text import SourceText, paragraphs
from viewer.ui.widgets.split import Split
from viewer.ui.widgets.text_find import find_all
from viewer.ui.widgets.text_readings import TextReadings
from viewer.ui.words import count, span_text

FIND_JOB: Final = "source find"
WIDE: Final = 720
LIST_WIDTH: Final = 290


class SourcePane(Pane):
    """A class, one of its texts, and all other classes to choose from."""

    key: ClassVar[str] = "source"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._classes = Classes()
        self._row = self._number = -1
        self._spot: Spot | None = None
        self._readings = TextReadings(session.jobs, self)
        self._reading = Reading()
        # Each part is made where it stands: moving what is finished takes Qt long.
        self.pages = QStackedWidget(self)
        self.split = Split(Qt.Orientation.Horizontal, self.pages)
        self.list = ClassList(theme, self.split, follows=True)
        full = QWidget(self.split)
        self.head = SourceHead(theme, full)
        self.body = SourceText(theme, full)
        self.text = self.body.text
        self.checks = SourceChecks(session, theme, self.key, full)
        self.origin = SourceOrigin(session, theme, self.key, full)
        self.foot = SourceFoot(theme, full)
        self.find_button = IconButton(theme, "find", self.tr("Find in this text"), self)
        self.copy = IconButton(theme, "copy", self.tr("Copy this text"), self)
        self.empty = QLabel(self.pages)
        self._build(full)
        self._connect()
        self.show_document()

    def _build(self, full: QWidget) -> None:
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        keep_lengths(self.theme, self.empty.setMargin, 16)
        column = QVBoxLayout(full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.head, self.body, self.checks, self.origin, self.foot):
            column.addWidget(part, int(part is self.body))
        self.split.addWidget(self.list)
        self.split.addWidget(full)
        self.split.setStretchFactor(1, 1)
        self.list.hide()
        self.pages.addWidget(self.split)
        self.pages.addWidget(self.empty)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)

    def _connect(self) -> None:
        self.head.class_chosen.connect(self._chosen)
        self.list.chosen.connect(self._chosen)
        self.head.text_chosen.connect(lambda number: self._chosen(self._row, number))
        self.head.used.chosen.connect(self._place_chosen)
        self.text.line_chosen.connect(self._line_chosen)
        self.text.part_changed.connect(self._part_changed)
        self.text.cursorPositionChanged.connect(self._cursor_moved)
        self.origin.wanted.connect(self._original_wanted)
        self.origin.stored_wanted.connect(self._stored_wanted)
        self.foot.show_all.connect(self.text.show_all)
        self.foot.next_hidden.connect(self._next_hidden)
        self.foot.save.clicked.connect(self.save_source)
        self.foot.files.clicked.connect(lambda: self.asks.emit("file.export_source"))
        self.foot.kit.clicked.connect(lambda: self.asks.emit("file.export_recovery"))
        self.find_button.clicked.connect(self.body.ask)
        self.copy.clicked.connect(self.copy_source)
        self.body.wanted.connect(self._find)
        self._readings.read.connect(self._show_reading)
        self.checks.marked.connect(self.text.set_flags)
        self.checks.judged.connect(self._judged)
        self.checks.list.chosen.connect(self._finding_chosen)
        self.checks.message.connect(self.message)
        self.session.classes.changed.connect(self._found)
        self.session.code.changed.connect(self._list)
        self.session.code.supplied_one.connect(self._supplied_one)

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        for part in (self.head, self.list, self.body, self.checks, self.origin, self.foot, self.find_button, self.copy):
            part.set_theme(theme)

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.find_button, self.copy]

    @override
    def focus_target(self) -> QWidget:
        return self.text if self._classes.rows else self

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= self.theme.px(WIDE)
        if wide and self.list.isHidden():
            room = self.theme.px(LIST_WIDTH)
            self.split.setSizes([room, max(1, self.width() - room)])
        self.list.setVisible(wide)

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        found: dict[str, Callable[[], None]] = {}
        if self.shown_text() is not None:
            found |= {
                "edit.find": self.body.ask,
                "edit.find_next": lambda: self.body.step(1),
                "edit.find_previous": lambda: self.body.step(-1),
            }
        if self._spot is not None:
            found["go.class_source"] = self.go_to_class
        if self.shown_row() is not None and self._classes.rows[self._row].places:
            found["go.first_object"] = self.go_to_object
        return found

    # -- document and selection -------------------------------------------------------------------

    @override
    def show_document(self) -> None:
        document, encoding = self.session.document, self.session.options.encoding
        self.session.jobs.cancel(FIND_JOB)
        self._readings.forget()
        self._row = self._number = -1
        self._spot = None
        self.session.checks.look_at(document, encoding)
        self.session.classes.look_at(document, encoding)
        self._list()

    def _found(self) -> None:
        self._list()
        self.show_selection(self.session.selection)

    def _list(self) -> None:
        """Show the classes; the one that is shown stays."""
        before, text = self.shown_row(), self.shown_text()
        code, counted = self.session.code, self.session.classes.counted
        self._classes = classes = with_outside(self.session.classes.classes, code.supplied, code.torch.texts)
        # As many as the line above the text counts; none where no class has a text of the file.
        self.badge_changed.emit(count(len(classes.rows)) if classes.stored else "")
        self.head.set_classes(classes, counted=counted)
        self.list.set_classes(classes, counted=counted)
        self.pages.setCurrentIndex(0 if classes.rows else 1)
        document = self.session.document
        self.empty.setText(paragraphs(*without_classes(document)) if document is not None else "")
        self._enable()
        if not classes.rows:
            return
        known = classes.row_of.get(before.name, -1) if before is not None else -1
        if known < 0:
            self._show(classes.first)
        elif text is not None and text in classes.rows[known].texts:
            self._row, self._number = known, classes.rows[known].texts.index(text)
            self._tell(known, self._number)
            self._readings.ask(text.text, classes.given)
        else:
            self._show(known)

    @override
    def show_selection(self, selection: Selection) -> None:
        """Show the class and the line of what is selected."""
        spot = self._spot = spot_of(self.session, self._classes, selection)
        if spot is None:
            self.text.link_line(None)
            return
        if spot.row != self._row or spot.text not in (None, self._number):
            self._show(spot.row, spot.text or 0)
        self.text.link_line(spot.line)

    # -- showing ----------------------------------------------------------------------------------

    def _show(self, row: int, number: int = 0) -> None:
        self._row, self._number = row, number
        self._tell(row, number)
        text = self.shown_text()
        self.body.leave()
        self._enable()
        if text is None:
            document = self.session.document
            if document is not None:
                self.body.show_words(*without_text(document, self._classes, self._classes.rows[row]))
            self._readings.ask("", frozenset())
            return
        self.body.show_text(text.text, *above_text(self._classes, text), first=text.line)
        self.text.set_flags(self.checks.marks)
        self._readings.ask(text.text, self._classes.given)

    def _tell(self, row: int, number: int) -> None:
        """Everything round the text."""
        stored, text = self._stored(), self.shown_text()
        place = span_text(stored.span) if stored is not None and stored.span is not None else ""
        self.head.show_class(row, number, place, counted=self.session.classes.counted)
        outside = text.file if text is not None else ""
        self.foot.show_file(one_line(outside or (stored.file if stored is not None else None) or ""))
        self.checks.show_class(self._classes, row, number)
        self.list.show_row(row)
        self.origin.show_text(self.shown_row(), text)

    def _show_reading(self, reading: Reading) -> None:
        self._reading = reading
        if reading.tokens:
            self.text.set_tokens(reading.tokens)
        self.text.set_names(reading.marks)
        self.foot.show_hidden(reading.hidden.count)
        self.foot.show_names(reading.missing)
        if reading.fault is not None:
            self.foot.show_fault(of_fault(reading.fault))

    def _part_changed(self) -> None:
        self.foot.show_part(*((0, 0, 0) if self.text.is_whole else (*self.text.part, self.text.line_count)))

    def _enable(self) -> None:
        text, document = self.shown_text(), self.session.document
        for button in (self.find_button, self.copy):
            button.setEnabled(text is not None)
        kit = document is not None and holds_modules(document)
        self.foot.can(save=text is not None, files=self._classes.stored > 0, kit=kit)

    def shown_row(self) -> ClassRow | None:
        """The class that is shown."""
        return self._classes.rows[self._row] if 0 <= self._row < len(self._classes.rows) else None

    def shown_text(self) -> Text | None:
        """Its text that is shown; None where it has none."""
        row = self.shown_row()
        return row.texts[self._number] if row is not None and 0 <= self._number < len(row.texts) else None

    def _stored(self) -> EmbeddedSource | None:
        """The stored source of the text that is shown; of a class without text the one that names it."""
        document, row, text = self.session.document, self.shown_row(), self.shown_text()
        code = text.code if text is not None else row.codes[0] if row is not None and row.codes else None
        return document.sources[code] if document is not None and code is not None else None

    # -- what the person does ---------------------------------------------------------------------

    def go_to_class(self) -> None:
        """Show the class of what is selected, with the keyboard in its text."""
        if self._spot is not None:
            self.show_selection(self.session.selection)
            self.asks.emit("pane.source")

    def go_to_object(self) -> None:
        """Select the first object of the class that is shown."""
        row = self.shown_row()
        if row is not None and row.places:
            self._place_chosen(row.places[0])

    def _place_chosen(self, place: Place) -> None:
        self.session.select_value(place.value, self.key)

    def _chosen(self, row: int, number: int = 0) -> None:
        self._show(row, number)
        text = self.shown_text()
        if text is not None and text.code is not None:
            self.session.select_line(text.code, None, self.key)

    def _line_chosen(self, line: int) -> None:
        text = self.shown_text()
        if text is not None and text.code is not None:
            self.session.select_line(text.code, line, self.key)
        self.text.link_line(line)

    def _cursor_moved(self) -> None:
        here = self.text.here()
        self.origin.show_place(here.line, here.column)

    def _original_wanted(self, number: int, line: int) -> None:
        self._show(self._row, number)
        self.text.link_line(line)

    def _stored_wanted(self, code: int, line: int) -> None:
        self._show(*self._classes.at[code])
        self.session.select_line(code, line, self.key)

    def _judged(self, worst: Mapping[str, Severity]) -> None:
        """Mark the classes on whose objects something was found."""
        self.head.worst = worst
        self.list.set_worst(worst)

    def _finding_chosen(self, found: Finding) -> None:
        """Select the first object that a finding is true of, and show the line that it is about."""
        document, at = self.session.document, line_of(self._classes, found)
        if document is None:
            return
        if found.value >= 0:
            self.session.select_value(ValueRef(document.main, found.value), self.key)
        if at is not None:
            if (at.row, at.text) != (self._row, self._number):
                self._show(at.row, at.text)
            self.text.link_line(at.line)

    def _supplied_one(self, file: SuppliedFile, origin: str) -> None:
        """Show a text of a file that was given here: of the shown class, else of the first that the file has."""
        if origin != self.key:
            return
        place = place_of(self._classes, file, self._row)
        if place is not None:
            self._show(*place)
        else:
            words = self.tr("It has none of the classes of this file.")
            self.message.emit("warning", self.tr("{name} is not used").format(name=printable(file.path.name)), words)

    def _next_hidden(self) -> None:
        """Choose the next line with a hidden character; after the last the first."""
        lines = self._reading.hidden.lines
        if lines:
            here = self.text.linked_line or 0
            self._line_chosen(next((line for line in lines if line > here), lines[0]))

    def _find(self, letters: str) -> None:
        lines = self.text.lines

        def work(progress: Progress) -> list[Mark]:
            return find_all(lines, letters, progress)

        self.session.jobs.start(FIND_JOB, work, self.body.show_hits)

    def copy_source(self) -> None:
        """Put the whole text on the clipboard."""
        text = self.shown_text()
        if text is not None:
            QApplication.clipboard().setText(text.text)
            self.message.emit("done", self.tr("The text is on the clipboard"), "")

    def save_source(self) -> None:
        """Ask for a file and write the text into it, byte for byte."""
        row = self.shown_row()
        if row is None or self.shown_text() is None:
            return
        proposed = str(self.session.path.absolute().parent / f"{file_name(row.qualname)}.py")
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Save this text"), proposed, self.tr("Python (*.py)"))
        if chosen:
            self.save_to(Path(chosen))

    def save_to(self, target: Path) -> None:
        """Write the text that is shown."""
        text = self.shown_text()
        if text is not None:
            self.message.emit(*save_text(self.session, text.text, self._stored(), target))
