"""Records that would unpack to more than is allowed: named with their size, the limit and the ratio."""

from __future__ import annotations

import gzip

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.opened import codes, opened
from viewer.core.formats.base import Options
from viewer.core.problem import Severity

DATA = torch_zip({"w": full("float32", (2_000,), [0] * 2_000)}, deflated=True)


def test_a_record_beyond_the_limit_is_named() -> None:
    document = opened(DATA, Options(most_unpacked=4_000))
    found = next(problem for problem in document.problems if problem.code == "inflate-limit")
    assert found.severity is Severity.ERROR
    assert (found.params["name"], found.params["size"], found.params["limit"]) == ("archive/data/0", 8_000, 4_000)
    assert found.params["count"] == 1
    assert found.params["ratio"] == f"{8_000 / found.span.length:.1f}"
    assert "would unpack to 8,000 bytes" in found.text
    assert "--max-unpacked" in found.text


def test_within_the_limit_nothing_is_said() -> None:
    assert "inflate-limit" not in codes(opened(DATA, Options(most_unpacked=8_000)))
    assert "inflate-limit" not in codes(opened(DATA))


def test_a_compressed_file_tells_the_ratio() -> None:
    data = gzip.compress(bytes(100_000))
    document = opened(data, Options(most_unpacked=50_000))
    found = next(problem for problem in document.problems if problem.code == "unpack-limit")
    assert found.params == {"limit": 50_000, "ratio": f"{50_000 / len(data):.1f}"}
    assert "for each compressed one" in found.text
