"""Run by test_skeletons.py in processes of its own. Prints JSON.

save FOLDER             the models of skeleton_zoo.py, whole, in the zip form
make                    reads [[FOLDER, [[MODULE, CALL]...]]...]: the state_dict of each call's object
kits                    reads [KIT...], folders of recovery kits: what load_state_dict says, and their notes
names                   reads references: what nn.Module has by name, which of the references are not there
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
import warnings
from collections import OrderedDict
from pathlib import Path
from typing import Any


def save(folder: Path) -> dict[str, Any]:
    """Save all; gives names and shapes of the modules below each file by the class of the module."""
    sys.path.insert(0, str(Path(__file__).parent))
    warnings.simplefilter("ignore")
    import numpy as np
    import torch
    from skeleton_zoo import models

    found = {}
    for name, model in models().items():
        torch.save(model, folder / f"{name}.pt")
        if name == "known":
            given = torch.rand(1, 2, 6, 6)
            np.savez(folder / "known.npz", input=given.numpy(), output=model(given).detach().numpy())
        root = model["model"] if isinstance(model, dict) else model
        kept: dict[str, Any] = {}
        for module in root.modules():
            if not type(module).__module__.startswith("torch."):
                kept.setdefault(f"{type(module).__module__}.{type(module).__qualname__}", shapes(module))
        found[name] = kept
    return found


def shapes(module: Any) -> dict[str, list[int]]:
    """What strict=True compares."""
    return {name: list(value.shape) for name, value in module.state_dict().items()}


def make(jobs: list[tuple[str, list[list[str]]]]) -> list[list[Any]]:
    """For each folder the objects of its calls; the modules of a folder are forgotten before the next."""
    warnings.simplefilter("ignore")
    found = []
    for folder, calls in jobs:
        known = set(sys.modules)
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        found.append([made(*call) for call in calls])
        sys.path.remove(folder)
        for name in set(sys.modules) - known:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(folder):
                del sys.modules[name]
    return found


def made(module: str, call: str) -> Any:
    """One object, as its state_dict, into which its own is loaded; of no module the attributes; what fails as text."""
    import numpy as np
    import torch
    from torch import nn
    from torch.nn import functional

    names = {"np": np, "torch": torch, "nn": nn, "F": functional, "OrderedDict": OrderedDict}
    try:
        value = eval(call, {**names, **vars(importlib.import_module(module))})
        if not hasattr(value, "state_dict"):
            return sorted(vars(value))
        found = shapes(value)
        value.load_state_dict(value.state_dict(), strict=True)
    except Exception as failure:  # noqa: BLE001 - whatever it is, the test shall say so
        return f"{type(failure).__name__}: {failure}"
    return found


def kits(folders: list[str]) -> list[list[Any]]:
    """For each kit: the faults that a strict load_state_dict of its weights finds, its notes, own classes in it."""
    import torch

    warnings.simplefilter("ignore")
    found = []
    for folder in folders:
        known, path, finders = set(sys.modules), list(sys.path), list(sys.meta_path)
        spec = importlib.util.spec_from_file_location("load", Path(folder, "load.py"))
        loader = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loader)
        model = loader.load_model()
        try:
            torch.nn.Module.load_state_dict(
                model, torch.load(Path(folder, "weights.pt"), weights_only=True), strict=True
            )
            fault = ""
        except RuntimeError as failure:
            fault = str(failure)
        own = {type(one).__qualname__ for one in model.modules() if not type(one).__module__.startswith("torch.")}
        found.append([fault, loader.load_model.notes, sorted(own)])
        sys.path[:], sys.meta_path[:] = path, finders
        for name in set(sys.modules) - known:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(folder):
                del sys.modules[name]
    return found


def names(references: list[str]) -> dict[str, list[str]]:
    """What nn.Module has under names without two underscores, and which of some references cannot be evaluated."""
    import math

    import torch
    from torch import nn
    from torch.nn import functional

    spaces = {"torch": torch, "nn": nn, "F": functional, "math": math}
    lacking = [one for one in references if not callable(eval(one, spaces))]
    return {"module": [name for name in dir(nn.Module) if not name.startswith("__")], "lacking": lacking}


if __name__ == "__main__":
    if sys.argv[1] == "save":
        print(json.dumps(save(Path(sys.argv[2]))))
    elif sys.argv[1] == "kits":
        print(json.dumps(kits(json.loads(sys.stdin.read()))))
    elif sys.argv[1] == "names":
        print(json.dumps(names(json.loads(sys.stdin.read()))))
    else:
        print(json.dumps(make(json.loads(sys.stdin.read()))))
