"""The code that the models of test_recovery_load.py are saved with, and which is gone when their kits are tried.

Copied by recovery_models.py as the module `lost.code`; nothing else imports it.
"""

import argparse
import collections
import dataclasses
import enum
import functools
import math
import pathlib
import types

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (as everybody names it)
from torch import nn


def squash(x):
    return x / (1 + x.abs())


def double(x):
    return x * 2


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Settings:
    width: int
    names: list


class Meter:
    def __init__(self, value):
        self.value = value
        self.history = [value, float("inf")]


class Bag(dict):
    def __getattr__(self, name):
        return self[name]


class Block(nn.Module):
    def __init__(self, width):
        raise RuntimeError("the kit must never call this")

    def forward(self, x):
        return self.norm(torch.relu(self.lin(x))) * self.scale + self.shift


class Everything(nn.Module):
    """Plain attributes of every kind, hidden modules, cycles, shared things."""

    def __init__(self, must, have, arguments):
        super().__init__()

    def forward(self, x):
        for block in self.hidden:
            x = block(x)
        x = x + self.by_name["first"](x) + self.aside[0](x)
        x = self.act(x) + self.smooth(x) + self.leak(x)
        x = x @ self.turned + self.half.to(x.dtype) * self.numbers["pi"]
        x = x + torch.from_numpy(self.grid) + self.namespace.rate + self.simple.bias
        return x + self.items[1] + self.extra["late"] + self.settings.width + self.meter.value + self.bag["deep"]


class Tied(nn.Module):
    """One weight with two names, a module with two names, buffers of all kinds, None parameters."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(7, 4)
        self.head = nn.Linear(4, 7, bias=False)
        self.head.weight = self.embed.weight
        self.again = self.head
        self.register_parameter("nothing", None)
        self.register_buffer("empty", None)
        self.register_buffer("table", torch.arange(7.0), persistent=False)
        self.register_buffer("kept", torch.arange(12.0).reshape(3, 4)[1])
        self.several = nn.ParameterList([nn.Parameter(torch.randn(4)) for _ in range(3)])
        self.named = nn.ParameterDict({"a": nn.Parameter(torch.randn(4)), "b": nn.Parameter(torch.randn(4))})
        self.frozen = nn.Parameter(torch.randn(4), requires_grad=False)

    def forward(self, x):
        x = self.embed(x) + self.kept + self.frozen
        for one in self.several:
            x = x + one
        x = x * self.named["a"] + self.named["b"]
        return self.again(x) + self.table


class Layers(nn.Module):
    """torch's own layers with state of their own."""

    class Inner(nn.Module):
        def __init__(self):
            super().__init__()
            self.proj = nn.Linear(8, 8)

        def forward(self, x):
            return F.gelu(self.proj(x))

    def __init__(self):
        super().__init__()
        self.conv = Padded(1, 4, 3)
        self.norm = nn.BatchNorm1d(4)
        self.drop = nn.Dropout(0.5)
        self.up = nn.Upsample(scale_factor=2.0, mode="linear")
        self.steps = Steps(nn.Conv1d(4, 8, 2, stride=2), nn.PReLU())
        self.lstm = nn.LSTM(8, 4, 2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(8, 8, batch_first=True)
        self.look = nn.MultiheadAttention(8, 2, batch_first=True)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2)
        self.inner = Layers.Inner()
        self.pool = nn.AdaptiveAvgPool1d(1)

    def forward(self, x):
        x = self.up(self.drop(self.norm(self.conv(x))))
        x = self.steps(x).transpose(1, 2)
        x, _ = self.lstm(x)
        x, _ = self.gru(x)
        x = x + self.look(x, x, x)[0]
        x = self.inner(self.encoder(x))
        return self.pool(x.transpose(1, 2)).flatten(1)


class Padded(nn.Conv1d):
    def __init__(self, *sizes):
        super().__init__(*sizes, padding=1, padding_mode="circular")
        self.gain = 0.5

    def forward(self, x):
        return super().forward(x) * self.gain


class Steps(nn.Sequential):
    pass


class Normed(nn.Module):
    """The norms of the old kind, which are hooks."""

    def __init__(self):
        super().__init__()
        self.first = nn.utils.weight_norm(nn.Linear(4, 6), dim=0)
        self.second = nn.utils.spectral_norm(nn.Linear(6, 3))
        self.second.register_forward_hook(halved)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


def halved(module, given, output):
    return None


class Lost(nn.Module):
    """Uses a function that no checkpoint holds."""

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.act = squash
        self.colour = Colour.RED

    def forward(self, x):
        return self.act(self.lin(x))


class NeedsFunction(nn.Module):
    """Its text names a function of the lost script."""

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        return double(self.lin(x))


def block(width):
    made = Block.__new__(Block)
    nn.Module.__init__(made)
    made.lin, made.norm = nn.Linear(width, width), nn.LayerNorm(width)
    made.scale, made.shift = nn.Parameter(torch.randn(width)), 0.25
    return made


def everything():
    made = Everything(1, 2, 3)
    made.hidden = [block(4), block(4)]
    made.by_name = {"first": block(4)}
    made.first = made.by_name["first"]
    made.aside = (made.first, made)
    made.first.parent = [made]
    made.act, made.smooth = torch.sigmoid, F.softplus
    made.leak = functools.partial(F.leaky_relu, negative_slope=0.3)
    made.turned = torch.randn(4, 4).t()
    made.half = torch.randn(4).to(torch.bfloat16)
    made.eighth = torch.randn(4).to(torch.float8_e4m3fn)
    made.wide = torch.tensor([1, 2**40 + 1]).to(torch.uint16)
    made.numbers = {"pi": math.pi, 2: float("nan"), (1, "x"): -float("inf"), "huge": -(2**70), None: 1 + 2j}
    made.grid = np.arange(4, dtype="float32")
    made.scalar, made.kind = np.float64(0.1), np.dtype("<i2")
    made.namespace = argparse.Namespace(rate=0.125, path=pathlib.PurePosixPath("a/b"))
    made.simple = types.SimpleNamespace(bias=0.5)
    made.items = collections.deque([1, 2.5], maxlen=4)
    made.extra = collections.defaultdict(list, late=3)
    made.ordered = collections.OrderedDict(b=1, a=2)
    made.counted = collections.Counter("hello")
    made.sizes, made.slices, made.ranges = torch.Size([2, 3]), slice(1, None, 2), range(3, 9, 2)
    made.raw, made.changing = bytes(range(256)), bytearray(b"ab")
    made.unique, made.fixed = {1, "a", (2, 3)}, frozenset({4})
    made.dtype, made.device, made.layout = torch.float16, torch.device("cuda:3"), torch.strided
    made.cuda_device = "cuda:1"
    made.settings, made.meter, made.bag = Settings(3, ["a"]), Meter(2), Bag(deep=1)
    made.layer_class, made.block_class = nn.ReLU, Block
    made.text = "ein langer Text \u00fc\n" * 30
    made.same = made.text
    return made


def models():
    """By name: a model and what it is tried with."""
    torch.manual_seed(7)
    layers = Layers()
    for _ in range(3):
        layers(torch.randn(5, 1, 12))
    normed = Normed()
    normed(torch.randn(2, 4))
    plain = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(72, 10))
    plain(torch.randn(4, 3, 5, 5))
    return {
        "everything": (everything(), torch.randn(3, 4)),
        "tied": (Tied(), torch.tensor([[1, 2], [5, 6]])),
        "layers": (layers, torch.randn(3, 1, 12)),
        "normed": (normed, torch.randn(2, 4)),
        "lost": (Lost(), torch.randn(2, 3)),
        "needs": (NeedsFunction(), torch.randn(2, 3)),
        "parallel": (nn.DataParallel(plain), torch.randn(2, 3, 5, 5)),
        "half": (nn.Sequential(nn.Linear(3, 4), nn.Tanh()).to(torch.bfloat16), torch.randn(2, 3).to(torch.bfloat16)),
    }
