"""Class texts from outside the file: given, read anew, taken back, refused; torch asked once for all."""

from __future__ import annotations

import pytest

from viewer.core.code.torch_text import TorchText, TorchTexts
from viewer.core.errors import ViewerError
from viewer.session.code import Code
from viewer.session.jobs import Jobs


@pytest.fixture
def code(qapp):
    """Code with jobs of its own."""
    jobs = Jobs()
    yield Code(jobs)
    jobs.close()


def test_a_file_is_read_anew_when_it_is_given_again(code, tmp_path, qtbot):
    path = tmp_path / "net.py"
    path.write_text("class A:\n    pass\n")
    with qtbot.waitSignal(code.supplied_one):
        code.supply(path, "source")
    path.write_text("class B:\n    pass\n")
    with qtbot.waitSignal(code.supplied_one) as given:
        code.supply(path, "source")
    assert list(given.args[0].classes) == ["B"]
    assert [list(file.classes) for file in code.supplied] == [["B"]]
    with qtbot.waitSignal(code.changed):
        code.withdraw(path)
    assert code.supplied == ()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"class A(:\n", "python-syntax"),
        (b"print 'old'\n", "python-python-2"),
        (b"\x00\x01", "python-not-text"),
        (b"x" * 5_000_001, "python-too-large"),
    ],
)
def test_what_is_no_python_is_refused_with_a_sentence(code, tmp_path, qtbot, data, reason):
    path = tmp_path / "net.py"
    path.write_bytes(data)
    with qtbot.waitSignal(code.refused) as told:
        code.supply(path, "source")
    assert told.args[0] == path
    assert isinstance(told.args[1], ViewerError)
    assert told.args[1].code == reason
    assert code.supplied == ()


def test_two_questions_to_torch_are_both_answered(code, qtbot, monkeypatch):
    asked = []

    def texts(names, progress):
        asked.append(list(names))
        return TorchTexts({name: TorchText(name, "", "", 1, "", (), "2.13.0") for name in names})

    monkeypatch.setattr("viewer.torch_client.torch_texts", texts)
    with qtbot.waitSignal(code.fetched):
        code.fetch(["torch.nn.Linear"])
        code.fetch(["torch.nn.ReLU"])
    assert sorted(code.torch.texts) == ["torch.nn.Linear", "torch.nn.ReLU"]
    assert asked[-1] == ["torch.nn.Linear", "torch.nn.ReLU"]
    before = list(asked)
    with qtbot.waitSignal(code.fetched):
        code.fetch(["torch.nn.Linear"])
    assert asked == before
