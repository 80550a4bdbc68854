"""The opcodes of all pickles of a document as one lazy tree of rows.

A payload is pickle number x 2^40 + opcode. With several pickles the first level are the pickles themselves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final

from viewer.core.pickles.nesting import Nesting
from viewer.core.pickles.values import Values
from viewer.core.tree import ROOT, Row, Tree

OPCODE: Final = 0
STREAM: Final = 1
_STEP: Final = 1 << 40
_KEPT_LEVELS: Final = 64


class OpcodeTree:
    """`streams`: the values of each pickle, in order."""

    def __init__(self, streams: Sequence[Values]) -> None:
        self.streams = streams
        self.nestings = [Nesting(values) for values in streams]
        self._levels: dict[int, list[int]] = {}
        self.tree = Tree(self)

    def place(self, node: int) -> tuple[int, int]:
        """Pickle and opcode of a node; opcode -1 for the row of a whole pickle."""
        payload = self.tree.payloads[node]
        if self.tree.kinds[node] == STREAM:
            return payload, -1
        return payload // _STEP, payload % _STEP

    def node_of(self, pickle: int, opcode: int) -> int:
        """The node that shows an opcode, made when needed; the nearest one above it where none does."""
        node = ROOT
        if len(self.streams) > 1:
            node = self.tree.nth(ROOT, pickle)
        for row in self.nestings[pickle].path(opcode):
            level = self._level(node)
            at = bisect_left(level, row)
            if at == len(level) or level[at] != row:
                break
            node = self.tree.nth(node, at)
        return node

    # -- what the tree asks -----------------------------------------------------------------------

    def count(self, node: int) -> int:
        """Number of rows under a node."""
        if node == ROOT and len(self.streams) != 1:
            return len(self.streams)
        pickle, opcode = self.place(node) if node != ROOT else (0, -1)
        if opcode >= 0 and not self.nestings[pickle].has_children(opcode):
            return 0
        return len(self._level(node))

    def rows(self, node: int, first: int, stop: int) -> Iterable[Row]:
        """The rows under a node."""
        if node == ROOT and len(self.streams) != 1:
            return [Row(STREAM, pickle) for pickle in range(first, stop)]
        pickle = self.place(node)[0] if node != ROOT else 0
        return [Row(OPCODE, pickle * _STEP + row) for row in self._level(node)[first:stop]]

    def find(self, node: int, offset: int) -> int:
        """Not used: opcodes are found by number, since streams may stand in sources of their own."""
        del node, offset
        return -1

    def may_have_children(self, node: int) -> bool:
        """True when a row can be opened; does not list what is under it."""
        if node == ROOT or self.tree.kinds[node] != OPCODE:
            return True
        pickle, opcode = self.place(node)
        return self.nestings[pickle].has_children(opcode)

    def _level(self, node: int) -> list[int]:
        level = self._levels.get(node)
        if level is None:
            pickle, opcode = self.place(node) if node != ROOT else (0, -1)
            nesting = self.nestings[pickle]
            level = nesting.children(opcode) if opcode >= 0 else nesting.roots()
            if len(self._levels) >= _KEPT_LEVELS:
                self._levels.clear()
            self._levels[node] = level
        return level
