"""What the values of training checkpoints are: optimizers, schedules, scalers, random numbers, settings, progress.

Told by the keys and the shapes that torch, Python and numpy give them, never by a name alone. Work is bounded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from viewer.core.objects import randomness
from viewer.core.objects.content import Role, is_mapping, sections, states
from viewer.core.objects.describe import class_name, describe
from viewer.core.objects.modules import attributes, entries_of, is_module
from viewer.core.objects.optimizer import optimizer, words
from viewer.core.objects.randomness import Randomness
from viewer.core.objects.scalars import TensorOf, number, written
from viewer.core.objects.training_kinds import schedule_kind
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.path import Attribute, Key, Part, Path
from viewer.wording.told import Told, told_together
from viewer.wording.training import OPTIMIZER, OWNERS

PROGRESS: Final = frozenset(
    {
        *("best_acc", "best_acc1", "best_loss", "best_metric", "best_val_loss", "best_fitness", "epoch", "epochs"),
        *("global_step", "iter", "iter_num", "iteration", "iterations", "it", "loss", "metric", "num_updates"),
        *("start_epoch", "step", "steps", "train_step", "updates", "val_loss"),
    }
)
"""Keys of numbers that say how far a training was."""
LIGHTNING: Final = "pytorch-lightning_version"
_SCALER: Final = frozenset({"scale", "growth_factor", "backoff_factor", "growth_interval"})
_SCALER_TOLD: Final = ("scale", "growth_interval", "_growth_tracker")
_SCHEDULERS: Final = ("torch.optim.lr_scheduler.", "torch.optim.swa_utils.")
_SCHEDULE_TOLD: Final = ("step_size", "gamma", "milestones", "T_max", "factor", "patience", "total_steps")
_SETTINGS: Final = frozenset(
    {
        *("argparse.Namespace", "types.SimpleNamespace", "easydict.EasyDict", "addict.addict.Dict"),
        *("omegaconf.dictconfig.DictConfig", "transformers.training_args.TrainingArguments"),
    }
)
_CONTENT: Final = "_content"
_MOST_KEYS: Final = 64
_MOST_ENTRIES: Final = 1000
_MOST_VALUES: Final = 2000
_DEEPEST: Final = 4
_PREVIEW: Final = 40


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a value is: a code of `wording.training`, and its parameters."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)


def meaning(
    values: Values, value: int, path: Path, tensor_of: TensorOf = lambda value: None, encoding: str = "utf-8"
) -> Meaning | None:
    """What a value is; None for all that is no part of a training state. `path`: of the value, its last parts."""
    tensor = tensor_of(value)
    if tensor is not None:
        found = randomness.of_tensor(tensor, frozenset(word for part in path[-2:] for word in _words(part)))
        return None if found is None else _random(found)
    return _Reader(values, tensor_of, encoding).read(value)


def progress(values: Values, tensor_of: TensorOf, encoding: str = "utf-8") -> Meaning | None:
    """How far the training was that the root is a checkpoint of: its numbers under well-known keys."""
    if not is_mapping(values, values.root) or _size(values, values.root) > _MOST_ENTRIES:
        return None
    held = entries_of(values, values.root, encoding)
    numbers = {key: number(values, held[key], tensor_of) for key in held if key in PROGRESS}
    told = told_together(", ", [Told(key, " ", written(found)) for key, found in numbers.items() if found is not None])
    return Meaning("progress", {"settings": told}) if told else None


def lightning(values: Values, encoding: str = "utf-8") -> Meaning | None:
    """The version of PyTorch Lightning that wrote a checkpoint."""
    if not is_mapping(values, values.root) or _size(values, values.root) > _MOST_KEYS:
        return None
    version = values.text(entries_of(values, values.root, encoding).get(LIGHTNING, -1), encoding)
    return None if version is None else Meaning("lightning", {"version": version})


def training_parts(
    values: Values, tensor_of: TensorOf = lambda value: None, encoding: str = "utf-8"
) -> Iterator[tuple[Path, int, Meaning]]:
    """The parts of a training state in the root and below it, with their paths; not deeper than four containers."""
    waiting: deque[tuple[Path, int]] = deque([((), values.root)] if values.root >= 0 else [])
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_VALUES:
        path, value = waiting.popleft()
        if value < 0 or value in seen or (values.is_atom(value) and path):
            continue
        seen.add(value)
        found = meaning(values, value, path, tensor_of, encoding)
        if found is not None:
            yield path, value, found
        elif len(path) < _DEEPEST and tensor_of(value) is None and not is_module(values, value, encoding):
            waiting += _children(values, value, path, encoding)[: max(0, _MOST_VALUES - len(waiting))]


def _children(values: Values, value: int, path: Path, encoding: str) -> list[tuple[Path, int]]:
    parts = sections(values, value)
    if sum(section.count for section in parts) > _MOST_ENTRIES:
        return []
    return [
        ((*path, section.part(key, at, encoding)), child)
        for section in parts
        if section.role in (Role.ITEM, Role.KEY, Role.ATTRIBUTE)
        for at, (key, child) in enumerate(section.read(0, section.count))
    ]


def _words(part: Part) -> list[str]:
    return words(part.name if isinstance(part, Attribute) else part.repr if isinstance(part, Key) else str(part))


def _size(values: Values, value: int) -> int:
    return sum(section.count for section in sections(values, value))


def _random(found: Randomness) -> Meaning:
    params: dict[str, object] = {"owner": OWNERS[found.owner], "generator": found.generator}
    if found.seed is not None:
        # A seed is a name more than a number: no commas.
        code = "random-drawn" if found.owner == "cuda" else "random-seed"
        return Meaning(code, {**params, "seed": str(found.seed), "place": found.place})
    return (
        Meaning("random-place", {**params, "place": found.place})
        if found.place is not None
        else Meaning("random", params)
    )


class _Reader:
    """Tells what one value is that is no tensor."""

    def __init__(self, values: Values, tensor_of: TensorOf, encoding: str) -> None:
        self._values, self._tensor_of, self._encoding = values, tensor_of, encoding

    def read(self, value: int) -> Meaning | None:
        kind = self._values.kind(value)
        if kind is Kind.TUPLE:
            found = randomness.of_value(self._values, value, self._encoding)
            return None if found is None else _random(found)
        if kind not in (Kind.DICT, Kind.CALL):
            return None
        is_plain = is_mapping(self._values, value)
        parts = sections(self._values, value) if is_plain else states(self._values, value)
        if sum(section.count for section in parts) > _MOST_KEYS:
            return None
        name = "" if is_plain else class_name(self._values, value, self._encoding)
        if name in _SETTINGS:
            return Meaning("settings", {"count": self._settings(value)})
        held = (entries_of if is_plain else attributes)(self._values, value, self._encoding)
        return self._of_held(value, held, name)

    def _of_held(self, value: int, held: dict[str, int], name: str) -> Meaning | None:
        if "state" in held and "param_groups" in held:
            return self._optimizer(value)
        if set(held) >= _SCALER:
            return Meaning("scaler", {"settings": self._told(held, _SCALER_TOLD)})
        kind = schedule_kind(held)
        if kind is not None or (name.startswith(_SCHEDULERS) and "last_epoch" in held):
            return self._schedule(held, name.rpartition(".")[2] or kind or "")
        found = randomness.of_value(self._values, value, self._encoding) if "bit_generator" in held else None
        return None if found is None else _random(found)

    def _optimizer(self, value: int) -> Meaning | None:
        found = optimizer(self._values, value, self._encoding, self._tensor_of)
        if found is None:
            return None
        told = [Told(key, " ", text) for key, text in found.settings]
        if len(found.rates) > 1:
            told[:1] = [Told("lr ", told_together(" / ", found.rates))]
        if found.step is not None:
            told.append(Told("step ", written(found.step)))
        settings = told_together(", ", told) or ", ".join(found.kept)
        params: dict[str, object] = {"kind": found.kind or OPTIMIZER, "settings": settings}
        if not found.given and not found.parameters:
            return Meaning("optimizer-empty", params)
        if not found.parameters:
            return Meaning("optimizer-new", {**params, "count": found.given})
        one = found.parameters == 1
        return Meaning("optimizer-one", params) if one else Meaning("optimizer", {**params, "count": found.parameters})

    def _schedule(self, held: dict[str, int], name: str) -> Meaning:
        told = [Told("step ", self._number(held["last_epoch"]))] if "last_epoch" in held else []
        rates = [
            self._number(child)
            for section in sections(self._values, held.get("_last_lr", -1))
            for _, child in section.read(0, min(section.count, _MOST_KEYS))
        ]
        if rates:
            told.append(Told("lr ", told_together(" / ", list(dict.fromkeys(rates)))))
        text = told_together(", ", [*told, *filter(None, [self._told(held, _SCHEDULE_TOLD)])])
        return Meaning("schedule" if name else "schedule-other", {"kind": name, "settings": text})

    def _told(self, held: Mapping[str, int], keys: tuple[str, ...]) -> Told:
        return told_together(", ", [Told(key.lstrip("_"), " ", self._number(held[key])) for key in keys if key in held])

    def _number(self, value: int) -> str:
        if is_mapping(self._values, value):
            # Milestones are kept as the keys of a Counter.
            parts = sections(self._values, value)
            keys = [key for part in parts for key, _ in part.read(0, min(part.count, _MOST_KEYS))]
            return f"[{', '.join(describe(self._values, key, _PREVIEW, self._encoding) for key in keys)}]"
        plain = number(self._values, value, self._tensor_of)
        return describe(self._values, value, _PREVIEW, self._encoding) if plain is None else written(plain)

    def _settings(self, value: int) -> int:
        """How many there are: OmegaConf keeps them in an attribute."""
        inner = attributes(self._values, value, self._encoding).get(_CONTENT, -1)
        parts = sections(self._values, inner if inner >= 0 else value)
        # A mapping whose entries are attributes too counts once.
        entries = sum(section.count for section in parts if section.role is Role.KEY)
        return entries or sum(section.count for section in parts)
