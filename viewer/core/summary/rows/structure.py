"""What a file is made of as one object of JSON: what `inspect --json` states by contract, and the tree of objects."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.summary.facts import each_root_key, root_type
from viewer.core.summary.import_facts import import_rows
from viewer.core.summary.rows.inspection import (
    document_row,
    file_rows,
    keys_of,
    path_of,
    pickle_row,
    pickles_in_order,
    problem_row,
    region_row,
    source_rows,
)
from viewer.core.summary.rows.json_texts import Stream
from viewer.core.summary.rows.objects import object_rows
from viewer.core.summary.rows.places import place_row
from viewer.core.summary.rows.tensors import tensor_rows

Row = dict[str, Any]


def structure(document: Document, encoding: str, progress: Progress) -> Row:
    """Everything but elements, ready for JSON; all that may be long is a stream. Streams raise CancelledError."""
    documents = list(document.walk())
    return {
        "file": {"path": path_of(document), "size": document.source.size},
        "format": document.format,
        "detail": document.detail,
        "written_by": document.written_by,
        "documents": Stream(lambda: map(document_row, documents)),
        "regions": Stream(lambda: map(region_row, document.regions)),
        "pickles": Stream(lambda: (pickle_row(*pair) for pair in pickles_in_order(documents))),
        "root": root_type(document.content, encoding or "utf-8"),
        "keys": Stream(lambda: key_texts(document, encoding, progress)),
        "metadata": Stream(lambda: chain.from_iterable(map(metadata_rows, documents))),
        "objects": Stream(lambda: object_rows(document, encoding, progress)),
        "tensors": Stream(lambda: progress.each(tensor_rows(document, hashes=False))),
        "sources": Stream(lambda: (row for part in documents for row in source_rows(part, progress))),
        "imports": Stream(
            lambda: (row for part in documents for row in import_rows(part, encoding, progress=progress))
        ),
        "problems": Stream(lambda: (problem_row(part, each) for part in documents for each in part.problems)),
        "files": file_rows(document),
    }


def key_texts(document: Document, encoding: str, progress: Progress) -> Iterator[str]:
    """The keys of the root, each once. They are not held where, as nearly always, none comes twice."""
    root, coding = document.content, encoding or "utf-8"
    hashes = array("q", (hash(key) for key in progress.each(each_root_key(root, coding))))
    if len(hashes) and len(hashes) == len(np.unique(np.asarray(hashes))):
        yield from each_root_key(root, coding)
    else:
        yield from keys_of(root, encoding)


def metadata_rows(document: Document) -> Iterator[Row]:
    """The texts that the container keeps beside the tensors."""
    for stated in document.metadata:
        place = place_row(document.source, stated.span)
        yield {"document": document.index, "key": stated.key, "value": stated.value, **place}
