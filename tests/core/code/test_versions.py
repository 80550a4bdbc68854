"""Versions of modules, and what torch's loader does about old ones."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from tests.builders.torch_values import module, state_dict
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Global
from tests.core.code.test_skeleton import linear, zeros
from tests.opened import opened
from viewer.core.code.versions import ModuleVersion, module_versions
from viewer.core.objects.state_dict import state_dicts
from viewer.wording.versions import VERSIONS

NORM = Global("torch.nn.modules.batchnorm", "BatchNorm2d")
INSTANCE = Global("torch.nn.modules.instancenorm", "InstanceNorm2d")


def rows(value: object) -> list[ModuleVersion]:
    """The rows of the only state_dict in a file."""
    document = opened(torch_zip(value))
    pickle = document.main_pickle
    assert pickle is not None
    (branch,) = state_dicts(pickle.values, document.tensors, pickle.index)
    found = module_versions(pickle.values, branch)
    assert all(not row.code or row.code in VERSIONS for row in found)
    return found


def codes(value: object) -> list[tuple[str, str]]:
    """Path and code of what happens."""
    return [(row.path, row.code) for row in rows(value) if row.code]


def norm(version: int | None, *names: str) -> OrderedDict[str, object]:
    """A state_dict with a norm `bn` in it."""
    tensors = {f"bn.{name}": zeros(*(() if name == "num_batches_tracked" else (3,))) for name in names}
    return state_dict(tensors, {"": 1, "bn": version} if version is not None else {"": 1})


STATISTICS = ("weight", "bias", "running_mean", "running_var")


def test_versions_are_listed_also_where_nothing_happens() -> None:
    value = state_dict(
        {"fc.weight": zeros(2, 3), "bn.running_mean": zeros(3), "bn.running_var": zeros(3)}, {"": 1, "bn": 1}
    )
    assert rows(value) == [
        ModuleVersion("", None, 1, None),
        ModuleVersion("bn", None, 1, 2, "counter-added"),
        ModuleVersion("fc", None, None, None),
    ]


@pytest.mark.parametrize(
    ("version", "names", "expected"),
    [
        (2, (*STATISTICS, "num_batches_tracked"), []),
        (1, STATISTICS, [("bn", "counter-added")]),
        (2, STATISTICS, [("bn", "counter-missing")]),
        (None, STATISTICS, [("bn", "statistics-unversioned")]),
        (1, (*STATISTICS, "num_batches_tracked"), []),
        (2, ("weight", "bias"), []),
        (3, (*STATISTICS, "num_batches_tracked"), [("bn", "version-newer")]),
    ],
)
def test_norms(version: int | None, names: tuple[str, ...], expected: list[tuple[str, str]]) -> None:
    assert codes(norm(version, *names)) == expected


def test_a_plain_dict_has_no_versions() -> None:
    assert codes({"fc.weight": zeros(2, 3)}) == [("", "no-versions")]


@pytest.mark.parametrize(
    ("version", "names", "code"),
    [
        (None, "weight_orig weight_u weight", "spectral-vector-solved"),
        (0, "weight_orig weight_u weight", "spectral-vector-solved"),
        (None, "weight_orig weight_u weight_v", "spectral-taken-for-newest"),
        (None, "weight_orig weight_u", "spectral-incomplete"),
        (1, "weight_orig weight_u weight_v", ""),
        (None, "weight_g weight_v", "weight-norm-renamed"),
        (None, "weight_g bias", ""),
    ],
)
def test_norms_of_weights(version: int | None, names: str, code: str) -> None:
    value = state_dict({f"fc.{name}": zeros(3) for name in names.split()}, {"": 1, "fc": 1})
    if version is not None:
        vars(value)["_metadata"]["fc"]["spectral_norm"] = {"weight.version": version}
    found = [row for row in rows(value) if row.path == "fc"]
    assert [(row.code, row.stored) for row in found] == [(code, 1)]
    assert not code or dict(found[0].params) == {"name": "weight"}


@pytest.mark.parametrize(
    ("version", "shapes", "code"),
    [
        (1, {"min_val": (), "max_val": ()}, "observer-eps-added"),
        (3, {"min_val": (), "max_val": ()}, ""),
        (2, {"min_vals": (3,), "max_vals": (3,)}, "observer-names-moved"),
        (1, {"gamma": (3,), "beta": (3,), "running_mean": (3,), "running_var": (3,)}, "fused-names-moved"),
        (1, {"weight": (2, 3), "bias": (2,), "scale": (), "zero_point": ()}, "quantized-weights-packed"),
        (1, {"weight": (2, 3, 1, 1), "bias": (2,), "scale": (), "zero_point": ()}, ""),
        (3, {"weight": (2, 3), "bias": (2,), "scale": (), "zero_point": ()}, ""),
    ],
)
def test_quantisation(version: int, shapes: dict[str, tuple[int, ...]], code: str) -> None:
    value = state_dict({f"q.{name}": zeros(*shape) for name, shape in shapes.items()}, {"": 1, "q": version})
    assert codes(value) == ([("q", code)] if code else [])


def test_packed_weights_of_version_1() -> None:
    tensors = {"q.scale": zeros(), "q._packed_params.weight": zeros(2, 3), "q._packed_params.bias": zeros(2)}
    value = state_dict(tensors, {"": 1, "q": 2, "q._packed_params": 1})
    assert codes(value) == [
        ("q._packed_params", "quantized-weights-packed"),
        ("q._packed_params", "quantized-dtype-assumed"),
    ]


def test_whole_modules_tell_their_classes() -> None:
    counted = {"running_mean": zeros(3), "running_var": zeros(3)}
    old = module(NORM, {"num_features": 3, "track_running_stats": True}, {}, counted)
    instance = module(INSTANCE, {"num_features": 3, "track_running_stats": False}, {}, {"running_mean": None})
    value = module(Global("nets", "Net"), {}, {}, {}, {"bn": old, "norm": instance, "fc": linear(1, 2)})
    assert rows(value) == [
        ModuleVersion("", "nets.Net", 1, None),
        ModuleVersion("bn", "torch.nn.modules.batchnorm.BatchNorm2d", 1, 2, "counter-added"),
        ModuleVersion("norm", "torch.nn.modules.instancenorm.InstanceNorm2d", 1, 2),
        ModuleVersion("fc", "torch.nn.modules.linear.Linear", 1, 1),
    ]


def test_a_newer_version_than_that_of_the_class() -> None:
    (row,) = rows(norm(7, *STATISTICS, "num_batches_tracked"))[1:]
    assert (row.code, row.params["stored"], row.params["today"]) == ("version-newer", 7, 2)


def test_sentences_are_whole() -> None:
    for words in VERSIONS.values():
        assert not words.title.endswith(".")
        assert words.detail.endswith(".")
        assert not words.remedy or words.remedy.endswith(".")
