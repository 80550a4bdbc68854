"""Runs of the program on a screen, one after the other or side by side, with the same settings."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from tests.shared import ROOT
from viewer.session.open_lists import Left, OpenLists, read
from viewer.session.reopening import Reopening
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace

SAMPLES: Final = ROOT / "resources" / "samples"
NAMES: Final = ("checkpoint_adam.pt", "half_download.pth", "runs_a_command.pkl")


class Run:
    """One run of the program on a screen, with the same settings as the others."""

    def __init__(self, settings: Settings, screen: str = "") -> None:
        self.work = Workspace(settings)
        self.lists = OpenLists(settings, screen)
        self.keeping = Reopening(self.work, self.lists)

    def kill(self) -> None:
        """End it without a word: what it wrote stays, and the system gives its locks back."""
        self.keeping.hand_on()
        self.lists.folder.close()
        for lock in (self.lists._lock, *self.lists._taken.values()):
            if lock >= 0:
                os.close(lock)
        self.lists._lock = -1
        self.lists._taken.clear()


Start = Callable[..., Run]


def opened(work: Workspace) -> list[str]:
    return [str(session.path) for session in work.sessions]


def kept(run: Run) -> Left | None:
    """What stands on the disk of what a run has open."""
    run.lists.folder.settle()
    return read(run.lists.folder.read(f"{run.lists._name}.json", 1 << 20).decode())
