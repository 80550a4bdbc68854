"""Which names a syntax tree uses that it does not bind itself: Python's own rules of scopes, without running anything.

The walk keeps its own stack, so that no tree is too deep for it. Names are reported in the order of their evaluation.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

_ARGUMENT_LISTS: Final = ("posonlyargs", "args", "kwonlyargs")
_IN_CLASSES: Final = ("__module__", "__qualname__")


class When(StrEnum):
    """When a name is looked up: as its module is imported, as a function runs, or only for an annotation."""

    IMPORT = "import"
    BODY = "body"
    ANNOTATION = "annotation"


class Kind(StrEnum):
    """What opens a scope. TYPE: the parameters of a generic class, function or alias."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    COMPREHENSION = "comprehension"
    TYPE = "type"


@dataclass(slots=True, eq=False)
class Scope:
    """One scope. `bound`: names with the number of the step that first binds them. `later`: its code runs in calls.

    `private`: the class whose name is put before `__names`, "" outside of classes.
    """

    kind: Kind
    parent: Scope | None
    later: bool = False
    private: str = ""
    bound: dict[str, int] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class FreeName:
    """A use of a name that the text does not bind. `attribute`: what is taken of it (`relu` of `F.relu`), or ""."""

    name: str
    node: ast.AST
    when: When
    attribute: str


@dataclass(frozen=True, slots=True)
class _Bind:
    name: str


@dataclass(frozen=True, slots=True)
class _Note:
    node: ast.AST


_Node = ast.AST | _Bind | _Note
_Entry = tuple[_Node, Scope]
_Handler = Callable[..., list[_Entry]]


@dataclass(frozen=True, slots=True)
class _Used:
    name: str
    scope: Scope
    step: int
    free: FreeName


class Scopes:
    """The walk over one text. `free` and `bound` hold its findings; `star`: it imports all names of some module."""

    def __init__(self, body: Iterable[ast.stmt]) -> None:
        self._module = Scope(Kind.MODULE, None)
        self._used: list[_Used] = []
        self._step = 0
        self._somewhere: set[str] = set()
        self._handlers = self._table()
        self.star = False
        waiting: list[_Entry] = []
        waiting += [(node, self._module) for node in body]
        waiting.reverse()
        while waiting:
            node, scope = waiting.pop()
            self._step += 1
            handler = self._handlers.get(type(node))
            found = handler(node, scope) if handler is not None else _children(node, scope)
            waiting += found[::-1]
        self.bound = dict(self._module.bound)
        self.free = [used.free for used in self._used if not self._is_bound(used)]

    def _table(self) -> dict[type[object], _Handler]:
        table: dict[type[object], _Handler] = {
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Lambda: self._lambda,
            ast.ClassDef: self._class,
            ast.NamedExpr: self._walrus,
            ast.Assign: self._assign,
            ast.AugAssign: self._changed,
            ast.AnnAssign: self._annotated,
            ast.ExceptHandler: self._handler,
            ast.MatchMapping: self._rest,
            ast.Global: self._global,
            ast.Nonlocal: self._nonlocal,
            _Bind: self._bound_name,
            _Note: self._annotation,
        }
        alike: tuple[tuple[str, _Handler], ...] = (
            ("FunctionDef AsyncFunctionDef", self._function),
            ("For AsyncFor", self._loop),
            ("ListComp SetComp GeneratorExp DictComp", self._comprehension),
            ("Import ImportFrom", self._import),
            ("MatchAs MatchStar", self._captured),
            # these came with Python 3.12
            ("TypeVar ParamSpec TypeVarTuple", self._type_parameter),
            ("TypeAlias", self._type_alias),
        )
        for names, handler in alike:
            kinds = (getattr(ast, name, None) for name in names.split())
            table.update((kind, handler) for kind in kinds if kind is not None)
        return table

    # -- names ------------------------------------------------------------------------------------

    def _bind(self, name: str, scope: Scope) -> None:
        name = mangled(name, scope.private)
        self._somewhere.add(name)
        owner = self._module if name in scope.globals else scope
        owner.bound.setdefault(name, self._step)

    def _use(self, node: ast.Name, scope: Scope, attribute: str = "", is_annotation: bool = False) -> None:
        name = mangled(node.id, scope.private)
        when = When.ANNOTATION if is_annotation else When.BODY if scope.later else When.IMPORT
        self._used.append(_Used(name, scope, self._step, FreeName(name, node, when, attribute)))

    def _is_bound(self, used: _Used) -> bool:
        name, scope = used.name, used.scope
        if name not in self._somewhere:
            return name == "__class__" and _in_class(scope)
        within: Scope | None = scope
        is_direct = True
        while within is not None:
            # what a class binds, its functions do not see
            if is_direct or within.kind is not Kind.CLASS:
                if name in within.globals:
                    return self._is_bound_in(self._module, used)
                if name not in within.nonlocals and self._is_bound_in(within, used):
                    return True
            is_direct = is_direct and within.kind is Kind.TYPE
            within = within.parent
        return name == "__class__" and _in_class(scope)

    def _is_bound_in(self, scope: Scope, used: _Used) -> bool:
        first = scope.bound.get(used.name)
        if first is None:
            return False
        in_order = scope.kind in (Kind.MODULE, Kind.CLASS) and scope.later == used.scope.later
        return first < used.step if in_order else True

    # -- nodes: each gives what to walk next, in the order of evaluation ---------------------------

    def _bound_name(self, node: _Bind, scope: Scope) -> list[_Entry]:
        self._bind(node.name, scope)
        return []

    def _name(self, node: ast.Name, scope: Scope) -> list[_Entry]:
        if isinstance(node.ctx, ast.Load):
            self._use(node, scope)
        else:
            self._bind(node.id, scope)
        return []

    def _attribute(self, node: ast.Attribute, scope: Scope) -> list[_Entry]:
        if isinstance(node.value, ast.Name):
            self._use(node.value, scope, node.attr)
            return []
        return [(node.value, scope)]

    def _annotation(self, note: _Note, scope: Scope) -> list[_Entry]:
        """All names of an annotation. What it binds and nests does not matter to anyone."""
        taken: dict[int, str] = {}
        for node in ast.walk(note.node):
            # what is taken of a name comes before the name itself
            if isinstance(node, ast.Attribute):
                taken[id(node.value)] = node.attr
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._use(node, scope, taken.get(id(node), ""), is_annotation=True)
        return []

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> list[_Entry]:
        outer, parameters = _generic(node, scope)
        inner = Scope(Kind.FUNCTION, outer, True, scope.private)
        found: list[_Entry] = [(part, scope) for part in node.decorator_list]
        found += [(part, scope) for part in _defaults(node.args)]
        found += parameters
        found += [(_Note(part), outer) for part in _annotations(node)]
        found.append((_Bind(node.name), scope))
        return [*found, *_parameters(node.args, inner), *((part, inner) for part in node.body)]

    def _lambda(self, node: ast.Lambda, scope: Scope) -> list[_Entry]:
        inner = Scope(Kind.FUNCTION, scope, True, scope.private)
        found: list[_Entry] = [(part, scope) for part in _defaults(node.args)]
        return [*found, *_parameters(node.args, inner), (node.body, inner)]

    def _class(self, node: ast.ClassDef, scope: Scope) -> list[_Entry]:
        outer, parameters = _generic(node, scope)
        inner = Scope(Kind.CLASS, outer, scope.later, node.name)
        found: list[_Entry] = [(part, scope) for part in node.decorator_list]
        found += parameters
        found += [(part, outer) for part in (*node.bases, *node.keywords)]
        found += [(_Bind(name), inner) for name in _IN_CLASSES]
        found += [(part, inner) for part in node.body]
        return [*found, (_Bind(node.name), scope)]

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope
    ) -> list[_Entry]:
        inner = Scope(Kind.COMPREHENSION, scope, scope.later, scope.private)
        found: list[_Entry] = []
        for number, part in enumerate(node.generators):
            # the first iterable is evaluated outside
            found.append((part.iter, inner if number else scope))
            found += [(each, inner) for each in (part.target, *part.ifs)]
        results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        return [*found, *((part, inner) for part in results)]

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> list[_Entry]:
        owner = scope
        while owner.kind is Kind.COMPREHENSION and owner.parent is not None:
            owner = owner.parent
        return [(node.value, scope), (_Bind(node.target.id), owner)]

    def _assign(self, node: ast.Assign, scope: Scope) -> list[_Entry]:
        return [(node.value, scope), *((target, scope) for target in node.targets)]

    def _changed(self, node: ast.AugAssign, scope: Scope) -> list[_Entry]:
        if isinstance(node.target, ast.Name):
            self._use(node.target, scope)
        return [(node.value, scope), (node.target, scope)]

    def _annotated(self, node: ast.AnnAssign, scope: Scope) -> list[_Entry]:
        found: list[_Entry] = [(_Note(node.annotation), scope)]
        return [*found, *((part, scope) for part in (node.value, node.target) if part is not None)]

    def _loop(self, node: ast.For | ast.AsyncFor, scope: Scope) -> list[_Entry]:
        return [(part, scope) for part in (node.iter, node.target, *node.body, *node.orelse)]

    def _handler(self, node: ast.ExceptHandler, scope: Scope) -> list[_Entry]:
        found: list[_Entry] = [(node.type, scope)] if node.type is not None else []
        found += [(_Bind(node.name), scope)] if node.name else []
        return [*found, *((part, scope) for part in node.body)]

    def _captured(self, node: ast.MatchAs | ast.MatchStar, scope: Scope) -> list[_Entry]:
        return [*_children(node, scope), *([(_Bind(node.name), scope)] if node.name else [])]

    def _rest(self, node: ast.MatchMapping, scope: Scope) -> list[_Entry]:
        return [*_children(node, scope), *([(_Bind(node.rest), scope)] if node.rest else [])]

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> list[_Entry]:
        self.star = self.star or any(alias.name == "*" for alias in node.names)
        return [
            (_Bind(alias.asname or alias.name.partition(".")[0]), scope) for alias in node.names if alias.name != "*"
        ]

    def _global(self, node: ast.Global, scope: Scope) -> list[_Entry]:
        scope.globals.update(mangled(name, scope.private) for name in node.names)
        return []

    def _nonlocal(self, node: ast.Nonlocal, scope: Scope) -> list[_Entry]:
        scope.nonlocals.update(mangled(name, scope.private) for name in node.names)
        return []

    def _type_parameter(self, node: ast.AST, scope: Scope) -> list[_Entry]:
        self._bind(str(getattr(node, "name", "")), scope)
        return _children(node, Scope(Kind.FUNCTION, scope, True, scope.private))

    def _type_alias(self, node: ast.AST, scope: Scope) -> list[_Entry]:
        outer, parameters = _generic(node, scope)
        value, name = getattr(node, "value", None), getattr(node, "name", None)
        found: list[_Entry] = [*parameters]
        if isinstance(value, ast.AST):
            found.append((value, Scope(Kind.FUNCTION, outer, True, scope.private)))
        return [*found, *([(name, scope)] if isinstance(name, ast.AST) else [])]


def mangled(name: str, private: str) -> str:
    """The name that is looked up for `__name` within a class."""
    bare = private.lstrip("_")
    if not bare or not name.startswith("__") or name.endswith("__"):
        return name
    return f"_{bare}{name}"


def _in_class(scope: Scope) -> bool:
    """True in a function of a class, where `__class__` is known."""
    within: Scope | None = scope if scope.kind is not Kind.CLASS else scope.parent
    while within is not None:
        if within.kind is Kind.CLASS:
            return True
        within = within.parent
    return False


def _children(node: _Node, scope: Scope) -> list[_Entry]:
    return [(child, scope) for child in ast.iter_child_nodes(node)] if isinstance(node, ast.AST) else []


def _generic(node: ast.AST, scope: Scope) -> tuple[Scope, list[_Entry]]:
    """The scope that type parameters open (the scope itself where there are none) and the parameters."""
    parameters: Sequence[ast.AST] = getattr(node, "type_params", ())
    if not parameters:
        return scope, []
    inner = Scope(Kind.TYPE, scope, scope.later, scope.private)
    return inner, [(part, inner) for part in parameters]


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *(part for part in arguments.kw_defaults if part is not None)]


def _every(arguments: ast.arguments) -> list[ast.arg]:
    named = [part for name in _ARGUMENT_LISTS for part in getattr(arguments, name)]
    return [*named, *(part for part in (arguments.vararg, arguments.kwarg) if part is not None)]


def _parameters(arguments: ast.arguments, scope: Scope) -> list[_Entry]:
    return [(_Bind(part.arg), scope) for part in _every(arguments)]


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    found = [part.annotation for part in _every(node.args)]
    return [part for part in (*found, node.returns) if part is not None]
