"""safetensors, alone and in shards, read by the library and by our own reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open

from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_values import Storage, full, state_dict, storage, tensor
from tests.core.export.reading import document_of, exported
from viewer.core.errors import CancelledError, ChoiceError, ExportError, TargetExistsError
from viewer.core.export import exporter_of
from viewer.core.export.plan import Converted, Dropped, Renamed
from viewer.core.export.safetensors_shards import is_own, shard_names
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.tensors.hashing import sha256

FORM = "safetensors"


def read(path: Path) -> dict[str, Any]:
    """All arrays, by the library."""
    with safe_open(path, "numpy") as opened:
        return {name: opened.get_tensor(name) for name in sorted(opened.keys())}


def header_of(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    found: dict[str, Any] = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return found


def test_tensors_are_plain_and_aligned(tmp_path: Path) -> None:
    base = storage("float32", range(12))
    value = state_dict(
        {
            "b": tensor(Storage("bool", b"\0\x01\x07"), (3,)),
            "w": tensor(base, (3, 4)),
            "w.turned": tensor(base, (4, 3), (1, 4)),
            "n": full("int64", (), [7]),
            "none": full("float32", (0, 3), []),
        }
    )
    report = exported(document_of(value), tmp_path / "out.safetensors", FORM)
    found = read(tmp_path / "out.safetensors")
    assert found["w"].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert found["w.turned"].tolist() == [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]
    assert (found["n"].tolist(), found["none"].shape) == (7, (0, 3))
    assert found["b"].view(np.uint8).tolist() == [0, 1, 1]
    head = header_of(tmp_path / "out.safetensors")
    assert head["__metadata__"] == {"format": "pt"}
    starts = {name: facts["data_offsets"][0] for name, facts in head.items() if name != "__metadata__"}
    assert starts == {"n": 0, "w": 8, "w.turned": 56, "none": 104, "b": 104}
    assert int.from_bytes((tmp_path / "out.safetensors").read_bytes()[:8], "little") % 8 == 0
    assert report.nbytes == (tmp_path / "out.safetensors").stat().st_size <= report.plan.nbytes
    verdict = exporter_of(FORM).verify(report, Progress())
    assert verdict is not None
    assert (verdict.good, verdict.params["count"]) == (True, 5)


@pytest.mark.parametrize(
    ("dtype", "data", "kind", "shape"),
    [
        ("bfloat16", b"\x80\x3f\x00\xc0", "BF16", [2]),
        ("float8_e4m3fn", b"\x38\x40", "F8_E4M3", [2]),
        ("float8_e5m2", b"\x3c\x40", "F8_E5M2", [2]),
        ("float8_e4m3fnuz", b"\x40\x48", "F8_E4M3FNUZ", [2]),
        ("float8_e8m0fnu", b"\x7f\x80", "F8_E8M0", [2]),
        ("float4_e2m1fn_x2", b"\x12\x34", "F4", [4]),
        ("uint16", b"\x01\x02\x03\x04", "U16", [2]),
        ("uint64", bytes(range(16)), "U64", [2]),
        ("float16", b"\x00\x3c\x00\x40", "F16", [2]),
        ("complex64", bytes(range(16)), "C64", [2]),
    ],
)
def test_every_type_keeps_its_bits(tmp_path: Path, dtype: str, data: bytes, kind: str, shape: list[int]) -> None:
    report = exported(document_of({"w": tensor(Storage(dtype, data), (2,))}), tmp_path / "out.safetensors", FORM)
    assert report.plan.converted == ()
    facts = header_of(tmp_path / "out.safetensors")["w"]
    assert (facts["dtype"], facts["shape"]) == (kind, shape)
    assert (tmp_path / "out.safetensors").read_bytes()[-len(data) :] == data
    verdict = exporter_of(FORM).verify(report, Progress())
    assert verdict is not None
    assert verdict.good
    back = open_document(tmp_path / "out.safetensors")
    assert [(found.dtype, found.shape) for found in back.tensors] == [(dtype, (2,))]
    back.close()


def test_what_has_no_form_is_named(tmp_path: Path) -> None:
    value = state_dict(
        {
            "h": tensor(Storage("complex32", b"\x00\x3c\x00\x40"), (1,)),
            "z": tensor(Storage("complex128", bytes(16)), (1,)),
            "arch": "resnet",
            "epoch": 3,
        }
    )
    report = exported(document_of(value), tmp_path / "out.safetensors", FORM)
    assert report.plan.converted == (Converted("h", "complex32", "complex64"),)
    assert report.plan.dropped == (
        Dropped("z", "dtype", {"dtype": "complex128", "form": FORM}),
        Dropped("epoch", "not-text"),
    )
    assert report.plan.kept == ("arch",)
    assert read(tmp_path / "out.safetensors")["h"].tolist() == [1 + 2j]
    assert header_of(tmp_path / "out.safetensors")["__metadata__"] == {"arch": "resnet", "format": "pt"}


def test_big_endian_and_conjugated_elements(tmp_path: Path) -> None:
    value = {
        "f": tensor(Storage("float32", b"\x3f\x80\0\0\x40\0\0\0"), (2,)),
        "c": tensor(Storage("complex64", b"\x3f\x80\0\0\x40\0\0\0"), (1,), metadata={"conj": True}),
    }
    exported(document_of(value, byteorder="big"), tmp_path / "out.safetensors", FORM)
    found = read(tmp_path / "out.safetensors")
    assert found["f"].tolist() == [1, 2]
    assert found["c"].tolist() == [1 - 2j]


def test_texts_of_the_header_stay(tmp_path: Path) -> None:
    data = safetensors({"__metadata__": {"licence": "MIT", "format": "np"}, "w": entry("U8", [1], 0, 1)}, b"\x05")
    exported(open_document(MemorySource(data)), tmp_path / "out.safetensors", FORM)
    assert header_of(tmp_path / "out.safetensors")["__metadata__"] == {"licence": "MIT", "format": "pt"}


def test_names_that_a_header_cannot_hold(tmp_path: Path) -> None:
    value = {"__metadata__": full("uint8", (), [1]), "\ud800": full("uint8", (), [2]), "ä/\n": full("uint8", (), [3])}
    report = exported(document_of(value), tmp_path / "out.safetensors", FORM)
    assert report.plan.renamed == (Renamed("__metadata__", "__metadata___2"), Renamed("\ud800", "\\ud800"))
    found = read(tmp_path / "out.safetensors")
    assert {name: int(array) for name, array in found.items()} == {"__metadata___2": 1, "\\ud800": 2, "ä/\n": 3}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("element", "the elements of w differ"),
        ("type", "w is I32 (2,) instead of F32 (2,)"),
        ("name", "w is missing"),
        ("cut", "incomplete metadata"),
    ],
)
def test_the_library_finds_what_is_wrong(tmp_path: Path, change: str, reason: str) -> None:
    path = tmp_path / "out.safetensors"
    report = exported(document_of({"w": full("float32", (2,), [1, 2])}), path, FORM)
    data = path.read_bytes()
    changes = {
        "element": data[:-1] + b"\x01",
        "type": data.replace(b"F32", b"I32"),
        "name": data.replace(b'"w"', b'"v"'),
        "cut": data[:-1],
    }
    path.write_bytes(changes[change])
    verdict = exporter_of(FORM).verify(report, Progress())
    assert verdict is not None
    assert verdict.good is False
    assert reason in str(verdict.params["reason"]), verdict.params


def test_stopping_leaves_nothing(tmp_path: Path) -> None:
    progress = Progress()
    exporter = exporter_of(FORM)
    plan = exporter.plan(document_of({"w": full("float32", (1,), [1])}), Wanted())
    progress.cancel()
    with pytest.raises(CancelledError):
        exporter.write(plan, tmp_path / "out.safetensors", progress)
    assert list(tmp_path.iterdir()) == []


# -- shards -----------------------------------------------------------------------------------------


def test_shards_and_their_index(tmp_path: Path) -> None:
    value = state_dict({name: full("float32", (3,), range(3)) for name in "abcde"})
    report = exported(document_of(value), tmp_path / "out", "safetensors_shards", Wanted(shard_size=24))
    names = [f"model-0000{number}-of-00003.safetensors" for number in (1, 2, 3)]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [*names, "model.safetensors.index.json"]
    assert [sorted(read(tmp_path / "out" / name)) for name in names] == [["a", "b"], ["c", "d"], ["e"]]
    index = json.loads((tmp_path / "out" / "model.safetensors.index.json").read_text(encoding="utf-8"))
    assert index["metadata"] == {"total_size": 60}
    assert index["weight_map"] == {"a": names[0], "b": names[0], "c": names[1], "d": names[1], "e": names[2]}
    assert [line.text for line in report.plan.lines] == [
        "Tensors: 5, left out 0, in files of at most 24 bytes of tensors: 3."
    ]
    verdict = exporter_of("safetensors_shards").verify(report, Progress())
    assert verdict is not None
    assert (verdict.good, verdict.params["count"]) == (True, 5)


def test_one_shard_needs_no_index_and_a_large_tensor_has_its_own(tmp_path: Path) -> None:
    value = state_dict(
        {"a": full("uint8", (4,), range(4)), "b": full("uint8", (90,), range(90)), "c": full("uint8", (4,), range(4))}
    )
    report = exported(document_of(value), tmp_path / "one", "safetensors_shards")
    assert report.plan.files == ("model.safetensors",)
    many = exported(document_of(value), tmp_path / "many", "safetensors_shards", Wanted(shard_size=8))
    assert len(many.plan.files) == 4
    assert sorted(read(tmp_path / "many" / "model-00002-of-00003.safetensors")) == ["b"]


def test_shards_of_another_size_are_replaced_and_nothing_else(tmp_path: Path) -> None:
    exporter = exporter_of("safetensors_shards")
    document = document_of(state_dict({name: full("uint8", (4,), range(4)) for name in "abcd"}))
    exporter.write(exporter.plan(document, Wanted(shard_size=4)), tmp_path / "out", Progress())
    plan = exporter.plan(document, Wanted(shard_size=8))
    with pytest.raises(TargetExistsError):
        exporter.write(plan, tmp_path / "out", Progress())
    exporter.write(plan, tmp_path / "out", Progress(), overwrite=True)
    assert len(list((tmp_path / "out").iterdir())) == 3
    (tmp_path / "out" / "notes.txt").write_bytes(b"mine")
    with pytest.raises(ExportError, match="holds"):
        exporter.write(plan, tmp_path / "out", Progress(), overwrite=True)
    assert (tmp_path / "out" / "notes.txt").read_bytes() == b"mine"


def test_names_of_shards() -> None:
    assert shard_names(1) == ("model.safetensors",)
    assert shard_names(100_000)[-1] == "model-100000-of-100000.safetensors"
    assert is_own("model-00001-of-00002.safetensors")
    assert not is_own("model-1-of-2.safetensors")
    assert not is_own("adapter-00001-of-00002.safetensors")
    assert not is_own("model-00001-of-00002.bin")


def test_what_is_read_from_shards_is_never_written_over(tmp_path: Path) -> None:
    exporter = exporter_of(FORM)
    path = tmp_path / "w.safetensors"
    exported(document_of({"w": full("float32", (1,), [1])}), path, FORM)
    document = open_document(path)
    with pytest.raises(ExportError, match="open"):
        exporter.write(exporter.plan(document, Wanted()), path, Progress(), overwrite=True)
    document.close()
    assert read(path)["w"].tolist() == [1]


def test_hashes_are_those_of_the_file(tmp_path: Path) -> None:
    document = document_of({"w": tensor(storage("int16", range(6)), (2, 3), (1, 2))})
    exported(document, tmp_path / "out.safetensors", FORM)
    back = open_document(tmp_path / "out.safetensors")
    assert sha256(back.tensors[0]) == sha256(document.tensors[0])
    back.close()


def test_a_choice_is_asked_for(tmp_path: Path) -> None:
    one = {"w": full("float32", (1,), [1])}
    document = document_of({"netG": state_dict(one), "netD": state_dict(one)})
    for form in (FORM, "safetensors_shards"):
        with pytest.raises(ChoiceError):
            exporter_of(form).plan(document, Wanted())
