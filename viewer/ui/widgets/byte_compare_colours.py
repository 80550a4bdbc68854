"""What the bytes of a comparison are: colours and words of parts of files, in views that count from their start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject

from viewer.core.progress import Progress
from viewer.ui.hexview.marks import RegionRuns
from viewer.ui.models.byte_regions import ByteRegions, owner_text
from viewer.ui.words import hexadecimal

if TYPE_CHECKING:
    from viewer.session.byte_comparing import Part
    from viewer.session.session import Session
    from viewer.ui.hexview.content import Regions
    from viewer.ui.hexview.view import HexView

COLOURS: Final = "colours of the other bytes"
FEW: Final = 2000


class PartColours(QObject):
    """Colours the views of one comparison: at once for few parts of a file, in a job for many."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session

    def begin(self, views: Sequence[tuple[HexView, Part]]) -> None:
        """Give these views the colours of what they show; those that were waited for before come no more."""
        self.stop()
        known = [(view, part, part.session.document) for view, part in views]

        def work(_: Progress) -> list[tuple[HexView, Regions]]:
            return [
                (view, moved(ByteRegions(document, part.place), part.span.start))
                for view, part, document in known
                if document is not None
            ]

        documents = [document for _, _, document in known if document is not None]
        if all(max(len(document.tensors), len(document.records)) <= FEW for document in documents):
            self._wear(work(Progress()))
        else:
            self._session.jobs.start(COLOURS, work, self._wear)

    def stop(self) -> None:
        """Wait for nothing."""
        self._session.jobs.cancel(COLOURS)

    def _wear(self, found: Iterable[tuple[HexView, Regions]]) -> None:
        for view, regions in found:
            view.set_regions(regions)


def moved(regions: ByteRegions, start: int) -> Regions:
    """The regions of a part that begins at an offset, counted from there."""
    if not start:
        return regions

    def inside(first: int, last: int) -> RegionRuns:
        runs = regions(first + start, last + start)
        return RegionRuns(np.maximum(runs.starts - start, 0), runs.stops - start, runs.kinds, runs.roles)

    return inside


def described(part: Part | None, offset: int, full: bool) -> str:
    """What owns a byte of a part, in words; with its offset in the file where all is to be told."""
    document = part.session.document if part is not None else None
    if part is None or document is None:
        return ""
    words = owner_text(document, part.span.start + offset, part.place)
    return f"{words}\n0x{hexadecimal(part.span.start + offset)}" if full else words
