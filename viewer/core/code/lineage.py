"""A class with its bases, as far as their texts are held: stored in the file, supplied by the person, or torch's own.

Bases are found by name, as nothing is imported: by the imports of a supplied file, else in the same module, else by
the last part of the name, else among torch's own classes and the builtins.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from viewer.core.code.class_facts import ClassFacts, class_facts
from viewer.core.code.files import SUPPLIED, ClassText
from viewer.core.code.method_facts import MethodFacts
from viewer.core.code.python_text import Fault, class_node, parse
from viewer.core.code.supplied import SuppliedFile
from viewer.core.code.surroundings import fitting
from viewer.core.code.torch_modules import TorchClass, torch_class, torch_classes
from viewer.core.code.torch_text import TorchText

MODULE: Final = "torch.nn.modules.module.Module"
TORCH: Final = "torch"
MOST_BASES: Final = 64
MOST_PARSED: Final = 5_000_000
"""Characters of all stored texts that are parsed; the largest whole models hold a tenth of it."""
_MODULE_NAMES: Final = frozenset({"Module", "nn.Module", "torch.nn.Module", "torch.nn.modules.Module", MODULE})
_ROOTS: Final = {"nn": "torch.nn", "torch": "torch", "F": "torch.nn.functional", "optim": "torch.optim"}
# Bases that add nothing to an object which a check would ask for.
_PLAIN: Final = frozenset({"ABC", "abc.ABC", "Generic", "typing.Generic", "Protocol", "typing.Protocol"})
# Classes of the standard library that are known without their module.
_STANDARD: Final = frozenset(
    {"Counter", "Enum", "IntEnum", "Mapping", "MutableMapping", "NamedTuple", "OrderedDict", "Sequence", "Thread"}
    | {"TypedDict", "UserDict", "UserList", "defaultdict", "deque", "namedtuple"}
)


@dataclass(frozen=True, slots=True)
class HeldClass:
    """A class whose text is held. `file`: the supplied file that it stands in."""

    name: str
    module: str
    origin: str
    facts: ClassFacts
    file: SuppliedFile | None = None


@dataclass(frozen=True, slots=True)
class Lineage:
    """A class and its bases: `own` in the order in which Python looks through them, the class itself first.

    `torch`: torch's own classes among them, without text; `torch_bases`: all of torch's own. `missing`: (base,
    class derived from it) of bases that are not held. `python`: names that bases of Python itself define.
    `is_module`: nn.Module is among them. `opaque`: so is a class of torch or of the standard library of which
    nothing is known here.
    """

    own: tuple[HeldClass, ...]
    torch: tuple[str, ...]
    torch_bases: tuple[str, ...]
    missing: tuple[tuple[str, str], ...]
    python: frozenset[str]
    is_module: bool
    opaque: bool

    @property
    def complete(self) -> bool:
        """True when all that its bases do is known."""
        return not self.missing and not self.opaque

    def method(self, name: str, first: int = 0) -> tuple[int, MethodFacts] | None:
        """The method that a call finds, with the place of its class in `own`; looked for from `first` on."""
        for number, held in enumerate(self.own[first:], first):
            found = held.facts.methods.get(name)
            if found is not None:
                return number, found
        return None

    def methods(self) -> Iterator[tuple[HeldClass, str, MethodFacts]]:
        """The methods that calls find, each with its class and key."""
        seen: set[str] = set()
        for held in self.own:
            for key, method in held.facts.methods.items():
                if key not in seen:
                    seen.add(key)
                    yield held, key, method

    @property
    def names(self) -> frozenset[str]:
        """All that the classes themselves define, which an object has without setting it."""
        return frozenset().union(*(held.facts.names for held in self.own))


@dataclass(slots=True)
class Library:
    """All texts that are held, each parsed once. `supplied`: the newest first."""

    stored: Sequence[ClassText] = ()
    supplied: Sequence[SuppliedFile] = ()
    torch: Mapping[str, TorchText] = field(default_factory=dict)
    _facts: dict[tuple[str, str], HeldClass | Fault] = field(default_factory=dict)
    _parsed: int = 0
    _by_last: dict[str, list[ClassText]] = field(default_factory=dict)
    _by_name: dict[str, ClassText] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for text in self.stored:
            self._by_name[text.name] = text
            self._by_last.setdefault(text.qualname.rpartition(".")[2], []).append(text)

    def texts(self, module: str, qualname: str, name: str) -> list[HeldClass | Fault]:
        """What is held of a class: from the supplied file that a kit would take it of, and as stored."""
        files = fitting(self.supplied, module, qualname)
        found: list[HeldClass | Fault] = [self._supplied(file, module, qualname) for file in files[:1]]
        if name in self._by_name:
            found.append(self._stored(self._by_name[name]))
        return found

    def text_of(self, name: str) -> ClassText | None:
        """The stored text of a class by its qualified name."""
        return self._by_name.get(name)

    def _stored(self, text: ClassText) -> HeldClass | Fault:
        key = (text.origin, text.name)
        if key not in self._facts:
            self._parsed += len(text.text)
            fits = self._parsed <= MOST_PARSED
            read = _read(text.text, text.name, text.module, text.origin) if fits else Fault("too-many")
            self._facts[key] = read
        return self._facts[key]

    def _supplied(self, file: SuppliedFile, module: str, qualname: str) -> HeldClass | Fault:
        facts = file.classes[qualname].facts
        if isinstance(facts, Fault):
            return facts
        return HeldClass(f"{module}.{qualname}" if module else qualname, module, SUPPLIED, facts, file)

    def torch_text(self, name: str) -> HeldClass | None:
        """One of torch's own classes by its installed text; None where that was not fetched or is not to be read."""
        text = self.torch.get(name)
        if text is None:
            return None
        key = (TORCH, name)
        if key not in self._facts:
            self._facts[key] = _read(text.text, name, name.rpartition(".")[0], TORCH)
        found = self._facts[key]
        return found if isinstance(found, HeldClass) else None

    def lineage(self, held: HeldClass) -> Lineage:
        """The class with all bases that can be found."""
        return _Climb(self).lineage(held)

    def find(self, base: str, derived: HeldClass) -> HeldClass | Fault | str | None:
        """What a base's name stands for.

        A held class; the qualified name of one of torch's own or of the standard library; "" for a builtin; None
        for what is not held.
        """
        name = expanded(base, derived.file)
        if name in _MODULE_NAMES and not (name == "Module" and "Module" in self._by_last):
            return MODULE
        if name in _PLAIN or hasattr(builtins, name):
            return ""
        if derived.file is not None and base in derived.file.classes:
            return self._supplied(derived.file, derived.module, base)
        first = name.partition(".")[0]
        is_known = "." in name and (first == TORCH or first in sys.stdlib_module_names)
        found = None if is_known else self._held(name, derived)
        if found is not None:
            return found
        known = torch_named(name, is_bare="." not in name and derived.file is None)
        if known is not None:
            return known.name
        return name if is_known or name in _STANDARD else None

    def _held(self, name: str, derived: HeldClass) -> HeldClass | Fault | None:
        last, module = name.rpartition(".")[2], derived.module
        candidates = self._by_last.get(last, ())
        exact = [text for text in candidates if text.name in (name, f"{module}.{name}")]
        near = [text for text in candidates if text.module == module]
        for text in [*exact, *near, *candidates]:
            if text.name != derived.name:
                return self._stored(text)
        for file in self.supplied:
            if last in file.classes and (file is not derived.file or "." not in name):
                return self._supplied(file, name.rpartition(".")[0] or module, last)
        return None


def _read(text: str, name: str, module: str, origin: str) -> HeldClass | Fault:
    tree = parse(text)
    if isinstance(tree, Fault):
        return tree
    node = class_node(tree)
    if node is None:
        return Fault("no-class")
    facts = class_facts(tree, node)
    return facts if isinstance(facts, Fault) else HeldClass(name, module, origin, facts)


def expanded(base: str, file: SuppliedFile | None) -> str:
    """A name with its first part as the file imports it; without a file well-known short names are meant."""
    first, dot, rest = base.partition(".")
    known = file.imports if file is not None else _ROOTS
    return known.get(first, first) + dot + rest


def torch_named(name: str, is_bare: bool = False) -> TorchClass | None:
    """One of torch's own classes by its qualified name or the name people write; `is_bare`: also without module."""
    if is_bare:
        name = f"torch.nn.{name}"
    found = torch_class(name)
    if found is not None:
        return found
    return _aliases().get(name.removeprefix("torch.") if name.startswith("torch.nn.") else name)


@cache
def _aliases() -> dict[str, TorchClass]:
    return {known.alias: known for known in torch_classes().values() if known.alias is not None}


class _Climb:
    """From a class up to all its bases, depth first; each once, at its last place as Python orders them."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._torch: dict[str, None] = {}
        self._bases: dict[str, None] = {}
        self._missing: dict[tuple[str, str], None] = {}
        self._python: set[str] = set()
        self._opaque = False

    def lineage(self, held: HeldClass) -> Lineage:
        own: list[HeldClass] = []
        waiting = [held]
        while waiting and len(own) < MOST_BASES:
            current = waiting.pop()
            own.append(current)
            self._opaque |= current.facts.has_metaclass
            above = [self._base(base, current) for base in current.facts.bases]
            waiting += [base for base in reversed(above) if base is not None]
        ordered = [one for number, one in enumerate(own) if all(one.name != later.name for later in own[number + 1 :])]
        torch = tuple(name for name in self._torch if name != MODULE)
        bases = tuple(self._bases)
        missing, python = tuple(self._missing), frozenset(self._python)
        return Lineage(tuple(ordered), torch, bases, missing, python, bool(self._torch), self._opaque)

    def _base(self, base: str, derived: HeldClass) -> HeldClass | None:
        found: HeldClass | Fault | str | None
        if derived.origin == TORCH:
            return self._torch_base(derived)
        found = self._library.find(base, derived) if base else None
        if isinstance(found, HeldClass):
            return found if found.name != derived.name else None
        if isinstance(found, str):
            return self._known(found, base)
        self._missing[base or "<computed>", derived.name] = None
        return None

    def _known(self, name: str, base: str) -> HeldClass | None:
        if not name:
            self._python.update(dir(getattr(builtins, base, object)))
            return None
        text = self._library.torch_text(name) if name != MODULE else None
        if text is None and name != MODULE and torch_class(name) is None:
            self._opaque = True
        else:
            self._torch.setdefault(MODULE if text is not None else name)
            self._bases.setdefault(name)
        return text

    def _torch_base(self, derived: HeldClass) -> HeldClass | None:
        """The next of torch's own bases; torch says itself which they are."""
        self._torch.setdefault(MODULE)
        bases = [name for name in self._library.torch[derived.name].bases if name != MODULE]
        found = self._library.torch_text(bases[0]) if bases else None
        self._opaque |= bool(bases) and found is None
        return found
