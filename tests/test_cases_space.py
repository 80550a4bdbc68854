"""The cases about room and health: what of a storage is used, what shares it, what a scan of all values finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.expected import expected
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.space.account import What, account
from viewer.core.tensors import window
from viewer.core.tensors.columns import shown_name
from viewer.core.tensors.health import Fault, scan
from viewer.core.tensors.many import totals_of

pytestmark = pytest.mark.usefixtures("shared")


def case(shared: Path, name: str) -> tuple[Document, dict[str, Any]]:
    facts = dict(expected("cases")[name])
    return open_document(shared / "cases" / name / facts["open"]), facts


def test_a_slice_uses_little_of_what_is_stored(shared: Path) -> None:
    document, facts = case(shared, "sto-slice")
    found = account(document, Progress())
    assert found.tensor_bytes == facts["used_bytes"]
    assert found.tensor_bytes + found.sums[What.WASTED] == facts["stored_bytes"]
    document.close()


def test_tied_weights_are_stored_once(shared: Path) -> None:
    document, facts = case(shared, "sto-tied")
    found, totals = account(document, Progress()), totals_of(document.tensors)
    assert found.tensor_bytes + found.waste == facts["stored_bytes"]
    assert {"by_name": totals.elements, "unique": totals.unique_elements} == facts["params"]
    document.close()


def test_a_file_of_empty_tensors_has_no_parameters(shared: Path) -> None:
    document, facts = case(shared, "shp-all-empty")
    totals = totals_of(document.tensors)
    assert {"by_name": totals.elements, "unique": totals.unique_elements} == facts["params"]
    document.close()


def test_the_state_of_an_optimizer_is_summed_by_its_kind(shared: Path) -> None:
    document, facts = case(shared, "opt-adam")
    found = {
        leaf: sum(window.nbytes(tensor) for tensor in document.tensors if tensor.path[-1] == leaf)
        for leaf in facts["bytes_by_leaf"]
    }
    assert found == facts["bytes_by_leaf"]
    document.close()


@pytest.mark.parametrize("name", ["nan-keys", "nan-channel"])
def test_a_scan_finds_what_is_no_number(shared: Path, name: str) -> None:
    document, facts = case(shared, name)
    health = scan(document.tensors, Progress())
    found: dict[str, dict[str, int]] = {}
    for number, statistics in health.statistics.items():
        if statistics is None:
            continue
        counts = {
            "nan": statistics.nans.count,
            "+inf": statistics.positive_infinities.count,
            "-inf": statistics.negative_infinities.count,
        }
        if any(counts.values()):
            counted = {kind: count for kind, count in counts.items() if count}
            found[shown_name(document.tensors[number])] = {**counted, "of": statistics.total}
    wanted = {tensor: {kind: n for kind, n in one.items() if kind != "where"} for tensor, one in facts["scan"].items()}
    assert found == wanted
    sick = {shown_name(document.tensors[one.tensor]) for one in health.findings if one.fault in (Fault.NAN, Fault.INF)}
    assert sick == set(wanted)
    assert not sick & set(facts.get("clean", ()))
    document.close()


def test_extremes_and_mean_leave_out_what_is_no_number(shared: Path) -> None:
    document, facts = case(shared, "nan-channel")
    (name,) = facts["scan"]
    number = next(tensor.index for tensor in document.tensors if shown_name(tensor) == name)
    found = scan(document.tensors, Progress()).statistics[number]
    assert found is not None
    assert (found.minimum, found.maximum) == (facts["stats"]["min"], facts["stats"]["max"])
    assert found.mean == pytest.approx(facts["stats"]["mean"], rel=1e-6)
    assert found.nans.first == (8, 0, 0, 0)
    document.close()


@pytest.mark.parametrize("name", ["cor-zip-half", "cor-legacy-pickle-cut"])
def test_what_is_left_of_a_cut_file(shared: Path, name: str) -> None:
    document, facts = case(shared, name)
    left: dict[str, tuple[int, int]] = {}
    for tensor in document.tensors:
        missing, size = window.missing_bytes(tensor)
        left[shown_name(tensor)] = (size - missing, size)
    wanted = facts["recovered"]
    assert sorted(one for one, (have, need) in left.items() if have == need) == wanted["complete"]
    assert sorted(one for one, (have, need) in left.items() if not have and need) == wanted["absent"]
    partial = {one: {"have": have, "need": need} for one, (have, need) in left.items() if 0 < have < need}
    assert partial == wanted.get("partial", {})
    assert account(document, Progress()).missing == sum(need - have for have, need in left.values())
    document.close()
