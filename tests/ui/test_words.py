"""Text of files in tooltips: never markup, wrapped, of a bounded length."""

from __future__ import annotations

import re

from PySide6.QtGui import Qt

from tests.shared import ROOT
from viewer.ui.models.version_words import writer_words
from viewer.ui.words import joined, paragraph, tip

UI = ROOT / "viewer/ui"
SAYS = r"(?:tr|said|ended|left_words|\w+_words|translate)\("
JOIN = re.compile(rf"""["'] ["']\.join|f["'].*(?:\{{[^{{}}]*\b{SAYS}.*\}} \{{|\}} \{{[^{{}}]*\b{SAYS})""")


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


def test_sentences_are_joined_as_their_language_joins_them():
    assert paragraph() == ""
    assert paragraph("", "One.", "", "Two.") == "One. Two."
    assert paragraph("数えました。", "止めました。", "[0, 1]") == "数えました。止めました。[0, 1]"
    assert paragraph("要写入吗？", "已写入。") == "要写入吗？已写入。"
    assert paragraph("کامل است.", "بریده نیست.") == "کامل است. بریده نیست."


# Keys, patterns of file names, types, words that are typed and values of a file: no sentences.
NO_SENTENCES = {
    "dialogs/export_target.py",
    "help/shortcuts.py",
    "panes/values.py",
    "previews/parts.py",
    "widgets/command_palette.py",
}


def test_no_part_of_the_window_joins_its_sentences_by_a_blank():
    joins = {path.relative_to(UI).as_posix() for path in UI.rglob("*.py") if JOIN.search(path.read_text("utf-8"))}
    assert joins == NO_SENTENCES


def test_a_blank_in_a_join_would_be_seen():
    assert JOIN.search('" ".join(said(part) for part in parts)')
    assert JOIN.search("""f"{ended(words)} {self.tr('Every second row is drawn')}\"""")
    assert JOIN.search('f"{self.tr("Stopped.")} {more}"')
    assert not JOIN.search('", ".join(names)')
    assert not JOIN.search('f"{name} {number}"')
