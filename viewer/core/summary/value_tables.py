"""Tables of what a checkpoint holds beside weights: plain values, groups of optimizers, their state by parameter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from viewer.core.document import Document, Pickle
from viewer.core.objects.content import sections
from viewer.core.objects.describe import class_name, describe
from viewer.core.objects.modules import entries_of
from viewer.core.objects.optimizer import GROUPS, PARAMS, held_by
from viewer.core.objects.optimizer_names import NAMES, joined
from viewer.core.objects.scalars import TensorOf, number, written
from viewer.core.objects.state_dict import Branch, default_branch
from viewer.core.progress import Progress
from viewer.core.summary.rows.values import PlainWalk
from viewer.core.summary.training import tensors_by_value
from viewer.core.tensors.path import Attribute, Path, shown, shown_short
from viewer.core.tensors.tensor import Tensor, ValueRef
from viewer.wording.told import Told

TABLES: Final = "objects"
"""The step of progress."""
MOST: Final = 100_000
"""Rows of one table."""
MOST_GROUPS: Final = 1_000
TURN: Final = 1_024
LINE: Final = 120
LISTS: Final = frozenset({PARAMS, NAMES})
"""Entries of a group that tell its parameters one by one."""
RATE: Final = "lr"


class Entry(NamedTuple):
    """A cell: its text, and what a click on it leads to: a tensor by its number, or a value. `code`: a word of ours."""

    text: str
    tensor: int = -1
    value: ValueRef | None = None
    code: str = ""


@dataclass(slots=True, eq=False)
class Table:
    """`columns`: codes of `wording.value_tables.COLUMNS`, or keys of the file behind the first `own` of them."""

    columns: list[str]
    own: int
    rows: list[list[Entry]] = field(default_factory=list)
    cut: bool = False


@dataclass(slots=True, eq=False)
class Tables:
    """All of a document: values that are no tensors, groups of optimizers, and the state that they keep."""

    values: Table
    groups: Table
    states: Table


def value_tables(document: Document, encoding: str, progress: Progress) -> Tables:
    """The tables of the main pickle; those of a set's texts too. Raises CancelledError."""
    encoding = encoding or "utf-8"
    found = Tables(
        Table(["path", "type", "value"], 3),
        Table(["optimizer", "group", "parameters"], 3),
        Table(["optimizer", "parameter", "found", "group"], 4),
    )
    for pair in document.metadata:
        found.values.rows.append([Entry(pair.key), Entry("str"), Entry(pair.value)])
    pickle = document.object_pickle
    if pickle is None or pickle.values.root < 0:
        return found
    branches = document.branches(encoding)
    optimizers = [one for one in branches if one.kind == "optimizer" and one.value >= 0]
    _add_values(document, pickle, encoding, optimizers, found.values, progress)
    tensor_of = tensors_by_value(document, pickle.index)
    weights = [one for one in default_branch(branches) if one.kind != "optimizer"]
    for one in optimizers:
        reader = _Optimizer(pickle, one, weights[0].entries if weights else [], tensor_of, encoding)
        reader.add_groups(found.groups)
        reader.add_states(found.states, progress)
    return found


def _add_values(
    document: Document, pickle: Pickle, encoding: str, optimizers: list[Branch], table: Table, progress: Progress
) -> None:
    """All plain values; the numbers of parameters in groups of optimizers say nothing and are left out."""
    heads = [one.path for one in optimizers]
    for value, path in PlainWalk(document, pickle, encoding).places():
        if len(table.rows) % 256 == 0:
            progress.step(TABLES, len(table.rows))
        if any(_is_listed(path, head) for head in heads):
            continue
        if len(table.rows) >= MOST:
            table.cut = True
            return
        place = ValueRef(pickle.index, value)
        text = describe(pickle.values, value, LINE, encoding)
        row = [Entry(shown_short(path) or "root"), Entry(class_name(pickle.values, value, encoding)), Entry(text)]
        table.rows.append([cell._replace(value=place) for cell in row])


def _is_listed(path: Path, head: Path) -> bool:
    """True for a parameter in the list of a group."""
    below = path[len(head) :]
    names = {part.name if isinstance(part, Attribute) else part for part in below[:3]}
    return path[: len(head)] == head and GROUPS in names and bool(names & LISTS)


class _Optimizer:
    """One optimizer, as rows of the tables."""

    def __init__(
        self,
        pickle: Pickle,
        branch: Branch,
        weights: list[tuple[str, Tensor]],
        tensor_of: TensorOf,
        encoding: str,
    ) -> None:
        self._pickle, self._values, self._branch = pickle, pickle.values, branch
        self._weights, self._tensor_of, self._encoding = weights, tensor_of, encoding
        self._title = Entry(shown(branch.path), value=self._ref(branch.value))
        held = held_by(self._values, branch.value, encoding)
        self._groups = [entries_of(self._values, group, encoding) for group in self._items(held.get(GROUPS, -1))]

    def add_groups(self, table: Table) -> None:
        """A row a group: how many parameters, and each setting in its own column."""
        for at, group in enumerate(self._groups):
            count = sum(section.count for section in sections(self._values, group.get(PARAMS, -1)))
            cells = {key: self._entry(value) for key, value in group.items() if key not in LISTS}
            own = [self._title, Entry(str(at)), Entry(Told(count))]
            table.rows.append(_placed(table, own, cells))

    def add_states(self, table: Table, progress: Progress) -> None:
        """A row a parameter: its name, its learning rate, and what the optimizer keeps for it."""
        by_name = dict(self._weights)
        rows = joined(self._values, self._branch.value, self._weights, self._tensor_of, self._encoding)
        for at, row in enumerate(rows):
            if at % 256 == 0:
                progress.step(TABLES, at)
            if len(table.rows) >= MOST:
                table.cut = True
                return
            weight = by_name.get(row.name or "")
            name = row.name if row.name is not None else self._text(row.key)
            own = [
                self._title,
                Entry(name, weight.index if weight is not None else -1, self._ref(row.key)),
                Entry("", code=row.by),
                Entry(str(row.group)),
            ]
            group = self._groups[row.group] if row.group < len(self._groups) else {}
            cells = {RATE: self._entry(group[RATE])} if RATE in group else {}
            held = entries_of(self._values, row.state, self._encoding) if row.state >= 0 else {}
            cells |= {key: self._entry(value) for key, value in held.items()}
            table.rows.append(_placed(table, own, cells))

    def _entry(self, value: int) -> Entry:
        """A number, a tensor by its shape, or whatever else it is."""
        tensor = self._tensor_of(value)
        plain = number(self._values, value, self._tensor_of)
        if plain is not None:
            return Entry(written(plain), tensor.index if tensor is not None else -1, self._ref(value))
        if tensor is not None:
            return Entry(f"[{', '.join(map(str, tensor.shape))}] {tensor.dtype}", tensor.index)
        return Entry(self._text(value), value=self._ref(value))

    def _text(self, value: int) -> str:
        return describe(self._values, value, LINE, self._encoding)

    def _ref(self, value: int) -> ValueRef:
        return ValueRef(self._pickle.index, value)

    def _items(self, value: int) -> Iterator[int]:
        for section in sections(self._values, value):
            for _, child in section.read(0, min(section.count, MOST_GROUPS)):
                yield child


def rows_with(table: Table, words: Sequence[str], progress: Progress) -> list[int]:
    """The rows in whose cells all words stand, which are in lower case. Raises CancelledError."""
    found = []
    for at, row in enumerate(table.rows):
        if at % TURN == 0:
            progress.step(TABLES, at, len(table.rows))
        text = " ".join(cell.text for cell in row).casefold()
        if all(word in text for word in words):
            found.append(at)
    return found


def _placed(table: Table, own: list[Entry], cells: dict[str, Entry]) -> list[Entry]:
    """A row with each cell in the column of its key; keys that are new become columns."""
    known = table.columns[table.own :]
    table.columns += [key for key in cells if key not in known]
    return [*own, *(cells.get(key, Entry("")) for key in table.columns[table.own :])]
