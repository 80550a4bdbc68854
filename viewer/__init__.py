"""Picklescope: a viewer for PyTorch checkpoints that executes nothing of what it opens."""

__version__ = "0.1.0"
