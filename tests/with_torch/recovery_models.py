"""Run by test_recovery_load.py in processes of their own.

    recovery_models.py save FOLDER            makes the models of lost_code.py and saves them whole, in both forms
    -I recovery_models.py try KIT EXPECTED    runs a kit in a clean process and prints what it found, as JSON

A model NAME gives FOLDER/NAME.legacy.pth, FOLDER/NAME.zip.pth, and with what it computed FOLDER/NAME.expected.
"""

import importlib.util
import json
import shutil
import sys
import warnings
from pathlib import Path

import torch

PLAIN = (
    *("numbers", "scalar", "kind", "items", "extra", "ordered", "counted", "sizes", "slices", "ranges", "raw"),
    *("changing", "fixed", "dtype", "device", "layout", "cuda_device", "text", "layer_class", "simple", "namespace"),
)


def save(folder):
    """All files; the code itself is taken away again."""
    code = folder / "code"
    (code / "lost").mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("lost_code.py"), code / "lost" / "code.py")
    sys.path.insert(0, str(code))
    from lost.code import models

    for name, (model, given) in models().items():
        torch.save(model, folder / f"{name}.legacy.pth", _use_new_zipfile_serialization=False)
        torch.save(model, folder / f"{name}.zip.pth")
        model.eval()
        with torch.no_grad():
            output = model(given)
        torch.save({"input": given, "output": output, "state_dict": model.state_dict()}, folder / f"{name}.expected")
    shutil.rmtree(code)


def tried(kit, expected):
    """What a kit gives, compared to the bit."""
    expected = torch.load(expected, weights_only=True)
    imported = []
    sys.addaudithook(lambda event, arguments: imported.append(arguments[0]) if event == "import" else None)
    spec = importlib.util.spec_from_file_location("load", kit / "load.py")
    load = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(load)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = load.load_model()
    answer = {
        "class": f"{type(model).__module__}.{type(model).__qualname__}",
        "filled": load.load_model.filled,
        "notes": load.load_model.notes,
        "warnings": [str(one.message) for one in told],
        "training": any(module.training for module in model.modules()),
        "imported": sorted({name for name in imported if not known(name)}),
        "state_dict": differences(model.state_dict(), expected["state_dict"]),
        "weights": differences(torch.load(kit / "weights.pt", weights_only=True), expected["state_dict"]),
        "repr": repr(model),
    }
    model.load_state_dict(torch.load(kit / "weights.pt", weights_only=True), strict=True)
    try:
        with torch.no_grad():
            answer["same"] = bool(torch.equal(model(expected["input"]), expected["output"]))
    except Exception as failure:  # noqa: BLE001 (whatever the model raises is the answer)
        answer["failure"] = f"{type(failure).__name__}: {failure}"
    answer["facts"] = facts(model)
    return answer


def known(name):
    """Whether a module belongs to Python, torch or numpy."""
    return name.partition(".")[0] in {*sys.stdlib_module_names, "torch", "numpy", "torchgen", "load"}


def differences(found, expected):
    """Names that are missing, more or different."""
    wrong = sorted(found.keys() ^ expected.keys())
    return wrong + [name for name in found.keys() & expected.keys() if not same(found[name], expected[name])]


def same(one, other):
    """The same bits, and one type."""
    return one.dtype == other.dtype and one.stride() == other.stride() and torch.equal(one, other)


def facts(model):
    """What is checked beside outputs."""
    held = vars(model)
    told = {name: repr(held[name]) for name in PLAIN if name in held}
    if "hidden" in held:
        told["shared"] = (
            model.first is model.by_name["first"] is model.aside[0]
            and model.aside[1] is model
            and model.first.parent[0] is model
            and model.same is model.text
        )
        told["unique"] = model.unique == {1, "a", (2, 3)}
        told["exact"] = [model.eighth.tolist(), str(model.eighth.dtype), model.wide.tolist(), str(model.wide.dtype)]
        told["turned"] = list(model.turned.stride())
        told["block_class"] = model.block_class is type(model.first)
        told["settings"] = [type(model.settings).__name__, vars(model.settings)]
        told["bag"] = isinstance(model.bag, dict)
    if "embed" in model._modules:
        told["tied"] = model.head.weight is model.embed.weight and model.again is model.head
        told["parts"] = [len(model.several), list(model.named.keys()), model.frozen.requires_grad]
        told["not kept"] = sorted(model._non_persistent_buffers_set)
    return told


if __name__ == "__main__":
    if sys.argv[1] == "save":
        warnings.simplefilter("ignore")
        save(Path(sys.argv[2]))
    else:
        print(json.dumps(tried(Path(sys.argv[2]), Path(sys.argv[3]))))
