"""The proof of the recovery kit: models of three versions of torch compute again what the originals computed.

Each kit runs in a clean process that sees the kit, torch and numpy, and nothing of the code the models came from.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest

from tests.core.export.reading import exported
from tests.shared import ROOT
from tests.with_torch.warm import run_clean
from viewer.core.opening import open_document

pytestmark = pytest.mark.torch
DATA: Final = ROOT / "tests" / "data" / "recovery"
SAVED: Final = sorted(path.stem for path in DATA.glob("*.pth"))
HERE: Final = Path(__file__).parent
FRESH: Final = ("attention", "convolution", "embedding", "layers", "lost", "normed", "parallel", "recurrent", "script")
CLASSES: Final = {
    "attention": "zoo.attention.Attentive",
    "convolution": "zoo.networks.Picture",
    "embedding": "zoo.networks.Words",
    "layers": "zoo.layers.Layers",
    "lost": "zoo.lost.Leaf",
    "normed": "zoo.normed.Normed",
    "parallel": "torch.nn.parallel.data_parallel.DataParallel",
    "recurrent": "zoo.networks.Reader",
    "script": "main_script.Script",
}
NEEDED: Final = [
    "zoo.lost needs Start to be imported, and the checkpoint does not hold it.",
    "zoo.lost needs known to be imported, and the checkpoint does not hold it.",
]


def kit_of(model: Path, folder: Path) -> Path:
    """The recovery kit of a file."""
    document = open_document(model)
    try:
        exported(document, folder, "recovery")
    finally:
        document.source.close()
    return folder


def printed(program: Path, kit: Path) -> str:
    """What a clean process prints: no folder of ours is on its path."""
    done = run_clean(program, cwd=kit)
    assert done.returncode == 0, done.stderr
    return done.stdout


def computed(models: list[Path], folder: Path) -> dict[str, str]:
    """What the child says of the kit of each model: JSON, or how it failed."""
    kits = {model.stem: kit_of(model, folder / model.stem) for model in models}
    told: dict[str, str] = {}
    for model in models:
        kit = kits[model.stem]
        done = run_clean(HERE / "recovery_child.py", kit, model.with_suffix(".npz"), cwd=kit)
        told[model.stem] = done.stderr if done.returncode else done.stdout
    return told


def checked(name: str, text: str, folder: Path) -> dict[str, Any]:
    """What the child told, checked for all that holds of every kit."""
    assert text.startswith("{"), text
    told: dict[str, Any] = json.loads(text)
    kit = folder / name
    assert told["zoo before"] is False
    own = str(HERE / "recovery_child.py")
    assert [path for path in told["opened"] if str(ROOT) in path and path != own] == []
    assert all(Path(file).is_relative_to(kit / "source") for file in told["files"].values())
    assert [note for note in told["notes"] if not name.startswith("lost") or note not in NEEDED] == []
    assert told["training"] == []
    assert told["strict"] == [[], []]
    assert told["shapes"][0] == told["shapes"][1]
    assert told["class"] == CLASSES[name.partition("-")[0]]
    return told


def test_the_files_are_those_of_three_versions() -> None:
    assert SAVED == [
        "attention-1.4",
        "convolution-1.0",
        "convolution-1.4",
        "convolution-2.13",
        "embedding-1.0",
        "embedding-1.4",
        "embedding-2.13",
        "layers-1.0",
        "layers-1.4",
        "lost-1.0",
        "lost-1.4",
        "lost-2.13",
        "normed-1.0",
        "normed-1.4",
        "normed-2.13",
        "parallel-1.0",
        "parallel-1.4",
        "parallel-2.13",
        "recurrent-1.0",
        "recurrent-1.4",
        "recurrent-2.13",
        "script-1.0",
        "script-1.4",
        "script-2.13",
    ]


@pytest.fixture(scope="module")
def kits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the kits are made."""
    return tmp_path_factory.mktemp("kits")


@pytest.fixture(scope="module")
def recomputed(kits: Path) -> dict[str, str]:
    """What the kits of the files compute."""
    return computed([DATA / f"{name}.pth" for name in SAVED], kits)


@pytest.mark.parametrize("name", SAVED)
def test_an_old_model_computes_again(name: str, recomputed: dict[str, str], kits: Path) -> None:
    told = checked(name, recomputed[name], kits)
    assert told["close"], told["difference"]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same models, saved by the torch that is installed, on this machine."""
    folder = tmp_path_factory.mktemp("fresh")
    command = [sys.executable, "-W", "ignore", str(HERE / "make_recovery_files.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def again(fresh: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Where the kits of today's files are, and what they compute."""
    folder = tmp_path_factory.mktemp("again")
    return folder, computed(sorted(fresh.glob("*.pth")), folder)


def test_the_script_makes_all(fresh: Path) -> None:
    assert sorted(path.name.rpartition("-")[0] for path in fresh.glob("*.pth")) == list(FRESH)


@pytest.mark.parametrize("name", FRESH)
def test_a_model_of_today_computes_the_same_bits(name: str, again: tuple[Path, dict[str, str]]) -> None:
    folder, texts = again
    (stem,) = [stem for stem in texts if stem.startswith(f"{name}-")]
    told = checked(stem, texts[stem], folder)
    assert told["same"], told["difference"]


@pytest.mark.parametrize("name", ["convolution-1.0", "embedding-1.4", "script-2.13"])
def test_a_kit_holds_no_pickle_but_the_weights(name: str, tmp_path: Path) -> None:
    kit = kit_of(DATA / f"{name}.pth", tmp_path / "kit")
    files = {path.relative_to(kit).as_posix(): path for path in kit.rglob("*") if path.is_file()}
    assert {"README.txt", "load.py", "model.json", "weights.pt"} <= files.keys()
    weights = files.pop("weights.pt")
    arrays = files.pop("extra_tensors.npz", None)
    assert {path.suffix for path in files.values()} <= {".txt", ".py", ".json"}
    for path in files.values():
        assert "\0" not in path.read_text(encoding="utf-8")
    if arrays is not None:
        with zipfile.ZipFile(arrays) as archive:
            assert {archive.read(record)[:6] for record in archive.namelist()} == {b"\x93NUMPY"}
    with zipfile.ZipFile(weights) as archive:
        assert [record for record in archive.namelist() if record.endswith(".pkl")] == ["weights/data.pkl"]


def test_load_py_prints_the_model(tmp_path: Path) -> None:
    kit = kit_of(DATA / "script-1.0.pth", tmp_path / "kit")
    text = printed(kit / "load.py", kit)
    assert text.startswith("Script(\n  (body): Sequential(\n    (0): Conv2d(1, 4, kernel_size=(3, 3)")
    assert "(squeeze): Squeeze()" in text


def test_the_command_makes_the_same_kit(tmp_path: Path) -> None:
    model = DATA / "recurrent-1.0.pth"
    target = tmp_path / "from_command"
    command = [sys.executable, "-m", "viewer", "export", str(model), str(target), "--as", "recovery"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    kit = kit_of(model, tmp_path / "kit")
    names = sorted(path.relative_to(kit) for path in kit.rglob("*") if path.is_file())
    assert names == sorted(path.relative_to(target) for path in target.rglob("*") if path.is_file())
    assert [name for name in names if (kit / name).read_bytes() != (target / name).read_bytes()] == []
