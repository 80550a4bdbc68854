"""Run by test_lost_names.py as `python -I lost_names_child.py FOLDER`: every kit in it computes. Prints JSON.

The modules of the kits have different names, so that one process can hold them all.
"""

import importlib.util
import json
import sys
import warnings
from pathlib import Path

import torch


def loader(kit):
    """The kit's load_model."""
    spec = importlib.util.spec_from_file_location(f"load_{kit.name}", kit / "load.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load_model


def tried(kit):
    """What the model makes of two ones, or how it fails; and what load_model noted."""
    load_model = loader(kit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = load_model()
    try:
        found = model(torch.ones(2)).tolist()
    except (AttributeError, NameError, NotImplementedError, TypeError) as failure:
        found = f"{type(failure).__name__}: {failure}"
    return {"class": type(model).__name__, "found": found, "notes": load_model.notes}


if __name__ == "__main__":
    print(json.dumps({kit.name: tried(kit) for kit in sorted(Path(sys.argv[1]).iterdir())}))
