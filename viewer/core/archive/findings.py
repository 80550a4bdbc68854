"""Findings: the Problems of one reading, so that a file with a million faults does not make a million sentences."""

from __future__ import annotations

from collections import Counter
from typing import Final

from viewer.core.problem import Problem, note

SHOWN: Final = 100


class Findings:
    """Collects Problems, at most `SHOWN` of a code; how many more there were is a Problem of its own."""

    def __init__(self) -> None:
        self._kept: list[Problem] = []
        self._counts: Counter[str] = Counter()

    def add(self, problem: Problem) -> None:
        """Keep it, or only count it."""
        self._counts[problem.code] += 1
        if self._counts[problem.code] <= SHOWN:
            self._kept.append(problem)

    def problems(self) -> list[Problem]:
        """In the order of their finding; what was only counted comes last."""
        more = [
            note("more-of-a-kind", count=count - SHOWN, kind=code)
            for code, count in self._counts.items()
            if count > SHOWN
        ]
        return self._kept + more
