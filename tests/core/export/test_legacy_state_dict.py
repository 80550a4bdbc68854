"""State_dicts in the form before torch 1.6, byte by byte and read back. torch's own reading: tests/with_torch."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.builders.torch_values import DTYPES, Storage, full, state_dict, tensor
from tests.core.export.reading import document_of, exported, facts, groups, read_state_dict
from tests.core.export.test_round_trips import fresh, opened
from tests.core.export.test_special import csr, nested
from tests.core.export.trees import TYPES, Tree, trees
from viewer.core.export.plan import Converted
from viewer.core.opening import open_document
from viewer.core.problem import Severity
from viewer.core.tensors.hashing import sha256

FORM = "legacy_state_dict"
HEAD = bytes.fromhex("80028a0a6cfc9c46f9206aa850192e 80024de9032e") + (
    b"\x80\x02}q\x00(X\x10\x00\x00\x00protocol_versionq\x01M\xe9\x03X\r\x00\x00\x00little_endianq\x02\x88"
    b"X\n\x00\x00\x00type_sizesq\x03}q\x04(X\x05\x00\x00\x00shortq\x05K\x02X\x03\x00\x00\x00intq\x06K\x04"
    b"X\x04\x00\x00\x00longq\x07K\x04uu."
)
"""What torch 1.5 on Python 3 begins each file with, to the object at 137."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("out")


def test_the_stream_is_laid_out_as_torch_did_it(tmp_path: Path) -> None:
    value = state_dict({"w": full("float32", (2,), [1, 2]), "n": full("int64", (), [-1])}, {"": 1})
    report = exported(document_of(value), tmp_path / "out.pth", FORM)
    data = (tmp_path / "out.pth").read_bytes()
    assert len(HEAD) == 137
    assert data.startswith(HEAD)
    keys = b"\x80\x02]q\x00(X\x01\x00\x00\x000q\x01X\x01\x00\x00\x001q\x02e."
    assert data.endswith(keys + struct.pack("<q2f", 2, 1, 2) + struct.pack("<qq", 1, -1))
    assert data.count(b"X\x03\x00\x00\x00cpu") == 1
    # storage id: kind, class, key, location, count, no view
    assert b"cpuq\x07K\x02Ntq\x08Q" in data
    assert (report.plan.needs, report.nbytes) == ("torch 1.0", len(data))


def test_keys_are_sorted_as_text(tmp_path: Path) -> None:
    value = state_dict({str(n): full("uint8", (1,), [n]) for n in range(11)})
    exported(document_of(value), tmp_path / "out.pth", FORM)
    data = (tmp_path / "out.pth").read_bytes()
    storages = [data[-99 + 9 * at : -90 + 9 * at or None] for at in range(11)]
    assert [storage[8] for storage in storages] == [0, 1, 10, 2, 3, 4, 5, 6, 7, 8, 9]
    assert read_state_dict(tmp_path / "out.pth").keys() == {str(n) for n in range(11)}


def test_views_of_one_type_share_a_storage_and_others_do_not(tmp_path: Path) -> None:
    shared = Storage("float32", struct.pack("<6f", *range(6)))
    value = state_dict(
        {
            "whole": tensor(shared, (2, 3), (3, 1)),
            "column": tensor(shared, (2,), (3,), offset=1),
            "bits": tensor(Storage("int32", shared.data), (2,), (1,)),
        }
    )
    exported(document_of(value), tmp_path / "out.pth", FORM)
    document = open_document(tmp_path / "out.pth")
    found = {str(one.name): one for one in document.tensors}
    assert groups(found) == {frozenset({"whole", "column"}), frozenset({"bits"})}
    assert facts(found["column"])[:4] == ("float32", (2,), (3,), 1)
    document.source.close()


@pytest.mark.parametrize(
    ("dtype", "needs"), [("float16", "1.0"), ("bool", "1.4"), ("bfloat16", "1.4"), ("complex64", "1.10")]
)
def test_the_version_that_loads_a_type(tmp_path: Path, dtype: str, needs: str) -> None:
    value = state_dict({"x": tensor(Storage(dtype, bytes(8)), (1,), (1,))})
    report = exported(document_of(value), tmp_path / "out.pth", FORM)
    assert report.plan.needs == f"torch {needs}"


def test_types_that_the_form_never_had_are_left_out(tmp_path: Path) -> None:
    types = {"a": "float8_e5m2", "b": "uint16", "c": "int8"}
    value = state_dict(
        {name: tensor(Storage(dtype, bytes(DTYPES[dtype][1])), (1,), (1,)) for name, dtype in types.items()}
    )
    report = exported(document_of(value), tmp_path / "out.pth", FORM)
    assert [(one.name, one.text) for one in report.plan.dropped] == [
        ("a", "torch's old form has no element type for float8_e5m2"),
        ("b", "torch's old form has no element type for uint16"),
    ]
    assert read_state_dict(tmp_path / "out.pth").keys() == {"c"}


@given(trees([name for name in TYPES if DTYPES[name][0]]))
@settings(max_examples=60)
def test_random_trees_come_back(folder: Path, tree: Tree) -> None:
    report = exported(opened(tree), fresh(folder / "out.pth"), FORM)
    assert report.plan.dropped == ()
    back = open_document(folder / "out.pth")
    assert [problem for problem in back.problems if problem.severity is Severity.ERROR] == []
    assert [tensor.name for tensor in back.tensors] == [item.name for item in report.plan.items]
    for (name, view), found in zip(tree.views.items(), back.tensors, strict=True):
        assert (found.shape, found.stride, found.storage_offset) == (view.shape, view.stride, view.offset)
        assert sha256(found) == hashlib.sha256(tree.arrays[name].tobytes()).hexdigest()
    back.source.close()


def test_nested_tensors_come_as_their_parts(tmp_path: Path) -> None:
    """torch makes them before it has read their sizes."""
    report = exported(document_of({"n": nested(), "c": csr()}), tmp_path / "out.pth", FORM)
    parts = ("n.values", "n.sizes", "n.strides", "n.offsets")
    assert report.plan.converted == (Converted("n", "nested", ", ".join(parts)),)
    back = open_document(tmp_path / "out.pth").tensors
    assert [found.name for found in back] == [*parts, "c"]
    assert [found.layout for found in back] == [*["strided"] * 4, "sparse_csr"]
