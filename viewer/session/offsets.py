"""Offsets as people write them: hexadecimal, decimal, with units, from here, from the end, by name, sums of these."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from viewer.core.span import Span

NUMBER: Final = re.compile(
    r"0[xX](?P<hex>[0-9A-Fa-f_]+)|0[oO](?P<octal>[0-7_]+)|(?P<suffixed>[0-9A-Fa-f_]+)[hH]|(?P<plain>[0-9A-Fa-f_,]+)"
)
UNITS: Final = {
    unit: base**power
    for base, mark in ((1000, ""), (1024, "i"))
    for power, letter in enumerate("kmgt", 1)
    for unit in (f"{letter}{mark}", f"{letter}{mark}b")
}
TOKEN: Final = re.compile(
    r"""\s*(?:(?P<end>end)(?![^\s+*-])|@(?:"(?P<quoted>(?:[^"]|"")*)"|(?P<name>\S*))
    |(?P<number>0x[0-9a-f_]+|0o[0-7_]+|[0-9a-f_,]+h?)(?:\s?(?P<unit>[kmgt]i?b?)\b)?|(?P<sign>[-+*]))\s*""",
    re.IGNORECASE | re.VERBOSE,
)
PADDED: Final = re.compile(r"0[0-9]+")
DUMPED: Final = 8
"""Digits from which on a number with zeros before it is one of a dump, which writes hexadecimal offsets so."""
Names = Callable[[str], int | None]
"""Where something of a name begins; None where nothing has it."""
LARGEST: Final = 2**63 - 1
LONGEST: Final = 20
TARGET: Final = re.compile(
    r"(?P<path>.+)#(?P<offset>0[xX][0-9A-Fa-f]+|[0-9]+)(?:\+(?P<length>0[xX][0-9A-Fa-f]+|[0-9]+))?", re.DOTALL
)


class OffsetError(ValueError):
    """No offset: `code` says why (empty, not-a-number, no-such-name, beyond-end, before-start, unfinished)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def parse_number(text: str) -> int:
    """One number: `0x1F4`, `1F4h`, `0o764`, or digits: decimal, hexadecimal when A to F is among them.

    Raises OffsetError.
    """
    match = NUMBER.fullmatch(text)
    if match is None:
        raise OffsetError("not-a-number")
    hexadecimal = match["hex"] or match["suffixed"]
    digits = (hexadecimal or match["octal"] or match["plain"]).replace("_", "").replace(",", "")
    if not digits or len(digits) > (22 if match["octal"] else LONGEST):
        raise OffsetError("not-a-number")
    if match["octal"]:
        return int(digits, 8)
    return int(digits, 10 if hexadecimal is None and digits.isdecimal() else 16)


def padded_base(digits: str) -> int | None:
    """The base of a number that is typed with a zero before it; None for all others, and where it is decimal.

    As people expect: 00000010 is pasted from a dump and hexadecimal, as 0000001F beside it is; 0764 is octal, as in C,
    Python 2, od and other hex editors. Addresses of files and commands keep to decimal: nobody sees how they are read.
    """
    if not PADDED.fullmatch(digits):
        return None
    if len(digits) >= DUMPED:
        return 16
    return 8 if not set(digits) & {"8", "9"} else None


def padded(text: str) -> list[tuple[str, int]]:
    """The numbers of an expression that have zeros before them and are not decimal for it, with their bases."""
    found, at = [], 0
    text = text.strip()
    while (match := TOKEN.match(text, at)) is not None and match.end() > at:
        at = match.end()
        base = padded_base(match["number"]) if match["number"] and not match["unit"] else None
        if base is not None:
            found.append((match["number"], base))
    return found


def parse_offset(text: str, here: int, size: int, names: Names | None = None) -> int:
    """The offset that an expression names, in a file of `size` bytes. Raises OffsetError.

    Terms are numbers (`4k` 4,000, `4Ki` 4,096), `end` and `@name` or `@"a name"` (`""` stands for a quote in it),
    joined by + - *; zeros before a number without a unit tell its base (`padded_base`). An expression
    that begins with + or - counts from `here`.
    """
    if not text.strip():
        raise OffsetError("empty")
    tokens = list(_tokens(text.strip(), size, names or (lambda _: None)))
    total = here if tokens[0] in ("+", "-") else 0
    if tokens[0] not in ("+", "-"):
        tokens.insert(0, "+")
    if len(tokens) % 2:
        raise OffsetError("unfinished")
    product, sign = 0, 1
    for operator, term in zip(tokens[::2], tokens[1::2], strict=True):
        if isinstance(term, str) or isinstance(operator, int):
            raise OffsetError("unfinished")
        if operator == "*":
            product *= term
            continue
        total += sign * product
        sign, product = (1 if operator == "+" else -1), term
    return _inside(total + sign * product, size)


def reference(name: str) -> str:
    """What is typed for the place of a name: `@fc.weight`, or `@"a name"` where it holds spaces or quotes."""
    if name and not any(sign.isspace() or sign == '"' for sign in name):
        return f"@{name}"
    doubled = name.replace('"', '""')
    return f'@"{doubled}"'


def _tokens(text: str, size: int, names: Names) -> list[int | str]:
    """Signs as text, terms as ints."""
    found: list[int | str] = []
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise OffsetError("not-a-number")
        at = match.end()
        if match["end"]:
            found.append(size)
        elif match["quoted"] is not None:
            found.append(_named(match["quoted"].replace('""', '"'), names))
        elif match["name"] is not None:
            length, value = _longest_name(match["name"], names)
            found.append(value)
            at = match.start("name") + length
        elif match["number"]:
            found.append(_typed(match["number"], match["unit"] or ""))
        else:
            found.append(match["sign"])
    return found


def _typed(number: str, unit: str) -> int:
    base = padded_base(number) if not unit else None
    if base is not None and len(number) <= LONGEST:
        return int(number, base)
    factor: int = UNITS.get(unit.lower(), 1)
    return parse_number(number) * factor


def _named(name: str, names: Names) -> int:
    value = names(name)
    if value is None:
        raise OffsetError("no-such-name")
    return value


def _longest_name(text: str, names: Names) -> tuple[int, int]:
    """Names may hold signs themselves: the whole text first, then what stands before each of its signs."""
    for stop in (len(text), *(at for at in range(len(text) - 1, 0, -1) if text[at] in "+-*")):
        value = names(text[:stop])
        if value is not None:
            return stop, value
    raise OffsetError("no-such-name")


def _inside(offset: int, size: int) -> int:
    if offset < 0:
        raise OffsetError("before-start")
    if offset >= max(1, size):
        raise OffsetError("beyond-end")
    return offset


@dataclass(frozen=True, slots=True)
class Target:
    """A file, and the bytes of it to select first."""

    path: Path
    span: Span | None = None


def parse_target(text: str) -> Target:
    """`FILE[#OFFSET[+LENGTH]]` or a file: address. A file whose own name looks like that is taken as it is."""
    if text.startswith("file:"):
        text = _local(text)
    match = TARGET.fullmatch(text)
    if match is None or os.path.lexists(text):
        return Target(Path(text))
    try:
        start = parse_number(match["offset"])
        length = parse_number(match["length"]) if match["length"] else 1
    except OffsetError:
        return Target(Path(text))
    if start > LARGEST or length > LARGEST - start:
        return Target(Path(match["path"]))
    return Target(Path(match["path"]), Span(start, start + length))


def _local(address: str) -> str:
    parts = urlsplit(address)
    path = unquote(parts.path, errors="surrogateescape")
    if os.name == "nt":
        path = path.lstrip("/")
    return f"{path}#{parts.fragment}" if parts.fragment else path
