"""What an opcode does at its place, with the operands that it has there: keys of `wording.effects` with parameters.

Values are told as they are at that moment: a dict that is filled later is still empty. Work is bounded as that of
`describe` is, however much a value holds and however often it is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from viewer.core.objects.content import is_mapping
from viewer.core.objects.describe import Say, class_name, describe, entries, items
from viewer.core.objects.names import named
from viewer.core.pickles.earlier import Earlier
from viewer.core.pickles.effects import Effects
from viewer.core.pickles.memo import GETS
from viewer.core.pickles.opcodes import OPCODES
from viewer.core.pickles.values import Kind
from viewer.wording import fill

LIMIT: Final = 60
"""Characters of a value in a sentence."""

_LONGEST_NAME: Final = 160


class Sentence(NamedTuple):
    """A key of `wording.effects.EFFECTS`, and what its braces stand for."""

    key: str
    params: Mapping[str, object]


_SHOWN: Final = 4
_RECORDED: Final = Sentence("call-recorded", {})
_ATOM_KEYS: Final = {Kind.TEXT: "text", Kind.STRING: "string", Kind.INT: "number", Kind.FLOAT: "number"}
_ATOMS: Final = (
    "INT LONG FLOAT BININT BININT1 BININT2 BINFLOAT LONG1 LONG4 NONE NEWTRUE NEWFALSE STRING BINSTRING SHORT_BINSTRING "
    "UNICODE BINUNICODE SHORT_BINUNICODE BINUNICODE8 BINBYTES SHORT_BINBYTES BINBYTES8 BYTEARRAY8"
)


def by_number(key: str, count: int) -> str:
    """The key for no, one or several things."""
    return f"{key}.{'none' if not count else 'one' if count == 1 else 'many'}"


class EffectWords:
    """`base`: what is added to offsets of the stream's source where they are shown. `encoding`: of Python 2 strings."""

    def __init__(self, effects: Effects, base: int = 0, encoding: str = "utf-8", say: Say = fill) -> None:
        self.effects = effects
        self.values = effects.values
        self.code = effects.code
        self._base = base
        self._encoding = encoding
        self._say = say
        self._view: Earlier | None = None

    def text(self, value: int, moment: int, limit: int = LIMIT) -> str:
        """A value in one line, as it is at a moment."""
        if value < 0:
            return ""
        view = self._earlier(moment)
        text = describe(view, value, limit, self._encoding, self._say)
        if not view.cut:
            return text
        name, count = class_name(view, value, self._encoding), self.effects.held(value, moment)
        if is_mapping(view, value):
            return entries(name, count, self._say)
        return items(name, count, self._say) if count else name

    def sentences(self, opcode: int) -> list[Sentence]:
        """What an opcode does, as one sentence or a few; for the end of a broken stream that it breaks."""
        if opcode >= len(self.code):
            return [Sentence("break", {})]
        return self.writers()[self.code.name(opcode)](opcode)

    def writers(self) -> dict[str, Callable[[int], list[Sentence]]]:
        """What tells of each opcode, by its name."""
        writers: dict[Callable[[int], list[Sentence]], str] = {
            self._protocol: "PROTO",
            self._frame: "FRAME",
            self._mark: "MARK",
            self._pop: "POP",
            self._pop_mark: "POP_MARK",
            self._repeat: "DUP GET BINGET LONG_BINGET",
            self._put: "PUT BINPUT LONG_BINPUT MEMOIZE",
            self._stop: "STOP",
            self._atom: _ATOMS,
            self._empty: "EMPTY_LIST EMPTY_TUPLE EMPTY_DICT EMPTY_SET",
            self._collected: "LIST DICT TUPLE TUPLE1 TUPLE2 TUPLE3 FROZENSET",
            self._global: "GLOBAL STACK_GLOBAL",
            self._extension: "EXT1 EXT2 EXT4",
            self._persistent: "PERSID BINPERSID",
            self._buffer: "NEXT_BUFFER READONLY_BUFFER",
            self._append: "APPEND",
            self._add: "APPENDS ADDITEMS",
            self._set: "SETITEM SETITEMS",
            self._build: "BUILD",
            self._reduce: "REDUCE",
            self._new: "NEWOBJ",
            self._new_with_keywords: "NEWOBJ_EX",
            self._instance: "INST OBJ",
        }
        return {name: writer for writer, names in writers.items() for name in names.split()}

    # -- parts ------------------------------------------------------------------------------------

    def _earlier(self, moment: int) -> Earlier:
        """The values at a moment; that of the last one is kept, since many are told of one moment."""
        if self._view is None or self._view.before != moment:
            self._view = self.effects.earlier(moment)
        self._view.cut = False
        return self._view

    def offset(self, opcode: int) -> int:
        """Where an opcode is shown to stand."""
        return self.code.offset(opcode) + self._base

    def _top(self, opcode: int, down: int = 0, limit: int = LIMIT) -> str:
        """The item that many places under the top, before an opcode."""
        return self.text(self._item(opcode, down), opcode, limit)

    def _item(self, moment: int, down: int = 0) -> int:
        found = self.effects.stack(moment, down, down + 1)
        return found[0].value if found else -1

    def _name(self, value: int, moment: int) -> str:
        """The name of what is called; of what has none the value."""
        name = named(self.effects.earlier(moment), value, self._encoding) or self.text(value, moment)
        return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"

    def _target(self, opcode: int) -> tuple[int, dict[str, object]]:
        """The value that an opcode changes: itself, and its type and offset as parameters."""
        target = self.values.top(opcode)
        kind = class_name(self.effects.earlier(opcode), target, self._encoding)
        return target, {"type": kind, "at": self.offset(target)}

    def _of_target(self, opcode: int, target: int) -> list[Sentence]:
        """What is to be added where something is changed that is no part of the file."""
        if self.values.kind(target) not in (Kind.GLOBAL, Kind.EXTENSION):
            return []
        return [Sentence("changes-global", {"name": self._name(target, opcode)})]

    # -- stack and memo ---------------------------------------------------------------------------

    def _protocol(self, opcode: int) -> list[Sentence]:
        return [Sentence("protocol", {"number": self.code.argument(opcode)})]

    def _frame(self, opcode: int) -> list[Sentence]:
        length = self.code.argument(opcode)
        size = length if isinstance(length, int) else 0
        return [Sentence("frame", {"count": size, "end": self.offset(opcode) + self.code.length(opcode) + size})]

    def _mark(self, opcode: int) -> list[Sentence]:
        end = self.effects.mark_end(opcode)
        if end < 0:
            return [Sentence("mark-open", {})]
        return [Sentence("mark", {"name": self.code.name(end), "at": self.offset(end)})]

    def _pop(self, opcode: int) -> list[Sentence]:
        value = self._item(opcode)
        kind = self.values.kind(value)
        if kind is Kind.MARK:
            return [Sentence(by_number("drop", 0), {"at": self.offset(value)})]
        if kind is Kind.CALL:
            return [Sentence("pop-call", {"name": self._name(self.values.callee(value), opcode)})]
        return [Sentence("pop", {"value": self._top(opcode)})]

    def _pop_mark(self, opcode: int) -> list[Sentence]:
        count = self.effects.given(opcode)
        params = {"count": count, "at": self.offset(self.effects.mark_of(opcode)), "value": self._top(opcode)}
        return [Sentence(by_number("drop", count), params)]

    def _repeat(self, opcode: int) -> list[Sentence]:
        value = self.text(self.values.resolve(opcode), opcode)
        if int(self.code.codes[opcode]) not in GETS:
            return [Sentence("dup", {"value": value})]
        store = self.effects.store_of(opcode)
        return [Sentence("get", {"value": value, "slot": self.code.memo.index(opcode), "at": self.offset(store)})]

    def _put(self, opcode: int) -> list[Sentence]:
        params: dict[str, object] = {"value": self._top(opcode), "slot": self.code.memo.index(opcode)}
        replaced = self.code.memo.stored_before(opcode)
        if replaced >= 0:
            params["old"] = self.text(self.values.top(replaced), opcode)
        uses = self.effects.uses_of_slot(opcode)
        first = {"at": self.offset(int(uses[0])), "count": len(uses)} if len(uses) else {}
        read = Sentence(by_number("read", len(uses)), first)
        return [Sentence("put-again" if replaced >= 0 else "put", params), read]

    def _stop(self, opcode: int) -> list[Sentence]:
        found = [Sentence("stop", {"value": self._top(opcode)})]
        left = self.effects.depth(opcode) - 1
        return [*found, Sentence(by_number("stop-left", left), {"count": left})] if left else found

    # -- values -----------------------------------------------------------------------------------

    def _atom(self, opcode: int) -> list[Sentence]:
        kind = self.values.kind(opcode)
        params: dict[str, object] = {"value": self.text(opcode, opcode + 1)}
        if kind in (Kind.BYTES, Kind.BYTEARRAY):
            params["count"] = count = self.code.argument_span(opcode).length
            return [Sentence(by_number("bytes" if kind is Kind.BYTES else "bytearray", count), params)]
        return [Sentence(_ATOM_KEYS.get(kind, "constant"), params)]

    def _empty(self, opcode: int) -> list[Sentence]:
        return [Sentence(self.code.name(opcode).lower().replace("_", "-"), {})]

    def _collected(self, opcode: int) -> list[Sentence]:
        key = class_name(self.values, opcode)
        count = self.effects.given(opcode) // (2 if key == "dict" else 1)
        alone = self._top(opcode) if count == 1 else self.text(opcode, opcode + 1)
        return [Sentence(by_number(key, count), {"count": count, "value": alone})]

    def _global(self, opcode: int) -> list[Sentence]:
        if self.values.global_name(opcode) is not None:
            return [Sentence("global", {"name": self._name(opcode, opcode + 1)})]
        return [Sentence("global-computed", {"module": self._top(opcode, 1), "name": self._top(opcode)})]

    def _extension(self, opcode: int) -> list[Sentence]:
        return [Sentence("extension", {"number": self.code.argument(opcode)})]

    def _persistent(self, opcode: int) -> list[Sentence]:
        identity = self.values.persistent(opcode)
        limit = 2 * LIMIT
        shown = self.text(identity, opcode, limit) if identity >= 0 else repr(self.values.persistent_text(opcode))
        return [Sentence("persistent", {"value": shown})]

    def _buffer(self, opcode: int) -> list[Sentence]:
        if self.values.kind(opcode) is Kind.BUFFER:
            return [Sentence("buffer", {})]
        return [Sentence("readonly", {"value": self._top(opcode)})]

    # -- changes ----------------------------------------------------------------------------------

    def _append(self, opcode: int) -> list[Sentence]:
        target, params = self._target(opcode)
        found = [Sentence("append", {**params, "value": self._top(opcode)})]
        return found + self._holds(opcode, target) + self._of_target(opcode, target)

    def _add(self, opcode: int) -> list[Sentence]:
        target, params = self._target(opcode)
        count = self.effects.given(opcode)
        found = [Sentence(by_number("add", count), {**params, "count": count, "value": self._top(opcode)})]
        return found + self._holds(opcode, target) + self._of_target(opcode, target)

    def _holds(self, opcode: int, target: int) -> list[Sentence]:
        """How many items a list has then; a set may have been given the same one twice."""
        count = self.effects.held(target, opcode + 1)
        if self.values.kind(target) is not Kind.LIST or not count:
            return []
        return [Sentence(by_number("holds", count), {"count": count})]

    def _set(self, opcode: int) -> list[Sentence]:
        target, params = self._target(opcode)
        count = self.effects.given(opcode) // 2 if OPCODES[int(self.code.codes[opcode])].closes else 1
        if count == 1:
            params |= {"key": self._top(opcode, 1), "value": self._top(opcode)}
        return [Sentence(by_number("set", count), {**params, "count": count}), *self._of_target(opcode, target)]

    def _build(self, opcode: int) -> list[Sentence]:
        target, params = self._target(opcode)
        return [Sentence("build", {**params, "value": self._top(opcode)}), *self._of_target(opcode, target)]

    # -- calls ------------------------------------------------------------------------------------

    def _reduce(self, opcode: int) -> list[Sentence]:
        return [self._called("call", opcode, self._item(opcode, 1), self._item(opcode)), _RECORDED]

    def _new(self, opcode: int) -> list[Sentence]:
        return [self._called("new", opcode, self._item(opcode, 1), self._item(opcode)), _RECORDED]

    def _new_with_keywords(self, opcode: int) -> list[Sentence]:
        found = [self._called("new", opcode, self._item(opcode, 2), self._item(opcode, 1))]
        count = self.effects.held(self._item(opcode), opcode)
        if count:
            found.append(Sentence(by_number("keywords", count), {"count": count, "value": self._top(opcode)}))
        return [*found, _RECORDED]

    def _called(self, key: str, opcode: int, callee: int, given: int) -> Sentence:
        """A call with a tuple of arguments; `given` may be anything else that a stream was made to give."""
        params: dict[str, object] = {"name": self._name(callee, opcode), "value": self.text(given, opcode, 2 * LIMIT)}
        if self.values.kind(given) is not Kind.TUPLE:
            return Sentence("call-given", params)
        count = self.effects.held(given, opcode)
        if count == 1:
            params["value"] = self.text(self.values.items(given)[0], opcode)
        return Sentence(by_number(key, count), {**params, "count": count})

    def _instance(self, opcode: int) -> list[Sentence]:
        """INST names its class itself, OBJ takes it from above the mark."""
        count = self.effects.given(opcode)
        callee = opcode
        if self.code.name(opcode) == "OBJ":
            count -= 1
            callee = self._item(opcode, count)
        shown = [self._top(opcode, down, LIMIT // 2) for down in range(min(count, _SHOWN))]
        value = ", ".join([*shown[::-1], "…"] if count > _SHOWN else shown[::-1])
        params: dict[str, object] = {"name": self._name(callee, opcode), "count": count, "value": value}
        # Python makes an object of such a class without its __init__.
        return [Sentence(by_number("call", count) if count else "call-bare", params), _RECORDED]
