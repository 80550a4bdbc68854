"""Models whose classes the skeleton tests take away: saved whole by skeleton_child.py, made again from their state."""

from __future__ import annotations

from collections import OrderedDict
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils import prune


class Classifier(nn.Module):
    """Plain layers, attributes of all kinds, one of them a function."""

    def __init__(self) -> None:
        super().__init__()
        self.width = 20
        self.labels = ["cat", 'do"g', "ptak\u202e\n"]
        self.limits = (float("-inf"), float("nan"), 1e-30)
        self.huge = 10**400
        self.options = {"lr": 0.1, 3: None, (1, 2): b"\x00"}
        self.size = torch.Size([3, 4])
        self.kind = torch.bfloat16
        self.table = np.zeros((2, 3), dtype=np.int32)
        self.activation = functional.relu
        self.layer_class = nn.ReLU
        self.conv1 = nn.Conv2d(3, 6, 5)
        self.conv2 = nn.Conv2d(
            6, 16, (5, 3), stride=2, padding="same" if False else 1, bias=False, padding_mode="reflect"
        )
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2, output_padding=1, groups=2)
        self.norm = nn.BatchNorm2d(16, affine=False)
        self.other = nn.InstanceNorm1d(4, track_running_stats=True)
        self.group = nn.GroupNorm(2, 4)
        self.fc = nn.Linear(400, 120)
        self.pool = nn.MaxPool2d(2, 2)
        self.drop = nn.Dropout(0.25)
        self.scale = nn.Parameter(torch.zeros(3, 4))
        self.frozen = nn.Parameter(torch.zeros(2, dtype=torch.int64), requires_grad=False)
        self.register_buffer("running", torch.zeros(3))
        self.register_buffer("mask", torch.zeros(2, 2, dtype=torch.bool), persistent=False)
        self.register_buffer("absent", None)
        self.register_parameter("none", None)


class Basic(nn.Module):
    """A block as residual networks have it: the objects differ in sizes, and some have a shortcut."""

    def __init__(self, inner: int, outer: int, stride: int = 1) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inner, outer, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outer)
        self.conv2 = nn.Conv2d(outer, outer, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outer)
        self.downsample = None
        if stride != 1:
            self.downsample = nn.Sequential(nn.Conv2d(inner, outer, 1, stride, bias=False), nn.BatchNorm2d(outer))
        self.stride = stride


class Residual(nn.Module):
    """Blocks in named and numbered containers."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(OrderedDict(conv=nn.Conv2d(3, 8, 7), act=nn.ReLU(inplace=True)))
        self.layers = nn.ModuleList(
            [nn.Sequential(Basic(8, 8), Basic(8, 8)), nn.Sequential(Basic(8, 16, 2), Basic(16, 16))]
        )
        self.heads = nn.ModuleDict({"a": nn.Linear(16, 2), "b b": nn.Linear(16, 3)})
        self.fc = nn.Linear(16, 4)


class Unet(nn.Module):
    """A class whose objects hold objects of the same class."""

    def __init__(self, width: int, inner: nn.Module | None = None) -> None:
        super().__init__()
        parts = (
            [nn.Conv2d(width, 2 * width, 4)] + ([inner] if inner else []) + [nn.ConvTranspose2d(2 * width, width, 4)]
        )
        self.model = nn.Sequential(*parts)


class Attention(nn.Module):
    """What torch makes of several parts."""

    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, activation="gelu", batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(8))
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, bias=False), 1)
        self.whole = nn.Transformer(8, 2, 1, 1, 16)
        self.attention = nn.MultiheadAttention(8, 2, kdim=4, vdim=6, add_bias_kv=True)
        self.lstm = nn.LSTM(8, 6, 2, bidirectional=True, proj_size=3, dropout=0.1)
        self.rnn = nn.RNN(4, 5, nonlinearity="relu", bias=False)
        self.cell = nn.GRUCell(3, 4)
        self.positions = nn.Embedding(10, 8, padding_idx=0)
        self.bag = nn.EmbeddingBag(4, 3, mode="sum")
        self.weights = nn.ParameterList([nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(3, 1))])
        self.named = nn.ParameterDict({"k": nn.Parameter(torch.zeros(1))})
        self.loss = nn.CrossEntropyLoss(weight=torch.ones(4), label_smoothing=0.1)
        self.bilinear = nn.Bilinear(2, 3, 4)
        self.adaptive = nn.AdaptiveLogSoftmaxWithLoss(8, 20, [4, 10])
        self.prelu = nn.PReLU(3)
        self.rms = nn.RMSNorm(7)


class Changed(nn.Module):
    """Layers whose constructor does not make what they hold now."""

    def __init__(self) -> None:
        super().__init__()
        self.normed = nn.utils.weight_norm(nn.Linear(3, 4))
        self.spectral = nn.utils.spectral_norm(nn.Conv1d(3, 4, 2))
        self.pruned = prune.l1_unstructured(nn.Linear(5, 6), "weight", amount=0.5)
        self.grown = nn.Linear(2, 3)
        self.grown.weight = nn.Parameter(torch.zeros(9, 9))
        self.grown.register_buffer("seen", torch.zeros(2))
        self.grown.index = 4
        self.list = nn.ModuleList([nn.ReLU()])
        self.list.register_parameter("extra", nn.Parameter(torch.zeros(2)))
        self.parallel = nn.DataParallel(nn.Linear(2, 2, dtype=torch.float64))


class Convolution(nn.Conv2d):
    """A subclass of torch's class with the same attributes."""


class Marked(nn.Conv2d):
    """A subclass with an attribute of its own."""

    def __init__(self) -> None:
        super().__init__(2, 2, 1)
        self.mark = "x"


class Dropped(nn.Dropout2d):
    """What several classes of torch could be."""


class Chain(nn.Sequential):
    """Submodules with numbers; the file does not tell what it is."""


class Subclasses(nn.Module):
    """Own subclasses of torch's classes."""

    def __init__(self) -> None:
        super().__init__()
        self.one = Convolution(2, 4, 3, padding=1)
        self.two = Convolution(4, 8, 3, bias=False)
        self.marked = Marked()
        self.dropped = Dropped(0.3)
        self.chain = Chain(nn.Linear(2, 2), nn.ReLU())
        self.longer = Chain(*(nn.Linear(2, 2) for _ in range(20)))


class Tied(nn.Module):
    """One weight, and one module, under several names."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(7, 4)
        self.head = nn.Linear(4, 7)
        self.head.weight = self.embed.weight
        self.again = self.embed
        shared = nn.Linear(4, 4)
        self.net = nn.Sequential(shared, nn.ReLU(), shared)
        self.me = SimpleNamespace(a=1)
        object.__setattr__(self, "itself", self)


class Settings:
    """No module."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.parts = [depth, {"a": depth}]


class Mapping(dict[str, int]):
    """A subclass of dict."""


class Odd(nn.Module):
    """Names that are no names, and such that hide something."""

    class Inner(nn.Module):
        """A nested class."""

        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.zeros(2))

    def __init__(self) -> None:
        super().__init__()
        self.settings = [Settings(1), Settings(2)]
        self.mapping = Mapping(a=1)
        self.inner = Odd.Inner()
        for name in ("class", "lambda", "a b", "żółw", "\ufb01", "\u202e\n'\"", "__x", "0", "state", "None"):
            setattr(self, name + "_", nn.Linear(1, 2))
            self.add_module(name, nn.Linear(1, 2))
        for name in ("forward", "train", "register_buffer", "type"):
            self.__dict__[name] = 5 if name == "type" else None
        self._modules["add_module"] = nn.Linear(2, 1)
        self._parameters["register_parameter"] = nn.Parameter(torch.zeros(1))
        self._buffers["half"] = torch.zeros(2)


class Optional(nn.Module):
    """Objects with many names that others lack."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        for at in range(number):
            setattr(self, f"layer{number}_{at}", nn.Linear(at + 1, 1))
        if number % 2:
            self.register_buffer("odd", torch.zeros(number))
        self.same = nn.Linear(number + 1, 2)
        self.other = nn.Linear(2, number + 1)


def models() -> dict[str, Any]:
    """By the name of their file."""
    inner = Unet(4, Unet(8, Unet(16)))
    return {
        "classifier": Classifier(),
        "residual": Residual(),
        "unet": inner,
        "attention": Attention(),
        "changed": Changed(),
        "subclasses": Subclasses(),
        "tied": Tied(),
        "odd": Odd(),
        "optional": nn.ModuleList([Optional(number) for number in (1, 2, 5, 9)]),
        "known": nn.Sequential(
            Convolution(2, 4, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(16, 3)
        ),
        "parallel": nn.DataParallel(Residual()),
        "checkpoint": {"epoch": 3, "model": Residual().half(), "settings": Settings(3)},
    }
