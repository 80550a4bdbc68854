"""numpy arrays and scalars from the calls that a pickle asks for.

    _reconstruct(ndarray, (0,), b'b') with BUILD (1, shape, dtype, is_fortran, raw)
    _frombuffer(buffer, dtype, shape, 'C' | 'F')      protocol 5
    scalar(dtype, raw)
    NumpyArrayWrapper() with BUILD {shape, order, dtype, ...}     joblib: the elements follow the BUILD
    _create_array(_reconstruct, arguments, state, attributes)     dill: the state is an argument

Modules numpy.core and numpy._core. `raw` is bytes, in protocols below 3 `_codecs.encode(text, 'latin1')`, in
Python 2 a str; for arrays of objects a list.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from viewer.core.pickles.gaps import is_wrapper
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import Kind, Values
from viewer.core.source import ByteSource, MemorySource
from viewer.core.span import Span
from viewer.core.tensors.dtypes import NumpyType, shown_type, type_text
from viewer.core.tensors.findings import Findings
from viewer.core.tensors.latin import LatinError, LatinSource
from viewer.core.tensors.layout import column_major, row_major
from viewer.core.tensors.numpy_types import TypeReader
from viewer.core.tensors.special import integers, truth
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor, ValueRef

Name = tuple[str, str]
STRING, UNICODE = code("STRING"), code("UNICODE")
_MODULES: Final = ("numpy.core.", "numpy._core.")
RECONSTRUCT, FROM_BUFFER, SCALAR = "_reconstruct", "_frombuffer", "scalar"
_MASKED: Final = {("numpy.ma.core", "_mareconstruct"), ("numpy.ma._core", "_mareconstruct")}
# Place of the mask in the state of a masked array, and the part of it that is looked at.
MASK: Final = 5
LONGEST_MASK: Final = 1024 * 1024
BOOL: Final[NumpyType] = np.dtype(np.bool_)
_CALLS: Final = {
    *((module + "multiarray", name) for module in _MODULES for name in (RECONSTRUCT, SCALAR)),
    *((module + "numeric", FROM_BUFFER) for module in _MODULES),
    *_MASKED,
}
_DILL: Final = {("dill._dill", "_create_array"), ("dill.dill", "_create_array")}
_ENCODINGS: Final = frozenset({"latin1", "latin-1", "latin_1", "iso-8859-1", "iso8859-1"})
ENCODE: Final = ("_codecs", "encode")
_BYTES_CALLS: Final = frozenset(
    (module, name) for module in ("builtins", "__builtin__") for name in ("bytes", "bytearray")
)
UNKNOWN: Final = "unknown"
LARGEST: Final = 2**63 - 1


def is_array_call(name: Name) -> bool:
    """Whether a call of this function makes an array or a numpy scalar."""
    return name in _CALLS or name in _DILL or is_wrapper(*name)


def is_possible(kind: NumpyType, shape: tuple[int, ...]) -> bool:
    """Whether any array can have a shape: no size is below 0, and its bytes can be counted."""
    count = max(kind.itemsize, 1)
    for size in shape:
        count *= size
    return min(shape, default=0) >= 0 and count <= LARGEST


def array_tensor(
    kind: NumpyType, shape: tuple[int, ...], fortran: bool, storage: Storage | None, note: str = ""
) -> Tensor:
    """An array over a storage that holds just its elements; arrays of objects have none."""
    stride = column_major(shape) if fortran else row_major(shape)
    return Tensor(
        *(-1, (), None, "array", shown_type(kind), shape, stride, 0, storage), note=note, numpy_dtype=type_text(kind)
    )


def array_storage(
    kind: NumpyType, count: int, span: Span | None, source: ByteSource | None, record: str = "", key: str = ""
) -> Storage:
    """The elements of one array. `span`: where they stand in the document's source."""
    order = "big" if kind.byteorder == ">" else "little"
    nbytes = count * kind.itemsize
    return Storage(key, "cpu", shown_type(kind), False, count, nbytes, span, source, record, order)


class ArrayReader:
    """Reads the arrays of one stream."""

    def __init__(self, values: Values, pickle_index: int, spans: bool, encoding: str, findings: Findings) -> None:
        self._values = values
        self._pickle = pickle_index
        self._spans = spans
        self._encoding = encoding
        self._findings = findings
        self._types = TypeReader(values, encoding)

    def read(self, value: int, name: Name, args: list[int]) -> Tensor | None:
        """The array that a call of one of the functions above makes; None where its arguments are wrong."""
        made = None
        if is_wrapper(*name):
            made = self._wrapped(value)
        elif name[1] == SCALAR:
            made = self._scalar(args)
        elif name[1] == FROM_BUFFER:
            made = self._from_buffer(value, args)
        elif name in _DILL:
            made = self._by_dill(value, args)
        else:
            states = self._values.states(value)
            made = self._reconstructed(value, states[-1], name) if states else None
        if made is None:
            self._findings.warning("array-arguments", value, None, function=name[1])
            return None
        made.value = ValueRef(self._pickle, value)
        return made

    def _scalar(self, args: list[int]) -> Tensor | None:
        kind = self._types.get(args[0]) if args else None
        if kind is None:
            return None
        if kind.hasobject or len(args) < 2:
            return array_tensor(kind, (), False, None, "object" if kind.hasobject else SCALAR)
        return self._over(args[1], kind, (), False)

    def _from_buffer(self, value: int, args: list[int]) -> Tensor | None:
        if len(args) < 3:
            return None
        kind, shape = self._types.get(args[1]), integers(self._values, args[2])
        order = self._values.text(args[3]) if len(args) > 3 else "C"
        if kind is None or shape is None or order not in ("C", "F") or not is_possible(kind, shape):
            return None
        if self._values.kind(args[0]) is Kind.BUFFER:
            made = array_tensor(kind, shape, order == "F", None)
            made.storage = array_storage(kind, made.elements, None, None)
            self._findings.error("array-buffer-missing", value, made, size=made.storage.nbytes)
            return made
        return self._over(args[0], kind, shape, order == "F")

    def _by_dill(self, value: int, args: list[int]) -> Tensor | None:
        """An array whose maker and state are arguments of one call."""
        maker = self._values.global_name(args[0]) if len(args) > 2 else None
        if maker is None or maker not in _CALLS or maker[1] in (FROM_BUFFER, SCALAR):
            return None
        return self._reconstructed(value, args[2], maker)

    def _reconstructed(self, value: int, given: int, maker: Name) -> Tensor | None:
        """An array by its state; of a masked one the data, whose mask and fill value follow in the state."""
        values = self._values
        if values.kind(given) is not Kind.TUPLE:
            return None
        state = values.items(given)
        if len(state) == 4:  # numpy before versions were counted
            state = [-1, *state]
        if len(state) < 5:
            return None
        shape, kind, fortran = integers(values, state[1]), self._types.get(state[2]), self._flag(state[3])
        if shape is None or kind is None or fortran is None or not is_possible(kind, shape):
            return None
        if kind.hasobject:
            return array_tensor(kind, shape, fortran, None, "object")
        made = self._over(state[4], kind, shape, fortran)
        if made is not None and len(state) > MASK and maker in _MASKED:
            self._add_mask(value, made, state[MASK], fortran)
        return made

    def _add_mask(self, value: int, made: Tensor, mask: int, fortran: bool) -> None:
        """The mask as a part; said is when elements count as absent, as what is shown are the stored ones."""
        place = self._place(mask)
        if place is None:
            return
        source, span = place
        found, expected = source.size, made.elements
        if found != expected:
            self._findings.warning("array-mask-size", value, made, expected=expected, found=found)
        if source.read(0, LONGEST_MASK).strip(b"\0"):
            self._findings.note("array-masked", value, made)
        stated = None if span is None else Span(span.start, span.start + expected)
        part = array_tensor(BOOL, made.shape, fortran, array_storage(BOOL, expected, stated, source))
        part.value = ValueRef(self._pickle, mask)
        made.parts = (("mask", part),)

    def _wrapped(self, value: int) -> Tensor | None:
        """An array of joblib, whose elements stand behind the BUILD that gives its shape and dtype."""
        values, gaps = self._values, self._values.code.gaps
        builds = [change for change in values.changes(value) if change in gaps]
        if not builds:
            return None
        state = {values.text(key): item for key, item in values.pairs(values.given(builds[0])[0])}
        kind = self._types.get(state["dtype"]) if "dtype" in state else None
        shape = integers(values, state["shape"]) if "shape" in state else None
        order = values.text(state["order"]) if "order" in state else "C"
        if kind is None or shape is None or not is_possible(kind, shape):
            return None
        if kind.hasobject:
            return array_tensor(kind, shape, order == "F", None, "object")
        made = array_tensor(kind, shape, order == "F", None)
        data = gaps[builds[0]].data
        source, span = self._slice(data)
        made.storage = array_storage(kind, made.elements, span, source)
        if source.size < data.length:
            self._findings.error("array-size-differs", value, made, expected=data.length, found=source.size)
        return made

    def _flag(self, value: int) -> bool | None:
        found = truth(self._values, value)
        number = self._values.integer(value)
        return found if number is None else bool(number)

    def _over(self, raw: int, kind: NumpyType, shape: tuple[int, ...], fortran: bool) -> Tensor | None:
        """An array over the bytes that a value gives; bytes that are missing are said so."""
        place = self._place(raw)
        if place is None:
            return None
        source, span = place
        made = array_tensor(kind, shape, fortran, None)
        made.storage = array_storage(kind, made.elements, span, source)
        expected = made.storage.nbytes
        if source.size != expected:
            self._findings.error("array-size-differs", raw, made, expected=expected, found=source.size)
        if made.storage.span is not None:
            start = made.storage.span.start
            made.storage = array_storage(kind, made.elements, Span(start, start + expected), source)
        return made

    def _place(self, value: int) -> tuple[ByteSource, Span | None] | None:
        """The bytes that a value stands for, and where they are in the document's source."""
        values, kind = self._values, self._values.kind(value)
        if kind is Kind.CALL and values.call_name(value) in _BYTES_CALLS:
            args = values.arguments(value)
            if not args:
                return MemorySource(b""), None
            value, kind = args[0], values.kind(args[0])
        if kind is Kind.CALL and values.call_name(value) == ENCODE:
            return self._encoded(values.arguments(value))
        if kind not in (Kind.BYTES, Kind.BYTEARRAY, Kind.STRING):
            return None
        if values.code.codes[value] == STRING:
            found = values.plain(value)
            return (MemorySource(found), None) if isinstance(found, bytes) else None
        return self._slice(values.code.argument_span(value))

    def _encoded(self, args: list[int]) -> tuple[ByteSource, Span | None] | None:
        """Bytes kept as text of latin-1."""
        values = self._values
        encoding = values.text(args[1]) if len(args) > 1 else "utf-8"
        if not args or values.kind(args[0]) is not Kind.TEXT or encoding not in _ENCODINGS:
            return None
        if values.code.codes[args[0]] == UNICODE:
            text = values.text(args[0]) or ""
            return (MemorySource(text.encode("latin-1")), None) if max(text, default="") <= "\xff" else None
        span = values.code.argument_span(args[0])
        try:
            source = LatinSource(values.code.source, span.start, span.stop)
        except LatinError:
            return None
        return self._slice(span) if source.plain else (source, None)

    def _slice(self, span: Span) -> tuple[ByteSource, Span | None]:
        return self._values.code.source.slice(span.start, span.stop), span if self._spans else None
