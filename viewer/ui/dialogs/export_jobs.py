"""The work of the export window that leaves the GUI thread: names first, then what a form makes of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from viewer.core.collector import collector_paused
from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export.base import Exporter
from viewer.core.export.plan import Plan
from viewer.core.export.selection import Wanted, chosen
from viewer.core.objects.renaming import RuleError
from viewer.core.progress import Progress
from viewer.ui.models.export_cells import ExportCells
from viewer.ui.models.export_rows import Asked, Names, names_of, outcome_of
from viewer.ui.models.export_types import TypeRow, type_rows


@dataclass(frozen=True, slots=True)
class Order:
    """What was decided: write this plan there."""

    exporter: Exporter
    plan: Plan
    target: Path
    overwrite: bool
    verify: bool


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """A plan, and what it says of the rows and the types; without rows for forms that take no tensors by name."""

    plan: Plan
    cells: ExportCells | None
    types: tuple[TypeRow, ...]


def work_names(
    document: Document, wanted: Wanted, before: Names | None, asked: Asked, progress: Progress
) -> ExportCells:
    """The rows of what is wanted. `before`: of the same choice, where it was made already.

    Raises ChoiceError, ExportError, CancelledError.
    """
    try:
        with collector_paused():
            content = before.content if before is not None else chosen(document, replace(wanted, progress=progress))
            return ExportCells(names_of(content, asked, progress, before), None)
    except RuleError as fault:
        raise ExportError(fault.code, **fault.params) from fault


def work_plan(
    exporter: Exporter, document: Document, wanted: Wanted, names: Names | None, progress: Progress
) -> Planned:
    """The plan of a form, brought to the rows. Raises ChoiceError, ExportError, CancelledError."""
    with collector_paused():
        plan = exporter.plan(document, replace(wanted, progress=progress))
        if names is None:
            return Planned(plan, None, ())
        return Planned(
            plan,
            ExportCells(names, outcome_of(plan, names, progress, exporter.in_order(plan))),
            tuple(type_rows(plan, progress)),
        )
