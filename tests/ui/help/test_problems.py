"""The page that explains Problems: made from the tables, so that no code can be left out."""

from __future__ import annotations

import pytest

from viewer.ui.help.base import Part
from viewer.ui.help.problems import ProblemsPage
from viewer.wording.problems import PROBLEMS


@pytest.fixture
def entries(qapp: object) -> dict[str, object]:
    del qapp
    return {entry.key: entry for entry in ProblemsPage().entries()}


def test_every_code_has_an_entry(entries) -> None:
    assert list(entries) == sorted(PROBLEMS)
    assert all(entry.title and entry.kind in ("error", "warning", "note") for entry in entries.values())


def test_an_entry_says_what_a_code_means_and_what_to_do(entries) -> None:
    entry = entries["zip-record-cut"]
    assert entry.title == "The record ‹name› is cut"
    assert (entry.kind, entry.icon, entry.icon_color) == ("error", "error", "error")
    assert entry.parts == (
        Part("What it means", "‹present› of ‹stated› bytes are there."),
        Part("What you can do", "Fetch the file again, or export what is whole."),
        Part("How much it matters", "Error: something is lost or wrong."),
    )


def test_no_sentence_shows_a_brace(entries) -> None:
    texts = [part.text for entry in entries.values() for part in entry.parts] + [one.title for one in entries.values()]
    assert [text for text in texts if "{" in text or "}" in text] == []


def test_words_are_looked_for_everywhere_in_an_entry(entries) -> None:
    entry = entries["zip-record-cut"]
    assert entry.holds(["record", "fetch"])
    assert entry.holds(["zip-record", "error"])
    assert entry.holds([])
    assert not entry.holds(["record", "warning"])
