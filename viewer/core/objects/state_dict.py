"""Branches: the parts of an object that can be taken out as a state_dict, and which one is meant when none is named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from viewer.core.objects import modules
from viewer.core.objects.content import SEQUENCES, mapping
from viewer.core.objects.modules import attributes, entries_of
from viewer.core.objects.naming import Place, name_places, text_key
from viewer.core.objects.optimizer import words
from viewer.core.objects.places import find_places
from viewer.core.objects.scripted import is_scripted
from viewer.core.objects.walk import walked
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.path import Part, Path, shown
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


@dataclass(frozen=True, slots=True)
class Holder:
    """A mapping that entries stand in. `name`: what theirs begin with, before a dot; "" for the outermost.

    `is_ordered`: it is an OrderedDict; `metadata`: its `_metadata`.
    """

    name: str
    is_ordered: bool
    metadata: Mapping[str, Mapping[str, int]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A flat state_dict: names and tensors in order.

    `path`: where it stands, () = the root. `metadata`: `_metadata` as stored, or as the modules' classes give it;
    None where there is none. `other`: entries that are no tensors, by name, with the number of the value.
    `value`: the number of the value that stands at `path`, -1 where no pickle gave one. `holders`: of a whole object,
    the mappings that it is nested from; `numbered`: names of entries and holders whose key there is an int.
    """

    path: Path
    title: str
    kind: BranchKind
    entries: list[tuple[str, Tensor]]
    metadata: dict[str, dict[str, int]] | None = None
    other: list[tuple[str, int]] = field(default_factory=list)
    value: int = -1
    holders: tuple[Holder, ...] = ()
    numbered: frozenset[str] = frozenset()


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


def whole(values: Values, tensors: Sequence[Tensor], pickle_index: int = 0, encoding: str = "utf-8") -> Branch | None:
    """The whole object with all that is no tensor, where it is a mapping; None for any other."""
    return _Branches(values, tensors, pickle_index, encoding).whole()


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


@dataclass(slots=True)
class _Inner:
    """A container: its tensors by name and key, entries that are no tensors, `_metadata`."""

    entries: Sequence[tuple[str, Part | None, Tensor]]
    other: Sequence[tuple[str, Part | None, int]]
    metadata: dict[str, dict[str, int]] | None
    is_mapping: bool = False
    is_module: bool = False


@dataclass(slots=True)
class _Whole:
    """A whole object in the making."""

    entries: list[tuple[str, Tensor]] = field(default_factory=list)
    other: list[tuple[str, int]] = field(default_factory=list)
    holders: list[Holder] = field(default_factory=list)
    numbered: set[str] = field(default_factory=set)

    def named(self, above: str, name: str, part: Part | None) -> str:
        """The name of an entry of a mapping."""
        found = f"{above}.{name}" if above else name
        if isinstance(part, int):
            self.numbered.add(found)
        return found

    def add(self, name: str, inner: _Inner) -> None:
        """All that stands in a container."""
        self.entries += [(self.named(name, key, part), tensor) for key, part, tensor in inner.entries]
        self.other += [(self.named(name, key, part), value) for key, part, value in inner.other]

    def branch(self, numbers: Mapping[Path, int], value: int) -> Branch:
        """All of it in the order of the stream. `numbers`: of the tensors there, by path."""
        entries = sorted(self.entries, key=lambda entry: numbers.get(entry[1].path, len(numbers)))
        other = sorted(self.other, key=lambda entry: entry[1])
        held, numbered = tuple(self.holders), frozenset(self.numbered)
        return Branch((), "", "tensors", unique(entries), None, other, value, held, numbered)


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

    def whole(self) -> Branch | None:
        """The root and all mappings below it; a module comes as its state_dict, what a list holds under its name."""
        if not self.places.values or not mapping(self.values, self.values.root):
            return None
        if self.named.kinds[0] is not Place.PLAIN:
            return self.branch(0)
        found = _Whole()
        waiting = [(0, "")]
        while waiting:
            place, name = waiting.pop()
            inner, value = self._inner(place), self.places.values[place]
            found.add(name, inner)
            for below in () if inner.is_module else self.named.below.get(place, ()):
                part = self.places.parts[below]
                waiting.append((below, found.named(name, self._flat((part,)), part)))
            is_ordered = inner.is_module or self.values.kind(value) is Kind.CALL
            if not inner.is_mapping and self.values.kind(value) not in SEQUENCES:
                # of an object only the tensors come along: the rest has a line of its own
                found.other.append((name, value))
            elif inner.is_mapping:
                found.holders.append(Holder(name, is_ordered, inner.metadata))
        numbers = {tensor.path: number for number, tensor in enumerate(self.places.tensors)}
        return found.branch(numbers, self.values.root)

    def _inner(self, place: int) -> _Inner:
        """What stands in a container itself; of a module all that is in its state_dict."""
        path, value = self.places.path(place), self.places.values[place]
        if self.named.kinds[place] is Place.MODULE:
            made = self._module(path, value)
            parts = [(name, None, inner) for name, inner in made.other]
            return _Inner([(name, None, tensor) for name, tensor in made.entries], parts, made.metadata, True, True)
        paths = [self.places.tensors[number].path for number in sorted(self.held.get(place, []))]
        direct = [(self._flat(at[-1:]), at[-1], self.by_path[at]) for at in paths if at in self.by_path]
        if mapping(self.values, value):
            other = [(self._flat((part,)), part, inner) for part, inner in self._beside(value)]
            return _Inner(direct, other, self._metadata(value), True)
        leading, items = self._leading, self.values.items(value)
        return _Inner(direct, [(str(at), None, inner) for at, inner in enumerate(items) if inner not in leading], None)

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
        return [(shown([part]), inner) for part, inner in self._beside(value)]

    @cached_property
    def _leading(self) -> set[int]:
        """The values that are tensors or lead to one."""
        holding = {self.places.values[place] for place in (*self.held, *self.named.below) if place >= 0}
        return holding | set(self.by_value)

    def _beside(self, value: int) -> list[tuple[Part, int]]:
        """The same by their keys."""
        leading = self._leading
        found: list[tuple[Part, int]] = []
        for section in mapping(self.values, value):
            entries = section.read(0, section.count)
            numbers = [at for at, (_, child) in enumerate(entries) if child not in leading][:_MOST_OTHER]
            found += [(section.part(entries[at][0], at, self.encoding), entries[at][1]) for at in numbers]
        return found
