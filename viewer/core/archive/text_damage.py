"""Files that a program took for text and wrote anew: what was done to them shows in their first bytes.

A web client, a mail program or an editor does so. Nothing else in a binary file looks like it: bytes that are no
text make no valid UTF-8, and the names of a pickle have no carriage return.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from viewer.core.problem import Problem, error
from viewer.core.span import Span

HEAD: Final = 4096
REPLACEMENT: Final = "\ufffd"
ENOUGH: Final = 4
# PROTO and what follows it, its first byte as two of UTF-8: by latin-1, and by the code page 1252.
_PROTO: Final = re.compile(rb"(?:\xc2\x80|\xe2\x82\xac)[\x02-\x05][}\](c\x95\x8a]")
_NAMES: Final = re.compile(rb"c[A-Za-z_][\w.]*\r\n[A-Za-z_][\w.]*\r\n")
_CONTROL: Final = re.compile(r"[\0-\x06\x0e-\x1a]")


def is_replaced(head: bytes) -> bool:
    """True when bytes that are no text became U+FFFD, and so are lost."""
    text = _text(head)
    return text.count(REPLACEMENT) >= ENOUGH and _CONTROL.search(text) is not None


def archive_problem(head: bytes) -> Problem | None:
    """What a conversion of text did to an archive with a pickle; None where nothing shows."""
    place = Span(0, len(head))
    if is_replaced(head):
        return error("file-as-text-replaced", place)
    if _PROTO.search(head) and _text(head):
        return error("file-as-text-utf-8", place)
    return error("file-as-text-line-ends", place) if _NAMES.search(head) else None


def _text(head: bytes) -> str:
    """The bytes as UTF-8, "" where they are none. A character cut at the end does not matter."""
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return ""
