"""What contradicts an index: each fault is told once, and all that can be read is read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.builders.sets import INDEX, bin_shard, index, numbered, raw_index, shard, write_set
from tests.opened import codes, regions_tile
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.problem import Problem
from viewer.core.summary.contents import Contents
from viewer.core.tensors import window

FIRST, SECOND = numbered(1, 2), numbered(2, 2)
A = {"a": ([2], [1.0, 2.0]), "b": ([1], [3.0])}
B = {"c": ([3], [4.0, 5.0, 6.0])}
QUOTED = json.dumps(FIRST)
MAP = {"a": FIRST, "b": FIRST, "c": SECOND}
FILES = {FIRST: shard(A), SECOND: shard(B)}


def found(document: Document) -> list[Problem]:
    regions_tile(document)
    document.close()
    return document.problems


def names(document: Document) -> list[str]:
    return [str(tensor.name) for tensor in document.tensors]


def top_rows(contents: Contents) -> range:
    return contents.tree.children(contents.tree.child(0, 0))


def test_a_missing_file(tmp_path: Path) -> None:
    write_set(tmp_path, {FIRST: shard(A)}, MAP, 24)
    document = open_document(tmp_path)
    assert names(document) == ["a", "b"]
    assert [(file.name, file.size) for file in document.files][2] == (SECOND, None)
    (problem,) = found(document)
    assert problem.code == "set-shard-missing"
    assert problem.params == {"file": SECOND, "count": 1, "total": 3, "names": "c", "missing_keys": ["c"]}
    assert problem.text.startswith(f"{SECOND} is missing. 1 of 3 tensors stand in it: c.")
    assert problem.span is not None
    text = (tmp_path / INDEX).read_text()[problem.span.start : problem.span.stop]
    assert text == f'"c": "{SECOND}"'


def test_rows_of_what_is_missing(tmp_path: Path) -> None:
    write_set(tmp_path, {FIRST: shard(A)}, MAP, 24)
    document = open_document(tmp_path)
    contents = Contents(document)
    tree, top = contents.tree, contents.tree.child(0, 0)
    files = list(tree.children(tree.child(top, 0)))
    assert [contents.label(node).text for node in files] == [INDEX, FIRST, SECOND]
    assert [contents.state(node) for node in files] == ["", "", "missing"]
    assert contents.child(files[1]) is document.children[0]
    assert contents.child(files[2]) is None
    assert [contents.label(node).text for node in tree.children(files[2])] == ["c"]
    entries = next(node for node in tree.children(top) if contents.label(node).text == "weight_map")
    rows = list(tree.children(entries))
    assert [(contents.label(node).text, contents.state(node)) for node in rows] == [
        ("a", ""),
        ("b", ""),
        ("c", "missing"),
    ]
    assert [contents.tensor(node) is not None for node in rows] == [True, True, False]
    assert contents.node_of_tensor(document.tensors[1]) == rows[1]
    place = contents.span(rows[2])
    assert place is not None
    assert contents.node_at_offset(place.start) == rows[2]
    assert contents.node_of_member(SECOND) == files[2]
    document.close()


def test_many_missing_files_are_counted(tmp_path: Path) -> None:
    write_set(tmp_path, {}, {f"name {number}": numbered(number, 150) for number in range(1, 151)})
    problems = found(open_document(tmp_path))
    assert [problem.code for problem in problems] == ["set-shard-missing"] * 100 + ["more-of-a-kind"]
    assert problems[-1].params == {"count": 50, "kind": "set-shard-missing"}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read every file")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, MAP, 24)
    (tmp_path / FIRST).chmod(0)
    document = open_document(tmp_path)
    assert names(document) == ["c"]
    assert codes(document) == ["set-shard-unreadable"]
    document.close()


def test_a_file_that_cannot_be_opened_never_stops_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(tmp_path, FILES, MAP, 24)
    plain = os.open

    def refusing(path: Path, flags: int) -> int:
        if str(path).endswith(FIRST):
            raise OSError(5, "Input/output error")
        return plain(path, flags)

    monkeypatch.setattr(os, "open", refusing)
    document = open_document(tmp_path)
    assert names(document) == ["c"]
    (problem,) = found(document)
    assert (problem.code, problem.params["reason"]) == ("set-shard-unreadable", "Input/output error")
    assert problem.params["missing_keys"] == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12\n", "git-lfs-pointer"),
        (b"<!DOCTYPE html><html><title>Not found</title></html>", "Not found"),
        (b"", "empty"),
        (bytes(4096), "zeros"),
        (index({"x": "y"}), "sharded-index"),
        (shard({}), "safetensors"),
    ],
    ids=["pointer", "page", "empty", "zeros", "index", "no tensors"],
)
def test_a_file_that_holds_no_tensors(tmp_path: Path, data: bytes, kind: str) -> None:
    write_set(tmp_path, {**FILES, SECOND: data}, MAP, 24)
    document = open_document(tmp_path)
    assert names(document) == ["a", "b"]
    (problem,) = found(document)
    assert (problem.code, problem.params["kind"], problem.params["count"]) == ("set-shard-kind", kind, 1)


def test_a_file_of_another_form_than_its_name(tmp_path: Path) -> None:
    write_set(tmp_path, {**FILES, SECOND: bin_shard(B)}, MAP, 24)
    document = open_document(tmp_path)
    assert window.read(document.tensors[2]).tolist() == [4, 5, 6]
    (problem,) = found(document)
    assert (problem.code, problem.params["kind"]) == ("set-shard-form", "torch-zip")


def test_a_damaged_file_gives_what_is_whole(tmp_path: Path) -> None:
    write_set(tmp_path, {**FILES, FIRST: shard(A)[:-2]}, MAP, 24)
    document = open_document(tmp_path)
    assert [(tensor.name, window.complete(tensor)) for tensor in document.tensors] == [
        ("a", True),
        ("b", False),
        ("c", True),
    ]
    assert [problem.code for problem in document.children[0].problems] == ["file-ends-early"]
    assert found(document) == []


@pytest.mark.parametrize("name", [FIRST, FIRST.replace("safetensors", "bin")])
def test_a_file_that_ends_anywhere_never_stops_the_rest(tmp_path: Path, name: str) -> None:
    data = shard(A) if name == FIRST else bin_shard(A)
    write_set(tmp_path, {**FILES, name: data}, {"a": name, "b": name, "c": SECOND}, 24)
    for stop in range(0, len(data), 41):
        (tmp_path / name).write_bytes(data[:stop])
        document = open_document(tmp_path)
        assert "c" in names(document), stop
        for part in document.walk():
            regions_tile(part)
        assert any(part.problems for part in document.walk()), stop
        document.close()


def test_a_name_that_its_file_does_not_have(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, {**MAP, "zzz": SECOND}, 24)
    document = open_document(tmp_path)
    assert names(document) == ["a", "b", "c"]
    (problem,) = found(document)
    assert (problem.code, dict(problem.params)) == ("set-name-missing", {"name": "zzz", "file": SECOND})


def test_a_name_that_the_index_does_not_have(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, {"a": FIRST, "c": SECOND}, 24)
    document = open_document(tmp_path)
    assert names(document) == ["a", "c", "b"]
    assert document.tensors[2].stated is None
    contents = Contents(document)
    node = contents.node_of_tensor(document.tensors[2])
    assert node is not None
    assert contents.label(node).text == "b"
    (problem,) = found(document)
    assert (problem.code, dict(problem.params)) == ("set-name-unlisted", {"name": "b", "file": FIRST})


def test_a_name_in_another_file_than_the_index_says(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, {"a": FIRST, "b": SECOND, "c": SECOND}, 24)
    document = open_document(tmp_path)
    assert [(tensor.name, tensor.member) for tensor in document.tensors] == [("a", FIRST), ("b", FIRST), ("c", SECOND)]
    assert window.read(document.tensors[1]).tolist() == [3]
    (problem,) = found(document)
    assert (problem.code, dict(problem.params)) == (
        "set-name-elsewhere",
        {"name": "b", "file": FIRST, "other": SECOND},
    )


def test_a_name_in_two_files(tmp_path: Path) -> None:
    write_set(tmp_path, {FIRST: shard(A), SECOND: shard({**B, "a": ([2], [8.0, 9.0])})}, MAP)
    document = open_document(tmp_path)
    assert window.read(document.tensors[0]).tolist() == [1, 2]
    (problem,) = found(document)
    assert (problem.code, dict(problem.params)) == ("set-name-two-files", {"name": "a", "file": FIRST, "other": SECOND})


def test_a_name_with_two_shapes(tmp_path: Path) -> None:
    write_set(tmp_path, {FIRST: shard(A), SECOND: shard({**B, "a": ([2, 1], [8.0, 9.0])})}, MAP)
    (problem,) = found(open_document(tmp_path))
    assert problem.code == "set-contradiction"
    assert problem.title == f"a is float32 [2] in {FIRST} and float32 [2, 1] in {SECOND}"


def test_a_name_in_two_files_and_not_in_the_index(tmp_path: Path) -> None:
    write_set(tmp_path, {FIRST: shard(A), SECOND: shard({**B, "b": ([1], [9.0])})}, {"a": FIRST, "c": SECOND})
    document = open_document(tmp_path)
    assert [(tensor.name, tensor.member) for tensor in document.tensors] == [("a", FIRST), ("c", SECOND), ("b", FIRST)]
    assert [problem.code for problem in found(document)] == ["set-name-unlisted", "set-name-two-files"]


@pytest.mark.parametrize("total", [23, 25, 0])
def test_another_total_size(tmp_path: Path, total: int) -> None:
    write_set(tmp_path, FILES, MAP, total)
    (problem,) = found(open_document(tmp_path))
    assert (problem.code, dict(problem.params)) == ("set-total-size", {"stated": total, "found": 24})
    assert problem.span is not None
    assert (tmp_path / INDEX).read_text()[problem.span.start : problem.span.stop] == f'"total_size": {total}'


@pytest.mark.parametrize("total", [24, 24.0, None, "24", True])
def test_a_total_size_that_fits_or_is_none(tmp_path: Path, total: object) -> None:
    write_set(tmp_path, FILES, MAP, total)
    assert found(open_document(tmp_path)) == []


def test_a_total_size_of_files_that_are_missing(tmp_path: Path) -> None:
    write_set(tmp_path, {FIRST: shard(A)}, MAP, 24)
    assert [problem.code for problem in found(open_document(tmp_path))] == ["set-shard-missing"]
    (tmp_path / INDEX).write_bytes(index(MAP, 11))
    assert [problem.code for problem in found(open_document(tmp_path))] == ["set-shard-missing", "set-total-size"]


@pytest.mark.parametrize("name", ["../other.safetensors", "/etc/passwd", "C:\\a.safetensors", "x/../../b", "\\a", ""])
def test_a_path_that_leaves_the_folder(tmp_path: Path, name: str) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "other.safetensors").write_bytes(shard(B))
    write_set(inner, {FIRST: shard(A)}, {"a": FIRST, "b": FIRST, "c": name})
    document = open_document(inner)
    assert names(document) == ["a", "b"]
    assert [file.name for file in document.files] == [INDEX, FIRST]
    problems = {problem.code: problem for problem in found(document)}
    assert dict(problems["set-path-outside"].params) == {"file": name, "count": 1}


def test_a_file_below_the_folder(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    write_set(tmp_path, {FIRST: shard(A), f"parts/{SECOND}": shard(B)}, {**MAP, "c": f"parts/{SECOND}"}, 24)
    document = open_document(tmp_path)
    assert names(document) == ["a", "b", "c"]
    assert found(document) == []


def test_a_link_that_leaves_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "other").write_bytes(shard(B))
    (inner / SECOND).symlink_to(tmp_path / "other")
    write_set(inner, {FIRST: shard(A)}, MAP, 24)
    assert [problem.code for problem in found(open_document(inner))] == ["set-shard-unreadable"]


def test_an_index_that_names_itself(tmp_path: Path) -> None:
    write_set(tmp_path, {FIRST: shard(A)}, {**MAP, "c": INDEX})
    document = open_document(tmp_path)
    assert names(document) == ["a", "b"]
    problems = {problem.code: problem for problem in found(document)}
    assert dict(problems["set-index-itself"].params) == {"count": 1}


def test_two_indexes_that_name_each_other(tmp_path: Path) -> None:
    write_set(tmp_path, {FIRST: shard(A)}, {"a": FIRST, "b": FIRST, "c": "other.index.json"})
    (tmp_path / "other.index.json").write_bytes(index({"x": INDEX}))
    document = open_document(tmp_path)
    assert names(document) == ["a", "b"]
    assert "set-shard-kind" in [problem.code for problem in found(document)]


def test_a_name_that_stands_twice_in_the_index(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, MAP)
    entries = (("a", '"gone.safetensors"'), ("b", QUOTED), ("a", QUOTED), ("c", json.dumps(SECOND)))
    (tmp_path / INDEX).write_bytes(raw_index(entries))
    document = open_document(tmp_path)
    assert names(document) == ["b", "a", "c"]
    assert [file.name for file in document.files] == [INDEX, FIRST, SECOND]
    contents = Contents(document)
    rows = list(contents.tree.children(next(row for row in top_rows(contents) if contents.icon(row) == "dict")))
    assert [contents.state(row) for row in rows] == ["", "", "", ""]
    assert [contents.tensor(row) is not None for row in rows] == [False, True, True, True]
    (problem,) = found(document)
    assert (problem.code, dict(problem.params)) == ("set-index-name-twice", {"name": "a", "count": 2, "file": FIRST})


def test_one_name_spelt_in_two_ways(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, MAP)
    entries = (("a", QUOTED), ("b", QUOTED), ("\\u0061", QUOTED), ("c", json.dumps(SECOND)))
    (tmp_path / INDEX).write_bytes(raw_index(entries))
    document = open_document(tmp_path)
    assert names(document) == ["b", "a", "c"]
    assert [problem.code for problem in found(document)] == ["set-index-name-twice"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [("3", "3"), ("null", "null"), ('["x"]', '["x"]'), ('{"x": 1}', "an object or a list"), ("true", "true")],
)
def test_an_entry_that_names_no_file(tmp_path: Path, value: str, shown: str) -> None:
    write_set(tmp_path, FILES, MAP)
    (tmp_path / INDEX).write_bytes(raw_index((("a", QUOTED), ("b", value), ("c", json.dumps(SECOND)))))
    document = open_document(tmp_path)
    assert names(document) == ["a", "c", "b"]
    problems = found(document)
    assert [problem.code for problem in problems] == ["set-index-entry", "set-name-unlisted"]
    assert problems[0].params["found"] == shown


@pytest.mark.parametrize("text", ['{"weight_map": [], "metadata": {}}', '{"weight_map": "x", "metadata": 3}'])
def test_a_map_that_is_no_object(tmp_path: Path, text: str) -> None:
    (tmp_path / INDEX).write_text(text)
    document = open_document(tmp_path)
    assert document.format == "sharded-index"
    assert [problem.code for problem in found(document)] == ["set-index-map"]


def test_two_maps(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, MAP)
    (tmp_path / INDEX).write_text('{"weight_map": {"x": "y"}, "weight_map": ' + json.dumps(MAP) + "}")
    document = open_document(tmp_path)
    assert names(document) == ["a", "b", "c"]
    assert [problem.code for problem in found(document)] == ["set-index-map-twice"]


def test_an_index_that_is_cut(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, MAP)
    text = json.dumps({"metadata": {"total_size": 24}, "weight_map": MAP})
    (tmp_path / INDEX).write_text(text[: text.index('"c"') + 5])
    document = open_document(tmp_path)
    assert document.format == "sharded-index"
    assert names(document) == ["a", "b"]
    problems = found(document)
    assert problems[0].code == "set-index-json"
    assert problems[0].params["count"] == 2


@pytest.mark.parametrize("at", range(0, 150, 7))
def test_an_index_that_ends_anywhere_opens(tmp_path: Path, at: int) -> None:
    write_set(tmp_path, FILES, MAP)
    text = json.dumps({"metadata": {"total_size": 24}, "weight_map": MAP}).encode()
    (tmp_path / INDEX).write_bytes(text[:at])
    found(open_document(tmp_path / INDEX))


def test_an_index_in_no_utf_8(tmp_path: Path) -> None:
    write_set(tmp_path, FILES, MAP)
    # What tells an index from other files is not looked for so far behind.
    long = {"weight_map": {**MAP, "x" * 70_000: SECOND, "?": FIRST}}
    text = json.dumps(long).encode().replace(b"?", b"\xff")
    (tmp_path / INDEX).write_bytes(text)
    document = open_document(tmp_path)
    assert names(document) == ["a", "b", "c"]
    problems = found(document)
    assert [problem.code for problem in problems] == ["set-index-utf-8", "set-name-missing", "set-name-missing"]
    assert problems[0].params["offset"] == text.index(b"\xff")
    assert problems[1].params["name"] == "\\xff"


def test_an_index_that_is_larger_than_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.core.formats.sharded_index.LARGEST", 60)
    write_set(tmp_path, FILES, MAP, 24)
    size = (tmp_path / INDEX).stat().st_size
    problems = found(open_document(tmp_path))
    assert [problem.code for problem in problems][:2] == ["set-index-large", "set-index-json"]
    assert dict(problems[0].params) == {"size": size, "limit": 60}


def test_more_files_than_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.core.formats.sharded_index.shards.MOST_FILES", 1)
    write_set(tmp_path, FILES, MAP, 24)
    document = open_document(tmp_path)
    assert names(document) == ["a", "b"]
    (problem,) = found(document)
    assert (problem.code, dict(problem.params)) == ("set-too-many-files", {"count": 2, "limit": 1})
