"""Giving back very many objects without holding the window: all at once they would keep other threads waiting."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Final

from viewer.core.export.plan import Content, Plan
from viewer.core.progress import Progress
from viewer.session.jobs import Jobs

MANY: Final = 5_000
AT_ONCE: Final = 1_000
_numbers: Final = count()


def let_go(jobs: Jobs, held: Plan | Content | None, *tables: dict[str, Any] | Sequence[Any]) -> None:
    """Free all of a plan, or of what was chosen, that nobody needs any more, some at a time, in a job.

    `tables`: what else holds it; those by name are emptied.
    """
    # the sequences alone, so that nothing else of what is given back is held by the job itself
    waiting: list[Any] = [*held_by(held), *tables]
    if sum(map(len, waiting)) < MANY:
        return

    def work(progress: Progress) -> None:
        while waiting and not progress.cancelled:
            table = waiting.pop()
            if not isinstance(table, dict):
                table = list(table)
            empty(table, progress)

    jobs.start(f"letting go {next(_numbers)}", work, lambda _: None)


def empty(table: dict[str, Any] | list[Any], progress: Progress) -> None:
    """Take everything out, some at a time."""
    while table and not progress.cancelled:
        if isinstance(table, list):
            del table[-AT_ONCE:]
            continue
        for _ in range(min(AT_ONCE, len(table))):
            table.popitem()


def held_by(held: Plan | Content | None) -> list[Sequence[object]]:
    """Everything of which there may be one for each tensor."""
    if held is None:
        return []
    content = held.content if isinstance(held, Plan) else held
    found: list[Sequence[object]] = [content.entries, content.asked, content.order]
    if isinstance(held, Plan):
        found += [held.items, held.converted, held.renamed, held.dropped]
    return found
