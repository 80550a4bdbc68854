"""The names that `torch.load(weights_only=True)` takes by itself: a dated table made from torch, no torch needed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from viewer import resources
from viewer.core.safety.imports import mapped_name

_PROTOCOL_2 = 2


@dataclass(frozen=True, slots=True)
class Accepted:
    """`torch`: the version that the names are of. `made`: the day, 2026-11-30. `names`: as Python 3 has them."""

    torch: str
    made: str
    names: frozenset[str]
    blocked_modules: frozenset[str]


@cache
def accepted() -> Accepted:
    """The table, read once."""
    kept: dict[str, Any] = json.loads(resources.read_text("weights_only.json"))
    return Accepted(kept["torch"], kept["made"], frozenset(kept["names"]), frozenset(kept["blocked_modules"]))


def is_accepted(module: str, name: str) -> bool:
    """True for a name that it takes, as written in the stream: it maps names of Python 2 in every protocol."""
    return (mapped_name((module, name), _PROTOCOL_2) or "") in accepted().names
