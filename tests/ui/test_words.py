"""Text of files in tooltips: never markup, wrapped, of a bounded length."""

from __future__ import annotations

from PySide6.QtGui import Qt

from viewer.ui.words import tip


def test_short_plain_text_stays_as_it_is():
    assert tip("layer.0.weight & bias") == "layer.0.weight & bias"


def test_markup_in_a_name_is_text():
    assert tip('<img src="/etc/hostname">') == "<qt>&lt;img src=&quot;/etc/hostname&quot;&gt;</qt>"
    assert Qt.mightBeRichText(tip("a < b\nc"))
    assert tip("a < b\nc") == "<qt>a &lt; b<br>c</qt>"


def test_long_names_can_wrap_and_end():
    assert tip("n" * 100) == "<qt>" + "n" * 80 + "\u200b" + "n" * 20 + "</qt>"
    assert len(tip("n" * 10_000_000)) < 2_100
