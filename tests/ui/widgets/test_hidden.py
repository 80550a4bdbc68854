"""Hidden characters: which they are, how they are shown, where they stand."""

from __future__ import annotations

import pytest

from viewer.core.progress import Progress
from viewer.ui.widgets.hidden import Hidden, find_hidden, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\r\nc\n", "a\tb\nc\n"),
        ("a\x00b\x1b[0m\x7f", "a\u2400b\u241b[0m\u2421"),
        ("x = 1 # \u202e} \u2066 if", "x = 1 # <U+202E>} <U+2066> if"),
        ("a\rb", "a\u240db"),
        ("\ufeffimport", "<U+FEFF>import"),
        ("a\u2028b\x85c\ufdd0d\ufffce", "a<U+2028>b<U+0085>c<U+FDD0>d<U+FFFC>e"),
        ("\u115f = \u3164", "<U+115F> = <U+3164>"),
        ("\ud800", "<U+D800>"),
        ("مى\u200cخواهم 名前 naïve", "مى\u200cخواهم 名前 naïve"),
        ("a\u200cb", "a<U+200C>b"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
    ],
)
def test_what_an_editor_would_hide_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(text).count("\n") == text.count("\n")


def test_they_are_counted_with_their_lines() -> None:
    text = "\ufeffone\r\n\x0ctwo \u202e\u202c\nthree\nمى\u200cخو\nfour\x00\rfive"
    assert find_hidden(text, Progress()) == Hidden(4, (2, 5))
    assert find_hidden("plain\ttext\n", Progress()) == Hidden(0, ())


def test_no_more_than_a_hundred_thousand_are_counted() -> None:
    assert find_hidden("\x00" * 300_000, Progress()) == Hidden(100_000, (1,))
