"""Skeletons against torch: in a clean process each makes the state_dict of the object that it was read from."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.core.export.reading import exported
from tests.with_torch.warm import run_clean
from viewer.core.code.derived.literals import MODULE_NAMES
from viewer.core.code.derived.references import REFERENCES
from viewer.core.code.files import ClassText, plan_sources
from viewer.core.code.skeleton import Skeleton, skeletons
from viewer.core.document import Document, Pickle
from viewer.core.errors import SourceError
from viewer.core.objects.instances import Instance, find_instances
from viewer.core.objects.modules import is_module, state_dict
from viewer.core.opening import open_document
from viewer.core.tensors.rebuild import Rebuilder
from viewer.core.tensors.table import StorageTable

pytestmark = pytest.mark.torch
CHILD: Final = Path(__file__).with_name("skeleton_child.py")
MODELS: Final = "attention changed checkpoint classifier known odd optional parallel residual subclasses tied unet"
NAMES: Final = MODELS.split()
WHOLE: Final = (
    "samples/B_legacy_module_nosource.pt",
    "samples/K_dataparallel.pt",
    "samples/K_module.pt",
    "samples/K_module_builtin.pt",
    "samples/K_module_list_in_attr.pt",
    "samples/K_module_with_grad.pt",
    "samples/K_spectral_norm_old.pt",
    "samples/K_t1102_module.pt",
    "samples/K_t1121_module.pt",
    "samples/K_t160_module.pt",
    "samples/K_t222_module.pt",
    "samples/K_transformer_layer.pt",
    "samples/K_weight_norm_old.pt",
    "cases/cnf-yolo-models/best.pt",
)


def child(*arguments: str, given: str = "") -> Any:
    """What the child process prints."""
    done = run_clean(CHILD, *arguments, given=given)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The files of the zoo, and what torch says of the objects in them."""
    folder = tmp_path_factory.mktemp("zoo")
    return folder, child("save", str(folder))


def made_in(document: Document) -> tuple[list[Skeleton], list[Instance], Pickle]:
    """The skeletons of a document."""
    pickle = document.main_pickle
    assert pickle is not None
    stored = {source.name for source in document.sources if source.text is not None}
    found = find_instances(pickle.values)
    return skeletons(pickle.values, found, stored), found, pickle


def instantiated(made: dict[str, list[Skeleton]], folder: Path) -> dict[str, dict[str, Any]]:
    """Write the texts to folders of their own and make an object of each in one clean process."""
    jobs = []
    for number, (name, each) in enumerate(made.items()):
        place = folder / str(number)
        jobs.append((str(place), written(name, each, place)))
    found = child("make", given=json.dumps(jobs))
    return {
        name: {one.name: value for one, value in zip(each, values, strict=True)}
        for (name, each), values in zip(made.items(), found, strict=True)
    }


def written(name: str, made: list[Skeleton], place: Path) -> list[tuple[str, str]]:
    """The files of one model; gives module and call of each class."""
    plan = plan_sources([ClassText(one.name, one.module, one.qualname, one.text, "derived", None) for one in made])
    assert (plan.unusable, plan.missing) == ((), {}), name
    for file in plan.files:
        path = place.joinpath(*file.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
    return [(plan.placed[one.name].module, one.call) for one in made]


@pytest.fixture(scope="module")
def made_again(saved: tuple[Path, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The objects of the zoo made by the calls of their skeletons."""
    made = {name: made_in(open_document(saved[0] / f"{name}.pt"))[0] for name in NAMES}
    return instantiated(made, tmp_path_factory.mktemp("skeletons"))


@pytest.mark.parametrize("name", NAMES)
def test_the_state_dict_is_that_of_the_original(
    name: str, saved: tuple[Path, dict[str, Any]], made_again: dict[str, Any]
) -> None:
    for each, shapes in saved[1][name].items():
        assert made_again[name][each] == shapes, each
    assert [found for found in made_again[name].values() if isinstance(found, str)] == []


def test_whole_models_of_the_shared_folder(shared: Path, tmp_path: Path) -> None:
    made: dict[str, list[Skeleton]] = {}
    expected: dict[tuple[str, str], dict[str, list[int]]] = {}
    for folder in ("samples", "cases", "corpus"):
        for path in sorted(one for one in (shared / folder).rglob("*") if one.is_file()):
            found = skeletons_of_file(path)
            if found is None:
                continue
            name = path.relative_to(shared).as_posix()
            made[name] = found[0]
            expected.update({(name, one): shapes for one, shapes in found[1].items()})
    results = instantiated(made, tmp_path)
    assert {key: results[key[0]][key[1]] for key in expected} == expected
    assert [found for result in results.values() for found in result.values() if isinstance(found, str)] == []
    assert {"samples/K_module.pt", "samples/K_module_list_in_attr.pt", "cases/cnf-yolo-models/best.pt"} <= made.keys()


def skeletons_of_file(path: Path) -> tuple[list[Skeleton], dict[str, dict[str, list[int]]]] | None:
    """The skeletons that can be made alone and the state_dicts of the modules among them; None for no skeletons."""
    try:
        document = open_document(path)
    except SourceError:
        return None
    if document.main_pickle is None:
        return None
    made, instances, pickle = made_in(document)
    for each in made:
        ast.parse(each.text)
    rebuild = Rebuilder(pickle.values, 0, StorageTable(pickle.values))
    alone = [each for each in made if each.call]
    expected = {}
    for each in alone:
        first = next(one for one in instances if one.name == each.name)
        if is_module(pickle.values, first.value):
            tensors = {one.name: rebuild.tensor(one.value) for one in state_dict(pickle.values, first.value).entries}
            expected[each.name] = {name: list(one.shape) for name, one in tensors.items() if one is not None}
    return (alone, expected) if alone else None


def exported_kits(files: dict[str, Path], folder: Path) -> dict[str, Path]:
    """A recovery kit of each file."""
    kits = {}
    for number, (name, path) in enumerate(files.items()):
        kits[name] = folder / f"kit{number}"
        document = open_document(path)
        exported(document, kits[name], "recovery")
        document.source.close()
    return kits


def loaded_kits(files: dict[str, Path], folder: Path) -> dict[str, list[str]]:
    """The own classes in the model of each kit, all of which take their weights strictly and have their classes."""
    kits = exported_kits(files, folder)
    found = dict(zip(kits, child("kits", given=json.dumps([str(kit) for kit in kits.values()])), strict=True))
    assert {name: fault for name, (fault, _, _) in found.items() if fault} == {}
    assert [note for _, notes, _ in found.values() for note in notes if "computes nothing" in note] == []
    return {name: own for name, (_, _, own) in found.items()}


def test_kits_of_the_zoo_load_strictly(saved: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    found = loaded_kits({name: saved[0] / f"{name}.pt" for name in NAMES}, tmp_path)
    assert found["residual"] == ["Basic", "Residual"]
    assert found["odd"] == ["Odd", "Odd.Inner"]
    assert found["known"] == ["Convolution"]


def test_kits_of_the_shared_folder_load_strictly(shared: Path, tmp_path: Path) -> None:
    found = loaded_kits({name: shared / name for name in WHOLE}, tmp_path)
    assert found["samples/K_module.pt"] == ["Block", "Net"]
    assert found["cases/cnf-yolo-models/best.pt"] == ["Conv", "DetectionModel"]


def test_a_kit_computes_where_all_forwards_are_known(saved: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    kit = exported_kits({"known": saved[0] / "known.pt"}, tmp_path)["known"]
    done = run_clean(CHILD.with_name("recovery_child.py"), kit, saved[0] / "known.npz")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["same"], told["strict"], told["notes"]) == (True, [[], []], [])


def test_names_that_the_tables_here_know_are_those_of_torch() -> None:
    """What skeletons may name, and what nn.Module itself has, by the torch that is installed."""
    known = child("names", given=json.dumps(sorted(REFERENCES)))
    assert MODULE_NAMES - {"training"} == set(known["module"])
    assert known["lacking"] == []
