"""The state of one object as BUILD gave it, sorted into what nn.Module keeps apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.torch_modules import machinery
from viewer.core.objects.content import RECONSTRUCTOR, Role, Section, mapping, states
from viewer.core.objects.instances import MAKERS
from viewer.core.objects.modules import BUFFERS, MACHINERY, MODULES, PARAMETERS, is_empty, non_persistent
from viewer.core.objects.names import called
from viewer.core.pickles.values import Kind, Values
from viewer.core.progress import Progress

_ASIDE: Final = MACHINERY | {PARAMETERS, BUFFERS, MODULES, "training"}
_MOST_KEPT: Final = 50_000
_VISITS: Final = 256


@dataclass(slots=True)
class State:
    """Numbers of values by name. `items`, `entries`: what was appended or set; `arguments`: of the call that makes it.

    `is_module`: the other three mappings are there. `left_out`: buffers that are not in the state_dict.
    """

    attributes: dict[str, int]
    parameters: dict[str, int] = field(default_factory=dict)
    buffers: dict[str, int] = field(default_factory=dict)
    children: dict[str, int] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    is_module: bool = False
    items: list[int] = field(default_factory=list)
    entries: list[tuple[int, int]] = field(default_factory=list)
    arguments: list[int] = field(default_factory=list)

    def values(self) -> Iterator[int]:
        """All values in it."""
        yield from self.attributes.values()
        yield from self.parameters.values()
        yield from self.buffers.values()
        yield from self.children.values()
        yield from self.items
        yield from self.arguments
        for pair in self.entries:
            yield from pair


class States:
    """Reads states. The last ones are kept; so are the names, which come again in every object.

    `get` raises CancelledError.
    """

    def __init__(self, values: Values, encoding: str, progress: Progress | None = None) -> None:
        self._values, self._encoding = values, encoding
        self._progress = progress or Progress()
        self._read_ones = 0
        self._names: dict[int, str | None] = {}
        self._kept: dict[int, State] = {}
        self._aside = _ASIDE | machinery()

    def get(self, value: int) -> State:
        """The state of an object; of a name set twice the later value."""
        found = self._kept.get(value)
        if found is None:
            self._read_ones += 1
            if not self._read_ones % _VISITS:
                self._progress.step("objects", self._read_ones)
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            found = self._kept[value] = self._read(value)
        return found

    def _read(self, value: int) -> State:
        values = self._values
        if value < 0 or values.kind(value) is not Kind.CALL:
            return State({})
        found = states(values, value) if values.changes(value) or not values.code.complete else []
        held = self._named([section for section in found if section.role is Role.ATTRIBUTE])
        if PARAMETERS not in held or MODULES not in held:
            arguments = _arguments(values, value)
            return State(held, items=values.items(value), entries=values.pairs(value), arguments=arguments)
        state = State({name: child for name, child in held.items() if name not in self._aside}, is_module=True)
        state.parameters = self._entries(held[PARAMETERS])
        state.buffers = self._entries(held.get(BUFFERS, -1))
        state.children = self._entries(held[MODULES])
        if state.buffers:
            state.left_out = non_persistent(values, held, self._encoding)
        return state

    def _entries(self, value: int) -> dict[str, int]:
        return {} if is_empty(self._values, value) else self._named(mapping(self._values, value))

    def _named(self, sections: list[Section]) -> dict[str, int]:
        found: dict[str, int] = {}
        for section in sections:
            for key, child in section.read(0, section.count):
                if key not in self._names:
                    self._names[key] = self._values.text(key, self._encoding)
                name = self._names[key]
                if name is not None:
                    found[name] = child
        return found


def _arguments(values: Values, value: int) -> list[int]:
    """What the class was given, positional only."""
    arguments = values.arguments(value)
    maker = called(values, value)
    if values.callee(value) == value or maker not in MAKERS:
        return arguments
    if maker == RECONSTRUCTOR:
        return [one for one in arguments[2:] if values.kind(one) is not Kind.NONE]
    if maker == "copyreg.__newobj_ex__":
        return [item for given in arguments[1:2] for item in values.items(given)]
    return arguments[1:]
