"""The account of a file: every byte under one head, so that the sums are its size exactly.

Tensors own the bytes that they use; of what several use the one that starts first. What is left of a storage is wasted
where a tensor keeps it, and unreferenced where none does. Everything else is told by the regions of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.space.piles import Pile, Piles, piles_of
from viewer.core.space.runs import Numbers, Runs
from viewer.core.space.storages import Storages, StorageUse
from viewer.core.span import Region, Span, tile


class What(StrEnum):
    """What bytes are. SHARED: used by several tensors, each byte once. OTHER: records that hold no tensors."""

    TENSORS = "tensors"
    SHARED = "shared"
    WASTED = "wasted"
    UNREFERENCED = "unreferenced"
    SOURCE = "source"
    OPCODES = "opcodes"
    HEADERS = "headers"
    OTHER = "other"
    PADDING = "padding"
    GAP = "gap"
    TRAILING = "trailing"
    UNKNOWN = "unknown"


OF_KIND: Final[dict[str, What]] = {
    "padding": What.PADDING,
    "tar-end": What.PADDING,
    "gap": What.GAP,
    "trailing": What.TRAILING,
    "prefix": What.TRAILING,
    "unknown": What.UNKNOWN,
    "record": What.OTHER,
    "packed": What.OTHER,
    "item": What.OTHER,
    "text": What.OTHER,
    "storage": What.UNREFERENCED,
    "pickle": What.OPCODES,
}
"""What the bytes of a region are that no storage takes; all other kinds are headers."""
APART: Final = -1


@dataclass(frozen=True, slots=True)
class Item:
    """Bytes that are of no tensor. `label`: the record, storage or class; "" for all of a kind that are told together.

    `count`: regions that they are in. `span`: of the first, in the source that `member` names, "" = the document's own.
    """

    what: What
    label: str
    nbytes: int
    span: Span | None = None
    member: str = ""
    count: int = 1


@dataclass(slots=True, eq=False)
class Account:
    """Where the bytes of a document, or of all files of a set, go.

    `size` = the sum of `sums`. `owned`: bytes by tensor, those that it shares with one that starts before it left out;
    `piles`: where they are. `items`: what is of no tensor, largest first. `storages`: those that tensors use, largest
    first. `missing`: bytes of tensors that are declared and not there.
    `saved`: bytes that sharing saves. `compact`: about what a state_dict would weigh that holds the elements in use and
    nothing else; None where that is not known. `exact`: False where gaps in a tensor of very many runs were left out.
    """

    size: int
    sums: dict[What, int]
    owned: Numbers
    items: list[Item]
    storages: Storages
    piles: Piles
    missing: int = 0
    saved: int = 0
    compact: int | None = None
    exact: bool = True

    @property
    def tensor_bytes(self) -> int:
        """Bytes that tensors use, each once."""
        return self.sums[What.TENSORS] + self.sums[What.SHARED]

    @property
    def waste(self) -> int:
        """Bytes of storages that a compact export leaves out."""
        return self.sums[What.WASTED] + self.sums[What.UNREFERENCED]


def account(document: Document, progress: Progress) -> Account:
    """The account of a document; of a set that of all its files. Raises CancelledError."""
    owned = np.zeros(len(document.tensors), np.int64)
    piles = piles_of(document, progress)
    found = Account(document.whole_size, dict.fromkeys(What, 0), owned, [], Storages(), piles)
    found.missing, found.exact = piles.missing, piles.exact
    for name, size, regions, part in _files(document):
        progress.check()
        pile = piles.pile(name)
        pile.pickles = {pickle.record for pickle in part.pickles} if part is not None else set()
        _add_file(found, name, size, regions, _texts(part) if part is not None else [], pile)
    found.items = _gathered(found.items)
    return found


def _files(document: Document) -> Iterator[tuple[str, int, list[Region], Document | None]]:
    """The name, size and regions of each file, and what was read of it; the name is "" where there is no set."""
    if not document.files:
        yield "", document.source.size, list(document.regions), document
        return
    for file in document.files:
        part = document.member(file.name)
        size = file.size or 0
        if part is None and file is document.files[0] and document.source.size == size:
            part = document
        regions = [] if part is None else list(part.pieces or part.regions)
        if part is None or part.source.size != size:
            regions, _ = tile([*regions, Region(Span(0, size), "unknown", file.name)], size)
        name = "" if part is document else file.name
        yield name, size, regions, part


def _texts(document: Document) -> list[tuple[str, Span]]:
    return [(source.qualname or source.name, source.span) for source in document.sources if source.span is not None]


def _add_file(
    found: Account, name: str, size: int, regions: Sequence[Region], texts: Iterable[tuple[str, Span]], pile: Pile
) -> None:
    """One file: its tensors by their runs, and what is left of each region by what the region is."""
    every = pile.runs(size)
    used, shared = every.disjoint(), every.doubled()
    np.add.at(found.owned, used.owners, used.lengths())
    doubled = int(shared.lengths().sum())
    found.saved += int(every.lengths().sum() - used.lengths().sum())
    found.sums[What.SHARED] += doubled
    found.sums[What.TENSORS] += int(used.lengths().sum()) - doubled
    storages, labels = pile.kept(size)
    told = sorted(texts, key=lambda text: text[1].start)
    written = Runs.of(
        (span.start for _, span in told), (span.stop for _, span in told), range(len(told)), size
    ).disjoint()
    starts = np.array([region.span.start for region in regions], dtype=np.int64)
    stops = np.array([region.span.stop for region in regions], dtype=np.int64)
    taken = used.covered(starts, stops)
    # Storages that share bytes have each byte once, as tensors do: else they would be more than the file holds.
    storages = storages.disjoint()
    held = storages.covered(starts, stops)
    source = written.covered(starts, stops)
    # Most regions are storages of which all is taken: nothing is left to be told of those.
    left = np.flatnonzero(taken != stops - starts)
    rest = (stops - starts) - taken - source
    # What is wasted is told region by region, whatever kind they are of.
    rest[held > taken] = APART
    alone = _add_alike(found, name, [regions[row] for row in left.tolist()], rest[left], source[left])
    for row in left[alone].tolist():
        _add_region(found, name, regions[row], int(taken[row]), int(held[row]), int(source[row]), pile)
    for row in range(len(written.starts)):
        span = Span(int(written.starts[row]), int(written.stops[row]))
        label = told[int(written.owners[row])][0]
        found.items.append(Item(What.SOURCE, label, span.length, span, name))
    found.storages.add(name, labels, storages, every, used, shared)


def _add_alike(
    found: Account, name: str, regions: Sequence[Region], rest: Numbers, source: Numbers
) -> npt.NDArray[np.bool_]:
    """The regions that are told together, kind by kind: a file of very many tensors has several for each of them.

    `rest`: bytes of each that nothing takes, APART for those that are told alone. Gives which are told alone.
    """
    kinds: dict[str, int] = {}
    numbers = np.array([kinds.setdefault(region.kind, len(kinds)) for region in regions], dtype=np.int64)
    alone: npt.NDArray[np.bool_] = rest == APART
    for kind, number in kinds.items():
        what, of_kind = OF_KIND.get(kind, What.HEADERS), numbers == number
        if what in NAMED:
            alone |= of_kind
            continue
        of_kind &= ~alone
        found.sums[What.SOURCE] += int(source[of_kind].sum())
        rows = np.flatnonzero(of_kind & (rest != 0))
        if len(rows):
            nbytes = int(rest[rows].sum())
            found.sums[what] += nbytes
            found.items.append(Item(what, kind, nbytes, regions[int(rows[0])].span, name, len(rows)))
    return alone


def _add_region(found: Account, name: str, region: Region, taken: int, held: int, source: int, pile: Pile) -> None:
    """What is left of a region once its tensors and texts are told."""
    owners = pile.records.get(region.label) if region.kind == "record" and not held else None
    if owners:
        # The record is deflated: the tensors in it own it as it lies there, in equal parts as far as is known.
        length = region.span.length
        share = length // len(owners)
        for owner in owners:
            found.owned[owner] += share
            found.piles.reaches(owner, name, region.span.start, region.span.stop)
        found.owned[owners[0]] += length - share * len(owners)
        found.sums[What.TENSORS] += length
        use = (length, length, 0, region.span, name, tuple(owners[:4]), len(owners))
        found.storages.add_record(StorageUse(region.label.rpartition("/")[2], *use))
        return
    wasted = max(0, held - taken)
    rest = region.span.length - taken - wasted - source
    what = OF_KIND.get(region.kind, What.HEADERS)
    if what is What.OTHER and region.label in pile.pickles:
        what = What.OPCODES
    elif what is What.OTHER and _is_storage(region.label):
        what = What.UNREFERENCED
    found.sums[What.SOURCE] += source
    for kind, nbytes in ((What.WASTED, wasted), (what, rest)):
        if nbytes:
            found.sums[kind] += nbytes
            found.items.append(Item(kind, _label(kind, region), nbytes, region.span, name))


def _label(what: What, region: Region) -> str:
    return region.label if what in NAMED else region.kind


NAMED: Final = frozenset({What.WASTED, What.UNREFERENCED, What.OTHER, What.OPCODES})


def _is_storage(label: str) -> bool:
    """True for a record where torch keeps storages: `archive/data/12`, `archive/constants/3`."""
    folder, _, name = label.rpartition("/")
    return name.isdigit() and folder.rpartition("/")[2] in ("data", "tensors", "constants")


def _gathered(items: Iterable[Item]) -> list[Item]:
    """Items of one kind and label are one; the largest first."""
    found: dict[tuple[What, str, str], Item] = {}
    for item in items:
        key = (item.what, item.label, item.member if item.what in NAMED else "")
        known = found.get(key)
        if known is None:
            found[key] = item
        else:
            both = known.nbytes + item.nbytes
            found[key] = Item(item.what, item.label, both, known.span, known.member, known.count + item.count)
    return sorted(found.values(), key=lambda item: -item.nbytes)
