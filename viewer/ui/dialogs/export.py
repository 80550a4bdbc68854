"""Export: what is written, in which form, under which names, where; all of it is shown before anything is written."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.export import EXPORTERS
from viewer.core.export.base import Exporter
from viewer.core.export.losses import count, may_lose
from viewer.core.export.options import COMPACT
from viewer.core.export.plan import Plan
from viewer.core.export.selection import Wanted
from viewer.core.progress import Step
from viewer.core.tensors.tensor import Tensor
from viewer.session.jobs import EXPORT
from viewer.session.letting_go import let_go
from viewer.session.session import Session
from viewer.ui.dialogs.export_choices import Choice, Choices, FoundBranch
from viewer.ui.dialogs.export_frame import ExportFrame
from viewer.ui.dialogs.export_jobs import Order, Planned, work_names, work_plan
from viewer.ui.dialogs.export_table import AFTER
from viewer.ui.dialogs.export_target import usual_name
from viewer.ui.models.export_cells import ExportCells
from viewer.ui.models.export_rows import Asked, Names
from viewer.ui.models.export_words import against_names, idle_words, lines, totals, written_of
from viewer.ui.theme import Theme
from viewer.ui.widgets.message_bar import Message
from viewer.ui.words import of_failure, paragraph

CHOICES: Final = "export choices"
NAMING: Final = "export names"
PLANNING: Final = "export plan"
COUNTING: Final = "export losses"
TENSORS: Final = "tensors"
TYPING_MS: Final = 150
"""How long nothing is typed before the names are worked out."""


class ExportDialog(ExportFrame):
    """Asks, then shows how far the writing is and how it ended. `tensors`: offered first, `compact`: as used.

    ordered: write this.
        Signal(order: Order)
    stopped: the person wants the writing to end.
        Signal()
    """

    ordered = Signal(object)
    stopped = Signal()

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
        super().__init__(theme, session.title, folder, parent)
        self._session = session
        self._document = session.root
        self._planned: Planned | None = None
        self._names: Names | None = None
        self._offered: list[Choice] = []
        self._unticked: set[str] = set()
        self._fault = ""
        self.is_writing = False
        self.choices = Choices(session, self)
        self._later = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._join()
        self.choices.begin(tensors, compact)
        self.side.region.offer(*self.choices.regions())
        self.options.set_value(COMPACT, compact)
        self.choose_form(form)
        if self.form.currentIndex() == 0:
            self._form_changed()
        self.form.setFocus()
        self._session.start(CHOICES, self.choices.look, self._found_branches, self._refused)

    @property
    def exporter(self) -> Exporter:
        """The form that is chosen."""
        return EXPORTERS[self.form.currentIndex()]

    @property
    def plan(self) -> Plan | None:
        """What would be written, None while it is being worked out or when it cannot be."""
        return self._planned.plan if self._planned is not None else None

    @property
    def _region_fault(self) -> str:
        return self.side.region.fault if self.exporter.regions else ""

    def choose_form(self, form: str) -> None:
        """Choose a form by its name."""
        self.form.setCurrentIndex(next(at for at, exporter in enumerate(EXPORTERS) if exporter.form == form))

    def _join(self) -> None:
        self._later.timeout.connect(self._work_out)
        self.form.currentIndexChanged.connect(self._form_changed)
        self.what.currentIndexChanged.connect(self._what_changed)
        for fields in (self.parts, self.names, self.options, self.side.region):
            fields.changed.connect(self._typed)
        self.table.ticked.connect(self._ticked)
        self.table.losses.asked.connect(self._count)
        self.table.losses.stopped.connect(self._stop_counting)
        self.names.made.connect(self._order_fields)
        self.place.changed.connect(self._judge)
        self.foot.next.clicked.connect(self.table.show_clashes)
        self.foot.stopped.connect(self.stopped)
        self.foot.hide_it.clicked.connect(self.hide)
        self.foot.close_it.clicked.connect(self.accept)
        self.foot.again.clicked.connect(self.ask_again)
        self.go.clicked.connect(self._order)
        self.cancel.clicked.connect(self.reject)
        self._session.document_changed.connect(self._other_document)
        self._session.code.changed.connect(self._work_out)

    # -- what -------------------------------------------------------------------------------------

    def _found_branches(self, found: list[FoundBranch]) -> None:
        self.choices.add(found)
        self._list_choices()

    def _list_choices(self) -> None:
        """The choices that the form can take; what was chosen stays if it can."""
        at = self.what.currentIndex()
        before = self._offered[at] if 0 <= at < len(self._offered) else None
        self._offered = self.choices.of(self.exporter)
        self.what.blockSignals(True)
        self.what.clear()
        self.what.addItems([choice.words for choice in self._offered])
        self.what.setCurrentIndex(self._offered.index(before) if before in self._offered else 0)
        self.what.blockSignals(False)
        self.what.setEnabled(len(self._offered) > 1)

    def _form_changed(self) -> None:
        exporter = self.exporter
        self._list_choices()
        self.side.show_form(exporter, takes_names=exporter.takes == TENSORS)
        self.place.set_form(exporter)
        self.table.set_has_names(exporter.takes == TENSORS)
        self._order_fields()
        if exporter.takes != TENSORS:
            self._names = None
        self._work_out()

    def _order_fields(self) -> None:
        """Tab walks as one reads: the side from the top down, the target, the table, the buttons."""
        fields = [*self.side.fields(), *self.place.fields(), *self.table.fields(), *self.foot.fields()]
        for one, following in itertools.pairwise(fields):
            QWidget.setTabOrder(one, following)

    def _what_changed(self) -> None:
        self._forget_content()
        self._unticked.clear()
        self._work_out()

    def _typed(self) -> None:
        self._drop_plan()
        self._judge()
        self._later.start()

    def _ticked(self, name: str, on: bool) -> None:
        if on:
            self._unticked.discard(name)
        else:
            self._unticked.add(name)
        self._work_out()

    # -- working it out ---------------------------------------------------------------------------

    def _work_out(self) -> None:
        """Names first, so that clashes are seen at once; then what the form makes of them. All off the GUI thread."""
        self._later.stop()
        at = self.what.currentIndex()
        if self._document is None or at < 0 or not self.foot.is_asking:
            return
        self._drop_plan()
        self._fault = ""
        if not self.names.fault and not self.options.fault and not self._region_fault:
            if self.exporter.takes == TENSORS:
                self._start_names(self._document, self._offered[at].wanted)
            else:
                self._start_plan(self._offered[at].wanted, None)
        self._judge()

    def _start_names(self, document: Document, wanted: Wanted) -> None:
        only, skip = self.parts.patterns
        asked = Asked(only, skip, self.names.rules(), frozenset(self._unticked), self.parts.unticked())
        work = partial(work_names, document, wanted, self._names, asked)
        self._session.jobs.start(NAMING, work, self._named, self._refused)

    def _named(self, cells: ExportCells) -> None:
        names = cells.names
        self._take_names(names)
        self.parts.show_groups(names.groups)
        self.names.blame(names.guilty, idle_words(names))
        self.table.show_names(cells, ())
        if names.is_fine and self.what.currentIndex() >= 0:
            self._start_plan(self._offered[self.what.currentIndex()].wanted, names)
        self._judge()

    def _start_plan(self, wanted: Wanted, names: Names | None) -> None:
        document, exporter = self._document, self.exporter
        if document is None:
            return
        if exporter.regions:
            wanted = replace(wanted, root=self.side.region.root)
        wanted = replace(wanted, supplied=self._session.code.supplied, **self.options.values())
        if names is not None:
            only, skip = self.parts.patterns
            wanted = replace(wanted, only=only, skip=skip, names=self.names.rules(), without=names.without)

        work = partial(work_plan, exporter, document, wanted, names)
        self._session.start(PLANNING, work, self._took_plan, self._refused)

    def _took_plan(self, planned: Planned) -> None:
        self._planned = planned
        self.table.show_names(planned.cells, planned.types)
        self.table.losses.forget(may_lose=may_lose(planned.plan))
        self.report.setPlainText("\n".join(lines(planned.plan)))
        self.sentence.setText(paragraph(totals(planned.plan), self._promise))
        root = self._session.root
        stem = self._session.title if root is not None and root.files else self._session.path.stem
        self.place.propose(usual_name(self.exporter, planned.plan, stem))
        self._judge()

    def _count(self) -> None:
        """Count what the new types lose, which reads all numbers; the plan may be written meanwhile."""
        if self.plan is not None:
            self.table.losses.begin()
            work = partial(count, self.plan)
            self._session.start(COUNTING, work, self.table.losses.show_lines, self._not_counted)

    def _not_counted(self, failure: Exception) -> None:
        self.table.losses.show_fault(of_failure(failure))

    def _stop_counting(self) -> None:
        self._session.cancel(COUNTING)
        self.table.losses.forget(may_lose=True)

    def _refused(self, failure: Exception) -> None:
        """The form cannot be written of what was chosen."""
        self._fault = of_failure(failure)
        self.report.setPlainText(self._fault)
        self._judge()

    def _judge(self) -> None:
        """Say what stands against writing; the button is on when nothing does."""
        plan, names = self.plan, self._names
        fault = self.options.fault or self._region_fault or self._fault
        if self.names.fault:
            fault = self.names.fault
        has_clashes = names is not None and not names.is_fine
        if not fault and has_clashes and names is not None:
            fault = against_names(names)
        if not fault and plan is not None:
            fault = self.place.against(plan)
        words = self.tr("Export {0}").format(written_of(plan)) if plan is not None else ""
        self.foot.judge(fault, words, can_go=plan is not None and not fault, has_clashes=has_clashes)
        if plan is None and not fault:
            self.foot.wait()

    # -- writing ----------------------------------------------------------------------------------

    def _order(self) -> None:
        if self._planned is None:
            return
        plan, target = self._planned.plan, self.place.path
        order = Order(self.exporter, plan, target, self.replace.isChecked(), self.verify.isChecked())
        self.is_writing = True
        self._freeze(is_frozen=True)
        self.foot.begin()
        self.table.show_writing(0)
        self.sentence.setText(paragraph(totals(plan), self.tr("The form cannot be changed while writing.")))
        self.ordered.emit(order)

    def follow(self, key: str, step: Step | None) -> None:
        """How far the work of the session is; shown while it is the writing, or the counting before it."""
        if key == COUNTING and step is not None:
            self.table.losses.step(step)
        if key == PLANNING and step is not None:
            self.foot.tell_wait(step)
        if self.is_writing and key == EXPORT and step is not None:
            self.foot.step(step)
            self.table.show_writing(step.number if step.what == EXPORT else AFTER)

    def leave(self) -> None:
        """Close, whatever is shown."""
        self.is_writing = False
        self.accept()

    def show_end(self, message: Message) -> None:
        """How the writing ended."""
        self.is_writing = False
        self.table.show_writing(None)
        self.foot.end(message)
        self.sentence.setText(message.title)

    def ask_again(self) -> None:
        """Back to the questions, to write something else or elsewhere."""
        self._freeze(is_frozen=False)
        self.foot.ask()
        self._work_out()

    def _freeze(self, *, is_frozen: bool) -> None:
        self.side.inner.setEnabled(not is_frozen)
        self.place.setEnabled(not is_frozen)

    # -- leaving ----------------------------------------------------------------------------------

    def _other_document(self) -> None:
        if not self.is_writing:
            self.reject()

    @override
    def reject(self) -> None:
        """Esc: while something is written only the window goes."""
        if self.is_writing:
            self.hide()
        else:
            super().reject()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if self.is_writing:
            event.ignore()
            self.hide()
            return
        super().closeEvent(event)

    @override
    def done(self, result: int) -> None:
        for key in (CHOICES, NAMING, PLANNING, COUNTING):
            self._session.cancel(key)
        self._drop_plan()
        self._forget_content()
        super().done(result)

    def _drop_plan(self) -> None:
        planned, self._planned = self._planned, None
        self._session.cancel(PLANNING)
        if planned is not None:
            self._session.cancel(COUNTING)
            self.table.losses.forget(may_lose=False)
            outcome = planned.cells.outcome if planned.cells is not None else None
            let_go(self._session.jobs, planned.plan, outcome.items if outcome is not None else {})

    def _take_names(self, names: Names | None) -> None:
        before, self._names = self._names, names
        if before is not None:
            let_go(self._session.jobs, None, before.results)

    def _forget_content(self) -> None:
        names = self._names
        self.table.show_names(None, ())
        if names is not None:
            self._take_names(None)
            let_go(self._session.jobs, names.content, names.tensors)
