"""The opcodes of all pickles of a document as one lazy tree of rows.

A payload is pickle number x 2^40 + opcode. With several pickles the first level are the pickles themselves. Pickles
that the bytes or the text of a value hold are rows below the opcode that makes it, behind those of its opcodes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from viewer.core.pickles.nesting import Nesting
from viewer.core.pickles.values import Values
from viewer.core.tree import ROOT, Row, Tree

OPCODE: Final = 0
STREAM: Final = 1
_STEP: Final = 1 << 40
_KEPT_LEVELS: Final = 64


class OpcodeTree:
    """`streams`: the values of each pickle, in order. `held`: of those that a value holds, by stream and value."""

    def __init__(self, streams: Sequence[Values], held: Mapping[tuple[int, int], Sequence[int]] | None = None) -> None:
        self.streams = streams
        self.nestings = [Nesting(values) for values in streams]
        self._held: dict[tuple[int, int], list[int]] = {}
        self._holders: dict[int, tuple[int, int]] = {}
        for (stream, value), numbers in (held or {}).items():
            row = self.nestings[stream].row_of(value)
            self._held.setdefault((stream, row), []).extend(numbers)
            self._holders.update((number, (stream, row)) for number in numbers)
        self.own = len(streams) - len(self._holders)
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
        node = self._node_of_stream(pickle)
        return self._node_in(node, pickle, opcode)

    def _node_in(self, node: int, pickle: int, opcode: int) -> int:
        """The node of an opcode below that of its pickle."""
        for row in self.nestings[pickle].path(opcode):
            level = self._level(node)
            at = bisect_left(level, row)
            if at == len(level) or level[at] != row:
                break
            node = self.tree.nth(node, at)
        return node

    def _node_of_stream(self, pickle: int) -> int:
        """The node that a pickle's rows stand under."""
        outer = [pickle]
        while outer[-1] in self._holders:
            outer.append(self._holders[outer[-1]][0])
        node = self.tree.nth(ROOT, outer[-1]) if self.own > 1 else ROOT
        for number in reversed(outer[:-1]):
            stream, row = self._holders[number]
            node = self._node_in(node, stream, row)
            node = self.tree.nth(node, len(self._level(node)) + self._held[stream, row].index(number))
        return node

    # -- what the tree asks -----------------------------------------------------------------------

    def count(self, node: int) -> int:
        """Number of rows under a node."""
        if node == ROOT and self.own != 1:
            return self.own
        pickle, opcode = self.place(node) if node != ROOT else (0, -1)
        inside = len(self._held.get((pickle, opcode), ()))
        if opcode >= 0 and not self.nestings[pickle].has_children(opcode):
            return inside
        return len(self._level(node)) + inside

    def rows(self, node: int, first: int, stop: int) -> Iterable[Row]:
        """The rows under a node."""
        if node == ROOT and self.own != 1:
            return [Row(STREAM, pickle) for pickle in range(first, stop)]
        pickle, opcode = self.place(node) if node != ROOT else (0, -1)
        level, held = self._level(node), self._held.get((pickle, opcode), [])
        found = self._opcode_rows(pickle, level[first:stop])
        low, high = max(first - len(level), 0), max(stop - len(level), 0)
        return [*found, *(Row(STREAM, number) for number in held[low:high])]

    def _opcode_rows(self, pickle: int, opcodes: Sequence[int]) -> list[Row]:
        base = pickle * _STEP
        if self._held:
            return [Row(OPCODE, base + opcode) for opcode in opcodes]
        leaves = zip(opcodes, self.nestings[pickle].leaves(opcodes), strict=True)
        return [Row(OPCODE, base + opcode, opens=0 if is_leaf else -1) for opcode, is_leaf in leaves]

    def find(self, node: int, offset: int) -> int:
        """Not used: opcodes are found by number, since streams may stand in sources of their own."""
        del node, offset
        return -1

    def may_have_children(self, node: int) -> bool:
        """True when a row can be opened; does not list what is under it."""
        if node == ROOT or self.tree.kinds[node] != OPCODE:
            return True
        pickle, opcode = self.place(node)
        return self.nestings[pickle].has_children(opcode) or (pickle, opcode) in self._held

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
