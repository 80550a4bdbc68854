"""The own classes of a stream in an order in which each is known before it is used, and the code of each."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.derived.bases import Base, base_of
from viewer.core.code.derived.class_text import ClassFacts, call_of, class_code, comment
from viewer.core.code.derived.generalise import Argument
from viewer.core.code.derived.literals import identifier, shown
from viewer.core.code.derived.objects import ObjectTerms, written
from viewer.core.code.derived.references import module_alias
from viewer.core.code.derived.slots import slots_of
from viewer.core.code.derived.terms import Part, Terms
from viewer.core.code.derived.ties import ties
from viewer.core.code.python_text import is_plain_name
from viewer.core.code.texts import is_own
from viewer.core.code.torch_modules import TorchName, Untold, torch_classes
from viewer.core.code.wiring import circles
from viewer.core.objects.instances import Instance, class_of
from viewer.core.objects.names import module_and_name, named
from viewer.core.pickles.values import Kind, Values
from viewer.core.progress import Progress
from viewer.core.tensors.path import shown_short
from viewer.wording import fill
from viewer.wording import skeletons as words

# Nothing can be imported from a program.
_MAIN: Final = "__main__"
_MOST_PLACES: Final = 8
_MOST_MISSING: Final = 100
_LONGEST_CALL: Final = 300


@dataclass(slots=True)
class OwnClass:
    """One class of the person's code. `qualname`: as the made text has it; `missing`: names that cannot be written."""

    name: str
    module: str
    qualname: str
    instances: list[Instance] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    arguments: list[Argument] = field(default_factory=list)
    missing: dict[str, None] = field(default_factory=dict)
    computes: bool = True
    helper: str = ""
    has_helper: bool = False


class Classes:
    """Makes all classes of a stream that have no stored source. `own`: in the order of their first objects."""

    def __init__(
        self, values: Values, instances: Sequence[Instance], stored: Container[str], encoding: str, progress: Progress
    ) -> None:
        self.values, self.encoding = values, encoding
        self._names = {one.value: one.name for one in instances}
        self._by_name: dict[str, OwnClass] = {}
        self._of: dict[int, OwnClass] = {}
        self._tops: dict[str, set[str]] = {}
        self._sort(instances, stored)
        self.own = list(self._by_name.values())
        self._current: OwnClass | None = None
        self.objects = ObjectTerms(values, Terms(), self._names, self._reference, encoding, progress)
        self.objects.is_visible = self._is_visible
        self._functions = {
            module_alias(known.name): known for known in torch_classes().values() if module_alias(known.name)
        }

    def _sort(self, instances: Sequence[Instance], stored: Container[str]) -> None:
        taken: set[tuple[str, str]] = set()
        for one in instances:
            if not is_own(one.name):
                continue
            found = self._by_name.get(one.name)
            if found is None:
                module, qualname = module_and_name(self.values, class_of(self.values, one.value), self.encoding)
                self._tops.setdefault(qualname.partition(".")[0], set()).add(module)
                if not qualname or _has_source(module, qualname, stored):
                    continue
                safe = _free(_safe(qualname), module, taken)
                found = self._by_name[one.name] = OwnClass(one.name, module, safe)
            found.instances.append(one)
            self._of[one.value] = found

    def _is_visible(self, value: int) -> bool:
        """True where a class can be named: in its own module, elsewhere when no other module has one of its name."""
        own = self._of.get(value)
        if own is None or self._current is None:
            return False
        if own.module == _MAIN and self._current.module != _MAIN:
            return False
        return own.module == self._current.module or len(self._tops.get(own.qualname.partition(".")[0], ())) <= 1

    def _reference(self, name: str) -> str:
        own = self._by_name.get(name)
        if own is None or len(self._tops.get(own.qualname.partition(".")[0], ())) > 1:
            return ""
        return own.qualname

    # -- order ------------------------------------------------------------------------------------

    def run(self) -> None:
        """Make them all, what is used before what uses it."""
        circle = circles({own.name: self._used(own) for own in self.own})
        groups: dict[int, list[OwnClass]] = {}
        for own in self.own:
            groups.setdefault(circle[own.name], []).append(own)
        # Those that are used have the higher numbers.
        for _, made in sorted(groups.items(), reverse=True):
            for own in made:
                self._current = own
                self.objects.forget()
                self._make(own)
            self._add_calls(made)
            self.objects.forget()

    def _used(self, own: OwnClass) -> set[str]:
        """The own classes whose objects those of a class hold; notes what they refer to that cannot be written."""
        found: set[str] = set()
        seen: set[int] = set()
        waiting = [child for one in own.instances for child in self.objects.state(one.value).values()]
        while waiting:
            value = waiting.pop()
            if value < 0 or value in seen or self.values.is_atom(value):
                continue
            seen.add(value)
            if self.objects.own(value):
                used = self._of.get(value)
                if used is not None:
                    found.add(used.name)
                continue
            self._note_missing(own, value)
            waiting += self.objects.parts(value)
        self.objects.forget()
        return found

    def _note_missing(self, own: OwnClass, value: int) -> None:
        if self.values.kind(value) is not Kind.GLOBAL or len(own.missing) >= _MOST_MISSING:
            return
        term = self.objects.term(value)
        if self.objects.terms[term].notes:
            own.missing[named(self.values, value, self.encoding)] = None

    # -- code -------------------------------------------------------------------------------------

    def _make(self, own: OwnClass) -> None:
        objects = self.objects
        numbers = [one.value for one in own.instances]
        first = objects.state(numbers[0])
        is_module = all(objects.is_module(number) for number in numbers)
        content = "" if is_module else "dict" if first.entries else "list" if first.items else ""
        slots = slots_of(objects, numbers, content)
        base = base_of(objects, numbers) if is_module else Base("", ())
        same, tied = ties(objects, numbers) if is_module and not base.alias else ({}, [])
        facts = ClassFacts(
            own.qualname,
            base.alias or ("nn.Module" if is_module else content),
            is_module,
            bool(base.alias),
            [] if base.alias else slots,
            base.calls,
            [*self._remarks(own, base, content, is_numbered=is_module and self._is_numbered(numbers))],
            same,
            tied,
            self._names,
        )
        code = class_code(objects.terms, facts, self._default)
        own.head, own.body, own.arguments = code.head, code.body, code.arguments
        own.computes = not is_module or bool(base.alias)
        own.helper, own.has_helper = code.helper, code.uses_helper

    def _is_numbered(self, values: Sequence[int]) -> bool:
        """True for objects that hold nothing but submodules with the numbers of a list."""
        for value in values:
            state = self.objects.state(value)
            names = list(state.children)
            if state.attributes or state.parameters or state.buffers or names != [str(at) for at in range(len(names))]:
                return False
        return any(self.objects.state(value).children for value in values)

    def _remarks(self, own: OwnClass, base: Base, content: str, *, is_numbered: bool) -> Iterator[str]:
        count = len(own.instances)
        objects = words.ONE_OBJECT if count == 1 else fill(words.OBJECTS, {"count": f"{count:,}"})
        yield fill(words.DERIVED, {"count": objects})
        places = [_place(one) for one in own.instances[:_MOST_PLACES]]
        more = count - len(places)
        yield fill(words.PLACES_MORE if more else words.PLACES, {"places": ", ".join(places), "more": f"{more:,}"})
        if base.alias:
            yield fill(words.LOOKS_LIKE, {"alias": base.alias})
        elif base.possible:
            yield fill(words.COULD_BE, {"alias": ", ".join(base.possible)})
        if content:
            yield fill(words.CONTENT, {"alias": content})
        if is_numbered:
            yield words.NUMBERED

    def _default(self, head: str, name: str) -> int:
        """What an argument is where a call leaves it out."""
        terms = self.objects.terms
        known = self._functions.get(head.removesuffix("("))
        if known is None:
            return -1 if head.startswith(("nn.", "torch.", "\0", "super()")) else terms.none
        for argument in known.arguments:
            if argument.name == name and not argument.required:
                if isinstance(argument.default, (TorchName, Untold)):
                    return -1
                return terms.leaf(written(argument.default))
        return -1

    def _add_calls(self, group: Sequence[OwnClass]) -> None:
        """How each object of some classes is made; objects in them come later in the stream's order."""
        objects = self.objects
        numbers = [(one.value, own, at) for own in group for at, one in enumerate(own.instances)]
        order = {value: at for at, value in enumerate(self._names)}
        for value, own, at in sorted(numbers, key=lambda found: order[found[0]], reverse=True):
            call = call_of(objects.terms, own.qualname, own.arguments, at)
            objects.calls[value] = self._resolved(call)
        for own in group:
            call = objects.calls[own.instances[0].value]
            made = objects.terms.flat(call, own.helper, _LONGEST_CALL)
            if own.arguments and made and not objects.terms[call].has_instance:
                own.head += comment(fill(words.MADE, {"call": made}))

    def _resolved(self, call: int) -> int:
        """A call with the calls of the objects that it is given."""
        terms, calls = self.objects.terms, self.objects.calls
        made: dict[int, int] = {}
        waiting = [call]
        while waiting:
            number = waiting[-1]
            held = terms[number]
            missing = [part.term for part in held.parts if part.term not in made]
            if number in made or not held.has_instance:
                made.setdefault(number, number)
                waiting.pop()
            elif missing:
                waiting += missing
            else:
                waiting.pop()
                if held.instance >= 0:
                    made[number] = calls.get(held.instance, number)
                else:
                    parts = [Part(part.prefix, part.label, made[part.term]) for part in held.parts]
                    made[number] = terms.call(held.head, parts, held.tail, is_open=held.is_open)
        return made[call]


def _has_source(module: str, qualname: str, stored: Container[str]) -> bool:
    """True when a class or one that it stands in is stored."""
    parts = qualname.split(".")
    return any(f"{module}.{'.'.join(parts[:count])}" in stored for count in range(1, min(len(parts), 16) + 1))


def _safe(qualname: str) -> str:
    """A name that a class statement can have; inner classes keep their place where all parts are names."""
    parts = qualname.split(".")
    if all(is_plain_name(part) and part == identifier(part.lstrip("_"), "x").rjust(len(part), "_") for part in parts):
        return qualname
    return identifier(parts[-1], "Class")


def _free(wanted: str, module: str, taken: set[tuple[str, str]]) -> str:
    name, number = wanted, 2
    while (module, name) in taken:
        name, number = f"{wanted}_{number}", number + 1
    taken.add((module, name))
    return name


def _place(one: Instance) -> str:
    name = shown_short(one.path)
    return shown(name, 80) if name else words.ROOT
