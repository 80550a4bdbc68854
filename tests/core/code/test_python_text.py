"""Texts of unknown origin: parsed, or a fault with its line."""

from __future__ import annotations

import ast

import pytest

from viewer.core.code.python_text import Fault, Tree, class_node, dotted, parse


def tree(text: str) -> Tree:
    found = parse(text)
    assert isinstance(found, Tree), found
    return found


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("class A:\n    def f(self)\n", Fault("syntax", 2, "expected ':'")),
        ("class A:\n    x = 1\n    print 'x'\n", Fault("python-2", 3)),
        ("try:\n    pass\nexcept E, e:\n    pass\n", Fault("python-2", 3)),
        ("x = 0777\n", Fault("python-2", 1)),
        ("raise E, 'x'\n", Fault("python-2", 1)),
        ("x = `y`\n", Fault("python-2", 1)),
        ("x = ur'y'\n", Fault("python-2", 1)),
        ("class A:\n    pass\n\0", Fault("not-text", 3)),
        ("x = 1\ny = '\ud800'\n", Fault("not-text", 2)),
        ("x = 1\n" * 200_000, Fault("too-large")),
        ("(" * 1000, Fault("too-deep", 1)),
        ("-" * 100_000 + "1", Fault("too-deep")),
        ("a" + ".b" * 100_000, Fault("too-deep")),
        ("if 1: pass\n" + "elif 1: pass\n" * 5000, Fault("too-deep")),
        ("x = " + "1+" * 100_000 + "1", Fault("too-deep")),
    ],
    ids=lambda value: value.code if isinstance(value, Fault) else repr(value[:12]),
)
def test_faults(text: str, fault: Fault) -> None:
    assert parse(text) == fault


def test_a_warning_of_the_parser_is_none_of_ours() -> None:
    assert isinstance(parse("x = '\\d'\nif x is 'y': pass\n"), Tree)


@pytest.mark.parametrize("indent", ["    ", "\t", "  "])
def test_an_indented_text_keeps_its_lines(indent: str) -> None:
    text = f'{indent}# of a function\n\n{indent}class A:\n{indent}{indent}x = """\nleft\n"""\n{indent}{indent}y = 1\n'
    found = tree(text)
    node = class_node(found)
    assert node is not None
    assert node.lineno + found.shift == 3
    assert node.body[1].lineno + found.shift == 7


def test_a_fault_in_an_indented_text_has_its_own_line() -> None:
    assert parse("    class A:\n        x =\n") == Fault("syntax", 2, "invalid syntax")


def test_line_separators_of_texts_do_not_count() -> None:
    assert parse("x = '\u2028'\n\x0cy =\n") == Fault("syntax", 2, "invalid syntax")


def test_classes_are_found_by_name() -> None:
    found = tree("try:\n    class A:\n        x = 1\nexcept E:\n    class A:\n        class In:\n            pass\n")
    first = class_node(found)
    inner = class_node(found, "A.In")
    assert first is not None
    assert first.lineno == 2
    assert inner is not None
    assert inner.lineno == 6
    assert class_node(found, "A.Other") is None
    assert class_node(tree("x = 1\n")) is None


def test_dotted_names() -> None:
    expressions = [ast.parse(text, mode="eval").body for text in ("a.b.c", "a", "f().b", "a[0].b")]
    assert [dotted(node) for node in expressions] == ["a.b.c", "a", "", ""]
