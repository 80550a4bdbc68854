"""Compare: this file beside another one, or a branch beside another: tensors, plain values, texts of classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSizePolicy, QStackedWidget, QWidget
from typing_extensions import override

from viewer.core.comparing.comparison import Row
from viewer.core.source import printable
from viewer.session.comparing import Comparing
from viewer.session.session import Session
from viewer.ui.compare_views.classes import ClassesView
from viewer.ui.compare_views.coming_back import Wanted
from viewer.ui.compare_views.rules import RulesView
from viewer.ui.compare_views.tensors import TensorsView
from viewer.ui.compare_views.values import ValuesView
from viewer.ui.models.text_saving import file_name
from viewer.ui.pane import LowPane, Pane, kept_part, kept_words
from viewer.ui.theme import Theme
from viewer.ui.widgets.comparison_head import ComparisonHead
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.rows import sorting
from viewer.ui.widgets.segments import Segment, Segments
from viewer.ui.widgets.when_seen import WhenSeen
from viewer.ui.words import of_failure

TENSORS, VALUES, CLASSES = "tensors", "values", "classes"
CHOOSE = "tools.compare"


class ComparePane(Pane):
    """Above: the files and the views. Below: one of these."""

    key: ClassVar[str] = "compare"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.comparing = Comparing(session, self)
        self._offered: list[Session] = []
        # What was compared and looked at the last time, until there is something else.
        self._wanted: Wanted | None = None
        self._view = ""
        self._seen = WhenSeen(self, self._compare_as_before)
        self._low = low = LowPane(self)
        self.head = ComparisonHead(theme, low.body)
        segments = [
            Segment(TENSORS, self.tr("Tensors"), self.tr("Names, shapes, types and elements")),
            Segment(VALUES, self.tr("Values"), self.tr("All that is no tensor")),
            Segment(CLASSES, self.tr("Classes"), self.tr("The texts of a class, line by line")),
        ]
        self.switch = Segments(segments, self.tr("What is compared"), self)
        self.views = QStackedWidget(low.body)
        self.tensors = TensorsView(session, self.comparing, theme, self.views)
        self.values = ValuesView(session, self.comparing, theme, self.views)
        self.classes = ClassesView(session, theme, self.views)
        self.previous = IconButton(theme, "chevron-up", self.tr("Previous difference"), self)
        self.next = IconButton(theme, "chevron-down", self.tr("Next difference"), self)
        self.names = IconButton(theme, "options", self.tr("How names meet"), self)
        self.names.setCheckable(True)
        self.rules = RulesView(self.comparing, theme, low.body)
        self.rules.hide()
        self.save = IconButton(theme, "save", self.tr("Save report…"), self)
        self.tools = QStackedWidget(self)
        self.tools.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        for widgets in ([self.names, self.previous, self.next, self.save], self.classes.header_widgets()):
            self.tools.addWidget(_row(widgets, self.tools))
        for view in (self.tensors, self.values, self.classes):
            self.views.addWidget(view)
        column = low.column
        column.addWidget(self.head)
        column.addWidget(self.rules)
        column.addWidget(self.views, 1)
        self._connect()
        self.show_document()

    def _connect(self) -> None:
        self.switch.chosen.connect(self._view_chosen)
        self.tensors.chips.chosen.connect(self.kept_changed)
        self.comparing.began.connect(self.kept_changed)
        for bar in (self.tensors.filter, self.values.filter):
            bar.field.textChanged.connect(self.kept_changed)
        self.tensors.table.horizontalHeader().sortIndicatorChanged.connect(self.kept_changed)
        self.head.other_chosen.connect(self._other_chosen)
        self.head.roots_chosen.connect(self._roots_chosen)
        self.head.swap_asked.connect(self.comparing.swap)
        self.tensors.chosen.connect(self._row_chosen)
        self.tensors.element_chosen.connect(self._element_chosen)
        self.tensors.choose_asked.connect(lambda: self.asks.emit(CHOOSE))
        self.classes.message.connect(self.message)
        self.names.toggled.connect(self._show_rules)
        self.save.clicked.connect(self.save_report)
        self.previous.clicked.connect(partial(self.tensors.step, -1))
        self.next.clicked.connect(partial(self.tensors.step, 1))
        self.comparing.began.connect(self._tell_files)
        self.comparing.changed.connect(self._enable)
        self.comparing.branched.connect(self._tell_roots)

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        for view in (self.head, self.rules, self.tensors, self.values, self.classes):
            view.set_theme(theme)
        for button in (self.names, self.previous, self.next, self.save):
            button.set_theme(theme)

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.switch, self.tools]

    @override
    def focus_target(self) -> QWidget:
        if self.switch.current == CLASSES:
            return self.classes.focus_target()
        if self.switch.current == VALUES:
            return self.values.table
        return self.tensors.table if self.comparing.found is not None else self.tensors.choose

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        if self.switch.current == CLASSES:
            return self.classes.commands()
        if self.switch.current == TENSORS and self.comparing.found is not None:
            steps = {"go.next_difference": 1, "go.previous_difference": -1}
            return {name: partial(self.tensors.step, step) for name, step in steps.items()}
        return {}

    @override
    def show_document(self) -> None:
        document = self.session.document
        if self.comparing.other is None:
            has_texts = document is not None and any(source.text is not None for source in document.sources)
            self.show_view(self._view or (CLASSES if has_texts else TENSORS))
        self._tell_files()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._seen.ask()
        self._tell_files()

    def show_view(self, key: str) -> None:
        """Show one of the views."""
        self.switch.set_current(key)
        self.views.setCurrentWidget({TENSORS: self.tensors, VALUES: self.values}.get(key, self.classes))
        self.head.setVisible(key != CLASSES)
        self.rules.setVisible(key != CLASSES and self.names.isChecked())
        self.tools.setCurrentIndex(key == CLASSES)
        self._enable()

    @override
    def kept(self) -> Mapping[str, Any]:
        fields = {"tensors": self.tensors.filter.field.text(), "values": self.values.filter.field.text()}
        views = {"view": self._view, "kind": self.tensors.chips.wanted or self.tensors.chips.kind}
        compared = Wanted.of(self.comparing) or self._wanted
        row = compared.row() if compared is not None else {}
        return {**fields, **views, "sort": self.tensors.table.sorted_by(), "compared": row}

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        self.tensors.filter.field.setText(kept_words(kept, "tensors"))
        self.values.filter.field.setText(kept_words(kept, "values"))
        by = sorting(kept.get("sort"), self.tensors.model.columnCount())
        if by is not None:
            self.tensors.table.sort_by(*by)
        self.tensors.chips.want(kept_words(kept, "kind"))
        if kept.get("view") in (TENSORS, VALUES, CLASSES):
            self._view = kept_words(kept, "view")
            self.show_view(self._view)
        self._wanted = Wanted.kept(kept_part(kept, "compared"))
        self._seen.ask()

    def _show_rules(self, on: bool) -> None:
        self.rules.setVisible(on)
        self._low.reveal(self.rules)

    def _view_chosen(self, key: str) -> None:
        self._view = key
        self.show_view(key)
        self.kept_changed.emit()

    # -- files and branches -----------------------------------------------------------------------

    def _compare_as_before(self) -> None:
        """Begin the comparison of the last time, once somebody looks and the other file is open: it reads both."""
        if self._wanted is None or self.comparing.other is not None:
            return
        other = self._wanted.other([self.session, *self.session.peers()])
        if other is not None:
            wanted, self._wanted = self._wanted, None
            wanted.begin(self.comparing, other)
            self._tell_files()

    def compare_with(self, other: Session, roots: tuple[str, str] = ("", "")) -> None:
        """Compare with the file of another session, or with another branch of this one."""
        self._wanted = None
        self.comparing.compare_with(other, roots)
        if self.switch.current == CLASSES:
            self.show_view(TENSORS)
        self._tell_files()

    def _tell_files(self) -> None:
        before, self._offered = self._offered, [*self.session.peers(), self.session]
        for peer in self._offered[:-1]:
            if peer not in before:
                peer.destroyed.connect(self._tell_files)
        names = [printable(one.title) for one in self._offered[:-1]]
        names += [self.tr("This file, another branch"), self.tr("Choose a file…")]
        other = self.comparing.other
        at = self._offered.index(other) if other in self._offered else -1
        self.head.show_files(printable(self.session.title), names, at)
        self.head.show_sides(swapped=self.comparing.swapped)
        self.head.swap.setEnabled(other is not None)
        self._tell_roots()
        self._enable()

    def _tell_roots(self) -> None:
        chosen = [part.root for part in self.comparing.parts]
        asked = self.comparing.other is self.session
        self.head.show_roots(self.comparing.titles, chosen, asked=asked)

    def _other_chosen(self, number: int) -> None:
        if number >= len(self._offered):
            self._tell_files()
            self.asks.emit(CHOOSE)
        elif self._offered[number] in (*self.session.peers(), self.session):
            self.compare_with(self._offered[number])

    def _roots_chosen(self, first: str, second: str) -> None:
        if self.comparing.other is not None:
            self.comparing.compare_with(self.comparing.other, (first, second), self.comparing.rules)

    def _row_chosen(self, row: Row) -> None:
        self.comparing.select(row, self.key)

    def _element_chosen(self, row: Row, element: tuple[int, ...]) -> None:
        self.comparing.select(row, self.key, element)

    # -- the report -------------------------------------------------------------------------------

    def _enable(self) -> None:
        found = self.comparing.found
        self.save.setEnabled(found is not None and not self.comparing.running)
        for button in (self.previous, self.next):
            button.setEnabled(found is not None and self.switch.current == TENSORS)

    def save_report(self) -> None:
        """Ask for a file and write the report into it."""
        proposed = str(self.session.path.parent / f"{file_name(self.session.path.stem)}.compared.txt")
        kinds = self.tr("Text (*.txt);;JSON (*.json)")
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Save report"), proposed, kinds)
        if chosen:
            self.save_report_to(Path(chosen))

    def save_report_to(self, target: Path) -> None:
        """Write the report: JSON for a name that ends so, else text."""

        def done(_: None) -> None:
            title = self.tr("Saved {name}").format(name=printable(target.name))
            self.message.emit("done", title, printable(str(target)))

        def failed(failure: Exception) -> None:
            self.message.emit("error", self.tr("The report was not saved"), of_failure(failure))

        self.comparing.save(target, done, failed)


def _row(widgets: Sequence[QWidget], parent: QWidget) -> QWidget:
    """Widgets side by side."""
    made = QWidget(parent)
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(2)
    for widget in widgets:
        row.addWidget(widget)
    return made
