"""Values of a stream as plain Python values, as far as torch's weights_only reader takes them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

from viewer.core.objects.names import called
from viewer.core.pickles.values import Kind, Values
from viewer.core.pickles.writer import LONGEST_INT, LONGEST_TEXT, Call, Global, signed_bytes
from viewer.core.tensors.dtypes import DTYPES


class NotPlainError(Exception):
    """The value is an object, holds one, or holds itself."""


Maker = Callable[[list[object]], object]
ATOMS: Final = (type(None), bool, int, float, complex, str, bytes)


class PlainValues:
    """Makes values of one stream. Equal numbers give one object, so that sharing is kept. Nothing recurses."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._made: dict[int, object] = {}

    def get(self, value: int) -> object:
        """The value. Raises NotPlainError."""
        made = self._made
        opened: dict[int, list[int]] = {}
        waiting = [value]
        while waiting:
            number = waiting[-1]
            if number in made:
                waiting.pop()
            elif number in opened:
                made[number] = self._make(number, [made[part] for part in opened[number]])
            else:
                opened[number] = self._parts(number)
                missing = [part for part in opened[number] if part not in made]
                if any(part in opened for part in missing):
                    raise NotPlainError
                waiting += missing
        return made[value]

    def _parts(self, value: int) -> list[int]:
        """The values that have to be made first."""
        kind = self._values.kind(value)
        if self._values.is_atom(value) or kind is Kind.GLOBAL:
            return []
        if kind in (Kind.TUPLE, Kind.LIST, Kind.SET):
            return self._values.items(value)
        if kind is Kind.DICT:
            return _flat(self._values.pairs(value))
        if kind is Kind.CALL and called(self._values, value) in (*MAKERS, ORDERED):
            given = self._values.arguments(value) + self._values.states(value)
            return given + _flat(self._values.pairs(value)) + self._values.items(value)
        raise NotPlainError

    def _make(self, value: int, parts: list[object]) -> object:
        kind = self._values.kind(value)
        if self._values.states(value) and (kind is not Kind.CALL or called(self._values, value) != ORDERED):
            raise NotPlainError
        if kind is Kind.TUPLE:
            return tuple(parts)
        if kind is Kind.LIST:
            return parts
        if kind is Kind.SET:
            return set(_hashable(parts))
        if kind is Kind.DICT:
            return dict(_pairs(parts))
        if kind is Kind.GLOBAL:
            return self._global(value)
        return self._call(value, parts) if kind is Kind.CALL else self._atom(value, kind)

    def _atom(self, value: int, kind: Kind) -> object:
        found = self._values.text(value) if kind is Kind.STRING else self._values.plain(value)
        if kind is Kind.BYTEARRAY and isinstance(found, bytes):
            return bytearray(found)
        if isinstance(found, int) and len(signed_bytes(found)) > LONGEST_INT:
            raise NotPlainError
        if isinstance(found, str) and 4 * len(found) > LONGEST_TEXT:
            raise NotPlainError
        return found

    def _global(self, value: int) -> object:
        """Element types are the only names that stand for themselves."""
        name = self._values.global_name(value)
        if name is None or name[0] != "torch" or name[1] not in DTYPES:
            raise NotPlainError
        return Global(*name)

    def _call(self, value: int, parts: list[object]) -> object:
        name = called(self._values, value)
        count = len(self._values.arguments(value))
        if name != ORDERED:
            if count != len(parts):
                raise NotPlainError
            return MAKERS[name](parts)
        states = len(self._values.states(value))
        mapping: OrderedDict[object, object] = OrderedDict(_given_pairs(parts[:count]))
        mapping.update(_pairs(parts[count + states : count + states + 2 * len(self._values.pairs(value))]))
        for state in parts[count : count + states]:
            if not isinstance(state, dict) or not all(isinstance(key, str) for key in state):
                raise NotPlainError
            vars(mapping).update(state)
        return mapping


def _flat(pairs: list[tuple[int, int]]) -> list[int]:
    return [part for pair in pairs for part in pair]


def _hashable(parts: Sequence[object]) -> Sequence[object]:
    """Only atoms and tuples of atoms are keys: the hash of a deeper tuple may take for ever."""
    for part in parts:
        flat = part if isinstance(part, tuple) else (part,)
        if not all(isinstance(atom, ATOMS) for atom in flat):
            raise NotPlainError
    return parts


def _pairs(parts: list[object]) -> list[tuple[object, object]]:
    return list(zip(_hashable(parts[::2]), parts[1::2], strict=True))


def _given_pairs(arguments: list[object]) -> list[tuple[object, object]]:
    """What Python 2 gives an OrderedDict: one list of lists of two."""
    if not arguments:
        return []
    if len(arguments) != 1 or not isinstance(arguments[0], list):
        raise NotPlainError
    flat: list[object] = []
    for pair in arguments[0]:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise NotPlainError
        flat += pair
    return _pairs(flat)


def _encoded(arguments: list[object]) -> object:
    """Bytes, which protocol 2 writes as a text and how to encode it."""
    text, encoding = arguments if len(arguments) == 2 else (None, None)
    if not isinstance(text, str) or encoding not in ("latin1", "latin-1"):
        raise NotPlainError
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError as failure:
        raise NotPlainError from failure


def _empty_or_bytes(arguments: list[object]) -> bytes:
    if not arguments:
        return b""
    if len(arguments) != 1 or not isinstance(arguments[0], bytes):
        raise NotPlainError
    return arguments[0]


def _set(arguments: list[object]) -> object:
    if len(arguments) != 1 or not isinstance(arguments[0], list):
        raise NotPlainError
    return set(_hashable(arguments[0]))


def _complex(arguments: list[object]) -> object:
    real, imaginary = arguments if len(arguments) == 2 else (None, None)
    if not isinstance(real, float) or not isinstance(imaginary, float):
        raise NotPlainError
    return complex(real, imaginary)


def _size(arguments: list[object]) -> object:
    """torch.Size stays what it is: a tuple of ints."""
    if len(arguments) != 1 or not isinstance(arguments[0], tuple):
        raise NotPlainError
    if not all(isinstance(size, int) for size in arguments[0]):
        raise NotPlainError
    return Call(Global("torch", "Size"), (arguments[0],))


ORDERED: Final = "collections.OrderedDict"
MAKERS: Final[dict[str, Maker]] = {
    "_codecs.encode": _encoded,
    "bytes": _empty_or_bytes,
    "bytearray": lambda arguments: bytearray(_empty_or_bytes(arguments)),
    "set": _set,
    "complex": _complex,
    "torch.Size": _size,
}
