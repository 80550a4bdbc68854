"""Would torch.load load a file: the answer for weights_only=True and for False, with everything that stops it, at once.

Only what the bytes decide is certain. What the computer decides, its devices and the modules that can be imported
there, makes the answer depend on that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from viewer.core.document import Document
from viewer.core.objects.content import shortened
from viewer.core.summary.blockers import NOWHERE, Blocker
from viewer.core.summary.expectation import STOPS, Expectation
from viewer.core.summary.missing import Missing
from viewer.core.summary.weights_only import Refusals
from viewer.core.tensors.many import ManyTensors

_OTHERS: Final = "not-torch"
# What only weights_only=True refuses as a whole.
_SAFE_ONLY: Final = frozenset({"script", "tar"})
_LATIN: Final = "strings-latin"
_SHARDED: Final = "sharded"
_META: Final = "device-meta"


class Loads(StrEnum):
    """DEPENDS: on some computers; what it depends on stands among the blockers."""

    YES = "yes"
    DEPENDS = "depends"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Answer:
    """For one of the two ways. `blockers`: about the file first, then in the order of the stream."""

    weights_only: bool
    blockers: Sequence[Blocker] = field(default_factory=tuple)

    @property
    def loads(self) -> Loads:
        """What it comes to."""
        if not self.blockers:
            return Loads.YES
        return Loads.DEPENDS if all(blocker.depends for blocker in self.blockers) else Loads.NO

    @property
    def code(self) -> str:
        """Of the sentence in `wording.blockers`."""
        return str(self.loads) if self.weights_only else f"{self.loads}-running"


def find_answers(
    document: Document,
    expectations: Iterable[Expectation],
    refusals: Refusals,
    missing: Iterable[Missing],
    latin: int = NOWHERE,
) -> tuple[Answer, Answer]:
    """Both answers, weights_only=True first. `latin`: the first string of Python 2 that is no UTF-8."""
    told = list(expectations)
    shared = list(_of_file(document, told, latin))
    whole = [Blocker(one.code) for one in told if one.code in _SAFE_ONLY]
    is_other = any(one.code.startswith(_OTHERS) for one in told)
    of_stream: list[Blocker] = [] if is_other or any(one.code == "tar" for one in whole) else refusals.blockers
    absent = [] if is_other else _missing(document, missing)
    return (
        Answer(True, _sorted([*shared, *whole, *of_stream])),
        Answer(False, _sorted([*shared, *absent])),
    )


def _sorted(found: Iterable[Blocker]) -> tuple[Blocker, ...]:
    return tuple(sorted(found, key=lambda blocker: (blocker.pickle, blocker.opcode)))


def _of_file(document: Document, told: Iterable[Expectation], latin: int) -> Iterator[Blocker]:
    """What stops both ways."""
    places: Mapping[str, tuple[int, int]] | None = None
    for one in told:
        if one.code in STOPS or one.code == _SHARDED or one.code.startswith(_OTHERS):
            yield Blocker(one.code, one.params)
        elif one.code == _LATIN:
            yield Blocker(one.code, one.params, latin, pickle=document.main)
        elif one.code.startswith("device-") and one.code != _META:
            places = _first_on(document) if places is None else places
            pickle, opcode = places.get(str(one.params.get("location")), (NOWHERE, NOWHERE))
            yield Blocker(one.code, one.params, opcode, int(str(one.params["count"])), pickle)


def _first_on(document: Document) -> dict[str, tuple[int, int]]:
    """Pickle and opcode of the first tensor on each location."""
    found: dict[str, tuple[int, int]] = {}
    for tensor in () if isinstance(document.tensors, ManyTensors) else document.tensors:
        if tensor.storage is not None and tensor.value is not None:
            found.setdefault(shortened(tensor.storage.location), (tensor.value.pickle, tensor.value.value))
    return found


def _missing(document: Document, missing: Iterable[Missing]) -> list[Blocker]:
    """Classes and functions that must be there."""
    return [
        Blocker("class-missing", {"name": shortened(one.name)}, one.first, max(one.count, 1), document.main)
        for one in missing
    ]
