"""Remarks on layouts and on the byte order of untyped storages, each by a file with that one trait."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from tests.builders.torch_values import Storage, full, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.opened import codes, opened
from viewer.core.formats.base import Options
from viewer.core.tensors.window import read


def test_untyped_storages_of_a_big_endian_archive() -> None:
    value = OrderedDict(
        wide=tensor(Storage("uint16", b"\0\1\0\2"), (2,)),
        narrow=tensor(Storage("float8_e5m2", b"\0\1"), (2,)),
        typed=full("float32", (1,), [0]),
    )
    document = opened(torch_zip(value, byteorder="big"))
    assert codes(document) == ["tensor-unswapped"]
    assert document.problems[0].params == {"count": 1, "names": "wide"}
    assert document.problems[0].span is not None
    assert read(document.tensors[0]).tolist() == [1, 2]
    assert codes(opened(torch_zip(value))) == []


def test_the_persons_choice_is_no_statement_of_the_archive() -> None:
    value = {"wide": tensor(Storage("uint16", b"\0\1\0\2"), (2,))}
    assert codes(opened(torch_zip(value), Options(byteorder="big"))) == []


@pytest.mark.parametrize("second", [{"b": 1}, tensor(storage("float32", [1, 2]), (9,), (1,))])
def test_nothing_is_said_of_unused_bytes_of_a_damaged_file(second: object) -> None:
    value = {"a": tensor(storage("float32", [1, 2, 3]), (2,), (1,)), "b": second}
    told = codes(opened(torch_zip(value)))
    assert ("storage-part-used" in told) == ("tensor-outside-storage" not in told)
