"""Lines of a text as Python and editors count them: ended by LF, CR LF or CR, and by nothing else."""

from __future__ import annotations

import re
from typing import Final

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def lines_of(text: str) -> list[str]:
    """The lines with their ends; the last may have none. "" has no line."""
    return _LINE.findall(text)


def split_end(line: str) -> tuple[str, str]:
    """A line without its end, and the end."""
    bare = line.rstrip("\r\n")
    return bare, line[len(bare) :]
