"""Run by test_distributed.py in a process of its own: saves distributed checkpoints, reads them by torch's own reader.

`python -m tests.with_torch.distributed_child FOLDER` writes a folder a checkpoint there, and JSON to stdout: of each
the facts of all tensors and the other values, by path.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch.distributed.checkpoint._extension import ZStandard
from torch.distributed.checkpoint.default_planner import _EmptyStateDictLoadPlanner
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save
from torch.distributed.checkpoint.hf_storage import HuggingFaceStorageReader, HuggingFaceStorageWriter
from torch.distributed.checkpoint.state_dict_loader import _load_state_dict
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor
from torch.testing._internal.distributed.fake_pg import FakeStore

RANKS: Final = 2
GRID: Final = (2, 2)
NUMBERS: Final = (
    *(torch.float64, torch.float16, torch.bfloat16, torch.complex64, torch.complex128),
    *(torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool),
    *(torch.uint16, torch.uint32, torch.uint64, torch.float8_e4m3fn, torch.float8_e5m2),
)
CODES: Final = (torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu, torch.float4_e2m1fn_x2)
Path_ = tuple[str | int, ...]


def nested() -> dict[str, Any]:
    """Values of all kinds in one process."""
    model = torch.nn.Linear(3, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    model(torch.arange(6.0).reshape(2, 3)).sum().backward()
    optimizer.step()
    base = torch.arange(24, dtype=torch.float32).reshape(4, 6)
    return {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "types": {
            "bf16": base.to(torch.bfloat16),
            "f8": base.to(torch.float8_e4m3fn),
            "u16": base.to(torch.uint16),
            "bool": base > 7,
            "c64": torch.complex(base, base.flip(0)),
            "conj": torch.complex(base, base.flip(0)).conj(),
            "neg": torch.complex(base, base.flip(0)).conj().imag,
        },
        "layouts": {
            "transposed": base.t(),
            "columns": base[:, 1:3],
            "empty": torch.zeros(0, 5),
            "scalar": torch.tensor(2.5),
            "permuted": torch.arange(60).reshape(3, 4, 5).permute(2, 0, 1),
        },
        "each": {str(kind): base.to(kind) for kind in NUMBERS},
        "codes": {str(kind): torch.arange(24, dtype=torch.uint8).reshape(4, 6).view(kind) for kind in CODES},
        "scalars": {str(kind): torch.tensor(1).to(kind) for kind in NUMBERS},
        "nothing": {"first": torch.zeros(0), "middle": torch.zeros(3, 0, 2, dtype=torch.int8)},
        "state": {0: {"step": torch.tensor(3.0), "exp_avg": torch.ones(2, 2)}, 1: {"step": torch.tensor(4.0)}},
        "dots.in": {"the.name": torch.ones(1)},
        "expanded": torch.ones(1, 3).expand(4, 3),
        "large": torch.arange(100_000, dtype=torch.int32),
        "shared": [base, base[0], base.view(-1)],
        "list": [torch.ones(2), {"inner": torch.zeros(1)}, 3, [torch.ones(1), [torch.zeros(1)]]],
        "blob": b"\x00\xff",
        "text": "text",
        "step": 7,
        "none": None,
    }


def sharded() -> dict[str, Any]:
    """DTensors of two ranks."""
    mesh = init_device_mesh("cpu", (RANKS,))
    base = torch.arange(35, dtype=torch.float32).reshape(5, 7)
    return {
        "rows": distribute_tensor(base, mesh, [Shard(0)]),
        "columns": distribute_tensor(base.to(torch.bfloat16), mesh, [Shard(1)]),
        "middle": distribute_tensor(torch.arange(60).reshape(3, 4, 5), mesh, [Shard(1)]),
        "replicated": distribute_tensor(base[0], mesh, [Replicate()]),
        "one_row": distribute_tensor(base[:1], mesh, [Shard(0)]),
        "deep": {"bias": distribute_tensor(base[:, 0].clone(), mesh, [Shard(0)])},
        "plain": base[1].clone(),
        "step": 5,
    }


def grid(mesh: DeviceMesh) -> dict[str, torch.Tensor]:
    """DTensors of four ranks, divided along two axes, along one of them, or not at all."""
    base = torch.arange(63, dtype=torch.float32).reshape(7, 9)
    wholes = {
        "both": (base, (Shard(0), Shard(1))),
        "crossed": (base.to(torch.float16), (Shard(1), Shard(0))),
        "twice": (base[:5, :2].contiguous(), (Shard(0), Shard(0))),
        "rows": (base.to(torch.int16), (Replicate(), Shard(0))),
        "columns": (base.to(torch.float8_e5m2), (Shard(1), Replicate())),
        "deep": (torch.arange(60).reshape(3, 4, 5).to(torch.complex64), (Shard(2), Shard(1))),
        "one": (base[:1, :2].contiguous(), (Shard(0), Shard(1))),
        "kept": (base > 7, (Replicate(), Replicate())),
        "none": (torch.zeros(0, 4), (Shard(0), Replicate())),
    }
    made: dict[str, torch.Tensor] = {
        name: distribute_tensor(whole, mesh, how, src_data_rank=None) for name, (whole, how) in wholes.items()
    }
    made["plain"], made["number"] = base[1].clone(), torch.tensor(4)
    return made


def save_grid(folder: Path) -> dict[str, torch.Tensor]:
    """What four ranks save that never talk to one another; gives the whole tensors."""
    for rank in range(GRID[0] * GRID[1]):
        dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=GRID[0] * GRID[1])
        values = grid(init_device_mesh("cpu", GRID))
        dcp.save(values, checkpoint_id=folder, use_collectives=False)
        dist.destroy_process_group()
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=1)
    wholes = {
        name: value.to_local() if isinstance(value, DTensor) else value
        for name, value in grid(init_device_mesh("cpu", (1, 1))).items()
    }
    dist.destroy_process_group()
    return wholes


def on_rank(rank: int, folder: str) -> None:
    """What each of the ranks does. They meet in a file: a port that is free now may be another's a moment later."""
    dist.init_process_group("gloo", rank=rank, world_size=RANKS, init_method=f"file://{folder}/meeting")
    values = sharded()
    dcp.save(values, checkpoint_id=f"{folder}/sharded")
    dcp.save(values, checkpoint_id=f"{folder}/each_rank", use_collectives=False)
    one_file_each = dcp.FileSystemWriter(f"{folder}/files", single_file_per_rank=False)
    dcp.save(values, storage_writer=one_file_each)
    tensors = {name: value for name, value in values.items() if isinstance(value, DTensor)}
    dcp.save(tensors, storage_writer=HuggingFaceStorageWriter(f"{folder}/hf", save_distributed=True))
    whole = HuggingFaceStorageWriter(f"{folder}/hf_whole", save_distributed=True, enable_consolidation=True)
    # torch's consolidation fails for integers.
    floats = {name: value for name, value in tensors.items() if value.is_floating_point()}
    dcp.save(floats, storage_writer=whole)
    dist.destroy_process_group()


def flattened(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """All that is no container, by path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flattened(inner, (*path, key))
    elif isinstance(value, list) and any(isinstance(inner, torch.Tensor | dict) for inner in value):
        for number, inner in enumerate(value):
            yield from flattened(inner, (*path, number))
    else:
        yield path, value


def fact(value: Any) -> dict[str, Any]:
    """What is compared."""
    if not isinstance(value, torch.Tensor):
        return {"value": repr(value)}
    plain = value.detach().resolve_conj().resolve_neg().contiguous()
    raw = bytes(plain.reshape(-1).view(torch.uint8).numpy()) if plain.numel() else b""
    return {
        "dtype": str(value.dtype).removeprefix("torch."),
        "shape": list(value.shape),
        "stride": list(value.stride()),
        "sha256": hashlib.sha256(raw).hexdigest(),
    }


def facts(values: Any) -> list[list[Any]]:
    """Paths and facts of all."""
    return [[list(path), fact(value)] for path, value in flattened(values)]


def loaded(folder: Path) -> Any:
    """A checkpoint as torch's reader makes one file of it."""
    target = folder.with_suffix(".pt")
    dcp_to_torch_save(folder, target)
    return torch.load(target, weights_only=False)


def loaded_shards(folder: Path) -> dict[str, Any]:
    """Pieces in safetensors as torch's reader assembles them."""
    found: dict[str, Any] = {}
    reader = HuggingFaceStorageReader(str(folder))
    _load_state_dict(found, storage_reader=reader, planner=_EmptyStateDictLoadPlanner(), no_dist=True)
    return found


def main(folder: Path) -> None:
    """Save, load, tell."""
    dcp.save(nested(), checkpoint_id=folder / "nested")
    dcp.save(nested(), storage_writer=dcp.FileSystemWriter(folder / "threads", thread_count=2))
    packed = dcp.FileSystemWriter(folder / "packed", _extensions=[ZStandard()])
    dcp.save(nested(), storage_writer=packed)
    mp.spawn(on_rank, args=(str(folder),), nprocs=RANKS)
    whole = save_grid(folder / "grid")
    names = ("nested", "threads", "packed", "sharded", "files")
    told = {name: facts(loaded(folder / name)) for name in names}
    told["grid"] = facts(whole)
    # torch reads of it what one rank saved.
    told["each_rank"] = told["sharded"]
    told["hf"] = facts(loaded_shards(folder / "hf"))
    told["hf_whole"] = facts(loaded_shards(folder / "hf_whole"))
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
