"""The qtbot of these tests: its waits end when what they wait for comes, and fail only where it never does.

pytest-qt gives up after five seconds of the wall clock. A machine that is shared by many needs longer now and then, and
the clock of a virtual machine that was laid to rest leaps: how long a thing takes is for tests/bench to say.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from pytestqt.exceptions import TimeoutError as NeverCameError
from pytestqt.qtbot import QtBot
from typing_extensions import override

PATIENCE_MS: Final = 120_000


class PatientBot(QtBot):
    """As pytest-qt's, with one patience for all waits."""

    @override
    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        """Ask again until it is true, or nothing is asserted any more. The time of a machine at rest is not counted."""
        __tracebackhide__ = True
        end = time.monotonic() + timeout / 1000
        while True:
            refused: AssertionError | None = None
            try:
                answer = callback()
            except AssertionError as failure:
                answer, refused = False, failure
            if answer is None or answer is True:
                return
            if answer is not False:
                raise ValueError(f"True, False or None is expected, not {answer!r}")
            if time.monotonic() > end:
                raise NeverCameError(f"never came to be in {timeout} ms") from refused
            self.wait(10)

    @override
    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **more)

    @override
    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **more)

    @override
    def waitCallback(self, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        return super().waitCallback(timeout=timeout, **more)

    @override
    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:
        return super().waitExposed(widget, timeout=timeout)

    @override
    def waitActive(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:
        return super().waitActive(widget, timeout=timeout)
