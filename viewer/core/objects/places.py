"""The walk over all values of a stream: every container on the way to a tensor, and every tensor with its place.

Iterative. A container that stands in several places is walked in each, as long as that adds no more places
than the stream has opcodes, so that nests of shared lists end at once; inside itself it is not walked again.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from viewer.core.objects.content import KINDS, Role, Section, elements, part_of_key, sections, states
from viewer.core.objects.interest import Interest
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import LAST_ATOM, Kind, Values
from viewer.core.progress import Progress
from viewer.core.tensors.path import Attribute, Key, Part, Path, key_part
from viewer.core.tensors.rows import texts_of
from viewer.core.tensors.tensor import Tensor, ValueRef

# Deeper than any real file: a path of so many parts is replaced by the number of its value.
DEEPEST: Final = 500
_FEW: Final = 16
_VISITS: Final = 256
_EMPTY_TUPLE: Final = code("EMPTY_TUPLE")
_FIRST_ATOM: Final = int(Kind.NONE)
_CALL, _PERSISTENT, _LAST_ATOM, _LAST_CONTAINER = Kind.CALL, Kind.PERSISTENT, int(LAST_ATOM), int(Kind.FROZENSET)
_ATTRIBUTE, _KEY, _ARGUMENT = Role.ATTRIBUTE, Role.KEY, Role.ARGUMENT
ROOT: Final = -1
# The note of arrays of Python objects.
OBJECTS: Final = "object"

Rebuild = Callable[[int], Tensor | None]


@dataclass(slots=True)
class Places:
    """Columns of the containers that were walked, by number: `parents`, `parts`, `values`, `depths`.

    `tensors` are in the order of the walk; `holders[i]` is the container that tensor i stands in (-1: it is the
    root) and `parts_of[i]` its part there.
    """

    parents: list[int] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    holders: list[int] = field(default_factory=list)
    parts_of: list[Part] = field(default_factory=list)

    def path(self, place: int) -> Path:
        """The path of a container; the root's is ()."""
        parts: list[Part] = []
        while place > 0:
            parts.append(self.parts[place])
            place = self.parents[place]
        return tuple(reversed(parts))


def find_places(
    values: Values, pickle_index: int, rebuild: Rebuild, encoding: str, progress: Progress | None = None
) -> Places:
    """Walk from the root of a stream; `rebuild` gives the tensor that a value is, or None."""
    walk = _Walk(values, pickle_index, rebuild, encoding, progress or Progress())
    if values.root >= 0 and not walk.interest.none:
        walk.run()
    return walk.found


class _Walk:
    def __init__(self, values: Values, pickle_index: int, rebuild: Rebuild, encoding: str, progress: Progress) -> None:
        self.progress = progress
        self.visits = 0
        self.values, self.rebuild, self.encoding = values, rebuild, encoding
        self.pickle_index = pickle_index
        self.interest = Interest(values)
        self.found = Places()
        self.codes = values.code.codes.data
        self.complete = values.code.complete
        self.seen: set[int] = set()
        self.known: set[int] = set()
        # Path that is taken -> number of the next place of that path.
        self.names: dict[Path, int] = {}
        self.paths: dict[int, Path] = {}
        self.keys: list[tuple[int, int, Part]] = []
        self.parts: dict[tuple[int, bool], Part] = {}
        self.budget = len(values.code) + 1000

    def run(self) -> None:
        """The root, then what only stands in keys of mappings."""
        self._walk(self.values.root, ROOT, 0)
        waiting, self.keys = self.keys, []
        for value, place, part in waiting:
            if value not in self.seen and value not in self.known:
                self._walk(value, self._place(place, part, value), Key("key"))

    def _walk(self, value: int, holder: int, part: Part) -> None:
        waiting: list[tuple[int, int, Part]] = [(value, holder, part)]
        while waiting:
            value, holder, part = waiting.pop()
            self.visits += 1
            if not self.visits % _VISITS:
                self.progress.step("objects", self.visits)
            kind = KINDS[self.codes[value]] if value >= 0 else 0
            if kind in (_CALL, _PERSISTENT):
                # Without arguments and content it is an empty dictionary or object: modules hold a dozen of them.
                if self.complete and self.codes[value - 1] == _EMPTY_TUPLE and not self.values.changes(value):
                    continue
                tensor = self.rebuild(value)
                if tensor is not None:
                    self._add(tensor, value, holder, part)
                    if kind == _CALL and not tensor.note and tensor.kind != "array":
                        waiting += self._attributes(value, holder, part)
                    elif tensor.note == OBJECTS:
                        waiting += self._elements(value, holder, part)
                    continue
                if not self.interest.inside(value):
                    continue
            elif not _LAST_ATOM < kind <= _LAST_CONTAINER:
                continue
            place = self._enter(value, holder, part)
            if place >= 0:
                waiting += self._children(sections(self.values, value), place, value)

    def _enter(self, value: int, holder: int, part: Part) -> int:
        """A new place for a container; -1: it is not to be walked (again)."""
        if value in self.seen:
            self.budget -= 1
            if self.budget <= 0 or self._inside(value, holder):
                return -1
        return self._place(holder, part, value)

    def _inside(self, value: int, holder: int) -> bool:
        """True when a container stands inside itself."""
        found = self.found
        while holder >= 0 and found.values[holder] != value:
            holder = found.parents[holder]
            self.budget -= 1
        return holder >= 0

    def _place(self, holder: int, part: Part, value: int) -> int:
        found = self.found
        found.parents.append(holder)
        found.parts.append(part)
        found.values.append(value)
        found.depths.append(found.depths[holder] + 1 if holder >= 0 else 0)
        return len(found.values) - 1

    def _children(self, parts: list[Section], place: int, value: int) -> list[tuple[int, int, Part]]:
        """What leads on from a container, last first; where a part is set twice the later value stands."""
        children: dict[Part, int] = {}
        for section in parts:
            entries = self.interest.leading(section)
            if len(entries) > _FEW and section.role in (_ATTRIBUTE, _KEY):
                self._read_texts(entries, section.role is _KEY)
            for number, key, child in entries:
                part = self._part(section, key, number)
                if part in children and section.role is _ARGUMENT:
                    part = Key(f"{part} {number}")
                children[part] = child
                if key >= 0 and not _FIRST_ATOM <= KINDS[self.codes[key]] <= _LAST_ATOM:
                    self.keys.append((key, place, part_of_key(self.values, key, number, self.encoding)))
        if value in self.seen:
            self.budget -= len(children)
        self.seen.add(value)
        return [(child, place, part) for part, child in reversed(children.items())]

    def _part(self, section: Section, key: int, number: int) -> Part:
        """`section.part`, with the texts of keys kept: the names of attributes are few and come again."""
        if section.role is not _ATTRIBUTE and section.role is not _KEY:
            return section.part(key, number, self.encoding)
        kept = (key, section.role is _KEY)
        part = self.parts.get(kept)
        if part is None:
            part = self.parts[kept] = section.part(key, number, self.encoding)
        return part

    def _read_texts(self, entries: list[tuple[int, int, int]], are_keys: bool) -> None:
        """Keep the parts for the keys that are texts, read all at once."""
        unread = [key for _, key, _ in entries if (key, are_keys) not in self.parts]
        if len(unread) <= _FEW:
            return
        for key, text in texts_of(self.values, unread, self.encoding).items():
            self.parts[key, are_keys] = key_part(text) if are_keys else Attribute(text)

    def _attributes(self, value: int, holder: int, part: Part) -> list[tuple[int, int, Part]]:
        """What Python attributes of a tensor lead to."""
        if not self.values.changes(value):
            return []
        parts = [section for section in states(self.values, value) if section.role is Role.ATTRIBUTE]
        if not any(self.interest.leading(section) for section in parts) or value in self.seen:
            return []
        return self._children(parts, self._place(holder, part, value), value)

    def _elements(self, value: int, holder: int, part: Part) -> list[tuple[int, int, Part]]:
        """What the elements of an array of Python objects lead to: by their numbers in the order of its list."""
        parts = elements(self.values, value)
        if value in self.seen or not any(self.interest.leading(section) for section in parts):
            return []
        return self._children(parts, self._place(holder, part, value), value)

    def _add(self, tensor: Tensor, value: int, holder: int, part: Part) -> None:
        if value in self.known:
            tensor = copy.copy(tensor)
        self.known.add(value)
        tensor.index = len(self.found.tensors)
        tensor.path = self._path(value, holder, part)
        tensor.value = ValueRef(self.pickle_index, value)
        self.found.tensors.append(tensor)
        self.found.holders.append(holder)
        self.found.parts_of.append(part)

    def _path(self, value: int, holder: int, part: Part) -> Path:
        """The path of a tensor, unique in the document."""
        if holder < 0:
            path: Path = ()
        elif self.found.depths[holder] >= DEEPEST:
            path = (Key(f"value {value}"),)
        else:
            above = self.paths.get(holder)
            if above is None:
                above = self.paths[holder] = self.found.path(holder)
            path = (*above, part)
        following = self.names.get(path)
        if following is None:
            self.names[path] = 2
            return path
        while (unique := (*path, Key(f"place {following}"))) in self.names:
            following += 1
        self.names[path] = following + 1
        self.names[unique] = 2
        return unique
