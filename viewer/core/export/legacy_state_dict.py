"""A state_dict in the stream that torch.save wrote before 1.6: three pickles, the object, the keys, the storages.

int 0x1950a86a20f9469cfc6c | int 1001 | dict of the writer's sizes | object | list of keys, sorted as text
for each key in that order: int64 count of elements, the elements; nothing lies between or behind them

torch makes the tensors before it reads their elements. Nested ones need theirs then, so that they come as their parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import BinaryIO, ClassVar, Final

from typing_extensions import override

from viewer.core.export.base import Draft
from viewer.core.export.elements import Buffer
from viewer.core.export.plan import Content, Item, Plan, pieces
from viewer.core.export.special import NESTED
from viewer.core.export.state_dict import (
    CLASS_OF,
    KEPT,
    Layout,
    StateDict,
    chunks,
    fill,
    first_items,
    lay_out,
    mapping,
    reported,
    since,
    size_of,
)
from viewer.core.pickles.writer import PickleWriter
from viewer.core.progress import Progress
from viewer.wording import QT_TRANSLATE_NOOP
from viewer.wording.phrases import phrase

MAGIC: Final = 0x1950A86A20F9469CFC6C
PROTOCOL: Final = 1001
SIZES: Final = {"short": 2, "int": 4, "long": 4}
NO_VIEW: Final = (None,)
"""Each id of a storage ends with it: no view of another one."""
FIRST: Final = (1, 0)
NEWER: Final = {
    **dict.fromkeys(("bool", "bfloat16", "qint8", "quint8", "qint32"), (1, 4)),
    **dict.fromkeys(("complex64", "complex128", "quint4x2"), (1, 10)),
    "quint2x4": (1, 12),
}
"""Element types that torch 1.0 has no storage for: a version that has, tried (the last one apart)."""


class LegacyStateDict(StateDict):
    """For torch before 1.6 and what reads as it did. Types that were never in this form are left out."""

    form: ClassVar[str] = "legacy_state_dict"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "state_dict for old torch")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", ".pt or .pth in the form before torch 1.6")
    by_suffix: ClassVar[bool] = False

    @override
    def fill(self, draft: Draft, content: Content) -> tuple[int, str]:
        fill(draft, content, CLASS_OF, phrase("form-old"), KEPT - {NESTED})
        layout = laid_out(draft.items, draft.progress)
        return size_of(draft.progress.each(draft.items), layout), f"torch {'.'.join(map(str, first(draft, layout)))}"

    @override
    def in_order(self, plan: Plan) -> Sequence[str]:
        return [item.name for item in written_order(plan.items, laid_out(plan.items, Progress()), Progress())]

    @override
    def stream(self, plan: Plan, file: BinaryIO, name: str, progress: Progress) -> None:
        layout = laid_out(plan.items, progress)
        parts = sorted(layout.parts, key=lambda part: part.key)
        head = (MAGIC, PROTOCOL, {"protocol_version": PROTOCOL, "little_endian": True, "type_sizes": SIZES})
        for value in (*head, mapping(plan, layout, progress), [part.key for part in parts]):
            file.write(PickleWriter().dumps(value, progress))
        total = sum(part.nbytes for part in parts)
        done = 0
        buffer = Buffer()
        firsts = first_items(progress.each(written_order(plan.items, layout, progress)), layout)
        for part in parts:
            progress.at(*firsts[part.key], len(plan.items))
            file.write(part.count.to_bytes(8, "little"))
            for piece in reported(chunks(part, buffer, progress), progress, done, total):
                file.write(piece)
            done += part.nbytes


def written_order(items: Sequence[Item], layout: Layout, progress: Progress) -> list[Item]:
    """The items as their storages stand in the file, by their keys; behind them those that have none.

    Raises CancelledError.
    """
    every = progress.each(items)
    keyed = [([layout.of[id(one)].key for one in pieces((item,)) if id(one) in layout.of], item) for item in every]
    stored = sorted(((min(keys), item) for keys, item in keyed if keys), key=itemgetter(0))
    return [item for _, item in stored] + [item for keys, item in keyed if not keys]


def laid_out(items: Iterable[Item], progress: Progress) -> Layout:
    """The storages; each has one type in this form."""
    return lay_out(items, progress, NO_VIEW, by_type=True)


def first(draft: Draft, layout: Layout) -> tuple[int, int]:
    """The first torch that is known to load it."""
    found = since(draft.items, layout, FIRST)
    return max((found, *(NEWER.get(item.dtype, FIRST) for item in pieces(draft.items))))
