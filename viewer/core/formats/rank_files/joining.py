"""The tensors of the whole model from those of the ranks: kept once, put together, or shown one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.formats.rank_files import placed, zero
from viewer.core.formats.rank_files.axes import axis_of, hidden_size
from viewer.core.formats.rank_files.names import DEEPSPEED, FSDP, LAYER, MEGATRON, OPTIMIZER, Group, RankFile
from viewer.core.formats.rank_files.reading import (
    Held,
    Member,
    alike,
    assembled,
    begin_alike,
    entry,
    is_large,
    is_plain,
    of_member,
)
from viewer.core.objects.modules import attributes
from viewer.core.progress import Progress
from viewer.core.tensors.layout import Shape
from viewer.core.tensors.path import Path, shown
from viewer.core.tensors.tensor import Tensor

STEP: Final = 256
GATED: Final = ("linear_fc1.weight", "linear_fc1.bias", "dense_h_to_4h.weight", "dense_h_to_4h.bias")
GATES: Final = ("swiglu", "gated_linear_unit")


@dataclass(slots=True)
class Joined:
    """`pieces`: names of tensors that are put together; `open`: of those whose pieces nothing tells how to join.

    `holes`: of those that state where their pieces lie, and of which no file has some elements.
    """

    tensors: list[Tensor] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    holes: list[str] = field(default_factory=list)


def joined(group: Group, members: Sequence[Member], progress: Progress) -> Joined:
    """All tensors of a group. Each has a path of its own."""
    return _Joiner(group, members, progress).run()


class _Joiner:
    def __init__(self, group: Group, members: Sequence[Member], progress: Progress) -> None:
        self.group, self.members, self.progress = group, members, progress
        self.by_file = {member.file.name: member for member in members}
        self.found = Joined()
        stages = {member.file.stage for member in members if member.file.role != OPTIMIZER}
        self.has_stages = len(stages) > 1
        names = [(shown(held.path), held.shape) for member in members for held in member.tensors()]
        self.hidden = hidden_size(names)
        self.parts = 1 + max((member.file.part for member in members), default=0)
        self.world = max(group.world, 1 + max((member.file.replica for member in members), default=0))
        self.frozen: set[str] = set()
        self.is_gated = group.kind == MEGATRON and any(is_gated(member) for member in members)

    def run(self) -> Joined:
        weights = self._weights()
        places: dict[Path, list[Held]] = {}
        for member in self.members:
            for tensor in member.tensors():
                path = self._path(member, tensor)
                if path is not None:
                    places.setdefault(path, []).append(Held(member.file, tensor))
        for number, (path, held) in enumerate(places.items()):
            if number % STEP == 0:
                self.progress.step("objects", number, len(places))
            self.found.tensors += self._whole(path, held)
        self.found.tensors += weights
        for index, tensor in enumerate(self.found.tensors):
            tensor.index = index
        return self.found

    def _weights(self) -> list[Tensor]:
        """What ZeRO cut, as the weights of the model."""
        found: list[Tensor] = []
        for part in sorted({member.file.part for member in self.members}) if self.group.kind == DEEPSPEED else ():
            weights, lost = zero.master_weights(self.members, part)
            frozen = zero.frozen_weights(self.members, part)
            self.frozen |= {tensor.name for tensor in frozen if tensor.name is not None}
            self.found.holes += lost
            for tensor in (*weights, *frozen):
                tensor.path = tensor.path if self.parts == 1 else (*tensor.path, f"part {part}")
                found.append(tensor)
        return found

    def _path(self, member: Member, tensor: Tensor) -> Path | None:
        """Where a tensor stands in the set; None for runs of weights, which are shown by their names."""
        file = member.file
        if file.role == OPTIMIZER and self.group.kind == DEEPSPEED:
            return None if zero.is_run(tensor.path) else (rank_name(self.parts, file.part, file.replica), *tensor.path)
        if zero.is_fragment(tensor.path) and tensor.path[1] in self.frozen:
            return None
        if file.role == LAYER:
            return (f"layer {file.stage}", *tensor.path)
        return (f"stage {file.stage}", *tensor.path) if self.has_stages else tensor.path

    def _whole(self, path: Path, held: list[Held]) -> Iterator[Tensor]:
        first = held[0]
        if len(held) == 1 and not placed.is_divided(first.tensor):
            yield of_member(first, path, first.tensor.name)
            return
        if placed.is_divided(first.tensor):
            whole = self._placed(path, held)
            if whole is not None:
                self.found.pieces += [shown(path)] if len(whole.parts) > 1 else []
                has_hole = sum(piece.elements for _, piece in whole.parts) < whole.elements
                self.found.holes += [shown(path)] if has_hole else []
                yield whole
                return
        elif all(alike(first.tensor, other.tensor) for other in held[1:]):
            yield of_member(first, path, first.tensor.name)
            return
        else:
            whole = self._along_axis(path, held)
            if whole is not None:
                self.found.pieces.append(shown(path))
                yield whole
                return
        self.found.open.append(shown(path))
        for one, label in zip(held, self._labels([one.file for one in held]), strict=True):
            yield of_member(one, (*path, label), one.tensor.name)

    def _labels(self, files: Sequence[RankFile]) -> list[str]:
        """What tells the pieces of one name apart in their paths: their parts, else their ranks, else their order."""
        if self.group.kind == FSDP:
            labels = [f"part {file.replica}" for file in files]
        elif len({file.part for file in files}) == len(files):
            labels = [f"part {file.part}" for file in files]
        else:
            labels = [rank_name(self.parts, file.part, file.replica) for file in files]
        return labels if len(set(labels)) == len(files) else [f"piece {number}" for number in range(len(files))]

    def _placed(self, path: Path, held: list[Held]) -> Tensor | None:
        """A divided tensor of several ranks; of a piece that several have the first."""
        pieces: dict[Shape, Tensor] = {}
        first = held[0].tensor
        for one in held:
            found = placed.pieces_of(self.by_file[one.file.name], one, self.world)
            if found is None or (one.tensor.dtype, one.tensor.shape) != (first.dtype, first.shape):
                return None
            for piece in found:
                pieces.setdefault(piece.offsets or (), piece)
        return assembled(path, first.name, first.shape, list(pieces.values())) if pieces else None

    def _along_axis(self, path: Path, held: list[Held]) -> Tensor | None:
        """A tensor that was cut along one axis, one piece a part."""
        tensors = [one.tensor for one in held]
        name = shown(path)
        parts = [one.file.part for one in held]
        if self.group.kind == FSDP or len(set(parts)) != len(parts) or not all(is_plain(tensor) for tensor in tensors):
            return None
        if self.is_gated and name.endswith(GATED):
            return None
        first = tensors[0]
        axis = axis_of(name, first.shape, self.hidden, self.parts)
        if axis is None or any((other.dtype, other.shape) != (first.dtype, first.shape) for other in tensors):
            return None
        if is_large(first) and all(begin_alike(first, other) for other in tensors[1:]):
            # Each part seems to have the whole, as of position embeddings, which only reading all of it could tell.
            return None
        # A part that is missing leaves a hole of the size of the others.
        length = first.shape[axis]
        pieces = []
        for one in held:
            piece = of_member(one, one.tensor.path, None)
            piece.offsets = tuple(one.file.part * length if at == axis else 0 for at in range(len(first.shape)))
            pieces.append(piece)
        shape = tuple(size * self.parts if at == axis else size for at, size in enumerate(first.shape))
        return assembled(path, first.name, shape, pieces)


def rank_name(parts: int, part: int, replica: int) -> str:
    """What the state of one rank is called in a path."""
    return f"rank {replica}" if parts == 1 else f"part {part}, rank {replica}"


def is_gated(member: Member) -> bool:
    """True where Megatron's arguments say that each layer holds two, one behind the other, in every part."""
    pickle = member.pickle
    if pickle is None:
        return False
    values = pickle.values
    arguments = entry(values, values.root, "args")
    held = attributes(values, arguments) if arguments >= 0 else {}
    return any(values.plain(held[name]) is True for name in GATES if name in held)


def stated_parts(member: Member) -> int:
    """The number of parts that Megatron's arguments or DeepSpeed's keys state; 0 where they do not."""
    pickle = member.pickle
    if pickle is None:
        return 0
    values = pickle.values
    at = entry(values, values.root, "mp_world_size")
    arguments = entry(values, values.root, "args")
    held = attributes(values, arguments) if arguments >= 0 else {}
    for key in ("tensor_model_parallel_size", "model_parallel_size"):
        at = held.get(key, at)
    found = values.integer(at) if at >= 0 else None
    return found if found is not None and 0 < found < 100_000 else 0
