"""Literals of npy headers."""

from __future__ import annotations

import pytest

from viewer.core.tensors.literal import LiteralError, parse_literal


def test_a_header_of_numpy() -> None:
    text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }           \n"
    assert parse_literal(text) == {"descr": "<f4", "fortran_order": False, "shape": (2, 3)}


def test_integers_and_texts_of_python_2() -> None:
    assert parse_literal("(3L, -4l, u'a', b'b')") == (3, -4, "a", "b")


def test_one_value_in_parentheses_is_a_tuple_only_with_a_comma() -> None:
    assert parse_literal("(3)") == 3
    assert parse_literal("(3,)") == (3,)
    assert parse_literal("()") == ()


def test_escapes() -> None:
    assert parse_literal(r"'a\n\x41\u00e9\'\\\101\q'") == "a\nA\u00e9'\\A\\q"


def test_fields() -> None:
    text = "[('x', '<f4'), (('title', 'y'), '>i2', (2,))]"
    assert parse_literal(text) == [("x", "<f4"), (("title", "y"), ">i2", (2,))]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{'descr': oops}",
        "__import__('os')",
        "{'a' 1}",
        "{1: 2}",
        "{(1, [2]): 3}",
        "[1 2]",
        "(,)",
        "1.5",
        "'open",
        "1 2",
        "9" * 5000,
        "(" * 5000,
        "None or 1",
        "{'a': 1 'b': 2}",
    ],
)
def test_what_is_no_literal(text: str) -> None:
    with pytest.raises(LiteralError):
        parse_literal(text)
