"""Two texts side by side: rows, spans, notes, and the time that hostile texts may take."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.code.differences import Row, changed_spans, differences
from viewer.core.errors import CancelledError
from viewer.core.opening import open_document
from viewer.core.progress import Progress

TEXTS = st.text(alphabet="ab \n\r", max_size=30)


def kinds(left: str, right: str) -> str:
    """The rows by their first letter: s, c, a, r."""
    return "".join(row.kind[0] for row in differences(left, right))


def test_the_same_class_of_two_files(shared: Path) -> None:
    texts = []
    for name in ("v1.pt", "v2.pt"):
        document = open_document(shared / "cases" / "src-two-versions" / name)
        texts.append([source.text or "" for source in document.sources])
        document.source.close()
    found = differences(texts[0][0], texts[1][0])
    assert found.counts == {"changed": 1, "added": 3, "removed": 0}
    assert found.notes == ()
    added = [found.right[row.right - 1] for row in found if row.kind == "added" and row.right is not None]
    assert added == ["    def extra_score(self, x):", "        return self.forward(x).softmax(-1)", ""]
    (changed,) = [row for row in found if row.kind == "changed"]
    assert changed == Row("changed", 8, 11, ((14, 18),), ((14, 17),))
    assert found.left[7][14:18] == "relu"
    assert found.right[10][14:17] == "elu"
    assert differences(texts[0][1], texts[1][1]).counts == {"changed": 0, "added": 0, "removed": 0}


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("", "", ""),
        ("a\n", "", "r"),
        ("", "a\n", "a"),
        ("a\nb\nc\n", "a\nc\n", "srs"),
        ("a\nc\n", "a\nb\nc\n", "sas"),
        ("x = f(1)\n", "x = f(2)\n", "c"),
        ("a\n", "z\n", "ra"),
        ("same\nx = f(1)\ny = g(1)\n", "same\nnew line here\nx = f(2)\ny = g(2)\n", "sacc"),
        ("a\na\na\n", "a\na\n", "ssr"),
    ],
)
def test_rows(left: str, right: str, expected: str) -> None:
    assert kinds(left, right) == expected


def test_lines_that_are_alike_are_paired_and_others_are_not() -> None:
    found = differences("self.a = nn.Linear(1, 2)\nq\n", "import os\nself.a = nn.Linear(1, 3)\n")
    assert [(row.kind, row.left, row.right) for row in found] == [
        ("added", None, 1), ("changed", 1, 2), ("removed", 2, None),
    ]  # fmt: skip


def test_next_and_previous() -> None:
    found = differences("a\nb\nc\nd\ne\n", "a\nc\nd\nx y z\ne\nf\n")
    assert found.changes == [(1, 2), (4, 5), (6, 7)]
    assert [found.next_change(row) for row in (-1, 0, 1, 4, 6)] == [1, 1, 4, 6, None]
    assert [found.previous_change(row) for row in (0, 1, 2, 5, 7)] == [None, None, 1, 4, 6]
    assert found[1:3] == [Row("removed", 2, None), Row("same", 3, 2)]
    assert found[-1] == Row("added", None, 6)
    with pytest.raises(IndexError):
        found[len(found)]


@pytest.mark.parametrize(
    ("left", "right", "spans"),
    [
        ("abc def", "abc xyz def", ((), ((4, 8),))),
        ("x = 10", "x = 20", (((4, 6),), ((4, 6),))),
        ("", "ab", ((), ((0, 2),))),
        ("a" * 2000 + "b", "a" * 2000 + "c", (((2000, 2001),), ((2000, 2001),))),
    ],
)
def test_changed_parts_of_a_line(left: str, right: str, spans: object) -> None:
    assert changed_spans(left, right) == spans


def test_line_ends_are_said_once() -> None:
    found = differences("a\nb\nc\n", "a\r\nb\r\nc\r\n")
    assert (found.counts, found.notes) == ({"changed": 0, "added": 0, "removed": 0}, ("line-ends",))
    assert differences("a\rb\nc\n", "a\nb\nc\n").notes == ()
    assert differences("a\nb", "a\nb\n").notes == ("last-line-end",)
    assert differences("a", "a\r\n").notes == ("last-line-end",)


@given(TEXTS, TEXTS)
def test_every_line_stands_in_one_row(left: str, right: str) -> None:
    found = differences(left, right)
    rows = list(found)
    assert [row.left for row in rows if row.left is not None] == list(range(1, len(found.left) + 1))
    assert [row.right for row in rows if row.right is not None] == list(range(1, len(found.right) + 1))
    for row in rows:
        if row.kind == "same":
            assert row.left is not None
            assert row.right is not None
            assert found.left[row.left - 1] == found.right[row.right - 1]


def rivals(count: int) -> str:
    """Lines of which each becomes the only one of its kind when the one before was taken out."""
    lines = ["1"]
    for number in range(2, count):
        lines = [str(number), *lines, str(number)] if number % 2 else [*lines, str(number)]
    return "\n".join(lines)


HOSTILE = {
    "equal": ("x\n" * 100_000, "x\n" * 100_000),
    "repeats": ("x\ny\n" * 50_000, "y\nx\nx\n" * 33_000),
    "breaks only": ("\n" * 10_000_000, "\n" * 9_000_000),
    "one line": ("x" * 10_000_000, "y" + "x" * 9_999_999),
    "backwards": ("\n".join(map(str, range(100_000))), "\n".join(map(str, range(100_000, 0, -1)))),
    "anchors": (rivals(4000), rivals(3999) + "\nz"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_stretches_the_time(name: str) -> None:
    left, right = HOSTILE[name]
    # without the bounds this would take hours
    found = differences(left, right)
    assert len(found[:1000]) <= 1000
    assert len(found.left) <= 200_000


def test_what_was_not_compared_is_said() -> None:
    assert differences("\n" * 300_000, "\n").notes == ("cut",)
    assert "rough" in differences(*HOSTILE["repeats"]).notes


def test_stopping() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        differences("a\nb\n", "c\nd\n", progress)


def test_many_small_changes_are_all_found() -> None:
    chance = random.Random(7)
    lines = [f"line {number} of {chance.random()}" for number in range(5000)]
    other = list(lines)
    for number in range(0, 5000, 50):
        other[number] += " changed"
    found = differences("\n".join(lines), "\n".join(other))
    assert found.counts == {"changed": 100, "added": 0, "removed": 0}
