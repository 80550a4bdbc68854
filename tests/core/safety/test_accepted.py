"""The dated table of the names that weights_only takes."""

from __future__ import annotations

import re

import pytest

from viewer.core.safety.accepted import accepted, is_accepted


def test_the_table_says_what_it_is_of() -> None:
    table = accepted()
    assert re.fullmatch(r"2\.\d+\.\d+", table.torch)
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", table.made)
    assert {"os", "posix", "nt", "sys"} <= table.blocked_modules
    assert len(table.names) > 140


@pytest.mark.parametrize(
    ("module", "name", "expected"),
    [
        ("collections", "OrderedDict", True),
        ("__builtin__", "set", True),
        ("torch.cuda.sparse", "FloatTensor", True),
        ("torch.storage", "FloatStorage", False),
        ("torch", "save", False),
        ("builtins", "eval", False),
    ],
)
def test_names(module: str, name: str, expected: bool) -> None:
    assert is_accepted(module, name) is expected
