"""Run by test_export_state_dict.py in a process of its own: saves by torch, and loads what was exported. Prints JSON.

save FOLDER      state_dicts of some modules, as torch.save writes them
load FOLDER      every .pt of a folder with weights_only=True, nothing mapped
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import torch
from torch import nn


class Tied(nn.Module):
    """Two names for one weight, and a buffer that is a slice."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(7, 4)
        self.head = nn.Linear(4, 7)
        self.head.weight = self.embed.weight
        self.register_buffer("third", torch.arange(12.0).reshape(3, 4)[2])


def models() -> dict[str, nn.Module]:
    """By the name of their file."""
    torch.manual_seed(1)
    convolution = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(72, 10))
    return {
        "convolution": convolution,
        "linear": nn.Linear(3, 2),
        "half": nn.LSTM(4, 4, 2).to(torch.bfloat16),
        "tied": Tied(),
        "channels": nn.Conv2d(4, 4, 3).to(memory_format=torch.channels_last),
        "long": nn.Sequential(*(nn.Linear(2, 2) for _ in range(600))),
    }


def save(folder: Path) -> list[str]:
    """Save all; gives the names."""
    for name, model in models().items():
        torch.save(model.state_dict(), folder / f"{name}.pt")
    return list(models())


def load(folder: Path) -> dict[str, Any]:
    """What torch makes of each file."""
    return {path.stem: loaded(path) for path in sorted(folder.glob("*.pt"))}


def loaded(path: Path) -> dict[str, Any]:
    """One file: its tensors, whose storages are one, all else as text."""
    value = torch.load(path, weights_only=True)
    storages: dict[int, int] = {}
    tensors = {}
    for name, found in value.items():
        if isinstance(found, torch.Tensor):
            group = storages.setdefault(found.untyped_storage()._cdata, len(storages))
            tensors[name] = [*facts(found), group]
    others = {name: repr(found) for name, found in value.items() if not isinstance(found, torch.Tensor)}
    metadata = getattr(value, "_metadata", None)
    return {"type": type(value).__name__, "tensors": tensors, "others": others, "metadata": metadata}


def facts(found: torch.Tensor) -> list[Any]:
    """All that must be right."""
    assert type(found) is torch.Tensor
    assert not found.requires_grad
    item = found.element_size()
    flat = torch.empty(0, dtype=torch.uint8).set_(
        found.untyped_storage(),
        found.storage_offset() * item,
        (*found.shape, item),
        (*(s * item for s in found.stride()), 1),
    )
    digest = hashlib.sha256(flat.contiguous().numpy().tobytes()).hexdigest()
    dtype = str(found.dtype).removeprefix("torch.")
    return [dtype, list(found.shape), list(found.stride()), found.storage_offset(), str(found.device), digest]


if __name__ == "__main__":
    print(json.dumps({"save": save, "load": load}[sys.argv[1]](Path(sys.argv[2]))))
