"""Which parameter each state of an optimizer belongs to: optimizers know their parameters by numbers only.

names      the groups list `param_names` (torch 2.6 and later), or the states have names for keys
identity   a whole optimizer, whose keys are the parameters themselves, beside its module in the same pickle
order      one group: as many parameters as the model has, each of the shape of its state where that is known
shape      several groups, or fewer parameters: each takes the first name in order that fits its shape and is free
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.objects.content import sections
from viewer.core.objects.modules import entries_of
from viewer.core.objects.optimizer import GROUPS, PARAMS, STATE, held_by
from viewer.core.objects.scalars import TensorOf
from viewer.core.pickles.values import Values
from viewer.core.tensors.tensor import Tensor

NAMES: Final = "param_names"
BUFFERS: Final = frozenset({"running_mean", "running_var", "num_batches_tracked"})
"""Last parts of the names of buffers that layers of torch register; others are told by their element type."""
LIKE_PARAMETER: Final = (
    *("exp_avg", "exp_avg_sq", "exp_inf", "max_exp_avg_sq", "momentum_buffer", "square_avg", "grad_avg"),
    *("sum", "acc_delta", "prev", "step_size", "ax"),
)
"""What optimizers of torch keep in the shape of the parameter."""
_MOST: Final = 100_000


@dataclass(frozen=True, slots=True)
class Joined:
    """One parameter of an optimizer. `key`: the number of the value that stands for it in its group.

    `state`: the number of its state's value, -1: none. `shape`: that of its state, None where it tells none.
    `name`: in the model's state_dict, None where none fits. `group`: number of its group. `by`: as above, "" for none.
    """

    key: int
    state: int
    shape: tuple[int, ...] | None
    name: str | None
    group: int
    by: str


def joined(
    values: Values,
    value: int,
    entries: Sequence[tuple[str, Tensor]],
    tensor_of: TensorOf,
    encoding: str = "utf-8",
) -> list[Joined]:
    """The parameters of an optimizer in the order of its groups, with their names.

    `entries`: the state_dict of the model that stands beside it, or of the module.
    """
    rows = list(_rows(values, value, tensor_of, encoding))
    if any(row.name is not None for row in rows):
        return rows
    found = _by_identity(rows, entries, tensor_of)
    candidates = parameters_of(entries)
    if found is None and len({row.group for row in rows}) <= 1 and len(rows) == len(candidates):
        fits = all(row.shape in (None, tensor.shape) for row, (_, tensor) in zip(rows, candidates, strict=True))
        found = [(name, "order") for name, _ in candidates] if fits else None
    if found is None:
        found = _by_shape(rows, candidates)
    return [
        Joined(row.key, row.state, row.shape, name, row.group, by) for row, (name, by) in zip(rows, found, strict=True)
    ]


def parameters_of(entries: Sequence[tuple[str, Tensor]]) -> list[tuple[str, Tensor]]:
    """The entries that may be parameters, in their order: no buffers of torch, no integers, shared ones once."""
    found: list[tuple[str, Tensor]] = []
    seen: set[tuple[object, ...]] = set()
    for name, tensor in entries:
        place = (id(tensor.storage), tensor.storage_offset, tensor.shape, tensor.stride)
        is_float = tensor.dtype.startswith(("float", "bfloat", "complex"))
        if not is_float or name.rpartition(".")[2] in BUFFERS or (tensor.storage is not None and place in seen):
            continue
        seen.add(place)
        found.append((name, tensor))
    return found


def _rows(values: Values, value: int, tensor_of: TensorOf, encoding: str) -> Iterator[Joined]:
    """The parameters without names, but for those that the optimizer itself names."""
    held = held_by(values, value, encoding)
    states: dict[object, int] = {}
    for section in sections(values, held.get(STATE, -1)):
        states |= {_identity(values, key, encoding): state for key, state in section.read(0, min(section.count, _MOST))}
    left = _MOST
    for number, group in enumerate(_items(values, held.get(GROUPS, -1))):
        own = entries_of(values, group, encoding)
        names = [values.text(name, encoding) for name in _items(values, own.get(NAMES, -1))]
        for at, key in enumerate(_items(values, own.get(PARAMS, -1))[:left]):
            state = states.get(_identity(values, key, encoding), -1)
            text = names[at] if at < len(names) else values.text(key, encoding)
            shape = _shape(values, state, tensor_of, encoding)
            yield Joined(key, state, shape, text, number, "names" if text is not None else "")
            left -= 1


def _items(values: Values, value: int) -> list[int]:
    return [child for section in sections(values, value) for _, child in section.read(0, min(section.count, _MOST))]


def _identity(values: Values, key: int, encoding: str) -> object:
    """What a key of the states and its entry in a group have in common: the number, the text, or the value itself."""
    integer, text = values.integer(key), values.text(key, encoding)
    return ("value", key) if integer is None and text is None else integer if text is None else text


def _shape(values: Values, state: int, tensor_of: TensorOf, encoding: str) -> tuple[int, ...] | None:
    if state < 0:
        return None
    held = entries_of(values, state, encoding)
    tensors = (tensor_of(held[key]) for key in LIKE_PARAMETER if key in held)
    return next((tensor.shape for tensor in tensors if tensor is not None), None)


def _by_identity(
    rows: Sequence[Joined], entries: Sequence[tuple[str, Tensor]], tensor_of: TensorOf
) -> list[tuple[str | None, str]] | None:
    """Names by the values or storages that the parameters of a whole optimizer share with the module; None for none."""
    by_value = {tensor.value: name for name, tensor in reversed(entries) if tensor.value is not None}
    by_storage = {
        (id(tensor.storage), tensor.storage_offset, tensor.shape): name
        for name, tensor in reversed(entries)
        if tensor.storage is not None
    }
    found: list[tuple[str | None, str]] = []
    for row in rows:
        tensor = tensor_of(row.key)
        name = by_value.get(tensor.value) if tensor is not None and tensor.value is not None else None
        if tensor is not None and name is None:
            name = by_storage.get((id(tensor.storage), tensor.storage_offset, tensor.shape))
        found.append((name, "identity" if name is not None else ""))
    return found if any(name is not None for name, _ in found) else None


def _by_shape(rows: Sequence[Joined], candidates: Sequence[tuple[str, Tensor]]) -> list[tuple[str | None, str]]:
    """The first free name whose tensor has the shape, going on in the order of the model within each group."""
    free: dict[tuple[int, ...], list[int]] = {}
    for at in range(len(candidates) - 1, -1, -1):
        free.setdefault(candidates[at][1].shape, []).append(at)
    found: list[tuple[str | None, str]] = []
    for row in rows:
        fitting = free.get(row.shape, []) if row.shape is not None else []
        found.append((candidates[fitting.pop()][0], "shape") if fitting else (None, ""))
    return found
