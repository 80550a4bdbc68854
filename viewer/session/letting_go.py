"""Giving back very many objects without holding the window: all at once they would keep other threads waiting."""

from __future__ import annotations

from itertools import count
from typing import Any, Final

from viewer.core.export.plan import Content, Plan
from viewer.core.progress import Progress
from viewer.session.jobs import Jobs

MANY: Final = 5_000
AT_ONCE: Final = 1_000
_numbers: Final = count()


def let_go(jobs: Jobs, held: Plan | Content | None, *tables: dict[str, Any]) -> None:
    """Free the tensors of a plan, or of what was chosen, that nobody needs any more, some at a time, in a job.

    `tables`: what else holds them, by name; they are emptied.
    """
    if held is None:
        return
    content = held.content if isinstance(held, Plan) else held
    items = held.items if isinstance(held, Plan) else ()
    if len(items) + len(content.entries) < MANY:
        return
    # a list each, so that nothing else of what is given back is held by the job itself
    waiting: list[list[Any]] = [[*items, *content.entries]]

    def work(progress: Progress) -> None:
        every = waiting.pop()
        for table in tables:
            while table and not progress.cancelled:
                for _ in range(min(AT_ONCE, len(table))):
                    table.popitem()
        while every:
            del every[-AT_ONCE:]
            if progress.cancelled:
                break

    jobs.start(f"letting go {next(_numbers)}", work, lambda _: None)
