"""The filter of the tensors: a small language of names, patterns, types, shapes, sizes and findings.

All terms must hold; a `-` before a term turns it round. The forms are those of `wording.tensor_filter`.
"""

from __future__ import annotations

import operator
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from typing import Final, TypeVar

import numpy as np

from viewer.core.progress import Progress
from viewer.core.tensors import window
from viewer.core.tensors.branches import names_of
from viewer.core.tensors.columns import place_text
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.health import Fault, Health
from viewer.core.tensors.many import ManyTensors
from viewer.core.tensors.tensor import Tensor
from viewer.wording import fill
from viewer.wording.amounts import typed
from viewer.wording.tensor_filter import FILTER_FAULTS

T = TypeVar("T")
ByName = Callable[[str], bool]
ByTensor = Callable[[Tensor], bool]
FOUND: Final = frozenset(
    {Fault.NAN, Fault.INF, Fault.NEGATIVE, Fault.ZERO, Fault.CONSTANT, Fault.DENORMAL, Fault.IDENTICAL}
)
"""Findings that can be asked for by one word."""
STATES: Final[Mapping[str, ByTensor]] = {
    "shared": lambda tensor: bool(tensor.shared_with),
    "cut": lambda tensor: not window.complete(tensor),
    "missing": lambda tensor: not window.complete(tensor),
    "whole": window.complete,
}
_SHORT: Final = """
    bf16=bfloat16 fp16=float16 f16=float16 half=float16 fp32=float32 f32=float32 float=float32 fp64=float64 f64=float64
    double=float64 fp8=float8* f8=float8* i8=int8 char=int8 u8=uint8 byte=uint8 i16=int16 short=int16 i32=int32
    int=int32 i64=int64 long=int64
"""
SHORT: Final[Mapping[str, str]] = {short: name for short, _, name in (pair.partition("=") for pair in _SHORT.split())}
"""Short names of types, and what is looked for."""
OPERATORS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    ":": operator.eq,
}
SIZES: Final[Mapping[str, Callable[[Tensor], int]]] = {
    "size": window.stored_nbytes,
    "bytes": window.stored_nbytes,
    "elements": lambda tensor: tensor.elements,
    "numel": lambda tensor: tensor.elements,
    "rank": lambda tensor: len(tensor.shape),
    "ndim": lambda tensor: len(tensor.shape),
}
IN_BYTES: Final = frozenset({"size", "bytes"})
TEXTS: Final[Mapping[str, Callable[[Tensor], str]]] = {
    "file": place_text,
    "storage": place_text,
    "device": lambda tensor: tensor.storage.location if tensor.storage is not None else "",
    "location": lambda tensor: tensor.storage.location if tensor.storage is not None else "",
}
UNEQUAL: Final = frozenset({">", "<", ">=", "<="})
MOST_AXES: Final = 64
_TERM: Final = re.compile(r'(?:[^\s"\[]|"[^"]*"|\[[^\]]*\])+')
_FIELD: Final = re.compile(r"([A-Za-z]+)\s*(:?(?:>=|<=|>|<|=)|:)(.*)", re.DOTALL)
_ANY: Final = ("...", "\u2026", "**")


class FilterError(ValueError):
    """What was typed is no filter. `code`: of `wording.tensor_filter.FILTER_FAULTS`."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(fill(FILTER_FAULTS[code], params))
        self.code, self.params = code, params


@dataclass(frozen=True, slots=True)
class Filter:
    """What must hold of the name, of the tensor, and what must be found in its values (True) or must not (False)."""

    names: tuple[ByName, ...] = ()
    tensors: tuple[ByTensor, ...] = ()
    faults: tuple[tuple[Fault, bool], ...] = ()

    @property
    def is_empty(self) -> bool:
        """True when all tensors are wanted."""
        return not (self.names or self.tensors or self.faults)


def parse(text: str) -> Filter:
    """The filter that was typed. Raises FilterError."""
    if text.count('"') % 2:
        raise FilterError("quote")
    names: list[ByName] = []
    tensors: list[ByTensor] = []
    faults: list[tuple[Fault, bool]] = []
    for term in _terms(text):
        is_not = len(term) > 1 and term[0] in "-!"
        term = term[1:] if is_not else term
        found = _field(term)
        if found is not None:
            tensors.append(_turned(found, is_not))
        elif term.lower() in FOUND:
            faults.append((Fault(term.lower()), not is_not))
        elif term.lower() in STATES:
            tensors.append(_turned(STATES[term.lower()], is_not))
        else:
            names.append(_turned(_name(term.removeprefix("name:")), is_not))
    return Filter(tuple(names), tuple(tensors), tuple(faults))


def filtered(tensors: Sequence[Tensor], wanted: Filter, health: Health | None, progress: Progress) -> array[int]:
    """The numbers of the tensors that a filter leaves, ascending. Raises FilterError, CancelledError."""
    if wanted.faults and health is None:
        raise FilterError("scan", text=wanted.faults[0][0].value)
    fits = _fits(tensors, wanted)
    kept = array("q")
    for first, names in names_of(tensors, progress):
        for number, name in enumerate(names, first):
            if fits is not None and not fits[number]:
                continue
            if not all(test(name) for test in wanted.names):
                continue
            if health is not None and not _is_found(wanted, health, number):
                continue
            if fits is None and not _is_wanted(wanted, tensors[number]):
                continue
            kept.append(number)
    return kept


def _fits(tensors: Sequence[Tensor], wanted: Filter) -> bytes | None:
    """1 for each tensor that is as it must be, by one of each sort; None where all have to be looked at."""
    if not wanted.tensors:
        return b"\1" * len(tensors)
    alike = tensors.alike() if isinstance(tensors, ManyTensors) else None
    if alike is None:
        return None
    fit = np.array([_is_wanted(wanted, example) for example in alike.examples], dtype=np.uint8)
    return fit[alike.sorts].tobytes()


def _is_wanted(wanted: Filter, tensor: Tensor) -> bool:
    return all(test(tensor) for test in wanted.tensors)


def _is_found(wanted: Filter, health: Health, number: int) -> bool:
    held = health.faults.get(number, frozenset())
    return all((fault in held) is is_wanted for fault, is_wanted in wanted.faults)


def _terms(text: str) -> list[str]:
    """What stands between blanks; those in quotes and brackets part nothing."""
    outside = re.sub(r'"[^"]*"', "", text)
    if re.sub(r"\[[^\[\]]*\]", "", outside).count("["):
        raise FilterError("bracket")
    return _TERM.findall(text)


def _turned(test: Callable[[T], bool], is_not: bool) -> Callable[[T], bool]:
    return (lambda value: not test(value)) if is_not else test


def _name(term: str) -> ByName:
    """A part of the name, or where it has signs of a pattern all of it."""
    if term.startswith('"') or not set(term) & set("*?["):
        wanted = term.replace('"', "").casefold()
        return lambda name: wanted in name.casefold()
    match = re.compile(translate(term.replace('"', "")), re.IGNORECASE).match
    return lambda name: match(name) is not None


def _field(term: str) -> ByTensor | None:
    """The test of a term with a field; None where it has none."""
    match = _FIELD.fullmatch(term)
    if match is None or term.startswith("name:"):
        return None
    field, sign, text = match[1].lower(), match[2], match[3].strip()
    sign = sign[1:] if len(sign) > 1 and sign.startswith(":") else sign
    if field in SIZES:
        return _size(field, sign, text)
    if sign in UNEQUAL and field in (*TEXTS, "dtype", "shape"):
        # Taken for an equal sign it would find what nobody asked for.
        code = "shape-sign" if field == "shape" else "sign"
        size = text if text.isascii() and text.isdigit() else "100"
        raise FilterError(code, field=match[1], sign=sign, size=size)
    if field == "dtype":
        return _dtype(text)
    if field == "shape":
        return _shape(text)
    if field in TEXTS:
        read, wanted = TEXTS[field], text.replace('"', "").casefold()
        return lambda tensor: wanted in read(tensor).casefold()
    raise FilterError("field", text=match[1])


def _size(field: str, sign: str, text: str) -> ByTensor:
    compare, read = OPERATORS[sign], SIZES[field]
    if not text:
        raise FilterError("compare", field=field)
    number = typed(text) if field in IN_BYTES else _count(text)
    if number is None:
        raise FilterError("number", text=text) if field in IN_BYTES else FilterError("compare", field=field)
    return lambda tensor: compare(read(tensor), number)


def _count(text: str) -> int | None:
    """A number of elements: 1000, 1,000, 1e6, 5M."""
    plain = text.replace(",", "").replace("_", "").lower()
    match = re.fullmatch(r"(\d{1,18})(?:e(\d{1,2}))?([km]?)", plain)
    if match is None:
        return None
    scale: int = 10 ** int(match[2] or 0)
    return int(match[1]) * scale * {"": 1, "k": 1000, "m": 1000_000}[match[3]]


def _dtype(text: str) -> ByTensor:
    wanted = text.removeprefix("torch.").lower()
    wanted = SHORT.get(wanted, wanted)
    match = re.compile(translate(wanted)).match
    if not (set(wanted) & set("*?[") or wanted in DTYPES or _is_array_type(wanted)):
        raise FilterError("dtype", text=text)
    return lambda tensor: match(tensor.dtype.lower()) is not None


def _is_array_type(text: str) -> bool:
    """True for what numpy may call a type: `complex256`, `str`, `object`."""
    return (
        re.fullmatch(r"(?:float|complex|u?int|str|bytes|void|datetime|timedelta)\d*|object|[<>|=][a-z]\w*", text)
        is not None
    )


def _shape(text: str) -> ByTensor:
    """`[*,768]`, `64x3x7x7`, `[...,>100]`."""
    inner = text.strip("[]() ").replace("x", ",") if text.strip("[]() ") else ""
    parts = [part.strip() for part in inner.split(",") if part.strip()]
    if len(parts) > MOST_AXES:
        raise FilterError("shape", text=text)
    tests: list[Callable[[int], bool] | None] = [_axis(part) for part in parts]
    if None not in tests:
        sizes = [test for test in tests if test is not None]
        return lambda tensor: len(tensor.shape) == len(sizes) and _fit(sizes, tensor.shape)
    at = tests.index(None)
    before, behind = tests[:at], tests[at + 1 :]
    if None in behind:
        raise FilterError("shape", text="...")
    first = [test for test in before if test is not None]
    last = [test for test in behind if test is not None]
    return lambda tensor: (
        len(tensor.shape) >= len(first) + len(last)
        and _fit(first, tensor.shape[: len(first)])
        and _fit(last, tensor.shape[len(tensor.shape) - len(last) :])
    )


def _fit(tests: Sequence[Callable[[int], bool]], sizes: Sequence[int]) -> bool:
    return all(test(size) for test, size in zip(tests, sizes, strict=True))


def _axis(part: str) -> Callable[[int], bool] | None:
    """The test of one size; None for any number of axes."""
    if part in _ANY:
        return None
    if part in ("*", "_", "?", ":"):
        return lambda size: True
    match = re.fullmatch(r"(>=|<=|>|<|=)?\s*(\d{1,18})", part)
    if match is None:
        raise FilterError("shape", text=part)
    compare, number = OPERATORS[match[1] or "="], int(match[2])
    return lambda size: compare(size, number)
