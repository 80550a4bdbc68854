"""The end of the process where the screen is gone: nothing waits for what the ended call from Python still holds."""

from __future__ import annotations

import sys


def end_at_once() -> None:
    """Leave what is destroyed at the end of the process to the system, where the library of C can be told so.

    Xlib ends the process where the screen is gone, also in the middle of a call from Python. Qt then waits for its
    threads, which may wait for Python; and its bindings destroy objects that Python still uses, and may turn in that
    for good. Either is a program without a window that stays.

    What was asked for last comes first at the end, and Qt makes its threads when it first needs them: called again
    behind each step that may have made one.
    """
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    library = ctypes.CDLL(None)
    on_exit = getattr(library, "on_exit", None)  # of glibc; hands the code of the end over
    if on_exit is not None:
        on_exit(library["_exit"], None)
