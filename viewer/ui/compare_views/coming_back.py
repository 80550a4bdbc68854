"""What a comparison was, as it is kept between two openings of a file; it begins again once the other file is open."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from viewer.core.comparing.names import By, Rules
from viewer.session.comparing import PLAIN, Comparing
from viewer.session.session import Session


@dataclass(frozen=True, slots=True)
class Wanted:
    """The comparison that was. `path`: of the other file, the same for two branches of one; `roots`: of A and of B."""

    path: str
    roots: tuple[str, str] = ("", "")
    rules: Rules = PLAIN
    swapped: bool = False

    @classmethod
    def of(cls, comparing: Comparing) -> Wanted | None:
        """What is compared now."""
        if comparing.other is None:
            return None
        first, second = comparing.parts
        path = str(comparing.other.path.absolute())
        return cls(path, (first.root, second.root), comparing.rules, comparing.swapped)

    @classmethod
    def kept(cls, row: Mapping[str, Any]) -> Wanted | None:
        """What was kept; None where that is nothing, or makes no sense."""
        try:
            first, second = map(str, row["roots"])
            renames = tuple((str(old), str(new)) for old, new in row["rename"])
            rules = Rules(tuple(map(str, row["strip"])), renames, By(row["by"]))
            return cls(str(row["with"]), (first, second), rules, row["swapped"] is True)
        except (KeyError, TypeError, ValueError):
            return None

    def row(self) -> dict[str, Any]:
        """As it is kept."""
        strip, rename = list(self.rules.strip), [list(pair) for pair in self.rules.rename]
        facts = {"roots": list(self.roots), "strip": strip, "rename": rename, "by": self.rules.by.value}
        return {"with": self.path, "swapped": self.swapped, **facts}

    def other(self, sessions: Sequence[Session]) -> Session | None:
        """The session of the other file, None while it is not open."""
        name = os.path.realpath(self.path)
        return next((one for one in sessions if os.path.realpath(one.path) == name), None)

    def begin(self, comparing: Comparing, other: Session) -> None:
        """Compare as before."""
        first, second = self.roots
        comparing.compare_with(other, (second, first) if self.swapped else (first, second), self.rules)
        if self.swapped:
            comparing.swap()
