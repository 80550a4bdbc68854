"""What the classes of a person's files need beside their own text: imports, functions, constants and other classes.

A class that is taken out of such a file alone would lack its helpers. Each statement of the top level that a class
needs, in however many steps, goes in front of the first class of its module that needs it. Nothing is run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from viewer.core.code.needed import needed_names, needed_of
from viewer.core.code.python_text import Fault, parse
from viewer.core.code.scopes import Scopes
from viewer.core.code.supplied import SuppliedFile
from viewer.core.code.text_lines import lines_of

PACKAGES: Final = frozenset({*sys.stdlib_module_names, "numpy", "torch"})
"""Top-level modules that are there wherever a kit runs."""
MOST_STATEMENTS: Final = 20_000
_FUTURE: Final = "__future__"
_BLOCKS: Final = ("@", "async def ", "class ", "def ")


@dataclass(frozen=True, slots=True)
class _Statement:
    """One statement of a file: the names that it gives and those that it takes from elsewhere."""

    text: str
    place: tuple[int, int]
    gives: frozenset[str]
    takes: frozenset[str]


@dataclass(slots=True)
class Contents:
    """The statements of a file by the names that they give; `others`: files of the person that it takes names of."""

    by_name: dict[str, list[_Statement]] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)


def fit(file: Path, module: str) -> int:
    """How many of the last parts of a module's name are the file's path: `zoo/blocks.py` fits `zoo.blocks` by 2."""
    parts = [*file.parent.parts, file.stem]
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    pairs = list(zip(reversed(parts), reversed(module.split(".")), strict=False))
    return next((count for count, (one, other) in enumerate(pairs) if one != other), len(pairs))


def fitting(files: Sequence[SuppliedFile], module: str, qualname: str) -> list[SuppliedFile]:
    """The files that have a class of that name; those whose path is the module's only, where there is such a one."""
    having = [file for file in files if qualname in file.classes]
    best = max((fit(file.path, module) for file in having), default=0)
    return [file for file in having if fit(file.path, module) == best]


class Surroundings:
    """Gives the statements for the classes of one module.

    `own`: names that the module has without them; `every`: those that any module has. `contents`: files read before.
    """

    def __init__(
        self,
        files: Sequence[SuppliedFile],
        own: Container[str],
        every: Container[str],
        contents: dict[SuppliedFile, Contents],
    ) -> None:
        self._files, self._own, self._every, self._contents = files, own, every, contents
        self._given: set[str] = set()

    def before(self, file: SuppliedFile, qualname: str) -> str:
        """What goes in front of the text of a class of a file; "" where nothing has to."""
        needed = needed_names(file.classes[qualname].text)
        found = list(self._closure(file, needed.names - {qualname}, {file.path}))
        spaced = [f"\n\n{text}" if text.startswith(_BLOCKS) and number else text for number, text in enumerate(found)]
        return "".join(text.rstrip() + "\n" for text in spaced) + ("\n\n" if found else "")

    def _closure(self, file: SuppliedFile, names: frozenset[str], above: set[Path]) -> Iterator[str]:
        """The texts of the statements in the order of their files, those of other files first."""
        contents = self._contents.get(file)
        if contents is None:
            contents = self._contents[file] = _read(file)
        taken: dict[tuple[int, int], _Statement] = {}
        missing: set[str] = set()
        waiting = sorted(names)
        while waiting:
            name = waiting.pop()
            if name in self._own or name in self._given:
                continue
            if name not in contents.by_name:
                missing.add(name)
                continue
            self._given.add(name)
            for statement in contents.by_name[name]:
                if statement.place not in taken:
                    taken[statement.place] = statement
                    waiting += sorted(statement.takes)
        yield from self._elsewhere(contents, missing, above)
        yield from (taken[place].text for place in sorted(taken))

    def _elsewhere(self, contents: Contents, names: set[str], above: set[Path]) -> Iterator[str]:
        """Names that a file imports from another one of the person."""
        for name in sorted(each for each in names if each not in self._every):
            stated = contents.others.get(name)
            modules = contents.stars if stated is None else [stated.rpartition(".")[0]]
            inner = name if stated is None else stated.rpartition(".")[2]
            for module in modules:
                other = self._file(module.strip("."), above)
                if other is None or inner not in other.defined or inner != name:
                    continue
                yield from self._closure(other, frozenset({inner}), {*above, other.path})
                break

    def _file(self, module: str, above: set[Path]) -> SuppliedFile | None:
        """The file that a module's name means; None where none or several may be meant."""
        wanted = len(module.split("."))
        found = [file for file in self._files if file.path not in above and module and fit(file.path, module) == wanted]
        return found[0] if len(found) == 1 else None


def _read(file: SuppliedFile) -> Contents:
    """The top level of a file."""
    found = Contents()
    tree = parse(file.text)
    if isinstance(tree, Fault):
        return found
    lines = lines_of(file.text)
    for node in tree.body[:MOST_STATEMENTS]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            _note_import(found, node)
            continue
        if isinstance(node, ast.If) and "__name__" in ast.dump(node.test):
            continue
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        text = "".join(lines[first - 1 : node.end_lineno or first])
        gives = frozenset(Scopes([node]).bound)
        if gives:
            _note(found, _Statement(text, (first, 0), gives, needed_of([node], text, 1 - first).names))
    return found


def _note(contents: Contents, statement: _Statement) -> None:
    for name in statement.gives:
        contents.by_name.setdefault(name, []).append(statement)


def _note_import(contents: Contents, node: ast.Import | ast.ImportFrom) -> None:
    """An import of what is everywhere, name by name; what it takes of other files is kept apart."""
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    level = node.level if isinstance(node, ast.ImportFrom) else 0
    for number, alias in enumerate(node.names):
        top = (module or alias.name).partition(".")[0]
        name = alias.asname or (alias.name if isinstance(node, ast.ImportFrom) else top)
        if level or top not in PACKAGES:
            if alias.name == "*":
                contents.stars.append(module)
            elif isinstance(node, ast.ImportFrom):
                contents.others[name] = f"{module}.{alias.name}"
        elif module != _FUTURE and alias.name != "*":
            short = f" as {alias.asname}" if alias.asname else ""
            text = f"from {module} import {alias.name}{short}" if module else f"import {alias.name}{short}"
            _note(contents, _Statement(text, (node.lineno, number), frozenset({name}), frozenset()))
