"""The table of names beside an npz: when it is written, what stands in it, whole or absent with the npz."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

from tests.builders.torch_values import Storage, full, state_dict, tensor
from tests.builders.torch_zip import torch_zip
from tests.cases import case_facts
from tests.core.export.reading import document_of, exported, read_npz
from tests.core.export.test_npz_names import assert_unpacks_anywhere
from viewer.core.document import Document
from viewer.core.errors import CancelledError, ExportError, SpaceError, TargetExistsError
from viewer.core.export import atomic, exporter_of, together
from viewer.core.export.atomic import FileDraft
from viewer.core.export.plan import Renamed
from viewer.core.export.selection import Wanted
from viewer.core.objects.renaming import NameRules
from viewer.core.opening import open_document
from viewer.core.progress import Progress

FINE: Final[dict[str, object]] = {"w": full("float32", (2,), [1, 2])}
NASTY: Final[dict[str, object]] = {"../w": full("float32", (2,), [1, 2])}


def rows(path: Path) -> list[dict[str, Any]]:
    """The table beside an npz."""
    table = json.loads(path.with_suffix(".names.json").read_text(encoding="utf-8"))
    assert list(table) == ["npz", "arrays"]
    assert table["npz"] == path.name
    found: list[dict[str, Any]] = table["arrays"]
    return found


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_there_is_none_where_every_name_is_fine(tmp_path: Path) -> None:
    report = exported(document_of(FINE), tmp_path / "out.npz", "npz")
    assert names(tmp_path) == ["out.npz"]
    assert report.beside is None
    assert report.lines == ()


def test_there_is_one_where_a_name_had_to_change(tmp_path: Path) -> None:
    report = exported(document_of(NASTY), tmp_path / "out.npz", "npz")
    assert names(tmp_path) == ["out.names.json", "out.npz"]
    assert rows(tmp_path / "out.npz") == [
        {
            "name": "__/w",
            "member": "__/w.npy",
            "key": "../w",
            "path": ["../w"],
            "dtype": "float32",
            "checkpoint_dtype": "float32",
            "c_type": "float",
            "suggestion": None,
            "shape": [2],
            "item_bytes": 4,
            "bytes": 8,
        }
    ]
    assert [line.text for line in report.lines] == [
        f"Written too: {tmp_path / 'out.names.json'}, the table of names and types, because names had to change: 1."
    ]
    assert report.nbytes == (tmp_path / "out.npz").stat().st_size


def test_it_can_be_asked_for(tmp_path: Path) -> None:
    report = exported(document_of(FINE), tmp_path / "out.npz", "npz", Wanted(names_table=True))
    assert [row["key"] for row in rows(tmp_path / "out.npz")] == ["w"]
    assert [line.text for line in report.lines] == [
        f"Written too: {tmp_path / 'out.names.json'}, the table of names and types, as asked."
    ]


@pytest.mark.parametrize(
    ("target", "table"),
    [("a.b.npz", "a.b.names.json"), ("A.NPZ", "A.names.json"), ("x.bin", "x.bin.names.json"), ("x", "x.names.json")],
)
def test_its_name_follows_that_of_the_npz(tmp_path: Path, target: str, table: str) -> None:
    exported(document_of(NASTY), tmp_path / target, "npz")
    assert names(tmp_path) == sorted([target, table])
    assert json.loads((tmp_path / table).read_text(encoding="utf-8"))["npz"] == target


def test_types_as_they_were_as_they_are_and_in_c(tmp_path: Path) -> None:
    value: dict[str, object] = {
        "bf16": tensor(Storage("bfloat16", b"\x80\x3f"), (1,)),
        "half": full("float16", (2, 1), [1, 2]),
        "d": full("float64", (), [1]),
        "i64": full("int64", (1,), [1]),
        "u8": full("uint8", (1,), [1]),
        "b": tensor(Storage("bool", b"\1"), (1,)),
        "c": tensor(Storage("complex64", bytes(8)), (1,)),
    }
    exported(document_of(value), tmp_path / "out.npz", "npz", Wanted(names_table=True))
    found = [tuple(row.values())[4:] for row in rows(tmp_path / "out.npz")]
    assert found == [
        ("float32", "bfloat16", "float", None, [1], 4, 4),
        ("float16", "float16", None, "float32", [2, 1], 2, 4),
        ("float64", "float64", "double", None, [], 8, 8),
        ("int64", "int64", "int64_t", None, [1], 8, 8),
        ("uint8", "uint8", "uint8_t", None, [1], 1, 1),
        ("bool", "bool", "bool", None, [1], 1, 1),
        ("complex64", "complex64", "std::complex<float>", None, [1], 8, 8),
    ]


def test_names_and_types_that_were_to_change_lead_back_to_the_file(tmp_path: Path) -> None:
    value = {"model": state_dict({"module.a": full("float32", (1,), [1]), "module.n": full("int64", (1,), [2])})}
    wanted = Wanted(dtype="float16", names=NameRules(strip=("module",), add="../"), names_table=True)
    exported(document_of(value), tmp_path / "out.npz", "npz", wanted)
    found = [(row["name"], row["key"], row["path"], row["checkpoint_dtype"]) for row in rows(tmp_path / "out.npz")]
    assert found == [
        ("__/.a", "module.a", ["model", "module.a"], "float32"),
        ("__/.n", "module.n", ["model", "module.n"], "int64"),
    ]


def test_an_existing_table_is_replaced_only_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / "out.names.json").write_bytes(b"of someone")
    with pytest.raises(TargetExistsError, match=r"out\.names\.json exists"):
        exported(document_of(NASTY), tmp_path / "out.npz", "npz")
    assert names(tmp_path) == ["out.names.json"]
    assert (tmp_path / "out.names.json").read_bytes() == b"of someone"
    exporter = exporter_of("npz")
    exporter.write(exporter.plan(document_of(NASTY), Wanted()), tmp_path / "out.npz", Progress(), overwrite=True)
    assert len(rows(tmp_path / "out.npz")) == 1
    assert names(tmp_path) == ["out.names.json", "out.npz"]


def test_the_table_of_an_export_that_is_replaced_goes(tmp_path: Path) -> None:
    exported(document_of(NASTY), tmp_path / "out.npz", "npz")
    exporter = exporter_of("npz")
    plan = exporter.plan(document_of(FINE), Wanted())
    with pytest.raises(TargetExistsError):
        exporter.write(plan, tmp_path / "out.npz", Progress())
    (tmp_path / "out.npz").unlink()
    # it would tell wrong of the new one
    with pytest.raises(TargetExistsError):
        exporter.write(plan, tmp_path / "out.npz", Progress())
    report = exporter.write(plan, tmp_path / "out.npz", Progress(), overwrite=True)
    assert names(tmp_path) == ["out.npz"]
    assert list(read_npz(tmp_path / "out.npz")) == ["w"]
    assert report.lines[0].text.startswith(f"Taken away: {tmp_path / 'out.names.json'}, the table of names")


def test_a_file_of_that_name_that_is_no_table_stays(tmp_path: Path) -> None:
    (tmp_path / "out.names.json").write_bytes(b'{"npz": "other.npz", "arrays": [')
    exported(document_of(FINE), tmp_path / "out.npz", "npz")
    assert names(tmp_path) == ["out.names.json", "out.npz"]


@pytest.mark.skipif(os.name == "nt", reason="making links needs rights on Windows")
def test_the_table_is_never_the_open_file(tmp_path: Path) -> None:
    (tmp_path / "out.names.json").write_bytes(torch_zip(NASTY))
    before = (tmp_path / "out.names.json").read_bytes()
    document = open_document(tmp_path / "out.names.json")
    exporter = exporter_of("npz")
    with pytest.raises(ExportError) as caught:
        exporter.write(exporter.plan(document, Wanted()), tmp_path / "out.npz", Progress(), overwrite=True)
    assert caught.value.code == "target-is-source"
    document.source.close()
    (tmp_path / "two.names.json").symlink_to("two.npz")
    with pytest.raises(TargetExistsError):
        exporter.write(exporter.plan(document_of(NASTY), Wanted()), tmp_path / "two.npz", Progress(), overwrite=True)
    assert names(tmp_path) == ["out.names.json", "two.names.json"]
    assert (tmp_path / "out.names.json").read_bytes() == before


def old_pair(folder: Path) -> None:
    (folder / "out.npz").write_bytes(b"old npz")
    (folder / "out.names.json").write_bytes(b"old table")


def assert_old_pair(folder: Path) -> None:
    assert names(folder) == ["out.names.json", "out.npz"]
    assert (folder / "out.npz").read_bytes() == b"old npz"
    assert (folder / "out.names.json").read_bytes() == b"old table"


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_when_one_cannot_take_its_name_neither_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overwrite: bool, second: bool
) -> None:
    if overwrite:
        old_pair(tmp_path)
    take = FileDraft.take_name

    def refuse(self: FileDraft, descriptor: int, overwrite: bool) -> None:
        if self._place.name.endswith(".json") == second:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        take(self, descriptor, overwrite)

    monkeypatch.setattr(FileDraft, "take_name", refuse)
    exporter = exporter_of("npz")
    with pytest.raises(SpaceError) as caught:
        exporter.write(exporter.plan(document_of(NASTY), Wanted()), tmp_path / "out.npz", Progress(), overwrite)
    assert ("out.names.json" if second else "out.npz") in str(caught.value)
    if overwrite:
        assert_old_pair(tmp_path)
    else:
        assert names(tmp_path) == []


def test_without_second_names_for_files_the_old_pair_is_put_back_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise OSError(errno.EPERM, "not here")

    old_pair(tmp_path)
    monkeypatch.setattr(together.os, "link", refuse)
    monkeypatch.setattr(FileDraft, "take_name", refuse)
    exporter = exporter_of("npz")
    with pytest.raises(ExportError):
        exporter.write(exporter.plan(document_of(NASTY), Wanted()), tmp_path / "out.npz", Progress(), overwrite=True)
    assert_old_pair(tmp_path)


def test_stopping_and_a_full_disk_leave_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exporter = exporter_of("npz")
    progress = Progress()
    plan = exporter.plan(document_of(NASTY), Wanted())
    progress.cancel()
    with pytest.raises(CancelledError):
        exporter.write(plan, tmp_path / "out.npz", progress)
    assert names(tmp_path) == []

    def full_disk(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(atomic.os, "fsync", full_disk)
    with pytest.raises(SpaceError):
        exporter.write(plan, tmp_path / "out.npz", Progress())
    assert names(tmp_path) == []


def case_document(case: str, shared: Path) -> Document:
    return open_document(shared / "cases" / case / case_facts(case)["open"])


@pytest.mark.shared
@pytest.mark.parametrize("case", ["npzk-slash", "npzk-file", "npzk-nonstr", "npzk-flatten-clash", "npzk-c-types"])
def test_every_array_of_a_case_is_found_again(shared: Path, tmp_path: Path, case: str) -> None:
    facts = case_facts(case)
    document = case_document(case, shared)
    report = exported(document, tmp_path / "out.npz", "npz", Wanted(names_table=True))
    found = read_npz(tmp_path / "out.npz")
    table = rows(tmp_path / "out.npz")
    assert len(found) == len(facts["tensors"]) == len(table)
    for row in table:
        assert_unpacks_anywhere(row["member"])
    # the facts of one case spell numbers and texts by their repr
    by_path = {json.dumps(row["path"]): row for row in table}
    for tensor_facts in facts["tensors"]:
        path = [literal(part) if case == "npzk-nonstr" else part for part in tensor_facts["path"]]
        row = by_path.pop(json.dumps(path))
        array = found[row["name"]]
        assert hashlib.sha256(array.tobytes()).hexdigest() == tensor_facts["sha256"]
        assert (row["bytes"], row["shape"]) == (tensor_facts["nbytes"], tensor_facts["shape"])
        if tensor_facts.get("name"):
            assert row["key"] == tensor_facts["name"]
    assert by_path == {}
    assert report.plan.dropped == ()
    document.source.close()


def literal(part: object) -> object:
    """A key as `inspect` writes it, from its repr where that is a number or a text."""
    spelled = {"1": 1, "'1'": "1"}
    return spelled.get(part["py"], part) if isinstance(part, dict) else part


@pytest.mark.shared
def test_what_the_cases_ask_for(shared: Path, tmp_path: Path) -> None:
    found: dict[str, dict[str, str]] = {}
    for case in ("npzk-slash", "npzk-file", "npzk-nonstr", "npzk-flatten-clash"):
        document = case_document(case, shared)
        report = exported(document, tmp_path / f"{case}.npz", "npz")
        found[case] = {row["name"]: row["key"] for row in rows(tmp_path / f"{case}.npz")}
        if case == "npzk-flatten-clash":
            assert report.plan.renamed == (Renamed("a.b", "a.b#2"),)
            assert {name: array.tolist() for name, array in read_npz(report.path).items()} == {
                "a.b": [1, 1],
                "a.b#2": [2, 2],
            }
        document.source.close()
    assert found == {
        "npzk-slash": {"a/b": "a/b", "a/b_2": "/a/b", "a/b_3": "a//b", "__/up": "../up", "c_d": "c\\d"},
        "npzk-file": {
            "file": "file",
            "allow_pickle": "allow_pickle",
            "arr_0": "arr_0",
            "w.npy": "w.npy",
            "w_2": "w",
        },
        "npzk-nonstr": {
            "flags.True": "flags.True",
            "m.1": "m.1",
            "m.1#2": "m.1",
            "m.(2, 'x')": "m.(2, 'x')",
            "m.None": "m.None",
            "m.2.5": "m.2.5",
            "m.b'raw'": "m.b'raw'",
        },
        "npzk-flatten-clash": {"a.b": "a.b", "a.b#2": "a.b"},
    }


@pytest.mark.shared
def test_the_types_of_the_case_for_cpp(shared: Path, tmp_path: Path) -> None:
    document = case_document("npzk-c-types", shared)
    exported(document, tmp_path / "out.npz", "npz", Wanted(names_table=True))
    facts = ("name", "c_type", "suggestion", "shape", "item_bytes", "bytes")
    assert [tuple(row[fact] for fact in facts) for row in rows(tmp_path / "out.npz")] == [
        ("idx", "int64_t", None, [3], 8, 24),
        ("small", "int32_t", None, [2], 4, 8),
        ("w", "float", None, [2, 2], 4, 16),
        ("d", "double", None, [1], 8, 8),
        ("h", None, "float32", [3], 2, 6),
        ("flag", "bool", None, [2], 1, 2),
    ]
    exported(document, tmp_path / "wide.npz", "npz", Wanted(dtype="float32", names_table=True))
    assert [(row["c_type"], row["checkpoint_dtype"]) for row in rows(tmp_path / "wide.npz")] == [
        ("int64_t", "int64"),
        ("int32_t", "int32"),
        ("float", "float32"),
        ("float", "float64"),
        ("float", "float16"),
        ("bool", "bool"),
    ]
    document.source.close()
