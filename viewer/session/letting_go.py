"""Giving back very many objects without holding the window: all at once they would keep other threads waiting."""

from __future__ import annotations

from itertools import count
from typing import Any, Final

from viewer.core.export.plan import Plan
from viewer.core.progress import Progress
from viewer.session.jobs import Jobs

MANY: Final = 5_000
AT_ONCE: Final = 1_000
_numbers: Final = count()


def let_go(jobs: Jobs, plan: Plan | None) -> None:
    """Free the tensors of a plan that nobody needs any more, some at a time, in a job."""
    if plan is None or len(plan.items) + len(plan.content.entries) < MANY:
        return
    plans = [plan]

    def work(progress: Progress) -> None:
        held: list[Any] = [*plans[0].items, *plans[0].content.entries]
        plans.clear()
        while held:
            del held[-AT_ONCE:]
            if progress.cancelled:
                break

    jobs.start(f"letting go {next(_numbers)}", work, lambda _: None)
