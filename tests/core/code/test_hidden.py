"""Characters of a stored source that are not seen, or that turn the writing."""

from __future__ import annotations

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, module
from tests.opened import opened
from viewer.core.code.hidden import Marks, hidden_marks
from viewer.core.problem import Severity


@pytest.mark.parametrize(
    ("text", "hidden", "turning"),
    [
        ("class Net:\r\n\tpass\n\x0c# żółw 模型 שלום 🙂\ufe0f\r", Marks(), Marks()),
        ("\ufeffclass Net: pass", Marks(), Marks()),
        ("x = '\ufeff'", Marks(1, 5), Marks()),
        ("a\0b\x1b[31m\x7f\x85", Marks(4, 1), Marks()),
        ("a\u200bb\u00adc\u2028d\u3164e\U000e0041f\ud800", Marks(6, 1), Marks()),
        ("# \u202e evil \u2066 \u200f", Marks(), Marks(3, 2)),
        ("# می\u200cخواهم 👨\u200d👩\u200d👧", Marks(), Marks()),
        ("if is_\u200dadmin:", Marks(1, 6), Marks()),
        ("\0" * 3_000_000, Marks(262144, 0), Marks()),
    ],
)
def test_what_is_found(text: str, hidden: Marks, turning: Marks) -> None:
    assert hidden_marks(text) == (hidden, turning)


def test_the_document_says_it() -> None:
    text = "class Net:\r\n    # \u202e\u2066\n    x = '\0'\n"
    data = legacy(module(ModuleClass("zoo", "Net", "/zoo.py", text)))
    document = opened(data)
    (source,) = document.sources
    found = [problem for problem in document.problems if problem.code.startswith("source-")]
    assert [problem.code for problem in found] == ["source-direction", "source-hidden"]
    assert all((problem.severity, problem.span) == (Severity.WARNING, source.span) for problem in found)
    assert source.text == text
    assert [problem.title for problem in found] == [
        "Marks that turn the direction of writing stand in the source of zoo.Net: 2",
        "Hidden characters stand in the source of zoo.Net: 1",
    ]
    assert "The first is U+202E in line 2." in found[0].text
    assert "The first is U+0000 in line 3." in found[1].text


def test_a_plain_source_is_no_problem() -> None:
    data = legacy(module(ModuleClass("zoo", "Net", "/zoo.py", "class Net: pass\n")))
    assert opened(data).problems == []
