"""Arguments with which torch's own modules are made, read back from the state that they left in a pickle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from viewer.core.code.derived.state import State
from viewer.core.code.torch_modules import TorchArgument, TorchClass, TorchName

MISSING: Final = object()
# Where a module goes and in which type is no fact of its class; the others are of no use any more.
_SKIPPED: Final = frozenset({"device", "dtype", "size_average", "reduce", "device_ids", "output_device"})
# Arguments whose default stands for another argument.
_SAME_AS: Final = {
    ("nn.MultiheadAttention", "kdim"): "embed_dim",
    ("nn.MultiheadAttention", "vdim"): "embed_dim",
    **{(f"nn.{kind}Pool{rank}d", "stride"): "kernel_size" for kind in ("Max", "Avg", "LP") for rank in (1, 2, 3)},
    **{(f"nn.MaxUnpool{rank}d", "stride"): "kernel_size" for rank in (1, 2, 3)},
}
# Arguments of several equal sizes that one size stands for: the module makes the same of both.
_REPEATED: Final = frozenset({"kernel_size", "stride", "padding", "dilation", "output_padding"})
_SINGLE: Final = frozenset({"normalized_shape"})
_LAYER_PARTS: Final = {
    "d_model": ("self_attn", "embed_dim"),
    "nhead": ("self_attn", "num_heads"),
    "batch_first": ("self_attn", "batch_first"),
    "dim_feedforward": ("linear1", "out_features"),
    "dropout": ("dropout", "p"),
    "layer_norm_eps": ("norm1", "eps"),
}
_RECURRENT_MODES: Final = {"RNN_TANH": "tanh", "RNN_RELU": "relu"}


@dataclass(frozen=True, slots=True)
class Given:
    """One argument that differs from its default. `value`: number of the value that it is, -1: `plain` is new."""

    name: str
    value: int
    plain: object = MISSING


@dataclass(slots=True)
class Reader:
    """What the reading of arguments asks. `plain`: atoms and tuples of atoms, else MISSING; `state`: of any object."""

    plain: Callable[[int], object]
    state: Callable[[int], State]


def arguments_of(known: TorchClass, state: State, reader: Reader) -> tuple[list[Given], dict[str, object]] | None:
    """What the constructor was given but for defaults, and all plain facts by argument; None where one is lacking."""
    given: list[Given] = []
    facts: dict[str, object] = {}
    held = _by_argument(known, state)
    for argument in known.arguments:
        if argument.name in _SKIPPED or argument.name.startswith(("*", "_")):
            continue
        found = _found(known, argument, state, held, reader)
        if found is None and argument.required:
            return None
        plain = argument.default if found is None else found.plain
        facts[argument.name] = plain
        if found is not None and not _is_default(known, argument, plain, facts):
            given.append(_shortened(known, found))
    return given, facts


def _by_argument(known: TorchClass, state: State) -> dict[str, int]:
    """The attributes of an object by the argument that each keeps."""
    found: dict[str, int] = {}
    for name, facts in known.attributes.items():
        if facts.argument is not None and name in state.attributes:
            found.setdefault(facts.argument, state.attributes[name])
    for argument in known.arguments:
        if argument.name in state.attributes:
            found[argument.name] = state.attributes[argument.name]
    return found


def _found(
    known: TorchClass, argument: TorchArgument, state: State, held: Mapping[str, int], reader: Reader
) -> Given | None:
    """Where an argument shows: an attribute, a buffer or submodule of its name, what is None, a part's attribute."""
    name = argument.name
    special = _special(known, name, state, reader)
    if special is not MISSING:
        return Given(name, -1, special)
    if name in held:
        return Given(name, held[name], reader.plain(held[name]))
    if name in state.children:
        return Given(name, state.children[name])
    if name in state.buffers and name in known.buffers:
        return Given(name, state.buffers[name], reader.plain(state.buffers[name]))
    return None


def _special(known: TorchClass, name: str, state: State, reader: Reader) -> object:
    """Facts that no attribute of the argument's name keeps."""
    if name == "bias" and "bias" not in state.attributes:
        return _has_bias(known, state, reader)
    if name == "add_bias_kv":
        return state.parameters.get("bias_k", -1) >= 0 and reader.plain(state.parameters["bias_k"]) is not None
    if name == "nonlinearity" and name not in state.attributes and "mode" in state.attributes:
        return _RECURRENT_MODES.get(str(reader.plain(state.attributes["mode"])), MISSING)
    if known.alias in ("nn.TransformerEncoderLayer", "nn.TransformerDecoderLayer") and name in _LAYER_PARTS:
        part, attribute = _LAYER_PARTS[name]
        return _part_fact(state, part, attribute, reader)
    if known.alias == "nn.AdaptiveLogSoftmaxWithLoss" and name == "cutoffs" and name in state.attributes:
        found = reader.plain(state.attributes[name])
        return found[:-1] if isinstance(found, tuple) else MISSING
    if name == "enable_nested_tensor" and "use_nested_tensor" in state.attributes:
        return reader.plain(state.attributes["use_nested_tensor"])
    return MISSING


def _part_fact(state: State, part: str, attribute: str, reader: Reader) -> object:
    if part not in state.children:
        return MISSING
    inner = reader.state(state.children[part]).attributes
    return reader.plain(inner[attribute]) if attribute in inner else MISSING


def _has_bias(known: TorchClass, state: State, reader: Reader) -> object:
    """Whether there is a bias, as the parameter shows that is None without; MISSING where none shows it."""
    for name in ("bias", "in_proj_bias"):
        if name in state.parameters:
            return reader.plain(state.parameters[name]) is not None or _weightless(state, reader)
    if known.alias in ("nn.TransformerEncoderLayer", "nn.TransformerDecoderLayer") and "linear1" in state.children:
        inner = reader.state(state.children["linear1"])
        return "bias" in inner.parameters and reader.plain(inner.parameters["bias"]) is not None
    return MISSING


def _weightless(state: State, reader: Reader) -> bool:
    """True for norms without weight: a bias that is None says nothing there."""
    weight = state.parameters.get("weight", -1)
    return weight >= 0 and reader.plain(weight) is None


def _is_default(known: TorchClass, argument: TorchArgument, plain: object, facts: Mapping[str, object]) -> bool:
    """True when an argument can be left out."""
    if argument.required:
        return False
    other = _SAME_AS.get((known.alias or "", argument.name))
    if other is not None and plain == facts.get(other):
        return True
    if isinstance(argument.default, TorchName):
        return isinstance(plain, TorchName) and plain == argument.default
    return same(plain, argument.default)


def same(plain: object, default: object) -> bool:
    """Equal, and of the same type but for 1 and 1.0; a tuple of equal sizes is the size."""
    if isinstance(plain, tuple) and plain and isinstance(default, (int, float)) and not isinstance(default, bool):
        return all(same(one, default) for one in plain)
    if isinstance(plain, bool) is not isinstance(default, bool):
        return False
    return plain is not MISSING and plain == default


def _shortened(known: TorchClass, found: Given) -> Given:
    """One size for several equal ones, where the module makes the same of both."""
    sizes = found.plain
    if not isinstance(sizes, tuple) or not sizes or any(type(size) is not int for size in sizes):
        return found
    is_repeated = found.name in _REPEATED and "torch.nn.modules.conv._ConvNd" in known.bases
    is_single = found.name in _SINGLE and len(sizes) == 1
    if (is_repeated or is_single) and len(set(sizes)) == 1:
        return Given(found.name, -1, sizes[0])
    return found
