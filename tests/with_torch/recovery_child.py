"""Run by test_recovery_proof.py as `python -I recovery_child.py KIT EXAMPLE`: what a kit's model computes, as JSON.

KIT is the folder; EXAMPLE the .npz with `input` and the `output` of the original. Nothing but the kit, torch and
numpy is used, and `opened` tells every file that was opened meanwhile.
"""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import torch

opened = []


def watch(event, arguments):
    """Remember which files were opened."""
    if event == "open" and isinstance(arguments[0], str):
        opened.append(arguments[0])


def loader(kit):
    """The kit's load_model."""
    spec = importlib.util.spec_from_file_location("load", kit / "load.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["load"] = module
    spec.loader.exec_module(module)
    return module.load_model


def strict(model, kit):
    """What load_state_dict would say of the kit's weights: names that are missing, names that are unexpected."""
    weights = torch.load(kit / "weights.pt", weights_only=True)
    names = model.state_dict().keys()
    return [sorted(names - weights.keys()), sorted(weights.keys() - names)]


def main():
    kit, example = Path(sys.argv[1]), Path(sys.argv[2])
    values = np.load(example)
    given, expected = values["input"], values["output"]
    before = importlib.util.find_spec("zoo") is not None
    sys.addaudithook(watch)
    load_model = loader(kit)
    model = load_model()
    with torch.no_grad():
        output = model(torch.from_numpy(given)).numpy()
    used = {type(one).__module__ for one in model.modules()}
    told = {
        "zoo before": before,
        "class": f"{type(model).__module__}.{type(model).__qualname__}",
        "files": {name: str(sys.modules[name].__file__) for name in used if not name.startswith("torch.")},
        "training": [name for name, one in model.named_modules() if one.training],
        "filled": sorted(load_model.filled),
        "notes": load_model.notes,
        "shapes": [list(output.shape), list(expected.shape)],
        "difference": float(np.abs(output - expected).max()),
        "close": bool(np.allclose(output, expected, rtol=1e-6, atol=1e-6)),
        "same": bool(np.array_equal(output, expected)),
        "strict": strict(model, kit),
        "opened": opened,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
