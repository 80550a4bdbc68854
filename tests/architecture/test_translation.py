"""Every sentence for people can be translated: pyside6-lupdate finds those of the wording tables and of the panes."""

import subprocess
import sys
import sysconfig
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from viewer.ui.help import PAGES
from viewer.ui.panes import PANES
from viewer.wording import Words
from viewer.wording.checks import CHECKS
from viewer.wording.effects import EFFECTS
from viewer.wording.failures import FAILURES
from viewer.wording.opcodes import OPCODE_SENTENCES
from viewer.wording.outlines import OUTLINES
from viewer.wording.placeholders import PLACEHOLDERS
from viewer.wording.predictions import PREDICTIONS
from viewer.wording.problems import PROBLEMS
from viewer.wording.versions import VERSIONS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Contexts and their sentences, as the translator's tool sees them."""
    tool = Path(sysconfig.get_path("scripts"), "pyside6-lupdate")
    target = tmp_path_factory.mktemp("ts") / "all.ts"
    files = [*(ROOT / "viewer/wording").rglob("*.py"), *(ROOT / "viewer/ui").rglob("*.py")]
    command = [sys.executable, str(tool), *map(str, sorted(files)), "-ts", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    contexts = ET.parse(target).getroot().iter("context")
    return {
        context.findtext("name"): {message.findtext("source") for message in context.iter("message")}
        for context in contexts
    }


def test_all_sentences_of_the_tables(found):
    tables = [*PROBLEMS.values(), *PREDICTIONS.values(), *CHECKS.values(), *VERSIONS.values()]
    problems = [part for words in tables for part in (words.title, words.detail, words.remedy) if part]
    missing = {*problems, *FAILURES.values(), *OPCODE_SENTENCES.values()} - found["wording"]
    assert missing == set()
    assert set(EFFECTS.values()) <= found["wording"]
    assert {*PLACEHOLDERS.values(), *OUTLINES.values()} <= found["wording"]


def test_all_titles_of_panes_and_of_the_help(found):
    assert {pane.title for pane in PANES} <= found["panes"]
    assert {page.title for page in PAGES} <= found["help"]


def test_titles_have_no_full_stop_and_sentences_have_one():
    for code, words in {**PROBLEMS, **PREDICTIONS, **CHECKS, **VERSIONS}.items():
        assert isinstance(words, Words)
        assert not words.title.endswith("."), code
        for part in (words.detail, words.remedy):
            assert not part or part.endswith((".", "}", "git lfs pull", "base64 --decode")), code
    assert all(text.endswith((".", "}")) for text in FAILURES.values())
