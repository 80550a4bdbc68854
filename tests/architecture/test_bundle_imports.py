"""What the bundle must be told of: packages that the program loads by a name in a text, which no analysis reads."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.shared import ROOT

SPEC: Final = ROOT / "packaging" / "picklescope.spec"
DOTTED: Final = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)


def hidden_imports() -> set[str]:
    """The modules that the spec names beside our own."""
    calls = [node for node in ast.walk(ast.parse(SPEC.read_text(encoding="utf-8"))) if isinstance(node, ast.keyword)]
    (value,) = [node.value for node in calls if node.arg == "hiddenimports"]
    return {node.value for node in ast.walk(value) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def dependencies() -> set[str]:
    """The packages to import that the program's dependencies bring, without its extras'."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {canonicalize_name(Requirement(text).name) for text in project["dependencies"]}
    brought = packages_distributions().items()
    names = {name for name, sources in brought if wanted & {canonicalize_name(source) for source in sources}}
    return {name for name in names if find_spec(name) is not None}


def is_checking(node: ast.AST) -> bool:
    """True for what only the type checker runs."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def read(node: ast.AST) -> Iterator[ast.AST]:
    """What the program runs of a tree."""
    if is_checking(node):
        assert isinstance(node, ast.If)
        for other in node.orelse:
            yield from read(other)
        return
    yield node
    for inner in ast.iter_child_nodes(node):
        yield from read(inner)


def statements_and_texts(source: str) -> tuple[set[str], set[str]]:
    """The packages that statements import, and the texts that might name a module."""
    imported: set[str] = set()
    texts: set[str] = set()
    for node in read(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            imported.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and DOTTED.fullmatch(node.value):
            texts.add(node.value)
    return imported, texts


def ours() -> Iterator[Path]:
    yield from sorted((ROOT / "viewer").rglob("*.py"))


def test_what_is_read_of_a_file() -> None:
    source = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import numpy
else:
    import zstandard.backend
def load():
    from pygments.lexers import PythonLexer
    return import_module("picklescan.scanner"), "no module", "x"
"""
    imported, texts = statements_and_texts(source)
    assert (imported, texts) == ({"typing", "zstandard", "pygments"}, {"picklescan.scanner", "x"})


def test_packages_that_no_statement_imports_are_named_in_the_spec() -> None:
    imported: set[str] = set()
    texts: set[str] = set()
    for path in ours():
        more_imported, more_texts = statements_and_texts(path.read_text(encoding="utf-8"))
        imported |= more_imported
        texts |= more_texts
    by_text = dependencies() - imported
    assert by_text, "the program loads something by a name in a text"
    named = {text for text in texts if text.partition(".")[0] in by_text and find_spec(text) is not None}
    hidden = hidden_imports()
    # Whole packages are taken by one name in them, as `picklescan` is by `picklescan.scanner`.
    assert {name for name in by_text if not any(one.partition(".")[0] == name for one in hidden)} == set()
    assert {name for name in named if not any(one == name or one.startswith(f"{name}.") for one in hidden)} == set()


def test_what_the_spec_names_is_there() -> None:
    assert {name for name in hidden_imports() if find_spec(name) is None} == set()
