"""The text of one derived class: what was seen of it, an `__init__` that makes it again, a `forward` that raises."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.derived.generalise import Argument, Arguments, Default, common
from viewer.core.code.derived.literals import MODULE_NAMES, is_attribute, quoted, shown
from viewer.core.code.derived.slots import Role, Slot
from viewer.core.code.derived.terms import HELPER, INDENT, WIDTH, Part, Terms
from viewer.wording import fill
from viewer.wording.skeletons import ARGUMENTS, DIFFERS, DIFFERS_MORE, FORWARD, TAKEN, WITHOUT
from viewer.wording.skeletons import HELPER as HELPER_SAYS

_HELPER_NAME: Final = "_as_pickled"
_MOST_VALUES: Final = 8
_LONGEST_VALUE: Final = 60
_NONE: Final = "None"


@dataclass(slots=True)
class ClassFacts:
    """What is known of one class.

    `qualname`: as code refers to it; its last part is the name of the class. `base`: the code of its base class, ""
    for none; `base_arguments`: the call of the base's constructor for each object, () where it takes nothing.
    `remarks`: sentences for its head. `same`: submodules that are another one, by its name; `ties`: code that makes
    parameters one. `computes`: the base has the forward. `class_of`: the class of an object that is taken as it is.
    """

    qualname: str
    base: str
    is_module: bool
    computes: bool
    slots: Sequence[Slot]
    base_arguments: Sequence[int] = ()
    remarks: list[str] = field(default_factory=list)
    same: Mapping[str, str] = field(default_factory=dict)
    ties: Sequence[str] = ()
    class_of: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClassCode:
    """The made lines, between whose halves inner classes have their place, and the arguments that the class takes."""

    head: list[str]
    body: list[str]
    arguments: list[Argument]
    helper: str
    uses_helper: bool


def class_code(terms: Terms, facts: ClassFacts, default: Default) -> ClassCode:
    """Write a class."""
    return _Writer(terms, facts, default).write()


class _Writer:
    def __init__(self, terms: Terms, facts: ClassFacts, default: Default) -> None:
        self.terms, self.facts, self.default = terms, facts, default
        self.arguments = Arguments(terms)
        taken = {slot.name for slot in facts.slots}
        self.helper = _HELPER_NAME
        while self.helper in taken:
            self.helper += "_"
        self.uses_helper = False

    def write(self) -> ClassCode:
        statements = self._body()
        arguments = list(self.arguments.made.values())
        name = self.facts.qualname.rpartition(".")[2]
        head = [f"class {name}({self.facts.base}):" if self.facts.base else f"class {name}:"]
        for remark in (*self.facts.remarks, *self._differences(arguments)):
            head += comment(remark)
        new = _NEW if any(slot.role is Role.ARGUMENTS for slot in self.facts.slots) else ()
        body = [*new, "", *_signature(arguments), *(f"{2 * INDENT}{line}" for line in statements or ["pass"])]
        if self.uses_helper:
            body += ["", *(INDENT + line for line in _helper(self.helper))]
        if self.facts.is_module and not self.facts.computes:
            sentence = fill(FORWARD, {"name": shown(self.facts.qualname)})
            body += ["", f"{INDENT}def forward(self, *inputs, **options):"]
            body += [f"{2 * INDENT}raise NotImplementedError(", f"{3 * INDENT}{quoted(sentence)}", f"{2 * INDENT})"]
        return ClassCode(head, body, arguments, self.helper, self.uses_helper)

    # -- __init__ ---------------------------------------------------------------------------------

    def _body(self) -> list[str]:
        body: list[str] = []
        if self.facts.base_arguments:
            call = common(self.terms, self.arguments, tuple(self.facts.base_arguments), (), self.default)
            body += self._code(self.terms.call("super().__init__(", self.terms[call].parts), "", "")
        elif self.facts.is_module:
            body.append("super().__init__()")
        last: list[str] = []
        for slot in self.facts.slots:
            if slot.role is Role.MODULE and slot.name in self.facts.same:
                body.append(f"self.{slot.name} = self.{self.facts.same[slot.name]}")
                continue
            is_late = slot.role is Role.ATTRIBUTE and not self._is_simple(slot)
            (last if is_late else body).extend(self._statement(slot))
        return [*body, *self.facts.ties, *last]

    def _is_simple(self, slot: Slot) -> bool:
        """True where `self.name` means the attribute and sets nothing else."""
        hidden = self.facts.is_module and slot.name in MODULE_NAMES
        return is_attribute(slot.name) and not slot.is_raw and not hidden and slot.name != "forward"

    def _statement(self, slot: Slot) -> Iterator[str]:
        if slot.is_mapping:
            yield from self._mapping(slot)
            return
        if slot.is_optional:
            term = self.arguments.argument(slot.vector, (slot.name,))
            yield f"if {self.terms[term].head} is not None:"
            yield from (INDENT + line for line in self._assignment(slot, term))
            return
        term = common(self.terms, self.arguments, slot.vector, (slot.name,), self.default)
        yield from (f"# {shown(slot.name)}: {note}" for note in self.terms[term].notes)
        yield from self._assignment(slot, term)

    def _mapping(self, slot: Slot) -> Iterator[str]:
        """All that only some objects have, given by name."""
        name = self.terms[self.arguments.argument(slot.vector, (slot.name,))].head
        if slot.role is Role.ATTRIBUTE:
            yield f"self.__dict__.update({name})"
            return
        # No argument begins with an underscore.
        yield f"for _name, _value in {name}.items():"
        register = {
            Role.PARAMETER: "self.register_parameter(_name, _value)",
            Role.BUFFER: "self.register_buffer(_name, _value)",
            Role.UNSAVED: "self.register_buffer(_name, _value, persistent=False)",
        }
        yield INDENT + register.get(slot.role, "self.add_module(_name, _value)")

    def _assignment(self, slot: Slot, term: int) -> list[str]:
        name = quoted(slot.name)
        simple = self._is_simple(slot)
        is_none = self.terms[term].head == _NONE
        registers = "." not in slot.name and slot.name != "" and slot.name not in MODULE_NAMES
        if slot.role is Role.CONTENT:
            return self._code(term, "self.update(" if slot.name == "entries" else "self.extend(", ")")
        if slot.role is Role.ARGUMENTS:
            return [f"# {ARGUMENTS}", *self._code(term, "self.arguments = ", "")]
        if slot.role is Role.ATTRIBUTE:
            return self._code(term, f"self.{slot.name} = " if simple else f"self.__dict__[{name}] = ", "")
        if slot.role is Role.PARAMETER:
            if simple and self.terms[term].head.startswith("nn."):
                return self._code(term, f"self.{slot.name} = ", "")
            return self._registered(term, "register_parameter", "_parameters", name, registers)
        if slot.role in (Role.BUFFER, Role.UNSAVED):
            return self._buffer(slot, term, name, registers)
        if simple and not is_none:
            return self._code(term, f"self.{slot.name} = ", "")
        return self._registered(term, "add_module", "_modules", name, registers)

    def _registered(self, term: int, method: str, kept: str, name: str, registers: bool) -> list[str]:
        """By nn.Module's method; names that it refuses go where it would keep them."""
        if registers:
            return self._code(term, f"self.{method}({name}, ", ")")
        return self._code(term, f"self.{kept}[{name}] = ", "")

    def _buffer(self, slot: Slot, term: int, name: str, registers: bool) -> list[str]:
        is_saved = slot.role is Role.BUFFER
        if registers:
            return self._code(term, f"self.register_buffer({name}, ", ")" if is_saved else ", persistent=False)")
        lines = self._code(term, f"self._buffers[{name}] = ", "")
        return lines if is_saved else [*lines, f"self._non_persistent_buffers_set.add({name})"]

    def _code(self, term: int, before: str, after: str) -> list[str]:
        lines = self.terms.lines(term, before, "", HELPER, after)
        if any(HELPER in line for line in lines):
            self.uses_helper = True
        return [line.replace(HELPER, f"self.{self.helper}") for line in lines]

    # -- what differs -----------------------------------------------------------------------------

    def _differences(self, arguments: Sequence[Argument]) -> Iterator[str]:
        for argument in arguments:
            seen = list(dict.fromkeys(term for term in argument.vector if term >= 0))
            taken = dict.fromkeys(self.facts.class_of.get(self.terms[term].instance, "") for term in seen)
            if any(taken):
                classes = [shown(name) for name in taken if name][:_MOST_VALUES]
                yield fill(TAKEN, {"name": argument.name, "classes": ", ".join(classes)})
            elif len(seen) > 1:
                texts = [self._short(term) for term in seen[:_MOST_VALUES]]
                more = len(seen) - len(texts)
                sentence = DIFFERS_MORE if more else DIFFERS
                yield fill(sentence, {"name": argument.name, "values": ", ".join(texts), "more": f"{more:,}"})
            if -1 in argument.vector:
                yield fill(WITHOUT, {"name": argument.name})

    def _short(self, term: int) -> str:
        held = self.terms[term]
        if held.length <= _LONGEST_VALUE:
            return self.terms.flat(term, self.helper).replace(HELPER, self.helper)
        return f"{held.head.replace(HELPER, self.helper)[:_LONGEST_VALUE]}…{held.tail}"


# Whoever makes the object without __init__, as pickle does, gives the arguments to __new__.
_NEW: Final = (
    "",
    f"{INDENT}def __new__(cls, *arguments, **others):",
    f"{2 * INDENT}made = super().__new__(cls)",
    f"{2 * INDENT}made.arguments = arguments",
    f"{2 * INDENT}return made",
)


def _signature(arguments: Sequence[Argument]) -> list[str]:
    """The line that begins `__init__`; what only some objects have may be left out."""
    if not arguments:
        return [f"{INDENT}def __init__(self):"]
    needed = [argument.name for argument in arguments if -1 not in argument.vector]
    names = [*needed, *(f"{argument.name}=None" for argument in arguments if -1 in argument.vector)]
    line = f"{INDENT}def __init__(self, *, {', '.join(names)}):"
    if len(line) <= WIDTH:
        return [line]
    return [
        f"{INDENT}def __init__(",
        f"{2 * INDENT}self,",
        f"{2 * INDENT}*,",
        *(f"{2 * INDENT}{name}," for name in names),
        f"{INDENT}):",
    ]


def comment(sentence: str) -> list[str]:
    """A sentence as comment lines of a class. What comes from a file is escaped in it, so it has no line ends."""
    lines = textwrap.wrap(sentence, WIDTH - 6, break_long_words=False, break_on_hyphens=False)
    return [f"{INDENT}# {line}" for line in lines]


def _helper(name: str) -> list[str]:
    return [
        "@staticmethod",
        f"def {name}(module, attributes=None, **held):",
        f"{INDENT}# {HELPER_SAYS}",
        f"{INDENT}module.__dict__.update(attributes or {{}})",
        f"{INDENT}for kind, entries in held.items():",
        f"{2 * INDENT}module.__dict__[kind].clear()",
        f"{2 * INDENT}module.__dict__[kind].update(entries)",
        f"{INDENT}return module",
    ]


def call_of(terms: Terms, qualname: str, arguments: Sequence[Argument], number: int) -> int:
    """How one object of a class is made."""
    parts = [
        Part(f"{argument.name}=", argument.name, argument.vector[number])
        for argument in arguments
        if argument.vector[number] >= 0
    ]
    return terms.call(f"{qualname}(", parts, is_open=True)
