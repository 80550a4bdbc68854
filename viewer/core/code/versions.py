"""Versions of modules: what a state_dict keeps in `_metadata`, what today's classes are at, what the loader converts.

The facts are those of torch's `_load_from_state_dict` methods and load hooks; the sentences are in wording.versions.
A state_dict does not say which classes its modules are: then what its keys tell is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.derived.state import States
from viewer.core.code.torch_modules import torch_class, torch_modules
from viewer.core.objects.describe import class_name
from viewer.core.objects.modules import attributes, entries_of
from viewer.core.objects.state_dict import METADATA, Branch
from viewer.core.pickles.values import Values

SPECTRAL: Final = "spectral_norm"
_STATISTICS: Final = frozenset({"running_mean", "running_var"})
_COUNTER: Final = "num_batches_tracked"
_FUSED: Final = frozenset({"gamma", "beta", *_STATISTICS})
_COUNTED: Final = 2
_LINEAR_RANK: Final = 2
_INSTANCE_NORM: Final = "torch.nn.modules.instancenorm._InstanceNorm"
_DEEPEST: Final = 400


@dataclass(frozen=True, slots=True)
class ModuleVersion:
    """One module of a state_dict, or one thing that happens to it.

    `path`: dotted, "" = the outermost. `name`: its class, None where the file does not say. `stored`: None where no
    version is stored; `today`: None where the class is not known. `code`: of wording.versions, "" where nothing is
    converted. `value`: the number of the module's object, -1 where the file holds none.
    """

    path: str
    name: str | None
    stored: int | None
    today: int | None
    code: str = ""
    params: Mapping[str, object] = field(default_factory=dict)
    value: int = field(default=-1, compare=False)


@dataclass(slots=True)
class _Module:
    """What is known of one module: its class, `_metadata`, the ranks of its tensors by their keys, tracked statistics.

    The rank of what is no tensor is -1.
    """

    name: str | None = None
    stored: int | None = None
    spectral: Mapping[str, int] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    tracks: bool | None = None
    value: int = -1


def module_versions(values: Values, branch: Branch, encoding: str = "utf-8") -> list[ModuleVersion]:
    """The modules of a state_dict or of a whole module, by path in the order of the file. Linear; nothing recurses."""
    modules: dict[str, _Module] = {}
    if branch.kind == "module":
        _add_classes(modules, values, branch.value, encoding)
    for path, facts in (branch.metadata or {}).items():
        modules.setdefault(path, _Module()).stored = facts.get("version")
    for path, spectral in _spectral_versions(values, branch.value, encoding).items():
        modules.setdefault(path, _Module()).spectral = spectral
    ranks = [(name, len(tensor.shape)) for name, tensor in branch.entries] + [(name, -1) for name, _ in branch.other]
    for name, rank in ranks:
        path, _, key = name.rpartition(".")
        modules.setdefault(path, _Module()).keys[key] = rank
    found = [] if branch.metadata is not None or not modules else [ModuleVersion("", None, None, None, "no-versions")]
    for path, module in modules.items():
        found += _rows(path, module, modules)
    return found


def _add_classes(modules: dict[str, _Module], values: Values, value: int, encoding: str) -> None:
    """The classes of a whole module and of those in it, parents first; a module inside itself is left out."""
    states = States(values, encoding)
    waiting: list[tuple[str, int, tuple[int, ...]]] = [("", value, ())]
    budget = len(values.code)
    while waiting and budget > 0:
        path, number, above = waiting.pop()
        budget -= 1
        state = states.get(number)
        if not state.is_module or number in above or len(above) > _DEEPEST:
            continue
        tracks = values.plain(state.attributes.get("track_running_stats", -1))
        name = class_name(values, number, encoding)
        modules[path] = _Module(name, tracks=tracks if isinstance(tracks, bool) else None, value=number)
        children = [
            (f"{path}.{name}" if path else name, child, (*above, number)) for name, child in state.children.items()
        ]
        waiting += reversed(children)


def _spectral_versions(values: Values, value: int, encoding: str) -> dict[str, dict[str, int]]:
    """By module the versions of its spectral norms by the name of the weight: kept in `_metadata` beside `version`."""
    stored = attributes(values, value, encoding).get(METADATA, -1) if value >= 0 else -1
    found: dict[str, dict[str, int]] = {}
    for path, facts in entries_of(values, stored, encoding).items() if stored >= 0 else ():
        held = entries_of(values, facts, encoding).get(SPECTRAL, -1)
        for name, number in entries_of(values, held, encoding).items() if held >= 0 else ():
            version = values.integer(number)
            if version is not None:
                found.setdefault(path, {})[name.removesuffix(".version")] = version
    return found


def _rows(path: str, module: _Module, modules: Mapping[str, _Module]) -> Iterator[ModuleVersion]:
    """The row of a module, or one for each thing that happens to it."""
    today = _today(module)
    happens = [*_events(path, module, modules)]
    if today is not None and module.stored is not None and module.stored > today:
        happens.append(("version-newer", {"stored": module.stored, "today": today, "torch": torch_modules().torch}))
    for code, params in happens or [("", {})]:
        yield ModuleVersion(path, module.name, module.stored, today, code, params, module.value)


def _today(module: _Module) -> int | None:
    if module.name is not None:
        known = torch_class(module.name)
        return known.version if known is not None else None
    return _COUNTED if module.keys.keys() >= _STATISTICS and not module.keys.keys() >= _FUSED else None


_Event = tuple[str, Mapping[str, object]]


def _events(path: str, module: _Module, modules: Mapping[str, _Module]) -> Iterator[_Event]:
    keys = module.keys.keys()
    if keys >= _FUSED:
        if module.stored is None or module.stored == 1:
            yield "fused-names-moved", {}
    elif keys >= _STATISTICS:
        yield from _norm(module)
    yield from _observer(module)
    yield from _packed(path, module, modules)
    for key in keys:
        if key.endswith("_orig") and key.removesuffix("_orig") + "_u" in keys:
            yield from _spectral(module, key.removesuffix("_orig"))
        elif key.endswith("_g") and key.removesuffix("_g") + "_v" in keys:
            yield "weight-norm-renamed", {"name": key.removesuffix("_g")}


def _norm(module: _Module) -> Iterator[_Event]:
    """Batch and instance norms: version 2 brought the counter of batches."""
    known = torch_class(module.name) if module.name is not None else None
    if known is not None and _INSTANCE_NORM in known.bases and module.tracks is False:
        if module.stored is None:
            yield "instance-stats-refused", {}
        return
    if _COUNTER in module.keys:
        return
    if module.stored is None and module.name is None:
        yield "statistics-unversioned", {}
    else:
        yield ("counter-added" if module.stored is None or module.stored < _COUNTED else "counter-missing"), {}


def _observer(module: _Module) -> Iterator[_Event]:
    """Observers of quantisation: `eps` came with version 2, the names of one kind changed with version 3."""
    keys = module.keys.keys()
    if {"min_vals", "max_vals"} <= keys and (module.stored is None or module.stored < 3):
        yield "observer-names-moved", {}
    elif {"min_val", "max_val"} <= keys and "eps" not in keys and (module.stored is None or module.stored == 1):
        yield "observer-eps-added", {}


def _packed(path: str, module: _Module, modules: Mapping[str, _Module]) -> Iterator[_Event]:
    """Quantised linear layers, whose weights were two keys once."""
    keys = module.keys.keys()
    # Quantised convolutions and norms have these keys too; their weights have other ranks.
    is_linear = module.keys.get("weight") == _LINEAR_RANK
    if {"scale", "zero_point", "bias"} <= keys and is_linear and module.stored in (None, 1):
        yield "quantized-weights-packed", {}
    if path.rpartition(".")[2] != "_packed_params" or path.removesuffix("_packed_params").rstrip(".") not in modules:
        return
    if module.stored is None or module.stored < 3:
        if {"weight", "bias"} <= keys:
            yield "quantized-weights-packed", {}
        if "dtype" not in keys:
            yield "quantized-dtype-assumed", {}


def _spectral(module: _Module, name: str) -> Iterator[_Event]:
    """The hooks of torch.nn.utils.spectral_norm: version 1 keeps the second vector in place of the weight.

    Nothing is said of whole modules: the version is that of the hook's class, which is not in the file.
    """
    version = module.spectral.get(name)
    keys = module.keys.keys()
    if module.name is not None or (version is not None and version >= 1):
        return
    if f"{name}_v" in keys and name not in keys:
        if version is None:
            yield "spectral-taken-for-newest", {"name": name}
    else:
        yield ("spectral-vector-solved" if name in keys else "spectral-incomplete"), {"name": name}
