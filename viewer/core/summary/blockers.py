"""Blocker: one thing at which loading stops, with its place. The words stand in `wording.blockers`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from viewer.wording import fill
from viewer.wording.blockers import BLOCKERS
from viewer.wording.predictions import PREDICTIONS

NOWHERE: Final = -1
_DEPENDING: Final = frozenset({"class-missing", "sharded"})
_DEVICE: Final = "device-"


@dataclass(frozen=True, slots=True)
class Blocker:
    """`code`: a key of `wording.blockers`, or of an expectation. `params`: what its sentence is filled with.

    `opcode`: the first one that it is about, in the pickle of that number; -1: it is about the file as a whole.
    `count`: how often.
    """

    code: str
    params: Mapping[str, object] = field(default_factory=dict)
    opcode: int = NOWHERE
    count: int = 1
    pickle: int = NOWHERE

    @property
    def depends(self) -> bool:
        """True where it stops loading on some computers only: without a device or class, or in one process."""
        return self.code in _DEPENDING or self.code.startswith(_DEVICE)

    @property
    def sentence(self) -> str:
        """The English sentence with its parameters in braces, without a full stop."""
        return BLOCKERS.get(self.code) or PREDICTIONS[self.code].title

    @property
    def text(self) -> str:
        """The sentence, filled."""
        return fill(self.sentence, self.params)
