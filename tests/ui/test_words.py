"""Text of files in tooltips: never markup, wrapped, of a bounded length."""

from __future__ import annotations

from PySide6.QtGui import Qt

from viewer.ui.models.version_words import writer_words
from viewer.ui.words import joined, tip


def test_short_plain_text_stays_as_it_is():
    assert tip("layer.0.weight & bias") == "layer.0.weight & bias"


def test_markup_in_a_name_is_text():
    assert tip('<img src="/etc/hostname">') == "<qt>&lt;img src=&quot;/etc/hostname&quot;&gt;</qt>"
    assert Qt.mightBeRichText(tip("a < b\nc"))
    assert tip("a < b\nc") == "<qt>a &lt; b<br>c</qt>"


def test_long_names_can_wrap_and_end():
    assert tip("n" * 100) == "<qt>" + "n" * 80 + "\u200b" + "n" * 20 + "</qt>"
    assert len(tip("n" * 10_000_000)) < 2_100


def test_what_the_program_says_is_joined_by_commas_and_never_filled_in_again():
    assert joined([]) == ""
    assert joined(["torch 1.0 to 1.2"]) == "torch 1.0 to 1.2"
    assert joined(["a", "", "{before}", "c"]) == "a, {before}, c"


def test_the_writer_of_a_file_is_said_in_parts_that_can_be_translated():
    for text in (
        "torch 1.0 to 1.2, Python 2",
        "torch 2.1 or later, numpy 2 or later",
        "torch 0.1.9 or earlier",
        "numpy",
    ):
        assert writer_words(text) == text
