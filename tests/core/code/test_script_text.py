"""Code of TorchScript as text: classes, what they declare, where they stand."""

from __future__ import annotations

import pytest

from viewer.core.code.script_text import CodeFile, class_sources, module_of, script_classes, script_sources, units
from viewer.core.span import Span


def code(text: str, place: Span | None = None) -> CodeFile:
    return CodeFile("__torch__.nets", "code/__torch__/nets.py", "a/code/__torch__/nets.py", text, place)


def test_modules_by_their_records() -> None:
    assert module_of("a/code/__torch__/torch/nn/x.py", "a/code/") == "__torch__.torch.nn.x"


def test_units_of_a_file() -> None:
    text = "op_version_set = 1\nclass A(Module):\n  def f(self):\n    pass\ndef g(x):\n  pass\n"
    assert [(unit.name, unit.is_class, text[unit.start : unit.stop]) for unit in units(text)] == [
        ("A", True, "class A(Module):\n  def f(self):\n    pass\n"),
        ("g", False, "def g(x):\n  pass\n"),
    ]
    assert [source.text for source in script_sources([code(text)])] == [
        "op_version_set = 1\nclass A(Module):\n  def f(self):\n    pass\n",
        "def g(x):\n  pass\n",
    ]


def test_declared_names() -> None:
    text = (
        'class A(Module):\n  __parameters__ = ["w", "0", "a\\"b", ]\n  __buffers__ = []\n'
        "class B(Module):\n  __parameters__ = []\n  def __buffers__(self):\n    pass\n"
        'class A(Module):\n  __parameters__ = ["late", ]\n'
    )
    found = script_classes([code(text)])
    assert found["__torch__.nets.A"].parameters == {"w", "0", 'a"b'}
    assert found["__torch__.nets.A"].buffers == frozenset()
    assert found["__torch__.nets.B"].parameters == frozenset()
    assert found["__torch__.nets.B"].buffers is None
    assert set(found) == {"__torch__.nets.A", "__torch__.nets.B"}


def test_spans_count_bytes_of_the_document() -> None:
    text = "# é\nclass A:\n  x = 'é'\n\nLIMIT = 1\nclass B:\n  y = 2\n"
    first, second = class_sources(code(text, Span(100, 100 + len(text.encode()))))
    assert (first.text, first.span) == ("class A:\n  x = 'é'\n\n", Span(105, 126))
    assert (second.text, second.span) == ("class B:\n  y = 2\n", Span(136, 153))


def test_a_file_without_classes_is_one_source() -> None:
    (source,) = script_sources([code("x = 1\n")])
    assert (source.name, source.qualname, source.text) == ("__torch__.nets", "", "x = 1\n")
    assert script_sources([code(" \n")]) == []


@pytest.mark.parametrize(
    ("text", "classes", "sources"),
    [
        ("class " * 200_000, 1, 1),
        ('  __parameters__ = ["' + "\\" * 400_000, 0, 1),
        ("class A:\n" * 100_000, 1, 100_000),
        ("é\ndef f:\n" * 50_000, 0, 50_000),
    ],
)
def test_hostile_texts_are_read_in_one_pass(text: str, classes: int, sources: int) -> None:
    # by steps that grow with the square of the text this would take hours
    assert len(script_classes([code(text)])) == classes
    assert len(script_sources([code(text)])) == sources
