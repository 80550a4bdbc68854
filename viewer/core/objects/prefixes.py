"""What names of a state_dict have in common: a beginning that a wrapper put there, copies kept beside the weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.tensors import window
from viewer.core.tensors.tensor import Tensor

Entries = Sequence[tuple[str, Tensor]]
WRAPPERS: Final = frozenset(
    {"_forward_module", "_fsdp_wrapped_module", "_orig_mod", "ema_model", "model", "module", "network"}
)
"""Attributes in which wrappers keep the model: DataParallel, DeepSpeed, FSDP, torch.compile, averages, trainers."""
AVERAGES: Final = ("model_ema.", "ema_model.", "ema.", "ema_", "shadow.")
"""Beginnings of names of averages that are kept beside the weights; what begins with another comes before it."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Averages among the names of one state_dict. `nbytes`: those of their tensors, `size`: of all tensors."""

    prefix: str
    count: int
    plain: int
    nbytes: int
    size: int


def common_prefix(names: Sequence[str]) -> str:
    """The beginning, with its dot, that all names have and that can go; "" where there is none.

    The first part of the names, and known wrappers behind it. What would leave a bare `weight` is the name of a layer
    and stays, unless a wrapper is called so.
    """
    if len(names) < 2:
        return ""
    first, last = min(names).split("."), max(names).split(".")
    rest = min(name.count(".") for name in names)
    found = 0
    while found < rest and first[found] == last[found]:
        is_wrapper = first[found] in WRAPPERS
        if not is_wrapper and (found or rest < 2):
            break
        found += 1
    return ".".join((*first[:found], "")) if found else ""


def copies(entries: Entries) -> Copies | None:
    """Averages that stand for tensors of the same shape beside them; None where there are none.

    Writers turn the dots of a name to underscores, or leave them out: both are not looked at.
    """
    prefix = next((start for start in AVERAGES if any(name.startswith(start) for name, _ in entries)), None)
    if prefix is None:
        return None
    plain = {_letters(name): tensor for name, tensor in entries if not name.startswith(prefix)}
    # The averaged module may stand below the one that is saved: model.a.b is kept as model_ema.ab.
    inner = {_letters(name.partition(".")[2]): tensor for name, tensor in entries if not name.startswith(prefix)}
    count = nbytes = size = 0
    for name, tensor in entries:
        own = window.nbytes(tensor)
        size += own
        if name.startswith(prefix):
            letters = _letters(name[len(prefix) :])
            other = plain.get(letters) or inner.get(letters)
            if other is not None and other.shape == tensor.shape:
                count, nbytes = count + 1, nbytes + own
    return Copies(prefix, count, len(plain), nbytes, size) if count else None


def _letters(name: str) -> str:
    return name.replace(".", "").replace("_", "")
