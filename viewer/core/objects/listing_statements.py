"""Which opcodes of a stream are statements of its listing, and which values are variables: for all opcodes at once.

A value is written where it is used when it is short, used once, and no statement lies between; all others become
variables. What makes a statement, in the order in which it is found:

    import, change, drop   GLOBAL, STACK_GLOBAL and INST; BUILD; what is added to anything but a list, dict or set that
                           stands on the stack; what POP drops
    shared, long           values that are read back from the memo or by DUP; values of more than a line
    open                   a list, dict or set is written whole as far as no such statement lies among its items; what
                           is added later is a statement
    waiting                a value that calls something, and is taken only behind such a statement: it would come late

A long value needs no name where the statement that takes it comes next, and takes it alone: it is written there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from viewer.core.objects.instances import callees, grouped
from viewer.core.objects.names import MAPPING_CALLS, named
from viewer.core.pickles.memo import GETS
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.takes import Flags, Numbers, Takes, find_takes
from viewer.core.pickles.values import KIND_OF, LAST_ATOM, Kind, Rows, Values
from viewer.core.progress import Progress

LINE: Final = 140
"""Letters, about, of a value that is written in one line."""
LONG_TEXT: Final = 100
"""Bytes of a text that is shown whole."""
VARIABLE: Final = 5
"""Letters of a variable and what divides it from the next."""
MOST_CALLEES: Final = 65_536
"""Different callables whose names are looked at."""
STEP: Final = "listing"
STEPS: Final = 10

_STACK_GLOBAL, _INST, _BUILD = code("STACK_GLOBAL"), code("INST"), code("BUILD")
_EMPTY_TUPLE, _SETITEMS, _STOP = code("EMPTY_TUPLE"), code("SETITEMS"), code("STOP")


def table(members: frozenset[int] | npt.NDArray[np.bool_]) -> Flags:
    """By opcode byte: whether it is one of some."""
    found = np.zeros(256, dtype=np.bool_)
    found[list(members) if isinstance(members, frozenset) else members] = True
    return found


SETTERS: Final = table(codes("SETITEM SETITEMS"))
APPENDERS: Final = table(codes("APPEND APPENDS"))
SPREADS: Final = table(codes("REDUCE NEWOBJ BINPERSID"))
"""What takes a tuple on top of the stack; made for that call only, its items stand in the statement of the call."""
_IMPORTS: Final = table(codes("GLOBAL STACK_GLOBAL INST"))
_REFERS: Final = table(GETS | codes("DUP"))
_DROPS: Final = table(codes("POP POP_MARK"))
_MAKES: Final = table(codes("NEWOBJ NEWOBJ_EX"))
_LASTING: Final = table(codes("BUILD READONLY_BUFFER"))
_SEVERAL: Final = table(codes("SETITEMS ADDITEMS APPENDS"))
COMPOUND: Final = table((KIND_OF > LAST_ATOM) & (KIND_OF != Kind.GLOBAL) & (KIND_OF != Kind.MARK))
COMPOUND[_EMPTY_TUPLE] = False
_ACTS: Final = np.isin(KIND_OF, [Kind.CALL, Kind.PERSISTENT, Kind.EXTENSION, Kind.BUFFER])
_TEXTS: Final = np.isin(KIND_OF, [Kind.TEXT, Kind.STRING])
_MEASURED: Final = np.isin(KIND_OF, [Kind.INT, Kind.TEXT, Kind.STRING, Kind.BYTES, Kind.BYTEARRAY])
# What may belong to the constructor of what: the kind of a value by the opcodes that add to it.
_OWN_KIND: Final = np.zeros(256, dtype=np.uint8)
_OWN_KIND[list(codes("APPEND APPENDS"))] = Kind.LIST
_OWN_KIND[list(codes("SETITEM SETITEMS"))] = Kind.DICT
_OWN_KIND[list(codes("ADDITEMS"))] = Kind.SET
_HOLDERS: Final[dict[str, Kind]] = {
    **dict.fromkeys(MAPPING_CALLS, Kind.DICT),
    **dict.fromkeys(("list", "collections.deque", "collections.UserList"), Kind.LIST),
    "set": Kind.SET,
}
# Letters that an opcode adds to a line, besides those of its argument.
_LETTERS: Final = np.zeros(256, dtype=np.uint32)
for _names, _letters in (
    ("NONE NEWTRUE NEWFALSE FLOAT BININT2", 6),
    ("STRING BINSTRING SHORT_BINSTRING UNICODE BINUNICODE SHORT_BINUNICODE BINUNICODE8 INT LONG BININT1", 4),
    ("BINBYTES SHORT_BINBYTES BINBYTES8 BININT LONG1 LONG4", 7),
    ("BINFLOAT EMPTY_SET FROZENSET BYTEARRAY8 NEWOBJ NEWOBJ_EX EXT1 EXT2 EXT4 NEXT_BUFFER", 14),
    ("EMPTY_TUPLE EMPTY_LIST EMPTY_DICT TUPLE TUPLE1 TUPLE2 TUPLE3 LIST DICT REDUCE OBJ", 4),
    ("PERSID BINPERSID", 18),
    ("GET BINGET LONG_BINGET DUP GLOBAL STACK_GLOBAL INST", VARIABLE),
):
    _LETTERS[list(codes(_names))] = _letters


@dataclass(slots=True)
class Changes:
    """All changes in the order of the stream. `merged`: it belongs to the constructor of its target.

    `calm`: whether it is done at once or a little later is all the same to its target.
    """

    rows: Rows
    targets: Rows
    calm: Flags
    merged: Flags


@dataclass(slots=True)
class Statements:
    """What was found, by opcode.

    `roots`: a statement is made there (for a value: that gives it). `variables`: values with a name. `letters[i]`:
    those of all opcodes before i, about. `computed`: the STACK_GLOBALs whose names are no plain texts.
    `placed`: the takes of values that are written in the statement that takes them, however long they are.
    """

    takes: Takes
    changes: Changes
    roots: Flags
    variables: Flags
    computed: Rows
    placed: Rows
    letters: npt.NDArray[np.uint32]

    def size(self, takes: Numbers) -> Rows:
        """The letters, about, of what some takes take: of variables and repeated values those of a name."""
        writers = self.takes.writers[takes]
        size = self.letters[self.takes.ends[takes]] - self.letters[self.takes.begins[writers]]
        found: Rows = np.minimum(size, LINE).astype(np.int64)
        found[self.variables[writers]] = VARIABLE
        return found


def running(flags: Flags, number: np.dtype[np.signedinteger[Any]]) -> Numbers:
    """How many of the flags before each one are set."""
    found: Numbers = np.zeros(len(flags) + 1, dtype=number)
    np.cumsum(flags, out=found[1:])
    return found


def completed(changes: Changes, count: int) -> Rows:
    """By opcode: the last change that belongs to the constructor of its value, or itself."""
    places = np.arange(count, dtype=np.int64)
    places[changes.targets[changes.merged]] = changes.rows[changes.merged]
    return places


def find_statements(values: Values, encoding: str, progress: Progress) -> Statements:
    """The statements of one stream. Raises CancelledError."""
    return _Finder(values, encoding, progress).found()


class _Finder:
    """Every step is a few operations over all opcodes."""

    def __init__(self, values: Values, encoding: str, progress: Progress) -> None:
        self.values, self.encoding, self.progress = values, encoding, progress
        self.codes = values.code.codes
        self.count = len(self.codes)
        self.compound: Flags = COMPOUND[self.codes]
        self.roots = np.zeros(self.count + 1, dtype=np.bool_)
        self.variables = np.zeros(self.count + 1, dtype=np.bool_)
        self.read = np.zeros(self.count + 1, dtype=np.bool_)

    def found(self) -> Statements:
        for number, step in enumerate(
            (self._take, self._imports, self._reads, self._changes, self._sizes, self._drops)
        ):
            self.progress.step(STEP, number, STEPS)
            step()
        self.progress.step(STEP, 6, STEPS)
        self.before = running(self.roots, self.takes.first.dtype)
        self._merge()
        self.progress.step(STEP, 7, STEPS)
        self._wait()
        self._name()
        placed = self._place()
        return Statements(self.takes, self.changes, self.roots, self.variables, self.computed, placed, self.letters)

    def _take(self) -> None:
        self.takes = find_takes(self.values.code)
        self.taker_codes = np.append(self.codes, np.uint8(0))[self.takes.takers]
        self.taken_compound = self.compound[self.takes.writers]

    def _imports(self) -> None:
        """Names are statements; those that are computed are variables."""
        self.roots[:-1] |= _IMPORTS[self.codes]
        rows = np.flatnonzero(self.codes == _STACK_GLOBAL)
        computed = np.zeros(len(rows), dtype=np.bool_)
        for at in (0, 1):
            parts = self.values.resolve_all(self.takes.writers[self.takes.first[rows] + at].astype(np.int64))
            computed |= ~_TEXTS[self.codes[parts]]
        self.computed = rows[computed]
        self.variables[self.computed] = True

    def _reads(self) -> None:
        """What is read again is a variable; of atoms only long ones, and those that can change."""
        rows = np.flatnonzero(_REFERS[self.codes])
        targets = self.values.resolve_all(rows) if len(rows) else rows
        rows, targets = rows[targets >= 0], targets[targets >= 0]
        self.read[targets] = True
        # The first read of each target: of equal ones the last that is written stays.
        self.first_read = np.full(self.count, self.count, dtype=self.takes.first.dtype)
        self.first_read[targets[::-1]] = rows[::-1]
        atoms = targets[_MEASURED[self.codes[targets]]]
        offsets = self.values.code.offsets
        is_long = offsets[atoms + 1] - offsets[atoms] > LONG_TEXT
        self.variables[atoms[is_long | (KIND_OF[self.codes[atoms]] == Kind.BYTEARRAY)]] = True
        self.variables[:-1] |= self.compound & self.read[:-1]
        self.roots |= self.variables

    def _changes(self) -> None:
        """What changes a value that was made before, and is no part of its constructor."""
        targets, rows = self.values.change_columns()
        order = np.argsort(rows, kind="stable")
        targets, rows = targets[order], rows[order]
        known = targets >= 0
        targets, rows = targets[known], rows[known]
        own = KIND_OF[self.codes[targets]] == _OWN_KIND[self.codes[rows]]
        stands = self.values.writers(rows, self.values.code.depths[rows]) == targets if len(rows) else own
        calm = own | self._holders(targets, rows)
        self.changes = Changes(rows, targets, calm, own & stands)
        self._state(np.flatnonzero(~self.changes.merged))
        frozen = np.flatnonzero(_LASTING[self.codes] & (self.codes != _BUILD))
        self.roots[frozen] = True
        if len(frozen):
            held = self.values.resolve_all(self.values.writers(frozen, self.values.code.depths[frozen]))
            self._hold(held[held >= 0])

    def _holders(self, targets: Rows, rows: Rows) -> Flags:
        """Whether a change adds to an OrderedDict or another container that is known to do no more than hold it."""
        found = np.zeros(len(rows), dtype=np.bool_)
        is_call = (KIND_OF[self.codes[targets]] == Kind.CALL) & (self.codes[targets] != _INST)
        at = np.flatnonzero(is_call & (self.codes[rows] != _BUILD))
        if not len(at):
            return found
        kinds, which = grouped(callees(self.values, targets[at]))
        holds = np.zeros(len(kinds), dtype=np.uint8)
        for number, callee in enumerate(kinds[:MOST_CALLEES].tolist()):
            holds[number] = _HOLDERS.get(named(self.values, callee, self.encoding), Kind.UNKNOWN)
        found[at] = holds[which] == _OWN_KIND[self.codes[rows[at]]]
        return found

    def _state(self, changes: Rows) -> None:
        """Make statements of some changes, and variables of what they change."""
        self.changes.merged[changes] = False
        self.roots[self.changes.rows[changes]] = True
        self._hold(self.changes.targets[changes])

    def _hold(self, targets: Rows) -> None:
        held = targets[~(KIND_OF[self.codes[targets]] == Kind.GLOBAL)]
        self.roots[held] = self.variables[held] = True

    def _sizes(self) -> None:
        """What is longer than a line is a variable, but for arguments, which share the statement of their call."""
        letters = _LETTERS[self.codes]
        measured = np.flatnonzero(_MEASURED[self.codes])
        offsets = self.values.code.offsets
        letters[measured] += np.minimum(offsets[measured + 1] - offsets[measured] - 1, LONG_TEXT).astype(np.uint32)
        names = np.flatnonzero(self.taker_codes == _STACK_GLOBAL)
        letters[self.takes.writers[names]] = 0
        # Sums beyond 32 bits begin anew; what is asked for is differences.
        self.letters = np.zeros(self.count + 1, dtype=np.uint32)
        np.cumsum(letters, out=self.letters[1:])
        spread = SPREADS[self.taker_codes] & (KIND_OF[self.codes[self.takes.writers]] == Kind.TUPLE)
        spread &= self.takes.takers == self.takes.ends
        length = self.letters[self.takes.ends] - self.letters[self.takes.starts]
        # A class is written twice where it makes an object.
        classes = np.zeros(len(spread), dtype=np.bool_)
        classes[self.takes.first[:-1][np.append(_MAKES[self.codes], [False])]] = True
        rows = self.takes.writers[(classes | ((length > LINE) & ~spread)) & self.taken_compound]
        self.roots[rows] = self.variables[rows] = True

    def _drops(self) -> None:
        """What is dropped, or left on the stack, is a statement."""
        self.dropped = _DROPS[self.taker_codes] | (self.takes.takers == self.count)
        self.roots[self.takes.writers[self.dropped & self.taken_compound]] = True

    def _merge(self) -> None:
        """What is added among statements, or after the value was read, is a statement."""
        rows, targets, merged = self.changes.rows, self.changes.targets, self.changes.merged
        among = self.before[rows] - self.before[targets + 1] > 0
        self._state(np.flatnonzero(merged & (among | (self.first_read[targets] < rows))))

    def _wait(self) -> None:
        """Values that call something and would be written behind a statement that comes after them."""
        takes = self.takes
        acts = running(_ACTS[self.codes], takes.first.dtype)
        busy = (acts[takes.ends] - acts[takes.starts] > 0) & self.taken_compound & ~self.roots[takes.writers]
        late = self.before[takes.takers] - self.before[takes.ends] > 0
        calm = np.zeros(self.count + 1, dtype=np.bool_)
        calm[self.changes.rows[self.changes.calm & ~self.changes.merged]] = True
        several = np.zeros(self.count + 1, dtype=np.bool_)
        several[self.changes.rows[~self.changes.calm]] = True
        several[:-1] &= _SEVERAL[self.codes]
        set_by = SETTERS[self.taker_codes]
        # Before the items that SETITEMS takes stands its mark.
        at = np.arange(len(takes.takers)) - takes.first[takes.takers]
        self._is_key = set_by & (at % 2 == (self.taker_codes == _SETITEMS))
        late = (late & ~calm[takes.takers]) | several[takes.takers] | (self._is_key & self.roots[takes.takers])
        rows = takes.writers[busy & late]
        self.roots[rows] = self.variables[rows] = True

    def _place(self) -> Rows:
        """Take the names of long values that are taken next, by a statement of their own."""
        takes, changes = self.takes, self.changes
        alone = np.zeros(self.count + 1, dtype=np.bool_)
        stated = changes.rows[~changes.merged & (changes.calm | ~_SEVERAL[self.codes[changes.rows]])]
        alone[stated] = True
        alone[:-1] |= self.codes == _STOP
        held = self.read.copy()
        held[changes.targets[~changes.merged]] = True
        found: Rows = np.flatnonzero(alone[takes.takers] & self.variables[takes.writers] & ~held[takes.writers])
        writers = takes.writers[found]
        found = found[COMPOUND[self.codes[writers]] & (self.codes[writers] != _INST) & ~self._is_key[found]]
        last = completed(changes, self.count)[takes.writers[found]]
        found = found[np.flatnonzero(self.before[takes.ends[found]] == self.before[last + 1])]
        self.roots[takes.writers[found]] = self.variables[takes.writers[found]] = False
        return found

    def _name(self) -> None:
        """All values that are statements have a name, but for those that are dropped and never used."""
        dropped = np.zeros(self.count + 1, dtype=np.bool_)
        dropped[self.takes.writers[self.dropped]] = True
        dropped[self.changes.targets[~self.changes.merged]] = False
        made = self.roots[:-1] & self.compound
        self.variables[:-1] |= made
        self.variables &= self.read | ~dropped
