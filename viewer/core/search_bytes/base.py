"""Query: what is looked for among bytes, and how one block of them is searched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from viewer.core.source import BLOCK

Offsets = npt.NDArray[np.int64]
Block = bytes | bytearray
NONE: Final[Offsets] = np.zeros(0, np.int64)


class QueryError(ValueError):
    """What was typed means no bytes: a code of `wording.byte_search.FAULTS` and its parameters."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params: Mapping[str, object] = params


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Hits of one block in ascending order of `starts`; `lengths` in bytes, None where all are equally long."""

    starts: Offsets = field(default_factory=lambda: NONE)
    lengths: npt.NDArray[np.uint32] | None = None


class Query(ABC):
    """One thing to look for.

    `length`: bytes of every hit, 0 where they differ. `reach`: bytes of the longest. `block`: bytes that are
    searched at once, so few that the work can be stopped within 50 ms. `overlap`: hits may share bytes.
    """

    length: int
    reach: int
    block: int = BLOCK
    overlap: ClassVar[bool] = True

    @abstractmethod
    def find(self, data: Block, count: int, base: int, limit: int) -> Hits:
        """The hits that begin in the first `limit` bytes; the first `count` bytes of the data hold something.

        `base`: how far the data stand from where the search begins, for what has an alignment.
        """
