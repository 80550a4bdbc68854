"""Element types: torch's names, their sizes, the numpy or ml_dtypes type that holds the same values.

`numpy` is always little-endian. complex32 is a structure of two float16, `real` and `imag`; packed types and
raw bits are unsigned integers that hold the bytes as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import ml_dtypes
import numpy as np
import numpy.typing as npt

from viewer.core.tensors.literal import parse_literal
from viewer.core.tensors.npy_header import make_dtype

Group = Literal["float", "half", "float8", "integer", "bool", "complex", "quantised", "packed", "bits"]
AnyArray = npt.NDArray[np.generic]
NumpyType = np.dtype[np.generic]


@dataclass(frozen=True, slots=True)
class DType:
    """One element type of torch.

    `itemsize`: bytes of one element, or of one group of `packed` elements that share a byte. `numpy`: the type
    that reads one such unit, None where there is none. `unit`: bytes that are swapped in big-endian files.
    """

    name: str
    itemsize: int
    numpy: NumpyType | None
    group: Group
    packed: int = 1

    @property
    def unit(self) -> int:
        """Bytes that a byte order turns round: the halves of complex numbers each for themselves."""
        return self.itemsize // 2 if self.group == "complex" else self.itemsize

    def nbytes(self, elements: int) -> int:
        """Bytes of so many elements, rounded up."""
        return -(-elements // self.packed) * self.itemsize


COMPLEX32: Final[NumpyType] = np.dtype([("real", "<f2"), ("imag", "<f2")])

_PLAIN: Final[tuple[tuple[Group, dict[str, str]], ...]] = (
    ("float", {"float64": "<f8", "float32": "<f4"}),
    ("half", {"float16": "<f2"}),
    ("integer", {"int64": "<i8", "int32": "<i4", "int16": "<i2", "int8": "|i1"}),
    ("integer", {"uint64": "<u8", "uint32": "<u4", "uint16": "<u2", "uint8": "|u1"}),
    ("bool", {"bool": "|b1"}),
    ("complex", {"complex128": "<c16", "complex64": "<c8"}),
    ("quantised", {"qint8": "|i1", "quint8": "|u1", "qint32": "<i4"}),
    ("packed", {"float4_e2m1fn_x2": "|u1"}),
    ("bits", {"bits8": "|u1", "bits1x8": "|u1", "bits2x4": "|u1", "bits4x2": "|u1", "bits16": "<u2"}),
)
_FLOAT8: Final = ("float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "float8_e8m0fnu")
# Types that torch names but never saves as plain tensors: they stand in wrapper subclasses only.
_NAMES_ONLY: Final = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in range(1, 8))


def _table() -> dict[str, DType]:
    rows = [
        DType(name, np.dtype(form).itemsize, np.dtype(form), group)
        for group, names in _PLAIN
        for name, form in names.items()
    ]
    rows.append(DType("bfloat16", 2, np.dtype(ml_dtypes.bfloat16), "half"))
    rows.append(DType("complex32", 4, COMPLEX32, "complex"))
    rows += [DType(name, 1, np.dtype(getattr(ml_dtypes, name)), "float8") for name in _FLOAT8]
    rows += [DType("quint4x2", 1, np.dtype("|u1"), "packed", 2), DType("quint2x4", 1, np.dtype("|u1"), "packed", 4)]
    rows += [DType(name, 1, None, "packed") for name in _NAMES_ONLY]
    return {row.name: row for row in rows}


DTYPES: Final[dict[str, DType]] = _table()
_ALIASES: Final = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "chalf": "complex32",
    "cfloat": "complex64",
    "cdouble": "complex128",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "bit": "uint1",
}

_CLASSES: Final = {
    "Double": "float64",
    "Float": "float32",
    "Half": "float16",
    "BFloat16": "bfloat16",
    "Long": "int64",
    "Int": "int32",
    "Short": "int16",
    "Char": "int8",
    "Byte": "uint8",
    "Bool": "bool",
    "ComplexFloat": "complex64",
    "ComplexDouble": "complex128",
    "QInt8": "qint8",
    "QUInt8": "quint8",
    "QInt32": "qint32",
    "QUInt4x2": "quint4x2",
    "QUInt2x4": "quint2x4",
}
UNTYPED_CLASSES: Final = frozenset({"UntypedStorage", "_UntypedStorage"})
STORAGE_CLASSES: Final[dict[str, str]] = {
    **{f"{name}Storage": dtype for name, dtype in _CLASSES.items()},
    **dict.fromkeys(UNTYPED_CLASSES, "uint8"),
}
"""Name of a storage class, whatever its module -> element type. Untyped storages count bytes."""

TENSOR_CLASSES: Final[dict[str, str]] = {f"{name}Tensor": dtype for name, dtype in _CLASSES.items()}
"""Name of a typed tensor class (torch.FloatTensor) -> element type."""


@lru_cache(maxsize=1024)
def dtype(name: str) -> DType | None:
    """The element type of a torch name, with or without `torch.`; None where there is no such type."""
    bare = name.removeprefix("torch.")
    return DTYPES.get(_ALIASES.get(bare, bare))


def type_text(kind: NumpyType) -> str:
    """A numpy type as text that `numpy_type` reads back: `<f4`, a list of fields, an ml_dtypes name.

    Fields that overlap have no such text: then the raw bytes of an element, `|V12`.
    """
    if _ML_TYPES.get(kind.name) == kind:
        return kind.name
    if kind.names is None:
        return kind.str
    try:
        return str(kind.descr)
    except ValueError:
        return f"|V{kind.itemsize}"


@lru_cache(maxsize=256)
def numpy_type(text: str) -> NumpyType:
    """The numpy type that a text of `type_text` names. Raises TypeError or ValueError."""
    if text in _ML_TYPES:
        return _ML_TYPES[text]
    if text.startswith("["):
        return make_dtype(parse_literal(text))
    return np.dtype(text)


def shown_type(kind: NumpyType) -> str:
    """The name that numpy gives a type (`float32`); for structures the list of their fields."""
    return kind.name if kind.names is None else type_text(kind)


def _ml_types() -> dict[str, NumpyType]:
    names = [name for name in dir(ml_dtypes) if name.startswith(("bfloat", "float", "int", "uint"))]
    found: dict[str, NumpyType] = {}
    for name in names:
        scalar = getattr(ml_dtypes, name)
        if isinstance(scalar, type) and issubclass(scalar, np.generic):
            found[name] = np.dtype(scalar)
    return found


_ML_TYPES: Final[dict[str, NumpyType]] = _ml_types()
ML_TYPE_NAMES: Final = frozenset(_ML_TYPES)
