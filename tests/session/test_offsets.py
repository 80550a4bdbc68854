"""Offsets as people write them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.span import Span
from viewer.session.offsets import OffsetError, Target, padded, parse_number, parse_offset, parse_target, reference


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("500", 500),
        ("0500", 500),
        ("0x1F4", 500),
        ("0X1f4", 500),
        ("1F4h", 500),
        ("1f4", 500),
        ("10h", 16),
        ("0o764", 500),
        ("0O1_000", 512),
        ("0o" + "7" * 21, 2**63 - 1),
        ("1_000", 1000),
        ("8,415", 8415),
        ("0xFFFF_FFFF_FF", 2**40 - 1),
    ],
)
def test_numbers(text: str, number: int) -> None:
    assert parse_number(text) == number


def test_zeros_before_a_number_are_told() -> None:
    assert padded(" 0764 + 00000010*2 - 0x010 + 10 - 089 + 010k + end") == [("0764", 8), ("00000010", 16)]
    assert padded("@a010") == padded("") == padded("x") == []


def test_addresses_of_files_know_no_octal() -> None:
    assert parse_target("a.pth#0500+00000010").span == Span(500, 510)


@pytest.mark.parametrize("text", ["", "x", "0x", "_", "12 3", "0x1G", "-5", "9" * 21, "0o", "0o8", "0o" + "1" * 23])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(OffsetError) as raised:
        parse_number(text)
    assert raised.value.code == "not-a-number"


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("0", 0),
        ("0x20", 32),
        ("0o40", 32),
        ("end-0o10", 992),
        ("+16", 116),
        ("-0x10", 84),
        ("end-1", 999),
        ("end - 0x10*4", 936),
        ("2*16+4", 36),
        ("+2*8-1", 115),
        ("END-1000", 0),
        (" 10 ", 10),
        ("0764", 500),
        ("00000010", 16),
        ("0000001F", 31),
        ("0089", 89),
        ("064k-63500", 500),
        ("+010", 108),
        ("end-0000010", 992),
        ("00", 0),
        ("0_10", 10),
        ("1k-500", 500),
        ("0+0x10*2", 32),
        ("1 Ki - 1k", 24),
        ("1KiB-0x20", 992),
        ("end-1k", 0),
    ],
)
def test_expressions(text: str, offset: int) -> None:
    assert parse_offset(text, here=100, size=1000) == offset


NAMES = {"fc.weight": 64, "a-b": 100, "a": 300, "two words": 500}


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("@fc.weight", 64),
        ("@fc.weight+16", 80),
        ("@fc.weight + 4*4", 80),
        ("@a-b", 100),
        ("@a-5", 295),
        ('@"two words"-1', 499),
        ("+@a", 400),
    ],
)
def test_names(text: str, offset: int) -> None:
    assert parse_offset(text, here=100, size=1000, names=NAMES.get) == offset


@pytest.mark.parametrize(
    "name", ["fc.weight", "two words", 'a "b" c', '"', '""', ' "', "a\tb", 'x"y', '"a" + "b"', "a-5"]
)
def test_each_name_can_be_typed(name: str) -> None:
    assert parse_offset(f"{reference(name)}+1", here=0, size=1000, names={name: 7, "a": 9}.get) == 8


@pytest.mark.parametrize("text", ["@", "@b", '@"fc"', "@FC.weight"])
def test_what_has_no_such_name(text: str) -> None:
    with pytest.raises(OffsetError) as raised:
        parse_offset(text, here=100, size=1000, names=NAMES.get)
    assert raised.value.code == "no-such-name"


def test_units_are_of_1000_and_of_1024() -> None:
    assert parse_offset("3M", 0, 2**40) == 3_000_000
    assert parse_offset("3Mi", 0, 2**40) == 3 * 2**20
    assert parse_offset("0x1G", 0, 2**40) == 10**9


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("end", "beyond-end"),
        ("1000", "beyond-end"),
        ("-101", "before-start"),
        ("5+", "unfinished"),
        ("*5", "unfinished"),
        ("5 6", "unfinished"),
        ("5+*6", "unfinished"),
        ("weight", "not-a-number"),
        ("5/2", "not-a-number"),
    ],
)
def test_faults(text: str, code: str) -> None:
    with pytest.raises(OffsetError) as raised:
        parse_offset(text, here=100, size=1000)
    assert raised.value.code == code


def test_the_first_byte_of_an_empty_file_can_be_named() -> None:
    assert parse_offset("0", here=0, size=0) == 0


def test_offsets_beyond_32_bits() -> None:
    assert parse_offset("end-1", here=0, size=2**41) == 2199023255551


@given(st.text(max_size=20), st.integers(0, 2**63), st.integers(0, 2**63))
def test_any_text_gives_an_offset_inside_or_a_fault(text: str, here: int, size: int) -> None:
    with contextlib.suppress(OffsetError):
        assert 0 <= parse_offset(text, here, size) < max(1, size)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("a.pt", Target(Path("a.pt"))),
        ("a.pt#0x1F4", Target(Path("a.pt"), Span(500, 501))),
        ("a.pt#500+12", Target(Path("a.pt"), Span(500, 512))),
        ("a.pt#0x10+0x20", Target(Path("a.pt"), Span(16, 48))),
        ("a#b.pt#8", Target(Path("a#b.pt"), Span(8, 9))),
        ("a.pt#weight", Target(Path("a.pt#weight"))),
        ("a.pt#", Target(Path("a.pt#"))),
        ("file:///tmp/a%20b.pt", Target(Path("/tmp/a b.pt"))),
        ("file:///tmp/a.pt#16", Target(Path("/tmp/a.pt"), Span(16, 17))),
        ("file:///tmp/%FF.pt", Target(Path("/tmp/\udcff.pt"))),
        ("a.pt#99999999999999999999", Target(Path("a.pt"))),
    ],
)
def test_targets(text: str, target: Target) -> None:
    assert parse_target(text) == target


def test_a_file_with_such_a_name_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "model.pt#12"
    path.write_bytes(b"x")
    assert parse_target(str(path)) == Target(path)
