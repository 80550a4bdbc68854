"""Names that a text needs, against what Python's own symbol table says, and where they stand."""

from __future__ import annotations

import json
import subprocess
import symtable
import sys
from pathlib import Path

import pytest

from viewer.core.code.aliases import known_import
from viewer.core.code.needed import BUILTINS, KNOWN_ALIASES, Needed, When, needed_names

STANDARD_LIBRARY = Path(json.__file__).parents[1]


def names(text: str) -> dict[str, set[str]]:
    found = needed_names(text)
    assert found.error is None
    return {
        key: set(held)
        for key, held in (
            ("import", found.at_import),
            ("body", found.in_bodies),
            ("annotation", found.in_annotations),
        )
        if held
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class Net(nn.Module): pass", {"import": {"nn"}}),
        ("@register(name)\nclass Net(Base, metaclass=Meta): pass", {"import": {"register", "name", "Base", "Meta"}}),
        ("class Net:\n  size = SIZE\n  double = size * 2", {"import": {"SIZE"}}),
        ("class Net:\n  size = size", {"import": {"size"}}),
        (
            "class Net:\n  pair = _pair\n  def f(self): return pair, _pair",
            {"import": {"_pair"}, "body": {"pair", "_pair"}},
        ),
        ("class Net:\n  def f(self, x=default): return F.relu(x)", {"import": {"default"}, "body": {"F"}}),
        ("class Net:\n  @decorated\n  def f(self): pass", {"import": {"decorated"}}),
        ("class Net:\n  @property\n  def a(self): pass\n  @a.setter\n  def a(self, v): pass", {}),
        ("class Net:\n  def f(self) -> Out:\n    a: Local = 1\n    return a", {"annotation": {"Out", "Local"}}),
        ("class Net:\n  x: Kind = 3", {"annotation": {"Kind"}}),
        ("class Net:\n  def f(self): return Net, super().f, __class__, __name__, len", {}),
        ("class Net(Net): pass", {"import": {"Net"}}),
        (
            "class Net:\n  def f(self):\n    import os.path as p, sys\n    from a import b as c, d\n    p, sys, c, d",
            {},
        ),
        ("class Net:\n  def f(self):\n    import os.path\n    return os, path", {"body": {"path"}}),
        ("class Net:\n  def f(self):\n    global count\n    count += 1", {}),
        ("class Net:\n  def f(self):\n    global seen\n    return seen", {"body": {"seen"}}),
        (
            "class Net:\n  def f(self):\n    a = 1\n    def g():\n      nonlocal a\n      a = b\n    return a",
            {"body": {"b"}},
        ),
        ("class Net:\n  sizes = [s * k for s in SIZES if s]", {"import": {"SIZES", "k"}}),
        ("class Net:\n  k = 2\n  sizes = [k for _ in range(3)]", {"import": {"k"}}),
        ("class Net:\n  k = 2\n  sizes = [_ for _ in range(k)]", {}),
        ("class Net:\n  def f(self): return [y for x in xs if (y := x)] + [y]", {"body": {"xs"}}),
        ("class Net:\n  f = lambda self, a=A, *b, c=C, **d: (a, b, c, d, e)", {"import": {"A", "C"}, "body": {"e"}}),
        ("class Net:\n  def f(self):\n    try: pass\n    except Oops as e: print(e)", {"body": {"Oops"}}),
        (
            "class Net:\n  def f(self):\n    for i, (a, *b) in z: print(i, a, b)\n    with w as (c, d): c, d",
            {"body": {"z", "w"}},
        ),
        ("class Net:\n  def f(self): self.x = {a: 1, **b}; return f'{c!r:{d}}'", {"body": {"a", "b", "c", "d"}}),
        (
            "class Net:\n  class Inner(Base):\n    def f(self): return Inner, Net",
            {"import": {"Base"}, "body": {"Inner"}},
        ),
        (
            "class Net:\n  async def f(self):\n    async for x in a: await x\n    async with b as c: c",
            {"body": {"a", "b"}},
        ),
        ("class Net:\n  def f(self): return __secret", {"body": {"_Net__secret"}}),
        ("class _Net:\n  def f(self, __a): return __a, __b__", {"body": {"__b__"}}),
        ("class Net:\n  def f(self): del self.x, y", {}),
        ("class Net:\n  def f(self): return unicode, xrange", {"body": {"unicode", "xrange"}}),
        ("class Net:\n  def f(self) -> 'Later': pass", {}),
    ],
)
def test_what_is_needed_and_when(text: str, expected: dict[str, set[str]]) -> None:
    assert names(text) == expected


def test_what_a_match_binds() -> None:
    text = (
        "class Net:\n  def f(self, v):\n    match v:\n      case [a, *b]: return a, b, c\n"
        "      case {'k': d, **e}: return d, e\n"
        "      case Point(x=0) | other.Kind: pass\n      case _ as g: return g\n"
    )
    assert names(text) == {"body": {"c", "Point", "other"}}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_type_parameters() -> None:
    text = (
        "class Net[T: Bound]:\n  x: T\n  def f[U](self, a: U, b: T) -> Out: return T, U, V\n"
        "type Alias[W] = list[W | Late]\n"
    )
    assert names(text) == {"body": {"V", "Bound", "Late"}, "annotation": {"Out"}}


def test_places_count_characters() -> None:
    text = "class Net(nn.Module):\n    def f(self):\n        return 'żółw', F.relu(żółw), Ω\n"
    found = [(use.name, use.line, use.column, use.length, use.attribute) for use in needed_names(text).uses]
    assert found == [
        ("nn", 1, 10, 2, "Module"),
        ("F", 3, 23, 1, "relu"),
        ("żółw", 3, 30, 4, ""),
        ("Ω", 3, 37, 1, ""),
    ]


def test_what_is_taken_of_a_name_in_an_annotation() -> None:
    uses = needed_names(
        "class Net:\n  def f(self, x: torch.nn.Module, y: 'Later', *z: List[nn.Linear]) -> Out: pass\n"
    ).uses
    assert [(use.name, use.attribute) for use in uses] == [
        ("torch", "nn"), ("List", ""), ("nn", "Linear"), ("Out", ""),
    ]  # fmt: skip


def test_places_in_a_text_that_is_indented_as_a_whole() -> None:
    text = "\n    # a comment\n    @made\n    class Inner(Base):\r\n        pass\n"
    found = needed_names(text)
    assert [(use.name, use.line, use.column) for use in found.uses] == [("made", 3, 5), ("Base", 4, 16)]
    assert found.bound == {"Inner"}


def test_all_line_ends_are_lines() -> None:
    uses = needed_names("class Net:\r  a = A\r\n  b = B\n\n  c = C\x0c\n").uses
    assert [(use.name, use.line, use.when) for use in uses] == [
        ("A", 2, When.IMPORT),
        ("B", 3, When.IMPORT),
        ("C", 5, When.IMPORT),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("class Net:\n    print 'x'\n", "python-2"),
        ("class Net(", "syntax"),
        ("class Net: '\0'", "not-text"),
        ("x = '" + "y" * 1_000_000 + "'", "too-large"),
        ("(" * 100_000, "too-deep"),
        ("x = " + "-" * 100_000 + "1", "too-deep"),
        ("x = a" + ".b" * 100_000, "too-deep"),
        ("x = " + "lambda: " * 50_000 + "1", "too-deep"),
        ("".join(" " * depth + "def f():\n" for depth in range(1000)) + " " * 1000 + "pass", "too-deep"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_more(text: str, code: str) -> None:
    found = needed_names(text)
    assert found.error is not None
    assert found.error.code == code
    assert found == Needed(error=found.error)


def test_as_deep_as_the_parser_goes() -> None:
    """Deeper than any walk by recursion would come."""
    text = "x = " + "lambda: " * 900 + "deep\ny = a" + " + a" * 2500
    assert names(text) == {"body": {"deep"}, "import": {"a"}}


def test_a_star_is_told() -> None:
    assert needed_names("from torch import *\nclass Net(Module): pass").star
    assert not needed_names("class Net(Module): pass").star


def test_well_known_names() -> None:
    assert KNOWN_ALIASES["F"] == "import torch.nn.functional as F"
    assert known_import("np", frozenset({"zeros"})) == "import numpy as np"
    assert known_import("OrderedDict", frozenset({""})) == "from collections import OrderedDict"
    assert known_import("time", frozenset({"time"})) == "import time"
    assert known_import("time", frozenset({"", "sleep"})) == "import time"
    assert known_import("time", frozenset({""})) is None
    assert known_import("torch", frozenset({""})) == "import torch"
    assert known_import("init", frozenset({""})) is None
    assert known_import("make_layer", frozenset({""})) is None


def test_every_well_known_import_works() -> None:
    """In a process of its own; what torch gives is tried where torch is."""
    lines = sorted({line for line in KNOWN_ALIASES.values() if "torch" not in line})
    done = subprocess.run([sys.executable, "-I", "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.torch
def test_every_well_known_import_from_torch_works() -> None:
    lines = sorted({line for line in KNOWN_ALIASES.values() if "torch" in line})
    assert len(lines) > 80
    done = subprocess.run([sys.executable, "-I", "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("package", ["asyncio", "collections", "email", "json", "logging", "unittest", "xml"])
@pytest.mark.filterwarnings("ignore")
def test_the_symbol_table_of_python_says_the_same(package: str) -> None:
    files = sorted((STANDARD_LIBRARY / package).rglob("*.py"))
    assert files
    for path in files:
        text = path.read_text("utf-8")
        found = needed_names(text)
        assert found.error is None, path
        wanted, bound = by_symbol_table(text)
        # a name that is used before it is bound is no name of the text yet
        assert wanted <= found.names <= wanted | bound, path


def by_symbol_table(text: str) -> tuple[set[str], set[str]]:
    """The global names that are used and not bound, and those that are bound."""
    tables = [symtable.symtable(text, "text", "exec")]
    for table in tables:
        tables += table.get_children()
    bound: set[str] = set()
    used: set[str] = set()
    for table in tables:
        for symbol in table.get_symbols():
            if table.get_type() == "module" or symbol.is_global():
                if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                    bound.add(symbol.get_name())
                if symbol.is_referenced():
                    used.add(symbol.get_name())
    return used - bound - BUILTINS - {"__class__"}, bound
