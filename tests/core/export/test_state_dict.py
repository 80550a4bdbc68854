"""State_dicts as torch.save writes them, read back by our own reader. torch's own reading: tests/with_torch."""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path

import pytest

from tests.builders.arrays import floats, npy, npz
from tests.builders.legacy import legacy
from tests.builders.torch_values import (
    ModuleClass,
    Storage,
    full,
    module,
    parameter,
    state_dict,
    storage,
    tensor,
)
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global
from tests.core.export.reading import document_of, exported, groups, read_state_dict, record, records
from viewer.core.errors import CancelledError, ExportError
from viewer.core.export import exporter_of
from viewer.core.export.plan import Dropped
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.tensors.dtypes import DTYPES


def small() -> OrderedDict[str, object]:
    """A state_dict with a parameter, a buffer of another type and versions."""
    return state_dict(
        {"fc.weight": full("float32", (2, 3), range(6)), "steps": full("int64", (), [7])}, {"": 1, "fc": 2}
    )


def without_names_half(data: bytes) -> bytes:
    """An archive without what depends on the hash function of a C++ library: half of the seal, and its CRCs."""
    descriptor = data.rindex(b"PK\x07\x08")
    entry = data.rindex(b"PK\x01\x02")
    return b"".join(
        (
            data[: descriptor - 40],
            data[descriptor - 20 : descriptor + 4],
            data[descriptor + 8 : entry + 16],
            data[entry + 20 :],
        )
    )


def test_a_state_dict_comes_out_byte_for_byte_as_torch_wrote_it(tmp_path: Path) -> None:
    original = torch_zip(small(), root="out")
    exported(open_document(MemorySource(original)), tmp_path / "out.pt")
    assert without_names_half((tmp_path / "out.pt").read_bytes()) == without_names_half(original)


def test_records_and_their_order(tmp_path: Path) -> None:
    exported(document_of(small()), tmp_path / "new.pth")
    assert records(tmp_path / "new.pth") == [
        "new/data.pkl",
        "new/.format_version",
        "new/.storage_alignment",
        "new/byteorder",
        "new/data/0",
        "new/data/1",
        "new/version",
        "new/.data/serialization_id",
    ]
    assert record(tmp_path / "new.pth", "data/1") == b"\x07\0\0\0\0\0\0\0"


def test_sharing_strides_and_offsets_stay(tmp_path: Path) -> None:
    base = storage("float32", range(12), location="cuda:3")
    value = state_dict(
        {
            "all": tensor(base, (3, 4)),
            "turned": tensor(base, (4, 3), (1, 4)),
            "part": tensor(base, (2,), (2,), 5),
            "expanded": tensor(base, (5, 2), (0, 1), 10),
            "own": full("float32", (1,), [1]),
        }
    )
    exported(document_of(value), tmp_path / "out.pt")
    back = open_document(tmp_path / "out.pt")
    tensors = {str(tensor.name): tensor for tensor in back.tensors}
    assert [(t.shape, t.stride, t.storage_offset) for t in tensors.values()] == [
        ((3, 4), (4, 1), 0),
        ((4, 3), (1, 4), 0),
        ((2,), (2,), 5),
        ((5, 2), (0, 1), 10),
        ((1,), (1,), 0),
    ]
    assert groups(tensors) == {frozenset({"all", "turned", "part", "expanded"}), frozenset({"own"})}
    assert {t.storage.location for t in tensors.values() if t.storage} == {"cpu"}
    back.source.close()


def test_parameters_become_plain_tensors(tmp_path: Path) -> None:
    exported(document_of({"w": parameter(full("float32", (1,), [1]))}), tmp_path / "out.pt")
    assert b"_rebuild_parameter" not in record(tmp_path / "out.pt", "data.pkl")
    assert read_state_dict(tmp_path / "out.pt")["w"][:2] == ("float32", (1,))


def test_a_whole_module_gives_its_state_dict(tmp_path: Path) -> None:
    inner = module(
        Global("torch.nn.modules.batchnorm", "BatchNorm2d"),
        parameters={"weight": parameter(full("float32", (2,), [1, 2])), "bias": None},
        buffers={"num_batches_tracked": full("int64", (), [3])},
    )
    outer = module(ModuleClass("zoo", "Net"), parameters={"scale": full("float32", (1,), [4])}, children={"bn": inner})
    report = exported(document_of(outer), tmp_path / "out.pt")
    assert list(read_state_dict(tmp_path / "out.pt")) == ["scale", "bn.weight", "bn.num_batches_tracked"]
    assert report.plan.dropped == ()
    metadata = record(tmp_path / "out.pt", "data.pkl").partition(b"_metadata")[2]
    assert metadata.count(b"version") == 1
    assert b"zoo" not in record(tmp_path / "out.pt", "data.pkl")


def test_a_legacy_stream_with_its_source_becomes_a_zip(tmp_path: Path) -> None:
    cls = ModuleClass("zoo", "Net", "/home/someone/zoo.py", "class Net(nn.Module):\n    pass\n")
    value = module(cls, parameters={"w": full("float32", (2,), [1, 2])}, era="1.1")
    report = exported(open_document(MemorySource(legacy(value))), tmp_path / "out.pt")
    assert report.plan.needs == "torch 1.6"
    assert record(tmp_path / "out.pt", "data/0") == b"\0\0\x80?\0\0\0@"
    assert b"someone" not in (tmp_path / "out.pt").read_bytes()


def test_entries_that_are_no_tensors(tmp_path: Path) -> None:
    value = state_dict({"w": full("float32", (1,), [1])})
    value.update(
        number=3,
        huge=2**100,
        text="gr\u00fc\u00dfe",
        nothing=None,
        flag=True,
        real=0.5,
        raw=b"\xff\x00",
        nested=[1, (2, "x"), {"k": [None]}],
        size=Call(Global("torch", "Size"), ((2, 3),)),
        ordered=OrderedDict(a=1),
        colours={1, 2},
        args=Call(Global("argparse", "Namespace"), ()),
        inside=[Call(Global("os", "getcwd"), ())],
    )
    report = exported(document_of(value), tmp_path / "out.pt")
    assert report.plan.dropped == (Dropped("args", "not-plain"), Dropped("inside", "not-plain"))
    assert len(report.plan.kept) == 11
    data = record(tmp_path / "out.pt", "data.pkl")
    assert b"argparse" not in data
    assert b"getcwd" not in data
    back = open_document(tmp_path / "out.pt")
    assert back.main_pickle is not None
    values = back.main_pickle.values
    pairs = {values.text(key): child for key, child in values.pairs(values.root)}
    assert list(pairs) == ["w", *report.plan.kept]
    assert values.plain(pairs["huge"]) == 1267650600228229401496703205376
    assert values.text(pairs["text"]) == "gr\u00fc\u00dfe"
    assert values.call_name(pairs["raw"]) == ("_codecs", "encode")
    assert [values.plain(item) for item in values.items(values.items(pairs["nested"])[1])] == [2, "x"]
    back.source.close()


def test_big_endian_storages_are_turned_round(tmp_path: Path) -> None:
    value = state_dict(
        {
            "f": tensor(Storage("float32", b"\x3f\x80\0\0\x40\0\0\0"), (2,)),
            "c": tensor(Storage("complex64", b"\x3f\x80\0\0\x40\0\0\0"), (1,)),
            "b": tensor(Storage("uint8", b"\x01\x02"), (2,)),
            "u": tensor(Storage("uint16", b"\x01\x02\x03\x04"), (2,)),
        }
    )
    exported(document_of(value, byteorder="big"), tmp_path / "out.pt")
    path = tmp_path / "out.pt"
    assert record(path, "byteorder") == b"little"
    assert [record(path, f"data/{number}") for number in range(4)] == [
        b"\0\0\x80?\0\0\0@",
        b"\0\0\x80?\0\0\0@",
        b"\x01\x02",
        b"\x02\x01\x04\x03",
    ]


@pytest.mark.parametrize(
    ("dtype", "needs"),
    [
        ("float32", "torch 1.6"),
        ("bfloat16", "torch 1.6"),
        ("complex64", "torch 1.6"),
        ("float8_e4m3fn", "torch 2.2"),
        ("complex32", "torch 2.3"),
        ("uint16", "torch 2.6"),
        ("float8_e8m0fnu", "torch 2.7"),
        ("float4_e2m1fn_x2", "torch 2.8"),
    ],
)
def test_the_first_torch_that_loads_it_is_told(tmp_path: Path, dtype: str, needs: str) -> None:
    value = {"old": full("float32", (1,), [0]), "new": tensor(Storage(dtype, bytes(DTYPES[dtype].itemsize)), (1,))}
    assert exported(document_of(value), tmp_path / "out.pt").plan.needs == needs
    assert read_state_dict(tmp_path / "out.pt")["new"][:2] == (dtype, (1,))


def test_one_storage_seen_as_two_types_stays_one_storage(tmp_path: Path) -> None:
    base = Storage("uint16", bytes(range(8)))
    other = Call(
        Global("torch._utils", "_rebuild_tensor_v3"),
        (base, 0, (2,), (1,), False, OrderedDict(), Global("torch", "float32")),
    )
    report = exported(document_of({"a": tensor(base, (4,)), "b": other}), tmp_path / "out.pt")
    assert report.plan.needs == "torch 2.6"
    assert record(tmp_path / "out.pt", "data/0") == bytes(range(8))
    assert "out/data/1" not in records(tmp_path / "out.pt")
    found = read_state_dict(tmp_path / "out.pt")
    assert (found["a"][0], found["b"][0]) == ("uint16", "float32")


def test_deflated_storages_stream_through(tmp_path: Path) -> None:
    value = {"w": tensor(Storage("float32", bytes(4_000_000)), (1000, 1000))}
    exported(document_of(value, deflated=True), tmp_path / "out.pt")
    assert record(tmp_path / "out.pt", "data/0") == bytes(4_000_000)


@pytest.mark.parametrize("dtype", ["", "float16"])
def test_a_deflated_storage_that_is_broken_is_left_out(tmp_path: Path, dtype: str) -> None:
    """Only unpacking tells, so that the plan does not know it yet."""
    value = {"good": full("float32", (1,), [1]), "bad": tensor(Storage("float32", bytes(100_000)), (25_000,))}
    data = bytearray(torch_zip(value, deflated=True))
    place = next(r.data for r in open_document(MemorySource(bytes(data))).records if r.name == "archive/data/1")
    data[place.start + 5 : place.start + 7] = b"\xff\xff"
    exporter = exporter_of("state_dict")
    plan = exporter.plan(open_document(MemorySource(bytes(data))), Wanted(dtype=dtype))
    assert [item.name for item in plan.items] == ["good", "bad"]
    report = exporter.write(plan, tmp_path / "out.pt", Progress())
    nbytes = 50_000 if dtype else 100_000
    assert report.plan.dropped == (Dropped("bad", "missing-bytes", {"missing": nbytes, "nbytes": nbytes}),)
    assert [converted.name for converted in report.plan.converted] == (["good"] if dtype else [])
    assert list(read_state_dict(tmp_path / "out.pt")) == ["good"]
    assert records(tmp_path / "out.pt")[4:6] == ["out/data/0", "out/version"]


def test_a_cut_file_gives_its_whole_tensors(tmp_path: Path) -> None:
    base = Storage("float32", bytes(range(40)))
    value = {
        "whole": tensor(Storage("float32", bytes(40)), (10,)),
        "first": tensor(base, (2,)),
        "cut": tensor(base, (10,)),
    }
    data = legacy(value)
    report = exported(open_document(MemorySource(data[:-21])), tmp_path / "out.pt")
    assert [item.name for item in report.plan.items] == ["whole", "first"]
    assert report.plan.dropped == (Dropped("cut", "missing-bytes", {"missing": 21, "nbytes": 40}),)
    assert report.plan.dropped[0].text == "21 of its 40 bytes are missing"
    # 19 bytes were left; a storage holds whole elements
    assert record(tmp_path / "out.pt", "data/1") == bytes(range(16))


def test_nothing_whole_is_one_sentence() -> None:
    data = legacy({"w": tensor(Storage("float32", bytes(40)), (10,))})
    with pytest.raises(ExportError) as caught:
        exporter_of("state_dict").plan(open_document(MemorySource(data[:-21])), Wanted())
    assert str(caught.value) == "None of the 1 entries can be written. w: 21 of its 40 bytes are missing."


def test_stopping_leaves_nothing(tmp_path: Path) -> None:
    progress = Progress()
    exporter = exporter_of("state_dict")
    plan = exporter.plan(document_of(small()), Wanted())
    progress.cancel()
    with pytest.raises(CancelledError):
        exporter.write(plan, tmp_path / "out.pt", progress)
    assert list(tmp_path.iterdir()) == []


def test_the_open_file_is_refused_and_a_changed_one_too(tmp_path: Path) -> None:
    path = tmp_path / "in.pt"
    path.write_bytes(torch_zip(small()))
    document = open_document(path)
    exporter = exporter_of("state_dict")
    plan = exporter.plan(document, Wanted())
    with pytest.raises(ExportError) as caught:
        exporter.write(plan, path, Progress(), overwrite=True)
    assert caught.value.code == "target-is-source"
    with path.open("ab") as file:
        file.write(b"more")
    with pytest.raises(ExportError) as caught:
        exporter.write(plan, tmp_path / "out.pt", Progress())
    assert caught.value.code == "source-changed"
    assert [entry.name for entry in tmp_path.iterdir()] == ["in.pt"]
    document.source.close()


def test_a_file_cut_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "in.pt"
    path.write_bytes(torch_zip({"w": tensor(Storage("float32", bytes(4_000_000)), (1000, 1000))}))
    document = open_document(path)
    exporter = exporter_of("state_dict")
    plan = exporter.plan(document, Wanted())
    os.truncate(path, 1_000_000)
    with pytest.raises(ExportError) as caught:
        exporter.write(plan, tmp_path / "out.pt", Progress())
    assert caught.value.code == "source-cut"
    assert [entry.name for entry in tmp_path.iterdir()] == ["in.pt"]
    document.source.close()


def test_numpy_arrays_become_tensors(tmp_path: Path) -> None:
    data = npz(
        {
            "plain": floats([1, 2]),
            "big": npy(b"\x3f\x80\0\0\x40\0\0\0", (2,), ">f4"),
            "columns": npy(bytes(range(6)), (2, 3), "|u1", fortran=True),
            "dates": npy(bytes(8), (1,), "<M8[s]"),
        }
    )
    report = exported(open_document(MemorySource(data)), tmp_path / "out.pt")
    assert [dropped.text for dropped in report.plan.dropped] == ["torch has no element type for datetime64[s]"]
    found = read_state_dict(tmp_path / "out.pt")
    assert [(name, *row[:3]) for name, row in found.items()] == [
        ("plain", "float32", (2,), (1,)),
        ("big", "float32", (2,), (1,)),
        ("columns", "uint8", (2, 3), (1, 2)),
    ]
    assert record(tmp_path / "out.pt", "data/0") == record(tmp_path / "out.pt", "data/1") == b"\0\0\x80?\0\0\0@"
