"""What each report needed to see of a file: damaged, no checkpoint, in an odd container, old, big-endian.

The facts are those of log.jsonl and expected.json in ../shared/cases, held against `inspect --json`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cases import case_facts, codes, expectations, look_at, problem, tensor, texts, values
from tests.expected import expected
from tests.shared import ABSENT

Look = Callable[..., dict[str, Any]]
LAYERS = ["layer0.weight", "layer1.weight", "layer2.weight", "layer3.weight"]


@pytest.fixture
def look(shared: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Look:
    """The object of a case, with its tiling checked."""
    return look_at(shared, capfdbinary)


def hashes(found: dict[str, Any]) -> dict[str, str | None]:
    return {row["name"]: row["sha256"] for row in found["tensors"]}


def diagnosed() -> list[object]:
    names = [name for name, facts in expected("cases").items() if facts.get("diagnosis", {}).get("must_contain")]
    listed: list[object] = [*sorted(set(names) - SETS)]
    return listed or [pytest.param("absent", marks=pytest.mark.skip(reason=ABSENT))]


# Folders of several files, which are told of as sets.
SETS = frozenset({"shard-hf-missing", "shard-tensor-parallel"})
# Cases whose files are damaged, or no checkpoint: 1.
DAMAGED = frozenset(
    {"bad-zeros", "cor-zip-half", "cor-zip-missing-record", "cor-zip-no-datapkl", "cor-legacy-badcount"}
    | {"cor-legacy-pickle-cut"}
)


@pytest.mark.parametrize("case", diagnosed())
def test_sentences_hold_what_the_report_needed(case: str, look: Look) -> None:
    diagnosis = case_facts(case)["diagnosis"]
    found = look(case, code=int(case in DAMAGED))
    said = f"{texts(found)} {found['format']} {found['written_by']}"
    assert [word for word in diagnosis["must_contain"] if word not in said] == []
    assert [word for word in diagnosis.get("must_not_contain", ()) if word in said] == []


# -- damaged -----------------------------------------------------------------------------------------


def test_half_a_zip(look: Look) -> None:
    found = look("cor-zip-half", code=1)
    assert found["format"] == "torch-zip"
    assert "zip-directory-missing" in codes(found)
    rows = found["tensors"]
    assert [(row["name"], row["complete"], row["available"]) for row in rows] == [
        ("w0", True, 1280),
        ("w1", True, 1280),
        ("w2", False, 700),
        ("w3", False, 0),
        ("w4", False, 0),
    ]
    assert [row["shape"] for row in rows] == [[20, 16]] * 5
    assert rows[0]["sha256"] == "6e0f0c57090ea5ce4833c9546aa0ec413cf5263d6e5a69fbcb7b97bf0f67c056"
    assert rows[1]["sha256"] == "8d8ea18dd7faf31cfd80d34beb0a25526d471ba04f66791c735d205ada889282"
    assert rows[2]["sha256"] is None
    assert found["pickles"][0]["complete"]


def test_a_record_that_is_not_there(look: Look) -> None:
    found = look("cor-zip-missing-record", code=1)
    missing = problem(found, "storage-record-missing")
    assert missing["text"].startswith("The record m/data/1 is not in the archive. It should hold 144 bytes.")
    assert "Tensors in it: layer1.weight." in missing["text"]
    assert [row["name"] for row in found["tensors"]] == LAYERS
    assert [row["complete"] for row in found["tensors"]] == [True, False, True, True]
    assert str(hashes(found)["layer3.weight"]).startswith("54a5756e")
    assert expectations(found)[0] == "damaged"


def test_an_archive_without_its_object(look: Look) -> None:
    found = look("cor-zip-no-datapkl", code=1)
    assert found["tensors"] == []
    assert problem(found, "torch-no-object")["params"] == {"count": 5}
    records = {row["label"]: row["stop"] - row["start"] for row in found["regions"] if row["kind"] == "record"}
    entries = {"m/.storage_alignment": 2, "m/byteorder": 6, "m/data/0": 120, "m/data/1": 144, "m/version": 2}
    assert records == entries == case_facts("cor-zip-no-datapkl")["entries"]


def test_a_count_that_is_wrong(look: Look) -> None:
    found = look("cor-legacy-badcount", code=1)
    wrong = problem(found, "storage-count-alone")
    assert (wrong["start"], wrong["stop"]) == (1125, 1133)
    assert "Storage 94210000023331 states -8367237312445466787 elements; 42 were expected." in wrong["text"]
    assert "It is storage 3 of 4. Tensors in it: layer2.weight." in wrong["text"]
    assert "With 42 elements all that follows stands where it should" in wrong["text"]
    assert [(row["name"], row["complete"]) for row in found["tensors"]] == [(name, True) for name in LAYERS]
    assert str(hashes(found)["layer2.weight"]).startswith("cd95c580ef5ea0c5")


def test_a_stream_that_is_cut_in_its_list_of_keys(look: Look) -> None:
    found = look("cor-legacy-pickle-cut", code=1)
    cut = problem(found, "legacy-keys-cut")
    assert "The list of storage keys cannot be read to its end" in cut["text"]
    assert "0 of 4 storages have data" in cut["text"]
    assert [(row["name"], row["shape"], row["dtype"]) for row in found["tensors"]] == [
        ("layer0.weight", [6, 5], "float32"),
        ("layer1.weight", [6, 6], "float32"),
        ("layer2.weight", [6, 7], "float32"),
        ("layer3.weight", [6, 8], "float32"),
    ]
    assert [(row["available"], row["complete"], row["sha256"]) for row in found["tensors"]] == [(0, False, None)] * 4
    assert [row["complete"] for row in found["pickles"]] == [True, True, True, True, False]


# -- no checkpoint -------------------------------------------------------------------------------------


def test_safetensors_under_the_name_of_a_checkpoint(look: Look) -> None:
    found = look("bad-safetensors-renamed")
    assert found["format"] == "safetensors"
    assert [(row["name"], row["dtype"], row["shape"]) for row in found["tensors"]] == [
        ("cond.weight", "float32", [3, 4]),
        ("first.bias", "float16", [4]),
    ]
    header = [row for row in found["regions"] if row["start"] < 224 and row["kind"] != "safetensors-length"]
    assert (header[0]["start"], header[-1]["stop"]) == (8, 224)
    named = problem(found, "name-other")
    assert "The name ends in .ckpt, but this is another kind of file: safetensors file" in named["text"]
    assert "Only the name is wrong" in named["text"]


def test_a_compressed_checkpoint_under_the_name_of_a_tar(look: Look) -> None:
    found = look("bad-gzip")
    assert [(row["how"], row["format"]) for row in found["documents"]] == [("", "gzip"), ("gzip", "torch-legacy")]
    assert problem(found, "unpacked")["params"]["size"] == 1501
    assert "a checkpoint, not a tar" in problem(found, "name-no-packed-tar")["text"]
    assert [row["name"] for row in found["tensors"]] == LAYERS
    assert str(hashes(found)["layer0.weight"]).startswith("2876c3ceab58e6a7")


def test_a_file_that_begins_with_zeros(look: Look) -> None:
    found = look("bad-zeros", code=1)
    said = problem(found, "kind-zeros")
    assert (said["params"]["count"], said["params"]["size"]) == (6144, 9000)
    assert "The first 6,144 of 9,000 bytes are zero" in said["text"]
    assert "did not finish" in said["text"]
    assert (found["root"], found["tensors"], found["pickles"]) == (None, [], [])


def test_a_plain_pickle(look: Look) -> None:
    found = look("bad-plain-pickle")
    (row,) = found["pickles"]
    assert (found["format"], row["protocol"], row["complete"]) == ("pickle", 4, True)
    assert row["stop"] == found["file"]["size"] == 342
    feat = tensor(found, "feat")
    assert (feat["kind"], feat["dtype"], feat["shape"]) == ("array", "float32", [3, 4])
    assert [values(found)[f"ids.{number}"] for number in range(3)] == ["tt01", "tt02", "tt03"]
    assert found["problems"] == []
    assert expectations(found) == ["not-torch-pickle"]


# -- containers by another name --------------------------------------------------------------------------


def test_a_name_that_ends_in_tar(look: Look) -> None:
    found = look("tar-not-tar")
    assert found["format"] == "torch-legacy"
    said = problem(found, "name-no-tar")
    assert "not a tar archive" in said["text"]
    assert "Nothing has to be unpacked" in said["text"]
    assert [row["complete"] for row in found["tensors"]] == [True] * 4
    assert codes(found) == ["name-no-tar"]


def test_a_real_old_tar(look: Look) -> None:
    found = look("tar-real-old")
    assert (found["format"], found["written_by"]) == ("torch-tar", "torch 0.1.9 or earlier")
    weight, bias = found["tensors"]
    assert (bias["storage_offset"], bias["start"] - weight["start"], bias["shared_with"]) == (2, 8, [0])
    assert [row["sha256"][:8] for row in (weight, bias)] == ["be251e73", "ef741a47"]


def test_a_folder_name_in_a_local_code_page(look: Look) -> None:
    found = look("path-folder-bytes")
    assert "zip-name-coding" in codes(found)
    assert all(row["severity"] != "error" for row in found["problems"])
    assert [row["sha256"][:8] for row in found["tensors"]] == ["2876c3ce", "88d928c7"]


# -- versions --------------------------------------------------------------------------------------------


def test_a_zip_for_an_old_torch(look: Look) -> None:
    found = look("ver-zip-for-old")
    needs = next(row for row in found["loading"]["expectations"] if row["code"] == "needs-torch-version")
    assert needs["params"] == {"version": "3"}
    assert "It needs torch 1.6 or later" in needs["text"]
    assert len(found["tensors"]) == 4


def test_a_view_of_the_first_versions(look: Look) -> None:
    found = look("ver-v1-views")
    a, b = found["tensors"]
    assert (a["shape"], b["shape"], b["stride"]) == ([10], [2, 3], [3, 1])
    assert b["start"] - a["start"] == 4 * 4
    assert b["stop"] - b["start"] == 6 * 4
    assert (a["sha256"][:8], b["sha256"][:8]) == ("e9b89622", "fc49049c")
    assert {(row["module"], row["name"]) for row in found["imports"]} >= {("torch._utils", "_rebuild_tensor")}


# -- byte order ------------------------------------------------------------------------------------------


def test_big_endian_with_a_mark(look: Look) -> None:
    found = look("be-zip-mark")
    assert found["documents"][0]["byteorder"] == "big"
    assert [row["sha256"][:8] for row in found["tensors"]] == ["64309c9a", "e0278d5a", "62b97f5b", "0526d0e1"]
    assert "torch-byteorder-swapped" not in codes(found)


def test_big_endian_without_a_mark(look: Look) -> None:
    found = look("be-zip-nomark")
    assert found["documents"][0]["byteorder"] == "little"
    assert tensor(found, "w")["sha256"][:8] == "9b48bc4a"
    said = problem(found, "torch-byteorder-swapped")["text"]
    assert "no record byteorder" in said
    assert "big-endian would make ordinary numbers" in said
    switched = look("be-zip-nomark", "--byteorder", "big")
    assert [row["sha256"][:8] for row in switched["tensors"]] == ["64309c9a", "e0278d5a", "62b97f5b", "0526d0e1"]
    assert "torch-byteorder-swapped" not in codes(switched)


# -- programs and packages ---------------------------------------------------------------------------------


def test_a_script_is_told_from_a_checkpoint(look: Look) -> None:
    found = look("jit-as-ckpt")
    assert found["format"] == "torchscript"
    parameters = [row for row in found["tensors"] if row["name"]]
    assert [(row["name"], row["shape"], row["complete"]) for row in parameters] == [
        ("lin.weight", [2, 3], True),
        ("lin.bias", [2], True),
    ]
    code = {row["label"] for row in found["regions"] if row["kind"] == "record"}
    assert code >= {"scripted/code/__torch__.py", "scripted/code/__torch__/torch/nn/modules/linear.py"}
    assert {row["class"] for row in found["sources"]} >= {"__torch__.M"}
    assert "torch.jit.load reads it" in problem(found, "kind-torchscript")["text"]
    assert expectations(found) == ["script"]


def test_a_package(look: Look) -> None:
    found = look("pkg-torch-package")
    assert found["format"] == "torch-package"
    assert [row["sha256"] for row in found["sources"] if row["file"] == "toy_pkg_mod.py"] == [
        "176bd3b9e6e86e72f2c618d8ae8adcd59d656d48e078204423eb0dafe34dfa88"
    ]
    (row,) = found["tensors"]
    assert (row["shape"], row["dtype"], row["sha256"][:8]) == ([2, 3], "float32", "660dc3ee")
    assert found["pickles"][0]["record"] == "silero_like/model/weights.pkl"
