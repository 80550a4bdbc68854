"""Squarified treemaps: rectangles whose areas are as their sizes, as near to squares as they can be made.

After Bruls, Huizing and van Wijk, "Squarified Treemaps" (2000). Lengths are pixels as floats; nothing here draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from viewer.core.space.nodes import Node, Nodes

LEAST: Final = 5.0
"""The shortest side of a rectangle that is told by itself; smaller ones are merged."""
LEAST_AREA: Final = 60.0
LEAST_OPEN: Final = 34.0
"""The shortest side of a frame that shows what is in it."""
MOST_TILES: Final = 3000
MOST_LOOKED_AT: Final = 2000
"""Children of a frame that are laid out one by one, the largest; the others are merged."""


class Rect(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def area(self) -> float:
        """Its area."""
        return self.width * self.height

    def contains(self, x: float, y: float) -> bool:
        """True for a point in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Tile(NamedTuple):
    """What is drawn. `is_frame`: its children are drawn in it. `merged`: 0, or how many small ones it stands for.

    `parent`: the place of the frame around it in the list, -1: none.
    """

    rect: Rect
    node: Node
    depth: int
    is_frame: bool
    merged: int
    parent: int


def squarify(sizes: Sequence[float], rect: Rect) -> list[Rect]:
    """A rectangle for each size, in their order, which must be falling; they fill `rect`. Sizes of 0 get no area."""
    total = sum(sizes)
    if total <= 0 or rect.area <= 0:
        return [Rect(rect.x, rect.y, 0.0, 0.0) for _ in sizes]
    scale = rect.area / total
    areas = [size * scale for size in sizes]
    found: list[Rect] = []
    first = 0
    while first < len(areas):
        side = min(rect.width, rect.height)
        stop, row = first + 1, areas[first]
        while stop < len(areas) and _worst(areas[first], areas[stop], row + areas[stop], side) <= _worst(
            areas[first], areas[stop - 1], row, side
        ):
            row += areas[stop]
            stop += 1
        placed, rect = _row(areas[first:stop], row, rect)
        found += placed
        first = stop
    return found


def _worst(largest: float, smallest: float, row: float, side: float) -> float:
    """The worst ratio of sides in a row of these areas along a side."""
    if smallest <= 0 or side <= 0:
        return float("inf")
    return max(side * side * largest / (row * row), row * row / (side * side * smallest))


def _row(areas: Sequence[float], row: float, rect: Rect) -> tuple[list[Rect], Rect]:
    """Rectangles of a row along the shorter side, and what is left of the whole."""
    found = []
    if rect.width >= rect.height:
        width = min(rect.width, row / rect.height) if rect.height > 0 else 0.0
        y = rect.y
        for area in areas:
            height = area / width if width > 0 else 0.0
            found.append(Rect(rect.x, y, width, height))
            y += height
        return found, Rect(rect.x + width, rect.y, max(0.0, rect.width - width), rect.height)
    height = min(rect.height, row / rect.width) if rect.width > 0 else 0.0
    x = rect.x
    for area in areas:
        width = area / height if height > 0 else 0.0
        found.append(Rect(x, rect.y, width, height))
        x += width
    return found, Rect(rect.x, rect.y + height, rect.width, max(0.0, rect.height - height))


def tiles(nodes: Nodes, top: Node, rect: Rect, head: float, gap: float) -> list[Tile]:
    """What is drawn of a node: what is in it, and in that, as far as there is room; frames before what they hold.

    `head`: height of a frame's title, `gap`: room between neighbours. At most 3,000 tiles: what is smaller than a few
    pixels is merged into one tile of its frame.
    """
    found: list[Tile] = []
    waiting = [(top, rect, 0, -1)]
    while waiting:
        node, room, depth, parent = waiting.pop(0)
        for tile in _children(nodes, node, room, depth, parent):
            is_open = tile.node.opens and not tile.merged and len(found) < MOST_TILES
            inner = Rect(
                tile.rect.x + gap, tile.rect.y + head, tile.rect.width - 2 * gap, tile.rect.height - head - gap
            )
            is_open = is_open and min(inner.width, inner.height) >= LEAST_OPEN
            found.append(tile._replace(is_frame=is_open))
            if is_open:
                waiting.append((tile.node, inner, depth + 1, len(found) - 1))
    return found


def _children(nodes: Nodes, node: Node, room: Rect, depth: int, parent: int) -> Iterator[Tile]:
    """The tiles of the children of a node, the small ones as one."""
    children = [child for child in nodes.children(node) if child.nbytes > 0]
    total = sum(child.nbytes for child in children)
    if not total or room.area <= 0:
        return
    least = LEAST_AREA * total / room.area
    count = 0
    for child in children[:MOST_LOOKED_AT]:
        if child.nbytes < least:
            break
        count += 1
    while True:
        told, small = children[:count], children[count:]
        rest = sum(child.nbytes for child in small)
        sizes = [*(child.nbytes for child in told), *([rest] if small else [])]
        order = sorted(range(len(sizes)), key=lambda at: -sizes[at])
        placed = squarify([sizes[at] for at in order], room)
        narrow = [at for at, rect in zip(order, placed, strict=True) if min(rect.width, rect.height) < LEAST]
        kept = min((at for at in narrow if at < count), default=count)
        if kept == count or count <= 1:
            break
        count = max(1, kept)
    for at, rect in zip(order, placed, strict=True):
        if at < count:
            yield Tile(rect, told[at], depth, False, 0, parent)
        elif rect.area > 0:
            merged = small[0] if len(small) == 1 else nodes.merged(node, rest)
            yield Tile(rect, merged, depth, False, len(small) if len(small) > 1 else 0, parent)
