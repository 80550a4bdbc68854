"""Where a rank's tensor lies in the whole one, as DTensor and ShardedTensor state it.

A DTensor has a mesh of ranks and a placement for each of its axes; of a ShardedTensor each shard has its place.
"""

from __future__ import annotations

from math import prod
from typing import Final

from viewer.core.document import Pickle
from viewer.core.formats.rank_files.reading import Held, Member, elements, entry, is_plain, of_member, sizes
from viewer.core.objects.describe import class_name
from viewer.core.objects.modules import attributes
from viewer.core.pickles.values import Values
from viewer.core.tensors.layout import Shape
from viewer.core.tensors.sharded import CLASS
from viewer.core.tensors.tensor import Tensor

LOCAL: Final = "_local_tensor"
SPEC: Final = "_spec"
STATE: Final = 3
SHARD, REPLICATE = "Shard", "Replicate"
NOT_CUT: Final = -1
LARGEST: Final = 2**62


def local_part(tensor: Tensor) -> Tensor | None:
    """The tensor of this rank inside a DTensor."""
    return next((part for role, part in tensor.parts if role == LOCAL), None)


def is_divided(tensor: Tensor) -> bool:
    """True for a tensor that says which part of the whole it is."""
    return tensor.note == CLASS or local_part(tensor) is not None


def pieces_of(member: Member, held: Held, world: int) -> list[Tensor] | None:
    """The pieces of a divided tensor that a rank has, with their offsets; None where the file does not tell."""
    whole = held.tensor
    if prod(whole.shape) >= LARGEST:
        return None
    if whole.note == CLASS:
        parts = [(part.offsets, part) for _, part in whole.parts]
    else:
        local, found = local_part(whole), place(member, held, world)
        parts = [] if local is None or found is None or local.shape != found[1] else [(found[0], local)]
        if not parts:
            return None
    pieces = []
    for offsets, part in parts:
        if (
            offsets is None
            or not is_plain(part)
            or part.dtype != whole.dtype
            or not lies_in(part, offsets, whole.shape)
        ):
            return None
        piece = of_member(Held(held.file, part), part.path, None)
        piece.offsets = offsets
        pieces.append(piece)
    return pieces


def lies_in(part: Tensor, offsets: Shape, whole: Shape) -> bool:
    """True where a piece ends within the whole on all axes."""
    return len(offsets) == len(part.shape) == len(whole) and all(
        at + size <= full for at, size, full in zip(offsets, part.shape, whole, strict=True)
    )


def place(member: Member, held: Held, world: int) -> tuple[Shape, Shape] | None:
    """Offsets and sizes of a rank's part of a DTensor; None where the file does not tell."""
    pickle, value = member.pickle, held.tensor.value
    if pickle is None or value is None:
        return None
    spec = spec_of(pickle, value.value)
    if not spec:
        return None
    values = pickle.values
    axes = [axis_of(values, placement) for placement in elements(values, spec.get("placements", -1))]
    mesh = mesh_of(values, spec.get("mesh", -1), len(axes), world)
    if mesh is None or any(axis is None for axis in axes) or prod(mesh) <= held.file.replica:
        return None
    offsets, shape = [0] * len(held.tensor.shape), list(held.tensor.shape)
    for axis, ranks, at in zip(axes, mesh, coordinates(held.file.replica, mesh), strict=True):
        if axis is None or axis == NOT_CUT:
            continue
        if not 0 <= axis < len(shape):
            return None
        length = -(-shape[axis] // ranks)
        first = min(at * length, shape[axis])
        offsets[axis] += first
        shape[axis] = min(first + length, shape[axis]) - first
    return tuple(offsets), tuple(shape)


def spec_of(pickle: Pickle, value: int) -> dict[str, int]:
    """The attributes of the DTensorSpec of a rebuilt tensor."""
    values = pickle.values
    arguments = values.arguments(value)
    state = arguments[STATE] if len(arguments) > STATE else -1
    # Attributes stand in a dict, or in the second of a pair of it and those of slots.
    halves = [state, *elements(values, state)] if state >= 0 else []
    spec = max((entry(values, half, SPEC) for half in halves), default=-1)
    return attributes(values, spec) if spec >= 0 else {}


def axis_of(values: Values, placement: int) -> int | None:
    """The axis that a placement cuts, NOT_CUT for none; None where it is of another kind."""
    kind = class_name(values, placement).rpartition(".")[2]
    if kind == REPLICATE:
        return NOT_CUT
    if kind != SHARD:
        return None
    held = attributes(values, placement)
    return values.integer(held["dim"]) if "dim" in held else None


def mesh_of(values: Values, mesh: int, axes: int, world: int) -> Shape | None:
    """Ranks along each axis of the mesh. One of a single axis has all ranks."""
    if axes == 1:
        return (world,) if world else None
    if mesh < 0 or not axes:
        return None
    held = attributes(values, mesh)
    layout = attributes(values, held["_layout"]) if "_layout" in held else {}
    shape: list[int] = []
    for at in elements(values, layout.get("axes", -1)) if "axes" in layout else ():
        sizes_of_axis = sizes(values, attributes(values, at).get("shape", -1))
        shape.append(prod(sizes_of_axis or ()))
    if not shape and "shape" in layout:
        shape = list(sizes(values, layout["shape"]) or ())
    return tuple(shape) if len(shape) == axes and all(shape) else None


def coordinates(rank: int, mesh: Shape) -> Shape:
    """The place of a rank in a mesh whose ranks are numbered row by row."""
    found = []
    for size in reversed(mesh):
        rank, at = divmod(rank, size)
        found.append(at)
    return tuple(reversed(found))
