"""Saved listings: of all pickles of a file, which Python can parse and which hold every act of the stream once."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.shared import shared_files
from viewer.core.document import Pickle
from viewer.core.errors import ExportError
from viewer.core.export import exporter_of
from viewer.core.export.listing import pickles_of
from viewer.core.export.selection import Wanted
from viewer.core.objects.listing import make_listing
from viewer.core.objects.listing_lines import Role
from viewer.core.opening import open_document
from viewer.core.pickles.opcodes import codes
from viewer.core.pickles.values import KIND_OF, Kind
from viewer.core.progress import Progress

LISTING = exporter_of("listing")
OWN = frozenset({"build", "cut", "extension", "import_module", "next_buffer", "persistent_load", "readonly"})
ADDERS = frozenset({"append", "add", "extend", "update"})


def exported(source: Path, target: Path) -> str:
    document = open_document(source)
    try:
        report = LISTING.write(LISTING.plan(document, Wanted()), target, Progress())
        verdict = LISTING.verify(report, Progress())
        assert verdict is not None
        assert verdict.good is True
    finally:
        document.close()
    return target.read_text(encoding="utf-8")


def test_a_listing_of_two_pickles_tells_where_each_stands(tmp_path: Path) -> None:
    source = tmp_path / "two\u202e.pkl"
    source.write_bytes(b"\x80\x02cos\ngetcwd\n)R." + b"\x80\x04K\x05.")
    text = exported(source, tmp_path / "listing.py")
    assert text.splitlines()[-8:] == [
        "# pickle 1 of 2: object, offset 0x0, protocol 2",
        "",
        "from os import getcwd",
        "result = os.getcwd()",
        "",
        "# pickle 2 of 2: next pickle, object, offset 0x10, protocol 4",
        "",
        "result = 5",
    ]
    assert text.splitlines()[0].startswith("# two\\u202e.pkl: what its pickles ask for")
    assert all(line.startswith("#") for line in text.splitlines()[:8])


def test_a_file_without_pickles_has_no_listing(tmp_path: Path) -> None:
    source = tmp_path / "notes.txt"
    source.write_text("nothing here\n")
    document = open_document(source)
    with pytest.raises(ExportError) as failure:
        LISTING.plan(document, Wanted())
    document.close()
    assert failure.value.code == "listing-nothing"


@pytest.mark.parametrize(
    "path",
    [*shared_files("samples", "[A-M]_*"), *shared_files("tricks", "*.pkl"), *shared_files("cases", "*/*")],
)
def test_python_parses_every_listing(path: Path) -> None:
    document = open_document(path)
    try:
        for _, pickle in pickles_of(document):
            check(pickle)
    finally:
        document.close()


def check(pickle: Pickle) -> None:
    """Every import, call, persistent id and BUILD of a stream is in its listing, once."""
    listing = make_listing(pickle.values)
    nodes = ast.walk(ast.parse("\n".join(listing.text(line) for line in range(len(listing)))))
    calls = Counter(called(node) for node in nodes if isinstance(node, ast.Call))
    kinds = np.bincount(KIND_OF[pickle.code.codes], minlength=len(Kind)).tolist()
    assert calls["persistent_load"] == kinds[Kind.PERSISTENT]
    assert calls["extension"] == kinds[Kind.EXTENSION]
    assert calls["build"] == number(pickle, "BUILD")
    assert calls["readonly"] == number(pickle, "READONLY_BUFFER")
    # An empty set is written as the call of the class is; frozensets and bytearrays are too.
    displays = number(pickle, "FROZENSET BYTEARRAY8")
    assert calls["call"] - displays <= kinds[Kind.CALL] <= calls["call"] - displays + calls["set()"]
    names = sum(listing.role(line) is Role.IMPORT for line in range(len(listing)))
    assert names + calls["computed"] == kinds[Kind.GLOBAL]


def called(node: ast.Call) -> str:
    """What a call in a listing stands for: one of its functions, a change, a name, an atom, or a call of the stream."""
    function, given = node.func, node.args
    if isinstance(function, ast.Attribute):
        is_change = function.attr in ADDERS and isinstance(function.value, ast.Name) and function.value.id[0] == "v"
        return "change" if is_change else "call"
    if not isinstance(function, ast.Name):
        return "call"
    if function.id == "getattr" and isinstance(given[0], ast.Call) and called(given[0]) == "import_module":
        is_plain = isinstance(given[0].args[0], ast.Constant) and isinstance(given[1], ast.Constant)
        return "name" if is_plain else "computed"
    if function.id in OWN:
        return function.id
    if function.id == "set" and not given:
        return "set()"
    return "atom" if function.id == "float" and isinstance(given[0], ast.Constant) else "call"


def number(pickle: Pickle, names: str) -> int:
    return int(np.isin(pickle.code.codes, list(codes(names))).sum())
