"""What core says in a sentence's place is a sentence itself: no English stands between the words of another language.

`viewer.wording.phrases` has them. A text that is put together in core, or a plain one, would be shown as it is.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared import ROOT
from viewer.wording.rows import KINDS, ROLES

CORE = ROOT / "viewer/core"
PROSE = re.compile(r"(?<![\w.])[a-z]{2,} [a-z]{2,}(?![\w(=])|^ ?(and|or|more|of|with) | (and|or|more|of|with) ?$")
# What these hold is read by programs or compared with what others say, or is a text that is English in all languages.
OTHERWISE = {
    "archive/decoders.py": "what libraries say when memory is short",
    "archive/tar_headers.py": "kinds of members by their byte, for JSON",
    "code": "code that is written, and what Python says of code",
    "export/recovery": "a kit: code and a text beside it",
    "formats/recognition/kinds.py": "kinds as keys",
    "objects/describe.py": "types",
    "objects/stored_code.py": "types",
    "objects/training_kinds.py": "names in state_dicts",
    "pickles/opcodes.py": "groups of opcodes as keys",
    "safety/uses.py": "ways of use as keys",
    "summary/answer_rows.py": "a report",
    "summary/import_facts.py": "a report",
    "summary/import_report.py": "a report",
    "summary/loading.py": "code",
    "summary/rank_loading.py": "code",
    "summary/rows": "a report",
    "summary/set_loading.py": "code",
    "summary/stops.py": "a key",
    "summary/written_by.py": "said in parts by version_words",
    "tensors/literal.py": "an error that is told in other words",
    "tensors/path.py": "a key that is too long, as a path has it",
}
KEYS = {*KINDS, *ROLES, "not in its file", "behind the break", "reading names"}


def found_in(text: str) -> list[str]:
    """The English in a module that is neither documentation nor in a table, nor an error of Python's own."""
    tree = ast.parse(text)
    left_out = {id(part) for node in ast.walk(tree) if _is_apart(node) for part in ast.walk(node)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in left_out)
    return [node.value for node in texts if isinstance(node.value, str) and _is_prose(node.value)]


def _is_apart(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    is_error = isinstance(getattr(builtins, name, None), type) and name.endswith("Error")
    return is_error or name in ("QT_TRANSLATE_NOOP", "compile")


def _is_prose(text: str) -> bool:
    return bool(PROSE.search(text)) and text not in KEYS


def modules() -> Iterator[Path]:
    for path in sorted(CORE.rglob("*.py")):
        name = path.relative_to(CORE).as_posix()
        if not any(name == other or name.startswith(other + "/") for other in OTHERWISE):
            yield path


def test_core_puts_no_english_into_sentences() -> None:
    found = {str(path.relative_to(CORE)): texts for path in modules() if (texts := found_in(path.read_text("utf-8")))}
    assert found == {}


def test_what_is_left_out_is_there() -> None:
    assert [name for name in OTHERWISE if not (CORE / name).exists()] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('error("a", reason="it is a folder")', ["it is a folder"]),
        ('f"{first} and {count} more"', [" and ", " more"]),
        ('"""it is a folder"""', []),
        ('raise ValueError("it is a folder")', []),
        ('raise SourceError("it is a folder")', ["it is a folder"]),
        ('QT_TRANSLATE_NOOP("wording", "it is a folder")', []),
        ('phrase("file-is-folder")', []),
    ],
)
def test_what_counts(text: str, found: list[str]) -> None:
    assert found_in(text) == found
