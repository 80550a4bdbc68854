"""Weights that torch computes anew before every call: hooks, and tensors that are plain attributes."""

from torch import nn
from torch.nn.utils import spectral_norm, weight_norm


class Normed(nn.Module):
    """A convolution with a normed weight, then a linear layer that may stretch nothing."""

    def __init__(self, channels=3):
        super().__init__()
        self.conv = weight_norm(nn.Conv1d(channels, 4, 3, padding=1))
        self.line = spectral_norm(nn.Linear(4, 4))
        self.rows = weight_norm(nn.Linear(4, 2), dim=None)
        self.act = nn.LeakyReLU(0.2)

    def forward(self, x):
        return self.rows(self.line(self.act(self.conv(x)).transpose(1, 2)))
