"""Run by test_rank_files.py in a process of its own: saves the state_dict of DTensors that each rank would hold.

`python -m tests.with_torch.ranks_child FOLDER WORLD-COLUMNS...` writes WORLD-COLUMNS/model_world_size_WORLD_rank_N.pt.
COLUMNS: of the mesh, 0 for one of a single axis. No rank talks to another: each cuts its own parts of the same tensors.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.testing._internal.distributed.fake_pg import FakeStore

Placements = list[Shard | Replicate]


def wholes() -> dict[str, torch.Tensor]:
    """The whole tensors, of sizes that do not divide evenly."""
    return {
        "rows": torch.arange(35.0).reshape(7, 5),
        "columns": torch.arange(24, dtype=torch.int64).reshape(3, 8),
        "half": torch.linspace(-2, 2, 12).bfloat16(),
        "kept": torch.arange(3.0),
        "few": torch.arange(2.0),
    }


def placements(name: str, axes: int) -> Placements:
    """How a tensor is divided along each axis of the mesh."""
    if name == "kept":
        return [Replicate()] * axes
    first = Shard(1 if name == "columns" else 0)
    if axes == 1:
        return [first]
    return [Replicate(), first] if name in ("half", "few") else [first, Shard(0)]


def cut(whole: torch.Tensor, mesh: DeviceMesh, how: Placements) -> torch.Tensor:
    """The part of this rank, as torch.chunk cuts."""
    coordinate = mesh.get_coordinate()
    for axis, placement in enumerate(how):
        if isinstance(placement, Shard):
            length = -(-whole.shape[placement.dim] // mesh.size(axis))
            first = min(coordinate[axis] * length, whole.shape[placement.dim])
            stop = min(first + length, whole.shape[placement.dim])
            whole = whole.narrow(placement.dim, first, stop - first)
    return whole.clone()


def save(folder: Path, rank: int, world: int, columns: int) -> None:
    """Save what one rank holds."""
    dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=world)
    ranks = torch.arange(world)
    mesh = DeviceMesh("cpu", ranks.reshape(-1, columns) if columns else ranks)
    state: dict[str, torch.Tensor] = {"plain": torch.tensor([1.0, 2.0])}
    for name, whole in wholes().items():
        how = placements(name, mesh.ndim)
        local = cut(whole, mesh, how)
        state[name] = DTensor.from_local(local, mesh, how, run_check=False, shape=whole.shape, stride=whole.stride())
    torch.save(state, folder / f"model_world_size_{world}_rank_{rank}.pt")
    dist.destroy_process_group()


def main() -> None:
    """All ranks of each size."""
    for size in sys.argv[2:]:
        folder = Path(sys.argv[1]) / size
        folder.mkdir()
        world, columns = map(int, size.split("-"))
        for rank in range(world):
            save(folder, rank, world, columns)


if __name__ == "__main__":
    main()
