"""safetensors: every type, every byte of the header with its owner, and each rule that a file can break."""

from __future__ import annotations

import json
import struct
from typing import Final

import pytest

from tests.builders.safetensors import entry, safetensors
from tests.opened import codes, opened, regions_tile
from viewer.core.document import Document
from viewer.core.formats.base import Options
from viewer.core.progress import Progress
from viewer.core.span import Region, Span
from viewer.core.tensors import window
from viewer.core.tensors.safetensors_header import read_header

TWO: Final = {"a": entry("F32", [2], 0, 8), "b": entry("I16", [2, 1], 8, 12)}
DATA: Final = struct.pack("<2f2h", 1, 2.5, -3, 4)


def read(document: Document) -> dict[str | None, object]:
    return {tensor.name: window.read(tensor).tolist() for tensor in document.tensors}


def test_a_whole_file() -> None:
    document = opened(safetensors(TWO, DATA))
    assert (document.format, document.byteorder, document.problems) == ("safetensors", "little", [])
    assert [(t.path, t.name, t.dtype, t.shape, t.stride, t.requires_grad) for t in document.tensors] == [
        (("a",), "a", "float32", (2,), (1,), False),
        (("b",), "b", "int16", (2, 1), (1, 1), False),
    ]
    assert read(document) == {"a": [1, 2.5], "b": [[-3], [4]]}
    regions_tile(document)


def test_every_byte_of_the_header_has_an_owner() -> None:
    text = (
        ' {"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]} , "__metadata__":{"k":"v"},'
        '"b":{"shape":[1],"data_offsets":[1,2],"dtype":"U8"}}  '
    )
    data = safetensors(text, b"\x05\x06")
    document = opened(data)
    middle, last = 8 + text.index('"__'), 8 + text.index('"b"')
    end = 8 + text.rindex("}")
    assert document.regions[:] == [
        Region(Span(0, 8), "safetensors-length", ""),
        Region(Span(8, 10), "safetensors-header", ""),
        Region(Span(10, middle), "safetensors-entry", "a"),
        Region(Span(middle, last), "safetensors-entry", "__metadata__"),
        Region(Span(last, end), "safetensors-entry", "b"),
        Region(Span(end, 8 + len(text)), "safetensors-header", ""),
        Region(Span(8 + len(text), 9 + len(text)), "storage", "uint8 a"),
        Region(Span(9 + len(text), 10 + len(text)), "storage", "uint8 b"),
    ]
    first, second = document.tensors
    assert first.stated is not None
    assert second.stated is not None
    assert data[first.stated.start : first.stated.stop] == b'"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]}'
    assert data[second.stated.start : second.stated.stop].startswith(b'"b":{"shape"')
    assert [(pair.key, pair.value) for pair in document.metadata] == [("k", "v")]
    assert document.problems == []


@pytest.mark.parametrize(
    ("stated", "dtype", "size"),
    [
        ("BOOL", "bool", 1),
        ("U8", "uint8", 1),
        ("I8", "int8", 1),
        ("I16", "int16", 2),
        ("U16", "uint16", 2),
        ("I32", "int32", 4),
        ("U32", "uint32", 4),
        ("I64", "int64", 8),
        ("U64", "uint64", 8),
        ("F16", "float16", 2),
        ("BF16", "bfloat16", 2),
        ("F32", "float32", 4),
        ("F64", "float64", 8),
        ("C64", "complex64", 8),
        ("F8_E4M3", "float8_e4m3fn", 1),
        ("F8_E5M2", "float8_e5m2", 1),
        ("F8_E4M3FNUZ", "float8_e4m3fnuz", 1),
        ("F8_E5M2FNUZ", "float8_e5m2fnuz", 1),
        ("F8_E8M0", "float8_e8m0fnu", 1),
    ],
)
def test_types(stated: str, dtype: str, size: int) -> None:
    data = bytes(range(1, 1 + 2 * size))
    document = opened(safetensors({"t": entry(stated, [2], 0, 2 * size)}, data))
    tensor = document.tensors[0]
    assert (tensor.dtype, tensor.shape, document.problems) == (dtype, (2,), [])
    assert window.read(tensor).tobytes() == (b"\1\1" if dtype == "bool" else data)


def test_pairs_of_four_bits_count_as_torch_counts_them() -> None:
    document = opened(safetensors({"t": entry("F4", [2, 8], 0, 8)}, bytes(range(8))))
    tensor = document.tensors[0]
    assert (tensor.dtype, tensor.shape, document.problems) == ("float4_e2m1fn_x2", (2, 4), [])
    assert window.read(tensor).tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]


@pytest.mark.parametrize(("stated", "shape", "size"), [("F6_E2M3", [4], 3), ("F6_E3M2", [2, 4], 6), ("F4", [2, 1], 1)])
def test_types_without_numbers_are_bytes(stated: str, shape: list[int], size: int) -> None:
    document = opened(safetensors({"t": entry(stated, shape, 0, size)}, bytes(range(size))))
    tensor = document.tensors[0]
    assert (tensor.dtype, tensor.shape, tensor.note) == ("uint8", (size,), stated)
    assert codes(document) == ["safetensors-raw"]
    assert document.problems[0].params == {"dtype": stated, "count": 1}


def test_a_byte_order_of_ones_own() -> None:
    document = opened(safetensors({"t": entry("I16", [1], 0, 2)}, b"\1\2"), Options(byteorder="big"))
    assert read(document) == {"t": [0x0102]}


def test_entries_in_another_order_than_the_data() -> None:
    document = opened(safetensors({"z": entry("U8", [1], 1, 2), "a": entry("U8", [1], 0, 1)}, b"\7\x08"))
    assert read(document) == {"z": [8], "a": [7]}
    assert document.problems == []
    regions_tile(document)


def test_names_of_all_kinds() -> None:
    names = ["", "a.b/c", "\u732b", 'quote"back\\slash', "@attribute", "\ud83d\ude00"]
    header = {name: entry("U8", [1], at, at + 1) for at, name in enumerate(names)}
    document = opened(safetensors(json.dumps(header), bytes(6)))
    expected = [*names[:5], "\U0001f600"]
    assert [tensor.name for tensor in document.tensors] == expected
    assert document.problems == []


@pytest.mark.parametrize(
    ("header", "data", "found"),
    [
        ({"a": entry("F31", [2], 0, 8)}, bytes(8), ["safetensors-dtype"]),
        ({"a": entry("F32", [3], 0, 8)}, bytes(8), ["safetensors-size"]),
        ({"a": entry("F32", [-2], 0, 8)}, bytes(8), ["safetensors-shape"]),
        ({"a": entry("F32", [1 << 62, 1 << 62], 0, 8)}, bytes(8), ["safetensors-shape"]),
        ({"a": entry("F32", [1] * 1001, 0, 4)}, bytes(4), ["safetensors-shape"]),
        ({"a": entry("U8", [2], 4, 6)}, bytes(6), ["safetensors-hole"]),
        ({"a": entry("U8", [2], 0, 2), "b": entry("U8", [2], 3, 5)}, bytes(5), ["safetensors-hole"]),
        ({"a": entry("U8", [2], 0, 2), "b": entry("U8", [2], 1, 3)}, bytes(3), ["safetensors-overlap"]),
        (
            {"a": entry("U8", [0], 0, 0), "b": entry("U8", [2], 2, 0)},
            b"",
            ["safetensors-reverse"],
        ),
        ({"a": entry("U8", [2], 0, 2)}, bytes(5), ["safetensors-trailing"]),
        ({"a": entry("U8", [4], 0, 4)}, bytes(3), ["file-ends-early"]),
        ({"a": {"dtype": "U8", "shape": [0]}}, b"", ["safetensors-entry"]),
        (
            {"a": {"dtype": "U8", "shape": [1.5], "data_offsets": [0, 1]}},
            b"1",
            ["safetensors-entry"],
        ),
        ({"a": [1, 2]}, b"", ["safetensors-entry"]),
        ({"__metadata__": {"k": 1}}, b"", ["safetensors-metadata"]),
        ({"__metadata__": "text"}, b"", ["safetensors-metadata"]),
    ],
)
def test_rules(header: dict[str, object], data: bytes, found: list[str]) -> None:
    document = opened(safetensors(header, data))
    assert codes(document) == found
    assert {problem.severity for problem in document.problems} == {"error"}
    regions_tile(document)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[]", ["safetensors-json", "safetensors-trailing"]),
        ('{"a":}', ["safetensors-json", "safetensors-trailing"]),
        ('{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}', ["safetensors-json"]),
        ('{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},}', ["safetensors-json"]),
        ('{"a":{"dtype":"U8""shape":[1],"data_offsets":[0,1]}}', ["safetensors-json", "safetensors-trailing"]),
        ('{"a":{"dtype":"U8","shape":[01],"data_offsets":[0,1]}}', ["safetensors-json", "safetensors-trailing"]),
        ("{} x", ["safetensors-json", "safetensors-trailing"]),
        ('{"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}}', ["safetensors-entry"]),
        ('{"a":{"more":{"b":["]"]},"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', []),
        ('\t{ "a" :\n{ "shape" : [ 1 ] , "dtype" : "U8" , "data_offsets" : [ 0 , 1 ] } } \n', []),
    ],
)
def test_json(text: str, found: list[str]) -> None:
    document = opened(safetensors(text, b"\5"))
    assert codes(document) == found
    regions_tile(document)


def test_where_a_header_breaks() -> None:
    document = opened(safetensors('{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":oops}', b"\5"))
    assert read(document) == {"a": [5]}
    problem = document.problems[0]
    assert (problem.span, problem.params) == (Span(65, 66), {"offset": 57, "expected": "a value"})


def test_a_name_that_stands_twice() -> None:
    text = '{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}'
    document = opened(safetensors(text, b"\5\6"))
    assert [(t.path, t.name, window.read(t).tolist()) for t in document.tensors] == [
        (("a", "place 2"), None, [5]),
        (("a",), "a", [6]),
    ]
    assert codes(document) == ["safetensors-name-twice"]


def test_names_that_are_no_utf_8() -> None:
    document = opened(safetensors(b'{"\xff":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"\5"))
    assert read(document) == {"\\xff": [5]}
    assert codes(document) == ["safetensors-utf-8"]
    assert document.problems[0].span == Span(10, 11)


@pytest.mark.parametrize("length", [1 << 40, 99_000_000])
def test_a_header_that_is_cut(length: int) -> None:
    document = opened(safetensors(TWO, DATA, length))
    names = {problem.code: problem for problem in document.problems}
    assert names["safetensors-header-cut"].params["length"] == length
    assert ("safetensors-header-long" in names) == (length > 100_000_000)
    assert [window.missing_bytes(tensor) for tensor in document.tensors] == [(8, 8), (4, 4)]
    regions_tile(document)


def test_cut_anywhere() -> None:
    data = safetensors({"__metadata__": {"format": "pt"}, **TWO}, DATA)
    for length in range(20, len(data)):
        document = opened(data[:length])
        assert document.format == "safetensors"
        assert any(problem.severity == "error" for problem in document.problems), length
        regions_tile(document)
    assert [window.missing_bytes(t) for t in opened(data[:-5]).tensors] == [(1, 8), (4, 4)]


def test_nesting_without_end() -> None:
    deep = b"[" * 200_000
    header = read_header(b'{"a":' + deep + b"]" * len(deep) + b"}", Progress())
    assert [(fault.code, fault.params["expected"]) for fault in header.faults] == [("safetensors-json", "less nesting")]
    wide = read_header(b'{"a":[' + b"[],".ljust(300_000, b" ") + b"[]]}", Progress())
    assert [fault.code for fault in wide.faults] == ["safetensors-entry"]


def test_numbers_without_end() -> None:
    text = '{"a":{"dtype":"U8","shape":[' + "9" * 10_000 + '],"data_offsets":[0,1]}}'
    assert codes(opened(safetensors(text, b"\5"))) == ["safetensors-entry"]


def test_many_tensors_are_read_alike() -> None:
    count = 20_000
    usual = {f"layer.{at}": entry("U8", [1], at, at + 1) for at in range(count)}
    document = opened(safetensors(usual, bytes(count)))
    assert len(document.tensors) == count
    assert document.tensors[-1].name == "layer.19999"
    assert document.problems == []
    assert sum(region.span.length for region in document.regions) == document.source.size
