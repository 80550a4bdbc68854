"""Distributed checkpoints that torch saved: names, types, shapes and values as torch's own reader has them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.shared import ROOT
from viewer.core.document import Document
from viewer.core.objects.describe import describe
from viewer.core.opening import open_document
from viewer.core.summary.prediction import predict
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.path import to_json

pytestmark = pytest.mark.torch
NAMES: Final = ("nested", "threads", "packed", "sharded", "files", "each_rank", "grid", "hf", "hf_whole")
DISTRIBUTED: Final = NAMES[:6]
Facts = list[tuple[list[str | int], dict[str, Any]]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("distributed")


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Facts]:
    """What torch reads of each checkpoint."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.with_torch.distributed_child", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Facts] = json.loads(done.stdout.splitlines()[-1])
    return answer


def tensor_facts(document: Document) -> dict[str, dict[str, Any]]:
    """Ours, by path."""
    return {
        json.dumps(to_json(tensor.path)): {
            "dtype": tensor.dtype,
            "shape": list(tensor.shape),
            "stride": list(tensor.stride),
            "sha256": sha256(tensor),
        }
        for tensor in document.tensors
    }


@pytest.mark.parametrize("name", NAMES)
def test_tensors_are_those_that_torch_reads(folder: Path, told: dict[str, Facts], name: str) -> None:
    document = open_document(folder / name)
    expected = {json.dumps(path): fact for path, fact in told[name] if "sha256" in fact}
    assert len(expected) >= 4
    assert tensor_facts(document) == expected
    problems = [problem for part in document.walk() for problem in part.problems if "set-" in problem.code]
    assert [problem.code for problem in problems] == (["set-metadata-joined"] if name in ("each_rank", "grid") else [])
    assert document.format == ("sharded-index" if name == "hf_whole" else "distributed")


@pytest.mark.parametrize("name", DISTRIBUTED)
def test_values_are_those_that_torch_reads(folder: Path, told: dict[str, Facts], name: str) -> None:
    document = open_document(folder / name)
    expected = {json.dumps(path): fact["value"] for path, fact in told[name] if "value" in fact}
    found = {}
    for value in document.others:
        assert value.document is not None
        pickle = value.document.main_pickle
        assert pickle is not None
        found[json.dumps(to_json(value.path))] = describe(pickle.values, pickle.values.root, 200)
    assert expected
    assert found.keys() == expected.keys()
    for path, text in found.items():
        if expected[path].startswith(("'", "b'")) or expected[path] in ("None", "True", "False") or path == '["step"]':
            assert text == expected[path], path


@pytest.mark.parametrize("name", ["sharded", "each_rank"])
def test_pieces_stand_in_the_files_of_their_ranks(folder: Path, told: dict[str, Facts], name: str) -> None:
    del told
    document = open_document(folder / name)
    pieces = {tensor.name: [(part.member, part.offsets) for _, part in tensor.parts] for tensor in document.tensors}
    assert pieces["rows"] == [("__0_0.distcp", (0, 0)), ("__1_0.distcp", (3, 0))]
    assert pieces["columns"] == [("__0_0.distcp", (0, 0)), ("__1_0.distcp", (0, 4))]
    assert pieces["replicated"] == []


@pytest.mark.parametrize("name", ["each_rank", "hf"])
def test_the_code_that_is_shown_loads_all_of_it(folder: Path, told: dict[str, Facts], name: str) -> None:
    document = open_document(folder / name)
    code = predict(document).code
    document.close()
    assert code is not None
    script = folder / f"{name}.py"
    shown = "print(json.dumps({name: each.tolist() for name, each in state_dict.items() if hasattr(each, 'tolist')}))"
    script.write_text(f"import json\n{code}\n{shown}\n", encoding="utf-8")
    command = [sys.executable, "-W", "ignore", script.name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert loaded.keys() == {".".join(map(str, path)) for path, fact in told[name] if "sha256" in fact}
    assert loaded["rows"] == [[7.0 * row + column for column in range(7)] for row in range(5)]
    assert loaded["middle"][2][3] == [55, 56, 57, 58, 59]
