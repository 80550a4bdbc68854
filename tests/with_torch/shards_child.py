"""Run by test_rank_shards.py in a process of its own: saves ShardedTensors, one file a rank, as FSDP did to torch 2.1.

`python -m tests.with_torch.shards_child FOLDER WORLD` writes shards_rank_N.pt of each rank there. No rank talks to
another: each makes its own shards of the same tensors, and says where those of all others lie.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import torch
import torch.distributed as dist
from torch.distributed._shard.metadata import ShardMetadata
from torch.distributed._shard.sharded_tensor import Shard, ShardedTensor, ShardedTensorMetadata
from torch.distributed._shard.sharded_tensor.metadata import TensorProperties
from torch.testing._internal.distributed.fake_pg import FakeStore

Boxes = list[tuple[list[int], list[int]]]


def rows(whole: torch.Tensor, world: int) -> Boxes:
    """Divided along the first axis; the last ranks of many may have nothing."""
    length = -(-whole.shape[0] // world)
    starts = [min(rank * length, whole.shape[0]) for rank in range(world + 1)]
    rest = list(whole.shape[1:])
    return [([low, *[0] * len(rest)], [high - low, *rest]) for low, high in pairwise(starts)]


def grid(whole: torch.Tensor) -> Boxes:
    """Four pieces, divided along two axes."""
    half, third = whole.shape[0] // 2, whole.shape[1] // 3
    heights, widths = [(0, half), (half, whole.shape[0] - half)], [(0, third), (third, whole.shape[1] - third)]
    return [([top, left], [height, width]) for top, height in heights for left, width in widths]


def sharded(whole: torch.Tensor, boxes: Boxes, rank: int, world: int) -> ShardedTensor:
    """What one rank holds: every box whose number is its own, over and over."""
    places = [
        ShardMetadata(at, size, f"rank:{number % world}/cpu")
        for number, (at, size) in enumerate(boxes)
        if 0 not in size
    ]
    local = []
    for place in places:
        if place.placement is not None and place.placement.rank() == rank:
            part = whole
            for axis, (first, length) in enumerate(zip(place.shard_offsets, place.shard_sizes, strict=True)):
                part = part.narrow(axis, first, length)
            local.append(Shard(part.clone(), place))
    properties = TensorProperties(dtype=whole.dtype)
    metadata = ShardedTensorMetadata(places, whole.shape, properties)
    made: ShardedTensor = ShardedTensor._init_from_local_shards_and_global_metadata(local, metadata)
    return made


def save(folder: Path, rank: int, world: int) -> None:
    """Save what one rank holds."""
    dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=world)
    base = torch.arange(35.0).reshape(5, 7)
    wholes = {
        "rows": (base, rows(base, world)),
        "grid": (base.to(torch.bfloat16), grid(base)),
        "flat": (torch.arange(11), rows(torch.arange(11), world)),
        "few": (base[:1].clone(), rows(base[:1], world)),
    }
    state: dict[str, object] = {name: sharded(whole, boxes, rank, world) for name, (whole, boxes) in wholes.items()}
    torch.save({**state, "plain": torch.ones(2)}, folder / f"shards_rank_{rank}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    for number in range(int(sys.argv[2])):
        save(Path(sys.argv[1]), number, int(sys.argv[2]))
