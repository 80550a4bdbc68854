"""A regular expression on bytes, whose work is bounded before it runs (see `search.wanted`)."""

from __future__ import annotations

import re
import warnings
from typing import ClassVar, Final

import numpy as np
from typing_extensions import override

from viewer.core.search.wanted import WantedError, letters_for
from viewer.core.search_bytes.base import Block, BlockQuery, Hits, QueryError

CLASSES: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)


class Expression(BlockQuery):
    """Hits do not share bytes. One is at most `reach` bytes long; a longer one is cut there."""

    overlap: ClassVar[bool] = False

    def __init__(self, pattern: re.Pattern[bytes], window: int) -> None:
        self.length = 0
        self.reach = window // 2
        self.block = window - self.reach
        self._pattern = pattern

    @override
    def find(self, data: Block, count: int, base: int, limit: int) -> Hits:
        del base
        spans = []
        for match in self._pattern.finditer(data, 0, count):
            if match.start() >= limit:
                break
            if match.end() > match.start():
                spans.append((match.start(), match.end() - match.start()))
        if not spans:
            return Hits()
        table = np.array(spans, np.int64)
        return Hits(table[:, 0], np.minimum(table[:, 1], self.reach).astype(np.uint32))


def expression_query(text: str, *, ignore_case: bool = False) -> BlockQuery:
    r"""An expression of ASCII letters, other bytes as `\x80`; a dot is any byte. Raises QueryError."""
    if not text:
        raise QueryError("empty")
    if not text.isascii():
        raise QueryError("ascii")
    if has_anchor(text):
        raise QueryError("anchors")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pattern = re.compile(text.encode(), re.DOTALL | (re.IGNORECASE if ignore_case else 0))
        return Expression(pattern, letters_for(text))
    except re.error as failure:
        raise QueryError("expression", reason=failure.msg, at=(failure.pos or 0) + 1) from failure
    except (OverflowError, RecursionError) as failure:
        raise QueryError("heavy") from failure
    except WantedError as failure:
        raise QueryError(failure.code, **failure.params) from failure


def has_anchor(text: str) -> bool:
    r"""True where `^`, `$`, `\b` and their kind stand outside a class: the borders of blocks would count as ends."""
    bare = CLASSES.sub(lambda match: match[0] if match[0] in (r"\A", r"\Z", r"\b", r"\B") else "", text)
    return re.search(r"[\^$]|\\[AZbB]", bare) is not None
