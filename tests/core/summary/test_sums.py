"""The work that goes beyond opening: checksums, and the values of large tensors."""

from __future__ import annotations

from tests.builders.legacy import legacy
from tests.builders.torch_values import Storage, full, tensor
from tests.builders.torch_zip import torch_zip
from tests.opened import codes, opened
from viewer.core.progress import Progress
from viewer.core.summary.sums import check_document_sums, has_sums, sums_size

COUNT = 1024 * 1024 + 1
ODD = {"flags": tensor(Storage("bool", bytes([2]) * COUNT), (COUNT,))}


def test_a_file_without_checksums_and_large_tensors_needs_no_work() -> None:
    document = opened(legacy({"a": full("float32", (2,), [1, 2])}))
    assert (has_sums(document), sums_size(document)) == (False, 0)
    assert check_document_sums(document, Progress()).problems == ()


def test_large_booleans_of_a_legacy_stream() -> None:
    document = opened(legacy(ODD))
    assert codes(document) == []
    assert sums_size(document) == COUNT
    (problem,) = check_document_sums(document, Progress()).problems
    assert (problem.code, problem.params["name"], problem.params["count"]) == ("tensor-bool-bytes", "flags", COUNT)


def test_large_booleans_of_a_zip() -> None:
    document = opened(torch_zip(ODD))
    assert codes(document) == []
    sums = check_document_sums(document, Progress())
    assert sums.good == len(document.records)
    assert [problem.code for problem in sums.problems] == ["tensor-bool-bytes"]
