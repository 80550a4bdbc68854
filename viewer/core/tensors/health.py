"""The scan of all values: NaN, infinities, zeros, constants, negative variances, denormals, and equal tensors.

One pass over each tensor, which gives its statistics too; small ones are looked at many at a time. Tensors over the
same elements are read once. Those that look equal (type, shape, statistics, sum of their bits) are read again to
compare their digests.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple

import numpy as np

from viewer.core.errors import CancelledError, ViewerError
from viewer.core.progress import Progress
from viewer.core.tensors import window
from viewer.core.tensors.columns import shown_name
from viewer.core.tensors.dtypes import AnyArray
from viewer.core.tensors.elements import elements
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.layout import Shape
from viewer.core.tensors.many import identity
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.repeated import distinct, is_endless
from viewer.core.tensors.small import MANTISSA, Batch, is_small
from viewer.core.tensors.statistics import Statistics, sample, statistics
from viewer.core.tensors.tensor import Tensor, inner_tensors
from viewer.wording import fill
from viewer.wording.health import HEALTH
from viewer.wording.told import Told

SCANNING: Final = "health"
"""The step of progress."""
VARIANCES: Final = ("running_var", "moving_variance", "moving_var", "exp_avg_sq", "max_exp_avg_sq")
"""Last parts of the names of tensors that hold squares or variances."""
NAMED: Final = 3
FEWEST: Final = 2
"""Elements below which a tensor is called neither constant nor all zero, nor equal to another."""


class Fault(StrEnum):
    """What is found; codes of `wording.health`. UNREAD: bytes cannot be had. SHARED: the same bytes under two names."""

    NAN = "nan"
    INF = "inf"
    NEGATIVE = "negative"
    ZERO = "zero"
    CONSTANT = "constant"
    DENORMAL = "denormal"
    IDENTICAL = "identical"
    SHARED = "shared"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `tensor`: its number in the document; `others`: of tensors with the same values.

    `count`: elements; `first`: index of the first of them, None where that is not told; `value`: the one value.
    """

    fault: Fault
    tensor: int
    count: int = 0
    first: Shape | None = None
    value: int | float | None = None
    others: tuple[int, ...] = ()

    def text(self, tensors: Sequence[Tensor]) -> str:
        """The sentence in English."""
        return fill(HEALTH[self.fault][2], self.params(tensors))

    def params(self, tensors: Sequence[Tensor]) -> dict[str, object]:
        """What its sentence is filled with."""
        names = ", ".join(shown_name(tensors[number]) for number in self.others[:NAMED])
        more = len(self.others) - NAMED
        first = f"[{', '.join(map(str, self.first))}]" if self.first is not None else ""
        return {
            "count": self.count,
            "first": first,
            "value": f"{self.value!r}",
            "others": Told(names, " (+", more, ")") if more > 0 else names,
        }


@dataclass(slots=True, eq=False)
class Health:
    """What a scan found, up to now: it grows while the scan runs in another thread, and is only ever added to.

    `statistics`: by the number of the tensor, without how often each number comes; None for what holds no numbers.
    `scanned` of `total`: tensors. `faults`: by the number of the tensor, for all tensors that a finding is about.
    """

    total: int = 0
    scanned: int = 0
    done: bool = False
    findings: list[Finding] = field(default_factory=list)
    statistics: dict[int, Statistics | None] = field(default_factory=dict)
    faults: dict[int, frozenset[Fault]] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        """One more."""
        self.findings.append(finding)
        for number in (finding.tensor, *finding.others):
            self.faults[number] = self.faults.get(number, frozenset()) | {finding.fault}


def scan(tensors: Sequence[Tensor], progress: Progress, health: Health | None = None) -> Health:
    """Look at all values. `health`: filled meanwhile. Raises CancelledError."""
    health = health if health is not None else Health()
    health.total = len(tensors)
    _Scan(tensors, progress, health).run()
    health.done = True
    return health


class _Seen(NamedTuple):
    """The first tensor over some elements, and what they were found to be."""

    tensor: int
    statistics: Statistics | None
    findings: tuple[Finding, ...]


class _Scan:
    """One scan. Elements are told apart by where they stand: tensors may be made anew whenever they are looked at."""

    def __init__(self, tensors: Sequence[Tensor], progress: Progress, health: Health) -> None:
        self._tensors, self._progress, self._health = tensors, progress, health
        self._seen: dict[Hashable, _Seen] = {}
        self._tied: dict[int, list[int]] = {}
        self._alike: dict[Hashable, list[int]] = {}
        self._digests: dict[int, str] = {}
        self._batch = Batch()
        self._waiting: set[Hashable] = set()
        self._done = 0
        self._size = sum(_read_bytes(tensor) for tensor in progress.each(tensors))

    def run(self) -> None:
        """All tensors, the small ones together, then those that look alike."""
        for number in range(len(self._tensors)):
            self._progress.step(SCANNING, self._done, self._size)
            tensor = self._tensors[number]
            place = _place(tensor)
            if is_small(tensor) and place is not None and place not in self._seen and place not in self._waiting:
                self._waiting.add(place)
                self._batch.add(number, tensor)
                if self._batch.is_full:
                    self._look_at_batch()
                continue
            self._look_at_batch()
            self._look_at(number, tensor, place)
        self._look_at_batch()
        for first, others in self._tied.items():
            self._health.add(Finding(Fault.SHARED, first, others=tuple(others)))
        for numbers in self._alike.values():
            if len(numbers) > 1:
                self._compare(numbers)

    def _look_at_batch(self) -> None:
        for number, tensor, sums in self._batch.take():
            self._progress.step(SCANNING, self._done, self._size)
            place = _place(tensor)
            if sums is None or place is None:
                self._look_at(number, tensor, place)
                continue
            self._done += _read_bytes(tensor)
            self._digests[number] = sums.digest
            self._note(number, tensor, tensor.shape, sums.statistics, sums.bits)
            found = tuple(_findings(number, sums.statistics, sums.denormals))
            self._seen[place] = _Seen(number, sums.statistics, found)
            self._tell(number, tensor, self._seen[place])
        self._waiting.clear()

    def _look_at(self, number: int, tensor: Tensor, place: Hashable | None) -> None:
        seen = self._seen.get(place) if place is not None else None
        if seen is None:
            seen = self._read(number, tensor)
            if place is not None:
                self._seen[place] = seen
        else:
            # It is not read again.
            self._size -= _read_bytes(tensor)
        if seen.tensor != number and tensor.kind != "storage" and tensor.elements >= FEWEST:
            self._tied.setdefault(seen.tensor, []).append(number)
        self._tell(number, tensor, seen)

    def _tell(self, number: int, tensor: Tensor, seen: _Seen) -> None:
        self._health.statistics[number] = found = seen.statistics
        for finding in seen.findings:
            self._health.add(replace(finding, tensor=number))
        if found is not None and found.minimum is not None and found.minimum < 0 and _is_variance(tensor):
            self._health.add(Finding(Fault.NEGATIVE, number, value=found.minimum))
        self._health.scanned = number + 1

    def _read(self, number: int, tensor: Tensor) -> _Seen:
        """One pass over the elements; of what is made of parts over those of each part that holds numbers."""
        if tensor.storage is None and tensor.parts:
            parts = [self._read_one(number, part) for part in _valued(tensor)]
            found = tuple(finding for _, findings in parts for finding in findings)
            return _Seen(number, parts[0][0] if len(parts) == 1 else None, found)
        return _Seen(number, *self._read_one(number, tensor))

    def _read_one(self, number: int, tensor: Tensor) -> tuple[Statistics | None, tuple[Finding, ...]]:
        once, times = distinct(tensor)
        sums = _Bits(once, times)

        def also(numbers: AnyArray) -> None:
            self._done += numbers.nbytes
            self._progress.step(SCANNING, self._done, self._size)
            sums.add(numbers)

        try:
            # What would be read for ever is looked at here and there.
            found = sample(tensor) if is_endless(tensor) else statistics(tensor, self._progress.silent(), also)
        except CancelledError:
            raise
        except window.NoValuesError:
            return None, ()
        except ViewerError:
            return None, (Finding(Fault.UNREAD, number),)
        if found is None:
            return None, ()
        # How often each number comes is told when a person looks at the tensor: of all it would fill the memory.
        found = replace(found, distribution=None)
        self._note(number, tensor, once.shape, found, sums.bits)
        return found, tuple(_findings(number, found, sums.denormals))

    def _note(self, number: int, tensor: Tensor, once: Shape, found: Statistics, bits: int) -> None:
        """Keep what tensors that are the same have in common; what is dull is not held against others."""
        if tensor.elements < FEWEST or tensor.kind == "storage" or is_dull(found):
            return
        key = (tensor.dtype, tensor.shape, once, found.minimum, found.maximum, found.zeros.count, bits)
        self._alike.setdefault(key, []).append(number)

    def _compare(self, numbers: Sequence[int]) -> None:
        """Of tensors that look alike find those that are, by their digests."""
        digests: dict[str, list[int]] = {}
        for number in numbers:
            self._progress.step(SCANNING, self._done, self._size)
            digest = self._digests.get(number) or self._digest(self._tensors[number])
            if digest is not None:
                digests.setdefault(digest, []).append(number)
        for first, *others in digests.values():
            if others:
                self._health.add(Finding(Fault.IDENTICAL, first, others=tuple(others)))

    def _digest(self, tensor: Tensor) -> str | None:
        return None if is_endless(tensor) else sha256(distinct(tensor)[0], self._progress.silent())


class _Bits:
    """The sum of the bits of all elements, whatever order they come in, and how many are denormal.

    `times`: how often each of them comes in the tensor; the sum is that of the distinct ones.
    """

    def __init__(self, tensor: Tensor, times: int) -> None:
        self.bits = self.denormals = 0
        self._times = times
        kind = elements(tensor)
        size = kind.itemsize if kind is not None else 0
        self._unit = np.dtype(f"u{size}") if size in (1, 2, 4, 8) and per_byte(tensor) == 1 else np.dtype(np.uint8)
        self._mantissa = MANTISSA.get(kind.native.name, 0) if kind is not None else 0

    def add(self, numbers: AnyArray) -> None:
        """The next block."""
        raw = numbers.view(self._unit)
        self.bits = (self.bits + int(raw.sum(dtype=np.uint64))) % 2**64
        if self._mantissa:
            # Without its sign a denormal is 1 to 2^mantissa - 1; 0 becomes the largest number.
            doubled: Any = raw << np.array(1, dtype=self._unit)
            doubled -= np.array(1, dtype=self._unit)
            self.denormals += self._times * int(np.count_nonzero(doubled < 2 ** (self._mantissa + 1) - 1))


def is_dull(found: Statistics) -> bool:
    """Whether one number comes again and again: zeros and ones that models start with, of which many are the same."""
    strange = found.nans.count + found.positive_infinities.count + found.negative_infinities.count
    return not strange and found.minimum is not None and found.minimum == found.maximum


def _findings(number: int, found: Statistics, denormals: int) -> Iterator[Finding]:
    """What the statistics of a tensor tell."""
    if found.nans.count:
        yield Finding(Fault.NAN, number, found.nans.count, found.nans.first)
    infinite = found.positive_infinities.count + found.negative_infinities.count
    if infinite:
        firsts = [one.first for one in (found.positive_infinities, found.negative_infinities) if one.first is not None]
        yield Finding(Fault.INF, number, infinite, min(firsts, default=None))
    if denormals:
        yield Finding(Fault.DENORMAL, number, denormals)
    if found.elements < FEWEST or not is_dull(found):
        return
    if found.zeros.count == found.elements:
        yield Finding(Fault.ZERO, number, found.elements)
    else:
        yield Finding(Fault.CONSTANT, number, found.elements, value=found.minimum)


def _read_bytes(tensor: Tensor) -> int:
    """Bytes of the elements that are read of a tensor; of what is only looked at here and there next to none."""
    return 0 if is_endless(tensor) else window.nbytes(distinct(tensor)[0])


def _place(tensor: Tensor) -> Hashable | None:
    """What two names of the same elements have in common; None where they have no storage."""
    storage = tensor.storage
    if storage is None:
        return None
    if storage.span is None:
        return (*identity(tensor), tensor.dtype)
    return (tensor.member, storage.span.start, tensor.storage_offset, tensor.shape, tensor.stride, tensor.dtype)


def _valued(tensor: Tensor) -> list[Tensor]:
    """The parts of a tensor that hold its values, not its indices."""
    parts = [part for part in inner_tensors(tensor) if part.storage is not None]
    named = {id(part) for role, part in tensor.parts if role == "values"}
    return [part for part in parts if id(part) in named] or parts


def _is_variance(tensor: Tensor) -> bool:
    return shown_name(tensor).rpartition(".")[2] in VARIANCES
