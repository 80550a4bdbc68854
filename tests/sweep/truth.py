"""What has to be said of a file that is cut or has a flipped byte, by the file as it was.

A tensor is whole when what describes it and all of its bytes stand before the cut, and then it has the digest that
it has in the uncut file. Of every other tensor that is told of the number of missing bytes is exact. Nothing that the
uncut file does not have is called whole.

A flipped byte changes the tensors whose byte it is, and no other one; within a pickle it may change what the pickle
says, which then is told wherever a checksum stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from viewer.core.document import Document
from viewer.core.tensors import window
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.tensor import Tensor

Place = tuple[tuple[str, ...], str]
KEYS: Final = 4


@dataclass(frozen=True, slots=True)
class Known:
    """A tensor of the uncut file. `described`: where all that describes it ends; `start`, `stop`: of its bytes.

    Offsets count in the file; None where the bytes are inflated or made.
    """

    facts: tuple[object, ...]
    digest: str | None
    described: int | None
    start: int | None
    stop: int | None


class Truth:
    """The uncut file. `faults` holds a file that was cut from it against it."""

    def __init__(self, document: Document) -> None:
        self.known: dict[Place, Known] = {}
        self.every: set[tuple[object, ...]] = set()
        for place, part, tensor in told(document):
            inside = any(way.startswith("bytes") for way in place[0])
            end = None if inside else described(part, tensor)
            known = Known(facts(tensor), sha256(tensor), end, *outer(part, tensor))
            self.known[place] = known
            self.every.add((*known.facts, known.digest))

    def faults(self, document: Document, at: int) -> list[str]:
        """What is wrong with the account of the first `at` bytes."""
        found = {place: (part, tensor) for place, part, tensor in told(document)}
        wrong = [fault for place, (part, tensor) in found.items() for fault in self._claimed(place, part, tensor, at)]
        where = {(facts(tensor), outer(part, tensor)) for part, tensor in found.values() if window.complete(tensor)}
        for place, known in self.known.items():
            if known.described is None or known.stop in (None, known.start) or max(known.described, known.stop) > at:
                continue
            if known.digest is not None and (known.facts, (known.start, known.stop)) not in where:
                wrong.append(f"{place} is all there and not told of")
        return wrong

    def changed(self, document: Document) -> set[Place]:
        """The tensors that are lost, new, or have other facts or bytes."""
        found = {place: tensor for place, _, tensor in told(document)}
        other = {
            place
            for place in found.keys() & self.known.keys()
            if facts(found[place]) != self.known[place].facts or sha256(found[place]) != self.known[place].digest
        }
        return other | (found.keys() ^ self.known.keys())

    def is_kept(self, document: Document) -> bool:
        """True where all tensors are told of as they were, under whatever name."""
        found = {(*facts(tensor), sha256(tensor)) for _, _, tensor in told(document)}
        return self.every <= found

    def over(self, at: int) -> set[Place]:
        """The tensors between whose first and last byte one stands."""
        return {
            place
            for place, known in self.known.items()
            if known.start is not None and known.stop is not None and known.start <= at < known.stop
        }

    def _claimed(self, place: Place, part: Document, tensor: Tensor, at: int) -> Iterator[str]:
        known = self.known.get(place)
        missing, nbytes = window.missing_bytes(tensor)
        if known is None or known.facts != facts(tensor):
            if nbytes and not missing and (*facts(tensor), sha256(tensor)) not in self.every:
                yield f"{place} is called whole and is nothing of the uncut file"
            return
        if known.digest is None:
            return
        if not missing and sha256(tensor) != known.digest:
            yield f"{place} is called whole and has other bytes"
        if known.start is None or known.stop is None:
            return
        lost = known.stop - max(min(at, known.stop), known.start)
        if missing != lost:
            yield f"{place} misses {lost} bytes, not {missing}"


def told(document: Document) -> Iterator[tuple[Place, Document, Tensor]]:
    """All tensors with where they stand: the ways into the documents, and the path."""
    waiting: list[tuple[tuple[str, ...], Document]] = [((), document)]
    while waiting:
        ways, part = waiting.pop()
        for tensor in part.tensors:
            yield (ways, repr(tensor.path)), part, tensor
        for number, child in enumerate(part.children):
            way = child.how if not child.how.startswith(("next", "bytes", "text")) else f"{child.how} {number}"
            waiting.append(((*ways, way), child))


def facts(tensor: Tensor) -> tuple[object, ...]:
    """What the description says."""
    return tensor.kind, tensor.dtype, tensor.shape, tensor.stride, tensor.storage_offset


def outer(part: Document, tensor: Tensor) -> tuple[int | None, int | None]:
    """First to last byte used, in the file."""
    used = window.span(tensor)
    start = None if used is None else part.source.to_outer(used.start)
    return (None, None) if used is None or start is None else (start, start + used.length)


def described(part: Document, tensor: Tensor) -> int | None:
    """Where in the file all that describes a tensor ends."""
    if tensor.value is None:
        if tensor.stated is None:
            return None
        return part.source.to_outer(tensor.stated.stop)
    used = [part.pickles[tensor.value.pickle]]
    if part.format == "torch-legacy":
        used += part.pickles[KEYS:]
    if part.format == "torch-tar":
        used += [pickle for pickle in part.pickles if pickle.role != "storage"]
    ends = [pickle.in_document(pickle.span()) for pickle in used]
    stops = [None if span is None else part.source.to_outer(span.stop) for span in ends]
    known = [stop for stop in stops if stop is not None]
    return max(known) if len(known) == len(stops) else None
