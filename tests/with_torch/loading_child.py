"""Run in a process of its own: files that torch saves, and what its safe loader says of files.

save FOLDER   whole models, checkpoints and what stands beside the weights, by the modules in that folder
judge FOLDER  as JSON: for each file whether torch.load(weights_only=True) reads it onto the CPU
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch


class Log:
    """A helper of the script that trains."""

    def __init__(self) -> None:
        self.losses = np.arange(4, dtype=np.float32).reshape(2, 2)
        self.best = np.float64(0.5)


def save(folder: Path) -> None:
    """One file for each way of saving."""
    sys.path.insert(0, str(folder))
    nets: Any = __import__("nets")
    torch.manual_seed(0)
    net = nets.Net()
    weights = net.state_dict()
    optimizer = torch.optim.Adam(net.parameters())
    net(torch.zeros(1, 3)).sum().backward()
    optimizer.step()
    args = argparse.Namespace(lr=0.1, layers=[1, 2])
    things: dict[str, Any] = {
        "state_dict": weights,
        "dict_root": {"epoch": 3, "model": weights, "optimizer": optimizer.state_dict()},
        "whole": net,
        "parallel": {"net": torch.nn.DataParallel(net), "rate": 0.5},
        "helper": {"state_dict": weights, "log": Log()},
        "namespace": {"state_dict": weights, "args": args},
        "function": {"model": net, "activation": torch.nn.functional.relu},
        "dictionary": {"state_dict": weights, "more": nets.Dictionary(a=1)},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, value in things.items():
            torch.save(value, folder / f"{name}.pt")
        for name in ("whole", "helper", "dict_root"):
            torch.save(things[name], folder / f"{name}_legacy.pt", _use_new_zipfile_serialization=False)


def judge(folder: Path) -> dict[str, bool]:
    """What the safe loader reads without being told more."""
    found: dict[str, bool] = {}
    for path in sorted(folder.glob("*.pt")):
        try:
            torch.load(path, map_location="cpu", weights_only=True)
        except Exception:  # noqa: BLE001  any refusal counts
            found[path.stem] = False
        else:
            found[path.stem] = True
    return found


def main(what: str, folder: str) -> None:
    """Do what is asked for."""
    if what == "save":
        save(Path(folder))
    else:
        json.dump(judge(Path(folder)), sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
