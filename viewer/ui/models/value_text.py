"""Numbers as look.md wants them: 4 significant digits, true minus, every digit where it is asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from viewer.ui.words import MINUS, count, float_text


def short(value: Any) -> str:
    """A value for a cell: floats with 4 significant digits, exponents outside 1e-4 to 1e6."""
    return _text(value, exact=False)


def exact(value: Any) -> str:
    """A value with every digit, for the status line and for copying."""
    return _text(value, exact=True)


def scientific(value: Any) -> str:
    """Floats with 6 digits behind the point and an exponent always; other values as `short` has them."""
    if _is_half_complex(value):
        value = _complex(value)
    if isinstance(value, np.generic) and value.dtype.kind not in "iubSUOV":
        value = value.item() if value.dtype.kind in "fc" else _plain(value)
    if isinstance(value, complex):
        return f"{scientific(value.real)}{_sign(value.imag)}{scientific(abs(value.imag))}j"
    if isinstance(value, float) and math.isfinite(value):
        mantissa, exponent = f"{value:.6e}".split("e")
        return f"{mantissa}e{int(exponent)}".replace("-", MINUS)
    return short(value)


def bits(value: Any) -> str:
    """The bytes of an element as one hexadecimal number, highest first; of structures each part."""
    if isinstance(value, np.void) and value.dtype.names:
        return ", ".join(bits(value[name]) for name in value.dtype.names)
    if isinstance(value, np.complexfloating):
        return ", ".join(bits(part) for part in (value.real, value.imag))
    return value.tobytes()[::-1].hex().upper() if isinstance(value, np.generic) else short(value)


def _text(value: Any, *, exact: bool) -> str:
    if _is_half_complex(value):
        value = _complex(value)
    if isinstance(value, np.void) and value.dtype.names == ("low", "high"):
        return ", ".join(_text(part, exact=exact) for part in value.tolist())
    if isinstance(value, np.generic):
        value = value.item() if value.dtype.kind in "biufcSUO" else _plain(value)
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return count(value).replace("-", MINUS) if not exact else str(value).replace("-", MINUS)
    if isinstance(value, float):
        return repr(value).replace("-", MINUS) if exact and math.isfinite(value) else float_text(value)
    if isinstance(value, complex):
        return f"{_text(value.real, exact=exact)}{_sign(value.imag)}{_text(abs(value.imag), exact=exact)}j"
    return str(value)


def _sign(number: float) -> str:
    """Before an imaginary part; that of NaN means nothing."""
    return MINUS if math.copysign(1, number) < 0 and not math.isnan(number) else "+"


def _is_half_complex(value: Any) -> bool:
    """Whether a value is a complex32, which numpy has no type for: a structure of two halves."""
    return isinstance(value, np.void) and value.dtype.names == ("real", "imag")


def _complex(value: Any) -> complex:
    return complex(float(value["real"]), float(value["imag"]))


def _plain(value: np.generic) -> Any:
    """ml_dtypes scalars are floats or small integers; what is neither is shown as numpy prints it."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return int(number) if value.dtype.name.startswith(("int", "uint")) else number
