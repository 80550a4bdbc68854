"""A file of a model in several files that is opened alone, and folders that hold a model."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from tests.builders.sets import BIN_INDEX, INDEX, bin_shard, index, numbered, shard, write_set
from tests.opened import codes
from viewer.core.errors import SourceError
from viewer.core.formats.base import Options
from viewer.core.opening import open_document
from viewer.core.problem import Problem

FIRST, SECOND = numbered(1, 2), numbered(2, 2)
A = {"a": ([2], [1.0, 2.0]), "b": ([1], [3.0])}
B = {"c": ([3], [4.0, 5.0, 6.0])}
MAP = {"a": FIRST, "b": FIRST, "c": SECOND}
FILES = {FIRST: shard(A), SECOND: shard(B)}
WHOLE = Options(whole_set=True)


def problems(path: Path, options: Options | None = None) -> list[Problem]:
    document = open_document(path, options=options)
    document.close()
    return document.problems


def test_a_part_beside_its_index(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, MAP, 24)
    (problem,) = problems(tmp_path / SECOND)
    assert (problem.code, problem.severity) == ("set-part", "note")
    assert dict(problem.params) == {
        "part": 2,
        "of": 2,
        "index": INDEX,
        "count": 1,
        "total": 3,
        "missing_files": [],
        "missing_keys": [],
    }


def test_a_part_whose_other_part_is_missing(tmp_path: Path) -> None:
    write_set(tmp_path, {FIRST: shard(A)}, MAP, 24)
    (problem,) = problems(tmp_path / FIRST)
    assert (problem.code, problem.severity) == ("set-part-incomplete", "error")
    params = {name: problem.params[name] for name in ("part", "of", "count", "total", "missing_files", "missing_keys")}
    assert params == {
        "part": 1,
        "of": 2,
        "count": 2,
        "total": 3,
        "missing_files": [SECOND],
        "missing_keys": ["c"],
    }
    assert f"Missing is {SECOND}, with 1 tensors: c." in problem.text


def test_a_part_with_a_name_of_its_own(tmp_path: Path) -> None:
    write_set(
        tmp_path,
        {"head.safetensors": shard(B), "body.safetensors": shard(A)},
        {"c": "head.safetensors", "a": "body.safetensors"},
    )
    (problem,) = problems(tmp_path / "head.safetensors")
    assert (problem.params["part"], problem.params["of"]) == (2, 2)


@pytest.mark.parametrize("suffix", ["safetensors", "bin"])
def test_a_part_by_its_name_alone(tmp_path: Path, suffix: str) -> None:
    data = shard(A) if suffix == "safetensors" else bin_shard(A)
    path = tmp_path / numbered(2, 3, suffix=suffix)
    path.write_bytes(data)
    (problem,) = problems(path)
    assert (problem.code, problem.severity) == ("set-part-lost", "error")
    lost = [numbered(1, 3, suffix=suffix), numbered(3, 3, suffix=suffix)]
    assert (problem.params["part"], problem.params["of"], problem.params["missing_files"]) == (2, 3, lost)


def test_a_part_of_very_many(tmp_path: Path) -> None:
    for number in range(1, 1201):
        (tmp_path / numbered(number, 1203)).write_bytes(shard(A) if number == 1 else b"")
    (problem,) = problems(tmp_path / numbered(1, 1203))
    lost = [numbered(number, 1203) for number in (1201, 1202, 1203)]
    assert (problem.code, problem.params["missing_files"]) == ("set-part-lost", lost)
    assert problem.params["files"] == ", ".join(lost)


def closed(path: object) -> NoReturn:
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("name", [FIRST, "consolidated.00.pth", "__0_0.distcp", "model-rank0.pt"])
@pytest.mark.parametrize("options", [None, WHOLE])
def test_a_file_in_a_folder_that_cannot_be_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, options: Options | None
) -> None:
    (tmp_path / name).write_bytes(shard(A))
    monkeypatch.setattr("os.scandir", closed)
    document = open_document(tmp_path / name, options=options)
    document.close()
    assert [tensor.name for tensor in document.tensors] == ["a", "b"]
    assert not [code for code in codes(document) if code.startswith(("set-", "ranks-"))]


def test_all_parts_without_an_index(tmp_path: Path) -> None:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    (problem,) = problems(tmp_path / FIRST, WHOLE)
    assert (problem.code, dict(problem.params)) == ("set-part-alone", {"part": 1, "of": 2, "missing_files": []})


def test_a_part_that_the_index_does_not_name(tmp_path: Path) -> None:
    write_set(tmp_path, {**FILES, numbered(1, 3): shard(A)}, MAP, 24)
    for options in (None, WHOLE):
        (problem,) = problems(tmp_path / numbered(1, 3), options)
        assert problem.code == "set-part-other"
        assert dict(problem.params) == {"part": 1, "of": 3, "index": INDEX, "files": f"{FIRST}, {SECOND}"}


@pytest.mark.parametrize(
    "name", ["model.safetensors", "model-00001-of-00001.safetensors", "shard-00001-model-00001-of-00002.safetensors"]
)
def test_a_file_that_is_no_part(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(shard(A))
    assert [problem.code for problem in problems(tmp_path / name) if problem.code.startswith("set-part")] == []


def test_the_window_opens_the_whole_set(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, MAP, 24)
    document = open_document(tmp_path / SECOND, options=WHOLE)
    assert (document.format, document.opened_by, len(document.tensors)) == ("sharded-index", SECOND, 3)
    assert document.path == tmp_path / INDEX
    document.close()
    document = open_document(tmp_path / INDEX, options=WHOLE)
    assert (document.format, document.opened_by) == ("sharded-index", "")
    document.close()


def test_of_two_indexes_the_one_that_names_the_file(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, MAP, 24)
    (tmp_path / "pytorch_model.bin").write_bytes(bin_shard(A))
    (tmp_path / BIN_INDEX).write_bytes(index({"a": "pytorch_model.bin"}))
    document = open_document(tmp_path / "pytorch_model.bin", options=WHOLE)
    assert document.path == tmp_path / BIN_INDEX
    document.close()


# -- folders ------------------------------------------------------------------------------------------


def test_indexes_with_other_names(tmp_path: Path) -> None:
    for name in ("diffusion_pytorch_model.safetensors.index.fp16.json", "my.index.json"):
        folder = tmp_path / name
        folder.mkdir()
        write_set(folder, FILES, MAP, 24)
        (folder / INDEX).rename(folder / name)
        assert opened_by(folder) == name


def opened_by(folder: Path) -> str:
    document = open_document(folder)
    document.close()
    assert document.path is not None
    return document.path.relative_to(folder).as_posix()


def test_an_index_is_told_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "vocabulary.index.json").write_text('{"a": 1}')
    (tmp_path / "model.safetensors").write_bytes(shard(A))
    assert opened_by(tmp_path) == "model.safetensors"


def test_the_only_index_of_all_folders_below(tmp_path: Path) -> None:
    inner = tmp_path / "transformer"
    inner.mkdir()
    write_set(inner, FILES, MAP, 24)
    (tmp_path / "config.json").write_text("{}")
    document = open_document(tmp_path)
    assert (document.path, codes(document), len(document.tensors)) == (inner / INDEX, [], 3)
    document.close()


def test_a_folder_with_one_model_in_one_file(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "training_args.bin").write_bytes(b"x")
    (tmp_path / "pytorch_model.bin").write_bytes(bin_shard(A))
    assert opened_by(tmp_path) == "pytorch_model.bin"


def test_a_folder_with_several_files(tmp_path: Path) -> None:
    for name in ("pytorch_model.bin", "model.safetensors", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(SourceError) as failure:
        open_document(tmp_path)
    assert failure.value.code == "folder-choice"
    assert failure.value.params["choices"] == "model.safetensors, pytorch_model.bin"


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"x")
    with pytest.raises(SourceError) as failure:
        open_document(tmp_path)
    assert failure.value.code == "file-is-folder"


# -- files of ../shared -------------------------------------------------------------------------------


@pytest.mark.shared
def test_the_case_of_a_missing_shard(shared: Path) -> None:
    folder = shared / "cases" / "shard-hf-missing"
    (problem,) = problems(folder / "pytorch_model-00001-of-00002.bin")
    assert problem.code == "set-part-incomplete"
    assert (problem.params["part"], problem.params["of"]) == (1, 2)
    assert problem.params["missing_files"] == ["pytorch_model-00002-of-00002.bin"]
    assert problem.params["missing_keys"] == ["h.1.w", "lm_head.w"]
    (problem,) = problems(folder)
    assert (problem.code, problem.params["missing_keys"]) == ("set-shard-missing", ["h.1.w", "lm_head.w"])


@pytest.mark.shared
def test_the_bad_index_tells_its_four_faults(shared: Path) -> None:
    found = problems(shared / "samples" / "G_hf_index_bad")
    assert [(problem.code, problem.params.get("name", problem.params.get("file"))) for problem in found] == [
        ("set-shard-missing", "model-00002-of-00002.safetensors"),
        ("set-name-unlisted", "a.bias"),
        ("set-name-missing", "zzz"),
        ("set-total-size", None),
    ]
    assert dict(found[3].params) == {"stated": 1, "found": 20}


@pytest.mark.shared
@pytest.mark.parametrize("name", ["G_hf_bin", "G_hf_safetensors"])
def test_good_sets_have_no_problem(shared: Path, name: str) -> None:
    assert problems(shared / "samples" / name) == []
