"""Every page of the help in every language: nothing stays English, and no title ends as a sentence does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from viewer.ui.help import PAGES
from viewer.ui.help.base import HelpPage
from viewer.ui.language import Sentences

SCRIPTS = {"zh_CN": range(0x4E00, 0xA000), "ja": range(0x3040, 0xA000), "fa": range(0x600, 0x700)}
"""Letters of each language."""


@pytest.fixture(params=SCRIPTS)
def code(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    sentences = Sentences(request.param)
    qapp.installTranslator(sentences)
    yield request.param
    qapp.removeTranslator(sentences)


@pytest.mark.parametrize("page", PAGES)
def test_every_sentence_is_translated(code: str, page: type[HelpPage]) -> None:
    entries = page().entries()
    texts = [entry.title for entry in entries] + [part.heading for entry in entries for part in entry.parts]
    # What is one word may be code: the name of an opcode, its byte, a type.
    sentences = (part.text for entry in entries for part in entry.parts if part.text.endswith((".", "\u3002")))
    texts += [text for text in sentences if len(text) > len("2E .")]
    assert texts
    assert [text for text in texts if not any(ord(letter) in SCRIPTS[code] for letter in text)] == []


@pytest.mark.parametrize("page", PAGES)
def test_no_title_ends_as_a_sentence(code: str, page: type[HelpPage]) -> None:
    del code
    entries = page().entries()
    titles = [entry.title for entry in entries] + [entry.below for entry in entries if entry.below]
    assert [title for title in titles if title.rstrip("\u2069").endswith((".", "\u3002"))] == []
