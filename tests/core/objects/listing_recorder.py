"""Streams done by CPython and listings done in an inert namespace: both leave a log of what was asked for, in order."""

from __future__ import annotations

import _codecs
import _compat_pickle
import ast
import collections
import io
import pickle
from typing import Any

REAL = {
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("collections", "deque"): collections.deque,
    ("builtins", "object"): object,
    ("builtins", "set"): set,
    ("builtins", "frozenset"): frozenset,
    ("builtins", "bytearray"): bytearray,
    ("builtins", "bytes"): bytes,
    ("builtins", "complex"): complex,
    ("_codecs", "encode"): _codecs.encode,
}
"""What only holds data; all other names are recorded."""


class Log:
    """What was asked for. Things are known by their number, containers by how much they hold at that moment."""

    def __init__(self) -> None:
        self.lines: list[Any] = []
        self.things = 0

    def thing(self, *asked: Any) -> Thing:
        self.things += 1
        self.lines.append((*asked, self.things))
        return Thing(self, self.things)

    def seen(self, value: Any) -> Any:
        if isinstance(value, Thing):
            return f"thing {value.number}"
        if isinstance(value, Named):
            return value.name
        if isinstance(value, tuple):
            return tuple(self.seen(part) for part in value)
        return (type(value).__name__, len(value)) if isinstance(value, list | dict | set) else repr(value)


class Thing:
    """Whatever a call gives."""

    def __init__(self, log: Log, number: int) -> None:
        self.log, self.number = log, number

    def append(self, item: Any) -> None:
        self.log.lines.append(("append", self.number, self.log.seen(item)))

    add = append

    def extend(self, items: Any) -> None:
        for item in items:
            self.append(item)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.log.lines.append(("set", self.number, self.log.seen(key), self.log.seen(value)))

    def __setstate__(self, state: Any) -> None:
        self.log.lines.append(("build", self.number, self.log.seen(state)))

    def __call__(self, *arguments: Any) -> Thing:
        return self.log.thing("call", self.number, self.log.seen(arguments))


class Named:
    """An imported name."""

    def __init__(self, log: Log, name: str) -> None:
        self.log, self.name = log, name
        self.__new__ = self.new

    def new(self, cls: Named, *arguments: Any, **keywords: Any) -> Thing:
        return self.log.thing("new", cls.name, self.log.seen(arguments), self.log.seen(tuple(keywords.items())))

    def __call__(self, *arguments: Any) -> Thing:
        return self.log.thing("call", self.name, self.log.seen(arguments))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.log.lines.append(("set", self.name, self.log.seen(key), self.log.seen(value)))

    def __setstate__(self, state: Any) -> None:
        self.log.lines.append(("build", self.name, self.log.seen(state)))


class Recording(pickle._Unpickler):
    """CPython's unpickler in Python; names stand for nothing."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))
        self.log = Log()

    def find_class(self, module: str, name: str) -> Any:
        if self.proto < 3:
            module, name = _compat_pickle.NAME_MAPPING.get(
                (module, name), (_compat_pickle.IMPORT_MAPPING.get(module, module), name)
            )
        self.log.lines.append(("import", module, name))
        return REAL.get((module, name)) or Named(self.log, f"{module}.{name}")

    def persistent_load(self, pid: Any) -> Any:
        return self.log.thing("persistent", self.log.seen(pid))


class Chain:
    """A dotted name in a listing, up to a name that is known."""

    def __init__(self, found: dict[str, Any], name: str) -> None:
        self.found, self.name = found, name

    def __getattr__(self, part: str) -> Any:
        name = f"{self.name}.{part}"
        return self.found[name] if name in self.found else Chain(self.found, name)


class _Imports(ast.NodeTransformer):
    """Import statements as calls, so that nothing is imported."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        given = [ast.Constant(node.module), ast.Constant(node.names[0].name)]
        call = ast.Call(ast.Name("imported", ast.Load()), given, [])
        return ast.copy_location(ast.Expr(call), node)


def recorded(data: bytes) -> tuple[Log, Any]:
    """The log of CPython's unpickler, and the object that it gives."""
    unpickler = Recording(data)
    return unpickler.log, unpickler.load()


def done(text: str) -> tuple[Log, Any]:
    """The log of a listing that is done in a namespace of inert names, and its result."""
    log = Log()
    found: dict[str, Any] = {}
    namespace: dict[str, Any] = {"collections": collections, "_codecs": _codecs}

    def imported(module: str, name: str) -> None:
        log.lines.append(("import", module, name))
        if (module, name) in REAL:
            return
        found[f"{module}.{name}"] = Named(log, f"{module}.{name}")
        first = module.split(".")[0]
        namespace[first] = Chain(found, first)

    namespace["imported"] = imported
    namespace["persistent_load"] = lambda pid: log.thing("persistent", log.seen(pid))
    namespace["build"] = lambda value, state: build(value, state)
    tree = ast.fix_missing_locations(_Imports().visit(ast.parse(text)))
    exec(compile(tree, "listing", "exec"), namespace)
    return log, namespace["result"]


def build(value: Any, state: Any) -> None:
    """What BUILD does to what is recorded, and to containers that have attributes."""
    if hasattr(value, "__setstate__"):
        value.__setstate__(state)
    else:
        vars(value).update(state)


def shape(value: Any) -> Any:
    """An object as plain texts and tuples, sharing and cycles of what can change told by numbers; to compare two."""
    numbers: dict[int, int] = {}
    flat: list[Any] = []
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list | dict | set | bytearray | collections.deque):
            if id(part) in numbers:
                flat.append(numbers[id(part)])
                continue
            numbers[id(part)] = len(numbers)
        if isinstance(part, Thing | Named):
            flat.append(("thing", part.number if isinstance(part, Thing) else part.name))
        elif isinstance(part, dict):
            flat.append((type(part).__name__, len(part)))
            waiting += [each for pair in part.items() for each in pair][::-1]
        elif isinstance(part, list | tuple | collections.deque):
            flat.append((type(part).__name__, len(part)))
            waiting += list(part)[::-1]
        elif isinstance(part, set | frozenset):
            flat.append((type(part).__name__, sorted(map(repr, part))))
        else:
            flat.append((type(part).__name__, repr(part)))
    return flat
