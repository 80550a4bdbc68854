"""How the records of a zip lie, each fault by an archive with that one fault."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.builders.torch_zip import ZipWriter
from tests.opened import Traced
from viewer.core.archive.layout_checks import check_alignment, check_names, check_save, leads_out
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.problem import Problem
from viewer.core.progress import Progress

LATEST = ["data.pkl", ".format_version", ".storage_alignment", "byteorder"]
END = ["version", ".data/serialization_id"]


def archive(names: Sequence[str], alignment: int = 64, root: str = "a", content: bytes = b"64") -> ZipArchive:
    writer = ZipWriter(root, alignment)
    for name in names:
        writer.add(name, b"" if name.endswith("/") else content)
    return read_zip(Traced(writer.finish()), Progress())


def only(problems: list[Problem]) -> Problem:
    (problem,) = problems
    return problem


@pytest.mark.parametrize(
    "names",
    [
        [*LATEST, "data/0", "data/1", "data/2", "data/10", *END],
        ["data.pkl", "byteorder", "data/0", "data/1", "data/10", "data/2", *END],
        ["data.pkl", "data/0", "data/1", "version"],
        ["data.pkl", "data/94410326179440", "data/94410326261", "version"],
        ["version", "data.pkl", "tensors/94501143248432", "tensors/94501143248784"],
        ["data.pkl", ".format_version", ".storage_alignment", "data/0", "version", "byteorder", END[1]],
        ["data/0", "data/1", "data.pkl", "version", "byteorder", END[1]],
        [*LATEST, *END],
        ["data.pkl", "data/", "data/0", "version"],
        ["data/0", "version"],
    ],
)
def test_orders_that_torch_writes(names: list[str]) -> None:
    assert check_save(archive(names), "a/") == []


@pytest.mark.parametrize(
    ("names", "first"),
    [
        (["version", "data.pkl", "byteorder", "data/0", "version"], None),
        ([*LATEST, "data/1", "data/0", *END], "a/data/1"),
        (["byteorder", "data.pkl", "data/0", "version"], "a/byteorder"),
        (["data/0", "data.pkl", "data/1", "version"], "a/data/0"),
        (["data.pkl", "data/0", END[1], "version"], "a/data.pkl"),
    ],
)
def test_orders_that_torch_does_not_write(names: list[str], first: str | None) -> None:
    found = check_save(archive(names), "a/")
    assert [(problem.code, problem.params["name"]) for problem in found] == ([("torch-order", first)] if first else [])
    assert all(problem.span is not None for problem in found)


def test_of_names_that_stand_twice_only_that_is_said() -> None:
    assert check_save(archive(["data.pkl", "data/1", "data/0", "data/0", "version"]), "a/") == []


def test_of_an_order_with_other_records_only_those_are_named() -> None:
    assert only(check_save(archive(["data/1", "notes.txt", "data/0", "data.pkl"]), "a/")).code == "torch-records-other"


def test_records_that_torch_does_not_look_at() -> None:
    held = archive([*LATEST, "data/", "data/0", "notes.txt", "more/x.bin", *END])
    problem = only(check_save(held, "a/"))
    assert (problem.code, problem.severity) == ("torch-records-other", "note")
    assert problem.params == {"count": 2, "name": "a/notes.txt", "nbytes": 4}
    assert problem.span == held.records[6].data
    assert check_save(archive([*LATEST, "data/0", *END]), "a/") == []


@pytest.mark.parametrize(
    "name", ["../x", "a/../../x", "a/..", "/etc/x", "\\\\host\\x", "..\\x", "C:/x", "c:x", "a\\..\\x"]
)
def test_names_that_lead_out(name: str) -> None:
    assert leads_out(name)
    problem = only(check_names(archive(["data.pkl", name], root="")))
    assert (problem.code, problem.params) == ("zip-name-outside", {"count": 1, "name": name})


@pytest.mark.parametrize("name", ["a/b", "a..b/c", "a/...", ".data/version", "a/b:c", "./x"])
def test_names_that_stay(name: str) -> None:
    assert not leads_out(name)
    assert check_names(archive(["data.pkl", name], root="")) == []


def test_the_usual_alignment() -> None:
    assert check_alignment(archive(["data.pkl"]), "a/") == []
    problem = only(check_alignment(archive(["data.pkl", "version"], alignment=1), "a/"))
    assert (problem.code, problem.params) == (
        "torch-alignment-usual",
        {"alignment": 64, "count": 2, "name": "a/data.pkl"},
    )


def test_an_alignment_that_is_stated() -> None:
    assert check_alignment(archive([*LATEST], alignment=256, content=b"256"), "a/") == []
    assert check_alignment(archive([*LATEST], alignment=1, content=b"1"), "a/") == []
    assert only(check_alignment(archive([*LATEST], alignment=32), "a/")).code == "torch-alignment"


@pytest.mark.parametrize("content", [b"0", b"x", b"", b"-1", b"9" * 20])
def test_an_alignment_that_is_none(content: bytes) -> None:
    assert check_alignment(archive([*LATEST], alignment=1, content=content), "a/") == []
