"""Lines of a text as Python and editors count them: ended by LF, CR LF or CR, and by nothing else."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def lines_of(text: str, most: int | None = None) -> list[str]:
    """The lines with their ends, or the first of them; the last may have none. "" has no line."""
    if most is None:
        return _LINE.findall(text)
    return [found[0] for found in islice(_LINE.finditer(text), most)]


def split_end(line: str) -> tuple[str, str]:
    """A line without its end, and the end."""
    bare = line.rstrip("\r\n")
    return bare, line[len(bare) :]
