"""Modules that debug_lines_child.py scripts and traces. A comment marks each line that is read.

Text that is no ASCII stands above on purpose: é, 名.
"""

from __future__ import annotations

import torch
from torch import nn


def halve(x: torch.Tensor) -> torch.Tensor:
    return torch.div(x, 2)  # line: div


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.name = "é 名"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x * self.weight  # line: mul
        if y.sum() > 3:  # line: gt
            y = torch.relu(y)  # line: relu
        name = "é 名"  # letters of several bytes before the rest of the line
        return torch.sigmoid(y) + len(name) + halve(x)  # line: sigmoid

    @torch.jit.export
    def other(self, n: int) -> torch.Tensor:
        return torch.full([n], 7.0)  # line: full


class Traced(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x)  # line: tanh
