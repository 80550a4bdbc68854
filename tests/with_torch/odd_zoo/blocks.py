"""A class of the same name as one of models.py, a decorator, a base and a helper for it."""

import torch
from torch import nn


def marked(kind):
    kind.mark = 3.0
    return kind


class Scaling(nn.Module):
    def scaled(self, x):
        return x * self.mark


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Parameter(torch.randn(4))

    def forward(self, x):
        return x + self.shift
