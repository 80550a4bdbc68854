"""Sentences on what checkpoints keep beside weights: optimizers, schedules, scalers, random numbers, progress."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

# Beside the row of the object. `settings` are names of torch with their values.
TRAINING: Final[dict[str, str]] = {
    "lightning": QT_TRANSLATE_NOOP("wording", "PyTorch Lightning checkpoint, version {version}"),
    "optimizer": QT_TRANSLATE_NOOP("wording", "{kind} state of {count} parameters: {settings}"),
    "optimizer-empty": QT_TRANSLATE_NOOP("wording", "{kind} without parameters"),
    "optimizer-new": QT_TRANSLATE_NOOP("wording", "{kind} that has no state yet, for {count} parameters: {settings}"),
    "optimizer-one": QT_TRANSLATE_NOOP("wording", "{kind} state of 1 parameter: {settings}"),
    "progress": QT_TRANSLATE_NOOP("wording", "Progress: {settings}"),
    "random": QT_TRANSLATE_NOOP("wording", "Random-number state of {owner}: {generator}"),
    "random-drawn": QT_TRANSLATE_NOOP(
        "wording", "Random-number state of {owner}: {generator}, seed {seed}, offset {place}"
    ),
    "random-place": QT_TRANSLATE_NOOP("wording", "Random-number state of {owner}: {generator}, place {place}"),
    "random-seed": QT_TRANSLATE_NOOP(
        "wording", "Random-number state of {owner}: {generator}, seed {seed}, place {place}"
    ),
    "scaler": QT_TRANSLATE_NOOP("wording", "Gradient scaler: {settings}"),
    "schedule": QT_TRANSLATE_NOOP("wording", "Learning-rate schedule {kind}: {settings}"),
    "schedule-other": QT_TRANSLATE_NOOP("wording", "Learning-rate schedule: {settings}"),
    "settings": QT_TRANSLATE_NOOP("wording", "Settings: {count}"),
}

# The same in Summary, with the place of the object.
TRAINING_AT: Final[dict[str, str]] = {
    "optimizer": QT_TRANSLATE_NOOP("wording", "{title}: {kind} state of {count} parameters; {settings}"),
    "optimizer-empty": QT_TRANSLATE_NOOP("wording", "{title}: {kind} without parameters"),
    "optimizer-new": QT_TRANSLATE_NOOP(
        "wording", "{title}: {kind} that has no state yet, for {count} parameters; {settings}"
    ),
    "optimizer-one": QT_TRANSLATE_NOOP("wording", "{title}: {kind} state of 1 parameter; {settings}"),
    "random": QT_TRANSLATE_NOOP("wording", "{title}: random-number state of {owner}, {generator}"),
    "random-drawn": QT_TRANSLATE_NOOP(
        "wording", "{title}: random-number state of {owner}, {generator}, seed {seed}, offset {place}"
    ),
    "random-place": QT_TRANSLATE_NOOP("wording", "{title}: random-number state of {owner}, {generator}, place {place}"),
    "random-seed": QT_TRANSLATE_NOOP(
        "wording", "{title}: random-number state of {owner}, {generator}, seed {seed}, place {place}"
    ),
    "scaler": QT_TRANSLATE_NOOP("wording", "{title}: gradient scaler; {settings}"),
    "schedule": QT_TRANSLATE_NOOP("wording", "{title}: learning-rate schedule {kind}; {settings}"),
    "schedule-other": QT_TRANSLATE_NOOP("wording", "{title}: learning-rate schedule; {settings}"),
    "settings": QT_TRANSLATE_NOOP("wording", "{title}: settings, {count} of them"),
}

OWNERS: Final[dict[str, str]] = {
    "cpu": "torch (CPU)",
    "cuda": "torch (CUDA)",
    "numpy": "numpy",
    "python": "Python",
}
"""Whose state it is, in names that are not translated."""
OPTIMIZER: Final = "Optimizer"
