"""Tensors that are made of several: sparse, nested, wrappers, quantised ones, and those of devices."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

from tests.builders.torch_values import REBUILD_V2, Storage, full, storage
from tests.builders.values import Call, Global
from tests.core.tensors.streams import written
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.span import Span
from viewer.core.tensors.checks import large_value_problems, large_values, value_problems
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.meaning import numbers, read_meant
from viewer.core.tensors.tensor import Tensor, inner_tensors
from viewer.core.tensors.window import complete, extent, nbytes, read, stored_nbytes

FROM_TYPE = Global("torch._tensor", "_rebuild_from_type_v2")
HOOKS: OrderedDict[str, object] = OrderedDict()


def utils(name: str) -> Global:
    return Global("torch._utils", name)


def root(value: object) -> Tensor:
    found = written(value).root()
    assert found is not None
    return found


def layout(name: str) -> Call:
    return Call(Global("torch.serialization", "_get_layout"), (f"torch.{name}",))


def sparse(name: str, *data: object, function: str = "_rebuild_sparse_tensor") -> Call:
    return Call(utils(function), (layout(name), data))


def quantised(of: Storage, shape: tuple[int, ...], *quantizer: object, stride: tuple[int, ...] = ()) -> Call:
    steps = stride or tuple(int(np.prod(shape[axis + 1 :])) for axis in range(len(shape)))
    scheme, *rest = quantizer
    given = (Global("torch", str(scheme)), *rest)
    return Call(utils("_rebuild_qtensor"), (of, 0, shape, steps, given, False, HOOKS))


def parts(found: Tensor) -> dict[str, Any]:
    return {role: read(part).tolist() for role, part in found.parts}


# -- quantised ------------------------------------------------------------------------------------


def test_quantised_by_one_scale() -> None:
    found = root(quantised(storage("qint8", [-3, 0, 3, 5]), (2, 2), "per_tensor_affine", 0.5, 3))
    assert read(found).tolist() == [[-3, 0], [3, 5]]
    assert read_meant(found).tolist() == [[-3.0, -1.5], [0.0, 1.0]]
    assert read_meant(found).dtype == np.float32
    assert found.note == "_rebuild_qtensor"
    assert found.quantizer is not None
    assert (found.quantizer.scheme, found.quantizer.axis, found.parts) == ("per_tensor_affine", None, ())


def per_channel(axis: int, scales: object, zeros: object) -> Call:
    return quantised(storage("quint8", range(6)), (2, 3), "per_channel_affine", scales, zeros, axis)


@pytest.mark.parametrize("axis", [1, -2 + 1])
def test_quantised_by_channels_of_the_last_axis(axis: int) -> None:
    call = per_channel(axis, full("float64", (3,), [1, 10, 100]), full("int64", (3,), [0, 1, 2]))
    found = root(call)
    assert read_meant(found).tolist() == [[0, 0, 0], [3, 30, 300]]
    assert read_meant(found, (slice(1, 2), slice(1, 3))).tolist() == [[30, 300]]
    assert read_meant(found, (1, 2)).tolist() == 300
    assert read_meant(found, (slice(None), 1)).tolist() == [0, 30]
    assert parts(found) == {"scale": [1, 10, 100], "zero_point": [0, 1, 2]}
    assert found.quantizer is not None
    assert (found.quantizer.scheme, found.quantizer.axis) == ("per_channel_affine", 1)


def test_quantised_by_lists_of_torch_1_3() -> None:
    found = root(per_channel(0, [1.0, 2.0], [0, 1]))
    assert read_meant(found).tolist() == [[0, 1, 2], [4, 6, 8]]
    assert read_meant(found, (1,)).tolist() == [4, 6, 8]
    assert found.quantizer is not None
    assert found.quantizer.scheme == "per_channel_affine"
    assert numbers(found.quantizer.scale).tolist() == [1, 2]


def test_float_zero_points_are_a_scheme_of_their_own() -> None:
    found = root(per_channel(0, full("float32", (2,), [2, 4]), full("float32", (2,), [0.5, 1])))
    assert found.quantizer is not None
    assert found.quantizer.scheme == "per_channel_affine_float_qparams"
    assert read_meant(found).tolist() == [[-1, 1, 3], [8, 12, 16]]


@pytest.mark.parametrize(
    ("axis", "scales", "facts"),
    [
        (1, [1.0, 2.0], {"axis": 1, "found": 2, "expected": 3}),
        (2, [1.0, 2.0], {"axis": 2, "found": 2, "expected": 3}),
    ],
)
def test_scales_that_do_not_fit(axis: int, scales: list[float], facts: dict[str, int]) -> None:
    stream = written(per_channel(axis, scales, [0] * len(scales)))
    found = stream.root()
    assert found is not None
    (problem,) = stream.rebuilder.problems
    assert problem.code == "tensor-channels"
    assert {name: problem.params[name] for name in facts} == facts
    assert read(found).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_an_axis_without_a_scale_has_no_numbers() -> None:
    found = root(per_channel(1, [1.0, 2.0], [0, 0]))
    assert np.isnan(read_meant(found)[:, 2]).all()
    assert read_meant(found)[:, :2].tolist() == [[0, 2], [3, 8]]


@pytest.mark.parametrize("given", [(), ("per_tensor_affine",), ("per_channel_affine", [1.0], [0], None)])
def test_a_quantizer_that_is_none(given: tuple[object, ...]) -> None:
    quantizer = tuple(Global("torch", str(part)) if at == 0 else part for at, part in enumerate(given))
    args = (storage("qint32", [1, 2]), 0, (2,), (1,), quantizer, False, HOOKS)
    stream = written(Call(utils("_rebuild_qtensor"), args))
    found = stream.root()
    assert found is not None
    assert (read(found).tolist(), stream.codes()) == ([1, 2], ["tensor-quantizer"])


def packed(dtype: str, data: bytes, shape: tuple[int, ...], stride: tuple[int, ...] = ()) -> Tensor:
    rows = shape[0]
    ones, zeros = full("float32", (rows,), [1] * rows), full("float32", (rows,), [0] * rows)
    return root(
        quantised(
            Storage("uint8", data, cls=Global("torch", dtype)),
            shape,
            "per_channel_affine",
            ones,
            zeros,
            0,
            stride=stride,
        )
    )


def test_four_bits_each_the_first_in_the_low_ones() -> None:
    found = packed("QUInt4x2Storage", bytes([0x10, 0x32, 0x54, 0xFF]), (2, 3))
    assert read(found).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert read(found, (1, slice(1, 3))).tolist() == [4, 5]
    assert read_meant(found).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert extent(found) == Span(0, 3)
    # That of 10 32 54, the packed bytes.
    assert sha256(found) == "9618b74b1f217d23d01190fc7ebe5ade02fe774d25de152407bfffa77fb4042b"


def test_two_bits_each() -> None:
    found = packed("QUInt2x4Storage", bytes([0b11100100, 0b00011011]), (2, 4))
    assert read(found).tolist() == [[0, 1, 2, 3], [3, 2, 1, 0]]
    turned = packed("QUInt2x4Storage", bytes([0b11100100, 0b00011011]), (4, 2), (1, 4))
    assert read(turned).tolist() == [[0, 3], [1, 2], [2, 1], [3, 0]]
    assert complete(turned)


def test_pairs_of_four_bit_floats() -> None:
    args = (Storage("float4_e2m1fn_x2", bytes([0x72, 0xF1])), 0, (2,), (1,), False, HOOKS)
    found = root(Call(utils("_rebuild_tensor_v3"), (*args, Global("torch", "float4_e2m1fn_x2"))))
    assert read(found).tolist() == [0x72, 0xF1]
    assert read_meant(found).tolist() == [(1.0, 6.0), (0.5, -6.0)]


# -- sparse, nested, wrappers ---------------------------------------------------------------------

COO = (full("int64", (2, 2), [0, 1, 2, 0]), full("float32", (2,), [7, 8]), Call(Global("torch", "Size"), ((2, 3),)))


@pytest.mark.parametrize("coalesced", [None, True, False])
def test_coordinates(coalesced: bool | None) -> None:
    found = root(sparse("sparse_coo", *COO, *([] if coalesced is None else [coalesced])))
    assert parts(found) == {"indices": [[0, 1], [2, 0]], "values": [7, 8]}
    assert (found.layout, found.shape, found.coalesced, found.storage) == ("sparse_coo", (2, 3), coalesced, None)
    assert list(value_problems([found])) == []


@pytest.mark.parametrize(
    ("name", "roles", "values"),
    [
        ("sparse_csr", ("crow_indices", "col_indices"), full("float32", (3,), [1, 2, 3])),
        ("sparse_csc", ("ccol_indices", "row_indices"), full("float32", (3,), [1, 2, 3])),
        ("sparse_bsr", ("crow_indices", "col_indices"), full("float32", (3, 1, 1), [1, 2, 3])),
        ("sparse_bsc", ("ccol_indices", "row_indices"), full("float32", (3, 1, 1), [1, 2, 3])),
    ],
)
def test_compressed_rows_and_columns(name: str, roles: tuple[str, str], values: Call) -> None:
    stream = written(sparse(name, full("int64", (3,), [0, 1, 3]), full("int64", (3,), [1, 0, 1]), values, (2, 2)))
    found = stream.root()
    assert found is not None
    assert [role for role, _ in found.parts] == [*roles, "values"]
    assert (found.layout, found.shape, stream.codes()) == (name, (2, 2), [])
    assert list(value_problems([found])) == []


def test_blocks_of_several_elements_and_batches() -> None:
    blocks = sparse(
        *("sparse_bsr", full("int64", (3,), [0, 1, 2]), full("int64", (2,), [0, 1])),
        *(full("float32", (2, 2, 3), range(12)), (4, 6)),
    )
    batches = sparse(
        *("sparse_csc", full("int64", (2, 3), [0, 1, 2, 0, 0, 2]), full("int64", (2, 2), [0, 1, 0, 1])),
        *(full("float32", (2, 2), range(4)), (2, 5, 2)),
    )
    for call in (blocks, batches):
        stream = written(call)
        found = stream.root()
        assert found is not None
        assert (stream.codes(), list(value_problems([found]))) == ([], [])


def test_a_function_that_torch_has_no_more() -> None:
    values = (full("int64", (2,), [0, 1]), full("int64", (1,), [1]), full("float32", (1,), [5]), (1, 2))
    stream = written(sparse("sparse_csr", *values, function="_rebuild_sparse_csr_tensor"))
    found = stream.root()
    assert found is not None
    assert parts(found) == {"crow_indices": [0, 1], "col_indices": [1], "values": [5]}
    assert stream.codes() == ["tensor-function-gone"]


CSR = (full("int64", (3,), [0, 1, 3]), full("int64", (3,), [1, 0, 1]), full("float32", (3,), [1, 2, 3]))
SHAPES = [
    sparse("sparse_coo", full("int64", (2, 3), range(6)), COO[1], (2, 3)),
    sparse("sparse_coo", full("int64", (4,), range(4)), COO[1], (2, 3)),
    sparse("sparse_coo", COO[0], COO[1], (2, 3, 4)),
    sparse("sparse_csr", CSR[0], CSR[1], full("float32", (2,), [1, 2]), (2, 2)),
    sparse("sparse_csr", *CSR, (3, 2)),
]


@pytest.mark.parametrize("call", SHAPES)
def test_parts_whose_shapes_do_not_fit(call: Call) -> None:
    stream = written(call)
    assert stream.root() is not None
    assert stream.codes() == ["tensor-sparse-shape"]


VALUES = [
    (sparse("sparse_coo", full("int64", (2, 2), [0, 2, 2, 0]), *COO[1:]), "tensor-sparse-index", {"found": 2}),
    (sparse("sparse_coo", full("int64", (2, 2), [0, 1, -1, 0]), *COO[1:]), "tensor-sparse-index", {"found": -1}),
    (sparse("sparse_coo", full("int64", (2, 2), [1, 0, 0, 2]), *COO[1:], True), "tensor-sparse-order", {}),
    (sparse("sparse_coo", full("int64", (2, 2), [1, 1, 2, 2]), *COO[1:], True), "tensor-sparse-order", {}),
    (sparse("sparse_csr", full("int64", (3,), [0, 3, 1]), *CSR[1:], (2, 2)), "tensor-sparse-pointers", {"last": 1}),
    (sparse("sparse_csr", full("int64", (3,), [1, 1, 3]), *CSR[1:], (2, 2)), "tensor-sparse-pointers", {"first": 1}),
    (
        sparse("sparse_csc", CSR[0], full("int64", (3,), [1, 0, 2]), CSR[2], (2, 2)),
        *("tensor-sparse-index", {"found": 2, "size": 2, "role": "row_indices"}),
    ),
]


@pytest.mark.parametrize(("call", "code", "facts"), VALUES)
def test_indices_that_are_wrong(call: Call, code: str, facts: dict[str, Any]) -> None:
    (problem,) = value_problems([root(call)])
    assert problem.code == code
    assert {name: problem.params[name] for name in facts} == facts
    assert problem.span is not None


def test_booleans_that_are_none() -> None:
    found = root(full("bool", (4,), [0, 1, 1, 0]))
    assert list(value_problems([found])) == []
    odd = root(Call(REBUILD_V2, (Storage("bool", b"\x00\x01\x02\xff"), 0, (4,), (1,), False, HOOKS)))
    (problem,) = value_problems([odd])
    assert (problem.code, problem.params["count"], problem.params["found"]) == ("tensor-bool-bytes", 2, 2)


def test_large_tensors_are_not_looked_at() -> None:
    odd = root(Call(REBUILD_V2, (Storage("bool", b"\x02" * 1048577), 0, (1048577,), (1,), False, HOOKS)))
    small = root(Call(REBUILD_V2, (Storage("bool", b"\x02"), 0, (1,), (1,), False, HOOKS)))
    assert [problem.params["count"] for problem in value_problems([odd, small])] == [1]
    # they are in the work that goes with the checksums
    assert large_values([odd, small]) == 1048577
    assert [problem.params["count"] for problem in large_value_problems([odd, small], Progress())] == [1048577]


def test_the_check_of_large_tensors_can_be_stopped() -> None:
    odd = root(Call(REBUILD_V2, (Storage("bool", b"\x02" * 1048577), 0, (1048577,), (1,), False, HOOKS)))
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        list(large_value_problems([odd], progress))


def test_each_tensor_is_looked_at_once() -> None:
    stored = Storage("bool", bytes(1024 * 1024))
    many = [root(Call(REBUILD_V2, (stored, 0, (1024 * 1024,), (1,), False, HOOKS))) for _ in range(12)]
    assert large_values(many) == 4 * 1024 * 1024
    assert large_values(many[:1] * 12) == 0


def test_nested() -> None:
    values = full("float32", (5,), [0, 1, 2, 3, 4])
    shapes = [full("int64", (2, 1), [3, 2]), full("int64", (2, 1), [1, 1]), full("int64", (2,), [0, 3])]
    found = root(Call(utils("_rebuild_nested_tensor"), (values, *shapes)))
    assert (found.layout, found.dtype) == ("nested", "float32")
    assert parts(found) == {
        "values": [0, 1, 2, 3, 4],
        "sizes": [[3], [2]],
        "strides": [[1], [1]],
        "offsets": [0, 3],
    }


def test_jagged() -> None:
    state = {"values": full("float16", (5,), range(5)), "offsets": full("int64", (3,), [0, 3, 5]), "lengths": None}
    function = Global("torch.nested._internal.nested_tensor", "_rebuild_njt")
    cls = Global("torch.nested._internal.nested_tensor", "NestedTensor")
    found = root(Call(FROM_TYPE, (function, cls, (state,), {})))
    assert (found.layout, found.dtype) == ("jagged", "float16")
    assert parts(found) == {"values": [0, 1, 2, 3, 4], "offsets": [0, 3, 5]}


WRAPPER = (Global("m", "Two"), Global("torch", "float32"), (2,), (1,), 0, Global("torch", "strided"), "cpu", True)


@pytest.mark.parametrize("slots", [False, True])
def test_a_wrapper_and_what_it_wraps(slots: bool) -> None:
    mapping = {"a": full("float32", (2,), [1, 2]), "b": full("int8", (1,), [3]), "tag": 4}
    state: object = (mapping, {"c": full("int8", (1,), [5])}) if slots else mapping
    found = root(Call(FROM_TYPE, (utils("_rebuild_wrapper_subclass"), WRAPPER[0], WRAPPER, state)))
    assert (found.dtype, found.shape, found.requires_grad, found.storage) == ("float32", (2,), True, None)
    assert parts(found) == {"a": [1, 2], "b": [3]} | ({"c": [5]} if slots else {})


def test_wrappers_in_wrappers() -> None:
    def wrapped(inner: object) -> Call:
        return Call(FROM_TYPE, (utils("_rebuild_wrapper_subclass"), WRAPPER[0], WRAPPER, {"inner": inner}))

    outer = root(wrapped(wrapped(full("int8", (1,), [9]))))
    (_, inner), *_ = outer.parts
    assert parts(inner) == {"inner": [9]}


def test_the_elements_below_another_type() -> None:
    args = (storage("float32", [1, 2, 3]), 0, (3,), (1,), False, HOOKS)
    found = root(Call(FROM_TYPE, (REBUILD_V2, Global("mine", "Image"), args, {"mask": full("bool", (1,), [1])})))
    assert (read(found).tolist(), found.note) == ([1, 2, 3], "_rebuild_from_type_v2")
    assert parts(found) == {"mask": [True]}


# -- devices --------------------------------------------------------------------------------------


def array(data: bytes, count: int, code: str) -> Call:
    """A numpy array of one axis as protocol 4 has it."""
    dtype = Call(Global("numpy", "dtype"), (code, False, True), (3, "<", None, None, None, -1, -1, 0))
    made = (Global("numpy", "ndarray"), (0,), b"b")
    return Call(Global("numpy.core.multiarray", "_reconstruct"), made, (1, (count,), dtype, False, data))


@pytest.mark.parametrize("name", ["_rebuild_device_tensor_from_numpy", "_rebuild_xla_tensor", "_rebuild_mlc_tensor"])
def test_a_device_tensor_from_numpy(name: str) -> None:
    data = np.array([1, 2], dtype="<f4").tobytes()
    found = written(Call(utils(name), (array(data, 2, "f4"), Global("torch", "float32"), "xla:1", True)), 4).root()
    assert found is not None
    assert (found.kind, found.dtype, found.numpy_dtype, found.note) == ("tensor", "float32", "", "")
    assert (read(found).tolist(), found.requires_grad) == ([1, 2], True)
    assert found.storage is not None
    assert found.storage.location == "xla:1"


def test_a_device_tensor_that_is_converted() -> None:
    data = np.array([1, 2.5], dtype="<f4").tobytes()
    args = (array(data, 2, "f4"), Global("torch", "bfloat16"), "xla:1", False)
    found = written(Call(utils("_rebuild_device_tensor_from_numpy"), args), 4).root()
    assert found is not None
    assert (found.dtype, found.numpy_dtype, found.note) == ("bfloat16", "<f4", "_rebuild_device_tensor_from_numpy")
    assert read(found).astype(np.float32).tolist() == [1, 2.5]
    assert extent(found) == Span(0, 8)


def test_a_device_tensor_from_the_host() -> None:
    args = (full("float32", (2,), [1, 2]), Global("torch", "float32"), "hpu:0", False)
    found = root(Call(utils("_rebuild_device_tensor_from_cpu_tensor"), args))
    assert (found.dtype, found.note, read(found).tolist()) == ("float32", "", [1, 2])
    assert found.storage is not None
    assert found.storage.location == "hpu:0"


@pytest.mark.parametrize("key", ["../version", "a/b", "a\\b"])
def test_keys_that_are_paths(key: str) -> None:
    stream = written(tensor_over(Storage("float32", bytes(4), key=key)))
    assert stream.root() is not None
    assert stream.codes() == ["storage-key"]


def tensor_over(of: Storage) -> Call:
    return Call(REBUILD_V2, (of, 0, (1,), (1,), False, HOOKS))


def test_parts_that_are_shared_are_not_made_without_end() -> None:
    inner: object = full("int8", (1,), [9])
    for _ in range(7):
        state = {f"part{at}": inner for at in range(30)}
        inner = Call(FROM_TYPE, (utils("_rebuild_wrapper_subclass"), WRAPPER[0], WRAPPER, state))
    found = root(inner)
    assert 0 < sum(1 for _ in inner_tensors(found)) <= 200


# -- bytes ----------------------------------------------------------------------------------------


def test_what_is_made_of_parts_takes_the_bytes_of_these_in_the_file() -> None:
    indices, values = full("int64", (2, 2), [0, 1, 2, 0]), full("float32", (2,), [7, 8])
    found = root(sparse("sparse_coo", indices, values, (200, 320), True))
    assert (nbytes(found), stored_nbytes(found)) == (256_000, 2 * 2 * 8 + 2 * 4)
    plain = root(full("float32", (2,), [7, 8]))
    assert stored_nbytes(plain) == nbytes(plain) == 8
