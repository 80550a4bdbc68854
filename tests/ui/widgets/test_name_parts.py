"""Several names in one field: commas between them, quotes around one that has a comma itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.ui.widgets.name_fields import joined, parts


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        (" , ,", ()),
        ("a, b.c ,d", ("a", "b.c", "d")),
        ('"a,b", c', ("a,b", "c")),
        ('c,"a,b"', ("c", "a,b")),
        ('" a "', (" a ",)),
        ('"say ""no"", then"', ('say "no", then',)),
        ('a"b, c', ('a"b', "c")),
        ('"a"b, c', ('"a"b', "c")),
        ('"a, b', ("a, b",)),
        ('""', ()),
    ],
)
def test_what_stands_in_a_field(text: str, names: tuple[str, ...]) -> None:
    assert parts(text) == names


@given(st.lists(st.text('ab., "', min_size=1), max_size=4))
def test_every_name_can_be_asked_for(names: list[str]) -> None:
    assert parts(joined(names)) == tuple(names)


def test_a_long_field_of_quotes_is_read_at_once() -> None:
    assert parts('"' * 20_001) == ('"' * 10_000,)
