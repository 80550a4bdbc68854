"""Texts of classes that come from outside the file: .py files that the person gave, torch's own installed texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from viewer.core.code.torch_text import TorchTexts
from viewer.late import late

if TYPE_CHECKING:
    from viewer.core.code.supplied import SuppliedFile, read_supplied
    from viewer.core.progress import Progress
    from viewer.session.jobs import Jobs
else:
    (read_supplied,) = late("viewer.core.code.supplied", "read_supplied")

SUPPLYING: Final = "supplied code"
FETCHING: Final = "torch texts"


class Code(QObject):
    """What is known of such texts in one session.

    changed: a text came or went.
        Signal()
    supplied_one: a file that the person gave can be used. `origin`: the pane that it was given to.
        Signal(file: SuppliedFile, origin: str)
    refused: a file that the person gave cannot be used.
        Signal(path: Path, failure: Exception, origin: str)
    fetched: torch answered, or could not be asked.
        Signal(texts: TorchTexts)
    """

    changed = Signal()
    supplied_one = Signal(object, str)
    refused = Signal(object, object, str)
    fetched = Signal(object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.supplied: tuple[SuppliedFile, ...] = ()
        self.torch = TorchTexts()
        self._wanted: dict[str, None] = {}

    def supply(self, path: Path, origin: str) -> None:
        """Read a .py file off the GUI thread; one that was given before is read anew.

        `origin`: the pane that the person gave it to, which tells what comes of it.
        """

        def work(progress: Progress) -> SuppliedFile:
            del progress
            return read_supplied(path)

        def done(file: SuppliedFile) -> None:
            self.supplied = (*(known for known in self.supplied if known.path != file.path), file)
            self.changed.emit()
            self.supplied_one.emit(file, origin)

        def failed(failure: Exception) -> None:
            self.refused.emit(path, failure, origin)

        self._jobs.start(f"{SUPPLYING} {path}", work, done, failed)

    def withdraw(self, path: Path) -> None:
        """Use a file no longer."""
        kept = tuple(file for file in self.supplied if file.path != path)
        if len(kept) != len(self.supplied):
            self.supplied = kept
            self.changed.emit()

    def fetch(self, names: Iterable[str]) -> None:
        """Ask the torch process for the texts of torch's own classes that are not here yet; `fetched` tells the end."""
        # A second question ends the job of the first: it asks for both.
        self._wanted |= {name: None for name in names if name not in self.torch.texts}
        wanted = list(self._wanted)

        def work(progress: Progress) -> TorchTexts:
            from viewer import torch_client

            return torch_client.torch_texts(wanted, progress)

        if wanted:
            self._jobs.start(FETCHING, work, self._fetched)
        else:
            self.fetched.emit(self.torch)

    def _fetched(self, found: TorchTexts) -> None:
        self._wanted.clear()
        self.torch = replace(found, texts={**self.torch.texts, **found.texts})
        self.fetched.emit(self.torch)
        if found.texts:
            self.changed.emit()
