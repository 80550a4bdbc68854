"""Names of tensors as a tree of their prefixes: `layers.0.attn.weight` stands in `layers.0.attn`.

Only prefixes are kept, in columns by branch (0 = the root), and for each tensor the branch that it stands in: a million
tensors cost a few numbers each. A branch has a larger number than the one that it lies in.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viewer.core.progress import Progress
from viewer.core.tensors.columns import shown_name
from viewer.core.tensors.many import ManyTensors
from viewer.core.tensors.tensor import Tensor

ROOT: Final = 0
BLOCK: Final = 4096
"""Tensors that are looked at without a turn of other threads."""
LEAST_FOLDED: Final = 3
"""Blocks of one structure, one after the other, that are shown as one row."""
LONGEST: Final = 64
"""Parts of a name that are branches; the rest is the name in the last of them."""
BRANCHES: Final = "branches"
"""The step of progress."""
Numbers = npt.NDArray[np.int64]


class Child(NamedTuple):
    """What stands in a branch: another branch, or (`is_tensor`) a tensor; by number."""

    number: int
    is_tensor: bool


class Fold(NamedTuple):
    """Branches of one structure that follow one another: `first` to `last` are the numbers that they are called by."""

    branches: tuple[int, ...]
    first: str
    last: str


class Branches:
    """The tree of some tensors' names. `parents`, `texts`, `firsts` (first tensor) by branch, `homes` by tensor."""

    def __init__(self) -> None:
        self.parents = array("q", [-1])
        self.texts = [""]
        self.firsts = array("q", [0])
        self.homes = array("q")
        self._numbers: dict[str, int] = {"": ROOT}
        self._order: Numbers | None = None
        self._starts: Numbers | None = None
        self._inner: list[list[int]] = []

    def __len__(self) -> int:
        return len(self.parents)

    def add(self, name: str) -> None:
        """The next tensor."""
        prefix = name.rpartition(".")[0]
        if prefix.count(".") >= LONGEST:
            prefix = ".".join(prefix.split(".", LONGEST)[:LONGEST])
        home = self._numbers.get(prefix)
        self.homes.append(self._made(prefix) if home is None else home)

    def finish(self) -> Branches:
        """All tensors were added."""
        homes = np.frombuffer(self.homes, dtype=np.int64) if self.homes else np.zeros(0, dtype=np.int64)
        self._order = np.argsort(homes, kind="stable")
        self._starts = np.searchsorted(homes[self._order], np.arange(len(self) + 1))
        self._inner = [[] for _ in range(len(self))]
        for number in range(1, len(self)):
            self._inner[self.parents[number]].append(number)
        return self

    def prefix(self, branch: int) -> str:
        """The whole prefix of a branch."""
        parts = []
        while branch > ROOT:
            parts.append(self.texts[branch])
            branch = self.parents[branch]
        return ".".join(reversed(parts))

    def inner(self, branch: int) -> list[int]:
        """The branches in a branch, in the order of their first tensors."""
        return self._inner[branch]

    def own(self, branch: int) -> Numbers:
        """Numbers of the tensors that stand in a branch itself, ascending."""
        if self._order is None or self._starts is None:
            return np.zeros(0, dtype=np.int64)
        return self._order[int(self._starts[branch]) : int(self._starts[branch + 1])]

    def below(self, branch: int) -> Numbers:
        """Numbers of all tensors below a branch, ascending."""
        waiting, found = [branch], []
        while waiting:
            one = waiting.pop()
            found.append(self.own(one))
            waiting += self.inner(one)
        return np.sort(np.concatenate(found))

    def children(self, branch: int) -> list[Child]:
        """What stands in a branch, in the order of the tensors."""
        own = [(number, Child(number, True)) for number in self.own(branch).tolist()]
        inner = [(self.firsts[number], Child(number, False)) for number in self.inner(branch)]
        return [child for _, child in sorted(own + inner, key=lambda one: one[0])]

    def sums(self, values: npt.NDArray[Any]) -> Numbers:
        """The sum of a value of each tensor, by branch."""
        homes = np.frombuffer(self.homes, dtype=np.int64) if self.homes else np.zeros(0, dtype=np.int64)
        found = np.zeros(len(self), dtype=values.dtype)
        np.add.at(found, homes, values)
        for branch in range(len(self) - 1, 0, -1):
            found[self.parents[branch]] += found[branch]
        return found

    def signatures(self, forms: Sequence[int]) -> list[int]:
        """A number for the structure of each branch; `forms`: one for the last name, dtype and shape of each tensor."""
        found = [0] * len(self)
        for branch in range(len(self) - 1, -1, -1):
            own = tuple(forms[number] for number in self.own(branch).tolist())
            found[branch] = hash((own, tuple((self.texts[one], found[one]) for one in self.inner(branch))))
        return found

    def folds(self, branch: int, signatures: Sequence[int]) -> Iterator[Fold]:
        """Runs of three or more branches of one structure, called by numbers that follow one another."""
        run: list[int] = []
        for number in [*self.inner(branch), -1]:
            if run and not (number >= 0 and self._follows(run[-1], number, signatures)):
                if len(run) >= LEAST_FOLDED:
                    yield Fold(tuple(run), self.texts[run[0]], self.texts[run[-1]])
                run = []
            if number >= 0 and _number(self.texts[number]) is not None:
                run.append(number)

    def _follows(self, before: int, number: int, signatures: Sequence[int]) -> bool:
        one, two = _number(self.texts[before]), _number(self.texts[number])
        return one is not None and two == one + 1 and signatures[before] == signatures[number]

    def _made(self, prefix: str) -> int:
        above, _, text = prefix.rpartition(".")
        parent = self._numbers.get(above)
        if parent is None:
            parent = self._made(above)
        number = self._numbers[prefix] = len(self.parents)
        self.parents.append(parent)
        self.texts.append(text)
        self.firsts.append(len(self.homes))
        return number


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LEAST_FOLDED * 3 else None


def names_of(tensors: Sequence[Tensor], progress: Progress) -> Iterator[tuple[int, list[str]]]:
    """What all tensors are called, in blocks with the number of the first. Raises CancelledError."""
    for first in range(0, len(tensors), BLOCK):
        progress.step(BRANCHES, first, len(tensors))
        stop = min(first + BLOCK, len(tensors))
        if isinstance(tensors, ManyTensors):
            yield first, [name or shown_name(tensors[first + at]) for at, name in enumerate(tensors.names(first, stop))]
        else:
            yield first, [shown_name(tensors[number]) for number in range(first, stop)]


def branches_of(tensors: Sequence[Tensor], progress: Progress) -> Branches:
    """The tree of the names of some tensors. Raises CancelledError."""
    found = Branches()
    for _, names in names_of(tensors, progress):
        for name in names:
            found.add(name)
    return found.finish()
