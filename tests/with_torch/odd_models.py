"""Run by test_recovery_odd.py in processes of their own.

odd_models.py save FOLDER              saves the models of FOLDER/odd_zoo whole, in both forms
-I odd_models.py try KIT EXPECTED      runs a kit, prints what it found as JSON
"""

import importlib.util
import json
import sys
import warnings
from pathlib import Path

import torch


def save(folder):
    """NAME.legacy.pth, NAME.zip.pth and NAME.expected: the input, and the output where it computes."""
    sys.path.insert(0, str(folder))
    from odd_zoo.models import KINDS

    for kind in KINDS:
        torch.manual_seed(len(kind.__name__))
        model, given, name = kind().eval(), torch.randn(2, 4 if kind.__name__ != "Packed" else 3, 4), kind.__name__
        torch.save(model, folder / f"{name}.legacy.pth", _use_new_zipfile_serialization=False)
        torch.save(model, folder / f"{name}.zip.pth")
        found = {"input": given}
        if name != "Lazy":
            with torch.no_grad():
                found["output"] = model(given)
        torch.save(found, folder / f"{name}.expected")


def tried(kit, expected):
    """What the kit gives."""
    spec = importlib.util.spec_from_file_location("load", kit / "load.py")
    load = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(load)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = load.load_model()
    answer = {"notes": load.load_model.notes, "kinds": sorted({type(one).__name__ for one in model.parameters()})}
    try:
        with torch.no_grad():
            output = model(expected["input"])
        answer["same"] = "output" in expected and bool(torch.equal(output, expected["output"]))
    except Exception as failure:  # noqa: BLE001 (whatever the model raises is the answer)
        answer["failure"] = f"{type(failure).__name__}: {failure}"
    return answer


def main():
    if sys.argv[1] == "save":
        save(Path(sys.argv[2]))
    else:
        print(json.dumps(tried(Path(sys.argv[2]), torch.load(sys.argv[3], weights_only=True))))


if __name__ == "__main__":
    main()
