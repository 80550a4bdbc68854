"""Remarks on a file as a whole: what shows only when all of it was read.

To add one: a function in a file of this folder that takes a document and gives Problems, a line in the tuple, the
sentence in `wording.remarks`, a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from viewer.core.document import Document
from viewer.core.problem import Problem
from viewer.core.summary.remarks.byte_order import byte_order
from viewer.core.summary.remarks.contents import emptiness, foreign_pickle
from viewer.core.summary.remarks.layouts import storage_uses, unswapped
from viewer.core.summary.remarks.limits import packed_records
from viewer.core.summary.remarks.names import misleading_name
from viewer.core.summary.remarks.streams import code_objects, extensions
from viewer.core.tensors.many import ManyTensors

REMARKS: Final[tuple[Callable[[Document], Iterable[Problem]], ...]] = (
    emptiness,
    packed_records,
    byte_order,
    foreign_pickle,
    code_objects,
    extensions,
    storage_uses,
    unswapped,
)


def add_remarks(document: Document, path: Path | None, byteorder: str | None) -> None:
    """Add what is to be said of a document and of all inside it. `byteorder`: the person's choice."""
    for part in document.walk():
        # What is made one by one when it is looked at was held against its own rules, and the tensors of a set of files
        # are looked at in its files.
        for remark in () if part.files or isinstance(part.tensors, ManyTensors) else REMARKS:
            if remark is not byte_order or byteorder is None:
                part.problems += remark(part)
    if path is not None:
        document.problems += misleading_name(document, path)
