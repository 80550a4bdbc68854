"""Every place that a file fills in a sentence has a word for the page that explains the sentence without a file."""

from __future__ import annotations

import re

from viewer.wording.placeholders import PLACEHOLDERS, without_file
from viewer.wording.problems import PROBLEMS


def test_each_place_has_a_word_and_each_word_a_place() -> None:
    parts = [part for words in PROBLEMS.values() for part in (words.title, words.detail, words.remedy)]
    named = {field.partition(":")[0] for part in parts for field in re.findall(r"\{([^}]*)\}", part)}
    assert named == PLACEHOLDERS.keys()


def test_no_brace_is_left() -> None:
    for words in PROBLEMS.values():
        assert "{" not in without_file(f"{words.title} {words.detail} {words.remedy}")
    assert without_file("The record {name} begins at {offset:x}") == "The record ‹name› begins at ‹offset›"
