"""What is left of a damaged file: counted once a reading, off the GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from viewer.core.export.rescue import Remains, State, remains
from viewer.core.problem import Severity
from viewer.core.tensors.many import ManyTensors

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.tensors.tensor import Tensor

MOST_NAMED = 10_000


@dataclass(frozen=True, slots=True)
class Left:
    """The tensors of a damaged file. `whole`: those with bytes of which none is missing. `count`: of all.

    `lost`: the first 10,000 of the others; `cut` and `missing` count all of them.
    """

    whole: tuple[Tensor, ...]
    count: int
    cut: int
    missing: int
    lost: tuple[Remains, ...]

    @property
    def can_be_rescued(self) -> bool:
        """True where something is whole and something is not."""
        return bool(self.whole) and bool(self.cut or self.missing)


def what_is_left(document: Document) -> Left | None:
    """What is left of a file; None where nothing is lost."""
    if not any(problem.severity is Severity.ERROR for part in document.walk() for problem in part.problems):
        return None
    if document.files and is_whole(document.tensors):
        # What an index promises and no file has is no tensor: its Problems name it.
        return None
    every = list(remains(document))
    lost = [left for left in every if left.state is not State.WHOLE]
    cut = sum(left.state is State.CUT for left in lost)
    whole = tuple(left.tensor for left in every if left.state is State.WHOLE and left.tensor.storage is not None)
    return Left(whole, len(every), cut, len(lost) - cut, tuple(lost[:MOST_NAMED])) if lost else None


def is_whole(tensors: Sequence[Tensor]) -> bool:
    """True for tensors, made when they are looked at, of which none misses a byte; told without making any."""
    if not isinstance(tensors, ManyTensors):
        return False
    totals = tensors.totals()
    return totals.whole == totals.count
