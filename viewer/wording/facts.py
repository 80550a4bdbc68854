"""Sentences of Summary: what a file holds, and what can be done next."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

HOLDS: Final[dict[str, str]] = {
    "arrays": QT_TRANSLATE_NOOP("wording", "Arrays: {count}"),
    "branches": QT_TRANSLATE_NOOP("wording", "Checkpoint with several parts: {titles}"),
    "checkpoint": QT_TRANSLATE_NOOP("wording", "Checkpoint; its weights are a state_dict under {title}"),
    "files": QT_TRANSLATE_NOOP("wording", "Files that can be opened: {count}"),
    "model": QT_TRANSLATE_NOOP("wording", "Whole model: {name}"),
    "model-below": QT_TRANSLATE_NOOP("wording", "Checkpoint; a whole model stands under {title}: {name}"),
    "named": QT_TRANSLATE_NOOP("wording", "Tensors by name, as in a state_dict: {count}"),
    "nothing": QT_TRANSLATE_NOOP("wording", "No tensors"),
    "optimizer": QT_TRANSLATE_NOOP(
        "wording",
        "Optimizer state: it keeps {kept} for each of {count} parameters, which have numbers and no names",
    ),
    "optimizer-below": QT_TRANSLATE_NOOP("wording", "Optimizer state under {title}"),
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
