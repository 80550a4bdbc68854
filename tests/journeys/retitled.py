"""The program in calls from Python that write to the screen, one after the other, as soon as its window is up.

`python -m tests.journeys.retitled` says `up` then. The connection of Xlib is found broken in the middle of such a call.
"""

from __future__ import annotations

import itertools
import sys

from PySide6.QtCore import QTimer
from typing_extensions import override

from viewer.ui import application


class Retitled(application.Program):
    """Writes a title after the other, without end."""

    @override
    def _go_on(self) -> None:
        super()._go_on()
        QTimer.singleShot(0, self._write)

    def _write(self) -> None:
        print("up", flush=True)
        for number in itertools.count():
            self.running.window.setWindowTitle(str(number))


if __name__ == "__main__":
    application.Program = Retitled
    sys.exit(application.run(sys.argv[1:]))
