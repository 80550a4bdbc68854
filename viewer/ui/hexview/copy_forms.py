"""Selected bytes in the forms that people paste elsewhere: digits, source text of languages, a dump, a call, a link.

To add one: a function of a Chosen, and a line in FORMS.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from viewer.core.dumped import dump
from viewer.ui.hexview.copying import as_hex, as_text
from viewer.ui.hexview.numbers import BYTES, Cells, exact
from viewer.wording import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from viewer.core.span import Span

C_ROW: Final = 12


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is copied. `span`: of the bytes in the file, whose `path` is as people write it.

    `dtype`: numpy's name of the elements that the bytes are, with its byte order; "" where they are none. `cells` and
    `text`: what the view shows them as.
    """

    data: bytes
    span: Span
    path: str
    dtype: str = ""
    cells: Cells = BYTES
    text: Callable[[bytes], str] = as_text


def plain_hex(chosen: Chosen) -> str:
    """`80028A`."""
    return chosen.data.hex().upper()


def python_bytes(chosen: Chosen) -> str:
    r"""`b'\x80\x02'`, an expression that gives the bytes."""
    return repr(chosen.data)


def escaped(chosen: Chosen) -> str:
    r"""`\x80\x02\x8a`."""
    return "".join(f"\\x{value:02x}" for value in chosen.data)


def c_array(chosen: Chosen) -> str:
    """An array of unsigned char with its length."""
    rows = [chosen.data[at : at + C_ROW] for at in range(0, len(chosen.data), C_ROW)]
    body = ",\n".join("    " + ", ".join(f"0x{value:02X}" for value in row) for row in rows)
    return f"static const unsigned char data[{len(chosen.data)}] = {{\n{body}\n}};\n"


def in_base64(chosen: Chosen) -> str:
    """Base64 in one line."""
    return base64.b64encode(chosen.data).decode("ascii")


def as_dump(chosen: Chosen) -> str:
    """Offset, digits and letters in rows of 16."""
    return dump(chosen.span.start, chosen.data)


def numpy_call(chosen: Chosen) -> str:
    """The call that reads the elements out of the file."""
    dtype = chosen.dtype or "|u1"
    count = chosen.span.length // int(dtype[2:])
    return f"np.fromfile({chosen.path!r}, dtype={dtype!r}, count={count}, offset={chosen.span.start})"


def torch_call(chosen: Chosen) -> str:
    """The call that reads the elements as a tensor; torch reads the machine's own byte order."""
    return f"torch.from_numpy({numpy_call(chosen)})"


STRUCT: Final = {"u1": "B", "i1": "b", "u2": "H", "i2": "h", "u4": "I", "i4": "i", "u8": "Q", "i8": "q", "b1": "?"}
STRUCT_FLOATS: Final = {"f2": "e", "f4": "f", "f8": "d", "c8": "2f", "c16": "2d"}


def struct_call(chosen: Chosen) -> str:
    """The call that unpacks the elements of the bytes themselves; complex numbers as their two parts."""
    if not chosen.data:
        return ""
    dtype = chosen.dtype or "|u1"
    letter = (STRUCT | STRUCT_FLOATS).get(dtype[1:], "B")
    size = int(dtype[2:]) if letter != "B" else 1
    whole = replace(chosen, data=chosen.data[: len(chosen.data) // size * size])
    count = len(whole.data) // size * (2 if letter[0] == "2" else 1)
    order = ">" if dtype[0] == ">" else "<"
    return f"struct.unpack({f'{order}{count}{letter[-1]}'!r}, {python_bytes(whole)})"


def element_list(chosen: Chosen) -> str:
    """`[1.5, -0.25]`: the elements that the cells show, else the bytes; a list of Python but for nan and inf."""
    return f"[{', '.join(exact(chosen.cells, chosen.data))}]" if chosen.data else ""


def offsets(chosen: Chosen) -> str:
    """`0x1A2B`, of several bytes also where they end: `0x1A2B-0x1A6B`, the end not with them."""
    return f"0x{chosen.span.start:X}" + (f"-0x{chosen.span.stop:X}" if chosen.span.length > 1 else "")


def link(chosen: Chosen) -> str:
    """`model.pth#0x1A2B+64`, which the command and the window open."""
    length = f"+{chosen.span.length}" if chosen.span.length > 1 else ""
    return f"{chosen.path}#0x{chosen.span.start:X}{length}"


Form = Callable[[Chosen], str]
FORMS: Final[dict[str, tuple[str, Form]]] = {
    "hex": (QT_TRANSLATE_NOOP("copying", "Hex, 80 02 8A"), lambda chosen: as_hex(chosen.data)),
    "plain": (QT_TRANSLATE_NOOP("copying", "Hex, 80028A"), plain_hex),
    "escaped": (QT_TRANSLATE_NOOP("copying", "Hex, \\x80\\x02\\x8a"), escaped),
    "text": (QT_TRANSLATE_NOOP("copying", "Text"), lambda chosen: chosen.text(chosen.data)),
    "python": (QT_TRANSLATE_NOOP("copying", "Python bytes"), python_bytes),
    "c": (QT_TRANSLATE_NOOP("copying", "C array"), c_array),
    "base64": (QT_TRANSLATE_NOOP("copying", "Base64"), in_base64),
    "dump": (QT_TRANSLATE_NOOP("copying", "Dump"), as_dump),
    "numpy": (QT_TRANSLATE_NOOP("copying", "numpy call"), numpy_call),
    "numbers": (QT_TRANSLATE_NOOP("copying", "Numbers, as in the cells"), element_list),
    "struct": (QT_TRANSLATE_NOOP("copying", "struct call"), struct_call),
    "torch": (QT_TRANSLATE_NOOP("copying", "torch call"), torch_call),
    "offset": (QT_TRANSLATE_NOOP("copying", "Offset"), offsets),
    "link": (QT_TRANSLATE_NOOP("copying", "Link to the bytes"), link),
}
"""Titles are English, marked for translation."""
OF_PLACE: Final = frozenset({"numpy", "torch", "offset", "link"})
"""Forms that tell where the bytes are: they need none of them, and one range."""
