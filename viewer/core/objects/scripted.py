"""The state_dict of a TorchScript module: its pickle holds attributes, its stored code says which are parameters.

An object of TorchScript is NEWOBJ of a class below `__torch__`, with all its attributes in one dict. Names are the path
of attributes over such objects, joined by dots; of each object its parameters come first, then its buffers, then what
its submodules hold. Before torch 1.6 the code did not tell buffers, and torch leaves them out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from viewer.core.objects.modules import attributes
from viewer.core.objects.names import named
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.path import Attribute, Path
from viewer.core.tensors.tensor import Tensor

ROOT: Final = "__torch__"
_NEWOBJ: Final = code("NEWOBJ")
_DEEPEST: Final = 400
# A module that stands in many places is walked at each of them, as long as that is not far more than the stream holds.
_SPARE: Final = 100_000


class Declared(Protocol):
    """Which attributes of a class are parameters and buffers; no buffers: they are not told."""

    @property
    def parameters(self) -> frozenset[str]: ...

    @property
    def buffers(self) -> frozenset[str] | None: ...


def is_scripted(values: Values, value: int) -> bool:
    """True for an object of a class that TorchScript made."""
    if values.kind(value) is not Kind.CALL or values.code.codes[value] != _NEWOBJ:
        return False
    name = named(values, values.callee(value))
    return name == ROOT or name.startswith(ROOT + ".")


def script_names(
    values: Values,
    root: int,
    classes: Mapping[str, Declared],
    tensors: Sequence[Tensor],
    check: Callable[[], None] = lambda: None,
) -> list[tuple[str, Tensor]]:
    """The entries of the state_dict of a scripted module in torch's order; `tensors` are those of its pickle.

    Each tensor that stands in several places is taken at each of them. Classes without code hold no entries.
    """
    by_path = {tensor.path: tensor for tensor in tensors}
    found: list[tuple[str, Tensor]] = []
    waiting: list[tuple[int, str, Path, tuple[int, ...]]] = [(root, "", (), ())]
    budget = len(values.code) + _SPARE
    while waiting and budget > 0:
        value, prefix, path, above = waiting.pop()
        check()
        held = attributes(values, value)
        budget -= len(held) + 1
        declared = classes.get(named(values, values.callee(value)))
        entries = _entries(declared, held) if declared is not None else ()
        found += [(prefix + name, by_path[at]) for name in entries if (at := (*path, Attribute(name))) in by_path]
        inner = (*above, value)
        if len(inner) <= _DEEPEST:
            waiting += [
                (child, f"{prefix}{name}.", (*path, Attribute(name)), inner)
                for name, child in reversed(held.items())
                if child not in inner and is_scripted(values, child)
            ]
    return found


def _entries(declared: Declared, held: Iterable[str]) -> list[str]:
    """The attributes of a module that are entries of its state_dict: its parameters, then its buffers."""
    return [name for names in (declared.parameters, declared.buffers or ()) for name in held if name in names]
