"""npy and npz: orders, types, Python objects, damage."""

from __future__ import annotations

import io
import pickle
import struct

import numpy as np
import pytest

from tests.builders.arrays import floats, member, npy, npz
from tests.builders.values import dumps
from tests.builders.zips import Member, plain_zip
from tests.opened import codes, opened, regions_tile
from viewer.core.document import Document
from viewer.core.span import Span


def facts(document: Document) -> list[tuple[object, ...]]:
    return [(t.path, t.name, t.kind, t.dtype, t.shape, t.stride) for t in document.tensors]


def test_one_array() -> None:
    document = opened(floats([1, 2, 3, 4, 5, 6], (2, 3)))
    assert document.format == "npy"
    assert facts(document) == [((), None, "array", "float32", (2, 3), (3, 1))]
    stored = document.tensors[0].storage
    assert stored is not None
    assert stored.span == Span(128, 152)
    assert [(region.kind, region.label) for region in document.regions] == [("npy-header", ""), ("storage", "float32")]
    assert document.problems == []
    assert document.byteorder == "little"


def test_column_major_and_big_endian() -> None:
    array = np.asfortranarray(np.arange(6, dtype=">i4").reshape(2, 3))
    document = opened(npy(array.tobytes("F"), (2, 3), ">i4", fortran=True))
    assert facts(document) == [((), None, "array", "int32", (2, 3), (1, 2))]
    assert document.byteorder == "big"
    assert document.tensors[0].numpy_dtype == ">i4"


@pytest.mark.parametrize(
    ("descr", "name", "size"),
    [
        ("<M8[s]", "datetime64[s]", 8),
        ("|b1", "bool", 1),
        ("<c16", "complex128", 16),
        ("<U2", "str64", 8),
        ([("i", "<i4"), ("s", "|S2")], "[('i', '<i4'), ('s', '|S2')]", 6),
    ],
)
def test_types(descr: object, name: str, size: int) -> None:
    document = opened(npy(bytes(3 * size), (3,), descr))
    assert [(t.dtype, t.shape) for t in document.tensors] == [(name, (3,))]
    assert document.problems == []


@pytest.mark.parametrize(("descr", "size"), [("<V2", 2), ("|V1", 1), ("|V16", 16)])
def test_types_that_numpy_cannot_name(descr: str, size: int) -> None:
    document = opened(npy(bytes(3 * size), (3,), descr))
    assert document.tensors[0].dtype == f"void{8 * size}"
    (problem,) = document.problems
    assert (problem.code, problem.severity, problem.span) == ("npy-type-lost", "note", Span(0, 128))
    assert problem.params == {"dtype": f"|V{size}", "size": size}


def test_many_arrays_with_one_fault() -> None:
    members = [Member(f"a{row}.npy", npy(b"ab", (1,), "<V2")) for row in range(300)]
    document = opened(plain_zip(members))
    assert codes(document) == ["npy-type-lost"] * 100 + ["more-of-a-kind"]
    assert document.problems[-1].params == {"count": 200, "kind": "npy-type-lost"}


def test_a_cut_array() -> None:
    document = opened(floats([1, 2, 3])[:-5])
    assert codes(document) == ["npy-data-cut"]
    stored = document.tensors[0].storage
    assert stored is not None
    assert (stored.available, stored.nbytes) == (7, 12)
    assert stored.span == Span(128, 140)
    regions_tile(document)


def test_bytes_behind_the_array() -> None:
    document = opened(floats([1]) + b"12345")
    assert codes(document) == ["npy-trailing"]
    assert document.problems[0].params["count"] == 5
    regions_tile(document)


def test_another_file_behind_the_array() -> None:
    first, then = floats([1, 2]), dumps({"k": 1})
    document = opened(first + then)
    assert document.problems == []
    assert [(child.how, child.format, child.offset) for child in document.children] == [
        ("after the array", "pickle", len(first))
    ]
    regions_tile(document)


def test_several_arrays() -> None:
    first = floats([1, 2])
    document = opened(first + floats([3]) + floats([4]))
    assert [(child.how, child.offset) for child in document.children] == [
        ("next array", len(first)),
        ("next array", len(first) + 132),
    ]
    assert [region.kind for region in document.regions] == ["npy-header", "storage"] * 3
    stored = document.children[1].tensors[0].storage
    assert stored is not None
    assert stored.source is not None
    assert stored.source.read(0, 4) == struct.pack("<f", 4)


def test_an_array_of_objects_holds_a_pickle() -> None:
    document = opened(npy(dumps(["a", 1], 4), (2,), "|O"))
    assert document.tensors == []
    assert [(child.format, child.how, child.offset) for child in document.children] == [("pickle", "objects", 128)]
    assert [region.kind for region in document.regions] == ["npy-header", "pickle"]
    assert document.problems == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (npy(b"", (1,), version=(9, 0)), "npy-version"),
        (npy(b"", (1,), header="{'descr': oops}"), "npy-header-broken"),
        (floats([1])[:40], "npy-header-cut"),
        (npy(b"", (1,), descr="<f77"), "npy-dtype"),
    ],
)
def test_headers_that_cannot_be_read(data: bytes, code: str) -> None:
    document = opened(data)
    assert document.format == "npy"
    assert codes(document) == [code]
    regions_tile(document)


@pytest.mark.parametrize("deflated", [False, True])
def test_npz(deflated: bool) -> None:
    arrays = {"a": floats([1, 2]), "sub/b": npy(bytes(4), (4,), "|b1"), "empty": floats([])}
    document = opened(npz(arrays, deflated))
    assert document.format == "npz"
    assert facts(document) == [
        (("a",), "a", "array", "float32", (2,), (1,)),
        (("sub/b",), "sub/b", "array", "bool", (4,), (1,)),
        (("empty",), "empty", "array", "float32", (0,), (1,)),
    ]
    stored = document.tensors[0].storage
    assert stored is not None
    assert stored.source is not None
    assert stored.source.read(0, 8) == struct.pack("<2f", 1, 2)
    assert (stored.span is None) == deflated
    assert (stored.key, stored.record) == ("a", "a.npy")
    assert document.problems == []
    regions_tile(document)


def test_what_numpy_writes() -> None:
    written = io.BytesIO()
    np.savez(written, x=np.arange(3), y=np.zeros((2, 2), order="F"))
    document = opened(written.getvalue())
    assert [(t.name, t.dtype, t.shape) for t in document.tensors] == [("x", "int64", (3,)), ("y", "float64", (2, 2))]
    assert [region.kind for region in document.regions].count("storage") == 2


def test_other_members_of_an_npz() -> None:
    body, entries = b"", b""
    members = {
        "a.npy": floats([1]),
        "o.npy": npy(pickle.dumps([None]), (1,), "|O"),
        "m.pkl": dumps({"x": 1}),
        "t.txt": b"hi",
    }
    for name, data in members.items():
        local, entry = member(name, data, False, len(body))
        body, entries = body + local, entries + entry
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 4, 4, len(entries), len(body), 0)
    document = opened(body + entries + end)
    assert [(child.how, child.format) for child in document.children if child.format == "pickle"] == [
        ("objects of o.npy", "pickle"),
        *[("record m.pkl", "pickle") for child in document.children if child.how == "record m.pkl"],
    ]
    regions_tile(document)


def test_cut_anywhere_opens_and_tiles() -> None:
    for data in (
        floats([1, 2, 3]),
        npz({"a": floats([1, 2]), "b": floats([3])}),
        npz({"a": floats([1])}, deflated=True),
    ):
        for length in range(len(data)):
            document = opened(data[:length])
            regions_tile(document)
            assert any(problem.severity == "error" for part in document.walk() for problem in part.problems), length
