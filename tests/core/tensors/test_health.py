"""The scan of values: each fault is found, with how many and where; what is sound is not blamed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from typing_extensions import override

from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.core.tensors.streams import over
from tests.opened import opened
from tests.shared import ROOT
from viewer.core.errors import CancelledError, SourceError
from viewer.core.formats.base import Options
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.tensors import health, window
from viewer.core.tensors.health import Fault, Finding, Health, scan
from viewer.core.tensors.statistics import Norms, Statistics
from viewer.core.tensors.tensor import Tensor

NAN, INF = float("nan"), float("inf")


def scanned(values: dict[str, object]) -> tuple[Health, list[str]]:
    document = opened(torch_zip(values))
    health = scan(document.tensors, Progress())
    assert health.done
    assert health.scanned == health.total == len(document.tensors)
    return health, [str(tensor.name) for tensor in document.tensors]


def only(values: dict[str, object]) -> Finding:
    health, _ = scanned(values)
    (finding,) = health.findings
    return finding


def test_sound_tensors_are_not_blamed() -> None:
    values = {"w": full("float32", (2, 3), range(6)), "n": full("int64", (), [0]), "b": full("bool", (2,), [0, 1])}
    health, _ = scanned(values)
    assert health.findings == []
    first = health.statistics[0]
    assert first is not None
    assert (first.minimum, first.maximum) == (0, 5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_nan_and_infinities_are_counted_with_the_first(dtype: str) -> None:
    health, _ = scanned({"w": full(dtype, (2, 3), [1, 2, INF, NAN, -INF, NAN])})
    assert health.findings == [
        Finding(Fault.NAN, 0, 2, (1, 0)),
        Finding(Fault.INF, 0, 2, (0, 2)),
    ]
    assert health.faults == {0: frozenset({Fault.NAN, Fault.INF})}


@pytest.mark.parametrize(
    ("dtype", "least", "normal"),
    [
        ("float16", 2.0**-24, 2.0**-14),
        ("bfloat16", 2.0**-133, 2.0**-126),
        ("float32", 2.0**-149, 2.0**-126),
        ("float64", 2.0**-1074, 2.0**-1022),
    ],
)
def test_denormals_are_told_from_zero_and_from_the_least_normal_number(dtype: str, least: float, normal: float) -> None:
    finding = only({"w": full(dtype, (6,), [0.0, -0.0, normal, -normal, least, -least])})
    assert (finding.fault, finding.count) == (Fault.DENORMAL, 2)


def test_zeros_and_constants() -> None:
    assert only({"w": full("float32", (4,), [0] * 4)}) == Finding(Fault.ZERO, 0, 4)
    assert only({"w": full("int32", (3,), [7] * 3)}) == Finding(Fault.CONSTANT, 0, 3, value=7)


def test_a_variance_is_never_negative() -> None:
    values = {"bn.running_var": full("float32", (2,), [1, -0.5]), "bn.running_mean": full("float32", (2,), [1, -0.25])}
    finding = only(values)
    assert (finding.fault, finding.tensor, finding.value) == (Fault.NEGATIVE, 0, -0.5)


def test_equal_values_stored_twice_are_identical_and_one_storage_under_two_names_is_shared() -> None:
    pair = storage("float32", [1, 2, 3, 4])
    values = {
        "a": tensor(pair, (2, 2)),
        "b": tensor(pair, (2, 2)),
        "c": full("float32", (2, 2), [1, 2, 3, 4]),
        "other": full("float32", (2, 2), [1, 3, 2, 4]),
        "shape": full("float32", (4,), [1, 2, 3, 4]),
        "zero": full("float32", (3,), [0, 0, 0]),
        "nought": full("float32", (3,), [0, 0, 0]),
    }
    health, names = scanned(values)
    told = [(found.fault, names[found.tensor], [names[one] for one in found.others]) for found in health.findings]
    assert told == [
        (Fault.ZERO, "zero", []),
        (Fault.ZERO, "nought", []),
        (Fault.SHARED, "a", ["b"]),
        (Fault.IDENTICAL, "a", ["c"]),
    ]


def test_a_transposed_copy_is_identical_too() -> None:
    turned = storage("float32", np.arange(6, dtype=np.float32).reshape(2, 3).T.reshape(-1))
    health, _ = scanned({"a": full("float32", (2, 3), range(6)), "b": tensor(turned, (2, 3), (1, 2))})
    assert [(found.fault, found.others) for found in health.findings] == [(Fault.IDENTICAL, (1,))]


def test_what_is_cut_is_said_to_be_not_read() -> None:
    document = open_document(ROOT / "resources" / "samples" / "half_download.pth")
    health = scan(document.tensors, Progress())
    cut = [number for number, one in enumerate(document.tensors) if not window.complete(one)]
    assert [found.tensor for found in health.findings if found.fault is Fault.UNREAD] == cut != []
    document.close()


def test_what_a_device_fails_to_give_is_said_to_be_not_read() -> None:
    class Failing(MemorySource):
        @override
        def read(self, offset: int, length: int) -> bytes:
            raise SourceError("source-cut")

    tensor = over(bytes(40), "float32", (10,))
    assert tensor.storage is not None
    tensor.storage.source = Failing(bytes(40))
    assert scan([tensor], Progress()).findings == [Finding(Fault.UNREAD, 0)]


def test_sizes_that_cannot_be_do_not_stop_a_scan() -> None:
    held = storage("float32", [1, 2, NAN])
    health, names = scanned({"a": tensor(held, (-3,), (1,)), "b": tensor(held, (3, 4), (1,)), "c": tensor(held, (3,))})
    assert [(found.fault, names[found.tensor]) for found in health.findings] == [(Fault.NAN, "c")]


def test_a_scan_that_is_stopped_keeps_what_it_found() -> None:
    document = opened(torch_zip({"a": full("float32", (2,), [NAN, 1]), "b": full("float32", (2,), [NAN, 1])}))
    health, progress = Health(), Progress()

    class Stopping(Progress):
        def step(self, what: str, done: int, total: int = 0) -> None:
            super().step(what, done, total)
            if health.scanned == 1:
                progress.cancel()

    progress = Stopping()
    with pytest.raises(CancelledError):
        scan(document.tensors, progress, health)
    assert not health.done
    assert [found.tensor for found in health.findings] == [0]


def test_sentences_name_what_they_are_about() -> None:
    document = opened(torch_zip({"a": full("float32", (2, 2), [1, NAN, 3, 4]), "b": full("float32", (2,), [5, 5])}))
    health = scan(document.tensors, Progress())
    assert [found.text(document.tensors) for found in health.findings] == [
        "Elements that are no number: 1. The first is [0, 1].",
        "All 2 elements are 5.0.",
    ]


# -- small tensors are looked at together ------------------------------------------------------------------


def varied() -> dict[str, object]:
    """Small tensors of all types, with what is strange in some of them."""
    random = np.random.default_rng(5)
    found: dict[str, object] = {}
    for name in ("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8"):
        for shape in ((1,), (7,), (3, 5), (2, 1, 4), ()):
            low = 0 if name.startswith("u") else -9
            numbers = random.integers(low, 9, int(np.prod(shape))).tolist()
            found[f"{name}.{shape}"] = full(name, shape, numbers)
    found["nan"] = full("float32", (3,), [1, NAN, 2])
    found["inf"] = full("float16", (3,), [1, -INF, 2])
    found["huge"] = full("float64", (2,), [1e300, -1e300])
    found["denormal"] = full("float32", (3,), [0, 2.0**-149, 1])
    found["zeros"] = full("bfloat16", (4,), [0] * 4)
    found["ones"] = full("int16", (4,), [1] * 4)
    found["layer.running_var"] = full("float32", (2,), [1, -1])
    found["empty"] = full("float32", (0,), [])
    found["truth"] = full("bool", (3,), [1, 0, 1])
    return found


def alone(monkeypatch: pytest.MonkeyPatch, tensors: Sequence[Tensor]) -> Health:
    """The scan with each tensor looked at by itself."""
    with monkeypatch.context() as patch:
        patch.setattr("viewer.core.tensors.health.is_small", lambda tensor: False)
        return scan(tensors, Progress())


@pytest.mark.parametrize("order", ["little", "big"])
def test_small_tensors_are_found_to_be_what_each_is(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = opened(torch_zip(varied()), Options(byteorder=order))
    together, apart = scan(document.tensors, Progress()), alone(monkeypatch, document.tensors)
    assert together.findings == apart.findings
    assert together.faults == apart.faults
    assert list(together.statistics) == list(apart.statistics) == list(range(len(document.tensors)))
    for number, one in together.statistics.items():
        other = apart.statistics[number]
        if one is None or other is None or other.mean is None or isinstance(other.mean, complex):
            assert one == other
            continue
        near = {"mean": pytest.approx(other.mean), "std": pytest.approx(other.std)}
        norms = Norms(*map(pytest.approx, (other.norms.l1, other.norms.l2, other.norms.maximum)))
        assert one == replace(other, **near, norms=norms)
        assert isinstance(one.minimum, int) == isinstance(other.minimum, int)


def test_most_small_tensors_are_read_with_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    document = opened(torch_zip(varied()))
    real = health.statistics

    def counted(tensor: Tensor, *more: Any) -> Statistics | None:
        asked.append(str(tensor.name))
        return real(tensor, *more)

    monkeypatch.setattr(health, "statistics", counted)
    scan(document.tensors, Progress())
    # Booleans, what has no elements, and what is strange.
    assert asked == ["nan", "inf", "huge", "empty", "truth"]


def test_many_batches_keep_their_order_and_are_told_on_the_way() -> None:
    values = {f"w{number}": full("float32", (4,), [number, 1, 2, 3]) for number in range(3000)}
    document = opened(torch_zip(values))
    told: list[tuple[int, int]] = []
    found = Health()

    class Watching(Progress):
        @override
        def step(self, name: str, done: int, total: int) -> None:
            told.append((done, found.scanned))
            super().step(name, done, total)

    scan(document.tensors, Watching(), found)
    assert list(found.statistics) == list(range(3000))
    assert found.scanned == 3000
    assert len({scanned for _, scanned in told}) > 2000
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == 2999 * 16


def test_small_tensors_that_lost_a_byte_are_told_one_by_one() -> None:
    values = {f"w{number}": full("float32", (4,), [number, 1, 2, 3]) for number in range(4)}
    document = opened(torch_zip(values))
    last = document.tensors[3].storage
    assert last is not None
    assert last.source is not None
    short = replace(last, source=MemorySource(bytes(7)))
    tensors = [*document.tensors[:3], replace(document.tensors[3], storage=short)]
    assert scan(tensors, Progress()).findings == [Finding(Fault.UNREAD, 3)]


def test_all_that_are_identical_are_one_group_and_each_is_marked() -> None:
    values: dict[str, object] = {f"w{number}": full("float32", (3,), [1, 2, 3]) for number in range(5)}
    values |= {"other": full("float32", (3,), [3, 2, 1]), "last": full("float32", (3,), [1, 2, 3])}
    found, names = scanned(values)
    (finding,) = found.findings
    assert finding == Finding(Fault.IDENTICAL, 0, others=(1, 2, 3, 4, 6))
    assert [names[number] for number in sorted(found.faults)] == ["w0", "w1", "w2", "w3", "w4", "last"]
    assert set(found.faults.values()) == {frozenset({Fault.IDENTICAL})}
