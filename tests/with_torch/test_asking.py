"""torch's own answer on files, from the child that the program starts: weights_only=True and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.legacy import legacy
from tests.builders.pickles import Stream
from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.with_torch.test_answers import zipped
from viewer.cli import main
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.summary.prediction import predict
from viewer.core.summary.torch_answer import TorchAnswer
from viewer.torch_client import ask_torch

pytestmark = pytest.mark.torch


def asked(path: Path, data: bytes, mapped: bool = False) -> TorchAnswer:
    """torch's answer, which is the predicted one."""
    path.write_bytes(data)
    said = ask_torch(path, mapped, Progress())
    document = open_document(path)
    assert said.agrees(predict(document).answers[0]) is True, said
    document.close()
    return said


@pytest.mark.parametrize("mapped", [False, True])
def test_a_checkpoint(tmp_path: Path, mapped: bool) -> None:
    data = torch_zip(state_dict({"a": full("float32", (2,), [1, 2])}))
    assert asked(tmp_path / "good.pt", data, mapped).code == "loads"


def test_a_name_that_is_not_listed(tmp_path: Path) -> None:
    call = Stream(2).start().op("GLOBAL", "os mkdir").text(str(tmp_path / "made")).ops("TUPLE1 REDUCE STOP")
    said = asked(tmp_path / "evil.pt", zipped(call))
    assert said.code == "stops"
    assert said.params["reason"] == "Trying to load unsupported GLOBAL os.mkdir whose module os is blocked"
    assert not (tmp_path / "made").exists()


def test_the_advice_to_let_a_name_through_is_left_out(tmp_path: Path) -> None:
    call = Stream(2).start().op("GLOBAL", "operator getitem").op("STOP")
    said = asked(tmp_path / "getter.pt", zipped(call))
    assert said.params["reason"] == ("Unsupported global: GLOBAL operator.getitem was not an allowed global by default")


def test_a_device_that_is_not_here(tmp_path: Path) -> None:
    said = asked(tmp_path / "tagged.pt", legacy({"a": full("float32", (1,), [1], "cuda:3")}))
    assert said.code in ("loads-on-cpu", "loads")


def test_half_a_file(tmp_path: Path) -> None:
    data = torch_zip(state_dict({"a": full("float32", (2,), [1, 2])}))
    assert asked(tmp_path / "half.pt", data[: len(data) // 2]).code == "stops"


def test_the_command_says_it(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "good.pt"
    path.write_bytes(torch_zip(state_dict({"a": full("float32", (2,), [1, 2])})))
    main(["inspect", str(path), "--json", "--ask-torch"])
    told = json.loads(capfdbinary.readouterr()[0])["loading"]["torch"]
    assert (told["loads"], told["agrees"]) == ("yes", True)
    main(["inspect", str(path), "--ask-torch"])
    assert f"  {told['text']} That was predicted.\n" in capfdbinary.readouterr()[0].decode()
