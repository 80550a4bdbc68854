"""Of two files, or two branches of one, held against each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.case_checks.case import Case, Check, differs
from viewer.core.comparing.comparison import Comparison, Status, compare
from viewer.core.comparing.names import By, Rules
from viewer.core.comparing.sides import Part, sides_of
from viewer.core.document import Document
from viewer.core.progress import Progress


def _compared(
    first: Document, second: Document, rules: Rules, parts: tuple[Part, Part] = (Part(), Part())
) -> Comparison:
    return compare(*sides_of(first, second, parts, Progress()), rules, Progress())


def _compare(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    other = case.open(case.facts["also"][0])
    found = _compared(case.document, other, Rules())
    met = [row for row in found.rows if row.pair.a is not None and row.pair.b is not None]
    both: Any = [row.pair.name for row in met] if isinstance(stated["both"], list) else len(met)
    ours: dict[str, Any] = {
        "both": both,
        "shape_differs": [row.pair.name for row in met if row.status is Status.SHAPE],
        "identical": [row.pair.name for row in met if row.status is Status.EQUAL],
        "same_shape_other_bytes": [row.pair.name for row in met if row.status is Status.CHANGED],
    }
    if "by_order" in stated:
        suggested = found.suggestion
        if suggested is None or suggested.by is not By.ORDER or suggested.pairs != len(stated["by_order"]):
            yield f"the order is not suggested: {suggested}"
        pairs = _compared(case.document, other, Rules(by=By.ORDER)).rows
        ours["by_order"] = [[row.pair.name_a, row.pair.name_b] for row in pairs if row.status is not Status.SHAPE]
    yield from differs("compared", {key: ours[key] for key in stated if key in ours}, stated)


def _max_abs_diff(case: Case, stated: dict[str, float]) -> Iterator[str]:
    titles = list(case.facts["prefixes"])
    rules = Rules(tuple(prefix for prefix in case.facts["prefixes"].values() if prefix))
    found = _compared(case.document, case.document, rules, (Part(titles[0]), Part(titles[1])))
    ours = {row.pair.name: row.differences.largest for row in found.rows if row.differences is not None}
    yield from differs("names", list(ours), list(stated))
    for name, value in stated.items():
        # The facts were computed in float32, ours in float64.
        if ours.get(name) != pytest.approx(value, rel=1e-6):
            yield f"{name}: {ours.get(name)} is not {value}"


CHECKS: Final[dict[str, Check]] = {"compare": _compare, "max_abs_diff": _max_abs_diff}
