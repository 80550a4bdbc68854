"""The rows of an object that is kept in pieces: its tensors and other values below the keys of its containers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from viewer.core.document import Document, SetValue
from viewer.core.summary import object_rows
from viewer.core.summary.part import Part, Parts, Say, data, shape_text
from viewer.core.tensors import window
from viewer.core.tensors.many import ManyTensors
from viewer.core.tensors.path import Part as Step
from viewer.core.tensors.path import Path
from viewer.wording import rows as words

# Where rows without bytes stand among those with.
LAST: Final = 1 << 62
DEEPEST: Final = 100
ENCODING: Final = "utf-8"


class Other(NamedTuple):
    """A value that is no tensor, by its number."""

    number: int
    value: SetValue


@dataclass(slots=True)
class Group:
    """One container. `rows`: what stands below each key: another one, a tensor by number, or a value.

    `count`: tensors and values below it, however deep.
    """

    rows: dict[Step, Group | int | Other] = field(default_factory=dict)
    order: dict[Step, int] = field(default_factory=dict)
    count: int = 0


def nested_part(document: Document) -> Part | None:
    """The row of the whole object; None where the paths of its tensors are not known without making each."""
    tensors = document.tensors
    paths = tensors.paths() if isinstance(tensors, ManyTensors) else None
    if paths is None:
        return None
    root = grouped(paths, document.others)
    part = _group(document, data(""), root, paths, 0)
    part.label = Say(words.TENSORS)
    return part


def grouped(paths: Sequence[Path], others: Iterable[SetValue]) -> Group:
    """The containers of an object, by the paths of what stands in them, in their order."""
    root = Group()
    for number, path in enumerate(paths):
        _put(root, path, number)
    for number, value in enumerate(others):
        _put(root, value.path, Other(number, value))
    return root


def _put(group: Group, path: Path, held: int | Other) -> None:
    """Below a key that holds something itself the rest of the path is one key."""
    for depth, step in enumerate(path[:-1]):
        group.count += 1
        inner = group.rows.get(step) if depth < DEEPEST else 0
        if inner is None:
            inner = group.rows[step] = Group()
        if not isinstance(inner, Group):
            _place(group, object_rows.label_of(path[depth:]) if depth else path[-1], held)
            return
        group = inner
    group.count += 1
    _place(group, path[-1] if path else "", held)


def _place(group: Group, step: Step, held: int | Other) -> None:
    while step in group.rows:
        step = f"{step} "
    group.rows[step] = held


def _group(document: Document, label: Say, group: Group, paths: Sequence[Path], depth: int) -> Part:
    steps = list(group.rows)
    if all(isinstance(step, int) for step in steps):
        # The places of a list: its tensors and its other values were found apart.
        steps.sort(key=lambda step: step if isinstance(step, int) else 0)

    def make(number: int) -> Part:
        step = steps[number]
        held, shown = group.rows[step], data(object_rows.label_of((step,)))
        if isinstance(held, Group):
            return _group(document, shown, held, paths, depth + 1)
        return _tensor(document, shown, held) if isinstance(held, int) else _value(shown, held)

    def row_of(path: Path) -> int:
        if not group.order:
            group.order.update((step, row) for row, step in enumerate(steps))
        return group.order.get(path[depth], -1) if depth < len(path) else -1

    below = Parts(range(LAST, LAST + len(steps)), make, 0)
    below.of_tensor = lambda number: row_of(paths[number])
    below.of_other = lambda number: row_of(document.others[number].path)
    return Part(label, "dict", None, (Say(words.ENTRIES, {"count": group.count}),), None, children=below)


def _tensor(document: Document, label: Say, number: int) -> Part:
    tensor = document.tensors[number]
    details = (data(shape_text(tensor.shape)), data(tensor.dtype))
    return Part(label, "tensor", None, details, window.nbytes(tensor), tensor=number)


def _value(label: Say, held: Other) -> Part:
    """A value by the stream that holds it."""
    value = held.value
    pickle = value.document.main_pickle if value.document is not None else None
    if pickle is None or pickle.values.root < 0:
        return Part(label, "value", None, (data(value.member),), other=held.number)
    values, root = pickle.values, pickle.values.root
    details = object_rows.details_of(values, root, ENCODING, is_root=False)
    return Part(label, object_rows.icon_of(values, root, ENCODING), None, details, other=held.number)
