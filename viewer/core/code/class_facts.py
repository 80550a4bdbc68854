"""What the text of a class says about its objects: which attributes its methods set, read and call, and in which lines.

Lines count in the text that was parsed, from 1. Nothing is said about other classes: `lineage` puts bases together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from viewer.core.code.method_facts import MethodFacts, Setting, method_facts
from viewer.core.code.python_text import Fault, Tree, dotted, members

MOST_MEMBERS: Final = 20_000
_FIELD_MAKERS: Final = frozenset({"dataclass", "define", "frozen", "mutable", "attrs", "s", "attributes"})
# Methods that are given the class without being marked so.
_OF_CLASSES: Final = frozenset({"__class_getitem__", "__init_subclass__", "__new__"})
_PROPERTIES: Final = frozenset({"property", "cached_property", "lazy_property"})


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """One class. `bases`: as written, "" for what is no name. `methods`: by name, setters as `x.setter`.

    `names`: all that the class body defines. `properties`: those of them that are computed. `fields`: what a
    dataclass's own `__init__` sets. `slots`: names of `__slots__`. `annotated`: names with a type and no value.
    `has_metaclass`: another class than `type` or ABCMeta makes it, which may add names.
    """

    name: str
    line: int
    bases: tuple[str, ...]
    methods: Mapping[str, MethodFacts]
    names: frozenset[str]
    properties: frozenset[str]
    fields: Mapping[str, Setting]
    slots: frozenset[str]
    annotated: frozenset[str]
    has_metaclass: bool


def class_facts(tree: Tree, node: ast.ClassDef) -> ClassFacts | Fault:
    """The facts of one class of a tree. A Fault where its branches are nested too deep."""
    try:
        return _Reader(tree.shift).read(node)
    except RecursionError:
        return Fault("too-deep", node.lineno + tree.shift)


class _Reader:
    def __init__(self, shift: int) -> None:
        self._shift = shift
        self._methods: dict[str, MethodFacts] = {}
        self._names: set[str] = set()
        self._properties: set[str] = set()
        self._annotated: dict[str, int] = {}
        self._slots: set[str] = set()

    def read(self, node: ast.ClassDef) -> ClassFacts:
        for count, statement in enumerate(members(node.body)):
            if count == MOST_MEMBERS:
                break
            self._statement(statement)
        decorators = {_last(decorator) for decorator in node.decorator_list}
        fields: dict[str, Setting] = {}
        if decorators & _FIELD_MAKERS:
            fields = {name: Setting(name, line, sure=True) for name, line in self._annotated.items()}
        return ClassFacts(
            node.name,
            node.lineno + self._shift,
            tuple(_base(base) for base in node.bases),
            self._methods,
            frozenset(self._names),
            frozenset(self._properties),
            fields,
            frozenset(self._slots),
            frozenset(self._annotated),
            any(word.arg != "metaclass" or _last(word.value) != "ABCMeta" for word in node.keywords),
        )

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._function(node)
        elif isinstance(node, ast.ClassDef):
            self._names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            self._annotation(node, node.target.id)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.For | ast.With | ast.Import | ast.ImportFrom):
            names = list(_defined(node))
            self._names.update(names)
            if "__slots__" in names and isinstance(node, ast.Assign):
                self._slots.update(_texts(node.value))

    def _annotation(self, node: ast.AnnAssign, name: str) -> None:
        kind = _last(node.annotation.value if isinstance(node.annotation, ast.Subscript) else node.annotation)
        if node.value is None and kind not in ("ClassVar", "InitVar"):
            self._annotated[name] = node.lineno + self._shift
        elif node.value is not None:
            self._names.add(name)
            self._annotated.pop(name, None)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._names.add(node.name)
        decorators = {_last(decorator) for decorator in node.decorator_list}
        key = node.name
        if decorators & {"setter", "deleter"}:
            key = f"{node.name}.{'setter' if 'setter' in decorators else 'deleter'}"
        elif decorators & _PROPERTIES:
            self._properties.add(node.name)
        if not decorators & {"staticmethod", "classmethod"} and node.name not in _OF_CLASSES:
            self._methods[key] = method_facts(node, self._shift)


def _last(node: ast.expr) -> str:
    """The last name of a decorator or type, called or not."""
    if isinstance(node, ast.Call):
        node = node.func
    return dotted(node).rpartition(".")[2]


def _base(node: ast.expr) -> str:
    """A base as written; of `Generic[T]` the part before the bracket."""
    return dotted(node.value if isinstance(node, ast.Subscript) else node)


def _defined(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a class body binds."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        return
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = list(node.targets)
    elif isinstance(node, ast.AugAssign | ast.For):
        targets = [node.target]
    elif isinstance(node, ast.With):
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
    for target in targets:
        yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


def _texts(node: ast.expr) -> list[str]:
    """The texts of a literal list or tuple, or one text."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
