"""Run by test_torch_classes.py in a process of its own: facts of the installed torch. Prints JSON.

What nn.Module answers for, and which attributes loading fills in on objects that lack them.
"""

from __future__ import annotations

import json

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
    made = type(module).__new__(type(module))
    made.__setstate__(state)
    return repr(vars(made)[lacking]) if lacking in vars(made) else None


print(
    json.dumps(
        {
            "version": torch.__version__,
            "module": sorted({*dir(nn.Module), *vars(nn.Module())}),
            "filled": {name: loaded(module, name) for name, module in MADE.items()},
            "modules": {name: type(module).__module__ for name, module in MADE.items()},
            "sets": {name: name in vars(module) for name, module in MADE.items()},
        }
    )
)
