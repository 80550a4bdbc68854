"""The element types of safetensors files: what a type and a shape make."""

from __future__ import annotations

from math import prod
from typing import Final

from viewer.core.tensors.layout import Shape, row_major

MOST_AXES: Final = 1000
LARGEST: Final = 2**63
# Name in the file: (torch's name, "" where there is none; bits of an element).
TYPES: Final[dict[str, tuple[str, int]]] = {
    "BOOL": ("bool", 8),
    "U8": ("uint8", 8),
    "I8": ("int8", 8),
    "I16": ("int16", 16),
    "U16": ("uint16", 16),
    "I32": ("int32", 32),
    "U32": ("uint32", 32),
    "I64": ("int64", 64),
    "U64": ("uint64", 64),
    "F16": ("float16", 16),
    "BF16": ("bfloat16", 16),
    "F32": ("float32", 32),
    "F64": ("float64", 64),
    "C64": ("complex64", 64),
    "F8_E4M3": ("float8_e4m3fn", 8),
    "F8_E5M2": ("float8_e5m2", 8),
    "F8_E4M3FNUZ": ("float8_e4m3fnuz", 8),
    "F8_E5M2FNUZ": ("float8_e5m2fnuz", 8),
    "F8_E8M0": ("float8_e8m0fnu", 8),
    "F4": ("float4_e2m1fn_x2", 4),
    "F6_E2M3": ("", 6),
    "F6_E3M2": ("", 6),
}
Meaning = tuple[str, Shape, Shape, str]
"""dtype, shape, stride, and the file's own type where its bytes are shown as they are."""
PAIRS: Final = "F4"
RAW: Final = "uint8"


def meaning_of(dtype: str, shape: Shape) -> tuple[Meaning | None, int, str]:
    """What a type and a shape make (None: bytes only), the bits that they need, and the code of what is wrong."""
    known = TYPES.get(dtype)
    if known is None:
        return None, 0, "safetensors-dtype"
    count = prod(shape)
    if shape and (min(shape) < 0 or count >= LARGEST or len(shape) > MOST_AXES):
        return None, 0, "safetensors-shape"
    kind, bits = known
    if dtype == PAIRS:
        # torch counts pairs, the file single elements.
        if not shape or shape[-1] % 2:
            return None, count * bits, ""
        shape = (*shape[:-1], shape[-1] // 2)
    return (kind, shape, row_major(shape), "") if kind else None, count * bits, ""
