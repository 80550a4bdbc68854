"""What is known of the elements of two tensors that were held against each other, or why they were not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from viewer.core.comparing.numbers import Kind
from viewer.core.comparing.sums import Sums
from viewer.core.errors import ViewerError
from viewer.core.tensors.layout import Shape, unravel


@dataclass(frozen=True, slots=True)
class Refused:
    """Why elements were not compared: a code of `wording.comparing.NOT_COMPARED`, or the failure of reading."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)
    failure: ViewerError | None = None


@dataclass(frozen=True, slots=True)
class Differences:
    """What is known of all pairs of elements.

    `same_bytes`: equal byte for byte. `largest`, `mean`, `relative` (norm of the difference by the norm of the first),
    `cosine`: None where there is no number: elements are texts or bits, or a norm is 0. `largest` is infinite where an
    infinity meets another number. `place`: index of the largest difference, `first`: of the first element that differs.
    `nans`: NaN at the same place in both, which are equal; `nans_a`, `nans_b`: those that meet a number. `note`: a code
    of `wording.comparing.NOTES`, how they were compared.
    """

    elements: int
    differing: int = 0
    largest: int | float | None = 0
    mean: float | None = 0.0
    relative: float | None = 0.0
    cosine: float | None = 1.0
    place: Shape | None = None
    first: Shape | None = None
    nans: int = 0
    nans_a: int = 0
    nans_b: int = 0
    same_bytes: bool = False
    note: str = ""


Outcome = Differences | Refused


def found(sums: Sums, shape: Shape, kind: Kind, note: str) -> Differences:
    """The sums as an outcome."""
    made = Differences(
        sums.count,
        sums.differing,
        place=unravel(shape, sums.place) if sums.place >= 0 else None,
        first=unravel(shape, sums.first) if sums.first >= 0 else None,
        nans=sums.nans,
        nans_a=sums.nans_a,
        nans_b=sums.nans_b,
        note=note,
    )
    if kind is Kind.RAW:
        return replace(made, largest=None, mean=None, relative=None, cosine=None)
    if not sums.differing:
        return made
    return replace(made, largest=sums.largest, mean=sums.mean, relative=sums.relative, cosine=sums.cosine)
