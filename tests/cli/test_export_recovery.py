"""`picklescope export --as recovery`: a kit from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import full, module, parameter
from tests.builders.values import Global
from viewer.cli import main


def model(folder: Path, value: object = None) -> Path:
    """A file with a whole model, whose class is lost."""
    path = folder / "model.pth"
    weight = parameter(full("float32", (1,), [1]))
    path.write_bytes(legacy(module(Global("zoo", "Net"), {}, {"w": weight}) if value is None else value))
    return path


def test_a_kit(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code = main(["export", str(model(tmp_path)), str(tmp_path / "kit"), "--as", "recovery", "--no-verify"])
    said = capfd.readouterr().err.splitlines()
    assert code == 0
    assert said[:2] == [
        "Tensors of the state_dict: 1; other tensors and arrays: 0.",
        "Classes with their text: 0; classes whose text is derived: 1.",
    ]
    assert (tmp_path / "kit" / "load.py").is_file()


def test_a_class_of_a_python_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "net.py").write_text("from torch import nn\nclass Net(nn.Module):\n    answer = 42\n", encoding="utf-8")
    source = ["--source", str(tmp_path / "net.py")]
    assert (
        main(["export", str(model(tmp_path)), str(tmp_path / "kit"), "--as", "recovery", "--no-verify", *source]) == 0
    )
    said = capfd.readouterr().err
    assert "Classes with their text: 1; classes whose text is derived: 0." in said
    assert "Taken from net.py: zoo.Net." in said
    assert "answer = 42" in (tmp_path / "kit" / "source" / "zoo.py").read_text(encoding="utf-8")


def test_of_two_python_files_the_last_with_the_class_is_used(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = []
    for name, cls in (("one", "Net"), ("two", "Net"), ("three", "Other")):
        text = f"from torch import nn\nclass {cls}(nn.Module):\n    answer = {name!r}\n"
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        source += ["--source", str(tmp_path / f"{name}.py")]
    assert (
        main(["export", str(model(tmp_path)), str(tmp_path / "kit"), "--as", "recovery", "--no-verify", *source]) == 0
    )
    said = capfd.readouterr().err.splitlines()
    assert said[2:5] == [
        "No class is taken from one.py.",
        "Taken from two.py: zoo.Net.",
        "No class is taken from three.py.",
    ]
    assert "answer = 'two'" in (tmp_path / "kit" / "source" / "zoo.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["class Net(:\n", "print 'two'\n"])
def test_a_python_file_that_is_none(text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "net.py").write_text(text, encoding="utf-8")
    source = ["--source", str(tmp_path / "net.py")]
    assert main(["export", str(model(tmp_path)), str(tmp_path / "kit"), "--as", "recovery", *source]) == 2
    assert "net.py" in capfd.readouterr().err
    assert not (tmp_path / "kit").exists()


def test_a_file_without_a_module(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = model(tmp_path, {"w": full("float32", (1,), [1])})
    assert main(["export", str(path), str(tmp_path / "kit"), "--as", "recovery"]) == 2
    assert capfd.readouterr().err.strip().removeprefix("picklescope: ") == (
        "This file holds no whole module, so there is no model to rebuild. Export its weights as a state_dict instead."
    )
