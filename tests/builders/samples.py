"""Writes resources/samples: `python -m tests.builders.samples`. Same bytes in every run and on every machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.builders import sample_values as values
from tests.builders.legacy import legacy
from tests.builders.torch_zip import torch_zip
from tests.builders.values import dumps

FOLDER: Final = Path(__file__).resolve().parents[2] / "resources" / "samples"
KEPT: Final = 0.6


@dataclass(frozen=True, slots=True)
class Sample:
    """One file, and its two lines on the welcome page."""

    file: str
    title: str
    sentence: str
    build: Callable[[], bytes]


def half() -> bytes:
    """The part of a legacy checkpoint that had come when the download stopped."""
    whole = legacy(values.checkpoint(seed=1000))
    return whole[: int(len(whole) * KEPT)]


SAMPLES: Final = (
    Sample(
        "whole_model_legacy.pth",
        "A whole model with its source",
        "Legacy archive of 2019: opcodes, 9 classes, 8 tensors",
        lambda: legacy(values.old_model()),
    ),
    Sample(
        "checkpoint_adam.pt",
        "A state_dict in a zip",
        "The form torch.save has written since 1.6, with an optimizer",
        lambda: torch_zip(values.checkpoint(), root="checkpoint_adam"),
    ),
    Sample(
        "whole_model_zip.pt",
        "A whole model without its source",
        "A zip names the classes; their code is not in it",
        lambda: torch_zip(values.new_model(), root="whole_model_zip"),
    ),
    Sample("half_download.pth", "Half a download", "Where it breaks, and what can be rescued", half),
    Sample(
        "runs_a_command.pkl",
        "A file that would run a command",
        "Every import and call, none of them made",
        lambda: dumps(values.runs_a_command()),
    ),
    Sample(
        "shared_and_strided.pt",
        "Shared and strided tensors",
        "Views, one storage, no copies",
        lambda: torch_zip(values.shared_and_strided(), root="shared_and_strided"),
    ),
)


def listing() -> bytes:
    """samples.json: what the welcome page shows, in its order."""
    rows = [{"file": sample.file, "title": sample.title, "sentence": sample.sentence} for sample in SAMPLES]
    return (json.dumps(rows, indent=2) + "\n").encode()


def files() -> dict[str, bytes]:
    """All files of the folder by name."""
    return {sample.file: sample.build() for sample in SAMPLES} | {"samples.json": listing()}


def main() -> None:
    """Write the folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)
        print(f"{len(data):>8,} {name}")


if __name__ == "__main__":
    main()
