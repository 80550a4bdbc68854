"""`picklescope compare`: its text, its JSON, its exit codes, and what people asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from viewer.cli import main


def compared(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Exit code and stdout."""
    code = main(["compare", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return code, out


def facts(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, Any]:
    code, out = compared(capsys, *arguments, "--json")
    found: dict[str, Any] = json.loads(out)
    assert code == (0 if found["equal"] else 1)
    return found


def rows(found: dict[str, Any]) -> dict[str, str]:
    return {row["name"]: row["status"] for row in found["tensors"]}


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "a.pt", tmp_path / "b.pt"
    first.write_bytes(torch_zip({"model": state_dict({"w": full("float32", (2,), [1, 2])}), "lr": 0.1}))
    second.write_bytes(torch_zip({"model": state_dict({"w": full("float32", (2,), [1, 3])}), "lr": 0.2}))
    return first, second


def test_exit_codes(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    first, second = pair
    assert compared(capsys, first, first)[0] == 0
    assert compared(capsys, first, second)[0] == 1
    assert compared(capsys, first, second.with_name("none.pt"))[0] == 2
    assert compared(capsys, first, second, "--root-a", "nowhere")[0] == 2
    assert compared(capsys, first, second, "--by", "luck")[0] == 2
    assert compared(capsys, first, second, "--rename", "re:(=x")[0] == 2


def test_text(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    out = compared(capsys, *pair)[1]
    assert "Tensors: 1 changed" in out
    assert "1 of 2 elements differ. The largest difference is 1, at [1]; the mean 0.5." in out
    assert "Plain values: 0 equal, 1 differ" in out
    assert "lr:" not in out
    assert out.endswith("They differ.\n")
    assert "lr: 0.1 \u2192 0.2" in compared(capsys, *pair, "--values")[1]


def test_values_only_when_asked_for(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert facts(capsys, *pair)["values"] is None
    assert facts(capsys, *pair, "--values")["values"] == [{"path": ["lr"], "status": "changed", "a": 0.1, "b": 0.2}]


def test_one_file_with_itself(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert compared(capsys, pair[0])[0] == 0


# -- files after public reports ------------------------------------------------------------------------


def test_module_prefix_of_an_average(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shared / "cases/key-ema-only-prefixed/epoch_37.pth"
    roots = "--root-a", "state_dict", "--root-b", "state_dict_ema"
    found = facts(capsys, path, *roots)
    assert found["suggestion"]["arguments"] == ["--strip", "module"]
    assert 'Missing key(s) in state_dict: "module.proj.w", "module.proj.b". ' in found["load_state_dict"]
    found = facts(capsys, path, *roots, "--strip", "module")
    assert rows(found) == {"proj.w": "changed", "proj.b": "changed"}
    assert all(row["elements"]["largest"] > 0 for row in found["tensors"])
    assert found["load_state_dict"] is None


def test_averages_with_underscores(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shared / "cases/key-ema-flattened/lsk_ema.pth"
    parts = "--only-a", "ema_*", "--only-b", "backbone*"
    assert facts(capsys, path, *parts)["suggestion"]["arguments"] == ["--by", "spelling"]
    found = facts(capsys, path, *parts, "--by", "spelling")
    pairs = {row["a"]["name"]: row["b"]["name"] for row in found["tensors"]}
    assert len(pairs) == 3
    assert pairs["ema_backbone_conv1_weight"] == "backbone.conv1.weight"
    assert found["counts"]["shape"] == 0


def test_layers_that_are_counted_otherwise(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [shared / "cases/key-renumbered" / name for name in ("libtorch.pt", "python.pth")]
    found = facts(capsys, *files)
    assert (found["counts"]["missing"], found["counts"]["unexpected"]) == (4, 4)
    assert found["suggestion"]["arguments"] == ["--by", "order"]
    found = facts(capsys, *files, "--by", "order")
    assert [(row["a"]["name"], row["b"]["name"]) for row in found["tensors"]] == [
        ("features.0.weight", "features.0.0.weight"),
        ("features.1.weight", "features.0.1.weight"),
        ("features.3.conv.0.weight", "features.1.conv.0.0.weight"),
        ("classifier.0.weight", "classifier.1.weight"),
    ]
    assert found["counts"]["shape"] == found["counts"]["dtype"] == 0


def test_kernels_of_another_height(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [shared / "cases/size-kernel" / name for name in ("checkpoint_mir.pth", "default.pth")]
    found = facts(capsys, *files)
    shapes = {
        row["name"]: (row["a"]["shape"], row["b"]["shape"]) for row in found["tensors"] if row["status"] == "shape"
    }
    assert shapes["block_2.0.weight"] == ([8, 4, 1, 3], [8, 4, 3, 3])
    assert sorted(shapes) == ["block_2.0.weight", "block_3.0.weight", "block_4.0.weight"]
    assert found["counts"]["equal"] == 2
    assert (
        "size mismatch for block_2.0.weight: copying a param with shape torch.Size([8, 4, 1, 3]) from checkpoint, "
        "the shape in current model is torch.Size([8, 4, 3, 3])."
    ) in found["load_state_dict"]


def test_more_classes_than_the_model_has(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    heads = {"proposal_class": 6, "proposal_transformer": 24}
    model = {f"detection._{name}.weight": (count, 16) for name, count in heads.items()}
    model |= {f"detection._{name}.bias": (count,) for name, count in heads.items()}
    path = tmp_path / "model.pt"
    zeros = {
        name: full("float32", shape, [0] * (shape[0] * (16 if len(shape) > 1 else 1))) for name, shape in model.items()
    }
    path.write_bytes(torch_zip(state_dict(zeros)))
    found = facts(capsys, shared / "cases/size-num-classes/model-180000.pth", path, "--only-a", "*proposal_*")
    assert found["counts"]["shape"] == 4
    lines = [
        line
        for line in found["load_state_dict"].splitlines()
        if line.startswith("\tsize mismatch for detection._proposal_")
    ]
    assert len(lines) == 4


def test_two_versions_of_a_class(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [shared / "cases/src-two-versions" / name for name in ("v1.pt", "v2.pt")]
    found = facts(capsys, *files)
    assert set(rows(found).values()) == {"equal"}
    changed = [row for row in found["sources"] if row["status"] != "equal"]
    assert changed == [{"class": "nets.TinyNet", "status": "changed", "changed": 1, "added": 3, "removed": 0}]
    assert len(found["sources"]) == 3


def test_tied_and_cut_files(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tied = shared / "cases/sto-tied/gpt2.bin"
    assert facts(capsys, tied, tied)["counts"]["equal"] == 3
    cut = shared / "cases/cor-zip-half/sd-v1-4.ckpt"
    found = facts(capsys, cut, cut)
    assert (found["counts"]["equal"], found["counts"]["unknown"]) == (2, 3)


def test_a_set_with_its_part(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "cases/shard-hf-missing"
    found = facts(capsys, folder / "pytorch_model-00001-of-00002.bin", folder / "pytorch_model.bin.index.json")
    assert found["counts"]["equal"] == 2


def test_without_elements(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for name, numbers in (("a.pt", [1, 2]), ("b.pt", [1, 3]), ("c.pt", [1, 2, 3])):
        paths.append(tmp_path / name)
        paths[-1].write_bytes(torch_zip(state_dict({"w": full("float32", (len(numbers),), numbers)})))
    code, out = compared(capsys, paths[0], paths[1], "--no-elements")
    assert code == 0
    assert "Tensors: 1 not yet\n" in out
    assert out.endswith("Names, shapes, types and plain values are equal; elements were not read.\n")
    assert compared(capsys, paths[0], paths[2], "--no-elements")[0] == 1
    code, out = compared(capsys, paths[0], paths[1], "--no-elements", "--json")
    found = json.loads(out)
    assert (code, found["equal"], found["verdict"]) == (0, False, "alike")
    assert (found["tensors"][0]["status"], found["tensors"][0]["elements"]) == ("pending", None)
