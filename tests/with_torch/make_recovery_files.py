"""Makes tests/data/recovery: whole models in the legacy form, with an input and what the original computed.

    python tests/with_torch/make_recovery_files.py FOLDER

Runs by itself on Python 3.7 with torch 1.0.1, Python 3.8 with torch 1.4.0, and today's. The version is part of the
names. Copy this file and the folder recovery_zoo elsewhere first: their places go into the files.
"""

import inspect
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name that everyone gives it
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parent / "recovery_zoo"))

from zoo.blocks import Block, Gate, Residual
from zoo.layers import Layers
from zoo.lost import Leaf
from zoo.networks import Picture, Reader, Words
from zoo.normed import Normed

VERSION = ".".join(torch.__version__.split("+")[0].split(".")[:2])


class Script(nn.Module):
    """A class of the script that was run: its module is __main__."""

    def __init__(self):
        super(Script, self).__init__()  # noqa: UP008 - as scripts of that time have it
        self.body = blocks(1)
        self.activation = F.relu
        self.out = nn.Linear(4, 2)

    def forward(self, x):
        return self.out(self.activation(self.body(x)).sum(3).sum(2))


def models():
    """By the name of their file: what gives the model and an input."""
    found = {
        "convolution": lambda: (Picture(), pictures()),
        "recurrent": lambda: (Reader(), torch.randn(3, 6, 4)),
        "parallel": lambda: (nn.DataParallel(blocks(3)), pictures()),
        "embedding": lambda: (Words(), torch.tensor([[3, 1, 10], [7, 0, 0]])),
        "layers": lambda: (Layers(), torch.randn(2, 4, 8)),
        "lost": lambda: (Leaf(), torch.randn(3, 4)),
        "normed": lambda: (Normed(), torch.randn(2, 3, 5)),
        "script": lambda: (Script(), torch.rand(2, 1, 8, 8)),
    }
    if hasattr(nn, "TransformerEncoder"):
        from zoo.attention import Attentive  # torch 1.0 has no such layers

        found["attention"] = lambda: (Attentive(), torch.randn(5, 2, 8))
    return found


def pictures():
    """Two small ones."""
    return torch.rand(2, 3, 12, 12)


def blocks(channels):
    """A model that is no class of ours, though its parts are."""
    body = [nn.Conv2d(channels, 4, 3, padding=1), Block(4, 3), Residual(4, 3, 0.5), Gate(4)]
    return nn.Sequential(*body, nn.AdaptiveAvgPool2d(2), nn.Tanh())


def shaken(model):
    """The model with other values where zeros and ones stood, as after training."""
    with torch.no_grad():
        for tensor in [*model.parameters(), *model.buffers()]:
            if tensor.dtype == torch.float32 and tensor.numel() > 1:
                tensor.add_(torch.rand(tensor.shape) * 0.2)
    return model


def save(folder, name, model, given):
    """Write FOLDER/NAME-VERSION.pth and .npz."""
    model = shaken(model)
    for _ in range(2):
        model(given)
    with torch.no_grad():
        output = model.eval()(given)
    path = folder / "{}-{}.pth".format(name, VERSION)  # noqa: UP032 - one form for all the versions
    zipped = "_use_new_zipfile_serialization"
    legacy = {zipped: False} if zipped in inspect.signature(torch.save).parameters else {}
    torch.save(model, str(path), **legacy)
    np.savez(str(path.with_suffix(".npz")), input=given.numpy(), output=output.numpy())


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for name, make in models().items():
        torch.manual_seed(3)
        save(target, name, *make())
