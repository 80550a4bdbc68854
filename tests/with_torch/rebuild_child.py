"""Run by test_rebuild_functions.py in a process of its own: the functions that torch rebuilds tensors with.

FOLDER   writes tensors.zip.pt and tensors.legacy.pt there; prints the names and what torch gives of each tensor
"""

import json
import sys
import warnings
from pathlib import Path

import torch
from torch import nn
from torch.nested._internal import nested_tensor

warnings.simplefilter("ignore")


class Marked(torch.Tensor):
    """A subclass without anything of its own."""


def tensors():
    """One for each way that is not tried elsewhere."""
    noted = nn.Parameter(torch.tensor([1.0, 2.0]))
    noted.owner = "optimizer"
    plain = torch.tensor([3.0, 4.0])
    plain.owner = "me"
    marked = torch.tensor([5.0, 6.0]).as_subclass(Marked)
    marked.note = torch.tensor([7.0])
    values = torch.arange(6.0)
    return {
        "noted": noted,
        "plain": plain,
        "marked": marked,
        "buffer": nn.Buffer(torch.tensor([8.0]), persistent=False),
        "jagged": torch.nested.nested_tensor_from_jagged(values, torch.tensor([0, 4, 6]), torch.tensor([2, 1])),
        "parameter_of_nothing": nn.UninitializedParameter(),
        "buffer_of_nothing": nn.UninitializedBuffer(),
        "storage": torch.tensor([9.0, 10.0]).storage(),
        "untyped": torch.tensor([1, 2], dtype=torch.uint8).untyped_storage(),
    }


def numbers(value):
    """What is to be read."""
    if isinstance(value, nn.parameter.UninitializedTensorMixin):
        return None
    if isinstance(value, torch.storage.TypedStorage | torch.UntypedStorage):
        return list(value)
    return (value.values() if value.is_nested else value).tolist()


def main(folder):
    """Save and tell."""
    found = tensors()
    torch.save(found, folder / "tensors.zip.pt")
    legacy = {name: value for name, value in found.items() if name != "untyped"}
    torch.save(legacy, folder / "tensors.legacy.pt", _use_new_zipfile_serialization=False)
    modules = (torch._utils, torch._tensor, nested_tensor)
    names = [[module.__name__, name] for module in modules for name in vars(module) if name.startswith("_rebuild_")]
    print(json.dumps({"names": names, "tensors": {name: numbers(value) for name, value in found.items()}}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
