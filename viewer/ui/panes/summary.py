"""Summary: what the file is, what it holds, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QApplication,
    QFormLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.problem import Problem, Severity
from viewer.core.progress import Progress
from viewer.core.summary.facts import Facts, Tally, facts
from viewer.core.summary.import_facts import dangerous_calls, odd_calls
from viewer.core.summary.prediction import Prediction, predict
from viewer.core.summary.versions import Conversion, conversions
from viewer.core.tensors.tensor import ValueRef
from viewer.session.session import Session
from viewer.session.torch_answers import torch_answers
from viewer.ui.measures import keep_lengths, keep_rows
from viewer.ui.models.cells import Cell, Piece, mono, number
from viewer.ui.models.kind_help import kind_of, line_for
from viewer.ui.models.reading_words import encoding_words, order_words
from viewer.ui.models.remedies import Remedy, of_file
from viewer.ui.models.table_model import RowsModel
from viewer.ui.models.version_words import writer_words
from viewer.ui.pane import Pane
from viewer.ui.spoken import tell_as
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.answer_line import AnswerLine
from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.widgets.import_alarm import ImportAlarm
from viewer.ui.widgets.kind_section import KindSection
from viewer.ui.widgets.labels import beside_icon
from viewer.ui.widgets.loading_section import LoadingSection
from viewer.ui.widgets.rows import ROW, RowTable
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import as_written, count, joined, said, size
from viewer.wording.facts import STEPS

JOB: Final = "summary"
MOST_NAMED: Final = 6
MOST_REMEDIES: Final = 2
ROWS_SHOWN: Final = 8
STEP_ICONS: Final = {
    "export": "export",
    "rescue": "rescue",
    "recovery": "rescue",
    "source": "source",
    "copy-code": "copy",
}
Known = tuple[Facts, Prediction, list[str], list[Conversion], list[str]]


class SummaryPane(Pane):
    """Title, sentences, next steps as buttons, facts, keys of the root."""

    key: ClassVar[str] = "summary"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.facts: Facts | None = None
        self._asked: Document | None = None
        self.prediction: Prediction | None = None
        self.calls: list[str] = []
        self.conversions: list[Conversion] = []
        self.area_widget = QScrollArea(self)
        inner = QWidget(self.area_widget)
        self.area_widget.setWidget(inner)
        self.heading = WrappedLabel(parent=inner)
        self.writer = WrappedLabel(parent=inner)
        self.holds = WrappedLabel(parent=inner)
        self.kind = KindSection(theme, inner)
        self.kind.copy_wanted.connect(self._copy_line)
        self.steps = FlowLayout()
        self.form = QFormLayout()
        self.dangerous: list[str] = []
        self.imports = ImportAlarm(theme, inner)
        self.imports.link.clicked.connect(lambda: self.asks.emit("pane.imports"))
        self.findings = QPushButton(inner)
        self.findings.setProperty("link", True)
        self.findings.setProperty("flush", True)
        self.findings.hide()
        self.findings.clicked.connect(self._see_source)
        self.loading = LoadingSection(theme, inner)
        self.loading.follow(torch_answers(session))
        self.loading.place_chosen.connect(self._select_place)
        self.loading.opcode_chosen.connect(self._select_opcode)
        self.loading.copy_wanted.connect(self._copy_code)
        self.answer = AnswerLine(theme, inner)
        self.answer.link.clicked.connect(self._see_loading)
        self.keys_title = QLabel(self.tr("Keys"), inner)
        headers = [self.tr("Key"), self.tr("Type"), self.tr("Tensors"), self.tr("Bytes")]
        self.keys_model = RowsModel(headers, self._key_cell, frozenset({2, 3}), self)
        self.keys = RowTable(theme, inner)
        self.keys.setModel(self.keys_model)
        self.keys.setAccessibleName(self.keys_title.text())
        self._build(inner)
        self._style()
        session.checks.changed.connect(self._show_findings)
        self._show_findings()
        self.show_document()

    def _build(self, inner: QWidget) -> None:
        column = QVBoxLayout(inner)
        keep_lengths(self.theme, column.setContentsMargins, 16, 14, 16, 14)
        keep_lengths(self.theme, column.setSpacing, 10)
        for widget in (self.heading, self.writer, self.holds, self.kind, self.imports):
            column.addWidget(widget)
        keep_lengths(self.theme, self.steps.setSpacing, 6)
        column.addLayout(self.steps)
        column.addWidget(self.answer)
        keep_lengths(self.theme, self.form.setHorizontalSpacing, 16)
        keep_lengths(self.theme, self.form.setVerticalSpacing, 4)
        column.addLayout(self.form)
        column.addWidget(self.findings, 0, Qt.AlignmentFlag.AlignLeft)
        for below in (self.loading, self.keys_title, self.keys):
            column.addWidget(below)
        column.addStretch(1)
        header = self.keys.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for number_, width in ((1, 130), (2, 64), (3, 84)):
            self.keys.setColumnWidth(number_, self.theme.px(width))
        self.keys.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area = self.area_widget
        tell_as(area, QAccessible.Role.Pane)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(self.tr("Summary"))
        self.loading.torch_spoke.connect(area.ensureWidgetVisible)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    def _style(self) -> None:
        theme = self.theme
        self.heading.setFont(theme.text("title"))
        self.writer.setStyleSheet(f"color: {theme.color('muted').name()}")
        self.keys_title.setFont(theme.text("heading"))

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._style()
        self.keys.set_theme(theme)
        self.imports.set_theme(theme)
        self._show()

    @override
    def focus_target(self) -> QWidget:
        return self.area_widget

    @override
    def show_document(self) -> None:
        document, encoding = self.session.document, self.session.options.text_encoding
        if document is not None and document is self._asked and self.session.jobs.is_running(JOB):
            return  # A pane is shown its document by who made it too.
        self._asked = document
        self.facts, self.prediction, self.calls, self.conversions, self.dangerous = None, None, [], [], []
        self.session.checks.look_at(document, self.session.options.encoding)
        self._show()
        if document is None:
            return

        def work(progress: Progress) -> Known:
            progress.check()
            told = facts(document, encoding), predict(document, encoding, progress)
            converted = conversions(document.content, encoding)
            return *told, odd_calls(document), converted, dangerous_calls(document, encoding, progress)

        self.session.jobs.start(JOB, work, self._ready)

    def _ready(self, result: Known) -> None:
        self.facts, self.prediction, self.calls, self.conversions, self.dangerous = result
        self._show()

    # -- showing ----------------------------------------------------------------------------------

    def _show(self) -> None:
        # A style sheet above takes fonts back that were set before the pane stood under it.
        self._style()
        found = self.facts
        self.steps.clear()
        while self.form.rowCount():
            self.form.removeRow(0)
        shown = found is not None
        for widget in (self.writer, self.holds, self.keys_title, self.keys):
            widget.setVisible(shown)
        self.loading.show_prediction(self.theme, self.prediction, self.session.document)
        self.loading.show_conversions(self.theme, self.conversions)
        self.imports.show_calls(self.dangerous)
        self.heading.setText("" if found is None else said(found.title.text, found.title.params))
        document = self.session.document
        if found is None or document is None:
            self.kind.show_kind(self.theme, None, "")
            self.answer.show_answer(self.theme, None)
            return
        kind = kind_of(document)
        self.kind.show_kind(self.theme, kind, line_for(document, self.session.path))
        self.holds.setVisible(kind is None)
        asked = self.prediction is not None and kind is None and document.content.format.startswith("torch")
        self.answer.show_answer(self.theme, self.prediction.answers[0] if self.prediction and asked else None)
        written = self.tr("Written by {name}").format(name=writer_words(found.written_by)) if found.written_by else ""
        self.writer.setText(" \u00b7 ".join(part for part in (written, as_written(found.detail or "")) if part))
        self.writer.setVisible(bool(self.writer.text()))
        self.holds.setText("\n".join(said(line.text, line.params) for line in found.holds))
        steps = [step for step in found.steps if step != "copy-code"]
        if self.prediction is not None and self.prediction.code is not None:
            steps.append("copy-code")
        for step in steps:
            self._add_step(step, primary=step == steps[0])
        for remedy in self._remedies():
            self._add_button(remedy.words, remedy.icon, remedy.act, primary=not steps)
        for title, text in self._facts(found, document, kind):
            self._add_fact(title, text)
        self._show_keys(found)

    def _show_findings(self) -> None:
        """How the objects fit the texts of their classes: one line that leads to them."""
        found = len(self.session.checks.findings)
        words = (
            self.tr("Objects and their classes: 1 finding")
            if found == 1
            else self.tr("Objects and their classes: {0} findings").format(count(found))
        )
        self.findings.setText(words)
        self.findings.setVisible(found > 0)

    def _show_keys(self, found: Facts) -> None:
        self.keys_model.set_rows(len(found.keys))
        rows = min(len(found.keys), ROWS_SHOWN)
        keep_rows(self.theme, self.keys, rows, ROW, 30)
        for widget in (self.keys_title, self.keys):
            widget.setVisible(bool(found.keys))
        more = found.key_count - len(found.keys)
        words = self.tr("Keys, the first {count} of {all}").format(count=len(found.keys), all=count(found.key_count))
        self.keys_title.setText(words if more > 0 else self.tr("Keys"))

    def _add_step(self, step: str, *, primary: bool) -> None:
        self._add_button(said(STEPS[step]), STEP_ICONS[step], self._step_of(step), primary=primary)

    def _add_button(self, words: str, sign: str, act: Callable[[], None], *, primary: bool) -> None:
        button = QPushButton(beside_icon(words), self)
        button.setProperty("primary", primary)
        button.setIcon(icon(self.theme, sign, "on_selection" if primary else "muted"))
        button.clicked.connect(lambda: act())
        self.steps.addWidget(button)

    def _remedies(self) -> list[Remedy]:
        """What a click can do about the problems of the file; what only copies stands in the section on the kind."""
        found = [remedy for remedy in of_file(self.session, self.session.documents) if not remedy.copies]
        return found[:MOST_REMEDIES]

    def _step_of(self, step: str) -> Callable[[], None]:
        steps: dict[str, Callable[[], None]] = {
            "export": self._export,
            "rescue": self._rescue,
            "recovery": self._recover,
            "source": self._see_source,
            "copy-code": self._copy_code,
        }
        return steps[step]

    def _add_fact(self, title: str, text: str) -> None:
        name = QLabel(title, self)
        name.setStyleSheet(f"color: {self.theme.color('muted').name()}")
        value = WrappedLabel(text, self)
        for label in (name, value):
            label.setMinimumHeight(label.fontMetrics().height())
        self.form.addRow(name, value)

    def _facts(self, found: Facts, document: Document, kind: Problem | None) -> Iterator[tuple[str, str]]:
        yield self.tr("Size"), count(found.size)
        if found.root:
            yield self.tr("Root"), found.root
        if found.tensors:
            yield self.tr("Tensors"), self._tensors(found)
            yield self.tr("Parameters"), self._parameters(found)
        if found.buffers:
            yield self.tr("Buffers"), f"{count(found.buffers)} ({size(found.buffer_bytes)})"
        if found.dtypes:
            yield self.tr("dtypes"), _tallies(found.dtypes)
        if found.locations:
            yield self.tr("Devices"), _tallies(found.locations)
        if found.byteorder:
            yield self.tr("Byte order"), order_words(self.session, document.content)
        if self.session.python2_text:
            yield self.tr("Python 2 text"), encoding_words(self.session)
        if kind is None:
            yield self.tr("Source"), self._source(found)
        yield self.tr("Problems"), self._problems(found)
        if self.calls and not (self.prediction and self.prediction.refusals):
            yield self.tr("Loading calls"), _some(self.calls)

    def _tensors(self, found: Facts) -> str:
        words = self.tr("{count}, {inside} of them in files inside") if found.tensors_inside else "{count}"
        return words.format(count=count(found.tensors), inside=count(found.tensors_inside))

    def _parameters(self, found: Facts) -> str:
        text = f"{count(found.parameters)} ({size(found.parameter_bytes)})"
        if found.unique_parameters != found.parameters:
            words = self.tr("{count} of them stored once under several names")
            text += "; " + words.format(count=count(found.parameters - found.unique_parameters))
        return text

    def _source(self, found: Facts) -> str:
        if found.stored_sources == 1:
            return self.tr("1 class with its text")
        if found.stored_sources:
            return self.tr("{count} classes with their text").format(count=found.stored_sources)
        if found.bare_classes == 1:
            return self.tr("1 class without its text")
        if found.bare_classes:
            return self.tr("{count} classes without their text").format(count=found.bare_classes)
        return self.tr("not stored")

    def _problems(self, found: Facts) -> str:
        names = {
            Severity.ERROR: self.tr("errors"),
            Severity.WARNING: self.tr("warnings"),
            Severity.NOTE: self.tr("notes"),
        }
        parts = [
            f"{names[severity]} {count(found.problems[severity])}" for severity in names if found.problems.get(severity)
        ]
        return joined(parts) or self.tr("none found")

    def _key_cell(self, row: int, column: int) -> Cell:
        if self.facts is None:
            return Cell()
        fact = self.facts.keys[row]
        if column == 0:
            known = fact.meaning
            beside = Piece(fact.preview, mono=True, color="muted", small=True)
            if known is not None:
                beside = Piece(said(known.text, known.params), color="muted", small=True)
            return Cell((Piece(fact.key, mono=True), beside))
        if column == 1:
            return mono(fact.type.rsplit(".", 1)[-1], "muted")
        value = fact.tensors if column == 2 else fact.nbytes
        return number(count(value) if value else "")

    # -- what the person does ---------------------------------------------------------------------

    def _export(self) -> None:
        self.asks.emit("file.export_state_dict")

    def _rescue(self) -> None:
        self.asks.emit("file.rescue")

    def _recover(self) -> None:
        self.asks.emit("file.export_recovery")

    def _select_place(self, pickle: int, value: int) -> None:
        self.session.select_value(ValueRef(pickle, value), self.key)

    def _select_opcode(self, pickle: int, opcode: int) -> None:
        self.session.select_opcode(ValueRef(pickle, opcode), self.key)

    def _see_loading(self) -> None:
        """All that stops torch.load, from the top of the pane on."""
        self.area_widget.verticalScrollBar().setValue(self.loading.y())

    def _see_source(self) -> None:
        self.asks.emit("pane.source")

    def _copy_line(self, line: str) -> None:
        QApplication.clipboard().setText(line)
        self.message.emit("done", self.tr("The line is on the clipboard"), "")

    def _copy_code(self) -> None:
        if self.prediction is not None and self.prediction.code is not None:
            QApplication.clipboard().setText(self.prediction.code)
            self.message.emit("done", self.tr("The loading code is on the clipboard"), "")


def _some(names: list[str]) -> str:
    """The first names, and a sign that there are more."""
    return ", ".join(names[:MOST_NAMED]) + (" \u2026" if len(names) > MOST_NAMED else "")


def _tallies(tallies: list[Tally]) -> str:
    shown = [f"{tally.name} {count(tally.count)} ({size(tally.nbytes)})" for tally in tallies[:MOST_NAMED]]
    return ", ".join(shown) + (" \u2026" if len(tallies) > MOST_NAMED else "")
