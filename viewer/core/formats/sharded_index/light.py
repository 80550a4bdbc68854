"""Documents of files of a set that are without a fault: what is in them is read again when it is looked at."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final

from typing_extensions import override

from viewer.core.document import Document, Stated, member_how
from viewer.core.errors import SourceError
from viewer.core.formats.reading import LazyRegions
from viewer.core.formats.safetensors_reading import LENGTH, NAME, read_safetensors
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span
from viewer.core.tensors.many import ManyTensors, Totals, totals_of
from viewer.core.tensors.tensor import Tensor

MOST_READ: Final = 32


class Readings:
    """The last files that were read whole."""

    def __init__(self, byteorder: str) -> None:
        self.byteorder = byteorder
        self._lock = Lock()
        self._kept: OrderedDict[ByteSource, Document] = OrderedDict()

    def read(self, source: ByteSource) -> Document:
        """The document of a file; one without tensors where it cannot be read any more."""
        with self._lock:
            found = self._kept.get(source)
            if found is None:
                found = self._kept[source] = self._opened(source)
            self._kept.move_to_end(source)
            if len(self._kept) > MOST_READ:
                self._kept.popitem(last=False)
        return found

    def _opened(self, source: ByteSource) -> Document:
        try:
            return read_safetensors(source, self.byteorder, Progress())
        except SourceError:
            return Document(source, NAME, regions=[Region(Span(0, source.size), "unknown", "")])


class LightTensors(ManyTensors):
    """The tensors of a file that is read when one of them is looked at."""

    def __init__(self, count: int, read: Callable[[], Document]) -> None:
        super().__init__(count)
        self._read = read

    @override
    def make(self, number: int) -> Tensor:
        tensors = self._read().tensors
        # The file may be another by now than it was when the set was opened.
        return tensors[number] if number < len(tensors) else gone(number)

    @override
    def totals(self) -> Totals:
        return totals_of(self._read().tensors)

    @override
    def stated_at(self, offset: int) -> int:
        places = [tensor.stated for tensor in self._read().tensors if tensor.stated is not None]
        number = bisect_right(places, offset, key=lambda place: place.start) - 1
        return number if number >= 0 and offset in places[number] else -1


class LightRegions(LazyRegions):
    """Those of a file that is read when they are looked at, and not kept: a thousand files have a million of them."""

    @property
    @override
    def _regions(self) -> Sequence[Region]:
        return self._make()


def light_document(
    name: str, source: ByteSource, base: int, count: int, metadata: list[Stated], readings: Readings
) -> Document:
    """The document of a file with so many tensors, which follow one another from `base` to its end."""

    def read() -> Document:
        return readings.read(source)

    length, size = min(LENGTH, source.size), source.size
    pieces = [
        Region(Span(0, length), "safetensors-length", ""),
        Region(Span(length, base), "safetensors-header", ""),
        *([Region(Span(base, size), "storage", "")] if base < size else []),
    ]
    return Document(
        source,
        NAME,
        how=member_how(name),
        byteorder=readings.byteorder or "little",
        regions=LightRegions(lambda: read().regions),
        pieces=pieces,
        tensors=LightTensors(count, read),
        metadata=metadata,
    )


def gone(number: int) -> Tensor:
    """What stands for a tensor of a file that was changed meanwhile."""
    return Tensor(number, (number,), None, "tensor", "uint8", (0,), (1,), 0, None)
