"""Parts of a convolutional network: a base class of ours, blocks with attributes, a nested class."""

import torch
import torch.nn.functional as F  # noqa: N812 - the name that everyone gives it
from torch import nn


class Block(nn.Module):
    """A convolution with a norm; what it adds to its input is for subclasses."""

    slope = 0.1

    def __init__(self, channels, kernel):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel, padding=kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.channels = channels

    def features(self, x):
        return F.leaky_relu(self.norm(self.conv(x)), self.slope)

    def forward(self, x):
        return self.features(x)


class Residual(Block):
    """Adds its features, scaled, to its input."""

    def __init__(self, channels, kernel, scale):
        super().__init__(channels, kernel)
        self.scale = scale
        self.drop = nn.Dropout2d(0.25)

    def forward(self, x):
        return x + self.scale * self.drop(self.features(x))


class Gate(nn.Module):
    """Weights channels by what a class inside of it computes."""

    class Squeeze(nn.Module):
        """Mean over the picture."""

        def __init__(self, keep):
            super().__init__()
            self.keep = keep

        def forward(self, x):
            return x.mean(dim=3, keepdim=self.keep).mean(dim=2, keepdim=self.keep)

    def __init__(self, channels):
        super().__init__()
        self.squeeze = Gate.Squeeze(True)
        self.mix = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        return x * torch.sigmoid(self.mix(self.squeeze(x)))
