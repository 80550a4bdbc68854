"""Each language is whole: nothing missing, nothing that no one sees, and each entry keeps what its sentence has."""

from __future__ import annotations

import pytest

from tests.translations.rules import faults
from tests.translations.sentences import CODES, FOLDER, missing, sentences, translations, unreadable, unused

THERE = [code for code in CODES if (FOLDER / f"{code}.json").exists()]


def test_only_languages_that_can_be_chosen_are_there() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} <= set(CODES)


def test_no_text_is_put_together_where_it_is_translated() -> None:
    assert unreadable() == []


def test_the_sentences_are_found() -> None:
    found = sentences()
    assert "Every {0}th row and column is drawn" in found["ImagePreview"]
    assert "&File" in found["actions"]
    assert "Theme" in found["settings"]
    assert any(text.startswith("Appends the top value") for text in found["Opcodes"])


@pytest.mark.parametrize("code", THERE)
def test_nothing_is_missing(code: str) -> None:
    """`python -m tests.translations check CODE` tells the same, `ask` and `take` mend it."""
    assert missing(code) == []


@pytest.mark.parametrize("code", THERE)
def test_nothing_is_there_that_is_never_shown(code: str) -> None:
    assert unused(code) == []


@pytest.mark.parametrize("code", THERE)
def test_each_keeps_what_its_sentence_has(code: str) -> None:
    entries = [(english, text) for texts in translations(code).values() for english, text in texts.items()]
    assert [(english, text, found) for english, text in entries if (found := faults(code, english, text))] == []


@pytest.mark.parametrize(
    ("english", "translation", "fault"),
    [
        ("{count} bytes at {offset:x}", "在 {offset:x} 处的 {count} 字节", None),
        ("{count} bytes at {offset:x}", "在 {offset} 处的 {count} 字节", "places"),
        ("{count} bytes", "字节", "places"),
        ("Open…", "打开", "ellipsis"),
        ("Open…", "打开…", None),
        ("Problem:", "问题", "colon"),
        ("Problem:", "问题：", None),
        ("It is cut.", "它被截断", "full stop"),
        ("It is cut", "它被截断。", "full stop"),
        ("&File", "文件", "accelerators"),
        ("&File", "文件(&F)", None),
        ("Elements", " ", "empty"),
        ("Elements", "Elements", "not translated"),
        ("dtype", "dtype", None),
        ("Python (*.py)", "Python (*.py)", None),
        ("Call torch.load", "调用 torch", "lacks torch.load"),
        ("Cut at 4,096", "在 4096 处截断", "lacks the number"),
        ("See `torch.load`", "见 torch.load", "code"),
        ("Name", " 名称", "blanks"),
        ("Of {name}", "{name} 的 {", "brace"),
    ],
)
def test_the_rules(english: str, translation: str, fault: str | None) -> None:
    found = "; ".join(faults("zh_CN", english, translation))
    assert fault in found if fault else not found
