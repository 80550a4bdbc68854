"""Run by test_versions.py in a process of its own: state_dicts as older torch wrote them, and what today's loader does.

FOLDER      saves each state_dict to a file; prints for each the keys that the loader missed, refused, or had to make,
            or what it raised
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.ao.nn.intrinsic.qat import ConvBn2d
from torch.ao.quantization import MinMaxObserver, PerChannelMinMaxObserver, get_default_qat_qconfig
from torch.nn.utils import parametrizations, spectral_norm, weight_norm

State = OrderedDict[str, Any]


def without(state: State, *keys: str, version: int | None = None, path: str = "") -> State:
    """Keys taken out, and the version of a module changed."""
    for key in keys:
        del state[key]
    state._metadata[path]["version"] = version
    if version is None:
        del state._metadata[path]["version"]
    return state


def bare(state: State) -> State:
    """Without `_metadata`, as a copy into an OrderedDict has it."""
    return OrderedDict(state)


def old_spectral(state: State, version: int | None) -> State:
    """A spectral norm before version 1: the weight, and no second vector."""
    state["weight"] = state["weight_orig"] * 0.5
    del state["weight_v"]
    state._metadata[""].pop("spectral_norm")
    if version is not None:
        state._metadata[""]["spectral_norm"] = {"weight.version": version}
    return state


def unversioned(state: State) -> State:
    """All keys of a spectral norm, and no version."""
    state._metadata[""].pop("spectral_norm")
    return state


def old_fused(module: nn.Module) -> State:
    """A fused convolution and norm of version 1."""
    state = module.state_dict()
    for new, old in {"weight": "gamma", "bias": "beta", **{name: name for name in STATISTICS}}.items():
        state[old] = state.pop(f"bn.{new}")
    state._metadata[""]["version"] = 1
    return state


STATISTICS = ("running_mean", "running_var", "num_batches_tracked")


def spectral() -> nn.Module:
    """A layer with the hooks of a spectral norm."""
    return spectral_norm(nn.Linear(3, 3, bias=False))


def fused() -> nn.Module:
    """A convolution and its norm in one, as training for quantisation has them."""
    return ConvBn2d(2, 3, 1, qconfig=get_default_qat_qconfig("fbgemm"))


def cases() -> Iterator[tuple[str, nn.Module, State]]:
    """By name: the module that is loaded into, and what is loaded."""
    yield "norm of today", nn.BatchNorm2d(3), nn.BatchNorm2d(3).state_dict()
    yield (
        "norm of version 1",
        nn.BatchNorm2d(3),
        without(nn.BatchNorm2d(3).state_dict(), "num_batches_tracked", version=1),
    )
    yield (
        "norm without its counter",
        nn.BatchNorm2d(3),
        without(nn.BatchNorm2d(3).state_dict(), "num_batches_tracked", version=2),
    )
    yield (
        "norm without versions",
        nn.BatchNorm2d(3),
        bare(without(nn.BatchNorm2d(3).state_dict(), "num_batches_tracked")),
    )
    kept = nn.InstanceNorm2d(3, track_running_stats=True).state_dict()
    yield "instance norm of 0.3", nn.InstanceNorm2d(3), bare(without(kept, "num_batches_tracked"))
    yield "spectral norm of today", spectral(), spectral().state_dict()
    yield "spectral norm before version 1", spectral(), old_spectral(spectral().state_dict(), None)
    yield "spectral norm without version", spectral(), unversioned(spectral().state_dict())
    part = old_spectral(spectral().state_dict(), None)
    del part["weight"]
    yield "spectral norm in part", spectral(), part
    yield "weight norm", parametrizations.weight_norm(nn.Linear(2, 3)), weight_norm(nn.Linear(2, 3)).state_dict()
    observer = MinMaxObserver()
    yield "observer of version 1", MinMaxObserver(), without(observer.state_dict(), "eps", version=1)
    channels = PerChannelMinMaxObserver().state_dict()
    channels["min_vals"], channels["max_vals"] = channels.pop("min_val"), channels.pop("max_val")
    channels._metadata[""]["version"] = 2
    yield "observer by channel of version 2", PerChannelMinMaxObserver(), channels
    yield "fused norm of version 1", fused(), old_fused(fused())


def outcome(module: nn.Module, state: State) -> list[str]:
    """Nothing for what loads strictly; else the first line of each fault."""
    try:
        module.load_state_dict(state, strict=True)
    except RuntimeError as failure:
        return [line.strip() for line in str(failure).splitlines()[1:]]
    return []


def main(folder: Path) -> None:
    """All cases."""
    warnings.simplefilter("ignore")
    found = {}
    for number, (name, module, state) in enumerate(cases()):
        torch.save(state, folder / f"{number}.pt")
        found[name] = outcome(module, state)
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
