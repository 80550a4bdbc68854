"""Every sentence that can be shown in another language, by its context: out of the source and of the tables of data."""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from tests.shared import ROOT

Contexts = dict[str, set[str]]
FOLDER: Final = ROOT / "resources" / "translations"
CODES: Final = ("zh_CN", "ja", "fa")
LOOKED_UP: Final = ast.Name | ast.Attribute | ast.Subscript | ast.Call
"""What gives a text out of a table, whose rows are marked where they stand."""
OPCODE_FIELDS: Final = ("argument", "does", "watch")


@dataclass(slots=True)
class Found:
    """`contexts`: the sentences. `unreadable`: calls whose text is no literal and stands in no marked table."""

    contexts: Contexts = field(default_factory=lambda: defaultdict(set))
    unreadable: list[str] = field(default_factory=list)


@cache
def sentences() -> Contexts:
    """All of them: of the source, and of the opcodes' documentation."""
    return {context: set(texts) for context, texts in {**_source().contexts, "Opcodes": _opcodes()}.items()}


def unreadable() -> list[str]:
    """`file:line` of the calls that can have no translation: their text is put together."""
    return _source().unreadable


@cache
def _source() -> Found:
    found = Found()
    for path in sorted((ROOT / "viewer").rglob("*.py")):
        _collect(path, found)
    return found


def _opcodes() -> set[str]:
    rows = json.loads((ROOT / "resources" / "opcodes.json").read_text(encoding="utf-8"))
    return _source().contexts["Opcodes"] | {row[key] for row in rows for key in OPCODE_FIELDS if row[key]}


def _collect(path: Path, found: Found) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node, owner in _calls(tree):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "tr" and len(node.args) == 1:
            context, text = owner, _literal(node.args[0]) if _is_own(node.func) else ""
        elif name in ("translate", "QT_TRANSLATE_NOOP") and len(node.args) >= 2 and _literal(node.args[0]):
            context, text = _literal(node.args[0]), _literal(node.args[1])
        else:
            continue
        if text:
            found.contexts[context].add(text)
        elif name != "translate" or not isinstance(node.args[1], LOOKED_UP):
            found.unreadable.append(f"{path.relative_to(ROOT)}:{node.lineno}")


def _is_own(function: ast.expr) -> bool:
    """Whether it is `self.tr`: with another object the context is that one's class, which is not seen here."""
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "self"


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Every call with the innermost class around it, which is the context of `self.tr`."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, owner = waiting.pop()
        if isinstance(node, ast.Call):
            yield node, owner
        inner = node.name if isinstance(node, ast.ClassDef) else owner
        waiting.extend((child, inner) for child in ast.iter_child_nodes(node))


def _literal(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def translations(code: str) -> dict[str, dict[str, str]]:
    """What a language has; nothing where there is no file."""
    file = FOLDER / f"{code}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def write(code: str, contexts: dict[str, dict[str, str]]) -> None:
    """Keep a language, in an order of its own: contexts and sentences by the alphabet."""
    ordered = {context: dict(sorted(contexts[context].items())) for context in sorted(contexts) if contexts[context]}
    text = json.dumps(ordered, ensure_ascii=False, indent=1) + "\n"
    (FOLDER / f"{code}.json").write_text(text, encoding="utf-8")


def missing(code: str) -> list[tuple[str, str]]:
    """Context and sentence of what has no translation, in an order that stays."""
    have = translations(code)
    return [
        (context, text)
        for context, texts in sorted(sentences().items())
        for text in sorted(texts)
        if text not in have.get(context, {})
    ]


def unused(code: str) -> list[tuple[str, str]]:
    """Context and sentence of what nothing shows any more, or not in that context."""
    wanted = sentences()
    return [
        (context, text)
        for context, texts in translations(code).items()
        for text in texts
        if text not in wanted.get(context, ())
    ]
