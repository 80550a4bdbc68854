"""ShardedTensor of torch.distributed as torch pickles it on one rank: its own shards, and where those of all lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests.builders.torch_values import contiguous
from tests.builders.values import Call, Global, Instance

SHARDED: Final = Global("torch.distributed._shard.sharded_tensor.api", "ShardedTensor")
SHARD: Final = Global("torch.distributed._shard.sharded_tensor.shard", "Shard")
SHARD_METADATA: Final = Global("torch.distributed._shard.metadata", "ShardMetadata")
WHOLE_METADATA: Final = Global("torch.distributed._shard.sharded_tensor.metadata", "ShardedTensorMetadata")
PROPERTIES: Final = Global("torch.distributed._shard.sharded_tensor.metadata", "TensorProperties")
FROM_TYPE: Final = Global("torch._tensor", "_rebuild_from_type_v2")
WRAPPER: Final = Global("torch._utils", "_rebuild_wrapper_subclass")
STRIDED: Final = Call(Global("torch.serialization", "_get_layout"), ("torch.strided",))
Place = tuple[Sequence[int], Sequence[int]]
"""Offsets and sizes."""


def place(offsets: Sequence[int], sizes: Sequence[int]) -> Instance:
    """ShardMetadata, whose attributes are slots."""
    state = {"shard_offsets": list(offsets), "shard_sizes": list(sizes), "placement": None}
    return Instance(SHARD_METADATA, (), (None, state))


def state_of(dtype: str, shape: tuple[int, ...], shards: Sequence[tuple[Place, object]]) -> tuple[object, ...]:
    """The state of a ShardedTensor: `shards` are places and tensors of this rank."""
    held = [Instance(SHARD, (), (None, {"tensor": one, "metadata": place(*at)})) for at, one in shards]
    facts = Instance(PROPERTIES, (), (Global("torch", dtype), STRIDED, False, None, False))
    size = Call(Global("torch", "Size"), (shape,))
    whole = Instance(WHOLE_METADATA, (), {"shards_metadata": [], "size": size, "tensor_properties": facts})
    return held, whole, None, None, False


def sharded(dtype: str, shape: tuple[int, ...], shards: Sequence[tuple[Place, object]]) -> Call:
    """As torch 1.13 and later write it: a tensor of its own type."""
    device = Call(Global("torch", "device"), ("cpu",))
    stated = (SHARDED, Global("torch", dtype), shape, contiguous(shape), 0, STRIDED, device, False)
    return Call(FROM_TYPE, (WRAPPER, SHARDED, stated, state_of(dtype, shape, shards)))


def sharded_early(dtype: str, shape: tuple[int, ...], shards: Sequence[tuple[Place, object]]) -> Instance:
    """As torch 1.10 writes it: what is said of the whole is a tuple, whose size is a list; lengths, not sizes."""
    early = "torch.distributed._sharded_tensor.api"
    held = []
    for (offsets, sizes), tensor in shards:
        state = {"shard_offsets": list(offsets), "shard_lengths": list(sizes), "placement": None}
        at = Instance(Global("torch.distributed._sharding_spec._internals", "ShardMetadata"), (), (None, state))
        held.append(Instance(Global(early, "Shard"), (), (None, {"tensor": tensor, "metadata": at})))
    facts = ([], list(shape), Global("torch", dtype), STRIDED, False, None, False)
    whole = Instance(Global(early, "ShardedTensorMetadata"), (), facts)
    return Instance(Global(early, "ShardedTensor"), (), (held, whole, None, None, False))


def sharded_object(dtype: str, shape: tuple[int, ...], shards: Sequence[tuple[Place, object]]) -> Instance:
    """As torch 1.11 and 1.12 write it: an object."""
    return Instance(SHARDED, (), state_of(dtype, shape, shards))
