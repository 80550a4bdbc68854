"""Storages, tensors, parameters and modules as torch puts them into a pickle.

A `Storage` becomes a persistent id, whose form the archive decides (tests.builders.legacy, tests.builders.torch_zip).
The classes of today's torch are written; `era="1.1"` gives a module the attributes that torch 1.1 gave it.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from typing_extensions import override

from tests.builders.values import Call, Fresh, Global, Instance, Pickler

REBUILD_V2: Final = Global("torch._utils", "_rebuild_tensor_v2")
REBUILD_V3: Final = Global("torch._utils", "_rebuild_tensor_v3")
REBUILD_PARAMETER: Final = Global("torch._utils", "_rebuild_parameter")
THNN_BACKEND: Final = Global("torch.nn.backends.thnn", "_get_thnn_function_backend")
UNTYPED: Final = Global("torch.storage", "UntypedStorage")

# dtype: storage class (None: untyped, through _rebuild_tensor_v3), bytes an element, struct letter (None: give bytes)
DTYPES: Final[dict[str, tuple[str | None, int, str | None]]] = {
    "float64": ("DoubleStorage", 8, "d"),
    "float32": ("FloatStorage", 4, "f"),
    "float16": ("HalfStorage", 2, "e"),
    "bfloat16": ("BFloat16Storage", 2, None),
    "int64": ("LongStorage", 8, "q"),
    "int32": ("IntStorage", 4, "i"),
    "int16": ("ShortStorage", 2, "h"),
    "int8": ("CharStorage", 1, "b"),
    "uint8": ("ByteStorage", 1, "B"),
    "bool": ("BoolStorage", 1, "?"),
    "complex64": ("ComplexFloatStorage", 8, None),
    "complex128": ("ComplexDoubleStorage", 16, None),
    "qint8": ("QInt8Storage", 1, "b"),
    "quint8": ("QUInt8Storage", 1, "B"),
    "qint32": ("QInt32Storage", 4, "i"),
    "complex32": (None, 4, None),
    "uint16": (None, 2, "H"),
    "uint32": (None, 4, "I"),
    "uint64": (None, 8, "Q"),
    "float8_e5m2": (None, 1, None),
    "float8_e4m3fn": (None, 1, None),
    "float8_e5m2fnuz": (None, 1, None),
    "float8_e4m3fnuz": (None, 1, None),
    "float8_e8m0fnu": (None, 1, None),
    "float4_e2m1fn_x2": (None, 1, None),
    "bits8": (None, 1, None),
    "bits16": (None, 2, None),
}

HOOKS_1_1: Final = (
    "_backward_hooks",
    "_forward_hooks",
    "_forward_pre_hooks",
    "_state_dict_hooks",
    "_load_state_dict_pre_hooks",
)


def packed(dtype: str, values: Iterable[float], order: str = "<") -> bytes:
    """Numbers as the bytes of a dtype. bfloat16 is cut, not rounded: give values that it can hold."""
    numbers = list(values)
    if dtype == "bfloat16":
        words = [int.from_bytes(struct.pack(">f", number)[:2], "big") for number in numbers]
        return struct.pack(f"{order}{len(words)}H", *words)
    letter = DTYPES[dtype][2]
    if letter is None:
        raise ValueError(f"give the bytes of {dtype}")
    if letter in "bBhHiIqQ":
        return struct.pack(f"{order}{len(numbers)}{letter}", *(int(number) for number in numbers))
    return struct.pack(f"{order}{len(numbers)}{letter}", *numbers)


@dataclass(slots=True, eq=False)
class Storage:
    """Bytes of one dtype. `key` None: the archive numbers it. `view`: (key, offset, count) of early legacy streams."""

    dtype: str
    data: bytes
    location: str = "cpu"
    key: str | int | None = None
    view: tuple[str, int, int] | None = None
    cls: Global | None = None

    @property
    def global_class(self) -> Global:
        """The class that the persistent id names."""
        name = DTYPES[self.dtype][0]
        return self.cls or (UNTYPED if name is None else Global("torch", name))

    @property
    def count(self) -> int:
        """Elements as the persistent id counts them: bytes for an untyped storage."""
        untyped = DTYPES[self.dtype][0] is None
        return len(self.data) if untyped else len(self.data) // DTYPES[self.dtype][1]


def storage(dtype: str, values: Iterable[float], location: str = "cpu") -> Storage:
    """A storage that holds these numbers."""
    return Storage(dtype, packed(dtype, values), location)


def contiguous(shape: Sequence[int]) -> tuple[int, ...]:
    """Row-major strides, in elements."""
    return tuple(prod(max(size, 1) for size in shape[axis + 1 :]) for axis in range(len(shape)))


def tensor(
    of: Storage,
    shape: Sequence[int],
    stride: Sequence[int] | None = None,
    offset: int = 0,
    requires_grad: bool = False,
    metadata: Mapping[str, bool] | None = None,
) -> Call:
    """A strided tensor over a storage; `stride` None is contiguous."""
    steps = contiguous(shape) if stride is None else tuple(stride)
    args: tuple[object, ...] = (of, offset, tuple(shape), steps, requires_grad, OrderedDict())
    if DTYPES[of.dtype][0] is None:
        args += (Global("torch", of.dtype),)
    if metadata is not None:
        args += (dict(metadata),)
    return Call(REBUILD_V2 if DTYPES[of.dtype][0] else REBUILD_V3, args)


def full(dtype: str, shape: Sequence[int], values: Iterable[float], location: str = "cpu") -> Call:
    """A contiguous tensor with a storage of its own."""
    return tensor(storage(dtype, values, location), shape)


def parameter(data: Call, requires_grad: bool = True) -> Call:
    """A Parameter over a tensor."""
    return Call(REBUILD_PARAMETER, (data, requires_grad, OrderedDict()))


@dataclass(slots=True, eq=False)
class ModuleClass:
    """A class of nn.Module, its source kept in a legacy stream. All objects of a class share one ModuleClass."""

    module: str
    name: str
    file: str | None = None
    source: str | None = None

    @property
    def global_class(self) -> Global:
        """The name alone."""
        return Global(self.module, self.name)


class TorchPickler(Pickler):
    """Knows module classes; the archives' picklers add the ids of storages."""

    @override
    def stand_in(self, value: object) -> object:
        return value.global_class if isinstance(value, ModuleClass) else value


def module(
    cls: ModuleClass | Global,
    attributes: Mapping[str, object] | None = None,
    parameters: Mapping[str, object] | None = None,
    buffers: Mapping[str, object] | None = None,
    children: Mapping[str, object] | None = None,
    era: str = "2.13",
) -> Instance:
    """An nn.Module with its `__dict__`; `attributes` are those that its own `__init__` sets."""
    make = _state_1_1 if era == "1.1" else _state_2_13
    state = make(parameters or {}, buffers or {}, children or {})
    state.update(attributes or {})
    return Instance(cls, (), state)


def _state_1_1(
    parameters: Mapping[str, object], buffers: Mapping[str, object], children: Mapping[str, object]
) -> dict[str, object]:
    state: dict[str, object] = {
        "_backend": BACKEND,
        "_parameters": OrderedDict(parameters),
        "_buffers": OrderedDict(buffers),
    }
    state.update((name, OrderedDict()) for name in HOOKS_1_1)
    state["_modules"] = OrderedDict(children)
    state["training"] = True
    return state


def _state_2_13(
    parameters: Mapping[str, object], buffers: Mapping[str, object], children: Mapping[str, object]
) -> dict[str, object]:
    return {
        "training": True,
        "_parameters": dict(parameters),
        "_buffers": dict(buffers),
        "_non_persistent_buffers_set": set(),
        "_backward_pre_hooks": OrderedDict(),
        "_backward_hooks": OrderedDict(),
        "_is_full_backward_hook": None,
        "_forward_hooks": OrderedDict(),
        "_forward_hooks_with_kwargs": OrderedDict(),
        "_forward_hooks_always_called": OrderedDict(),
        "_forward_pre_hooks": OrderedDict(),
        "_forward_pre_hooks_with_kwargs": OrderedDict(),
        "_state_dict_hooks": OrderedDict(),
        "_state_dict_pre_hooks": OrderedDict(),
        "_load_state_dict_pre_hooks": OrderedDict(),
        "_load_state_dict_post_hooks": OrderedDict(),
        "_modules": dict(children),
    }


# All modules of torch 1.0 to 1.2 share this one object.
BACKEND: Final = Call(THNN_BACKEND)


def state_dict(tensors: Mapping[str, object], versions: Mapping[str, int] | None = None) -> OrderedDict[str, object]:
    """What `module.state_dict()` gives; `versions` are the modules' paths for `_metadata` (None: without)."""
    mapping: OrderedDict[str, object] = OrderedDict(tensors)
    if versions is not None:
        kept = OrderedDict((Fresh(path), {"version": version}) for path, version in versions.items())
        vars(mapping)["_metadata"] = kept
    return mapping


def adam_state_dict(
    states: Sequence[tuple[Call, Call, Call]], lr: float = 1e-3, extra: Mapping[str, object] | None = None
) -> dict[str, object]:
    """What `torch.optim.Adam.state_dict()` gives: step, exp_avg and exp_avg_sq a parameter."""
    state = {
        index: {"step": step, "exp_avg": average, "exp_avg_sq": square}
        for index, (step, average, square) in enumerate(states)
    }
    group: dict[str, object] = {
        "lr": lr,
        "betas": (0.9, 0.999),
        "eps": 1e-08,
        "weight_decay": 0,
        "amsgrad": False,
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "fused": None,
        "decoupled_weight_decay": False,
    }
    group.update(extra or {})
    group["params"] = list(range(len(states)))
    return {"state": state, "param_groups": [group]}
