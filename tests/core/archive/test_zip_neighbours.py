"""Several archives in one file: one is read as the file, and the others are told of."""

from __future__ import annotations

from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.opened import codes, opened, regions_tile
from viewer.core.document import Document
from viewer.core.tensors import window


def saved(number: int, count: int = 3) -> bytes:
    return torch_zip({"w": full("float32", (count,), [number] * count)})


def told(document: Document) -> list[tuple[str, int | None, float]]:
    """How each document lies in the file, its offset, and the number in its tensor."""
    for part in document.walk():
        regions_tile(part)
    return [(part.how, part.offset, float(window.read(part.tensors[0])[0])) for part in document.walk()]


def test_the_last_of_several_is_read_and_the_others_stand_in_front() -> None:
    one, two, three = saved(1, 1), saved(2, 20), saved(3, 300)
    document = opened(one + two + three)
    assert told(document) == [
        ("", 0, 3.0),
        ("archive in front", 0, 1.0),
        ("archive in front", len(one), 2.0),
    ]
    assert codes(document) == ["zip-prefix"]


def test_of_archives_of_one_size_the_first_is_read_as_torch_does() -> None:
    size = len(saved(1))
    document = opened(saved(1) + saved(2) + saved(3))
    assert told(document) == [("", 0, 1.0), ("archive behind", size, 2.0), ("archive behind", 2 * size, 3.0)]
    assert codes(document) == ["zip-two-directories"]
    assert all(codes(child) == [] for child in document.children)


def test_the_last_one_is_cut() -> None:
    one, two = saved(1), saved(2, 20)
    document = opened(one + two[: two.index(b"PK\x01\x02")])
    assert told(document) == [("", 0, 1.0), ("archive behind", len(one), 2.0)]
    assert codes(document) == ["zip-trailing"]
    assert codes(document.children[0]) == ["zip-directory-missing"]


def test_bytes_in_front_that_are_no_archive() -> None:
    document = opened(b"not a header" + saved(1))
    assert told(document) == [("", 0, 1.0)]
