"""Tensors from the calls that pickles ask for."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

from tests.builders.legacy import LegacyPickler
from tests.builders.torch_values import (
    REBUILD_V2,
    REBUILD_V3,
    UNTYPED,
    Storage,
    full,
    parameter,
    storage,
    tensor,
)
from tests.builders.values import Call, Global, Instance, Persistent
from tests.core.tensors.streams import reading, written
from viewer.core.pickles.opcodes import code
from viewer.core.tensors.calls import PlainCalls
from viewer.core.tensors.path import Attribute
from viewer.core.tensors.tensor import ValueRef
from viewer.core.tensors.window import nbytes, read

V1 = Global("torch._utils", "_rebuild_tensor")
FROM_TYPE = Global("torch._tensor", "_rebuild_from_type_v2")
PARAMETER = Global("torch.nn.parameter", "Parameter")
TENSOR = Global("torch", "Tensor")
SIX = storage("float32", [0, 1, 2, 3, 4, 5])


def facts(value: object, protocol: int = 2) -> dict[str, Any]:
    """What is read of one value."""
    stream = written(value, protocol)
    found = stream.root()
    assert found is not None
    assert found.value == ValueRef(3, stream.values.root)
    assert stream.codes() == []
    return {
        "dtype": found.dtype,
        "shape": found.shape,
        "stride": found.stride,
        "offset": found.storage_offset,
        "grad": found.requires_grad,
        "kind": found.kind,
        "note": found.note,
        "layout": found.layout,
    }


@pytest.mark.parametrize("protocol", [1, 2, 3, 4, 5])
def test_version_2(protocol: int) -> None:
    found = facts(tensor(SIX, (2, 2), (3, 1), 1, requires_grad=True), protocol)
    assert found == {
        "dtype": "float32",
        "shape": (2, 2),
        "stride": (3, 1),
        "offset": 1,
        "grad": True,
        "kind": "tensor",
        "note": "",
        "layout": "strided",
    }


def test_version_1() -> None:
    found = facts(Call(V1, (SIX, 2, (2,), (1,))))
    assert (found["dtype"], found["shape"], found["offset"], found["grad"]) == ("float32", (2,), 2, False)


@pytest.mark.parametrize("dtype", ["uint16", "float8_e5m2", "complex32", "float4_e2m1fn_x2", "bits16"])
def test_version_3_states_the_type(dtype: str) -> None:
    found = facts(tensor(Storage(dtype, bytes(8)), (2,)))
    assert (found["dtype"], found["shape"], found["kind"]) == (dtype, (2,), "tensor")


@pytest.mark.parametrize(
    ("shape", "stride"),
    [
        ((), ()),
        ((6,), (1,)),
        ((2, 3), (1, 2)),
        ((1, 2, 3), (6, 3, 1)),
        ((1, 1, 2, 3), (6, 6, 3, 1)),
        ((0, 3), (3, 1)),
        ((5, 3), (0, 1)),
    ],
)
def test_shapes_of_any_rank(shape: tuple[int, ...], stride: tuple[int, ...]) -> None:
    found = facts(tensor(SIX, shape, stride))
    assert (found["shape"], found["stride"]) == (shape, stride)


def test_metadata() -> None:
    stream = written([tensor(SIX, (2,), metadata={"neg": True}), tensor(SIX, (2,), metadata={"conj": True})])
    assert [(found.conj, found.neg) for found in stream.found() if found.kind == "tensor"] == [
        (False, True),
        (True, False),
    ]


def test_metadata_that_is_shared_through_the_memo() -> None:
    flags = {"neg": True}
    hooks: OrderedDict[str, object] = OrderedDict()
    calls = [Call(REBUILD_V2, (SIX, at, (1,), (1,), False, hooks, flags)) for at in range(3)]
    assert [found.neg for found in written(calls).found() if found.kind == "tensor"] == [True, True, True]


@pytest.mark.parametrize("grad", [True, False])
def test_parameters(grad: bool) -> None:
    found = facts(parameter(full("float32", (2,), [1, 2]), grad))
    assert (found["grad"], found["shape"], found["kind"]) == (grad, (2,), "tensor")


def test_a_parameter_with_state() -> None:
    function = Global("torch._utils", "_rebuild_parameter_with_state")
    found = facts(Call(function, (full("float32", (1,), [1]), True, OrderedDict(), {"tag": 1})))
    assert found["grad"] is True


@pytest.mark.parametrize(
    ("call", "grad"),
    [
        (Call(PARAMETER, (full("float32", (2,), [1, 2]),)), True),
        (Call(PARAMETER, (full("float32", (2,), [1, 2]), False)), False),
        (Call(PARAMETER, (full("float32", (2,), [1, 2]),), (False, False, OrderedDict())), False),
        (Call(PARAMETER, (), (full("float32", (2,), [1, 2]), None, OrderedDict(), True, False)), True),
        (Call(Global("torch.autograd.variable", "Variable"), (full("float32", (2,), [1, 2]),)), False),
        (
            Call(
                Global("torch.autograd.variable", "Variable"),
                (full("float32", (2,), [1, 2]),),
                (True, False, OrderedDict()),
            ),
            True,
        ),
    ],
)
def test_parameters_of_the_variable_era(call: Call, grad: bool) -> None:
    found = facts(call)
    assert (found["dtype"], found["shape"], found["grad"]) == ("float32", (2,), grad)


@pytest.mark.parametrize("module", ["torch", "torch.cuda"])
def test_tensors_of_2017(module: str) -> None:
    kept = Storage("float32", SIX.data, cls=Global(module, "FloatStorage"))
    found = facts(Call(Global(module, "FloatTensor"), (), (kept, 1, (2, 2), (2, 1))))
    assert (found["dtype"], found["shape"], found["stride"], found["offset"]) == ("float32", (2, 2), (2, 1), 1)


def test_a_tensor_of_2017_without_a_storage() -> None:
    found = facts(Call(Global("torch", "LongTensor")))
    assert (found["dtype"], found["shape"]) == ("int64", (0,))


def test_bare_storages() -> None:
    stream = written([storage("int16", [1, 2, 3]), Storage("uint16", bytes(6))])
    assert [(found.kind, found.dtype, found.shape) for found in stream.found()] == [
        ("storage", "int16", (3,)),
        ("storage", "uint8", (6,)),
    ]


@pytest.mark.parametrize("cls", [TENSOR, PARAMETER, Global("torch.nn.parameter", "Buffer")])
def test_plain_types_of_a_call_are_read(cls: Global) -> None:
    args = (SIX, 0, (2, 3), (3, 1), False, OrderedDict())
    found = facts(Call(FROM_TYPE, (REBUILD_V2, cls, args, {"note": 1})))
    assert (found["dtype"], found["shape"], found["note"]) == ("float32", (2, 3), "")


def test_other_types_are_named() -> None:
    args = (SIX, 0, (2, 3), (3, 1), False, OrderedDict())
    found = facts(Call(FROM_TYPE, (REBUILD_V2, Global("mine", "Image"), args, {})))
    assert (found["dtype"], found["shape"], found["note"]) == ("float32", (2, 3), "_rebuild_from_type_v2")


def utils(name: str) -> Global:
    return Global("torch._utils", name)


SPECIAL = [
    (
        Call(
            utils("_rebuild_sparse_tensor"),
            (
                Call(Global("torch.serialization", "_get_layout"), ("torch.sparse_coo",)),
                (full("int64", (2, 1), [0, 1]), full("float64", (1,), [7]), Call(Global("torch", "Size"), ((3, 4),))),
            ),
        ),
        ("float64", (3, 4), "sparse_coo", False),
    ),
    (
        Call(
            utils("_rebuild_sparse_tensor"),
            (
                Global("torch", "sparse_csr"),
                (full("int64", (3,), [0, 1, 1]), full("int64", (1,), [0]), full("float32", (1,), [7]), (2, 2)),
            ),
        ),
        ("float32", (2, 2), "sparse_csr", False),
    ),
    (
        Call(utils("_rebuild_nested_tensor"), (full("float32", (6,), range(6)), *[full("int64", (1, 1), [1])] * 3)),
        ("float32", (), "nested", False),
    ),
    (
        Call(utils("_rebuild_meta_tensor_no_storage"), (Global("torch", "float16"), (4, 5), (5, 1), True)),
        ("float16", (4, 5), "strided", True),
    ),
    (
        Call(
            utils("_rebuild_wrapper_subclass"),
            (Global("m", "T"), Global("torch", "int4"), (2,), (1,), 0, Global("torch", "strided"), "cpu", False),
        ),
        ("int4", (2,), "strided", False),
    ),
    (Call(Global("torch.nn.parameter", "UninitializedParameter"), (True,)), ("unknown", (), "strided", True)),
]


@pytest.mark.parametrize(("call", "told"), SPECIAL, ids=[str(call.function) for call, _ in SPECIAL])
def test_special_tensors_are_named_with_what_they_state(call: Call, told: tuple[Any, ...]) -> None:
    stream = written(call)
    found = stream.root()
    assert found is not None
    assert (found.dtype, found.shape, found.layout, found.requires_grad) == told
    assert found.storage is None
    assert isinstance(call.function, Global)
    assert found.note == call.function.name


def test_a_file_inside_bytes_is_named_until_someone_reads_it() -> None:
    nested = Call(Global("torch.storage", "_load_from_bytes"), (b"...",))
    stream = written(Call(REBUILD_V2, (nested, 0, (2,), (1,), False, OrderedDict())))
    found = stream.root()
    assert found is not None
    assert (found.note, found.storage, found.shape) == ("_load_from_bytes", None, (2,))
    inner = written(SIX).table.all()[0]
    asked: list[int] = []

    def nested_storage(value: int) -> Any:
        asked.append(value)
        return inner

    reader = type(stream.rebuilder)(stream.values, 0, stream.table, nested=nested_storage)
    found = reader.tensor(stream.values.root)
    assert found is not None
    assert (found.dtype, found.storage) == ("float32", inner)
    assert len(asked) == 1


@pytest.mark.parametrize(
    "value",
    [
        7,
        "text",
        None,
        [],
        {"a": 1},
        (1, 2),
        Global("torch", "float32"),
        Call(Global("os", "getcwd")),
        Call(Global("collections", "OrderedDict")),
        Instance(Global("torch.nn", "Linear"), (), {}),
        Persistent(("module", Global("m", "C"), "f", "s")),
    ],
)
def test_what_is_no_tensor(value: object) -> None:
    stream = written(value)
    assert stream.root() is None
    assert stream.codes() == []


@pytest.mark.parametrize(
    "args",
    [
        (),
        (SIX,),
        (SIX, "0", (2,), (1,), False, None),
        (SIX, 0, 2, (1,), False, None),
        (SIX, 0, ("2",), (1,), False, None),
        (SIX, 0, (2,), None, False, None),
        ("storage", 0, (2,), (1,), False, None),
        (Global("torch", "FloatStorage"), 0, (2,), (1,), False, None),
    ],
)
@pytest.mark.parametrize("function", [V1, REBUILD_V2, REBUILD_V3])
def test_arguments_of_another_kind(function: Global, args: tuple[object, ...]) -> None:
    stream = written(Call(function, args))
    assert stream.root() is None
    assert stream.codes() == ["tensor-arguments"]
    assert stream.rebuilder.problems[0].span is not None


def test_the_elements_of_any_tensor_are_a_number_that_can_be_told() -> None:
    for axes, codes in ((200, []), (201, ["tensor-arguments"])):
        stream = written(Call(REBUILD_V2, (SIX, 0, (2**63 - 1,) * axes, (0,) * axes, False, OrderedDict())))
        tensor = stream.root()
        assert stream.codes() == codes
        assert (tensor is None) == bool(codes)
        assert tensor is None or len(f"{nbytes(tensor):,}") > 4300


def test_a_type_that_is_none() -> None:
    args = (Storage("uint8", bytes(4), cls=UNTYPED), 0, (2,), (1,), False, OrderedDict(), Global("torch", "float33"))
    stream = written(Call(REBUILD_V3, args))
    assert stream.root() is None
    assert stream.codes() == ["tensor-arguments"]


@pytest.mark.parametrize(
    ("offset", "shape", "stride"),
    [(0, (2, 3), (1,)), (0, (-2,), (1,)), (-1, (2,), (1,)), (0, (2,), (-1,))],
)
def test_layouts_that_are_none_are_listed_without_storage(
    offset: int, shape: tuple[int, ...], stride: tuple[int, ...]
) -> None:
    stream = written(tensor(SIX, shape, stride, offset))
    found = stream.root()
    assert found is not None
    assert (found.shape, found.stride, found.storage) == (shape, stride, None)
    assert stream.codes() == ["tensor-layout"]


@pytest.mark.parametrize("function", [REBUILD_V2, V1])
def test_a_tensor_beyond_its_storage_is_listed_and_named(function: Global) -> None:
    args = (SIX, 4, (2, 2), (1, 1), False, OrderedDict())
    stream = written(Call(function, args[: 6 if function is REBUILD_V2 else 4]))
    found = stream.root()
    assert found is not None
    found.path = ("layers", 0, Attribute("weight"))
    (problem,) = stream.rebuilder.problems
    assert problem.title == "layers.0.weight reaches beyond its storage"
    assert (problem.params["needed"], problem.params["size"]) == (28, 24)


def test_numbers_beyond_64_bits() -> None:
    stream = written(tensor(SIX, (2**62, 2**62), (2**62, 2**62), 3))
    found = stream.root()
    assert found is not None
    assert found.shape == (2**62, 2**62)
    assert stream.codes() == ["tensor-outside-storage"]
    # No tensor has a size of more than 64 bits: what states one is an object, as any other call.
    assert written(tensor(SIX, (2**70, 2), (1, 1), 3)).root() is None


def test_sizes_whose_product_leaves_64_bits() -> None:
    stream = written(tensor(SIX, (2**31,) * 4, (2**31,) * 4))
    assert stream.root() is not None
    assert stream.codes() == ["tensor-outside-storage"]


def test_empty_tensors_may_have_any_offset() -> None:
    assert facts(tensor(SIX, (0, 9), (9, 1), 1000))["offset"] == 1000


def test_integers_have_no_gradient() -> None:
    stream = written(tensor(storage("int64", [1]), (1,), requires_grad=True))
    assert stream.root() is not None
    assert stream.codes() == ["tensor-gradient"]


def test_a_typed_id_of_an_untyped_storage_tells_the_type() -> None:
    untyped = Persistent(("storage", UNTYPED, "0", "cpu", 4))
    typed = Persistent(("storage", Global("torch", "ByteStorage"), "0", "cpu", 4))
    stream = written([untyped, Call(REBUILD_V2, (typed, 0, (4,), (1,), False, OrderedDict()))])
    assert [(found.kind, found.dtype) for found in stream.found()] == [
        ("storage", "uint8"),
        ("storage", "uint8"),
        ("tensor", "uint8"),
    ]


def test_two_classes_of_one_key_give_each_its_own_type() -> None:
    ids = [Persistent(("storage", Global("torch", name), "0", "cpu", 2)) for name in ("FloatStorage", "IntStorage")]
    stream = written([Call(REBUILD_V2, (one, 0, (2,), (1,), False, OrderedDict())) for one in ids])
    assert [found.dtype for found in stream.found() if found.kind == "tensor"] == ["float32", "int32"]


def test_nothing_recurses_into_calls_that_hold_calls() -> None:
    value: object = full("float32", (1,), [1])
    for _ in range(40):
        value = Call(PARAMETER, (value,))
    assert written(value).root() is None


@pytest.mark.parametrize("protocol", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("legacy", [False, True])
def test_columns_and_single_values_agree(protocol: int, legacy: bool) -> None:
    """The columns serve all but the first calls; without them the same tensors are read."""
    shapes = [(), (6,), (2, 3), (1, 2, 3), (2, 0), (1, 1, 2, 1)]
    values = [tensor(storage("float32", range(6)), shape, requires_grad=shape == (6,)) for shape in shapes * 3]
    values += [tensor(Storage("uint32", bytes(12)), (3,)), tensor(Storage("uint32", bytes(12)), (2,), offset=1)]
    stream = written(values, pickler=LegacyPickler(protocol) if legacy else None, protocol=protocol)
    expected = written(values, pickler=LegacyPickler(protocol) if legacy else None, protocol=protocol)
    expected.rebuilder._plain = PlainCalls.__new__(PlainCalls)
    expected.rebuilder._plain._facts = {}
    told = [[str(found) for found in each.found()] for each in (stream, expected)]
    assert [text.split("source=")[0] for text in told[0]] == [text.split("source=")[0] for text in told[1]]
    assert len(told[0]) == 2 * len(values)
    if protocol in (2, 3):
        assert len(PlainCalls(stream.table.rows)) == len(values)


def test_a_memo_slot_that_is_stored_twice() -> None:
    """Two tensors whose storage class comes from one slot, which holds another class each time."""
    stream = written([full("float32", (2,), [1, 2]), full("int32", (2,), [3, 4])])
    data = bytearray(stream.values.code.source.read(0, 10**6))
    puts = [stream.values.code.offset(row) for row in stream.values.code.memo.puts.tolist()]
    classes = [stream.values.code.offset(row) for row in stream.values.globals()]
    slots = [next(put for put in puts if put > start) for start in classes]
    named = dict(zip([stream.values.global_name(row) for row in stream.values.globals()], slots, strict=True))
    first, second = named["torch", "FloatStorage"], named["torch", "IntStorage"]
    assert data[first] == data[second] == code("BINPUT")
    data[second + 1] = data[first + 1]
    again = reading(bytes(data), {"0": bytes(8), "1": bytes(8)})
    assert [found.dtype for found in again.found() if found.kind == "tensor"] == ["float32", "int32"]


def test_values_come_from_the_right_place() -> None:
    found = written(tensor(SIX, (2, 2), (1, 3), 1)).root()
    assert found is not None
    assert read(found).tolist() == [[1.0, 4.0], [2.0, 5.0]]
    assert read(found).dtype == np.dtype("<f4")
