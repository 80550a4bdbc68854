"""Branches: the parts of an object that can be taken out as a state_dict, and which one is meant when none is named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Final, Literal

from viewer.core.objects import modules
from viewer.core.objects.content import mapping
from viewer.core.objects.modules import attributes, entries_of
from viewer.core.objects.naming import Place, name_places, text_key
from viewer.core.objects.optimizer import words
from viewer.core.objects.places import find_places
from viewer.core.objects.scripted import is_scripted
from viewer.core.objects.walk import walked
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.path import Path, shown
from viewer.core.tensors.tensor import Tensor

BranchKind = Literal["state_dict", "module", "optimizer", "tensors"]
METADATA: Final = "_metadata"
# Keys of what checkpoints keep beside weights; taken only when there is nothing else.
_ASIDE: Final = frozenset(
    {
        *("amp", "args", "callbacks", "cfg", "config", "history", "hparams", "hyper", "loops", "losses"),
        *("meters", "metrics", "random", "rng", "scaler", "sched", "scheduler", "schedulers"),
    }
)
_EMA: Final = frozenset({"ema", "averaged", "shadow", "swa"})
_MOST_OTHER: Final = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A flat state_dict: names and tensors in order.

    `path`: where it stands, () = the root. `metadata`: `_metadata` as stored, or as the modules' classes give it;
    None where there is none. `other`: entries that are no tensors, by name, with the number of the value.
    `value`: the number of the value that stands at `path`, -1 where no pickle gave one.
    """

    path: Path
    title: str
    kind: BranchKind
    entries: list[tuple[str, Tensor]]
    metadata: dict[str, dict[str, int]] | None = None
    other: list[tuple[str, int]] = field(default_factory=list)
    value: int = -1


def state_dicts(
    values: Values, tensors: Sequence[Tensor], pickle_index: int = 0, encoding: str = "utf-8"
) -> list[Branch]:
    """All state_dicts, whole modules and optimizers of a stream, in its order; `tensors` are the document's."""
    return _Branches(values, tensors, pickle_index, encoding).all()


def branch_at(
    values: Values, tensors: Sequence[Tensor], path: Path, pickle_index: int = 0, encoding: str = "utf-8"
) -> Branch | None:
    """What stands at a path as one state_dict; None where no tensor stands there or below."""
    return _Branches(values, tensors, pickle_index, encoding).at(path)


def flat_branch(tensors: Iterable[Tensor], title: str = "") -> Branch:
    """Tensors under their paths joined by dots, or under their names where no pickle gave a path."""
    found = list(tensors)
    return Branch((), title, "tensors", unique((shown(tensor.path) or tensor.name or "", tensor) for tensor in found))


def default_branch(branches: Sequence[Branch]) -> list[Branch]:
    """The branch that is meant when none is named: one; several where a choice is needed; [] = all tensors.

    Optimizers never; weights before what is kept beside them; the model before its average.
    """
    found = [branch for branch in branches if branch.kind in ("state_dict", "module")]
    for is_better in (_is_weights, _has_arrays, _is_model):
        better = [branch for branch in found if is_better(branch)]
        found = better or found
    return found


def unique(entries: Iterable[tuple[str, Tensor]]) -> list[tuple[str, Tensor]]:
    """The same entries; a name that is taken already gets a number: `a.b`, `a.b#2`."""
    following: dict[str, int] = {}
    found: list[tuple[str, Tensor]] = []
    for name, tensor in entries:
        free, number = name, following.get(name, 2)
        while free in following:
            free, number = f"{name}#{number}", number + 1
        following[name] = number
        following.setdefault(free, 2)
        found.append((free, tensor))
    return found


def _is_weights(branch: Branch) -> bool:
    return all(_ASIDE.isdisjoint(words(shown([part]))) for part in branch.path)


def _has_arrays(branch: Branch) -> bool:
    return any(tensor.shape for _, tensor in branch.entries)


def _is_model(branch: Branch) -> bool:
    return all(_EMA.isdisjoint(words(shown([part]))) for part in branch.path)


class _Branches:
    def __init__(self, values: Values, tensors: Sequence[Tensor], pickle_index: int, encoding: str) -> None:
        self.values, self.encoding = values, encoding
        own = [tensor for tensor in tensors if tensor.value is not None and tensor.value.pickle == pickle_index]
        known = {tensor.value.value: tensor for tensor in own if tensor.value is not None}
        self.by_path = {tensor.path: tensor for tensor in own}
        self.by_value = known
        named = walked(values, own, encoding)
        if named is None:
            # The walk writes into the tensors that it is given, so it gets copies.
            places = find_places(values, pickle_index, lambda value: copy(known.get(value)), encoding)
            named = name_places(values, places, encoding)
        self.named, self.places = named, named.places
        self.held: dict[int, list[int]] = {}
        for number, holder in enumerate(self.places.holders):
            self.held.setdefault(holder, []).append(number)

    def all(self) -> list[Branch]:
        scripted = self._scripted()
        if scripted is not None:
            return [scripted] if scripted.entries else []
        found: list[Branch] = []
        covered: set[int] = set()
        for place, (kind, parent) in enumerate(zip(self.named.kinds, self.places.parents, strict=True)):
            if parent in covered:
                covered.add(place)
            elif kind in (Place.MODULE, Place.STATE_DICT, Place.OPTIMIZER):
                covered.add(place)
                found.append(self.branch(place))
        return [branch for branch in found if branch.entries]

    def at(self, path: Path) -> Branch | None:
        scripted = None if path else self._scripted()
        if scripted is not None:
            return scripted
        for place in range(len(self.places.values)):
            if self.places.depths[place] == len(path) and self.places.path(place) == path:
                branch = self.branch(place)
                return branch if branch.entries or branch.kind == "module" else None
        tensor = self.by_path.get(path)
        if tensor is None:
            return None
        return Branch(path, shown(path), "tensors", [(tensor.name or shown(path[-1:]), tensor)])

    def branch(self, place: int) -> Branch:
        kind = self.named.kinds[place]
        path = self.places.path(place)
        value = self.places.values[place]
        if kind is Place.MODULE:
            return self._module(path, value)
        entries = unique(self._below(place, len(path)))
        name: BranchKind = "tensors"
        if kind in (Place.OPTIMIZER, Place.STATE_DICT):
            name = "optimizer" if kind is Place.OPTIMIZER else "state_dict"
        return Branch(path, shown(path), name, entries, self._metadata(value), self._other(value), value)

    def _scripted(self) -> Branch | None:
        """The state_dict of a TorchScript module, whose tensors were named by its code; None for all other objects."""
        root = self.values.root
        if not is_scripted(self.values, root):
            return None
        entries = [(tensor.name, tensor) for tensor in self.by_path.values() if tensor.name is not None]
        return Branch((), "", "module", unique(entries), value=root)

    def _below(self, place: int, depth: int) -> list[tuple[str, Tensor]]:
        """All tensors below a container, in the order of the walk, under what follows its path."""
        numbers: list[int] = []
        waiting = [place]
        while waiting:
            inner = waiting.pop()
            numbers += self.held.get(inner, [])
            waiting += self.named.below.get(inner, [])
        paths = [self.places.tensors[number].path for number in sorted(numbers)]
        return [(self._flat(path[depth:]), self.by_path[path]) for path in paths if path in self.by_path]

    def _flat(self, path: Path) -> str:
        return ".".join(key if (key := text_key(part)) is not None else shown([part]) for part in path)

    def _module(self, path: Path, value: int) -> Branch:
        found = modules.state_dict(self.values, value, self.encoding)
        entries: list[tuple[str, Tensor]] = []
        other: list[tuple[str, int]] = []
        for entry in found.entries:
            tensor = self.by_path.get(path + entry.path) or self.by_value.get(entry.value)
            if tensor is None:
                other.append((entry.name, entry.value))
            else:
                entries.append((entry.name, tensor))
        return Branch(path, shown(path), "module", entries, found.versions, other, value)

    def _metadata(self, value: int) -> dict[str, dict[str, int]] | None:
        """`_metadata` of an OrderedDict: the versions of the modules, by their paths."""
        if self.values.kind(value) is not Kind.CALL:
            return None
        stored = attributes(self.values, value, self.encoding).get(METADATA)
        if stored is None:
            return None
        found: dict[str, dict[str, int]] = {}
        for path, facts in entries_of(self.values, stored, self.encoding).items():
            numbers = {
                name: self.values.integer(number)
                for name, number in entries_of(self.values, facts, self.encoding).items()
            }
            found[path] = {name: number for name, number in numbers.items() if number is not None}
        return found

    def _other(self, value: int) -> list[tuple[str, int]]:
        """Entries of a mapping that are neither tensors nor lead to one."""
        holding = {self.places.values[place] for place in (*self.held, *self.named.below) if place >= 0}
        leading = holding | set(self.by_value)
        found: list[tuple[str, int]] = []
        for section in mapping(self.values, value):
            entries = section.read(0, section.count)
            numbers = [at for at, (_, child) in enumerate(entries) if child not in leading][:_MOST_OTHER]
            found += [(shown([section.part(entries[at][0], at, self.encoding)]), entries[at][1]) for at in numbers]
        return found
