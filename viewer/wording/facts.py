"""Sentences of Summary: what a file holds, and what can be done next."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

HOLDS: Final[dict[str, str]] = {
    "arrays": QT_TRANSLATE_NOOP("wording", "Arrays: {count}"),
    "branches": QT_TRANSLATE_NOOP("wording", "Checkpoint with several parts: {titles}"),
    "bytecode": QT_TRANSLATE_NOOP(
        "wording", "Bytecode for phones, version {version}; methods: {methods}, operators: {operators}"
    ),
    "bytecode-early": QT_TRANSLATE_NOOP(
        "wording", "Bytecode for phones, without a version; methods: {methods}, operators: {operators}"
    ),
    "checkpoint": QT_TRANSLATE_NOOP("wording", "Checkpoint; its weights are a state_dict under {title}"),
    "averages": QT_TRANSLATE_NOOP(
        "wording",
        'Averages among the names: {count} begin with "{prefix}" and stand for others of the same shape; {nbytes} of {size} bytes. An export can leave them out',
    ),
    "compiled": QT_TRANSLATE_NOOP("wording", "Compiled code for {device}, {machine}"),
    "extern": QT_TRANSLATE_NOOP("wording", "Modules that the package takes from outside: {names}"),
    "files": QT_TRANSLATE_NOOP("wording", "Files that can be opened: {count}"),
    "graph": QT_TRANSLATE_NOOP("wording", "Program of torch.export; nodes: {nodes}, different operators: {operators}"),
    "inputs": QT_TRANSLATE_NOOP("wording", "Inputs: {names}"),
    "model": QT_TRANSLATE_NOOP("wording", "Whole model: {name}"),
    "model-below": QT_TRANSLATE_NOOP("wording", "Checkpoint; a whole model stands under {title}: {name}"),
    "named": QT_TRANSLATE_NOOP("wording", "Tensors by name, as in a state_dict: {count}"),
    "nothing": QT_TRANSLATE_NOOP("wording", "No tensors"),
    "optimizer": QT_TRANSLATE_NOOP(
        "wording",
        "Optimizer state: it keeps {kept} for each of {count} parameters, which have numbers and no names",
    ),
    "optimizer-below": QT_TRANSLATE_NOOP("wording", "Optimizer state under {title}"),
    "outputs": QT_TRANSLATE_NOOP("wording", "Outputs: {names}"),
    "prefix": QT_TRANSLATE_NOOP("wording", 'All {count} names begin with "{prefix}", which an export can take off'),
    "prefix-below": QT_TRANSLATE_NOOP(
        "wording", 'All {count} names under {title} begin with "{prefix}", which an export can take off'
    ),
    "python": QT_TRANSLATE_NOOP("wording", "Packed by Python {version}"),
    "set": QT_TRANSLATE_NOOP("wording", "Model in several files ({files}); tensors by name: {count}"),
    "state-dict": QT_TRANSLATE_NOOP("wording", "state_dict at the root"),
    "tensors": QT_TRANSLATE_NOOP("wording", "Tensors in no state_dict: {count}"),
}

STEPS: Final[dict[str, str]] = {
    "copy-code": QT_TRANSLATE_NOOP("wording", "Copy loading code"),
    "export": QT_TRANSLATE_NOOP("wording", "Get the weights out"),
    "recovery": QT_TRANSLATE_NOOP("wording", "Recovery kit"),
    "rescue": QT_TRANSLATE_NOOP("wording", "Rescue what is whole"),
    "source": QT_TRANSLATE_NOOP("wording", "See the source"),
}
