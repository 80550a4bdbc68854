"""Names of the files that programs for several processors write, one or more for each rank (formats.md, G)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from viewer.wording.phrases import phrase

DEEPSPEED: Final = "DeepSpeed"
MEGATRON: Final = "Megatron-LM"
FSDP: Final = "FSDP"
PARTS: Final = phrase("detail-parts")
LATEST: Final = "latest"
ITERATION: Final = "latest_checkpointed_iteration.txt"
MODEL, OPTIMIZER, LAYER = "model", "optimizer", "layer"

_NUMBER: Final = r"(\d{1,6})"
_MODEL_STATES: Final = re.compile(rf"mp_rank_{_NUMBER}(?:_{_NUMBER})?_model_states\.pt")
_ZERO_3: Final = re.compile(
    rf"(?:bf16_|fp16_)?zero_pp_rank_{_NUMBER}_mp_rank_{_NUMBER}(?:_{_NUMBER})?_model_states\.pt"
)
_ZERO: Final = re.compile(rf"(?:bf16_|fp16_)?zero_pp_rank_{_NUMBER}_mp_rank_{_NUMBER}(?:_{_NUMBER})?_optim_states\.pt")
_LAYER: Final = re.compile(rf"layer_{_NUMBER}-model_{_NUMBER}-model_states\.pt")
_MEGATRON: Final = re.compile(
    rf"mp_rank_{_NUMBER}(?:_{_NUMBER})?(?:_{_NUMBER})?/(model_optim_rng|model_rng|model|optim|distrib_optim)\.pt"
)
_CONSOLIDATED: Final = re.compile(rf"consolidated\.{_NUMBER}\.pth")
_RANK: Final = re.compile(
    rf"(.*?)(?:_world_size_{_NUMBER})?[-_.]?rank[-_.]?{_NUMBER}(?:[-_]of[-_]{_NUMBER})?(.*\.(?:pt|pth|bin|ckpt))"
)


class RankFile(NamedTuple):
    """One file. `role`: model, optimizer, layer. `part`: its number among those that divide tensors between them.

    `stage`: of the layers that it holds, as it states them by its name; `replica`: its number among those that divide
    the optimizer between them.
    """

    name: str
    role: str
    part: int = 0
    stage: int = 0
    replica: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """The files of one checkpoint. `kind`: the program; `tag`: the folder below, "" for the folder itself.

    `world`: number of ranks, where names state it. `others`: folders with checkpoints of the same kind.
    """

    kind: str
    tag: str
    files: tuple[RankFile, ...]
    world: int = 0
    others: tuple[str, ...] = ()


def find_group(names: Sequence[str], wanted: str = "") -> Group | None:
    """The checkpoint among the files of a folder; of several the one of the folder `wanted`, else the last.

    Names are relative, with `/`. None where no names are of this kind, or only a single file without others.
    """
    folders: dict[tuple[str, str, str], list[RankFile]] = {}
    worlds: dict[tuple[str, str, str], set[int]] = {}
    for name in names:
        found = known(name)
        if found is not None:
            kind, tag, family, file, world = found
            folders.setdefault((kind, tag, family), []).append(file)
            worlds.setdefault((kind, tag, family), set()).add(world)
    groups = [key for key, files in folders.items() if len(files) > 1 or key[0] in (DEEPSPEED, MEGATRON)]
    if not groups:
        return None
    asked = [key for key in groups if key[1] == wanted]
    chosen = asked[0] if wanted and asked else max(groups, key=lambda key: (_last_number(key[1]), key[1], key[2]))
    others = sorted({key[1] for key in groups if key[0] == chosen[0] and key[1] != chosen[1]})
    stated = worlds[chosen]
    world = max(stated) if len(stated) == 1 else 0
    files = sorted(
        folders[chosen], key=lambda file: (file.role != MODEL, file.stage, file.part, file.replica, file.name)
    )
    return Group(chosen[0], chosen[1], tuple(files), world, tuple(others))


def known(name: str) -> tuple[str, str, str, RankFile, int] | None:
    """What a name says: the program, the folder, what all files of the group share, the file, the number of ranks."""
    path = PurePosixPath(name)
    tag, last = str(path.parent) if path.parent.name else "", path.name
    match = _MODEL_STATES.fullmatch(last)
    if match:
        return DEEPSPEED, tag, "", RankFile(name, MODEL, int(match[1]), int(match[2] or 0)), 0
    for pattern, role in ((_ZERO, OPTIMIZER), (_ZERO_3, MODEL)):
        match = pattern.fullmatch(last)
        if match:
            return DEEPSPEED, tag, "", RankFile(name, role, int(match[2]), int(match[3] or 0), int(match[1])), 0
    match = _LAYER.fullmatch(last)
    if match:
        return DEEPSPEED, tag, "", RankFile(name, LAYER, int(match[2]), int(match[1])), 0
    match = _MEGATRON.fullmatch("/".join(path.parts[-2:]))
    if match:
        above = str(path.parent.parent)
        role = OPTIMIZER if match[4] in ("optim", "distrib_optim") else MODEL
        file = RankFile(name, role, int(match[1]), int(match[2] or 0))
        return MEGATRON, "" if above == "." else above, "", file, 0
    match = _CONSOLIDATED.fullmatch(last)
    if match:
        return PARTS, tag, "", RankFile(name, MODEL, int(match[1])), 0
    match = _RANK.fullmatch(last)
    if match:
        world = int(match[2] or match[4] or 0)
        role = OPTIMIZER if "optim" in match[1] else MODEL
        return FSDP, tag, f"{match[1]}*{match[5]}", RankFile(name, role, replica=int(match[3])), world
    return None


def tag_of(text: str) -> str:
    """The folder that the text of a `latest` file names; "" for what is no name of a folder in it."""
    tag = text.strip()
    is_name = tag and tag.isprintable() and not set(tag) & set("/\\:") and tag not in (".", "..")
    return tag if is_name else ""


def iteration_of(text: str) -> str:
    """The folder that `latest_checkpointed_iteration.txt` means: `iter_0000010` for 10, or `release`."""
    word = text.strip()
    if word == "release":
        return word
    return f"iter_{int(word):07}" if word.isascii() and word.isdigit() and len(word) < 10 else ""


def missing_numbers(numbers: Iterable[int], world: int = 0) -> list[int]:
    """The numbers below the largest, or below `world`, that are not there."""
    there = set(numbers)
    return [number for number in range(max(world, max(there, default=-1) + 1)) if number not in there]


def _last_number(text: str) -> int:
    found = re.findall(r"\d+", text)
    return int(found[-1]) if found else -1
