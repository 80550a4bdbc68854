"""The English of the window: calm, in sentence case, one name for one thing."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.translations.sentences import sentences

NAMED: Final = (
    "Apple Buffers Caffe Flax Git Keras Latin Lightning Lite Lua Torch Picklescope Python False True None "
    "Alt Ctrl Meta Enter Down "
    "Bytes Contents Imports Memo Problems Tensor Export Open Only Skip File Tools Window"
)
"""Names of programs, of keys, and of what stands on the window so."""
UNSHOWN: Final = "commands"
"""Words that are only typed."""
FAULTS: Final = {
    "an exclamation": re.compile(r"[a-z]!"),
    "a blame": re.compile(r"\b(?:illegal|invalid|forbidden|oops|sorry|you must|you have to)\b", re.IGNORECASE),
    "state_dict by another name": re.compile(r"\bstate(?: |-)?dict\b", re.IGNORECASE),
    "an image by another name": re.compile(r"\bpictures?\b", re.IGNORECASE),
    "a cut-off by points": re.compile(r"\w\.\.\.$"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_sentence_has(fault: str) -> None:
    shown = [text for context, texts in sentences().items() if context != UNSHOWN for text in texts]
    assert len(shown) > len(FAULTS)
    assert [text for text in shown if FAULTS[fault].search(text)] == []


def test_no_word_is_written_large_but_for_names() -> None:
    texts = (text for context, found in sentences().items() if context != UNSHOWN for text in found)
    large = {word for text in texts for word in re.findall(r"(?<=[a-z,] )[A-Z][a-z]+\b", text)}
    assert large - set(NAMED.split()) == set()
