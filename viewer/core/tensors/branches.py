"""Names of tensors as a tree of their prefixes: `layers.0.attn.weight` stands in `layers.0.attn`.

Only prefixes are kept, in columns by branch (0 = the root), and for each tensor the branch that it stands in: a million
tensors cost a few numbers each. A branch has a larger number than the one that it lies in.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viewer.core.collector import collector_paused
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
TABLES: Final = 64
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
        self._depths = array("b", [0])
        # Only while tensors are added: they would be the most of what is kept.
        # Several, because one of a million texts holds all other threads each time it grows.
        self._numbers: list[dict[str, int]] = [{} for _ in range(TABLES)]
        self._numbers[hash("") % TABLES][""] = ROOT
        self._words: dict[str, str] = {}
        self._own = _Lists.empty()
        self._inner = _Lists.empty()

    def __len__(self) -> int:
        return len(self.parents)

    def add(self, name: str) -> None:
        """The next tensor."""
        prefix = name.rpartition(".")[0]
        home = self._numbers[hash(prefix) % TABLES].get(prefix)
        self.homes.append(self._made(prefix) if home is None else home)

    def finish(self) -> Branches:
        """All tensors were added."""
        self._forget()
        self._own = _Lists.of(_column(self.homes), len(self))
        self._inner = _Lists.of(_column(self.parents)[1:], len(self), 1)
        return self

    def _forget(self) -> None:
        """Give back what only adding needs; a million texts at once would hold all other threads."""
        for table in self._numbers:
            table.clear()
        self._words.clear()

    def prefix(self, branch: int) -> str:
        """The whole prefix of a branch."""
        parts = []
        while branch > ROOT:
            parts.append(self.texts[branch])
            branch = self.parents[branch]
        return ".".join(reversed(parts))

    def inner(self, branch: int) -> list[int]:
        """The branches in a branch, in the order of their first tensors."""
        found: list[int] = self._inner.of_one(branch).tolist()
        return found

    def own(self, branch: int) -> Numbers:
        """Numbers of the tensors that stand in a branch itself, ascending."""
        return self._own.of_one(branch)

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
        found = np.zeros(len(self), dtype=values.dtype)
        np.add.at(found, _column(self.homes), values)
        depths, parents = np.frombuffer(self._depths, dtype=np.int8), _column(self.parents)
        order = np.argsort(depths, kind="stable")
        edges = np.searchsorted(depths[order], np.arange(1, int(depths.max()) + 2)).tolist()
        # The deepest first: all branches of one depth at once.
        for first, stop in zip(reversed(edges[:-1]), reversed(edges[1:]), strict=True):
            rows = order[first:stop]
            np.add.at(found, parents[rows], found[rows])
        return found

    def signatures(self, forms: array[int]) -> array[int]:
        """A number for the structure of each branch; `forms`: one for the last name, dtype and shape of each tensor."""
        # Arrays, not lists: to free a million numbers one by one would hold all other threads.
        found = array("q", bytes(8 * len(self)))
        below = array("q", bytes(8 * len(self)))
        own = self._own.in_order(forms)
        parents, texts = self.parents, self.texts
        for branch in range(len(self) - 1, 0, -1):
            # What lies in it came before, the last first.
            mark = found[branch] = hash((own(branch), below[branch]))
            above = parents[branch]
            below[above] = hash((texts[branch], mark, below[above]))
        found[ROOT] = hash((own(ROOT), below[ROOT]))
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
        """A branch that is not there yet, and those that it lies in."""
        whole = prefix
        if prefix.count(".") >= LONGEST:
            prefix = ".".join(prefix.split(".", LONGEST)[:LONGEST])
        tables = self._numbers
        missing: list[tuple[str, str]] = []
        while (known := tables[hash(prefix) % TABLES].get(prefix)) is None:
            above, _, text = prefix.rpartition(".")
            missing.append((prefix, text))
            prefix = above
        number, depth = known, self._depths[known]
        for one, text in reversed(missing):
            self.parents.append(number)
            number = tables[hash(one) % TABLES][one] = len(self.texts)
            # Very many branches are called alike: each word is kept once.
            self.texts.append(self._words.setdefault(text, text))
            self.firsts.append(len(self.homes))
            depth += 1
            self._depths.append(depth)
        tables[hash(whole) % TABLES].setdefault(whole, number)
        return number


@dataclass(frozen=True, slots=True)
class _Lists:
    """A list of numbers for each branch, in two columns: all of them, and where each list begins."""

    numbers: Numbers
    starts: Numbers

    @classmethod
    def empty(cls) -> _Lists:
        """Before anything is known."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64))

    @classmethod
    def of(cls, homes: Numbers, count: int, first: int = 0) -> _Lists:
        """For each of `count` branches the places in `homes` that name it, ascending, counted from `first`."""
        order = np.argsort(homes, kind="stable")
        return cls(order + first, np.searchsorted(homes[order], np.arange(count + 1)))

    def of_one(self, branch: int) -> Numbers:
        """The list of one branch."""
        if branch + 1 >= len(self.starts):
            return self.numbers[:0]
        return self.numbers[int(self.starts[branch]) : int(self.starts[branch + 1])]

    def in_order(self, values: array[int]) -> Callable[[int], bytes]:
        """A function that gives the values of the numbers in a list, as bytes."""
        every = _column(values)[self.numbers].tobytes()
        starts = array("q", (self.starts * 8).tobytes())
        return lambda branch: every[starts[branch] : starts[branch + 1]]


def _column(numbers: array[int]) -> Numbers:
    return np.frombuffer(numbers, dtype=np.int64) if numbers else np.zeros(0, dtype=np.int64)


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
    with collector_paused():
        for _, names in names_of(tensors, progress):
            for name in names:
                found.add(name)
        return found.finish()
