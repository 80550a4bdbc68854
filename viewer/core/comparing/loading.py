"""What `load_state_dict` would say: the first side is the state_dict, the second stands for the model.

Taken from torch's `Module.load_state_dict` and `_load_from_state_dict` (2.13): the order of the keys, the sentences,
and the two cases that it lets pass: one element for a scalar, and batch norms saved before they counted their batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from viewer.core.comparing.sides import is_lost
from viewer.core.tensors.tensor import Tensor
from viewer.wording import fill
from viewer.wording.comparing import LOADING

COUNTER: Final = "num_batches_tracked"
COUNTS_SINCE: Final = 2
Entries = Sequence[tuple[str, Tensor]]


def missing_keys(first: Entries, second: Entries, metadata: Mapping[str, Mapping[str, int]] | None) -> list[str]:
    """Names of the model that the state_dict has not."""
    held = {name for name, _ in first}
    return [name for name, _ in second if name not in held and not _made_up(name, metadata)]


def _made_up(name: str, metadata: Mapping[str, Mapping[str, int]] | None) -> bool:
    """True for a counter that torch makes itself for batch norms of before version 2."""
    module, _, last = name.rpartition(".")
    version = (metadata or {}).get(module, {}).get("version")
    return last == COUNTER and (version is None or version < COUNTS_SINCE)


def unexpected_keys(first: Iterable[str], second: Iterable[str], modules: Iterable[str] = ()) -> list[str]:
    """Names that the model has not, in the order in which its modules come upon them.

    `modules`: their paths in order, as `_metadata` has them: also of those that hold nothing.
    """
    every = dict.fromkeys(second)
    order = {"": 0}
    for path in modules:
        order.setdefault(path, len(order))
    for name in every:
        parts = name.split(".")[:-1]
        for depth in range(1, len(parts) + 1):
            order.setdefault(".".join(parts[:depth]), len(order))
    found = [(order[_deepest(name, order)], name) for name in first if name not in every]
    return [name for _, name in sorted(found, key=lambda each: each[0])]


def _deepest(name: str, modules: Mapping[str, int]) -> str:
    """The innermost module of the model that a name leads into."""
    parts = name.split(".")
    depth = 0
    while depth < len(parts) - 1 and ".".join(parts[: depth + 1]) in modules:
        depth += 1
    return ".".join(parts[:depth])


def mismatches(first: Entries, second: Entries) -> list[tuple[str, Tensor, Tensor]]:
    """Names with other shapes, and both tensors; of those whose file is missing no shape is known."""
    held = dict(first)
    both = [(name, held[name], model) for name, model in second if name in held]
    found = [each for each in both if not (is_lost(each[1]) or is_lost(each[2]))]
    return [each for each in found if each[1].shape != each[2].shape and not _fits(each[1], each[2])]


def _fits(stored: Tensor, model: Tensor) -> bool:
    """True for one element of torch 0.3 where a scalar is expected now."""
    return not model.shape and stored.shape == (1,)


def load_words(
    first: Entries,
    second: Entries,
    owner: str,
    metadata: Mapping[str, Mapping[str, int]] | None = None,
    modules: Iterable[str] = (),
) -> str:
    """The message of the error, in torch's words; "" where all keys match.

    `owner`: class of the model; `metadata`: of the state_dict; `modules`: paths of the model's modules, where known.
    """
    lines: list[str] = []
    missing = missing_keys(first, second, metadata)
    unexpected = unexpected_keys(dict(first), dict(second), modules)
    if missing:
        lines.append(fill(LOADING["missing"], {"keys": _quoted(missing)}))
    if unexpected:
        lines.append(fill(LOADING["unexpected"], {"keys": _quoted(unexpected)}))
    for name, stored, model in mismatches(first, second):
        facts = {"key": name, "stored": size_text(stored.shape), "model": size_text(model.shape)}
        lines.append(fill(LOADING["size"], facts))
    return fill(LOADING["head"], {"owner": owner, "lines": "\n\t".join(lines)}) if lines else ""


def _quoted(keys: Iterable[str]) -> str:
    return ", ".join(f'"{key}"' for key in keys)


def size_text(shape: Sequence[int]) -> str:
    """A shape as torch prints its type."""
    return f"torch.Size([{', '.join(map(str, shape))}])"
