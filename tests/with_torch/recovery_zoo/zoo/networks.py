"""Whole models made of the other modules of this package."""

import math

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name that everyone gives it
from torch import nn

from zoo.blocks import Block, Gate, Residual
from zoo.settings import Settings


class Picture(nn.Module):
    """Classifies small pictures."""

    def __init__(self, channels=6, classes=5):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, channels, 3, stride=2, padding=1), nn.BatchNorm2d(channels), nn.ReLU(True)
        )
        self.stages = nn.ModuleList([Block(channels, 3), Residual(channels, 3, 0.5), Residual(channels, 5, 0.25)])
        self.gate = Gate(channels)
        self.widths = [channels, channels * 2]
        self.window = (2, 2)
        self.names = {"stem": 0, "stages": [1, 2, 3]}
        self.register_buffer("mean", torch.tensor([0.4, 0.5, 0.6]).view(1, 3, 1, 1))
        self.head = nn.Linear(channels * 2, classes)
        self.drop = nn.Dropout(0.3)

    def forward(self, x):
        x = self.stem(x - self.mean)
        for stage in self.stages:
            x = stage(x)
        x = self.gate(x)
        high = F.max_pool2d(x, self.window)
        both = torch.cat([F.adaptive_avg_pool2d(x, 1), F.adaptive_max_pool2d(high, 1)], dim=1)
        flat = both.view(x.size(0), self.widths[1])
        return F.log_softmax(self.head(self.drop(flat)), dim=1)


class Reader(nn.Module):
    """Reads a sequence in both directions and scores every step."""

    def __init__(self, width=4, hidden=5, layers=2):
        super().__init__()
        self.layers, self.hidden = layers, hidden
        self.rnn = nn.LSTM(width, hidden, layers, batch_first=True, dropout=0.2, bidirectional=True)
        self.cell = nn.GRUCell(2 * hidden, hidden)
        self.score = nn.Linear(hidden, 3)

    def start(self, x):
        return x.new_zeros(2 * self.layers, x.size(0), self.hidden)

    def forward(self, x):
        steps, (last, _) = self.rnn(x, (self.start(x), self.start(x)))
        state, scores = last[-1], []
        for step in range(steps.size(1)):
            state = self.cell(steps[:, step], state)
            scores.append(torch.tanh(self.score(state)))
        return torch.stack(scores, dim=1)


class Words(nn.Module):
    """Predicts words: embedding and decoder share their weight, and some tensors are plain attributes."""

    def __init__(self, words=11, width=6):
        super().__init__()
        self.settings = Settings(width, 1.5)
        self.embed = nn.Embedding(words, width, padding_idx=0)
        self.positions = torch.linspace(-1, 1, 4 * width).view(4, width)
        self.table = np.arange(4, dtype=np.float32) / 8
        self.mix = nn.Bilinear(width, width, width)
        self.bias = nn.Parameter(torch.zeros(words))
        self.frozen = nn.Parameter(torch.ones(width) * 0.75, requires_grad=False)
        self.decode = nn.Linear(width, words, bias=False)
        self.decode.weight = self.embed.weight
        self.kinds = {0: "pad", 1: "word", "other": None}

    def forward(self, indices):
        x = self.embed(indices) * math.sqrt(self.settings.width) * self.frozen
        x = x + self.positions[: indices.size(1)] * self.settings.factor
        x = x + torch.from_numpy(self.table)[: indices.size(1)].view(1, -1, 1)
        x = self.mix(x, x) + (0 if self.kinds["other"] is None else 1)
        return self.decode(x) + self.bias
