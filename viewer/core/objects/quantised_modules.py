"""What quantised modules keep outside of their parameters and buffers, and under which names `state_dict()` has it.

Convolutions are pickled as a tuple; linear layers and embeddings keep a packed object, whose state holds the tensors.
torch gives the weight and bias of a packed linear layer as one pair; here each of the two has a name of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.path import Attribute, Key, Path
from viewer.core.tensors.special import state_items

PACKAGES: Final = (
    "torch.ao.nn.intrinsic.quantized.",
    "torch.ao.nn.quantized.",
    "torch.nn.intrinsic.quantized.",
    "torch.nn.quantized.",
)
"""Where torch keeps the classes of quantised modules, and where it kept them."""
_REFERENCE: Final = (".reference.",)
# Items of the tuple that a convolution is pickled as, and their names.
_CONVOLUTION: Final = ((10, "weight"), (11, "bias"), (12, "scale"), (13, "zero_point"))
_CONVOLUTION_ITEMS: Final = 15
_STATE: Final = Key("state")
_NUMBERS: Final = ("scale", "zero_point")
_WHOLE: Final = ("param", "_packed_weight_ih", "_packed_weight_hh")

Packed = tuple[str, Path, int]
"""Name below the module, path below the module, value."""


def is_quantised(name: str) -> bool:
    """True for the qualified name of a class of quantised modules."""
    return name.startswith(PACKAGES) and not any(part in name for part in _REFERENCE)


def is_convolution(values: Values, value: int, name: str) -> bool:
    """True for a quantised convolution, whose state is a tuple. `name`: of its class."""
    return is_quantised(name) and len(state_items(values, value)) == _CONVOLUTION_ITEMS


def packed(values: Values, value: int, held: Mapping[str, int], name: str) -> Iterator[Packed]:
    """The entries of a quantised module beside its parameters and buffers, in the order of torch.

    `held`: its attributes by name, `name`: of its class.
    """
    if not is_quantised(name):
        return
    state = state_items(values, value)
    if len(state) == _CONVOLUTION_ITEMS:
        yield from ((entry, (_STATE, item), state[item]) for item, entry in _CONVOLUTION)
        return
    yield from ((entry, (Attribute(entry),), held[entry]) for entry in _NUMBERS if _is_number(values, held, entry))
    if "dtype" in held and ("_packed_params" in held or "_packed_weight" in held):
        yield "dtype", (Attribute("dtype"),), held["dtype"]
    yield from _linear(values, held.get("_packed_params", -1))
    yield from _embedding(values, held.get("_packed_weight", -1))
    yield from ((entry, (Attribute(entry),), held[entry]) for entry in _WHOLE if entry in held)


def _is_number(values: Values, held: Mapping[str, int], name: str) -> bool:
    return values.kind(held.get(name, -1)) in (Kind.INT, Kind.FLOAT)


def _linear(values: Values, value: int) -> Iterator[Packed]:
    """The pair of weight and bias of a packed object."""
    pair = _first_of_state(values, value)
    if len(pair) == 2:
        above: Path = (Attribute("_packed_params"), _STATE, 0)
        yield from ((f"_packed_params.{at}", (*above, at), item) for at, item in enumerate(pair))


def _embedding(values: Values, value: int) -> Iterator[Packed]:
    """The weight of a packed object: the first tensor after its version."""
    parts = _first_of_state(values, value)
    tensors = values.items(parts[1]) if len(parts) > 1 and values.kind(parts[1]) is Kind.LIST else []
    if tensors:
        yield "_packed_weight", (Attribute("_packed_weight"), _STATE, 0, 1, 0), tensors[0]


def _first_of_state(values: Values, value: int) -> list[int]:
    """The items of the tuple that stands first in the state of a packed object."""
    state = state_items(values, value) if values.kind(value) is Kind.CALL else []
    return values.items(state[0]) if state and values.kind(state[0]) is Kind.TUPLE else []
