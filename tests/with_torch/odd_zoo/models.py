"""The models, each with what once went wrong in a kit."""

import torch
from odd_zoo import blocks
from odd_zoo.blocks import Scaling, marked
from torch import nn
from torch.nn.utils import prune
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

FACTOR = 2.5


def boosted(x, factor=FACTOR):
    return x * factor


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4))

    def forward(self, x):
        return boosted(x) * self.weight


class Twins(nn.Module):
    """Two classes of one name, from two modules."""

    def __init__(self):
        super().__init__()
        self.first = Block()
        self.second = blocks.Block()

    def forward(self, x):
        return self.second(self.first(x))


@marked
class Scaled(Scaling):
    """Its base and its decorator are in another file, and no object is of that base."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return self.scaled(self.linear(x))


class Packed(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 6, 2, bidirectional=True, proj_size=3, batch_first=True)

    def forward(self, x):
        packed, _ = self.lstm(pack_padded_sequence(x.expand(2, 3, 4), [3, 2], batch_first=True))
        return pad_packed_sequence(packed, batch_first=True)[0]


class Replaced(nn.Module):
    """Its forward is a method that stands in its attributes."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.forward = self.other

    def other(self, x):
        return self.linear(x) + 1

    def forward(self, x):
        return x


class Settings(dict):
    """A dict whose attributes are its keys: asking it for any other fails with KeyError."""

    def __getattr__(self, name):
        return self[name]


class Configured(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.settings = Settings(scale=2.0, inner=Settings(depth=3))

    def forward(self, x):
        return self.linear(x) * self.settings.scale * self.settings.inner.depth


class Pruned(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = prune.l1_unstructured(nn.Linear(4, 4), "weight", amount=0.5)

    def forward(self, x):
        return self.linear(x)


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.linear.register_forward_hook(doubled)

    def forward(self, x):
        return self.linear(x)


def doubled(module, given, output):
    return output * 2


class Quantised(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.table = torch.quantize_per_tensor(torch.ones(4), 0.1, 2, torch.qint8)

    def forward(self, x):
        return self.linear(x)


class Lazy(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.LazyLinear(4)

    def forward(self, x):
        return self.linear(x)


class Meta(type):
    def __call__(cls, *args, **kwargs):
        made = super().__call__(*args, **kwargs)
        made.after = 3
        return made


class Made(nn.Module, metaclass=Meta):
    """Its metaclass and the constants of its body are in no legacy file."""

    table = (FACTOR * 2, *(FACTOR,))

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x) * self.after


KINDS = (Twins, Scaled, Packed, Replaced, Configured, Pruned, Hooked, Quantised, Lazy, Made)
