"""Tensors that are more than plain elements: kept in a state_dict, taken apart or told of in other forms."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from tests.builders.torch_values import REBUILD_V2, Storage, full, storage, tensor
from tests.builders.torch_zip import ZipPickler, ZipWriter, torch_zip
from tests.builders.values import Call, Global
from tests.core.export.reading import document_of, exported, record
from viewer.core.export import exporter_of
from viewer.core.export.plan import Converted, Plan
from viewer.core.export.rescue import State, left_behind, plan_rescue, remains
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.problem import Severity
from viewer.core.source import MemorySource
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.meaning import read_meant
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import read

HOOKS: OrderedDict[str, object] = OrderedDict()
LOCAL: Final = "its local part (right only where that is the whole)"


def utils(name: str, *arguments: object) -> Call:
    return Call(Global("torch._utils", name), arguments)


def sparse(name: str, *data: object, function: str = "_rebuild_sparse_tensor") -> Call:
    layout = Call(Global("torch.serialization", "_get_layout"), (f"torch.{name}",))
    return utils(function, layout, data)


def coo(*more: object) -> Call:
    return sparse("sparse_coo", full("int64", (2, 2), [0, 1, 1, 0]), full("float32", (2,), [3, 4]), (2, 3), *more)


def csr(function: str = "_rebuild_sparse_tensor") -> Call:
    crow, col = full("int64", (3,), [0, 1, 2]), full("int64", (2,), [2, 0])
    return sparse("sparse_csr", crow, col, full("float32", (2,), [5, 6]), (2, 3), function=function)


def quantised(of: Storage, shape: tuple[int, ...], scheme: str, *rest: object) -> Call:
    stride = tuple(int(np.prod(shape[axis + 1 :])) for axis in range(len(shape)))
    return utils("_rebuild_qtensor", of, 0, shape, stride, (Global("torch", scheme), *rest), False, HOOKS)


def per_channel() -> Call:
    scales, zeros = full("float64", (2,), [0.5, 2]), full("int64", (2,), [1, 0])
    return quantised(storage("qint8", [1, 2, 3, 4]), (2, 2), "per_channel_affine", scales, zeros, 0)


def nested() -> Call:
    rows = [full("int64", (2, 1), [2, 3]), full("int64", (2, 1), [1, 1]), full("int64", (2,), [0, 2])]
    return utils("_rebuild_nested_tensor", full("float32", (5,), range(5)), *rows)


def jagged() -> Call:
    function = Global("torch.nested._internal.nested_tensor", "_rebuild_njt")
    kind = Global("torch.nested._internal.nested_tensor", "NestedTensor")
    held = {"values": full("float32", (5,), range(5)), "offsets": full("int64", (3,), [0, 2, 5]), "lengths": None}
    return Call(Global("torch._tensor", "_rebuild_from_type_v2"), (function, kind, (held,), {}))


def meta() -> Call:
    return utils("_rebuild_meta_tensor_no_storage", Global("torch", "float16"), (2, 3), (1, 2), False)


def wrapper(cls: Global, shape: tuple[int, ...], **parts: object) -> Call:
    """A subclass that is only a shell around other tensors."""
    strided = Call(Global("torch.serialization", "_get_layout"), ("torch.strided",))
    facts = (cls, Global("torch", "float32"), shape, (1,), 0, strided, Call(Global("torch", "device"), ("cpu",)), False)
    function = Global("torch._utils", "_rebuild_wrapper_subclass")
    return Call(Global("torch._tensor", "_rebuild_from_type_v2"), (function, cls, facts, parts))


def dtensor(shape: tuple[int, ...]) -> Call:
    local = full("float32", (3,), [1, 2, 3])
    return wrapper(Global("torch.distributed.tensor", "DTensor"), shape, _local_tensor=local)


def subclass() -> Call:
    args = (storage("float32", [1, 2]), 0, (2,), (1,), False, HOOKS)
    return Call(Global("torch._tensor", "_rebuild_from_type_v2"), (REBUILD_V2, Global("zoo", "Named"), args, {"a": 1}))


def host_array(numbers: list[float]) -> Call:
    """A numpy array of float32."""
    dtype = Call(Global("numpy", "dtype"), ("f4", 0, 1), state=(3, "<", None, None, None, -1, -1, 0))
    made = (Global("numpy", "ndarray"), (0,), b"b")
    data = np.array(numbers, "<f4").tobytes()
    return Call(Global("numpy.core.multiarray", "_reconstruct"), made, state=(1, (len(numbers),), dtype, False, data))


def without(key: str, value: object) -> bytes:
    """A checkpoint that lacks the record of a storage."""
    pickler = ZipPickler()
    writer = ZipWriter("archive")
    writer.add("data.pkl", pickler.dumps(value))
    for name, held in pickler.storages.items():
        if name != key:
            writer.add(f"data/{name}", held.data)
    writer.add("version", b"3\n")
    return writer.finish()


def plan_of(value: object, form: str = "state_dict") -> Plan:
    return exporter_of(form).plan(document_of(value), Wanted())


def kept(value: object, path: Path) -> Tensor:
    """The one tensor `t` of a state_dict that was exported and opened again; nothing was dropped or changed."""
    report = exported(document_of({"t": value}), path)
    assert (report.plan.dropped, report.plan.converted) == ((), ())
    back = open_document(path)
    assert [each for each in back.problems if each.severity is not Severity.NOTE] == []
    (found,) = back.tensors
    return found


def parts(found: Tensor) -> dict[str, Any]:
    return {role: read(part).tolist() for role, part in found.parts}


# -- kept in a state_dict ---------------------------------------------------------------------------


def test_integers_with_one_scale(tmp_path: Path) -> None:
    found = kept(quantised(storage("quint8", [0, 3, 5]), (3,), "per_tensor_affine", 0.5, 3), tmp_path / "a.pt")
    assert found.quantizer is not None
    assert (found.quantizer.scheme, found.quantizer.scale, found.quantizer.zero_point) == ("per_tensor_affine", 0.5, 3)
    assert (found.dtype, read(found).tolist(), read_meant(found).tolist()) == ("quint8", [0, 3, 5], [-1.5, 0, 1])


def test_integers_with_a_scale_for_each_row(tmp_path: Path) -> None:
    found = kept(per_channel(), tmp_path / "a.pt")
    assert found.quantizer is not None
    assert (found.quantizer.scheme, found.quantizer.axis) == ("per_channel_affine", 0)
    assert parts(found) == {"scale": [0.5, 2], "zero_point": [1, 0]}
    assert read_meant(found).tolist() == [[0, 0.5], [6, 8]]


def test_scales_in_lists_become_tensors_as_today(tmp_path: Path) -> None:
    value = quantised(storage("qint8", [1, 2, 3, 4]), (2, 2), "per_channel_affine", [0.5, 2], [1, 0], 0)
    found = kept(value, tmp_path / "a.pt")
    assert {role: part.dtype for role, part in found.parts} == {"scale": "float64", "zero_point": "int64"}
    assert read_meant(found).tolist() == [[0, 0.5], [6, 8]]


def test_elements_that_share_bytes(tmp_path: Path) -> None:
    scales, zeros = full("float32", (1,), [0.5]), full("float32", (1,), [1])
    of = Storage("quint8", b"\x21\x43", cls=Global("torch", "QUInt4x2Storage"))
    found = kept(quantised(of, (1, 4), "per_channel_affine", scales, zeros, 0), tmp_path / "a.pt")
    assert found.quantizer is not None
    assert (found.dtype, found.quantizer.scheme) == ("quint4x2", "per_channel_affine_float_qparams")
    assert read_meant(found).tolist() == [[0, 0.5, 1, 1.5]]


@pytest.mark.parametrize(("stated", "found"), [((), None), ((False,), False), ((True,), True)])
def test_coordinates(tmp_path: Path, stated: tuple[bool, ...], found: bool | None) -> None:
    back = kept(coo(*stated), tmp_path / "a.pt")
    assert (back.layout, back.shape, back.coalesced) == ("sparse_coo", (2, 3), found)
    assert parts(back) == {"indices": [[0, 1], [1, 0]], "values": [3, 4]}


@pytest.mark.parametrize("function", ["_rebuild_sparse_tensor", "_rebuild_sparse_csr_tensor"])
def test_compressed_rows_also_of_the_function_that_is_gone(tmp_path: Path, function: str) -> None:
    back = kept(csr(function), tmp_path / "a.pt")
    assert (back.layout, back.shape, back.note) == ("sparse_csr", (2, 3), "_rebuild_sparse_tensor")
    assert parts(back) == {"crow_indices": [0, 1, 2], "col_indices": [2, 0], "values": [5, 6]}


@pytest.mark.parametrize("layout", ["sparse_csc", "sparse_bsr", "sparse_bsc"])
def test_other_compressed_layouts(tmp_path: Path, layout: str) -> None:
    shape = (1, 1, 1) if "bs" in layout else (1,)
    values = full("float32", shape, [7])
    value = sparse(layout, full("int64", (3,), [0, 1, 1]), full("int64", (1,), [1]), values, (2, 2))
    back = kept(value, tmp_path / "a.pt")
    assert (back.layout, [part.shape for _, part in back.parts]) == (layout, [(3,), (1,), shape])


def test_several_tensors_in_one_buffer(tmp_path: Path) -> None:
    back = kept(nested(), tmp_path / "a.pt")
    assert (back.layout, back.dtype) == ("nested", "float32")
    assert parts(back) == {
        "values": [0, 1, 2, 3, 4],
        "sizes": [[2], [3]],
        "strides": [[1], [1]],
        "offsets": [0, 2],
    }


def test_tensors_without_values(tmp_path: Path) -> None:
    back = kept(meta(), tmp_path / "a.pt")
    assert (back.note, back.dtype, back.shape) == ("_rebuild_meta_tensor_no_storage", "float16", (2, 3))
    assert (back.stride, back.storage) == ((1, 2), None)


def test_parts_share_storages_with_other_entries(tmp_path: Path) -> None:
    base = storage("float32", range(4))
    value = {
        "all": tensor(base, (4,)),
        "t": sparse("sparse_coo", full("int64", (1, 2), [0, 3]), tensor(base, (2,)), (4,)),
    }
    exported(document_of(value), tmp_path / "a.pt")
    back = {each.name: each for each in open_document(tmp_path / "a.pt").tensors}
    assert back["all"].storage is dict(back["t"].parts)["values"].storage


def test_integers_never_share_a_storage_with_plain_numbers(tmp_path: Path) -> None:
    """torch wants the storage of a quantised tensor to be of its own type."""
    of = storage("qint8", [1, 2])
    plain = Storage("int8", of.data, key="0")
    of.key = "0"
    value = {"q": quantised(of, (2,), "per_tensor_affine", 0.5, 0), "p": tensor(plain, (2,))}
    exported(document_of(value), tmp_path / "a.pt")
    back = {each.name: each for each in open_document(tmp_path / "a.pt").tensors}
    assert {name: (each.dtype, read(each).tolist()) for name, each in back.items()} == {
        "q": ("qint8", [1, 2]),
        "p": ("int8", [1, 2]),
    }
    assert back["q"].storage is not back["p"].storage


def test_big_endian_parts(tmp_path: Path) -> None:
    data = torch_zip(
        {"t": quantised(Storage("qint32", b"\0\0\1\2"), (1,), "per_tensor_affine", 1.0, 0)}, byteorder="big"
    )
    exported(open_document(MemorySource(data)), tmp_path / "a.pt")
    (back,) = open_document(tmp_path / "a.pt").tensors
    assert read(back).tolist() == [0x102]


@pytest.mark.parametrize(
    ("value", "needs"),
    [
        (coo(), "torch 1.6"),
        (coo(False), "torch 2.1"),
        (csr(), "torch 2.0"),
        (nested(), "torch 2.2"),
        (meta(), "torch 1.10"),
        (per_channel(), "torch 1.6"),
    ],
)
def test_the_first_torch_that_loads_them_is_told(value: Call, needs: str) -> None:
    assert plan_of({"t": value}).needs == needs


# -- written as something plainer ---------------------------------------------------------------------


def test_the_local_part_of_a_dtensor_that_is_the_whole(tmp_path: Path) -> None:
    report = exported(document_of({"t": dtensor((3,))}), tmp_path / "a.pt")
    assert report.plan.converted == (Converted("t", "DTensor", LOCAL),)
    (back,) = open_document(tmp_path / "a.pt").tensors
    assert (back.note, read(back).tolist()) == ("", [1, 2, 3])


def test_the_elements_below_a_subclass(tmp_path: Path) -> None:
    report = exported(document_of({"t": subclass()}), tmp_path / "a.pt")
    assert report.plan.converted == (Converted("t", "subclass of Tensor", "plain float32"),)
    assert b"zoo" not in record(tmp_path / "a.pt", "data.pkl")
    (back,) = open_document(tmp_path / "a.pt").tensors
    assert (back.note, read(back).tolist()) == ("", [1, 2])


def test_arrays_of_another_device_and_type(tmp_path: Path) -> None:
    array = host_array([1, 2])
    value = utils("_rebuild_device_tensor_from_numpy", array, Global("torch", "float64"), "xla:0", False)
    exported(document_of({"t": value}), tmp_path / "a.pt")
    (back,) = open_document(tmp_path / "a.pt").tensors
    assert (back.dtype, back.note, read(back).tolist()) == ("float64", "", [1, 2])


@pytest.mark.parametrize(
    "quantizer",
    [
        ("per_channel_affine", [0.5], [0], 0),
        ("per_channel_affine", [0.5, 1, 2], [0, 0, 0], 7),
        ("per_channel_affine", full("float16", (2,), [0.5, 1]), full("int64", (2,), [0, 0]), 0),
        ("per_channel_affine", [0.5, 1], [0, 2**70], 0),
        ("per_tensor_symmetric", 0.5, 0),
        ("per_tensor_affine", 0.5),
    ],
)
def test_a_quantizer_that_torch_refuses(tmp_path: Path, quantizer: tuple[Any, ...]) -> None:
    value = quantised(storage("qint8", [1, -2]), (2,), *quantizer)
    report = exported(document_of({"t": value}), tmp_path / "a.pt")
    assert report.plan.converted == (Converted("t", "qint8 without a quantizer that fits", "int8"),)
    (back,) = open_document(tmp_path / "a.pt").tensors
    assert (back.dtype, read(back).tolist()) == ("int8", [1, -2])


def test_jagged_tensors_as_their_parts(tmp_path: Path) -> None:
    """Loading with weights_only takes their class only where more of torch was imported."""
    value = OrderedDict(a=full("float32", (1,), [9]), t=jagged(), z=full("float32", (1,), [8]))
    report = exported(document_of(value), tmp_path / "a.pt")
    assert report.plan.converted == (Converted("t", "jagged", "t.values, t.offsets"),)
    back = open_document(tmp_path / "a.pt").tensors
    assert [(each.name, read(each).tolist()) for each in back] == [
        ("a", [9]),
        ("t.values", [0, 1, 2, 3, 4]),
        ("t.offsets", [0, 2, 5]),
        ("z", [8]),
    ]


# -- left out -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "reason", "text"),
    [
        (dtensor((6,)), "local-part", "only a part of it stands in this file: [3] of [6]"),
        (
            wrapper(Global("zoo", "Two"), (1,), a=full("float32", (1,), [1]), b=full("float32", (1,), [2])),
            "wrapper",
            "only its class knows what the tensors in it come to",
        ),
        (
            sparse("sparse_coo", full("int64", (2, 3), range(6)), full("float32", (2,), [3, 4]), (2, 3)),
            "parts-misfit",
            "the tensors that it is made of do not fit each other",
        ),
        (
            quantised(Storage("quint8", b"\x21", cls=Global("torch", "QUInt4x2Storage")), (2,), "per_tensor_affine"),
            "quantizer",
            "nothing that fits says which numbers its elements stand for",
        ),
        (
            Call(Global("torch.nn.parameter", "UninitializedParameter"), (True,)),
            "no-values",
            "its values are not stored as plain elements (UninitializedParameter)",
        ),
    ],
)
@pytest.mark.parametrize("form", ["state_dict", "npz", "safetensors"])
def test_what_is_left_out_says_why(value: Call, reason: str, text: str, form: str) -> None:
    plan = plan_of({"good": full("float32", (1,), [1]), "t": value}, form)
    assert [(each.name, each.reason, each.text) for each in plan.dropped] == [("t", reason, text)]
    assert [item.name for item in plan.items] == ["good"]


def test_parts_whose_names_are_taken() -> None:
    plan = plan_of({"t": jagged(), "t.offsets": full("float32", (1,), [1])})
    assert [(each.name, each.text) for each in plan.dropped] == [
        ("t", "other entries have the names that its parts would get: t.values, t.offsets")
    ]


def test_parts_with_bytes_missing(tmp_path: Path) -> None:
    lost = Storage("float32", bytes(8), key="lost")
    value = {"t": sparse("sparse_coo", full("int64", (2, 2), range(4)), tensor(lost, (2,)), (2, 4)), "w": csr()}
    document = open_document(MemorySource(without("lost", value)))
    plan = plan_rescue(document, Wanted())
    assert [(each.name, each.reason, dict(each.params)) for each in plan.dropped] == [
        ("t", "missing-bytes", {"missing": 8, "nbytes": 8})
    ]
    assert [(each.tensor.name, each.state, each.missing, each.nbytes) for each in remains(document)] == [
        ("t", State.CUT, 8, 40),
        ("w", State.WHOLE, 0, 48),
    ]
    assert left_behind(document, plan) == []


def test_digests_stay(tmp_path: Path) -> None:
    document = document_of({"t": per_channel()})
    exported(document, tmp_path / "a.pt")
    (before,), (after,) = document.tensors, open_document(tmp_path / "a.pt").tensors
    assert sha256(before) == sha256(after) is not None
