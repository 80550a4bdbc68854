"""One text of a class made ready for a file: read, dedented, with Unix line ends; or why it cannot be used."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from viewer.core.code.compiling import compiler_fault
from viewer.core.code.needed import Needed, needed_of
from viewer.core.code.python_text import MOST_CHARACTERS, Fault, Tree, class_node, members, parse
from viewer.core.code.texts import ClassText

_BOM: Final = "\ufeff"
_ENDS: Final = ("was never closed", "unexpected EOF", "unterminated triple-quoted", "expected an indented block")
_REASONS: Final = {
    "not-text": "source-not-text",
    "python-2": "source-python-2",
    "too-deep": "source-nested",
    "too-large": "source-long",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that can stand in a file, of a class or of a whole module.

    `text` ends with a line end. `holds`: the classes in it, nested ones as `A.B`. `future`: what it asks of
    `__future__`; those lines are comments now, as the head of the file asks for it.
    """

    source: ClassText
    text: str
    needed: Needed
    holds: frozenset[str]
    future: frozenset[str]

    @property
    def name(self) -> str:
        """The name that its class statement gives."""
        return self.source.qualname.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a text is none. `reason`: a code of `wording.exports.DROPPED`."""

    source: ClassText
    reason: str
    params: Mapping[str, object]


def piece_of(source: ClassText) -> Piece | Refusal:
    """The text as it will stand in a file."""
    if len(source.text) > MOST_CHARACTERS:
        return Refusal(source, "source-long", {})
    text = source.text.removeprefix(_BOM).replace("\r\n", "\n").replace("\r", "\n")
    tree = parse(text)
    if isinstance(tree, Fault):
        return refused(source, tree, text)
    if tree.shift:
        text = dedented(text, tree)
        tree = parse(text)
    if isinstance(tree, Fault):
        return refused(source, tree, text)
    name = source.qualname.rpartition(".")[2]
    if not source.is_module and (not name or class_node(tree, name) is None):
        return Refusal(source, "source-no-class", {"name": name})
    fault = compiler_fault(ast.Module(tree.body, []), tree.shift)
    if fault is not None:
        return refused(source, fault, text)
    futures = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    names = frozenset(alias.name for node in futures for alias in node.names)
    text = commented(text, futures) if futures else text
    needed = needed_of(tree.body, text, tree.shift)
    return Piece(source, text.rstrip("\n") + "\n", needed, frozenset(classes_in(tree)), names)


def refused(source: ClassText, fault: Fault, text: str) -> Refusal:
    """What is wrong with a text that Python does not read."""
    params: dict[str, object] = {"line": fault.line, "reason": fault.reason}
    if fault.code in _REASONS:
        return Refusal(source, _REASONS[fault.code], params)
    is_cut = any(words in fault.reason for words in _ENDS) or fault.line > text.rstrip().count("\n") + 1
    return Refusal(source, "source-part" if is_cut else "source-syntax", params)


def dedented(text: str, tree: Tree) -> str:
    """The text moved to the left margin; the lines within texts of several lines stay as they are."""
    lines = text.split("\n")
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    margin = first[: len(first) - len(first.lstrip(" \t"))]
    kept = {line + tree.shift for line in lines_in_texts(tree)}
    return "\n".join(
        line if number in kept else line.removeprefix(margin) for number, line in enumerate(lines, start=1)
    )


def lines_in_texts(tree: Tree) -> Iterator[int]:
    """The lines of the tree that begin within a text literal."""
    for statement in tree.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.JoinedStr) or (
                isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
            ):
                yield from range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)


def commented(text: str, statements: list[ast.ImportFrom]) -> str:
    """The text with the lines of some statements of its top level made comments."""
    lines = text.split("\n")
    for node in statements:
        for at in range(node.lineno - 1, node.end_lineno or node.lineno):
            lines[at] = f"# {lines[at]}"
    return "\n".join(lines)


def classes_in(tree: Tree) -> Iterator[str]:
    """The names of all classes that a text gives, those within classes behind a dot."""
    waiting: list[tuple[ast.stmt, str]] = [(node, "") for node in members(tree.body)]
    while waiting:
        node, above = waiting.pop()
        if isinstance(node, ast.ClassDef):
            yield above + node.name
            waiting += [(inner, f"{above}{node.name}.") for inner in members(node.body)]
