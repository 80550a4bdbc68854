"""Plain values of a stream as terms: atoms, containers, tensors and arrays by their shape, names of torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Final

from viewer.core.code.derived.constructors import MISSING
from viewer.core.code.derived.literals import LONGEST_TEXT, number, quoted, shown
from viewer.core.code.derived.references import torch_reference
from viewer.core.code.derived.terms import Part, Terms
from viewer.core.code.torch_modules import TorchName
from viewer.core.objects.content import SEQUENCE_CALLS, octets
from viewer.core.objects.describe import class_name, describe
from viewer.core.objects.names import MAPPING_CALLS, called, named
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.rebuild import Rebuilder
from viewer.core.tensors.table import StorageTable
from viewer.core.tensors.tensor import Tensor
from viewer.wording import fill
from viewer.wording.skeletons import CUT, LEFT_OUT

MOST_ENTRIES: Final = 100
MOST_PARTS: Final = 1000
"""Leaves of one plain value that are written out."""
_MOST_ELEMENTS: Final = 2**40
_LONGEST_ARGUMENT: Final = 8 * LONGEST_TEXT
_MOST_ITEMS: Final = 16
_BRACKETS: Final = {
    Kind.TUPLE: ("(", ")"),
    Kind.LIST: ("[", "]"),
    Kind.SET: ("{", "}"),
    Kind.FROZENSET: ("frozenset({", "})"),
}
_EMPTY: Final = {Kind.TUPLE: "()", Kind.LIST: "[]", Kind.SET: "set()", Kind.FROZENSET: "frozenset()"}
_SEQUENCES: Final[Mapping[str, Kind]] = {
    "set": Kind.SET,
    "frozenset": Kind.FROZENSET,
    "list": Kind.LIST,
    "tuple": Kind.TUPLE,
    "collections.deque": Kind.LIST,
}
_MAPPINGS: Final = {
    "collections.OrderedDict": ("OrderedDict({", "})"),
    "collections.Counter": ("collections.Counter({", "})"),
    "collections.defaultdict": ("collections.defaultdict(None, {", "})"),
}
# Calls that are written with their arguments as they stand.
_WRITTEN: Final = {"complex": "complex(", "slice": "slice(", "range": "range(", "torch.device": "torch.device("}


class PlainTerms:
    """Makes terms of values whose parts are made already. Asked for objects of classes it gives None with a note."""

    def __init__(self, values: Values, terms: Terms, encoding: str) -> None:
        self.values, self.terms, self.encoding = values, terms, encoding
        self._rebuild = Rebuilder(values, 0, StorageTable(values, encoding))
        self._tensors: dict[int, Tensor | None] = {}

    def tensor(self, value: int) -> Tensor | None:
        """The tensor or array that a value is; None for all else."""
        if value not in self._tensors:
            is_call = value >= 0 and self.values.kind(value) is Kind.CALL
            self._tensors[value] = self._rebuild.tensor(value) if is_call else None
        return self._tensors[value]

    def plain(self, value: int) -> object:
        """An atom, a short tuple or list of atoms (as tuple), a global as TorchName; MISSING for all else."""
        if self.values.is_atom(value):
            return self._atom_of(value)
        if value >= 0 and self.values.kind(value) is Kind.GLOBAL:
            return TorchName(named(self.values, value, self.encoding))
        items = _items(self.values, value)
        if items is None or len(items) > _MOST_ITEMS or not all(self.values.is_atom(item) for item in items):
            return MISSING
        return tuple(self._atom_of(item) for item in items)

    def _atom_of(self, value: int) -> object:
        if self._is_long(value):
            return MISSING
        text = self.values.text(value, self.encoding)
        return self.values.plain(value) if text is None else text

    def _is_long(self, value: int) -> bool:
        return self.values.code.argument_span(value).length > _LONGEST_ARGUMENT

    # -- parts ------------------------------------------------------------------------------------

    def parts(self, value: int) -> list[int]:
        """The values that have to be terms first."""
        values = self.values
        if values.is_atom(value) or self.tensor(value) is not None:
            return []
        items = _items(values, value)
        if items is not None:
            return items[:MOST_ENTRIES]
        pairs = self._pairs(value)
        if pairs is not None:
            return [part for pair in pairs[:MOST_ENTRIES] for part in pair]
        if values.kind(value) is Kind.CALL and called(values, value) in _WRITTEN:
            return values.arguments(value)[:MOST_ENTRIES]
        return []

    def _pairs(self, value: int) -> list[tuple[int, int]] | None:
        """Keys and values of a dict or of a call that makes one, of which only texts, numbers and the like are keys."""
        values = self.values
        kind = values.kind(value)
        if kind is not Kind.DICT and (kind is not Kind.CALL or called(values, value) not in MAPPING_CALLS):
            return None
        given: list[tuple[int, int]] = []
        for argument in values.arguments(value) if kind is Kind.CALL else []:
            given += self._given_pairs(argument)
        return [pair for pair in given + values.pairs(value) if self._is_key(pair[0])]

    def _given_pairs(self, argument: int) -> list[tuple[int, int]]:
        if self.values.kind(argument) is Kind.DICT:
            return self.values.pairs(argument)
        pairs = [_items(self.values, item) or [] for item in _items(self.values, argument) or []]
        return [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]

    def _is_key(self, value: int) -> bool:
        if self.values.kind(value) is not Kind.TUPLE:
            return self.values.is_atom(value) and self.values.kind(value) is not Kind.BYTEARRAY
        return all(self.values.is_atom(item) for item in self.values.items(value))

    # -- terms ------------------------------------------------------------------------------------

    def make(self, value: int, made: Mapping[int, int]) -> int:
        """The term of a value; `made`: those of its parts."""
        values = self.values
        if values.is_atom(value):
            return self.atom(value)
        tensor = self.tensor(value)
        if tensor is not None:
            return self.array(tensor) if tensor.kind == "array" else self.zeros(tensor)
        items = _items(values, value)
        if items is not None:
            return self._bounded(self._sequence(value, items, made), value)
        pairs = self._pairs(value)
        if pairs is not None:
            return self._bounded(self._mapping(value, pairs, made), value)
        return self._named(value, made)

    def _bounded(self, term: int, value: int) -> int:
        return term if self.terms[term].size <= MOST_PARTS else self.left_out(value)

    def left_out(self, value: int) -> int:
        """None, and what stands in the file there."""
        name = class_name(self.values, value, self.encoding)
        text = describe(self.values, value, 60, self.encoding) if self.values.kind(value) is not Kind.CALL else name
        return self.terms.leaf("None", fill(LEFT_OUT, {"what": shown(text, 100)}))

    def atom(self, value: int) -> int:
        """None, a bool, a number, a text or bytes."""
        kind = self.values.kind(value)
        if kind is Kind.NONE:
            return self.terms.none
        plain = self._atom_of(value)
        if isinstance(plain, str):
            return self._text(quoted(plain[:LONGEST_TEXT]), len(plain))
        if isinstance(plain, bytes):
            written = repr(plain[:LONGEST_TEXT])
            return self._text(f"bytearray({written})" if kind is Kind.BYTEARRAY else written, len(plain))
        written = number(plain) if isinstance(plain, (int, float)) else ""
        return self.terms.leaf(written) if written else self.left_out(value)

    def _text(self, written: str, length: int) -> int:
        note = fill(CUT, {"kept": f"{LONGEST_TEXT:,}", "count": f"{length:,}"}) if length > LONGEST_TEXT else ""
        return self.terms.leaf(written, note)

    def _sequence(self, value: int, items: Sequence[int], made: Mapping[int, int]) -> int:
        kind = self.values.kind(value)
        if kind is Kind.CALL:
            name = called(self.values, value)
            if name == "torch.Size":
                return self.terms.call("torch.Size([", _row(items, made), "])", note=_cut(len(items)))
            kind = _SEQUENCES[name]
            if name == "collections.deque":
                return self.terms.call("collections.deque([", _row(items, made), "])", note=_cut(len(items)))
        if kind in (Kind.SET, Kind.FROZENSET):
            items = [item for item in items if self._is_key(item)]
        if not items:
            return self.terms.leaf(_EMPTY[kind])
        opening, closing = _BRACKETS[kind]
        if kind is Kind.TUPLE and len(items) == 1:
            closing = ",)"
        return self.terms.call(opening, _row(items, made), closing, note=_cut(len(items)))

    def _mapping(self, value: int, pairs: Sequence[tuple[int, int]], made: Mapping[int, int]) -> int:
        name = called(self.values, value) if self.values.kind(value) is Kind.CALL else "dict"
        opening, closing = _MAPPINGS.get(name, ("{", "}"))
        parts = []
        for key, child in pairs[:MOST_ENTRIES]:
            written = self.terms.flat(made[key], "", 2 * LONGEST_TEXT)
            if written:
                parts.append(Part(f"{written}: ", "", made[child]))
        return self.terms.call(opening, parts, closing, note=_cut(len(pairs)))

    def _named(self, value: int, made: Mapping[int, int]) -> int:
        """Names of torch and the few calls that are written as they stand."""
        values = self.values
        if values.kind(value) is not Kind.CALL or named(values, value, self.encoding):
            reference = torch_reference(named(values, value, self.encoding))
            return self.terms.leaf(reference) if reference else self.left_out(value)
        raw = octets(values, value)
        if raw is not None:
            return self._text(repr(raw[:LONGEST_TEXT]), len(raw))
        name = called(values, value)
        arguments = values.arguments(value)
        if name == "bytes" and not arguments:
            return self.terms.leaf('b""')
        is_plain = all(values.is_atom(one) for one in arguments)
        if name in _WRITTEN and is_plain and len(arguments) <= 3:
            return self.terms.call(_WRITTEN[name], _row(arguments, made))
        return self.left_out(value)

    # -- tensors ----------------------------------------------------------------------------------

    def zeros(self, tensor: Tensor) -> int:
        """A tensor of its shape and type; what it holds stays in the file."""
        known = DTYPES.get(tensor.dtype)
        if tensor.note == "UninitializedParameter":
            return self.terms.leaf("nn.UninitializedParameter()")
        if min(tensor.shape, default=0) < 0 or len(tensor.shape) > 64:
            return self.terms.leaf("None", fill(LEFT_OUT, {"what": "torch.Tensor"}))
        sizes = ", ".join(map(str, tensor.shape)) or "()"
        stated = "" if tensor.dtype == "float32" or known is None else f", dtype=torch.{tensor.dtype}"
        # What nobody can hold is not made: the shape is enough.
        where = ', device="meta"' if prod(tensor.shape) > _MOST_ELEMENTS else ""
        made = "empty" if known is not None and known.group == "quantised" else "zeros"
        note = fill(LEFT_OUT, {"what": shown(tensor.note)}) if tensor.note and known is None else ""
        return self.terms.leaf(f"torch.{made}({sizes}{stated}{where})", note)

    def parameter(self, value: int) -> int:
        """A parameter over `zeros`; None where the value is none."""
        tensor = self.tensor(value)
        if tensor is None or tensor.kind == "array":
            return self.terms.none if self.values.kind(value) is Kind.NONE else self.left_out(value)
        inner = self.zeros(tensor)
        if self.terms[inner].head.startswith(("nn.", "None")):
            return inner
        known = DTYPES.get(tensor.dtype)
        is_trained = tensor.requires_grad is not False and (known is None or known.group in TRAINED)
        flag = "" if is_trained else ", requires_grad=False"
        return self.terms.leaf(f"nn.Parameter({self.terms[inner].head}{flag})", "".join(self.terms[inner].notes))

    def array(self, tensor: Tensor) -> int:
        """A numpy array of its shape and type."""
        if tensor.dtype not in _ARRAYS or prod(tensor.shape) > _MOST_ELEMENTS:
            return self.terms.leaf("None", fill(LEFT_OUT, {"what": "numpy.ndarray"}))
        sizes = ", ".join(map(str, tensor.shape)) + ("," if len(tensor.shape) == 1 else "")
        return self.terms.leaf(f"np.zeros(({sizes}), dtype={quoted(tensor.dtype)})")


TRAINED: Final = frozenset({"float", "half", "float8", "complex"})
"""Groups of element types that torch lets have a gradient."""
_NUMPY: Final = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
_ARRAYS: Final = frozenset(_NUMPY.split())


def _items(values: Values, value: int) -> list[int] | None:
    """The elements of a sequence, or of a call that makes one; None for all else."""
    kind = values.kind(value)
    if kind in _BRACKETS:
        return values.items(value)
    if kind is not Kind.CALL or called(values, value) not in SEQUENCE_CALLS:
        return None
    given = values.arguments(value)[:1]
    return [item for one in given if values.kind(one) in _BRACKETS for item in values.items(one)] + values.items(value)


def _row(items: Sequence[int], made: Mapping[int, int]) -> list[Part]:
    return [Part("", "", made[item]) for item in items[:MOST_ENTRIES]]


def _cut(count: int) -> str:
    return fill(CUT, {"kept": f"{MOST_ENTRIES:,}", "count": f"{count:,}"}) if count > MOST_ENTRIES else ""
