"""Two sparse tensors against each other by the indices of what they store: what one of them does not store is 0."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from viewer.core.comparing.meter import Meter
from viewer.core.comparing.numbers import Kind, Numbers, numbers_of, values
from viewer.core.comparing.outcome import Outcome, Refused, found
from viewer.core.comparing.sums import Sums
from viewer.core.tensors.dtypes import AnyArray
from viewer.core.tensors.sparse import Coordinates, Sparse, added_up, numbered, points_well, sparse
from viewer.core.tensors.tensor import Tensor

MOST: Final = 2 * 1024 * 1024
"""Stored elements of one tensor that are put in order, which takes some 100 bytes for each."""
LARGEST: Final = 2**63
CHUNK: Final = 64 * 1024


def compare_sparse(first: Tensor, second: Tensor, meter: Meter) -> Outcome | None:
    """Hold them against each other, of whatever sparse layouts; None where one is not sparse, or its parts do not fit.

    Raises what reading does, and CancelledError.
    """
    one, other = sparse(first), sparse(second)
    if one is None or other is None:
        return None
    # Entries of no elements take no bytes, and may be stated without end.
    if max(one.elements, other.elements, one.count, other.count) > MOST or first.elements >= LARGEST:
        return Refused("sparse-many", {"count": MOST})
    hows = numbers_of(one.values), numbers_of(other.values)
    if hows[0] is None or hows[1] is None or Kind.RAW in (hows[0].kind, hows[1].kind):
        return Refused("types", {"first": first.dtype, "second": second.dtype})
    read = []
    for side, part, how in (("A", one, hows[0]), ("B", other, hows[1])):
        places = numbered(part, meter.progress)
        if (len(places) and places.min() < 0) or not points_well(part, meter.progress):
            return Refused("indices", {"side": side})
        read.append(added_up(places, _values(part, how, meter)))
    kinds = {hows[0].kind, hows[1].kind}
    kind = next(each for each in (Kind.COMPLEX, Kind.REAL, Kind.INTEGER) if each in kinds)
    return found(_sums(*read[0], *read[1], kind, first.elements), first.shape, kind, "coordinates")


def _values(part: Sparse, how: Numbers, meter: Meter) -> AnyArray:
    """All stored values, of a type that can be added."""
    runs = [run.astype(np.float64) if how.kind is Kind.REAL else run for run in values(part.values, how, meter)]
    return np.concatenate(runs) if runs else np.zeros(0)


def _sums(
    places_a: Coordinates, values_a: AnyArray, places_b: Coordinates, values_b: AnyArray, kind: Kind, elements: int
) -> Sums:
    """What adds up over all elements, of which those that neither stores are equal."""
    places = np.union1d(places_a, places_b)
    both = []
    for where, numbers in ((places_a, values_a), (places_b, values_b)):
        whole = np.zeros(len(places), dtype=numbers.dtype)
        whole[np.searchsorted(places, where)] = numbers
        both.append(whole)
    sums = Sums()
    for at in range(0, len(places), CHUNK):
        sums.add(both[0][at : at + CHUNK], both[1][at : at + CHUNK], kind)
    beside = elements - len(places)
    return replace(
        sums,
        count=sums.count + beside,
        finite=sums.finite + beside,
        place=int(places[sums.place]) if sums.place >= 0 else -1,
        first=int(places[sums.first]) if sums.first >= 0 else -1,
    )
