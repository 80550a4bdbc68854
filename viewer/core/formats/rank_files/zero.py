"""DeepSpeed ZeRO: weights in float32 that the ranks divide between them as parts of one flat run (formats.md, G).

Stages 1 and 2: each group of parameters is one run, cut into equal parts, one a rank. Stage 3: each parameter is cut
into equal parts by itself, and each rank keeps its parts of all of them in runs, one behind the other. The model's file
says the names and shapes, in order (`param_shapes`); parts at the end are padded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final

from viewer.core.formats.rank_files.names import MODEL, OPTIMIZER
from viewer.core.formats.rank_files.reading import (
    Held,
    Member,
    assembled,
    elements,
    entry,
    is_plain,
    of_member,
    pairs,
    sizes,
)
from viewer.core.tensors.layout import Shape, row_major
from viewer.core.tensors.path import Path
from viewer.core.tensors.tensor import Tensor

STATE: Final = "optimizer_state_dict"
FLAT: Final = "single_partition_of_fp32_groups"
FLAT_3: Final = "fp32_flat_groups"
SHAPES: Final = "param_shapes"
FP32: Final = "fp32"
FROZEN_SHAPES, FRAGMENTS = "frozen_param_shapes", "frozen_param_fragments"
Shapes = list[tuple[str, Shape]]


def master_weights(members: Sequence[Member], part: int) -> tuple[list[Tensor], list[str]]:
    """The float32 weights of one part of the model, and the names of those of which the runs have nothing.

    Nothing where a file does not say enough.
    """
    groups = next((stated for member in members if (stated := shapes_of(member, part))), None)
    optimizers = sorted(
        (member for member in members if member.file.role == OPTIMIZER and member.file.part == part),
        key=lambda member: member.file.replica,
    )
    if not groups or not optimizers:
        return [], []
    world = max(stated_world(members), optimizers[-1].file.replica + 1)
    found: list[Tensor] = []
    wanted: Shapes = []
    for number, shapes in enumerate(groups):
        runs = {member.file.replica: run for member in optimizers for run in runs_of(member, FLAT, number)[:1]}
        if runs:
            found += flat_weights(shapes, runs, world)
            wanted += shapes
    cut = {member.file.replica: runs_of(member, FLAT_3) for member in optimizers}
    if any(cut.values()):
        shapes = [pair for group in groups for pair in group]
        found += cut_weights(shapes, cut, world)
        wanted += shapes
    whole = {tensor.name for tensor in found if has_all(tensor)}
    return found, [name for name, _ in wanted if name not in whole]


def frozen_weights(members: Sequence[Member], part: int) -> list[Tensor]:
    """The weights that are not trained, of which each rank's file of the third stage has a part in their own type."""
    models = [member for member in members if member.file.role == MODEL and member.file.part == part]
    if len(models) < 2:
        return []
    fragments: dict[str, dict[int, Held]] = {}
    for member in models:
        for tensor in member.tensors():
            if is_fragment(tensor.path) and is_plain(tensor) and len(tensor.shape) == 1:
                fragments.setdefault(str(tensor.path[1]), {})[member.file.replica] = Held(member.file, tensor)
    world = max(stated_world(members), 1 + max(member.file.replica for member in models))
    found: list[Tensor] = []
    for name, shape in stated_shapes(models[0], FROZEN_SHAPES):
        held = fragments.get(name, {})
        if len({one.tensor.dtype for one in held.values()}) == 1:
            found += cut_weights([(name, shape)], {rank: [one] for rank, one in held.items()}, world)
    for weight in found:
        weight.requires_grad = False
    return found


def is_fragment(path: Path) -> bool:
    """True for a part of a weight that is not trained."""
    return len(path) == 2 and path[0] == FRAGMENTS


def stated_shapes(member: Member, key: str) -> Shapes:
    """Names and shapes in a mapping of a file; nothing where it holds anything else."""
    pickle = member.pickle
    at = entry(pickle.values, pickle.values.root, key) if pickle is not None else -1
    if pickle is None or at < 0:
        return []
    stated = [(name, sizes(pickle.values, value)) for name, value in pairs(pickle.values, at)]
    return [(name, shape) for name, shape in stated if shape is not None]


def has_all(tensor: Tensor) -> bool:
    """False for a weight of which the runs leave out elements."""
    storage = tensor.storage
    return storage is not None and storage.count >= tensor.storage_offset + tensor.elements and not storage.absent


def is_run(path: Path) -> bool:
    """True for a run of the weights, whose tensors are given by their names."""
    return len(path) == 3 and path[0] == STATE and path[1] in (FLAT, FLAT_3)


def stated_world(members: Sequence[Member]) -> int:
    """The number of ranks that the files state; 0 where they do not."""
    found = 0
    for member in members:
        pickle = member.pickle
        if pickle is None:
            continue
        values, root = pickle.values, pickle.values.root
        for keys in (("dp_world_size",), (STATE, "partition_count")):
            at = entry(values, root, *keys)
            numbers = [at, *elements(values, at)] if at >= 0 else []
            found = max([found, *(number for value in numbers if (number := values.integer(value)) is not None)])
    return min(found, 1_000_000)


def shapes_of(member: Member, part: int) -> list[Shapes] | None:
    """Names and shapes of the parameters, group by group, as the model's file states them."""
    pickle = member.pickle
    if pickle is None or member.file.role != MODEL or member.file.part != part:
        return None
    values = pickle.values
    at = entry(values, values.root, SHAPES)
    if at < 0:
        return None
    direct = list(pairs(values, at))
    groups = [direct] if direct else [list(pairs(values, group)) for group in elements(values, at)]
    found: list[Shapes] = []
    for group in groups:
        shapes = [(name, shape) for name, value in group if (shape := sizes(values, value)) is not None]
        if len(shapes) != len(group):
            return None
        found.append(shapes)
    return found


def runs_of(member: Member, key: str, group: int | None = None) -> list[Held]:
    """The runs of one rank in the order of their groups. `group`: only that of one."""
    found = [
        (tensor.path[2], Held(member.file, tensor))
        for tensor in member.tensors()
        if len(tensor.path) == 3 and tensor.path[:2] == (STATE, key) and is_plain(tensor) and len(tensor.shape) == 1
    ]
    numbered = [(number, held) for number, held in found if isinstance(number, int) and group in (None, number)]
    return [held for _, held in sorted(numbered, key=lambda pair: pair[0])]


def flat_weights(shapes: Shapes, runs: dict[int, Held], world: int) -> Iterator[Tensor]:
    """Weights that follow one another in the joined parts of all ranks."""
    length = max(held.tensor.shape[0] for held in runs.values())
    pieces = []
    for rank, held in sorted(runs.items()):
        piece = of_member(held, held.tensor.path, None)
        piece.offsets = (rank * length,)
        pieces.append(piece)
    flat = assembled((), None, (world * length,), pieces)
    at = 0
    for name, shape in shapes:
        count = prod(shape)
        if at + count > world * length:
            return
        used = [("piece", piece) for piece in pieces if overlaps(piece, at, at + count)]
        whole = Tensor(0, (FP32, name), name, "tensor", flat.dtype, shape, row_major(shape), at, flat.storage, True)
        # Parts of a run lie in no shape of the whole, so they are named and not placed.
        whole.parts = tuple(used)
        yield whole
        at += count


def overlaps(piece: Tensor, start: int, stop: int) -> bool:
    """True for a part with elements of [start, stop) of the joined run."""
    first = piece.offsets[0] if piece.offsets else 0
    return first < stop and start < first + piece.shape[0]


def cut_weights(shapes: Shapes, runs: dict[int, list[Held]], world: int) -> Iterator[Tensor]:
    """Weights that are cut into equal parts each. `runs`: of each rank, of which the next goes on where one ends."""
    at = 0
    for name, shape in shapes:
        count = prod(shape)
        length = -(-count // world)
        pieces = [
            piece
            for rank, held in sorted(runs.items())
            if (piece := part_of_runs(held, at, rank * length, min(length, count - rank * length))) is not None
        ]
        at += length
        if pieces:
            flat = assembled((), None, (count,), pieces)
            whole = Tensor(0, (FP32, name), name, "tensor", flat.dtype, shape, row_major(shape), 0, flat.storage, True)
            whole.parts = flat.parts
            yield whole


def part_of_runs(runs: Sequence[Held], start: int, offset: int, count: int) -> Tensor | None:
    """The elements of a rank's runs that belong to a weight; None where none of them has all."""
    if count <= 0:
        return None
    for held in runs:
        length = held.tensor.shape[0]
        if start + count <= length:
            piece = of_member(held, held.tensor.path, None)
            piece.shape, piece.offsets = (count,), (offset,)
            piece.storage_offset += start * piece.stride[0]
            return piece
        start -= length
        if start < 0:
            break
    return None
