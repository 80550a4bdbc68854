"""Which container a tensor belongs to: a module, a state_dict, an optimizer; and so the tensor's name."""

from __future__ import annotations

from ast import literal_eval
from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final
from weakref import ReferenceType, ref

from viewer.core.objects.content import mapping
from viewer.core.objects.modules import (
    BUFFERS,
    COMPILED,
    MODULES,
    PARAMETERS,
    attributes,
    is_module,
    is_packed,
    non_persistent,
    state_dict,
)
from viewer.core.objects.names import global_name
from viewer.core.objects.optimizer import is_optimizer, names_optimizer, words
from viewer.core.objects.places import Places
from viewer.core.objects.quantised_modules import is_quantised
from viewer.core.pickles.values import Values
from viewer.core.tensors.path import Attribute, Key, Part

_MODEL_WORDS: Final = frozenset({"model", "net", "network", "ema", "weights", "params", "module"})


class Place(IntEnum):
    """What a container is. OFF: inside a module, but in no state_dict. PLAIN: none of all."""

    PLAIN = 0
    MODULE = 1
    PARAMETERS = 2
    BUFFERS = 3
    MODULES = 4
    OFF = 5
    OPTIMIZER = 6
    STATE_DICT = 7


_INSIDE: Final = {PARAMETERS: Place.PARAMETERS, BUFFERS: Place.BUFFERS, MODULES: Place.MODULES}


@dataclass(slots=True)
class Named:
    """The containers above tensors, by number in `places`: what each is, its prefix in its module's state_dict.

    `kinds[place]` is PLAIN for containers without tensors below. `below[place]`: places inside that lead to
    tensors. `direct[place]`: tensors under text keys. `prefixes[place]`: the prefix of a module, with its dot.
    """

    # Weak: the values keep this, and should be given back at once with their document.
    stream: ReferenceType[Values]
    places: Places
    encoding: str
    kinds: list[Place] = field(default_factory=list)
    prefixes: list[str] = field(default_factory=list)
    below: dict[int, list[int]] = field(default_factory=dict)
    direct: dict[int, list[int]] = field(default_factory=dict)
    left_out: dict[int, frozenset[str]] = field(default_factory=dict)

    @property
    def values(self) -> Values:
        """The values of the stream, which whoever asks has."""
        values = self.stream()
        assert values is not None
        return values


def name_places(values: Values, places: Places, encoding: str) -> Named:
    """Tell the containers of a walk apart and give each tensor its name."""
    named = Named(ref(values), places, encoding)
    count = len(places.values)
    named.kinds = [Place.PLAIN] * count
    named.prefixes = [""] * count
    leading = _leading(places)
    for place in leading:
        _classify(named, place)
        if places.parents[place] >= 0:
            named.below.setdefault(places.parents[place], []).append(place)
    for number, (holder, part) in enumerate(zip(places.holders, places.parts_of, strict=True)):
        if holder >= 0 and text_key(part) is not None:
            named.direct.setdefault(holder, []).append(number)
    held = Counter(places.holders)
    plain = [place for place in named.direct if named.kinds[place] is Place.PLAIN]
    plain = [place for place in plain if held[place] == len(named.direct[place])]
    for place in [place for place in plain if not is_checkpoint(named, place)]:
        named.kinds[place] = Place.STATE_DICT
    for number, tensor in enumerate(places.tensors):
        tensor.name = _name(named, number)
    _name_packed(named)
    return named


def _is_any_module(named: Named, value: int) -> bool:
    return is_module(named.values, value, named.encoding) or is_packed(named.values, value, named.encoding)


def _name_packed(named: Named) -> None:
    """Name the tensors that quantised modules keep beside parameters and buffers, and those of compiled modules."""
    places, values = named.places, named.values
    if Place.MODULE not in named.kinds or not any(
        (name := global_name(values, value)) == COMPILED or is_quantised(name) for value in values.globals()
    ):
        return
    unnamed = {tensor.path: tensor for tensor in places.tensors if tensor.name is None}
    for place, kind in enumerate(named.kinds):
        parent = places.parents[place]
        if kind is not Place.MODULE or (parent >= 0 and named.kinds[parent] is not Place.PLAIN):
            continue
        above = places.path(place)
        for entry in state_dict(values, places.values[place], named.encoding).entries:
            tensor = unnamed.get(above + entry.path)
            if tensor is not None:
                tensor.name = entry.name


def text_key(part: Part) -> str | None:
    """The text of a key; None for indices, attributes and other keys."""
    if isinstance(part, str):
        return part
    if isinstance(part, Key) and part.repr[:2] in ("'@", '"@') and part.repr[0] == part.repr[-1]:
        return str(literal_eval(part.repr))
    return None


def is_checkpoint(named: Named, place: int) -> bool:
    """True for a mapping that holds tensors beside a model, an optimizer or anything else: a training checkpoint.

    One that holds tensors and mappings of tensors, and nothing more, is a nested state_dict.
    """
    below = named.below.get(place, [])
    if not below:
        return False
    places = named.places
    parts = mapping(named.values, places.values[place])
    if sum(section.count for section in parts) > len(below) + len(named.direct.get(place, [])):
        return True
    return any(named.kinds[child] is not Place.PLAIN or _stands_for_model(places.parts[child]) for child in below)


def _stands_for_model(part: Part) -> bool:
    text = text_key(part)
    return text is None or "state_dict" in text or not _MODEL_WORDS.isdisjoint(words(text))


def _leading(places: Places) -> list[int]:
    """Containers with a tensor somewhere below, parents first."""
    leading: set[int] = set()
    for holder in places.holders:
        while holder >= 0 and holder not in leading:
            leading.add(holder)
            holder = places.parents[holder]
    return sorted(leading)


def _classify(named: Named, place: int) -> None:
    places, values = named.places, named.values
    parent, part, value = places.parents[place], places.parts[place], places.values[place]
    above = named.kinds[parent] if parent >= 0 else Place.PLAIN
    if above is Place.MODULE:
        kind = _INSIDE.get(part.name, Place.OFF) if isinstance(part, Attribute) else Place.OFF
        named.prefixes[place] = named.prefixes[parent]
        if kind is Place.BUFFERS:
            held = attributes(values, places.values[parent], named.encoding)
            named.left_out[place] = non_persistent(values, held, named.encoding)
    elif above in (Place.PLAIN, Place.MODULES) and _is_any_module(named, value):
        kind = Place.MODULE
        named.prefixes[place] = f"{named.prefixes[parent]}{text_key(part)}." if above is Place.MODULES else ""
    elif above is Place.PLAIN:
        by_key = parent >= 0 and names_optimizer(part)
        kind = Place.OPTIMIZER if by_key or is_optimizer(values, value, named.encoding) else Place.PLAIN
    else:
        kind = Place.OPTIMIZER if above is Place.OPTIMIZER else Place.OFF
    named.kinds[place] = kind


def _name(named: Named, number: int) -> str | None:
    holder = named.places.holders[number]
    text = text_key(named.places.parts_of[number]) if holder >= 0 else None
    if text is None:
        return None
    kind = named.kinds[holder]
    if kind is Place.STATE_DICT:
        return text
    if kind is Place.PARAMETERS or (kind is Place.BUFFERS and text not in named.left_out[holder]):
        return named.prefixes[holder] + text
    return None
