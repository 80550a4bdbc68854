"""Every file of ../shared opens and tiles, and the plain tensors of this project's formats are as they should be.

What is read in a later step is told by what it is (its layout, its class, its container), never by its name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.expected import Facts, by_name, by_path, differences, expected, same_type
from tests.opened import codes, regions_tile
from tests.shared import ABSENT, SHARED, shared_files
from viewer.core.document import Document
from viewer.core.objects.state_dict import state_dicts
from viewer.core.opening import open_document
from viewer.core.problem import Severity
from viewer.core.summary.rows.inspection import Wanted
from viewer.core.summary.rows.inspection import facts as json_facts
from viewer.core.summary.rows.values import value_rows
from viewer.core.tensors import window
from viewer.core.tensors.tensor import Tensor

INDEX: Final = ".index.json"
DESCRIPTIONS: Final = frozenset({"README.md", "expected.json", "log.jsonl", "origins.md"})
SCRIPTS: Final = frozenset({"torchscript", "torch-mobile", "torchscript-json"})
EXPORTS: Final = frozenset({"torch-export", "torch-export-json"})
READ: Final = (
    SCRIPTS
    | EXPORTS
    | {
        *("torch-zip", "torch-legacy", "torch-tar", "torch-package", "pickle", "joblib", "npy", "npz", "safetensors"),
    }
)


def is_read(document: Document) -> bool:
    """True for a file of a format that is read, and for a compressed one around it."""
    return document.content.format in READ


def present(folder: str, key: str = "") -> list[object]:
    """The files or cases that a folder has facts of (with a certain key), or one that skips with a sentence."""
    facts = expected(folder)
    told = {name: entry for name, entry in facts.items() if not name.startswith("_") and (not key or entry.get(key))}
    # A folder of files is a set, which is read in a later step; its files are opened one by one below.
    names = sorted(name for name in told if not (SHARED / folder / name).is_dir() or folder == "cases")
    return names or [pytest.param("absent", marks=pytest.mark.skip(reason=ABSENT))]


@pytest.fixture(params=["corpus", "samples", "cases", "tricks"])
def folder(request: pytest.FixtureRequest, shared: Path) -> Path:
    return shared / str(request.param)


def test_every_file_opens_and_tiles(folder: Path) -> None:
    count = 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name in DESCRIPTIONS:
            continue
        document = open_document(path)
        try:
            for part in document.walk():
                regions_tile(part)
                assert all("{" not in problem.title or "{" in str(problem.params) for problem in part.problems), path
                unique = [tensor.path for tensor in part.tensors]
                assert len(set(unique)) == len(unique), path
        finally:
            document.source.close()
        count += 1
    assert count > 20


def sample_facts(facts: Facts) -> dict[str, Facts]:
    """The facts of the tensors of a sample: what stands in the file, where torch gives something else."""
    if "expected_arrays" in facts:
        return dict(facts["expected_arrays"])
    if "expected" in facts:
        return dict(facts["expected"].get("tensors", {}))
    return dict(facts["result"].get("tensors", {}))


@pytest.mark.parametrize("name", present("samples"))
def test_samples(name: str, shared: Path) -> None:
    facts = expected("samples")[name]
    document = open_document(shared / "samples" / name)
    try:
        if not is_read(document):
            assert document.problems, "what is not read has a sentence"
            return
        unknown = frozenset(facts.get("nondeterministic", ()))
        wrong = dict(sample_wrong(document, sample_facts(facts), unknown))
        if facts.get("torch_is_wrong"):
            # These facts are what torch gives; what stands in the file is told below.
            wrong = {name: found for name, found in wrong.items() if not is_of_values(found)}
        assert wrong == {}
    finally:
        document.source.close()


def indexed() -> list[object]:
    """The folders of samples that an index stands for."""
    told = {name: entry for name, entry in expected("samples").items() if not name.startswith("_")}
    names = sorted(name for name, facts in told.items() if any(file.endswith(INDEX) for file in facts.get("files", ())))
    return names or [pytest.param("absent", marks=pytest.mark.skip(reason=ABSENT))]


@pytest.mark.parametrize("name", indexed())
def test_models_in_several_files(name: str, shared: Path) -> None:
    facts = expected("samples")[name]
    document = open_document(shared / "samples" / name)
    try:
        assert document.format == "sharded-index"
        for part in document.walk():
            regions_tile(part)
        assert dict(sample_wrong(document, sample_facts(facts), frozenset())) == {}
        sizes = {file.name: file.size for file in document.files if file.size is not None}
        assert sizes.items() <= facts["files"].items()
    finally:
        document.close()


def is_of_values(found: object) -> bool:
    return isinstance(found, list) and all(str(text).startswith(("hash", "dtype")) for text in found)


@pytest.mark.parametrize("name", present("samples"))
def test_names_of_scripted_modules(name: str, shared: Path) -> None:
    tree = expected("samples")[name].get("result", {}).get("tree")
    keys = tree.get("state_dict_keys") if isinstance(tree, dict) else None
    document = open_document(shared / "samples" / name)
    pickle = document.main_pickle
    if document.format in ("torchscript", "torch-mobile") and keys is not None and pickle is not None:
        found = [
            entry
            for branch in state_dicts(pickle.values, document.tensors, pickle.index)
            for entry, _ in branch.entries
        ]
        assert found == keys
        assert [tensor.name for tensor in document.tensors if tensor.name is not None] == keys
    document.source.close()


@pytest.mark.parametrize("name", present("cases", "package_sources"))
def test_modules_of_packages(name: str, shared: Path) -> None:
    facts = expected("cases")[name]
    document = open_document(shared / "cases" / name / facts["open"])
    texts = {
        source.file: hashlib.sha256((source.text or "").encode()).hexdigest()
        for source in document.sources
        if not source.qualname
    }
    document.source.close()
    assert texts == {source["name"]: source["sha256"] for source in facts["package_sources"]}


@pytest.mark.parametrize("name", present("cases", "code_files"))
def test_code_of_scripts(name: str, shared: Path) -> None:
    facts = expected("cases")[name]
    document = open_document(shared / "cases" / name / facts["open"])
    records = [source.record for source in document.sources]
    document.source.close()
    assert sorted(set(records)) == sorted(facts["code_files"])


def test_two_classes_for_one_storage(shared: Path) -> None:
    document = open_document(shared / "samples" / "M_two_classes_one_key.pt")
    assert [(tensor.name, tensor.dtype) for tensor in document.tensors] == [("a", "float32"), ("b", "int32")]
    assert codes(document) == ["storage-conflict", "torch-alignment-usual"]
    document.source.close()


def test_big_endian_of_types_that_torch_does_not_swap(shared: Path) -> None:
    document = open_document(shared / "samples" / "C_zip_big_endian_v3.pt")
    tensors = by_name(document)
    assert window.read(tensors["u16"]).tolist() == [1, 2, 258]
    assert window.read(tensors["c32"]).tolist()[0] == (1.0, 2.0)
    document.source.close()


def sample_wrong(document: Document, facts: dict[str, Facts], unknown: frozenset[str]) -> Iterator[tuple[str, object]]:
    tensors = by_name(document)
    for name, expected_facts in facts.items():
        tensor = tensors.get(name)
        if name in unknown:
            continue
        if tensor is None:
            yield name, f"not found among {sorted(tensors)}"
            continue
        found = list(differences(tensor, expected_facts, document.format))
        if found:
            yield name, found


@pytest.mark.parametrize("name", present("cases"))
def test_cases(name: str, shared: Path) -> None:
    facts = expected("cases")[name]
    document = open_document(shared / "cases" / name / facts["open"])
    try:
        if not is_read(document):
            assert document.problems, "what is not read has a sentence"
            return
        tensors = by_path(document)
        wrong = {
            str(entry["path"]): found
            for entry in facts["tensors"]
            if (found := list(case_wrong(tensors, entry, document)))
        }
        assert wrong == {}
    finally:
        document.source.close()


def plain_part(part: object) -> object:
    """A key that JSON holds as it is; these facts write some of them as Python does."""
    if not isinstance(part, dict) or part["py"][:1] not in "'-0123456789" or "." in part["py"]:
        return part
    return part["py"].strip("'") if part["py"].startswith("'") else int(part["py"])


def case_wrong(tensors: dict[str, Tensor], facts: Facts, document: Document) -> Iterator[str]:
    path = json.dumps([plain_part(part) for part in facts["path"]])
    tensor = tensors.get(path)
    if tensor is None:
        yield f"not found among {sorted(tensors)}"
        return
    yield from differences(tensor, facts)
    if "name" in facts and tensor.name != facts["name"]:
        yield f"name {tensor.name} is not {facts['name']}"
    if "complete" in facts and window.complete(tensor) != facts["complete"]:
        yield f"complete {window.complete(tensor)} is not {facts['complete']}"
    storage = tensor.storage
    if storage is None or storage.source is None:
        return
    start = storage.span.start if storage.span is not None else None
    if facts.get("file_offset", start) != start:
        yield f"storage {storage} is not at {facts['file_offset']}"
    if facts.get("storage_nbytes", storage.nbytes) != storage.nbytes:
        yield f"storage {storage} has not {facts['storage_nbytes']} bytes"


@pytest.mark.parametrize("name", present("cases", "sources"))
def test_sources_of_cases(name: str, shared: Path) -> None:
    facts = expected("cases")[name]
    document = open_document(shared / "cases" / name / facts["open"])
    found = [
        (
            source.name,
            source.file,
            None if source.text is None else hashlib.sha256(source.text.encode()).hexdigest(),
        )
        for part in document.walk()
        for source in part.sources
    ]
    document.source.close()
    if is_read(document):
        assert found == [(source["class"], source["file"], source.get("sha256")) for source in facts["sources"]]


@pytest.mark.parametrize("name", present("cases", "others"))
def test_values_of_cases(name: str, shared: Path) -> None:
    facts = expected("cases")[name]
    document = open_document(shared / "cases" / name / facts["open"])
    rows = {json.dumps(row["path"]): row["value"] for part in document.walk() for row in value_rows(part, "")}
    known = is_read(document)
    document.source.close()
    if known:
        wanted = {json.dumps(entry["path"]): entry["value"] for entry in facts["others"]}
        assert {path: rows.get(path, "absent") for path in wanted} == wanted


@pytest.mark.parametrize("name", present("cases", "arrays"))
def test_arrays_of_cases(name: str, shared: Path) -> None:
    facts = expected("cases")[name]
    document = open_document(shared / "cases" / name / facts["open"])
    tensors = by_path(document)
    for entry in facts["arrays"] if is_read(document) else ():
        tensor = tensors[json.dumps(entry["path"])]
        assert same_type(tensor, entry["dtype"])
        assert list(tensor.shape) == entry["shape"]
        if "values" in entry:
            assert window.read(tensor).ravel().tolist() == entry["values"]
    document.source.close()


@pytest.mark.parametrize("name", present("tricks"))
def test_tricks(name: str, shared: Path) -> None:
    facts = expected("tricks")[name]
    document = open_document(shared / "tricks" / name)
    found = json_facts(document, Wanted())
    document.source.close()
    if "format" in facts:
        assert found["format"] == facts["format"]
    if not is_read(document):
        assert found["problems"]
        return
    if "root" in facts:
        assert found["root"] == facts["root"]
    for key, ours in (("pickles", len(found["pickles"])), ("opcodes", sum(row["opcodes"] for row in found["pickles"]))):
        assert ours == facts.get(key, ours)
    if "complete" in facts and found["format"] == "pickle":
        assert all(row["complete"] for row in found["pickles"]) == facts["complete"]
    if "imports" not in facts:
        return
    told = {(row["module"], row["name"], row["called"]) for row in facts["imports"]}
    ours = {(row["module"], row["name"], row["called"]) for row in found["imports"] if row["name"] is not None}
    assert ours == told


BENIGN: Final = {
    # name: (format, tensors, storages or arrays without a byte missing)
    "leg-uncloned-views.pt": ("torch-legacy", 2),
    "leg-three-storages.pt": ("torch-legacy", 3),
    "leg-facenet-pnet.pt": ("torch-legacy", 13),
    "zip-bfloat16.pt": ("torch-zip", 1),
    "zip-noncontiguous.pt": ("torch-zip", 2),
    "npz-two-arrays.npz": ("npz", 2),
    "zip-no-tensors.pt": ("torch-zip", 0),
}


@pytest.mark.parametrize("path", shared_files("corpus", "[lpzn][ei]*-*"))
def test_benign_checkpoints_are_whole(path: Path) -> None:
    document = open_document(path)
    try:
        if not is_read(document):
            return
        assert [p.code for part in document.walk() for p in part.problems if p.severity is Severity.ERROR] == []
        tensors = [tensor for part in document.walk() for tensor in part.tensors if not tensor.note]
        assert all(window.complete(tensor) for tensor in tensors)
        if path.name in BENIGN:
            assert (document.format, len(tensors)) == BENIGN[path.name]
    finally:
        document.source.close()


def test_the_folder_was_there(shared: Path) -> None:
    assert len(expected("samples")) > 400
    assert len(expected("cases")) > 70
    assert shared == SHARED


def test_big_endian_types_by_their_bytes(shared: Path) -> None:
    """torch leaves untyped storages as they are, and so gives 256, 512 and 513."""
    document = open_document(shared / "samples" / "C_zip_big_endian_v3.pt")
    values = {tensor.name: window.read(tensor).tolist() for tensor in document.tensors}
    document.source.close()
    assert values == {"u16": [1, 2, 258], "c64": [1 + 2j], "c32": [(1.0, 2.0)]}
