"""The account of the bytes as JSON: a row for each document whose tensors are counted, the sums by head."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.space.account import account


def space_rows(document: Document) -> Iterator[dict[str, Any]]:
    """`heads`: bytes by what they are, whose sum is `size`; `missing`: declared and not there, in no sum."""
    for part in document.holders():
        found = account(part, Progress())
        yield {
            "document": part.index,
            "size": found.size,
            "heads": {str(what): nbytes for what, nbytes in found.sums.items()},
            "missing": found.missing,
            "saved_by_sharing": found.saved,
            "exact": found.exact,
        }
