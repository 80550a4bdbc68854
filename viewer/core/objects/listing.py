"""A pickle as readable statements: calls, constructors, variables. Texts are made for the lines that are asked for.

    listing = make_listing(values, "utf-8", progress)      long for a long stream; then any line is there at once
    listing.text(line), listing.opcodes(line), listing.line_of(opcode)

A line says what Python would do there; nothing of it is done. `build`, `persistent_load`, `cut` and the like are told
in the head of a saved listing (`wording.listing.HEADER`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from viewer.core.objects.listing_expressions import Expressions
from viewer.core.objects.listing_lines import Lines, Role, find_lines
from viewer.core.objects.listing_names import import_text, mapped_names
from viewer.core.pickles.opcodes import OPCODES, code, codes
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress
from viewer.wording import fill
from viewer.wording.listing import COMMENTS

INDENT: Final = "    "
_SETTERS: Final = codes("SETITEM SETITEMS")
_ADDITEMS, _BUILD, _DICT, _STOP = (code(name) for name in ("ADDITEMS", "BUILD", "DICT", "STOP"))
_INST, _OBJ = code("INST"), code("OBJ")


def make_listing(values: Values, encoding: str = "utf-8", progress: Progress | None = None) -> Listing:
    """The listing of one stream. Raises CancelledError."""
    return Listing(values, find_lines(values, encoding, progress), encoding)


class Listing:
    """Lines are counted from 0. `encoding`: of Python 2 strings."""

    def __init__(self, values: Values, lines: Lines, encoding: str = "utf-8") -> None:
        self.values, self.lines = values, lines
        self._codes = values.code.codes.data
        self._say = Expressions(values, lines, encoding)
        self._writers: dict[Role, Callable[[int], str]] = {
            Role.IMPORT: self._import,
            Role.DEFINE: self._define,
            Role.OPEN: self._open,
            Role.ITEMS: self._items,
            Role.CLOSE: self._close,
            Role.ADD: self._add,
            Role.BUILD: self._build,
            Role.READONLY: self._readonly,
            Role.RESULT: self._result,
            Role.BROKEN: self._broken,
        }

    def __len__(self) -> int:
        return len(self.lines)

    def text(self, line: int) -> str:
        """One line, without its end."""
        return self._writers[self.role(line)](line)

    def role(self, line: int) -> Role:
        """What a line says."""
        return Role(int(self.lines.roles[line]))

    def opcodes(self, line: int) -> tuple[int, int]:
        """The first and the last of the opcodes that a line tells; behind a broken stream its last."""
        role, owner, place = self.role(line), int(self.lines.owners[line]), int(self.lines.places[line])
        if role in (Role.ITEMS, Role.ADD):
            return self._of_items(line)
        if role is Role.BROKEN:
            return max(len(self._codes) - 1, 0), max(len(self._codes) - 1, 0)
        if role in (Role.CLOSE, Role.READONLY):
            return place, place
        if role in (Role.BUILD, Role.RESULT):
            taken = self.values.writer(owner, self.values.code.depth_before(owner))
            return owner if self._say.variable(taken) else self.values.first(taken), owner
        return self.values.first(owner), owner if role is Role.OPEN else place

    def line_of(self, opcode: int) -> int:
        """The line that tells an opcode, or the statement that comes next; -1 where there are no lines."""
        places = self.lines.places
        first = int(np.searchsorted(places, opcode))
        if first == len(places):
            return len(places) - 1
        stop = int(np.searchsorted(places, places[first], side="right"))
        while stop - first > 1:
            middle = (first + stop) // 2
            if self._begins_before(middle, opcode):
                first = middle
            else:
                stop = middle
        return first

    def _begins_before(self, line: int, opcode: int) -> bool:
        """Whether a line that is not the first of its statement begins at an opcode, or before it."""
        if self.role(line) in (Role.ITEMS, Role.ADD):
            return self._of_items(line)[0] <= opcode
        return self.role(line) is Role.CLOSE and opcode >= int(self.lines.places[line])

    # -- items ------------------------------------------------------------------------------------

    def _first_slot(self, taker: int) -> int:
        """The slot of the first item that an opcode takes."""
        opcode = OPCODES[self._codes[taker]]
        return int(self.values.code.depths[taker]) + (not opcode.writes) + opcode.closes + (opcode.code == _OBJ)

    def _slot(self, line: int) -> int:
        """The slot of the first item of a line, before the opcode that takes it."""
        return self._first_slot(int(self.lines.owners[line])) + int(self.lines.firsts[line])

    def _given(self, line: int) -> list[int]:
        slot = self._slot(line)
        return self.values.taken(int(self.lines.owners[line]), slot, slot + int(self.lines.counts[line]) - 1)

    def _of_items(self, line: int) -> tuple[int, int]:
        owner, count, slot = int(self.lines.owners[line]), int(self.lines.counts[line]), self._slot(line)
        if not count:
            return owner, owner
        first = self.values.first(self.values.writer(owner, slot))
        behind = slot + count
        if behind <= self.values.code.depth_before(owner):
            return first, self.values.first(self.values.writer(owner, behind)) - 1
        return first, owner if self.role(line) is Role.ADD else owner - 1

    # -- statements -------------------------------------------------------------------------------

    def _import(self, line: int) -> str:
        value = int(self.lines.owners[line])
        names = mapped_names(self.values, value)
        if names is None:
            return self._say.made(value)
        (module, name), written = names
        text = import_text(module, name, self.values.code.protocol_at(value))
        return text if written == (module, name) else f"{text}{_comment('written', name=ascii('.'.join(written)))}"

    def _define(self, line: int) -> str:
        value = int(self.lines.owners[line])
        return f"{self._assigned(value)}{self._say.made(value)}{self._of_instance(value)}"

    def _assigned(self, value: int) -> str:
        name = self._say.variable(value)
        return f"{name} = " if name else ""

    def _open(self, line: int) -> str:
        value = int(self.lines.owners[line])
        return f"{self._around(line)[0]}{self._say.opening(value)[0]}{self._of_instance(value)}"

    def _of_instance(self, value: int) -> str:
        """What Python does with INST, and with INST and OBJ that have no arguments, besides the call."""
        byte = self._codes[value]
        if byte not in (_INST, _OBJ):
            return ""
        bare = len(self.values.operands(value)) == (byte == _OBJ)
        if byte == _INST:
            return _comment("inst-bare" if bare else "inst")
        return _comment("obj-bare") if bare else ""

    def _close(self, line: int) -> str:
        return f"{self._say.opening(int(self.lines.owners[line]))[1]}{self._around(line)[1]}"

    def _around(self, line: int) -> tuple[str, str]:
        """What stands before and behind a value over several lines, in the statement that it belongs to."""
        taker = int(self.lines.firsts[line])
        if taker < 0:
            return self._assigned(int(self.lines.owners[line])), ""
        byte = self._codes[taker]
        if byte == _STOP:
            return "result = ", ""
        target = self._target(taker)
        if byte == _BUILD:
            return f"build({target}, ", ")"
        if byte in _SETTERS:
            slot = self._first_slot(taker) + int(self.lines.counts[line]) - 1
            return f"{target}[{self._say.listed(self.values.taken(taker, slot, slot))}] = ", ""
        return f"{target}.{'add' if byte == _ADDITEMS else 'append'}(", ")"

    def _items(self, line: int) -> str:
        owner, given = int(self.lines.owners[line]), self._given(line)
        is_paired = self._codes[owner] in _SETTERS or self._codes[owner] == _DICT
        return f"{INDENT}{self._say.pairs(given) if is_paired else self._say.listed(given)},"

    def _add(self, line: int) -> str:
        owner, given = int(self.lines.owners[line]), self._given(line)
        target = self._target(owner)
        if self._codes[owner] in _SETTERS:
            key, value = (self._say.text(part) for part in given) if len(given) > 1 else ("", "")
            return f"{target}[{key}] = {value}" if key else f"{target}.update({{}})"
        if len(given) == 1:
            return f"{target}.{'add' if self._codes[owner] == _ADDITEMS else 'append'}({self._say.text(given[0])})"
        return f"{target}.{'update' if self._codes[owner] == _ADDITEMS else 'extend'}([{self._say.listed(given)}])"

    def _target(self, change: int) -> str:
        return self._say.text(self.values.top(change))

    def _build(self, line: int) -> str:
        owner = int(self.lines.owners[line])
        text = f"build({self._target(owner)}, {self._say.listed(self.values.given(owner))})"
        gap = self.values.code.gaps.get(owner)
        return text if gap is None else f"{text}{_comment('gap', count=gap.data.length)}"

    def _readonly(self, line: int) -> str:
        target = self._target(int(self.lines.owners[line]))
        return f"{target} = readonly({target})"

    def _result(self, line: int) -> str:
        root = self.values.root
        words = "" if self._say.variable(root) else self._of_instance(root)
        return f"result = {self._say.text(root)}{words}"

    def _broken(self, line: int) -> str:
        return _comment("broken", offset=self.values.code.stop).lstrip()


def _comment(about: str, **params: object) -> str:
    return f"  # {fill(COMMENTS[about], params)}"
