"""What there is to know of a text beside its letters: colours, hidden characters, names not found. For a thread."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.needed import Needed, needed_names
from viewer.core.code.python_text import Fault
from viewer.core.progress import Progress
from viewer.ui.widgets.code_colours import LONGEST_COLOURED, Tokens, tokens_of
from viewer.ui.widgets.code_text import Mark
from viewer.ui.widgets.hidden import Hidden, find_hidden, visible

MOST_MARKS: Final = 20_000
LONGEST_PARSED: Final = 100_000
"""Characters whose names are looked for: Python's parser lets no other thread run, and this takes it 50 ms."""
_LONE_RETURN: Final = re.compile(r"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Reading:
    """`tokens`: empty for texts that are too long to be coloured. `missing`: names in order; `marks`: their uses.

    `fault`: why the text cannot be read as Python; then no names are known.
    """

    tokens: Tokens = ()
    hidden: Hidden = field(default_factory=Hidden)
    missing: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    fault: Fault | None = None


def read_text(text: str, known: Container[str], progress: Progress) -> Reading:
    """Read a text. `known`: names that the other texts of the file give. Raises CancelledError."""
    hidden = find_hidden(text, progress)
    progress.check()
    tokens = tokens_of(visible(text)) if len(text) <= LONGEST_COLOURED else ()
    progress.check()
    needed = needed_names(text) if len(text) <= LONGEST_PARSED else Needed(error=Fault("too-large"))
    progress.check()
    missing = sorted((name for name in needed.names if name not in known), key=str.casefold)
    wanted = frozenset(missing)
    # A lone carriage return ends a line for Python, but not in the pane, which counts as the bytes do.
    uses = () if _LONE_RETURN.search(text) else needed.uses[:MOST_MARKS]
    marks = [Mark(use.line, use.column, use.length) for use in uses if use.length and use.name in wanted]
    return Reading(tokens, hidden, tuple(missing), tuple(sorted(marks)), needed.error)
