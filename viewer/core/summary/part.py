"""One row of what a container is made of, and rows of things that several containers have."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.document import Document, Pickle
from viewer.core.span import Region, Span
from viewer.core.tensors.tensor import Tensor
from viewer.wording import rows as words

# A part may lie between the parts of another: so many before the nearest are looked at as well.
_NEAR: Final = 8
NOWHERE: Final = 1 << 62
"""The first byte of a part that has none in the document."""


@dataclass(frozen=True, slots=True)
class Say:
    """A piece of a row. `data`: it stands in the file as it is; else a sentence of the wording tables to be filled."""

    text: str
    params: Mapping[str, object] = field(default_factory=dict)
    data: bool = False


def data(text: str) -> Say:
    """Text out of the file."""
    return Say(text, data=True)


@dataclass(slots=True)
class Part:
    """One row. `span`: what is selected with it. `owned`: the bytes that are its own, None = those of `span`.

    `pickle`, `tensor`, `child`, `other`: numbers in the document of what the row stands for; -1: none. The object of
    a pickle is its first child, before `children`. `state`: "missing" for what should be there and is not.
    """

    label: Say
    icon: str
    span: Span | None = None
    details: tuple[Say, ...] = ()
    size: int | None = None
    owned: Span | None = None
    pickle: int = -1
    tensor: int = -1
    child: int = -1
    other: int = -1
    children: Parts | None = None
    state: str = ""

    @property
    def place(self) -> Span | None:
        """The bytes that belong to it."""
        return self.owned or self.span


class Parts:
    """Neighbouring parts, made one by one: `make(n)` gives the n-th, `starts[n]` its first byte, in ascending order.

    `of_tensor`: gives the number of the part of a tensor by the tensor's own, -1 where it has none; `of_other` that of
    another value of a set, `of_pickle` that of a stream.
    """

    of_tensor: Callable[[int], int] | None = None
    of_other: Callable[[int], int] | None = None
    of_pickle: Callable[[int], int] | None = None

    def __init__(self, starts: Sequence[int], make: Callable[[int], Part], stop: int) -> None:
        self.starts, self.make, self.stop = starts, make, stop
        self.count = len(starts)

    def find(self, offset: int) -> int:
        """Number of the part that owns a byte; -1: none."""
        if offset >= self.stop:
            return -1
        number = bisect_right(self.starts, offset) - 1
        for near in range(number, max(-1, number - _NEAR), -1):
            place = self.make(near).place
            if place is not None and offset in place:
                return near
        return -1


def listed(parts: Sequence[Part]) -> Parts:
    """Parts that are there already, put in the order of their bytes; those without bytes come last."""
    found = sorted((part for part in parts if part.place is not None), key=lambda part: _start(part))
    found += [part for part in parts if part.place is None]
    last = max((part.place.stop for part in found if part.place is not None), default=0)
    return Parts([_start(part) for part in found], lambda number: found[number], last)


def _start(part: Part) -> int:
    return part.place.start if part.place is not None else NOWHERE


def pickle_part(document: Document, pickle: Pickle, label: Say | None = None, owned: Span | None = None) -> Part:
    """The row of one stream; its object stands below."""
    span = pickle.in_document(pickle.span())
    size = pickle.span().length
    details = (Say(words.PROTOCOL, {"protocol": pickle.code.protocol}),)
    name = label or Say(words.ROLES.get(pickle.role, words.ROLES[""]))
    return Part(name, "pickle", span, details, size, owned, pickle=pickle.index)


def next_pickles(document: Document, pickles: Sequence[Pickle]) -> Parts:
    """The rows of the streams behind the first one of a record, in the order of their bytes; there is at least one."""

    def make(number: int) -> Part:
        part = pickle_part(document, pickles[number], Say(words.NEXT_PICKLE))
        part.details += (place_of(pickles[number].shown_at(0)),)
        return part

    spans = [pickle.in_document(pickle.span()) for pickle in pickles]
    starts = [span.start if span is not None else NOWHERE for span in spans]
    parts = Parts(starts, make, spans[-1].stop if spans[-1] is not None else 0)
    numbers = {pickle.index: number for number, pickle in enumerate(pickles)}
    parts.of_pickle = lambda index: numbers.get(index, -1)
    return parts


def place_of(offset: int) -> Say:
    """Where a stream begins that stands behind another one."""
    return Say(words.AT, {"offset": f"0x{offset:X}"})


def tensor_part(tensor: Tensor, label: Say, owned: Span | None = None) -> Part:
    """The row of a tensor that stands in a container itself."""
    storage = tensor.storage
    details = (data(shape_text(tensor.shape)), data(tensor.dtype))
    span = storage.span if storage is not None else None
    size = storage.nbytes if storage is not None else None
    return Part(label, "tensor", span, details, size, owned, tensor=tensor.index)


_REGION_ICONS: Final = {"gap": "gap", "padding": "gap", "npy-header": "header", "zip-header": "header"}


def region_part(region: Region) -> Part:
    """The row of bytes that are nothing else."""
    label = Say(words.KINDS.get(region.kind, region.kind))
    details = (region_label(region),) if region.label else ()
    icon = _REGION_ICONS.get(region.kind, "bytes")
    return Part(label, icon, region.span, details, region.span.length)


def region_label(region: Region) -> Say:
    """What a label says. Bytes that nothing reads are labelled with the format that they look like."""
    if region.kind == "unknown" and region.label in words.FORMATS:
        return Say(words.FORMATS[region.label])
    return data(region.label)


def shape_text(shape: Sequence[int]) -> str:
    """A shape as torch prints it."""
    return f"[{', '.join(map(str, shape))}]"
