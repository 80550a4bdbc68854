"""A hand on the mouse that drags as people do: slow enough for two programs to agree, and once more if it slips.

A file manager lists a folder after its window has come, starts a drag when it gets round to the steps of the mouse, and
asks the window below by messages. Each of these is waited for by what can be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import pytest

from tests.desktop import PATIENCE, Desktop, comes, wait_until

ICON: Final = ("205", "98")
"""The first file in pcmanfm's window as it opens: below the bars, right of the places."""
REACH: Final = 24
"""Half of the square round a place that is looked at, in pixels."""
TRIES: Final = 5
FULL_OF_COLOURS: Final = 8
"""An icon has more; the empty ground has one."""


def wait_for_icon(desktop: Desktop, window: str) -> None:
    """Until the file manager shows its first file."""
    x, y = corner(desktop, window)
    at = (x + int(ICON[0]), y + int(ICON[1]))
    wait_until(lambda: _colours(desktop, at) > FULL_OF_COLOURS, "the folder showed no file")


def drag_icon(desktop: Desktop, window: str, way: Sequence[tuple[int, int]], offered: Callable[[], bool]) -> None:
    """Take the first icon of the window along the way over the screen; let it fall once that is offered below."""
    wait_for_icon(desktop, window)
    for _ in range(TRIES):
        desktop.xdotool("mousemove", "--sync", "--window", window, *ICON)
        desktop.xdotool("mousedown", "1")
        for x, y in way:
            desktop.xdotool("mousemove", "--sync", str(x), str(y))
        taken = comes(lambda: _hovers(desktop, offered), PATIENCE / TRIES)
        # The file manager hears of the offer by a message: it has heard of it when it is asked for the next steps.
        taken = taken and _hovers(desktop, offered) and _hovers(desktop, offered)
        desktop.xdotool("mouseup", "1")
        if taken:
            return
    pytest.fail("nothing was offered to what was dragged over the window", pytrace=False)


def corner(desktop: Desktop, window: str) -> tuple[int, int]:
    """Where the window's inside begins on the screen."""
    told = dict(
        line.split("=", 1)
        for line in desktop.xdotool("getwindowgeometry", "--shell", window).splitlines()
        if "=" in line
    )
    return int(told["X"]), int(told["Y"])


def _hovers(desktop: Desktop, seen: Callable[[], bool]) -> bool:
    for step in ("3", "-3"):
        desktop.xdotool("mousemove_relative", "--sync", "--", step, step)
    return seen()


def _colours(desktop: Desktop, at: tuple[int, int]) -> int:
    """How many there are in the square round a place of the screen."""
    area = f"{2 * REACH}x{2 * REACH}+{max(0, at[0] - REACH)}+{max(0, at[1] - REACH)}"
    told = desktop.tell("convert", "x:root", "-crop", area, "+repage", "-format", "%k", "info:")
    return int(told or 0)
