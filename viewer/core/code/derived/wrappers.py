"""Norms of weights by hooks, torch.nn.utils.weight_norm and spectral_norm: told by the names that they leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from viewer.core.code.derived.shapes import Shape, Shapes


class Wrapper(NamedTuple):
    """A function around a module. `arguments`: those that are not at their default, as written."""

    function: str
    arguments: tuple[tuple[str, str], ...]


def wrappers(expected: Shapes, actual: Mapping[str, Shape]) -> Iterator[Wrapper]:
    """The functions that would make what is there of what a constructor makes; `expected` becomes what they make."""
    for name in [name for name in expected if name not in actual and "." not in name]:
        named = () if name == "weight" else (("name", f'"{name}"'),)
        shape = expected[name]
        if actual.get(f"{name}_v") == shape and f"{name}_g" in actual:
            dim = _kept_dim(shape, actual[f"{name}_g"])
            if dim is not None:
                del expected[name]
                expected[f"{name}_g"], expected[f"{name}_v"] = actual[f"{name}_g"], shape
                yield Wrapper("nn.utils.weight_norm(", named + (() if dim == "0" else (("dim", dim),)))
        elif actual.get(f"{name}_orig") == shape and f"{name}_u" in actual:
            del expected[name]
            expected[f"{name}_orig"] = shape
            for part in (f"{name}_u", f"{name}_v"):
                expected.update({part: actual[part]} if part in actual else {})
            yield Wrapper("nn.utils.spectral_norm(", named)


def _kept_dim(shape: Shape, lengths: Shape) -> str | None:
    """The dimension that the lengths of a weight norm are kept for; `None` for a single length; None: it is another."""
    if lengths == ():
        return "None"
    for dim, size in enumerate(shape):
        if lengths == tuple(size if at == dim else 1 for at in range(len(shape))):
            return str(dim)
    return None
