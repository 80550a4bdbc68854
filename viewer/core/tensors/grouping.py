"""Tensors grouped by the prefixes of their names, with sums, as rows of a tree; equal blocks are one row.

Rows: a BRANCH (payload: its number), a FOLD of branches of one structure (its number in `folds`), a TENSOR (its number
in the document).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viewer.core.collector import collector_paused
from viewer.core.progress import Progress
from viewer.core.tensors import window
from viewer.core.tensors.branches import BLOCK, BRANCHES, Branches, Fold, names_of
from viewer.core.tensors.columns import shown_name
from viewer.core.tensors.many import Alike, ManyTensors
from viewer.core.tensors.tensor import Tensor
from viewer.core.tree import ROOT, Row, Tree

BRANCH: Final = 0
FOLD: Final = 1
TENSOR: Final = 2
Numbers = npt.NDArray[np.int64]


class _Facts(NamedTuple):
    """By tensor: elements, bytes, and a number for its last name, dtype and shape."""

    elements: Numbers
    nbytes: Numbers
    forms: array[int]


class Groups:
    """The groups of some tensors of a document. `numbers`: theirs, ascending. Sums are by branch."""

    def __init__(self, tensors: Sequence[Tensor], numbers: Sequence[int], progress: Progress) -> None:
        self.tensors = tensors
        self.numbers = np.array(numbers, dtype=np.int64)
        self.branches = Branches()
        self.folds: list[Fold] = []
        self._rows: dict[int, list[Row]] = {}
        with collector_paused():
            self._work_out(progress)
        self.tree = Tree(_Provider(self))

    def _work_out(self, progress: Progress) -> None:
        tensors, numbers = self.tensors, self.numbers
        alike = tensors.alike() if isinstance(tensors, ManyTensors) and len(numbers) > BLOCK else None
        facts = self._one_by_one(progress) if alike is None else self._by_sorts(alike, progress)
        self.branches.finish()
        self.counts = self.branches.sums(np.ones(len(numbers), dtype=np.int64))
        self.elements = self.branches.sums(facts.elements)
        self.nbytes = self.branches.sums(facts.nbytes)
        self._signatures = self.branches.signatures(facts.forms)

    def _one_by_one(self, progress: Progress) -> _Facts:
        """Put all tensors into branches, and look at each."""
        elements: list[int] = []
        nbytes: list[int] = []
        forms = array("q")
        for at, number in enumerate(self.numbers.tolist()):
            if at % BLOCK == 0:
                progress.step(BRANCHES, at, len(self.numbers))
            tensor = self.tensors[number]
            name = shown_name(tensor)
            self.branches.add(name)
            elements.append(tensor.elements)
            nbytes.append(window.stored_nbytes(tensor))
            forms.append(hash((name.rpartition(".")[2], tensor.dtype, tensor.shape)))
        return _Facts(_column(elements), _column(nbytes), forms)

    def _by_sorts(self, alike: Alike, progress: Progress) -> _Facts:
        """The same of very many, of which one of each sort is looked at."""
        is_there = np.zeros(len(self.tensors), dtype=np.uint8)
        is_there[self.numbers] = 1
        wanted, sorts = is_there.tobytes(), alike.sorts
        kinds = [hash((example.dtype, example.shape)) for example in alike.examples]
        forms = array("q")
        for first, names in names_of(self.tensors, progress):
            stop = first + len(names)
            for name, is_wanted, sort in zip(names, wanted[first:stop], sorts[first:stop].tolist(), strict=True):
                if is_wanted:
                    self.branches.add(name)
                    forms.append(hash((name.rpartition(".")[2], kinds[sort])))
        mine = sorts[self.numbers]
        elements = np.array([example.elements for example in alike.examples], dtype=np.int64)
        nbytes = np.array([window.stored_nbytes(example) for example in alike.examples], dtype=np.int64)
        return _Facts(elements[mine], nbytes[mine], forms)

    def rows(self, kind: int, payload: int) -> list[Row]:
        """The rows under a row."""
        if kind == FOLD:
            return [Row(BRANCH, number) for number in self.folds[payload].branches]
        if kind == TENSOR:
            return []
        found = self._rows.get(payload)
        if found is None:
            found = self._rows[payload] = self._of_branch(payload)
        return found

    def below(self, node: int) -> list[int]:
        """Numbers in the document of all tensors under a row, ascending; of a tensor its own."""
        tree = self.tree
        if tree.page(node) is not None:
            return sorted(number for child in tree.children(node) for number in self.below(child))
        kind, payload = (tree.kinds[node], tree.payloads[node]) if node else (BRANCH, 0)
        if kind == TENSOR:
            return [payload]
        branches = self.folds[payload].branches if kind == FOLD else (payload,)
        parts = [self.branches.below(branch) for branch in branches]
        found: list[int] = self.numbers[np.sort(np.concatenate(parts))].tolist()
        return found

    def sums(self, kind: int, payload: int) -> tuple[int, int, int]:
        """Tensors, elements and bytes of a branch or fold."""
        branches = self.folds[payload].branches if kind == FOLD else (payload,)
        chosen = list(branches)
        return int(self.counts[chosen].sum()), int(self.elements[chosen].sum()), int(self.nbytes[chosen].sum())

    def node_of(self, number: int) -> int:
        """The row of a tensor, made on the way; the root where it is not among them."""
        at = int(np.searchsorted(self.numbers, number))
        if at >= len(self.numbers) or self.numbers[at] != number:
            return ROOT
        way = [self.branches.homes[at]]
        while way[-1] > 0:
            way.append(self.branches.parents[way[-1]])
        node = ROOT
        for branch in reversed(way[:-1]):
            node = self._child(node, branch)
        home = self.tree.kinds[node], self.tree.payloads[node]
        rows = self.rows(*home) if node else self.rows(BRANCH, 0)
        return self.tree.nth(node, rows.index(Row(TENSOR, number)))

    def _child(self, node: int, branch: int) -> int:
        """The row of a branch under the row of its parent, which may be folded."""
        rows = self.rows(self.tree.kinds[node], self.tree.payloads[node]) if node else self.rows(BRANCH, 0)
        for at, row in enumerate(rows):
            if row.kind == BRANCH and row.payload == branch:
                return self.tree.nth(node, at)
            if row.kind == FOLD and branch in self.folds[row.payload].branches:
                return self.tree.nth(self.tree.nth(node, at), self.folds[row.payload].branches.index(branch))
        return node

    def _of_branch(self, branch: int) -> list[Row]:
        folded: dict[int, int] = {}
        hidden: set[int] = set()
        for fold in self.branches.folds(branch, self._signatures):
            folded[fold.branches[0]] = len(self.folds)
            hidden.update(fold.branches[1:])
            self.folds.append(fold)
        found = []
        for child in self.branches.children(branch):
            if child.is_tensor:
                found.append(Row(TENSOR, int(self.numbers[child.number])))
            elif child.number in folded:
                found.append(Row(FOLD, folded[child.number]))
            elif child.number not in hidden:
                found.append(Row(BRANCH, child.number))
        return found


def _column(counts: Sequence[int]) -> Numbers:
    """Counts to be added up: Python's integers where a file states more elements than 64 bits hold."""
    return np.array(counts, dtype=np.int64 if sum(counts) < 1 << 63 else object)


class _Provider:
    """The rows of groups for a tree."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups

    def count(self, node: int) -> int:
        """Rows under a node."""
        return len(self._of(node))

    def rows(self, node: int, first: int, stop: int) -> Iterable[Row]:
        """Some of them."""
        return self._of(node)[first:stop]

    def find(self, node: int, offset: int) -> int:
        """No row is looked for by its bytes."""
        del node, offset
        return -1

    def _of(self, node: int) -> list[Row]:
        tree = self._groups.tree
        return self._groups.rows(tree.kinds[node], tree.payloads[node]) if node else self._groups.rows(BRANCH, 0)
