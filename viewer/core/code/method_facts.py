"""What one method does with its object: the attributes it sets, reads and asks for, the methods it calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.flow import sure_tokens
from viewer.core.code.python_text import dotted

REGISTERING: Final = {
    "add_module": "module",
    "register_buffer": "buffer",
    "register_module": "module",
    "register_parameter": "parameter",
    "__setattr__": "attribute",
}
"""Methods of nn.Module that set what their first argument names."""
LONGEST_VALUE: Final = 120
_TORCH_MODULE: Final = re.compile(r"(?:torch\.)?nn\.(?:\w+\.)*[A-Z]\w*")
_CATCHING: Final = frozenset({"", "AttributeError", "Exception", "BaseException"})
_UNSURE: Final = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.BoolOp, ast.IfExp)
_SCOPES: Final = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)
_Token = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Setting:
    """An attribute that is set. `sure`: however the method runs. `value`: its expression where torch alone gives it."""

    name: str
    line: int
    sure: bool
    role: str = "attribute"
    value: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """An attribute that is read, or called as a method. `line`: of the first such place."""

    name: str
    line: int
    called: bool


@dataclass(frozen=True, slots=True)
class MethodFacts:
    """One method. `calls` and `super_calls`: methods of the object, of its bases; True where the call is sure.

    `guarded`: names that are asked for before they are read. `opens`: it sets attributes whose names it computes.
    `makes`: classes and functions that are called with a capital letter, and the lines.
    """

    name: str
    line: int
    settings: dict[str, Setting] = field(default_factory=dict)
    uses: dict[str, Use] = field(default_factory=dict)
    calls: dict[str, bool] = field(default_factory=dict)
    super_calls: dict[str, bool] = field(default_factory=dict)
    guarded: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    makes: dict[str, int] = field(default_factory=dict)
    opens: bool = False


def method_facts(node: ast.FunctionDef | ast.AsyncFunctionDef, shift: int = 0) -> MethodFacts:
    """The facts of one method. Raises RecursionError for branches nested too deep."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    if not arguments:
        return MethodFacts(node.name, node.lineno + shift)
    return _Method(node, arguments[0].arg, shift).read()


class _Method:
    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef, me: str, shift: int) -> None:
        self._node, self._me, self._shift = node, me, shift
        self._settings: dict[str, Setting] = {}
        self._uses: dict[str, Use] = {}
        self._calls: dict[_Token, None] = {}
        self._guarded: set[str] = set()
        self._deleted: set[str] = set()
        self._makes: dict[str, int] = {}
        self._bound = {argument.arg for argument in _arguments(node.args)}
        self._opens = False

    def read(self) -> MethodFacts:
        for node, scope in self._nodes():
            self._node_facts(node, scope)
        sure = sure_tokens(self._node.body, self._tokens)
        settings = {
            name: Setting(name, found.line, ("set", name) in sure, found.role, found.value)
            for name, found in self._settings.items()
        }
        calls, super_calls = (
            {name: (kind, name) in sure for kind, name in self._calls if kind == wanted} for wanted in ("call", "super")
        )
        return MethodFacts(
            self._node.name,
            self._node.lineno + self._shift,
            settings,
            self._uses,
            calls,
            super_calls,
            self._guarded,
            self._deleted,
            {name: line for name, line in self._makes.items() if name.partition(".")[0] not in self._bound},
            self._opens,
        )

    def _nodes(self) -> Iterator[tuple[ast.AST, bool]]:
        """All syntax of the method in the order of the text, True within inner functions; not inner classes."""
        waiting: list[tuple[ast.AST, bool]] = [(child, False) for child in reversed(self._node.body)]
        while waiting:
            node, inner = waiting.pop()
            if isinstance(node, ast.ClassDef):
                continue
            if isinstance(node, _SCOPES):
                if self._me in {argument.arg for argument in _arguments(node.args)}:
                    continue
                inner = True
            if _is_type_only(node):
                continue
            yield node, inner
            waiting += [(child, inner) for child in reversed(list(ast.iter_child_nodes(node)))]

    def _node_facts(self, node: ast.AST, inner: bool) -> None:
        if isinstance(node, ast.Attribute) and self._is_me(node.value):
            self._attribute(node)
        elif isinstance(node, ast.Call):
            self._call(node, inner)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            self._assignment(node)
        elif isinstance(node, ast.Try) and any(_catches(handler) for handler in node.handlers):
            inside = (part for statement in node.body for part in ast.walk(statement))
            self._guarded.update(
                part.attr for part in inside if isinstance(part, ast.Attribute) and self._is_me(part.value)
            )
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and self._is_dict(node.value):
            self._set_by_name(node.slice, node.lineno, "attribute")
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self._bound.add(node.id)
            self._opens |= node.id == self._me

    def _attribute(self, node: ast.Attribute) -> None:
        line = node.lineno + self._shift
        if isinstance(node.ctx, ast.Load):
            self._uses.setdefault(node.attr, Use(node.attr, line, called=False))
        elif isinstance(node.ctx, ast.Del):
            self._deleted.add(node.attr)
        elif node.attr == "__dict__":
            self._opens = True
        else:
            self._settings.setdefault(node.attr, Setting(node.attr, line, sure=False))

    def _assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        """The value of a plain `self.x = ...`; what `self.x += ...` reads."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if not isinstance(target, ast.Attribute) or not self._is_me(target.value):
                continue
            name, line = target.attr, target.lineno + self._shift
            if isinstance(node, ast.AugAssign):
                self._uses.setdefault(name, Use(name, line, called=False))
            elif node.value is not None and name not in self._settings:
                self._settings[name] = Setting(name, line, sure=False, value=_plain_value(node.value))

    def _call(self, node: ast.Call, inner: bool) -> None:
        function = node.func
        if isinstance(function, ast.Attribute):
            self._method_call(node, function)
        name = dotted(function)
        if name in ("hasattr", "getattr", "setattr", "delattr") and node.args and self._is_me(node.args[0]):
            self._by_name(node, name)
        last = name.rpartition(".")[2].lstrip("_")
        if last[:1].isupper() and not name.startswith(self._me + ".") and not inner:
            self._makes.setdefault(name, node.lineno + self._shift)

    def _method_call(self, node: ast.Call, function: ast.Attribute) -> None:
        method, line = function.attr, node.lineno + self._shift
        arguments = node.args
        if self._is_me(function.value):
            self._calls.setdefault(("call", method))
            self._uses[method] = Use(method, min(line, self._uses.get(method, Use("", line, True)).line), called=True)
        elif self._is_base_call(node, function):
            self._calls.setdefault(("super", method))
            if not _is_super(function.value):
                arguments = arguments[1:]
        elif self._is_dict(function.value) and method in ("update", "setdefault"):
            self._opens = True
            return
        else:
            return
        if method in REGISTERING:
            named = next((word.value for word in node.keywords if word.arg == "name"), None)
            self._set_by_name(arguments[0] if arguments else named, line - self._shift, REGISTERING[method])

    def _by_name(self, node: ast.Call, function: str) -> None:
        text = _text(node.args[1]) if len(node.args) > 1 else None
        if function == "setattr":
            self._set_by_name(node.args[1] if len(node.args) > 1 else None, node.lineno, "attribute")
        elif text is None:
            return
        elif function == "delattr":
            self._deleted.add(text)
        elif function == "getattr" and len(node.args) == 2:
            self._uses.setdefault(text, Use(text, node.lineno + self._shift, called=False))
        else:
            self._guarded.add(text)

    def _set_by_name(self, name: ast.expr | None, line: int, role: str) -> None:
        text = None if name is None else _text(name)
        if text is None:
            self._opens = True
        else:
            self._settings.setdefault(text, Setting(text, line + self._shift, sure=False, role=role))

    def _tokens(self, node: ast.AST) -> Iterable[_Token]:
        """What an expression is sure to set and call."""
        waiting = [node]
        while waiting:
            part = waiting.pop()
            if _is_type_only(part):
                continue
            if isinstance(part, _UNSURE):
                # the first operand alone is sure to be looked at
                first = part.test if isinstance(part, ast.IfExp) else None
                first = part.values[0] if isinstance(part, ast.BoolOp) else first
                waiting += [first] if first is not None else []
                continue
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and self._is_me(part.value):
                yield "set", part.attr
            elif isinstance(part, ast.Call):
                yield from self._call_tokens(part)
            waiting += ast.iter_child_nodes(part)

    def _call_tokens(self, node: ast.Call) -> Iterator[_Token]:
        function = node.func
        named: ast.expr | None = None
        if isinstance(function, ast.Attribute) and (
            (is_me := self._is_me(function.value)) or self._is_base_call(node, function)
        ):
            yield "call" if is_me else "super", function.attr
            at = int(not is_me and not _is_super(function.value))
            if function.attr in REGISTERING and len(node.args) > at:
                named = node.args[at]
        elif dotted(function) == "setattr" and len(node.args) > 1 and self._is_me(node.args[0]):
            named = node.args[1]
        text = _text(named) if named is not None else None
        if text is not None:
            yield "set", text

    def _is_base_call(self, node: ast.Call, function: ast.Attribute) -> bool:
        """True for `super().x(...)` and for `Base.x(self, ...)`."""
        if _is_super(function.value):
            return True
        return bool(node.args) and self._is_me(node.args[0]) and bool(dotted(function.value))

    def _is_me(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self._me

    def _is_dict(self, node: ast.expr) -> bool:
        """True for `self.__dict__` and `vars(self)`."""
        if isinstance(node, ast.Call):
            return dotted(node.func) == "vars" and len(node.args) == 1 and self._is_me(node.args[0])
        return isinstance(node, ast.Attribute) and node.attr == "__dict__" and self._is_me(node.value)


def _is_type_only(node: ast.AST) -> bool:
    """True for `self.x: int`, which sets nothing."""
    return isinstance(node, ast.AnnAssign) and node.value is None


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) == "super"


def _arguments(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _catches(handler: ast.ExceptHandler) -> bool:
    """True for a handler that takes an AttributeError."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or dotted(kind).rpartition(".")[2] in _CATCHING - {""} for kind in kinds)


def _plain_value(node: ast.expr) -> str:
    """The expression as text where it is made of literals and modules of torch alone; else "".

    People are shown it as a remedy, so nothing else that a file's text could call is taken over.
    """
    waiting: list[ast.AST] = [node]
    for _ in range(LONGEST_VALUE):
        if not waiting:
            text = ast.unparse(node)
            return text if len(text) <= LONGEST_VALUE else ""
        part = waiting.pop()
        if isinstance(part, ast.Call) and _TORCH_MODULE.fullmatch(dotted(part.func)):
            waiting += [*part.args, *part.keywords]
        elif isinstance(part, ast.Tuple | ast.List | ast.Dict | ast.UnaryOp | ast.keyword):
            waiting += ast.iter_child_nodes(part)
        elif not isinstance(part, ast.Constant | ast.expr_context | ast.unaryop):
            return ""
    return ""
