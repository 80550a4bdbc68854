"""All that is told of the space of a document, as one piece of work for a thread."""

from __future__ import annotations

from typing import Final

from viewer.core.collector import collector_paused
from viewer.core.document import Document
from viewer.core.errors import ViewerError
from viewer.core.export import EXPORTERS
from viewer.core.export.selection import Wanted
from viewer.core.progress import Progress
from viewer.core.space.account import account
from viewer.core.space.nodes import Nodes
from viewer.core.tensors.branches import branches_of

FORM: Final = "state_dict"
MOST_PLANNED: Final = 50_000
"""Tensors of which an export is planned only to say its size."""


def space_of(document: Document, progress: Progress) -> Nodes:
    """Where its bytes go. Raises CancelledError."""
    with collector_paused():
        found = account(document, progress)
        found.compact = compact_size(document, progress) if found.waste else None
        return Nodes(found, branches_of(document.tensors, progress), document.tensors)


def compact_size(document: Document, progress: Progress) -> int | None:
    """About the bytes of a state_dict with the elements in use and nothing else; None where it is not known."""
    if len(document.tensors) > MOST_PLANNED:
        return None
    exporter = next(one for one in EXPORTERS if one.form == FORM)
    wanted = Wanted(tensors=document.tensors, compact=True, progress=progress.silent())
    try:
        return exporter.plan(document, wanted).nbytes
    except ViewerError:
        return None
