"""Names and atoms as a listing writes them: what stands in the file is quoted and escaped, never lookalike code."""

from __future__ import annotations

import builtins
import keyword
import re
from math import isfinite
from typing import Final

from viewer.core.objects.describe import is_text
from viewer.core.objects.listing_statements import LONG_TEXT
from viewer.core.objects.names import mapped
from viewer.core.pickles.values import Kind, Values

LONGEST_NAME: Final = 200
SHOWN: Final = 80
"""Letters of a text that is cut."""
DOTTED_SINCE: Final = 4
"""The protocol from which on a dot in a name leads into what the name before it stands for."""
_BUILTINS: Final = frozenset(name for name in dir(builtins) if not name.startswith("_"))
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_VARIABLE: Final = re.compile(r"v[0-9]+\Z")
_OWN: Final = frozenset(
    {"build", "cut", "extension", "import_module", "next_buffer", "persistent_load", "readonly", "result"}
)
"""What the listing itself calls, and its result."""


def is_word(part: str) -> bool:
    """True for an identifier of plain letters that is no keyword."""
    return _WORD.match(part) is not None and not keyword.iskeyword(part)


def is_plain(module: str, name: str) -> bool:
    """True for a name that may be written as Python does: nothing else in a listing can look like it."""
    if len(module) + len(name) > LONGEST_NAME or not is_word(name):
        return False
    first, *others = module.split(".")
    if not is_word(first) or not all(is_word(part) for part in others):
        return False
    return first == "builtins" or not (first in _BUILTINS or first in _OWN or _VARIABLE.match(first))


def name_text(module: str, name: str, protocol: int) -> str:
    """An imported name where it is used: `os.path.join`, builtins bare, odd names quoted."""
    if is_plain(module, name):
        is_bare = module == "builtins" and name in _BUILTINS
        return name if is_bare else f"{module}.{name}"
    parts = name.split(".")
    if protocol >= DOTTED_SINCE and len(name) <= LONGEST_NAME and all(is_word(part) for part in parts):
        return f"import_module({quoted(module)}).{name}"
    return f"getattr(import_module({quoted(module)}), {quoted(name)})"


def import_text(module: str, name: str, protocol: int) -> str:
    """The statement that imports a name."""
    return f"from {module} import {name}" if is_plain(module, name) else name_text(module, name, protocol)


def mapped_names(values: Values, value: int) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """Module and name of a global as Python 3 has them, and as written; None for a computed one."""
    written = values.global_name(value)
    return (mapped(*written, values.code.protocol_at(value)), written) if written is not None else None


def quoted(text: str) -> str:
    """A name in quotes, all but plain letters escaped; a long one cut."""
    if len(text) <= LONGEST_NAME:
        return ascii(text)
    return f"cut({text[:SHOWN]!a}, bytes={len(text.encode('utf-8', 'surrogatepass'))})"


def atom_text(values: Values, value: int, encoding: str = "utf-8") -> str:
    """None, a number, a text or bytes as Python writes them; long ones cut, with their length."""
    kind = values.kind(value)
    is_long = values.code.length(value) > LONG_TEXT
    if kind is Kind.TEXT and not is_long:
        return repr(values.text(value))
    if kind is Kind.INT and is_long:
        return _long_number(values, value)
    if kind in (Kind.TEXT, Kind.STRING, Kind.BYTES, Kind.BYTEARRAY):
        return _text(values, value, kind, encoding)
    plain = values.plain(value)
    if kind is Kind.FLOAT and isinstance(plain, float) and not isfinite(plain):
        return f"float({str(plain)!r})"
    return repr(plain)


def _text(values: Values, value: int, kind: Kind, encoding: str) -> str:
    length = values.code.argument_span(value).length
    if length <= 4 * LONG_TEXT:
        plain = values.plain(value)
        if kind in (Kind.TEXT, Kind.STRING) and is_text(plain, encoding):
            plain = values.text(value, encoding)
        if isinstance(plain, str | bytes):
            shown = repr(plain) if len(plain) <= LONG_TEXT else f"cut({plain[:SHOWN]!r}, bytes={length})"
            return f"bytearray({shown})" if kind is Kind.BYTEARRAY else shown
    head = values.code.bytes(values.code.argument_span(value).start, SHOWN)
    is_binary = kind in (Kind.BYTES, Kind.BYTEARRAY)
    shown = f"cut({head if is_binary else head.decode('utf-8', 'ignore')!r}, bytes={length})"
    return f"bytearray({shown})" if kind is Kind.BYTEARRAY else shown


def _long_number(values: Values, value: int) -> str:
    """The first digits of an int that is too long for a line: Python refuses to write very long ones."""
    plain = values.plain(value)
    number = plain if isinstance(plain, int) else 0
    shift = max(number.bit_length() - 64, 0)
    sign = "-" if number < 0 else ""
    return f"cut({sign}{abs(number) >> (shift - shift % 4):#x}, bytes={-(-number.bit_length() // 8)})"
