"""What the panes of a file are alarmed by: a bar tells it while no pane in front does."""

from __future__ import annotations

from collections.abc import Callable


class Alarms:
    """`tell(title, sentence)`: show it in a bar; empty words take the bar away."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell
        self._alarm: tuple[str, str] | None = None
        self._barred = False

    def set(self, title: str, sentence: str) -> None:
        """A pane is alarmed by something else; empty words: by nothing."""
        self._alarm, self._barred = (title, sentence), False

    def settle(self, *, told: bool) -> None:
        """Once it can be seen which panes are in front. `told`: one of them says it."""
        if self._alarm is None:
            return
        if told or not self._barred:
            self._tell(*(("", "") if told else self._alarm))
        self._barred = True
        self._alarm = None if told else self._alarm
