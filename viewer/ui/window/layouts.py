"""Where the panes stand: the named layouts as plain values, made for the size of the window.

A layout is made from what each pane says of itself (area, order), so that a new pane needs no line here.
Lengths are those beside a 13 px system font.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from viewer.ui.pane import Area, PaneSpec

NARROW: Final = 1200
LOW: Final = 700
SHORT: Final = 800


class Layout(StrEnum):
    """The layouts that a person can choose. Bytes is the default one."""

    BYTES = "bytes"
    STRUCTURE = "structure"
    TENSORS = "tensors"
    SOURCE = "source"
    COMPARE = "compare"


@dataclass(frozen=True, slots=True)
class Tabs:
    """Panes that share one place, by key; `current` is in front. `size`: along the split it stands in, 0 = the rest."""

    keys: tuple[str, ...]
    current: str = ""
    size: int = 0
    folded: bool = False

    @property
    def front(self) -> str:
        """The key of the pane that is seen."""
        return self.current if self.current in self.keys else self.keys[0]


@dataclass(frozen=True, slots=True)
class Split:
    """Parts side by side, or one above the other."""

    parts: tuple[Part, ...]
    vertical: bool = False
    size: int = 0


Part = Tabs | Split


@dataclass(frozen=True, slots=True)
class Room:
    """The size class of a window: what the default layout adapts to."""

    narrow: bool = False
    low: bool = False
    short: bool = False

    @classmethod
    def of(cls, width: float, height: float) -> Room:
        """The class of a window of that size."""
        return cls(width < NARROW, height < LOW, height < SHORT)


@dataclass(frozen=True, slots=True)
class Known:
    """The panes that there are, each area in its order."""

    areas: dict[Area, tuple[str, ...]]

    @classmethod
    def of(cls, panes: Iterable[PaneSpec]) -> Known:
        """What the panes say of themselves."""
        found: dict[Area, list[PaneSpec]] = {area: [] for area in Area}
        for pane in panes:
            found[pane.area].append(pane)
        return cls(
            {
                area: tuple(pane.key for pane in sorted(listed, key=lambda one: one.order))
                for area, listed in found.items()
            }
        )

    def area(self, area: Area) -> tuple[str, ...]:
        """Keys of an area in order."""
        return self.areas[area]

    def only(self, *keys: str) -> tuple[str, ...]:
        """Those of the keys that there are."""
        there = {key for listed in self.areas.values() for key in listed}
        return tuple(key for key in keys if key in there)


def plan(layout: Layout, known: Known, room: Room) -> Split:
    """The layout for a window of that size."""
    makers = {
        Layout.BYTES: _bytes,
        Layout.STRUCTURE: _structure,
        Layout.TENSORS: _tensors,
        Layout.SOURCE: _source,
        Layout.COMPARE: _compare,
    }
    whole = _trimmed(makers[layout](known, room))
    if whole is None:
        return Split(())
    return whole if isinstance(whole, Split) else Split((whole,))


def mirrored(whole: Split) -> Split:
    """The layout for languages from right to left: what stands side by side changes sides."""
    parts = tuple(mirrored(part) if isinstance(part, Split) else part for part in whole.parts)
    return replace(whole, parts=parts if whole.vertical else parts[::-1])


def leaves(part: Part) -> Iterator[Tabs]:
    """All places of panes, in order."""
    if isinstance(part, Tabs):
        yield part
        return
    for inner in part.parts:
        yield from leaves(inner)


def first(part: Part) -> str:
    """The key of the pane that stands for a part while it is being built."""
    return next(leaves(part)).keys[0]


def sized_by(part: Part, *, vertical: bool) -> str | None:
    """The key of a pane whose size in that direction is the part's own; None where all of it is divided so."""
    if isinstance(part, Tabs):
        return part.keys[0]
    if part.vertical == vertical:
        return None
    found = (sized_by(inner, vertical=vertical) for inner in part.parts)
    return next((key for key in found if key is not None), None)


def _bytes(known: Known, room: Room) -> Split:
    structure, inspectors = known.area(Area.STRUCTURE), known.area(Area.BYTES)
    right, lower = known.area(Area.RIGHT), known.area(Area.RIGHT_LOWER)
    bottom = Tabs(known.area(Area.BOTTOM), size=32 if room.low else 198, folded=room.low)
    column = _column(structure, room, 242 if room.narrow else 318)
    if room.narrow:
        centre: Part = Tabs(inspectors[:1] + right + lower + inspectors[1:])
        return Split((Split((column, centre)), bottom), vertical=True)
    # Where height is dear, bytes and what the file opens on have more of it than what tells of a selection.
    below = Tabs(inspectors[1:], size=32 if room.low else 144 if room.short else 190, folded=room.low)
    centre = Split((Tabs(inspectors[:1]), below), vertical=True)
    left = Split((Split((column, centre)), bottom), vertical=True)
    tensor = Tabs(lower, size=240 if room.short else 0)
    return Split((left, Split((Tabs(right), tensor), vertical=True, size=436)))


def _column(keys: Sequence[str], room: Room, size: int) -> Part:
    """Contents above Opcodes, or both as tabs where there is no height for two."""
    if room.short or room.narrow:
        return Tabs(tuple(keys), size=size)
    return Split((Tabs(tuple(keys[:1])), Tabs(tuple(keys[1:]))), vertical=True, size=size)


def _structure(known: Known, room: Room) -> Split:
    structure = known.only("contents", "opcodes")
    left = Tabs(structure, "opcodes", size=420 if room.narrow else 600)
    middle = known.only("effect", "inspector")
    if room.narrow:
        return _over_folded(known, Split((left, Tabs((*known.only("hex"), *middle)))))
    return _over_folded(known, Split((left, Tabs(middle, size=300), Tabs(known.only("hex")))))


def _tensors(known: Known, room: Room) -> Split:
    left = Tabs(known.only("tensors", "contents"), size=380 if room.narrow else 600)
    right = Tabs(known.only("tensor", "source", "inspector", "hex"))
    return Split((left, right))


def _source(known: Known, room: Room) -> Split:
    texts = tuple(key for key in known.area(Area.RIGHT) if key != "source")
    column = _column(known.only("contents", "opcodes"), room, 242 if room.narrow else 300)
    centre = Tabs(known.only("source") + texts, "source")
    if room.narrow:
        centre = replace(centre, keys=(*centre.keys, *known.only("hex", "tensor", "inspector")))
        return _over_folded(known, Split((column, centre)))
    bytes_above = Split((Tabs(known.only("hex", "inspector")), Tabs(known.only("tensor"))), vertical=True, size=480)
    return _over_folded(known, Split((column, centre, bytes_above)))


def _compare(known: Known, room: Room) -> Split:
    """The comparison over the whole width, and below it what is chosen in this file."""
    centre = Tabs(known.only("compare") + tuple(key for key in known.area(Area.RIGHT) if key != "compare"), "compare")
    if room.narrow or room.low:
        return Split((replace(centre, keys=(*centre.keys, *known.only("hex", "tensor", "inspector", "contents"))),))
    below = Split((Tabs(known.only("hex", "inspector", "contents")), Tabs(known.only("tensor"))), size=270)
    return Split((centre, below), vertical=True)


def _over_folded(known: Known, upper: Split) -> Split:
    return Split((upper, Tabs(known.area(Area.BOTTOM), size=32, folded=True)), vertical=True)


def _trimmed(part: Part) -> Part | None:
    """The part without places that hold no pane; a split of one is that one, a split in the same way is none."""
    if isinstance(part, Tabs):
        return part if part.keys else None
    inners = [inner for inner in map(_trimmed, part.parts) if inner is not None]
    kept = tuple(deeper for inner in inners for deeper in _merged(inner, part.vertical))
    if len(kept) == 1:
        return replace(kept[0], size=part.size)
    return replace(part, parts=kept) if kept else None


def _merged(inner: Part, vertical: bool) -> tuple[Part, ...]:
    return inner.parts if isinstance(inner, Split) and inner.vertical == vertical else (inner,)
