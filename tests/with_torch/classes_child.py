"""Run by test_torch_classes.py in a process of its own: facts of the installed torch. Prints JSON.

What nn.Module answers for, which attributes loading fills in on objects that lack them, what using such an object
gives, and what it gives after the lines of stdin (a JSON object, by attribute) were run.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import torch
from torch import nn

MADE = {
    "approximate": nn.GELU(),
    "batch_first": nn.MultiheadAttention(4, 2),
    "divisor_override": nn.AvgPool2d(2),
    "label_smoothing": nn.CrossEntropyLoss(),
    "norm_first": nn.TransformerEncoderLayer(4, 2),
    "padding_mode": nn.Conv1d(2, 2, 3),
    "proj_size": nn.LSTM(2, 2),
    "recompute_scale_factor": nn.Upsample(scale_factor=2),
}


def loaded(module: nn.Module, lacking: str) -> object:
    """What the attribute is after loading an object that lacks it, as pickle does: `__new__`, then the state."""
    state = {name: value for name, value in vars(module).items() if name != lacking}
    made: Any = type(module).__new__(type(module))
    made.__setstate__(state)
    return repr(vars(made)[lacking]) if lacking in vars(made) else None


SQUARE = torch.ones(2, 4, 4)
INPUTS = {
    "batch_first": (SQUARE, SQUARE, SQUARE),
    "label_smoothing": (torch.ones(2, 3), torch.tensor([0, 1])),
    "padding_mode": (torch.ones(2, 2, 4),),
    "proj_size": (torch.ones(2, 2, 2),),
}


def used(module: nn.Module, lacking: str, mended: str) -> str:
    """What calling an object without the attribute raises, or "" where it works."""
    delattr(module, lacking)
    # the code is ours: that which the program offers for this attribute
    exec(mended, {"model": module, "nn": nn, "torch": torch})
    try:
        module(*INPUTS.get(lacking, (SQUARE,)))
    except AttributeError as failure:
        return str(failure)
    return ""


def made(name: str) -> nn.Module:
    """Another object of the same kind."""
    module = MADE[name]
    copied: nn.Module = type(module).__new__(type(module))
    copied.__dict__.update(vars(module))
    return copied


FIXES: dict[str, str] = json.load(sys.stdin)
print(
    json.dumps(
        {
            "version": torch.__version__,
            "module": sorted({*dir(nn.Module), *vars(nn.Module())}),
            "filled": {name: loaded(module, name) for name, module in MADE.items()},
            "modules": {name: type(module).__module__ for name, module in MADE.items()},
            "used": {name: used(made(name), name, "") for name in MADE},
            "mended": {name: used(made(name), name, FIXES[name]) for name in MADE},
            "sets": {name: name in vars(module) for name, module in MADE.items()},
        }
    )
)
