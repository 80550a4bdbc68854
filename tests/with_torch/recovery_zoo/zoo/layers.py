"""Layers of torch whose attributes changed between versions, and subclasses of such layers."""

import torch
import torch.nn.functional as F  # noqa: N812 - the name that everyone gives it
from torch import nn


class Causal(nn.Conv1d):
    """A convolution that sees only the past."""

    def __init__(self, channels, kernel):
        super().__init__(channels, channels, kernel)
        self.past = kernel - 1

    def forward(self, x):
        return super().forward(F.pad(x, (self.past, 0)))


class Centred(nn.Linear):
    """A linear layer whose rows have no mean."""

    def forward(self, x):
        return F.linear(x, self.weight - self.weight.mean(1, keepdim=True), self.bias)


class Steady(nn.BatchNorm1d):
    """A norm that adds what it had."""

    def forward(self, x):
        return x + super().forward(x)


class Stack(nn.Sequential):
    """Layers in a row, each added to its input."""

    def forward(self, x):
        for layer in self:
            x = x + layer(x)
        return x


class Layers(nn.Module):
    """One of each kind, in a row."""

    def __init__(self, channels=4):
        super().__init__()
        self.convs = Stack(Causal(channels, 3), Steady(channels), nn.Conv1d(channels, channels, 3, padding=1))
        self.up = nn.ConvTranspose1d(channels, channels, 2, stride=2)
        self.groups = nn.GroupNorm(2, channels)
        self.instance = nn.InstanceNorm1d(channels, affine=True)
        self.resize = nn.Upsample(scale_factor=2, mode="nearest")
        self.pools = nn.ModuleDict({"mean": nn.AvgPool1d(2), "max": nn.MaxPool1d(2), "one": nn.AdaptiveAvgPool1d(6)})
        self.acts = nn.Sequential(nn.PReLU(), nn.ELU(), nn.Softplus(), nn.Hardtanh(-2, 2), nn.Softshrink(0.1))
        self.rnn = nn.RNN(channels, channels, nonlinearity="relu")
        self.norm = nn.LayerNorm(channels)
        self.linear = Centred(channels, channels)
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(channels) / (n + 1)) for n in range(2)])
        self.similar = nn.CosineSimilarity(dim=-1)
        self.soft = nn.Softmax(dim=-1)

    def forward(self, x):
        x = self.instance(self.groups(self.up(self.convs(x))))
        x = self.pools["mean"](self.resize(x)) + self.pools["max"](self.resize(x))
        x = self.acts(self.pools["one"](x)).permute(2, 0, 1)
        x = self.rnn(x)[0]
        x = self.linear(self.norm(x)) * self.weights[0] + self.weights[1]
        return self.soft(x) * self.similar(x, x + 1).unsqueeze(-1)
