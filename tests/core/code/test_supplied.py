"""Files that a person picks: encodings, faults with their line, classes and what their names stand for."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Any

import pytest

from viewer.core.code.class_facts import ClassFacts
from viewer.core.code.supplied import SuppliedFile, read_supplied, supplied_file
from viewer.core.errors import SourceError, ViewerError

PATH = Path("blocks.py")


def supplied(text: str | bytes) -> SuppliedFile:
    return supplied_file(PATH, text.encode() if isinstance(text, str) else text)


def test_classes_with_their_own_lines() -> None:
    text = (
        "import torch.nn as nn\r\n\r\n"
        "# a comment\r\n@final\r\nclass A(nn.Module):\r\n    class In:\r\n        x = 1\r\n\r\n"
        "class A(nn.Module):\r\n    y = 'ż'\r\n"
    )
    found = supplied(text)
    assert list(found.classes) == ["A", "A.In"]
    assert found.classes["A"].line == 9
    assert found.classes["A"].text == "class A(nn.Module):\r\n    y = 'ż'\r\n"
    assert found.classes["A.In"].line == 6
    held = found.class_text("zoo.blocks", "A")
    assert held is not None
    assert (held.name, held.module, held.qualname, held.origin, held.file) == (
        "zoo.blocks.A", "zoo.blocks", "A", "supplied", "blocks.py",
    )  # fmt: skip
    assert found.class_text("zoo.blocks", "B") is None


def test_decorators_belong_to_the_text() -> None:
    found = supplied("@a\n@b(\n  1)\nclass A: pass\n").classes["A"]
    assert (found.line, found.text) == (1, "@a\n@b(\n  1)\nclass A: pass\n")
    assert isinstance(found.facts, ClassFacts)
    assert found.facts.line == 4


def test_what_names_stand_for() -> None:
    found = supplied(
        "import torch\nimport torch.nn as nn\nimport os.path\nfrom torch.nn import Module as Base\n"
        "from .layers import Block\ntry:\n    from a import b\nexcept ImportError:\n    b = None\n"
        "def f(): pass\nC = 1\n"
    )
    assert found.imports == {
        "torch": "torch", "nn": "torch.nn", "os": "os", "Base": "torch.nn.Module", "Block": ".layers.Block", "b": "a.b",
    }  # fmt: skip
    assert found.defined == {"b", "f", "C"}
    assert not found.has_star
    assert supplied("from torch.nn import *\n").has_star


@pytest.mark.parametrize(
    "data",
    [
        "class Ż: pass\n".encode(),
        codecs.BOM_UTF8 + "# coding: latin-1\nclass Ż: pass\n".encode(),
        "# -*- coding: iso-8859-2 -*-\nclass Ż: pass\n".encode("iso8859-2"),
        "#!/usr/bin/python\n# vim: set fileencoding=cp1250 :\nclass Ż: pass\n".encode("cp1250"),
        "# coding: UTF_8\nclass Ż: pass\n".encode(),
        b"\n# coding: ascii\nclass Z: pass\nclass \xc5\xbb: pass\n".replace(b"ascii", b"utf8"),
    ],
)
def test_encodings(data: bytes) -> None:
    assert "Ż" in supplied(data).classes


def test_a_coding_line_below_code_counts_for_nothing() -> None:
    assert "Ż" in supplied("x = 1\n# coding: latin-1\nclass Ż: pass\n").classes


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"class A:\n    def f(self)\n", "python-syntax", "blocks.py is no valid Python. Line 2: expected ':'."),
        (
            b"class A:\n    def f(self):\n        print 'x'\n",
            "python-python-2",
            "blocks.py is written for Python 2: Python 3 stops at line 3. Convert it with 2to3.",
        ),
        (
            b"x = 1\ny = '\0'\n",
            "python-not-text",
            "blocks.py is no Python text: line 2 holds bytes that no source has. Choose a .py file.",
        ),
        (
            b"x = 1\n\xff\xfe\n",
            "python-not-text",
            "blocks.py is no Python text: line 2 holds bytes that no source has. Choose a .py file.",
        ),
        (
            b"# coding: rot13\nx = 1\n",
            "python-encoding",
            "blocks.py states the encoding rot13, which is not read here. Save it as UTF-8.",
        ),
        (
            b"x = 1\n" * 200_000,
            "python-too-large",
            "blocks.py is too long to be read as source: 1,200,000, and 1,000,000 are allowed. Choose a .py file.",
        ),
        (b"-" * 100_000 + b"1", "python-too-deep", "blocks.py is nested too deep to be read."),
        (b"PK\x03\x04\x00\x00", "python-not-text", ""),
    ],
)
def test_faults(data: bytes, code: str, words: str) -> None:
    with pytest.raises(ViewerError) as caught:
        supplied(data)
    assert caught.value.code == code
    assert str(caught.value) == words or not words


def test_an_encoding_is_never_looked_up_by_the_name_that_a_file_states(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> Any:
        raise AssertionError(name)

    with monkeypatch.context() as patch:
        patch.setattr(codecs, "lookup", refuse)
        with pytest.raises(ViewerError, match="mbcs_evil"):
            supplied(b"# coding: mbcs_evil\n")


def test_a_file_is_read_up_to_five_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "big.py"
    path.write_bytes(b"#" * (5 * 1024 * 1024 + 1))
    with pytest.raises(ViewerError) as caught:
        read_supplied(path)
    assert str(caught.value).endswith(
        "too long to be read as source: 5,242,881, and 5,242,880 are allowed. Choose a .py file."
    )
    path.write_bytes(b"class A: pass\n")
    assert list(read_supplied(path).classes) == ["A"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        read_supplied(tmp_path / "none.py")


def test_only_classes_are_taken_however_many() -> None:
    found = supplied("class A: pass\n" * 30_000)
    assert list(found.classes) == ["A"]
