"""While an export is written, each step says which tensor it is at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from viewer import torch_client
from viewer.core import progress as progress_module
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress, Step

ENTRIES = {
    "a": full("float32", (2,), [1.0, 2.0]),
    "b.c": full("float32", (1,), [3.0]),
    "d": full("float64", (1,), [4.0]),
}


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("state_dict", ["a", "b.c", "d"]),
        ("legacy_state_dict", ["a", "b.c", "d"]),
        ("npz", ["a", "b.c", "d"]),
        ("safetensors", ["d", "a", "b.c"]),
    ],
)
def test_each_tensor_is_told_with_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, names: list[str]
) -> None:
    monkeypatch.setattr(progress_module, "INTERVAL", 0.0)
    path = tmp_path / "x.pt"
    path.write_bytes(torch_zip(ENTRIES))
    steps: list[Step] = []
    exporter = exporter_of(form)
    plan = exporter.plan(open_document(path), Wanted())
    exporter.write(plan, tmp_path / "y", Progress(steps.append))
    told = dict.fromkeys((step.item, step.number, step.count) for step in steps if step.item)
    assert list(told) == [(name, number, 3) for number, name in enumerate(names, 1)]
    assert list(exporter.in_order(plan)) == names


def test_what_is_checked_afterwards_is_not_the_tensor_that_was_written_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "INTERVAL", 0.0)
    path = tmp_path / "x.pt"
    path.write_bytes(torch_zip(ENTRIES))
    steps: list[Step] = []
    progress = Progress(steps.append)
    exporter = exporter_of("npz")
    report = exporter.write(exporter.plan(open_document(path), Wanted()), tmp_path / "y", progress)
    steps.clear()
    assert torch_client.verify(report, progress).good
    assert {(step.item, step.number) for step in steps} == {("", 0)}


def steps_of(form: str, folder: Path, wanted: Wanted, entries: dict[str, object]) -> list[tuple[str, int, int]]:
    """What the steps say that an export is at, each once."""
    path = folder / "x.pt"
    path.write_bytes(torch_zip(entries))
    steps: list[Step] = []
    exporter = exporter_of(form)
    exporter.write(exporter.plan(open_document(path), wanted), folder / "y.json", Progress(steps.append))
    return list(dict.fromkeys((step.item, step.number, step.count) for step in steps if step.item))


@pytest.mark.parametrize(
    ("form", "wanted", "told"),
    [
        ("npy", Wanted(only=("b.c",)), [("b.c", 1, 1)]),
        ("csv", Wanted(only=("b.c",)), [("b.c", 1, 1)]),
        ("bytes", Wanted(), [("x.pt", 0, 0)]),
        ("bytes", Wanted(root="0x4+12"), [("0x4+12", 0, 0)]),
        ("bytes", Wanted(root="data.pkl"), [("data.pkl", 0, 0)]),
        ("listing", Wanted(), [("archive/data.pkl", 0, 0)]),
    ],
)
def test_forms_of_one_thing_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, wanted: Wanted, told: list[tuple[str, int, int]]
) -> None:
    monkeypatch.setattr(progress_module, "INTERVAL", 0.0)
    assert steps_of(form, tmp_path, wanted, ENTRIES) == told


def test_the_parts_of_the_structure_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "INTERVAL", 0.0)
    told = steps_of("structure", tmp_path, Wanted(), ENTRIES)
    assert {("objects", 0, 0), ("tensors", 0, 0), ("imports", 0, 0)} <= set(told)


def test_storages_of_the_old_form_come_in_the_order_of_their_keys(tmp_path: Path) -> None:
    many = {f"w{number}": full("float32", (1,), [number]) for number in range(12)}
    path = tmp_path / "x.pt"
    path.write_bytes(torch_zip(many))
    exporter = exporter_of("legacy_state_dict")
    plan = exporter.plan(open_document(path), Wanted())
    assert list(exporter.in_order(plan)) == [f"w{key}" for key in sorted(map(str, range(12)))]


@pytest.mark.parametrize("form", ["state_dict", "npz", "safetensors", "npy"])
def test_planning_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setattr(progress_module, "INTERVAL", 0.0)
    path = tmp_path / "x.pt"
    path.write_bytes(torch_zip(ENTRIES))
    steps: list[Step] = []
    only = ("a",) if form == "npy" else ()
    exporter_of(form).plan(open_document(path), Wanted(only=only, progress=Progress(steps.append)))
    count = 1 if only else 3
    told = [(step.done, step.total) for step in steps if step.what == "planning"]
    assert told == [(number, count) for number in range(count)]
