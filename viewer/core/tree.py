"""A tree whose rows are made when they are looked at, in flat columns; nodes are ints.

Node 0 is the root, which is no row itself. The children of a node are made together and have consecutive
numbers. A node with more than 1,000 children shows pages instead (`0 … 999`), pages of pages where those are
too many again, so that a jump to any child makes one page at each level. What the rows are is the provider's.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

ROOT: Final = 0
PAGE: Final = 1000
PAGE_KIND: Final = -1


class Row(NamedTuple):
    """One child to be made. `kind` >= 0 and `payload` mean what the provider wants; bytes [start, stop), -1: none.

    `opens`: 1 where rows stand under it, 0 where none do, -1 where that is not known without a look. A view asks it of
    a thousand rows before it shows the first.
    """

    kind: int
    payload: int
    start: int = -1
    stop: int = -1
    opens: int = -1


class Provider(Protocol):
    """Says what stands under a node. Nodes are owners: pages are the tree's own business."""

    def count(self, node: int) -> int:
        """Number of children; asked once a node."""
        ...

    def rows(self, node: int, first: int, stop: int) -> Iterable[Row]:
        """The children first..stop-1, in order; asked once for each."""
        ...

    def find(self, node: int, offset: int) -> int:
        """Number of the child that owns a byte, or that has it somewhere below; -1: none, the node owns it."""
        ...


class Tree:
    """The rows made up to now, in columns by node: `parents`, `depths` and the fields of Row."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self.parents = array("q", [-1])
        self.depths = array("q", [0])
        self.kinds = array("q", [0])
        self.payloads = array("q", [-1])
        self.starts = array("q", [-1])
        self.stops = array("q", [-1])
        self.opens = array("b", [-1])
        self._counts: dict[int, int] = {}
        self._rows: dict[int, range] = {}
        self._pages: dict[int, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self.parents)

    # -- rows -------------------------------------------------------------------------------------

    def count(self, node: int) -> int:
        """Rows under a node; pages are rows."""
        size = self._size(node)
        return -(-size // page_size(size)) if size > PAGE else size

    def child(self, node: int, row: int) -> int:
        """The node in a row under another, made when needed. Raises IndexError where there is none."""
        made = self._rows.get(node)
        if made is None:
            made = self._make(node) if 0 <= row < self.count(node) else range(0)
        if row < 0:
            raise IndexError(f"node {node} has no row {row}")
        return made[row]

    def children(self, node: int) -> range:
        """All rows under a node; never more than 1,000."""
        made = self._rows.get(node)
        if made is None:
            made = self._make(node) if self.count(node) else range(0)
        return made

    def parent(self, node: int) -> int:
        """The node above, a page among them; -1 above the root."""
        return self.parents[node]

    def row(self, node: int) -> int:
        """The row of a node under its parent."""
        return node - self._rows[self.parents[node]].start if node else 0

    def path_to(self, node: int) -> list[int]:
        """The nodes from the first row down to a node, pages among them."""
        path = []
        while node > ROOT:
            path.append(node)
            node = self.parents[node]
        return path[::-1]

    def made(self, node: int) -> bool:
        """True when the rows under a node were made."""
        return node in self._rows

    # -- pages ------------------------------------------------------------------------------------

    def page(self, node: int) -> tuple[int, int] | None:
        """Numbers of the first child of a page and of the one behind its last; None for other nodes."""
        return self._pages.get(node)

    def owner(self, node: int) -> int:
        """The node that a page belongs to; any other node itself."""
        while node in self._pages:
            node = self.parents[node]
        return node

    def number(self, node: int) -> int:
        """The number of a node among all children of its owner, whatever pages lie between."""
        parent = self.parents[node]
        return self._pages.get(parent, (0, 0))[0] + self.row(node) if node else 0

    def total(self, node: int) -> int:
        """Children of a node in all, those behind pages counted."""
        return self._size(node)

    def nth(self, node: int, number: int) -> int:
        """The child with a number; makes one page a level. Raises IndexError where there is none."""
        if not 0 <= number < self._size(node):
            raise IndexError(f"node {node} has no child {number}")
        base = 0
        while (size := self._size(node)) > PAGE:
            row = (number - base) // page_size(size)
            node = self.child(node, row)
            base = self._pages[node][0]
        return self.child(node, number - base)

    # -- places -----------------------------------------------------------------------------------

    def node_at(self, offset: int, under: int = ROOT) -> int:
        """The smallest node under another that owns a byte; that node itself where no row under it does."""
        node = self.owner(under)
        while True:
            number = self.provider.find(node, offset)
            if not 0 <= number < self._size(node):
                return node
            node = self.nth(node, number)

    # -- making -----------------------------------------------------------------------------------

    def _size(self, node: int) -> int:
        """Children in all; of a page those that it stands for."""
        page = self._pages.get(node)
        if page is not None:
            return page[1] - page[0]
        size = self._counts.get(node)
        if size is None:
            size = self._counts[node] = max(0, self.provider.count(node))
        return size

    def _make(self, node: int) -> range:
        size = self._size(node)
        base = self._pages[node][0] if node in self._pages else 0
        first = len(self.parents)
        if size > PAGE:
            step = page_size(size)
            starts = range(base, base + size, step)
            pages = ((start, min(start + step, base + size)) for start in starts)
            self._pages.update(zip(range(first, first + len(starts)), pages, strict=True))
            self._add(node, [Row(PAGE_KIND, start, opens=1) for start in starts])
        else:
            rows = list(self.provider.rows(self.owner(node), base, base + size))
            if len(rows) != size:
                raise ValueError(f"{size} rows were expected, {len(rows)} came")
            self._add(node, rows)
        made = self._rows[node] = range(first, len(self.parents))
        return made

    def _add(self, parent: int, rows: list[Row]) -> None:
        """Rows under a node, a column at a time: a thousand of them are made for each jump into a page."""
        if not rows:
            return
        kinds, payloads, starts, stops, opens = zip(*rows, strict=True)
        self.parents.extend([parent] * len(rows))
        self.depths.extend([self.depths[parent] + 1] * len(rows))
        self.kinds.extend(kinds)
        self.payloads.extend(payloads)
        self.starts.extend(starts)
        self.stops.extend(stops)
        self.opens.extend(opens)


def page_size(size: int) -> int:
    """Children that one page of a node stands for: a power of 1,000, so that 1,000 pages are enough."""
    step = PAGE
    while size > step * PAGE:
        step *= PAGE
    return step
