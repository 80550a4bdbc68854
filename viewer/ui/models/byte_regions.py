"""What the bytes of a document are, as runs for the hex view: container, storages by dtype, opcodes of pickles.

Runs of the container are few and made once. Those of opcodes are computed from the columns for the bytes that
are asked for, so millions of opcodes cost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.opcodes import OPCODES
from viewer.ui.hexview.marks import ARGUMENT, KINDS, OPCODE, RegionRuns
from viewer.ui.models.opcode_chips import CHIPS
from viewer.ui.theme import region_of_dtype
from viewer.ui.words import as_written, said
from viewer.wording.rows import FORMATS
from viewer.wording.rows import KINDS as REGIONS

if TYPE_CHECKING:
    from viewer.core.document import Document, Pickle
    from viewer.core.span import Region, Span

CONTAINER: Final = {
    "zip-header": "zip_header",
    "zip-descriptor": "zip_header",
    "zip-directory": "zip_directory",
    "zip-end": "zip_directory",
    "tar-header": "tar_header",
    "tar-extension": "tar_header",
    "tar-end": "padding",
    "tensor-layout": "number",
    "padding": "padding",
    "gap": "gap",
    "storage-count": "number",
    "npy-header": "zip_header",
    "packed": "unknown",
    "packed-check": "number",
    "packed-header": "zip_header",
    "header": "zip_header",
    "index-entry": "text",
    "index-map": "text",
    "index-metadata": "number",
    "index-text": "zip_header",
    "item": "zip_header",
    "safetensors-entry": "text",
    "safetensors-header": "zip_header",
    "safetensors-length": "number",
}
UNKNOWN: Final = KINDS.index("unknown")
MOST_MAPPED: Final = 200_000
_OPCODE_KINDS: Final = np.full(256, UNKNOWN, dtype=np.uint8)
for _opcode in OPCODES.values():
    _OPCODE_KINDS[_opcode.code] = KINDS.index(CHIPS[_opcode.group])
Offsets = npt.NDArray[np.int64]


class ByteRegions:
    """Runs of one source of a document: its own (`place` ""), that of an inflated record, of a file of a set."""

    def __init__(self, document: Document, place: str = "") -> None:
        document, place = document.at(place)
        self.pickles = sorted(
            (pickle for pickle in document.pickles if pickle.place == place),
            key=lambda pickle: pickle.shown(pickle.span()).start,
        )
        self._fixed = _fixed_runs(document) if not place else _arrays([])
        self._pickle_starts = np.array([pickle.shown(pickle.span()).start for pickle in self.pickles], dtype=np.int64)
        self._pickle_stops = np.array([pickle.shown(pickle.span()).stop for pickle in self.pickles], dtype=np.int64)

    def __call__(self, start: int, stop: int) -> RegionRuns:
        """The runs that touch the bytes [start, stop), in order."""
        first = int(np.searchsorted(self._fixed.stops, start, side="right"))
        last = int(np.searchsorted(self._fixed.starts, stop, side="left"))
        parts = [_part(self._fixed, first, last)]
        touching = np.flatnonzero((self._pickle_starts < stop) & (self._pickle_stops > start))
        parts += [_opcode_runs(self.pickles[number], start, stop) for number in touching.tolist()]
        return _merged(parts)

    def whole(self) -> RegionRuns:
        """All runs of the source, for the map."""
        return _merged([self._fixed, *(_all_opcodes(pickle) for pickle in self.pickles)])


def _opcode_runs(pickle: Pickle, start: int, stop: int) -> RegionRuns:
    """A run for each opcode byte and one for its argument."""
    code, base = pickle.code, pickle.base or 0
    first = max(0, int(np.searchsorted(code.offsets, start - base, side="right")) - 1)
    last = min(len(code), int(np.searchsorted(code.offsets, stop - base, side="left")))
    offsets = code.offsets[first : last + 1] + base
    count = max(last - first, 0)
    if not count:
        return _arrays([])
    starts = np.empty(2 * count, dtype=np.int64)
    stops = np.empty(2 * count, dtype=np.int64)
    starts[0::2], stops[0::2] = offsets[:-1], offsets[:-1] + 1
    starts[1::2], stops[1::2] = offsets[:-1] + 1, offsets[1:]
    kinds = np.repeat(_OPCODE_KINDS[code.codes[first:last]], 2)
    roles = np.tile(np.array([OPCODE, ARGUMENT], dtype=np.uint8), count)
    kept = stops > starts
    return RegionRuns(starts[kept], stops[kept], kinds[kept], roles[kept])


def _all_opcodes(pickle: Pickle) -> RegionRuns:
    """All runs of a stream; of a long one evenly spread opcodes stand for those that follow them."""
    code, base = pickle.code, pickle.base or 0
    step = len(code) // MOST_MAPPED + 1
    if step == 1:
        return _opcode_runs(pickle, 0, 1 << 62)
    starts = code.offsets[:-1:step] + base
    stops = np.append(starts[1:], code.offsets[-1] + base)
    kinds = _OPCODE_KINDS[code.codes[::step]]
    return RegionRuns(starts, stops, kinds, np.full(len(starts), OPCODE, dtype=np.uint8))


def _fixed_runs(document: Document) -> RegionRuns:
    """Container and storages, without the pickles."""
    pickles = [span for pickle in document.pickles if (span := pickle.in_document(pickle.span())) is not None]
    storages: dict[Span, str] = {}
    # The tensors of a set stand in its files, not in the one that names them.
    for tensor in document.tensors if not document.files else ():
        storage = tensor.storage
        if storage is not None and storage.span is not None and storage.span.length:
            span = storage.span.clipped(document.source.size)
            storages.setdefault(span, region_of_dtype(tensor.dtype))
    runs = [(span.start, span.stop, kind) for span, kind in storages.items()]
    taken = _arrays([(span.start, span.stop, "unknown") for span in pickles] + runs)
    rest = [run for region in document.regions for run in _container_runs(region, taken)]
    return _arrays(runs + rest)


def _container_runs(region: Region, taken: RegionRuns) -> list[tuple[int, int, str]]:
    """The parts of a region that no storage and no pickle takes."""
    kind = CONTAINER.get(region.kind, "unknown")
    first = int(np.searchsorted(taken.stops, region.span.start, side="right"))
    runs: list[tuple[int, int, str]] = []
    at = region.span.start
    for row in range(first, len(taken.starts)):
        start, stop = int(taken.starts[row]), int(taken.stops[row])
        if start >= region.span.stop:
            break
        if start > at:
            runs.append((at, start, kind))
        at = max(at, stop)
    if at < region.span.stop:
        runs.append((at, region.span.stop, kind))
    return runs


def _arrays(runs: list[tuple[int, int, str]]) -> RegionRuns:
    runs = sorted(runs)
    return RegionRuns.of((start, stop, kind, "data") for start, stop, kind in _without_overlap(runs))


def _without_overlap(runs: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The lower start keeps the bytes."""
    flat: list[tuple[int, int, str]] = []
    reached = 0
    for start, stop, kind in runs:
        start = max(start, reached)
        if start < stop:
            flat.append((start, stop, kind))
            reached = stop
    return flat


def _part(runs: RegionRuns, first: int, last: int) -> RegionRuns:
    return RegionRuns(runs.starts[first:last], runs.stops[first:last], runs.kinds[first:last], runs.roles[first:last])


def _merged(parts: list[RegionRuns]) -> RegionRuns:
    starts = np.concatenate([part.starts for part in parts])
    order = np.argsort(starts, kind="stable")
    return RegionRuns(
        starts[order],
        np.concatenate([part.stops for part in parts])[order],
        np.concatenate([part.kinds for part in parts])[order],
        np.concatenate([part.roles for part in parts])[order],
    )


def owner_text(document: Document, offset: int, place: str = "") -> str:
    """One line on the owner of a byte: the opcode with its argument, or the region's label."""
    document, place = document.at(place)
    for pickle in document.pickles:
        if pickle.place != place:
            continue
        opcode = pickle.code.at(offset - (pickle.base or 0))
        if opcode >= 0:
            argument = pickle.code.argument(opcode)
            shown = (
                ""
                if argument is None
                else f" {str(argument)[:60]!r}"
                if isinstance(argument, str)
                else f" {argument!s:.60}"
            )
            return OPCODES[int(pickle.code.codes[opcode])].name + shown
    region = region_at(document, offset) if not place else None
    return region_words(region) if region is not None else ""


def region_words(region: Region) -> str:
    """What a region is called: by the file, or by the program in the person's language."""
    if region.kind == "unknown" and region.label in FORMATS:
        return said(FORMATS[region.label])
    return as_written(region.label) or said(REGIONS.get(region.kind, region.kind))


def region_at(document: Document, offset: int) -> Region | None:
    """The region that holds a byte."""
    low, high = 0, len(document.regions)
    while low < high:
        middle = (low + high) // 2
        if document.regions[middle].span.stop <= offset:
            low = middle + 1
        else:
            high = middle
    return document.regions[low] if low < len(document.regions) and offset in document.regions[low].span else None


def covered(spans: tuple[Span, ...], size: int) -> tuple[Span, ...]:
    """The spans cut to what a source holds."""
    return tuple(span.clipped(size) for span in spans if span.start < size)
