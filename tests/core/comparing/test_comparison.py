"""Whole comparisons of files that the builders write: what is compared, plain values, sources, what torch would say."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typing_extensions import override

from tests.builders.arrays import floats, npz
from tests.builders.torch_values import adam_state_dict, full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Global, Instance
from tests.core.tensors.streams import over
from viewer.core.comparing import arranging
from viewer.core.comparing.arranging import Column, listed
from viewer.core.comparing.comparison import Comparison, Status, compare, fill_in, lay_out
from viewer.core.comparing.loading import load_words
from viewer.core.comparing.names import By, Rules
from viewer.core.comparing.report import details, report_json, report_text, value_text
from viewer.core.comparing.sheet import Axes, difference_sheet
from viewer.core.comparing.sides import ALL, Part, Side, sides_of
from viewer.core.errors import ExportError
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource

PLAIN = Rules()


def between(first: bytes, second: bytes, parts: tuple[Part, Part] = (ALL, ALL), rules: Rules = PLAIN) -> Comparison:
    documents = [open_document(MemorySource(data)) for data in (first, second)]
    return compare(*sides_of(documents[0], documents[1], parts), rules)


def statuses(found: Comparison) -> dict[str, str]:
    return {row.pair.name: row.status.value for row in found.rows}


def weights(*numbers: float, **more: Any) -> OrderedDict[str, object]:
    return state_dict({"fc.w": full("float32", (len(numbers),), numbers), **more})


class Every(Progress):
    """Keeps how far the last step was."""

    last = (0, 0)

    @override
    def step(self, what: str, done: int, total: int = 0) -> None:
        self.last = (done, total)


def test_a_file_is_equal_to_itself() -> None:
    data = torch_zip({"model": weights(1, 2), "lr": 0.1})
    found = between(data, data)
    assert (found.equal, found.verdict, found.counts["equal"], found.load_words()) == (True, "equal", 1, "")
    assert found.suggestion is None


def test_every_status() -> None:
    first = state_dict(
        {
            "same": full("float32", (2,), [1, 2]),
            "values": full("float32", (2,), [1, 2]),
            "shape": full("float32", (2,), [1, 2]),
            "type": full("float32", (2,), [1, 2]),
            "mine": full("float32", (1,), [1]),
        }
    )
    second = state_dict(
        {
            "same": full("float32", (2,), [1, 2]),
            "values": full("float32", (2,), [1, 4]),
            "shape": full("float32", (1,), [1]),
            "type": full("float64", (2,), [1, 2]),
            "other": full("float32", (1,), [1]),
        }
    )
    found = between(torch_zip(first), torch_zip(second))
    assert statuses(found) == {
        "same": "equal",
        "values": "changed",
        "shape": "shape",
        "type": "dtype",
        "other": "missing",
        "mine": "unexpected",
    }
    assert not found.equal
    typed = next(row for row in found.rows if row.status is Status.DTYPE)
    assert typed.differences is not None
    assert (typed.differences.differing, typed.differences.note) == (0, "float64")
    order = [found.rows[at].status.value for at in listed(found.rows)]
    assert order == ["shape", "missing", "unexpected", "dtype", "changed", "equal"]
    assert [found.rows[at].pair.name for at in listed(found.rows, "changed")] == ["values"]
    assert [found.rows[at].pair.name for at in listed(found.rows, text="PE")] == ["shape", "type"]
    by_name = listed(found.rows, column=Column.NAME, descending=True)
    assert [found.rows[at].pair.name for at in by_name][:2] == ["values", "type"]
    assert found.rows[listed(found.rows, column=Column.LARGEST, descending=True)[0]].pair.name == "values"


def test_plain_values_by_their_paths() -> None:
    first = {"model": weights(1), "hyper": {"lr": 0.1, "name": "a", "gone": None}, "epochs": 1}
    second = {"model": weights(1), "hyper": {"lr": 0.2, "name": "a"}, "epochs": True, "new": [3]}
    found = between(torch_zip(first), torch_zip(second))
    rows = {row.name: (row.status, row.a and row.a.shown, row.b and row.b.shown) for row in found.values}
    assert rows == {
        "hyper.lr": ("changed", 0.1, 0.2),
        "hyper.name": ("equal", "a", "a"),
        "hyper.gone": ("only-a", None, None),
        "epochs": ("changed", 1, True),
        "new.0": ("only-b", None, 3),
    }
    assert found.values_differ == 4
    assert not found.equal


def test_long_bytes_are_compared_whole() -> None:
    first, second = ({"model": weights(1), "blob": b"x" * 100 + last} for last in (b"a", b"b"))
    found = between(torch_zip(first), torch_zip(second))
    assert [(row.name, row.status) for row in found.values] == [("blob", "changed")]


def test_optimizers_count_where_the_whole_is_meant() -> None:
    def checkpoint(moment: float) -> bytes:
        states = [(full("float32", (), [3]), full("float32", (1,), [moment]), full("float32", (1,), [1]))]
        return torch_zip({"model": weights(1), "optimizer": adam_state_dict(states)})

    found = between(checkpoint(1), checkpoint(1))
    assert found.equal
    assert len(found.rows) == 4
    assert between(checkpoint(1), checkpoint(2)).counts["changed"] == 1
    assert found.left_out == 0
    # Against the bare weights only these are compared, and it is said that there is more.
    found = between(checkpoint(1), torch_zip(weights(1)))
    assert statuses(found) == {"fc.w": "equal"}
    assert found.left_out > 0


def test_two_branches_of_one_file() -> None:
    data = torch_zip({"model": weights(1, 2), "ema": weights(1, 3)})
    document = open_document(MemorySource(data))
    found = compare(*sides_of(document, document, (Part("model"), Part("ema"))))
    assert statuses(found) == {"fc.w": "changed"}
    assert (found.left_out, found.sources) == (0, [])
    with pytest.raises(ExportError, match="nowhere"):
        sides_of(document, document, (Part("nowhere"), Part("ema")))


def test_several_models_are_compared_whole() -> None:
    data = torch_zip({"modelA": weights(1), "modelB": weights(2)})
    found = between(data, data)
    assert statuses(found) == {"modelA.fc.w": "equal", "modelB.fc.w": "equal"}


def test_files_of_other_kinds() -> None:
    arrays = npz({"fc.w": floats([1, 2])})
    found = between(torch_zip(weights(1, 2)), arrays)
    assert statuses(found) == {"fc.w": "equal"}
    found = between(torch_zip(weights(1, 2)), b"no checkpoint at all")
    assert statuses(found) == {"fc.w": "unexpected"}
    assert between(b"", b"").equal


def test_tied_tensors_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    from viewer.core.comparing import comparison

    before = comparison.compare_elements
    monkeypatch.setattr(comparison, "compare_elements", lambda *args: asked.append(args) or before(*args))
    tied, alone = (full("float32", (2000,), range(2000)) for _ in range(2))
    data = torch_zip(state_dict({"a": tied, "b": tied, "c": alone}))
    found = between(data, data)
    assert statuses(found) == {"a": "equal", "b": "equal", "c": "equal"}
    assert len(asked) == 2


def test_the_progress_of_tied_tensors_counts_what_is_read_once() -> None:
    tied = full("float32", (20_000,), range(20_000))
    data = torch_zip(state_dict({"a": tied, "b": tied, "c": full("float32", (2,), [1, 2])}))
    documents = [open_document(MemorySource(data)) for _ in range(2)]
    progress = Every()
    compare(*sides_of(documents[0], documents[1]), progress=progress)
    assert progress.last == (2 * 80_008, 2 * 80_008)


def test_a_conjugate_of_a_tied_tensor_is_compared_by_itself() -> None:
    first, second = (np.full(1000, number, "<c8") for number in (1 + 2j, 1 - 2j))
    mine, other = (over(numbers.tobytes(), "complex64", (1000,)) for numbers in (first, second))
    turned = replace(mine, conj=True)
    document = open_document(MemorySource(b""))
    sides = Side(document, "", [("w", mine), ("turned", turned)]), Side(document, "", [("w", other), ("turned", other)])
    found = compare(*sides)
    assert statuses(found) == {"w": "changed", "turned": "equal"}


def test_a_lone_infinity_has_no_mean_difference() -> None:
    found = between(torch_zip(weights(math.inf)), torch_zip(weights(1)))
    assert details(found.rows[0]) == "1 of 1 elements differ. The largest difference is inf, at [0]."


def test_a_cut_tensor_does_not_stop_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "cut.npy"
    whole = floats(list(range(100)))
    path.write_bytes(whole[:-8])
    documents = open_document(path), open_document(MemorySource(whole))
    found = compare(*sides_of(documents[0], documents[1]))
    documents[0].close()
    assert (found.verdict, found.equal, found.counts["unknown"]) == ("unknown", False, 1)
    assert "8 of 400 bytes are missing in A" in "".join(report_text(found))


def named(*names: str) -> list[tuple[str, Any]]:
    document = open_document(
        MemorySource(torch_zip(state_dict({name: full("float32", (2,), [1, 2]) for name in names})))
    )
    return [(str(tensor.name), tensor) for tensor in document.tensors]


def test_words_of_load_state_dict() -> None:
    words = load_words(named("a.w", "c.w"), named("a.w", "b.w"), "Net")
    assert words == (
        "Error(s) in loading state_dict for Net:\n"
        '\tMissing key(s) in state_dict: "b.w". \n'
        '\tUnexpected key(s) in state_dict: "c.w". '
    )
    assert load_words(named("a.w"), named("a.w"), "Net") == ""


def test_counters_of_early_batch_norms_are_not_missed() -> None:
    first, second = named("bn.weight"), named("bn.weight", "bn.num_batches_tracked")
    assert load_words(first, second, "Net") == ""
    assert "num_batches_tracked" in load_words(first, second, "Net", {"bn": {"version": 2}})


def test_json_of_all() -> None:
    first = {"model": weights(1, float("nan")), "lr": 1e-3}
    second = {"model": weights(float("inf"), float("nan")), "lr": 2e-3}
    found = report_json(between(torch_zip(first), torch_zip(second)))
    assert (found["equal"], found["by"], found["suggestion"], found["load_state_dict"]) == (False, "name", None, None)
    assert found["counts"]["changed"] == found["counts"]["values"] == 1
    row = found["tensors"][0]
    assert (row["name"], row["status"], row["a"]["path"]) == ("fc.w", "changed", ["model", "fc.w"])
    assert (row["elements"]["largest"], row["elements"]["nan_both"]) == ({"float": "inf"}, 1)
    assert found["values"] == [{"path": ["lr"], "status": "changed", "a": 1e-3, "b": 2e-3}]


def test_by_order_names_are_those_of_the_model() -> None:
    found = between(
        torch_zip(state_dict({"a": full("float32", (1,), [1])})), torch_zip(weights(1)), rules=Rules(by=By.ORDER)
    )
    assert (statuses(found), found.load_words()) == ({"a": "equal"}, "")


def saved(*names: str, size: int = 1) -> bytes:
    return torch_zip(state_dict({name: full("float32", (size,), [1] * size) for name in names}))


def test_words_of_torch_by_order_and_by_spelling() -> None:
    order, spelling = Rules(by=By.ORDER), Rules(by=By.SPELLING)
    head = "Error(s) in loading state_dict for Module:\n\t"
    assert between(saved("0.w"), saved("a.w", "a.b"), rules=order).load_words() == (
        head + 'Missing key(s) in state_dict: "a.b". '
    )
    assert between(saved("0.w", "0.b"), saved("a.w"), rules=order).load_words() == (
        head + 'Unexpected key(s) in state_dict: "0.b". '
    )
    # The second of A has the name that its first one meets.
    assert between(saved("0.w", "a.w"), saved("a.w"), rules=order).load_words() == (
        head + 'Unexpected key(s) in state_dict: "a.w#". '
    )
    assert between(saved("0.w", size=2), saved("a.w"), rules=order).load_words() == (
        head + "size mismatch for a.w: copying a param with shape torch.Size([2]) from checkpoint, "
        "the shape in current model is torch.Size([1])."
    )
    assert between(saved("ema_a_w"), saved("a.w"), rules=spelling).load_words() == ""
    assert between(saved("a_w"), saved("a.w", "c"), rules=spelling).load_words() == (
        head + 'Missing key(s) in state_dict: "c". '
    )


def values_of(found: Comparison) -> dict[tuple[object, ...], tuple[str, str, str]]:
    return {row.path: (row.status, value_text(row.a), value_text(row.b)) for row in found.values}


def test_empty_containers_are_told_where_the_other_has_none() -> None:
    first = {"model": weights(1), "a": {}, "b": [], "both": {}, "full": {}, "kind": {}, "inner": {"x": ()}, "held": {}}
    second = {
        "model": weights(1),
        "both": {},
        "full": {"x": 1},
        "kind": [],
        "inner": {},
        "held": [full("float32", (1,), [1])],
    }
    found = values_of(between(torch_zip(first), torch_zip(second)))
    assert found == {
        ("full", "x"): ("only-b", "\u2014", "1"),
        ("kind",): ("changed", "{}", "[]"),
        ("a",): ("only-a", "{}", "\u2014"),
        ("b",): ("only-a", "[]", "\u2014"),
        ("inner", "x"): ("only-a", "()", "\u2014"),
    }
    same = between(torch_zip(first), torch_zip(first))
    assert (same.equal, values_of(same)) == (True, {})


def test_mappings_of_hooks_that_newer_modules_have_are_no_difference() -> None:
    def module(**more: object) -> bytes:
        held = {"_parameters": weights(1), "_buffers": OrderedDict(), "training": True, **more}
        return torch_zip(Instance(Global("nets", "Net"), (), held))

    newer = module(_forward_hooks_with_kwargs=OrderedDict(), _state_dict_pre_hooks=OrderedDict())
    assert between(module(), newer).equal
    assert not between(module(), module(limits=OrderedDict())).equal


def test_the_plane_of_a_difference() -> None:
    first = full("float32", (2, 2, 3), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, float("nan")])
    second = full("float32", (2, 2, 3), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, float("nan")])
    found = between(torch_zip(state_dict({"w": first})), torch_zip(state_dict({"w": second})))
    sheet = difference_sheet(found.rows[0])
    assert sheet is not None
    assert (sheet.rows, sheet.columns, sheet.index(1, 1), sheet.cell((1, 1, 1))) == (2, 3, (1, 1, 1), (1, 1))
    assert sheet.read(range(2), range(3)).tolist() == [[0, 0, 0], [0, 4, 0]]
    other = difference_sheet(found.rows[0], Axes(2, 0, (0, 1, 0)))
    assert other is not None
    assert other.read(range(3), range(2)).tolist() == [[0, 0], [0, 4], [0, 0]]
    lone = between(torch_zip(state_dict({"w": full("float32", (), [1])})), torch_zip(state_dict({})))
    assert difference_sheet(lone.rows[0]) is None


def test_many_rows_are_listed_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"w.{at * 7 % 50}" for at in range(50)]
    first, second = ({name: full("float32", (1,), [at * step]) for at, name in enumerate(names)} for step in (1, 2))
    found = between(torch_zip(state_dict(first)), torch_zip(state_dict(second)))
    orders = []
    for piece in (1000, 7):
        monkeypatch.setattr(arranging, "PIECE", piece)
        orders.append([listed(found.rows, column=by, descending=way) for by in Column for way in (False, True)])
    assert orders[0] == orders[1]
    assert listed([]) == []


def test_counts_follow_what_is_compared() -> None:
    documents = [open_document(MemorySource(torch_zip(weights(*numbers)))) for numbers in ((1, 2), (1, 3))]
    made = lay_out(*sides_of(documents[0], documents[1]))
    assert (made.counts["pending"], made.verdict) == (1, "alike")
    assert list(fill_in(made)) == [0]
    assert (made.counts["pending"], made.counts["changed"], made.verdict) == (0, 1, "differ")
