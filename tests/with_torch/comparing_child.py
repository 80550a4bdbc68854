"""Run by test_comparing.py in a process of its own: saves pairs of files, prints what torch says of their difference.

`python -m tests.with_torch.comparing_child FOLDER` writes NAME-a.pt and NAME-b.pt there, and JSON to stdout.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

FLOATS: Final = (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e5m2, torch.float8_e4m3fn)
INTEGERS: Final = (
    torch.int64,
    torch.int32,
    torch.int16,
    torch.int8,
    torch.uint8,
    torch.uint16,
    torch.uint32,
    torch.bool,
)
COMPLEX: Final = (torch.complex64, torch.complex128)


def tensors(seed: int) -> dict[str, torch.Tensor]:
    """One of every type, some of every layout."""
    torch.manual_seed(seed)
    base = torch.randn(7, 9, dtype=torch.float64) * 3
    found = {str(dtype).removeprefix("torch."): base.to(dtype) for dtype in (*FLOATS, torch.int64)}
    found |= {str(dtype).removeprefix("torch."): base.abs().to(torch.int32).to(dtype) for dtype in INTEGERS}
    found |= {str(dtype).removeprefix("torch."): torch.complex(base, base.flip(0)).to(dtype) for dtype in COMPLEX}
    found["turned"] = base.float().t()
    found["sliced"] = base.float()[1:5, ::2]
    found["expanded"] = base.float()[:1].expand(4, 9)
    found["quantised"] = torch.quantize_per_tensor(base.float(), 0.05, 128, torch.quint8)
    scales, zeros = torch.rand(7) * 0.1 + 0.01, torch.randint(100, 150, (7,))
    found["channels"] = torch.quantize_per_channel(base.float(), scales, zeros, 0, torch.quint8)
    with_nan = base.float().clone()
    with_nan[2, 3], with_nan[4, seed] = torch.nan, torch.inf
    found["odd"] = with_nan
    return found


def facts(first: torch.Tensor, second: torch.Tensor) -> dict[str, Any]:
    """As torch computes it, in float64."""
    wide = [each.dequantize() if each.is_quantized else each for each in (first, second)]
    kind = torch.complex128 if wide[0].is_complex() or wide[1].is_complex() else torch.float64
    left, right = (each.to(kind).contiguous() for each in wide)
    distance = (right - left).abs()
    same = (left == right) | (left.isnan() & right.isnan())
    distance[same] = 0
    finite = distance.isfinite() & left.isfinite() & right.isfinite()
    distances = torch.where(finite, distance, 0)
    a, b = torch.where(finite, left, 0).flatten(), torch.where(finite, right, 0).flatten()
    product = torch.view_as_real(a).flatten() @ torch.view_as_real(b).flatten() if kind.is_complex else a @ b
    return {
        "differing": int((~same).sum()),
        "largest": float(distance.nan_to_num(0, torch.inf).max()),
        "mean": float(distances.sum() / (distance.isfinite() & ~left.isnan() & ~right.isnan()).sum()),
        "relative": float(distances.norm() / a.norm()),
        "cosine": float((product / (a.norm() * b.norm())).real),
    }


class Block(nn.Module):
    """Modules in modules, with batch norms."""

    def __init__(self, width: int, deep: bool) -> None:
        super().__init__()
        self.conv = nn.Conv1d(width, width, 3)
        self.bn = nn.BatchNorm1d(width)
        self.act = nn.ReLU()
        self.scale = nn.Parameter(torch.ones(()))
        if deep:
            self.inner = nn.Sequential(nn.Linear(width, width), nn.Sequential(nn.Linear(width, 2)))


def pairs() -> dict[str, tuple[nn.Module, dict[str, Any]]]:
    """Models, and state_dicts that do not fit them."""
    model, small, plain = Block(4, True), Block(3, True), Block(4, False)
    odd = {f"conv.{name}.deep": torch.ones(1) for name in ("bias", "other")}
    odd |= {"act.weight": torch.ones(1), "zzz": torch.ones(1), "inner.0.more": torch.ones(1), "scale": torch.ones(1)}
    early = {name: value for name, value in model.state_dict().items() if "batches" not in name}
    prefixed = {f"module.{name}": value for name, value in model.state_dict().items()}
    return {
        "sizes": (model, small.state_dict()),
        "missing": (model, plain.state_dict()),
        "unexpected": (plain, {**odd, **model.state_dict()}),
        "early": (model, early),
        "prefixed": (model, prefixed),
        "odd": (Block(3, True), {**odd, **plain.state_dict(), **odd}),
        "fits": (model, Block(4, True).state_dict()),
    }


def words(model: nn.Module, state: dict[str, Any]) -> str:
    """The message of torch; "" where it loads."""
    try:
        model.load_state_dict(state)
    except RuntimeError as failure:
        return str(failure)
    return ""


def main(folder: Path) -> None:
    first, second = tensors(1), tensors(2)
    crossed = {f"{one}-{other}": (first[one], second[other]) for one, other in CROSSED}
    told: dict[str, Any] = {"elements": {}, "words": {}}
    every = {name: (first[name], second[name]) for name in first} | crossed
    torch.save({name: one for name, (one, _) in every.items()}, folder / "elements-a.pt")
    torch.save({name: other for name, (_, other) in every.items()}, folder / "elements-b.pt")
    told["elements"] = {name: facts(*both) for name, both in every.items()}
    for name, (model, state) in pairs().items():
        torch.save(state, folder / f"{name}-a.pt")
        torch.save(model, folder / f"{name}-b.pt")
        told["words"][name] = words(model, state)
    print(json.dumps(told))


CROSSED: Final = (
    ("float32", "bfloat16"),
    ("float16", "float64"),
    ("int64", "float32"),
    ("bool", "int8"),
    ("uint8", "int16"),
    ("complex64", "float32"),
    ("quantised", "float32"),
    ("channels", "quantised"),
    ("int64", "uint32"),
)

if __name__ == "__main__":
    main(Path(sys.argv[1]))
