"""The mappings that a whole object is nested from, put together again around its entries, under their new names."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from viewer.core.export.plan import Content
from viewer.core.objects.state_dict import Holder

Key = str | int
OUTERMOST: Final = Holder("", is_ordered=True)


class Nesting:
    """Where each entry stands: in the mapping whose name its own begins with, else in the outermost, as all do flat."""

    def __init__(self, content: Content) -> None:
        # No mapping stands where an entry does: what was in it comes beside that.
        taken = set(content.order) if content.holders else set()
        self._holders = {holder.name: holder for holder in content.holders if holder.name not in taken}
        self._numbered = content.numbered
        # A name with very many dots is cut only where a mapping's name can end.
        self._lengths = {len(name) for name in self._holders}

    def keys(self, name: str) -> tuple[Key, ...]:
        """The keys that lead to an entry from the outermost mapping."""
        return tuple(key for _, key in self._steps(name))

    def nested(self, pairs: Iterable[tuple[str, object]], metadata: object) -> dict[object, object]:
        """The object of some entries. `metadata`: the `_metadata` of one that is flat."""
        outer = made(self._holders.get("", OUTERMOST))
        if metadata is not None:
            vars(outer)["_metadata"] = metadata
        known: dict[str, dict[object, object]] = {"": outer}
        for name, value in pairs:
            held = outer
            *above, (_, last) = self._steps(name)
            for inner, key in above:
                if inner not in known:
                    known[inner] = held[key] = made(self._holders[inner])
                held = known[inner]
            held[last] = value
        return outer

    def _steps(self, name: str) -> list[tuple[str, Key]]:
        """The holders above an entry and itself, from the outside, each by its name and its key in the one before."""
        dots = [at for at, sign in enumerate(name) if sign == "." and at in self._lengths] if self._holders else []
        names = [*(name[:at] for at in dots if name[:at] in self._holders), name]
        starts = [0, *(len(above) + 1 for above in names)]
        return [(one, self._key(one, one[start:])) for one, start in zip(names, starts, strict=False)]

    def _key(self, name: str, text: str) -> Key:
        is_number = name in self._numbered and text.removeprefix("-").isdecimal()
        return int(text) if is_number else text


def made(holder: Holder) -> dict[object, object]:
    """An empty mapping of the kind of the holder; `_metadata` is what only an OrderedDict can have."""
    if not holder.is_ordered:
        return {}
    found: OrderedDict[object, object] = OrderedDict()
    if holder.metadata is not None:
        vars(found)["_metadata"] = OrderedDict((path, dict(facts)) for path, facts in holder.metadata.items())
    return found
