"""Run by test_zip_writer.py in a process of its own: torch saves a state_dict, or loads the archive written again.

`save FOLDER` writes net.pt; `load FOLDER` reads it and again.pt in every way and prints JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
from torch.utils.serialization import config

TENSORS = {
    "weight": torch.arange(5000, dtype=torch.float32).reshape(50, 100),
    "half": torch.linspace(-1, 1, 77, dtype=torch.bfloat16),
    "empty": torch.empty(0, 3),
    "step": torch.tensor(7),
    "mask": torch.tensor([True, False, True]),
}


def same(loaded: dict[str, torch.Tensor]) -> bool:
    return list(loaded) == list(TENSORS) and all(torch.equal(loaded[name], TENSORS[name]) for name in TENSORS)


def main() -> None:
    task, folder = sys.argv[1], Path(sys.argv[2])
    if task == "save":
        torch.save(TENSORS, folder / "net.pt")
        return
    again = folder / "again.pt"
    told = {
        "original": same(torch.load(folder / "net.pt", weights_only=True)),
        "plain": same(torch.load(again, weights_only=True)),
        "mapped": same(torch.load(again, weights_only=True, mmap=True)),
    }
    config.load.calculate_storage_offsets = True
    told["computed places"] = same(torch.load(again, weights_only=True, mmap=True))
    print(json.dumps(told))


if __name__ == "__main__":
    main()
