"""ShardedTensor of torch.distributed: the shards that one rank holds of a tensor, each with its place in the whole.

    ShardedTensor state   ([Shard{tensor, metadata}, ...], ShardedTensorMetadata, ranks, how it was divided, bool)
    ShardMetadata         {shard_offsets: [0, 0], shard_sizes: [2, 4], placement}
    ShardedTensorMetadata {shards_metadata: of all ranks, size, tensor_properties}
                          in torch 1.10 a tuple: (those, size, dtype, layout, requires_grad, ...)

To torch 1.12 an object with that state by BUILD, since then a tensor of its own type with the state as an argument.
Attributes stand in a dict, or in the second of a pair of it and those of slots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.layout import Shape
from viewer.core.tensors.special import attributes, integers, stated_type, truth
from viewer.core.tensors.tensor import Tensor

CLASS: Final = "ShardedTensor"
MODULES: Final = "torch.distributed."
SHARD: Final = "shard"
FIELDS: Final = 2
"""Fields of the state that are read: the shards, and what is said of the whole."""
GROUP: Final = 2
"""Where the state has the rank that saved it, and the number of ranks."""
MOST_RANKS: Final = 1_000_000
DTYPE, GRADIENT = 0, 2
"""Where the properties of a tensor, which are a tuple, have its element type and requires_grad."""
SIZE, TOLD = 1, 2
"""Where a tuple that states the whole has its size, and where its properties begin."""
FIRST_SIZES: Final = ("shard_sizes", "shard_lengths")


@dataclass(frozen=True, slots=True)
class Sharded:
    """What one rank has of a tensor. "" and None where they are not stated. `parts`: the shards, with `offsets`."""

    dtype: str
    shape: Shape
    requires_grad: bool | None
    parts: tuple[tuple[str, Tensor], ...]


def is_sharded(name: tuple[str, str] | None) -> bool:
    """True for the class, in whichever module of torch.distributed a version has it."""
    return name is not None and name[1] == CLASS and name[0].startswith(MODULES)


def read_sharded(values: Values, state: int, inner: Callable[[int], Tensor | None]) -> Sharded | None:
    """The shards of a state; None where it is none. `inner(value)`: the tensor that a value is."""
    fields = values.items(state) if state >= 0 and values.kind(state) is Kind.TUPLE else []
    if len(fields) < FIELDS or values.kind(fields[0]) not in (Kind.LIST, Kind.TUPLE):
        return None
    parts = []
    for number, shard in enumerate(values.items(fields[0])):
        held = given(values, shard)
        tensor = inner(held["tensor"]) if "tensor" in held else None
        if tensor is not None:
            tensor.offsets = offsets_of(values, held.get("metadata", -1), tensor.shape)
            parts.append((f"{SHARD} {number}", tensor))
    shape, kind, grad = stated_whole(values, fields[1])
    if shape is None or min(shape, default=0) < 0:
        return None
    return Sharded(kind, shape, grad, tuple(parts))


def stated_whole(values: Values, metadata: int) -> tuple[Shape | None, str, bool | None]:
    """Size, element type and requires_grad of the whole tensor, as ShardedTensorMetadata has them."""
    states = values.states(metadata) if values.kind(metadata) is Kind.CALL else []
    facts = values.items(states[-1]) if states and values.kind(states[-1]) is Kind.TUPLE else []
    if len(facts) > TOLD + GRADIENT:
        return integers(values, facts[SIZE]), *in_order(values, facts[TOLD:])
    whole = given(values, metadata)
    shape = integers(values, whole["size"]) if "size" in whole else None
    return shape, *properties(values, whole.get("tensor_properties", -1))


def stated_ranks(values: Values, value: int) -> tuple[int, int] | None:
    """The rank that saved a ShardedTensor and the number of ranks, of all; None where they are not told."""
    args = values.arguments(value)
    states = values.states(value) if is_sharded(values.call_name(value)) else args[3:4]
    fields = values.items(states[-1]) if states and values.kind(states[-1]) is Kind.TUPLE else []
    held = given(values, fields[GROUP]) if len(fields) > GROUP else {}
    rank, world = (
        values.integer(held[name]) if name in held else None for name in ("global_rank", "global_world_size")
    )
    if rank is None or world is None or not 0 <= rank < world <= MOST_RANKS:
        return None
    return rank, world


def given(values: Values, value: int) -> dict[str, int]:
    """The attributes that BUILD gave to an object."""
    if value < 0 or values.kind(value) is not Kind.CALL:
        return {}
    return {name: found for state in values.states(value) for name, found in attributes(values, state)}


def offsets_of(values: Values, metadata: int, shape: Shape) -> Shape | None:
    """The index of a shard's first element in the whole; None where it is not stated, or of another shape."""
    held = given(values, metadata)
    sizes = next((integers(values, held[name]) for name in FIRST_SIZES if name in held), None)
    offsets = integers(values, held["shard_offsets"]) if "shard_offsets" in held else None
    if offsets is None or sizes != shape or len(offsets) != len(shape) or min(offsets, default=0) < 0:
        return None
    return offsets


def properties(values: Values, value: int) -> tuple[str, bool | None]:
    """Element type and requires_grad of TensorProperties, whose state is a tuple or a dict."""
    if value < 0 or values.kind(value) is not Kind.CALL:
        return "", None
    for state in values.states(value):
        if values.kind(state) is Kind.TUPLE:
            items = values.items(state)
            if len(items) > GRADIENT:
                return in_order(values, items)
        held = dict(attributes(values, state))
        if "dtype" in held:
            return stated_type(values, held["dtype"]), truth(values, held.get("requires_grad", held["dtype"]))
    return "", None


def in_order(values: Values, facts: list[int]) -> tuple[str, bool | None]:
    """Element type and requires_grad where the properties stand one behind the other."""
    return stated_type(values, facts[DTYPE]), truth(values, facts[GRADIENT])
