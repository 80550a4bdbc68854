"""Which tensors are shown, in what order, and their groups; what takes long is worked out in threads."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, Signal

from viewer.core.progress import Progress
from viewer.core.tensors.columns import By
from viewer.core.tensors.filtering import FilterError, filtered, parse
from viewer.core.tensors.grouping import Groups
from viewer.core.tensors.sorting import ordered
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.models.tensor_cells import MAXIMUM, MINIMUM
from viewer.ui.words import count, said
from viewer.wording.tensor_filter import FILTER_FAULTS

SORTING: Final = "sorting"
FILTERING: Final = "tensor filter"
GROUPING: Final = "tensor groups"
MANY: Final = 5_000
"""Tensors that are sorted at once."""
LOOKED_AT: Final = 1_000
"""Tensors that are filtered and grouped at once."""
Sorted = tuple[Sequence[Tensor], Sequence[int] | None]


class ShownTensors(QObject):
    """`tensors`: all; `kept`: numbers of those that the filter left, None = all; `groups`: of these, once asked for.

    changed: other tensors are shown, or in another order.
        Signal()
    grouped: the groups that were asked for are there.
        Signal()
    told: what is to be said beside the filter; `error`: what was typed is no filter, and nothing is hidden by it.
        Signal(words: str, error: bool)
    """

    changed = Signal()
    grouped = Signal()
    told = Signal(str, bool)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.tensors: Sequence[Tensor] = []
        self.kept: array[int] | None = None
        self.groups: Groups | None = None
        self._sorting: Sequence[int] | None = None

    def show(self, tensors: Sequence[Tensor], text: str) -> None:
        """Other tensors, in their own order, through a filter."""
        self.tensors, self._sorting = tensors, None
        self._stop(SORTING)
        self.filter(text)

    @property
    def count(self) -> int:
        """How many are shown."""
        return len(self.tensors) if self.kept is None else len(self.kept)

    @property
    def order(self) -> Sequence[int] | None:
        """The numbers of those that are shown, in their order; None: all as they stand."""
        if self.kept is None or self._sorting is None:
            return self._sorting if self.kept is None else self.kept
        mask = np.zeros(len(self.tensors), dtype=np.bool_)
        mask[np.array(self.kept, dtype=np.int64)] = True
        every = np.array(self._sorting, dtype=np.int64)
        return array("q", every[mask[every]].tobytes())

    # -- filter -----------------------------------------------------------------------------------

    def filter(self, text: str) -> None:
        """Leave what a filter wants."""
        for key in (FILTERING, GROUPING):
            self._stop(key)
        tensors, health = self.tensors, self._session.health.found
        try:
            wanted = parse(text)
            if wanted.is_empty or len(tensors) <= LOOKED_AT:
                self._filtered((tensors, None if wanted.is_empty else filtered(tensors, wanted, health, Progress())))
                return
            filtered([], wanted, health, Progress())
        except FilterError as fault:
            self._keep(None)
            self.told.emit(said(FILTER_FAULTS[fault.code], fault.params), True)
            return

        def work(progress: Progress) -> tuple[Sequence[Tensor], array[int] | None]:
            return tensors, filtered(tensors, wanted, health, progress)

        self.told.emit(self.tr("Filtering"), False)
        self._session.start(FILTERING, work, self._filtered)

    def _filtered(self, found: tuple[Sequence[Tensor], array[int] | None]) -> None:
        tensors, kept = found
        if tensors is self.tensors:
            words = "" if kept is None else self.tr("{0} of {1}").format(count(len(kept)), count(len(tensors)))
            self.told.emit(words, False)
            self._keep(kept)

    def _keep(self, kept: array[int] | None) -> None:
        self.kept, self.groups = kept, None
        self.changed.emit()

    # -- order ------------------------------------------------------------------------------------

    def sort(self, column: int, *, descending: bool) -> None:
        """Sort all by a column of the list; -1: as they stand."""
        self._stop(SORTING)
        tensors = self.tensors
        if column < 0:
            self._order((tensors, None))
        elif column in (MINIMUM, MAXIMUM):
            self._order((tensors, self._by_extreme(column, descending)))
        elif len(tensors) <= MANY:
            self._order((tensors, ordered(tensors, By(column), descending, Progress())))
        else:
            by = By(column)

            def work(progress: Progress) -> Sorted:
                return tensors, ordered(tensors, by, descending, progress)

            self._session.start(SORTING, work, self._order)

    def _order(self, found: Sorted) -> None:
        tensors, order = found
        if tensors is self.tensors:
            self._sorting = order
            self.changed.emit()

    def _by_extreme(self, column: int, descending: bool) -> Sequence[int]:
        """The order by the least or greatest number; tensors of which none is known come last."""
        health = self._session.health.found
        known: dict[int, float] = {}
        for number, found in (dict(health.statistics) if health is not None else {}).items():
            value = None if found is None else found.minimum if column == MINIMUM else found.maximum
            if value is not None:
                known[number] = value
        rest = (number for number in range(len(self.tensors)) if number not in known)
        return array("q", [*sorted(known, key=known.__getitem__, reverse=descending), *rest])

    # -- groups -----------------------------------------------------------------------------------

    def group(self) -> None:
        """Work out the groups of what is shown, once."""
        if self.groups is not None or self._session.jobs.is_running(GROUPING):
            return
        tensors, numbers = self.tensors, self.kept if self.kept is not None else range(len(self.tensors))
        if len(numbers) <= LOOKED_AT:
            self._show_groups(Groups(tensors, numbers, Progress()))
        else:
            self._session.start(GROUPING, lambda progress: Groups(tensors, numbers, progress), self._show_groups)

    def _show_groups(self, groups: Groups) -> None:
        if groups.tensors is self.tensors:
            self.groups = groups
            self.grouped.emit()

    def _stop(self, key: str) -> None:
        if self._session.jobs.is_running(key):
            self._session.cancel(key)
