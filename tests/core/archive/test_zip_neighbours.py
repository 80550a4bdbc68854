"""Several archives in one file: where those are that its readers do not see."""

from __future__ import annotations

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.opened import codes, opened, regions_tile
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.core.tensors import window


def saved(number: int, count: int = 3) -> bytes:
    return torch_zip({"w": full("float32", (count,), [number] * count)})


def archive(data: bytes) -> ZipArchive:
    return read_zip(MemorySource(data), Progress())


def test_the_last_of_several_is_read_and_the_others_stand_in_front() -> None:
    one, two, three = saved(1, 1), saved(2, 20), saved(3, 300)
    found = archive(one + two + three)
    middle = len(one) + len(two)
    assert found.neighbours() == ([Span(0, len(one)), Span(len(one), middle)], [])
    record = found.find("archive/data/0")
    assert record is not None
    assert record.size == 1200
    assert [problem.code for problem in found.problems] == ["zip-prefix"]


def test_of_archives_of_one_size_the_first_is_read_as_torch_does() -> None:
    size = len(saved(1))
    found = archive(saved(1) + saved(2) + saved(3))
    assert found.neighbours() == ([], [Span(size, 2 * size), Span(2 * size, 3 * size)])
    record = found.find("archive/data/0")
    assert record is not None
    assert record.source is not None
    assert record.source.read(0, 4) == b"\x00\x00\x80\x3f"
    assert [problem.code for problem in found.problems if problem.code != "zip-gap"] == ["zip-two-directories"]


def test_the_last_one_is_cut() -> None:
    one, two = saved(1), saved(2, 20)
    document = opened(one + two[: two.index(b"PK\x01\x02")])
    (child,) = document.children
    regions_tile(document)
    regions_tile(child)
    assert (child.how, child.offset, codes(child)) == ("archive behind", len(one), ["zip-directory-missing"])
    assert [float(window.read(part.tensors[0])[0]) for part in (document, child)] == [1.0, 2.0]
    assert "zip-trailing" in codes(document)


def test_bytes_in_front_that_are_no_archive() -> None:
    assert archive(b"not a header" + saved(1)).neighbours() == ([], [])
