"""Figures, never tests: each is measured beside a peer in the same run and told as a ratio.

To add one: a file in this folder with `run() -> list[Figure]`, and a line in MODULES.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One row. `goal`: what the ratio (ours / peer, or ours alone where there is no peer) should be, in words."""

    name: str
    ours: float
    peer: float | None
    unit: str = "s"
    goal: str = ""
