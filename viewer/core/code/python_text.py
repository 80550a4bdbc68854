"""Python text of unknown origin as a syntax tree. It is parsed and nothing more: never compiled, imported or run."""

from __future__ import annotations

import ast
import keyword
import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.code.text_lines import lines_of

MOST_CHARACTERS: Final = 1_000_000
"""Longest text that is parsed: a tree takes a hundred times the memory of its text."""
_INDENTED: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]+[^\s#]")
_PYTHON_2_SAYS: Final = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
    "invalid hexadecimal literal",
    "inconsistent use of tabs",
)
_PYTHON_2: Final = re.compile(
    r"^\s*(?:print|exec)\s+[^\s=(.\[]|^\s*print\s*>>|^\s*raise\s+[\w.]+\s*,|^\s*except\s+[\w.]+\s*,|<>|`"
    r"""|\b(?:ur|UR)['"]|\b\d+[lL]\b"""
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text cannot be read as Python. `code`: behind `text-` in wording.checks.CHECKS; `line` from 1, 0: none."""

    code: str
    line: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Tree:
    """The statements of a text. `shift`: what to add to a node's line to have the line in the text."""

    body: list[ast.stmt]
    shift: int = 0


def parse(text: str) -> Tree | Fault:
    """The syntax tree of a text, which may be indented as a whole: the class of a function or of another class."""
    if len(text) > MOST_CHARACTERS:
        return Fault("too-large")
    if "\0" in text:
        return Fault("not-text", text.count("\n", 0, text.index("\0")) + 1)
    is_indented = _INDENTED.match(text) is not None
    shift = -1 if is_indented else 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse("if 1:\n" + text if is_indented else text)
    except SyntaxError as failure:
        return _fault(text, failure, shift)
    except (RecursionError, MemoryError):
        return Fault("too-deep")
    except ValueError:
        return Fault("not-text", text.count("\n", 0, _surrogate(text)) + 1)
    first = tree.body[0] if is_indented and tree.body else None
    return Tree(first.body if isinstance(first, ast.If) else tree.body, shift)


def _surrogate(text: str) -> int:
    """The place of the first lone surrogate, which no source file can hold; 0 where there is none."""
    try:
        text.encode()
    except UnicodeEncodeError as failure:
        return failure.start
    return 0


def _fault(text: str, failure: SyntaxError, shift: int) -> Fault:
    number = max((failure.lineno or 0) + shift, 0)
    message = failure.msg or "invalid syntax"
    lines = lines_of(text)
    at = lines[number - 1] if 0 < number <= len(lines) else ""
    if message.startswith(_PYTHON_2_SAYS) or _PYTHON_2.search(at):
        return Fault("python-2", number)
    if "too many" in message or "too complex" in message:
        return Fault("too-deep", number)
    return Fault("syntax", number, message)


def class_node(tree: Tree, qualname: str = "") -> ast.ClassDef | None:
    """The class of that name (`Outer.Inner`), the last where it stands twice; without a name the first class."""
    body: Sequence[ast.stmt] = tree.body
    if not qualname:
        return next((node for node in members(body) if isinstance(node, ast.ClassDef)), None)
    found: ast.ClassDef | None = None
    for name in qualname.split("."):
        named = [node for node in members(body) if isinstance(node, ast.ClassDef) and node.name == name]
        if not named:
            return None
        found = named[-1]
        body = found.body
    return found


def members(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module or class, those under conditions too; not those of functions and classes."""
    waiting = list(reversed(list(body)))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            inner += part.body
        waiting += reversed(inner)


def is_plain_name(name: str) -> bool:
    """True for a name that Python reads back as it is: no keyword, and not one that it would write differently."""
    return name.isidentifier() and not keyword.iskeyword(name) and unicodedata.is_normalized("NFKC", name)


def dotted(node: ast.expr) -> str:
    """`a.b.c` of a name or attribute, "" for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])
