"""JSON of files: bounds, and numbers in the forms that they are written in."""

from __future__ import annotations

import pytest

from viewer.core.tensors.bounded_json import DEEPEST, depth_of, entries, fields, parse, whole, wholes


def test_what_can_be_read() -> None:
    assert parse(b'{"a": [1, "b"], "a": 2}') == ({"a": 2}, "", "")
    deep = b"[" * DEEPEST + b"]" * DEEPEST
    assert parse(deep).code == ""


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        (b"", "json-broken", "Expecting value, at character 0"),
        (b"\xff", "json-broken", "Byte 0 is no UTF-8"),
        (b"[" * (DEEPEST + 1), "json-bounds", "it is more than 200 levels deep"),
        (b"," * 2_000_001, "json-bounds", "it has about 2,000,001 values"),
        (b"1" * 5000, "json-broken", "A number in it is too long"),
        (b" " * (64 * 1024 * 1024 + 1), "json-bounds", "it has 67,108,865 bytes"),
    ],
)
def test_what_cannot(text: bytes, code: str, reason: str) -> None:
    assert parse(text) == (None, code, reason)


def test_depth_does_not_count_in_texts() -> None:
    assert depth_of(b'["[[[[", "\\"[[", {"a": []}]') == 3


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3),
        ("3", 3),
        ("-12", -12),
        (True, None),
        (1.0, None),
        ("", None),
        ("1e3", None),
        ("9" * 21, None),
        ("\u0663", None),
    ],
)
def test_whole_numbers(value: object, number: int | None) -> None:
    assert whole(value) == number


def test_lists_and_objects() -> None:
    assert wholes(["1", 2], 2) == (1, 2)
    assert wholes([1, 2, 3], 2) is None
    assert wholes([1, None], 5) is None
    assert wholes({}, 5) is None
    assert (fields([1]), entries({"a": 1})) == ({}, [])
