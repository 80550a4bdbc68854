"""The cases of ../shared that people solve by an export: names, devices, old torch, and files that are too large.

Held against the facts beside them (expected.json) and against what each report needed (log.jsonl).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.cases import case_facts
from tests.core.export.reading import read_npz, record, records
from tests.expected import expected
from viewer.cli import main
from viewer.core.document import Document
from viewer.core.export.plain import PlainValues
from viewer.core.opening import open_document
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.tensor import Tensor

SOLVED = ("npzk-", "key-", "sto-", "dev-", "ver-", "size-")
CASES = sorted(case for case in expected("cases") if case.startswith(SOLVED)) or ["npzk-slash"]
NAMES = [case for case in CASES if case.startswith("npzk-")]
DEVICES = [case for case in CASES if case.startswith("dev-")]


def export(shared: Path, case: str, target: Path, *options: str, file: str = "", verified: bool = False) -> Path:
    """The target, once the command has written it. `verified`: also asked of torch, which takes seconds."""
    source = shared / "cases" / case / (file or case_facts(case)["open"])
    proof = [] if verified or target.suffix == ".npz" else ["--no-verify"]
    assert main(["export", str(source), str(target), *options, *proof]) == 0
    return target


def tensors(path: Path) -> dict[str, Tensor]:
    """Those of a file by name; it stays open as long as they are."""
    document: Document = open_document(path)
    return {str(tensor.name): tensor for tensor in document.tensors}


def hashes(case: str) -> list[str]:
    return sorted(tensor["sha256"] for tensor in case_facts(case)["tensors"])


@pytest.mark.parametrize("case", NAMES)
def test_every_array_is_found_again(case: str, shared: Path, tmp_path: Path) -> None:
    target = export(shared, case, tmp_path / "out.npz")
    arrays = read_npz(target)
    assert sorted(hashlib.sha256(array.tobytes()).hexdigest() for array in arrays.values()) == hashes(case)
    for name in records(target):
        assert not name.startswith("/")
        assert not {"..", ""} & set(name.split("/"))
        assert "\\" not in name


@pytest.mark.parametrize("case", DEVICES)
def test_every_storage_is_on_the_cpu_then(case: str, shared: Path, tmp_path: Path) -> None:
    target = export(shared, case, tmp_path / "out.pt", verified=case == "dev-cuda3")
    found = tensors(target)
    assert {tensor.storage.location for tensor in found.values() if tensor.storage is not None} == {"cpu"}
    assert found
    assert {sha256(tensor) for tensor in found.values()} <= set(hashes(case))


def test_halves_are_widened_for_readers_in_c(shared: Path, tmp_path: Path) -> None:
    arrays = read_npz(export(shared, "npzk-c-types", tmp_path / "out.npz", "--dtype", "float32"))
    assert (arrays["h"].dtype, arrays["idx"].dtype) == ("float32", "int64")


def test_the_prefix_of_data_parallel_goes(shared: Path, tmp_path: Path) -> None:
    found = tensors(export(shared, "key-module-prefix", tmp_path / "out.pt", "--strip", "module."))
    assert list(found) == ["conv0.weight", "conv0.bias", "module_list.0.weight"]
    assert sorted(map(sha256, found.values())) == hashes("key-module-prefix")


def test_averages_have_the_names_of_the_weights_then(shared: Path, tmp_path: Path) -> None:
    case = "key-ema-only-prefixed"
    plain = tensors(export(shared, case, tmp_path / "plain.pt"))
    averaged = tensors(export(shared, case, tmp_path / "ema.pt", "--root", "state_dict_ema", "--strip", "module"))
    assert list(plain) == list(averaged)
    assert [tensor.shape for tensor in plain.values()] == [tensor.shape for tensor in averaged.values()]
    assert all(sha256(plain[name]) != sha256(averaged[name]) for name in plain)


def test_flattened_averages_can_be_left_out(shared: Path, tmp_path: Path) -> None:
    found = tensors(export(shared, "key-ema-flattened", tmp_path / "out.pt", "--skip", "ema_*"))
    assert len(found) == 3
    assert not any(name.startswith("ema_") for name in found)
    assert sum(tensor.storage.nbytes for tensor in found.values() if tensor.storage is not None) == 148


def test_layers_are_renumbered_as_the_other_program_counts_them(shared: Path, tmp_path: Path) -> None:
    case = "key-renumbered"
    theirs = tensors(shared / "cases" / case / "libtorch.pt")
    ours = tensors(shared / "cases" / case / "python.pth")
    pairs = zip(theirs, ours, strict=True)
    rules = [word for old, new in pairs for word in ("--rename", f"{old}={new}")]
    found = tensors(export(shared, case, tmp_path / "out.pt", *rules, file="libtorch.pt"))
    assert list(found) == list(ours)
    assert [sha256(tensor) for tensor in found.values()] == [sha256(tensor) for tensor in theirs.values()]


def test_a_head_of_other_classes_can_be_left_out(shared: Path, tmp_path: Path) -> None:
    case = "size-num-classes"
    head = tensors(export(shared, case, tmp_path / "head.pt", "--only", "*proposal_*"))
    rest = tensors(export(shared, case, tmp_path / "rest.pt", "--skip", "*proposal_*"))
    assert sorted(tensor.shape for tensor in head.values()) == [(21,), (21, 16), (84,), (84, 16)]
    assert sorted(map(sha256, [*head.values(), *rest.values()])) == hashes(case)


def test_old_torch_gets_the_old_form(shared: Path, tmp_path: Path) -> None:
    options = ("--as", "legacy_state_dict")
    target = export(shared, "ver-zip-for-old", tmp_path / "out.pt", *options, verified=True)
    assert target.read_bytes().startswith(b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.")
    assert sorted(map(sha256, tensors(target).values())) == hashes("ver-zip-for-old")


def test_views_of_storages_come_out_as_tensors(shared: Path, tmp_path: Path) -> None:
    found = tensors(export(shared, "ver-v1-views", tmp_path / "out.pt"))
    assert sorted(map(sha256, found.values())) == hashes("ver-v1-views")
    assert found["b"].shape == (2, 3)


def test_a_slice_takes_its_own_bytes_only(shared: Path, tmp_path: Path) -> None:
    target = export(shared, "sto-slice", tmp_path / "out.pt", "--compact")
    assert target.stat().st_size < case_facts("sto-slice")["export"]["max_size"]
    assert [sha256(tensor) for tensor in tensors(target).values()] == hashes("sto-slice")


def test_tied_weights_stay_one_storage_and_are_two_arrays(shared: Path, tmp_path: Path) -> None:
    target = export(shared, "sto-tied", tmp_path / "out.pt")
    found = tensors(target)
    assert found["wte.weight"].storage is found["lm_head.weight"].storage
    assert len([name for name in records(target) if "/data/" in name]) == 2
    assert len(record(target, "data/0")) == 64
    arrays = read_npz(export(shared, "sto-tied", tmp_path / "out.npz"))
    assert arrays["wte.weight"].tobytes() == arrays["lm_head.weight"].tobytes()


@pytest.mark.parametrize(("case", "saved"), [("opt-adam", 800), ("opt-toplevel", 640)])
def test_the_optimizer_is_not_taken_along(case: str, saved: int, shared: Path, tmp_path: Path) -> None:
    target = export(shared, case, tmp_path / "out.pt")
    model = [tensor["sha256"] for tensor in case_facts(case)["tensors"] if tensor["path"][0] == "model"]
    assert [sha256(tensor) for tensor in tensors(target).values()] == model
    assert target.stat().st_size + saved <= (shared / "cases" / case / case_facts(case)["open"]).stat().st_size


def test_the_rest_of_a_checkpoint_is_kept_without_its_optimizers(shared: Path, tmp_path: Path) -> None:
    case = "opt-toplevel"
    target = export(shared, case, tmp_path / "out.pt", "--root", "/", "--skip", "optim*", verified=True)
    document = open_document(target)
    model = [tensor for tensor in case_facts(case)["tensors"] if tensor["path"][0] == "model"]
    assert [tensor.path for tensor in document.tensors] == [tuple(tensor["path"]) for tensor in model]
    assert [sha256(tensor) for tensor in document.tensors] == [tensor["sha256"] for tensor in model]
    pickle = document.main_pickle
    assert pickle is not None
    kept = PlainValues(pickle.values)
    pairs = {kept.get(key): value for key, value in pickle.values.pairs(pickle.values.root)}
    assert list(pairs) == ["model", "version"]
    assert kept.get(pairs["version"]) == case_facts(case)["others"][0]["value"] == "1.5.12"
    assert target.stat().st_size + 640 <= (shared / "cases" / case / case_facts(case)["open"]).stat().st_size
    document.source.close()
