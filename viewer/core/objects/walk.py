"""All tensors of a stream with their places, names, and who shares a storage with whom.

Parts of paths: keys of mappings (text, int, any other key by its repr; `<key 3>` where a key holds other
values), indices of sequences and sets, `@x` attributes. The arguments of `__new__` count as indices (named
tuples), those of other unknown calls are `arguments[0]`, a state that is no mapping is `state`, a callable
that is itself called `callable`; a tensor that stands only in a key is `key` below that key. Tensors nested
deeper than 500 containers have the path `value N`. A path that is taken already goes on with `place 2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from viewer.core.objects.naming import Named, name_places
from viewer.core.objects.places import Rebuild, find_places
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress
from viewer.core.tensors.path import Attribute
from viewer.core.tensors.tensor import Tensor

MOST_SHARED: Final = 100


def find_tensors(
    values: Values,
    pickle_index: int,
    rebuild: Rebuild,
    encoding: str = "utf-8",
    first: int = 0,
    progress: Progress | None = None,
) -> list[Tensor]:
    """The tensors below the root of a stream, in the order of their containers; one for each place.

    `rebuild(value)`: the tensor that a value is, or None. `first`: the index of the first one found.
    Raises CancelledError.
    """
    places = find_places(values, pickle_index, rebuild, encoding, progress)
    values.walked = name_places(values, places, encoding)
    for tensor in places.tensors:
        tensor.index += first
        if tensor.parts:
            place_parts(tensor)
    share(places.tensors)
    return places.tensors


def walked(values: Values, tensors: Sequence[Tensor], encoding: str) -> Named | None:
    """The containers of the last walk over a stream, when it found these tensors, read in this encoding; else None."""
    named = values.walked
    if not isinstance(named, Named) or named.encoding != encoding or len(named.places.tensors) != len(tensors):
        return None
    same = all(one is other for one, other in zip(named.places.tensors, tensors, strict=True))
    return named if same else None


def place_parts(tensor: Tensor) -> None:
    """Give the tensors that another is made of their paths: its own, then their role as an attribute."""
    for role, part in tensor.parts:
        part.path = (*tensor.path, Attribute(role))
        place_parts(part)


def share(tensors: Iterable[Tensor]) -> None:
    """Give each tensor the indices of those whose storage is the same; of more than 100 the first 100."""
    groups: dict[int, list[Tensor]] = {}
    for tensor in tensors:
        if tensor.storage is not None:
            groups.setdefault(id(tensor.storage), []).append(tensor)
    for group in groups.values():
        indices = [tensor.index for tensor in group[: MOST_SHARED + 1]]
        for tensor in group[: MOST_SHARED + 1]:
            tensor.shared_with = [index for index in indices if index != tensor.index]
        first_ones = indices[:MOST_SHARED]
        for tensor in group[MOST_SHARED + 1 :]:
            tensor.shared_with = first_ones
