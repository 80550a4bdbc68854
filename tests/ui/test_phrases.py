"""Sentences within sentences are said in the language of the window, in each of them; by themselves in English."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from tests.translations.rules import PLACE, SCRIPTS, needs_translation
from tests.translations.sentences import CODES
from viewer.core.comparing.plain import Value
from viewer.core.comparing.report import value_text
from viewer.core.errors import ExportError, SourceError
from viewer.core.folder import Folder, listed, why
from viewer.core.objects.describe import entries
from viewer.core.opening import open_document
from viewer.core.problem import error
from viewer.session.settings import LANGUAGE, Settings
from viewer.ui.language import Language
from viewer.ui.words import as_written, of_failure, of_problem, said
from viewer.wording import Phrase, bare
from viewer.wording.phrases import PHRASES, phrase
from viewer.wording.told import Told

TURNS = re.compile("[\u200f\u2066-\u2069]")


@pytest.fixture(params=CODES)
def code(request: pytest.FixtureRequest, qapp: QApplication, settings: Settings) -> Iterator[str]:
    """A language that the program speaks meanwhile."""
    before = QLocale()
    language = Language(qapp, settings)
    settings.set(LANGUAGE, request.param)
    yield str(request.param)
    settings.set(LANGUAGE, "en")
    language.deleteLater()
    QLocale.setDefault(before)


def english_of(text: str, *names: str) -> list[str]:
    """The English words in a text, but for those that a file gives."""
    for name in names:
        text = text.replace(name, "")
    return re.findall(r"[A-Za-z]{2,}", TURNS.sub("", text))


def test_each_is_said_in_the_language_of_the_window(code: str) -> None:
    lost = []
    for of, sentence in PHRASES.items():
        params = {place[1:-1]: number for number, place in enumerate(PLACE.findall(sentence), 3)}
        text = said("{reason}", {"reason": phrase(of, **params)})
        is_said = bool(SCRIPTS[code].search(text)) or not needs_translation(sentence)
        if not is_said or any(str(number) not in text for number in params.values()):
            lost.append((of, text))
    assert lost == []


def test_how_many_more_there_are(code: str) -> None:
    names = listed([f"n{number}" for number in range(2000)])
    text = of_failure(ExportError("export-names-clash", name="a.pt", names=names))
    assert english_of(text, "a.pt") == []
    assert "n4" in text
    assert "1,995" in text


def test_why_a_file_of_a_set_cannot_be_read(code: str, tmp_path: Path) -> None:
    (tmp_path / "part.bin").mkdir()
    with pytest.raises(SourceError) as told:
        Folder(tmp_path).member("part.bin")
    problem = error("set-shard-unreadable", None, file="part.bin", reason=why(told.value), names="w", count=1, total=1)
    words = of_problem(problem)
    assert english_of(words.title, "part.bin") == []
    assert SCRIPTS[code].search(words.title)


def test_a_failure_within_a_sentence_has_no_full_stop_of_its_own(code: str) -> None:
    failure = SourceError("temporary-file-failed", folder="/there", reason="-")
    text = said("{reason}.", {"reason": bare(str(failure))})
    assert english_of(text, "/there") == []
    assert TURNS.sub("", text).count(".") + text.count("\u3002") == 1


def test_what_is_wrong_with_a_header(code: str, tmp_path: Path) -> None:
    header = json.dumps({"w": {"dtype": 1, "shape": [1], "data_offsets": [0, 4]}}).encode()
    file = tmp_path / "a.safetensors"
    file.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    (found,) = (one for one in open_document(file).problems if one.code == "safetensors-entry")
    assert english_of(of_problem(found).title, "dtype") == []


def test_what_is_made_of_phrases_is_said_too(code: str) -> None:
    text = as_written(Told(phrase("how-bytes"), ", ", "gzip", " ", 1204))
    assert english_of(text, "gzip", "bytes") == []
    assert text.endswith("gzip 1,204")


def test_what_an_empty_container_is_called_where_values_are_compared(code: str) -> None:
    shown = entries("OrderedDict", 0, Phrase)
    text = as_written(value_text(Value({"empty": shown}, empty=True)))
    assert english_of(text, "OrderedDict") == []
    lost = as_written(value_text(Value(None, lost="part.bin")))
    assert english_of(lost, "part.bin") == []


def test_how_a_file_lies_in_another_one(code: str, tmp_path: Path) -> None:
    file = tmp_path / "two.pkl"
    file.write_bytes(pickle.dumps(1) + pickle.dumps(2))
    (inside,) = open_document(file).children
    assert english_of(as_written(inside.how), "pickle") == []
    assert SCRIPTS[code].search(as_written(inside.how))


def test_by_itself_it_is_english() -> None:
    found = phrase("more", names="a, b", count=1204)
    assert found == "a, b and 1,204 more"
    assert json.dumps({"names": found}) == '{"names": "a, b and 1,204 more"}'
    assert isinstance(str(ValueError(found)), Phrase)
    assert bare("It is.") == bare(Phrase("It is.")) == "It is"


def test_braces_of_a_file_are_left_as_they_are(code: str) -> None:
    del code
    assert said("{name}", {"name": phrase("left-out", name="{reason}", reason="{name}")}).count("{") == 2
