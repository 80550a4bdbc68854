"""What stands beside the cases of ../shared, key by key: a check a key, and one a kind.

A check takes a case and what its key states, and gives a line for each thing that is not so. To add one, write it in
the module it belongs to and list it there; test_cases_by_key fails for a key or a kind without a check, and for a
check that says nothing when what is stated is made wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.case_checks import comparing, exporting, files, kinds, loading, meaning, reading
from tests.case_checks.case import Check

CHECKS: Final[Mapping[str, Check]] = {
    **files.CHECKS,
    **reading.CHECKS,
    **meaning.CHECKS,
    **loading.CHECKS,
    **exporting.CHECKS,
    **comparing.CHECKS,
}
KINDS: Final = kinds.KINDS
