"""What a change of types costs: numbers too large or too small for the new one, counted before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from viewer.core.export.base import packed_source, stopped
from viewer.core.export.plan import Content, Item, Line, Plan, lost_in
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.tensors.converted import ConvertedSource
from viewer.core.tensors.layout import distinct
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import blocks, nbytes

STEP: Final = "losses"
BLOCK: Final = 1 << 20
DIGITS: Final = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8, "float8_e4m3fn": 4, "float8_e5m2": 3}
"""Binary digits of the numbers of a type, the first one that is not stored included."""
LARGEST: Final = {
    "float64": 1024,
    "float32": 128,
    "bfloat16": 128,
    "float16": 16,
    "float8_e4m3fn": 9,
    "float8_e5m2": 16,
}
"""The power of two that all numbers of a type are smaller than."""


def may_overflow(source: str, result: str) -> bool:
    """True where numbers of a type may be too large for another."""
    return source in LARGEST and result in LARGEST and LARGEST[result] < LARGEST[source]


def may_vanish(source: str, result: str) -> bool:
    """True where very small numbers of a type may be zero in another."""
    return source in DIGITS and result in DIGITS and DIGITS[result] < DIGITS[source]


def may_lose(plan: Plan) -> bool:
    """True where the types that were asked for may not hold every number: `count` tells how many."""
    return any(may_overflow(*pair) or may_vanish(*pair) for pair in changes(plan))


def changes(plan: Plan) -> set[tuple[str, str]]:
    """The pairs of types that somebody asked for."""
    return {(one.source, one.result) for one in plan.content.converted}


def count(plan: Plan, progress: Progress) -> tuple[Line, ...]:
    """Read all numbers that change their type, and say how many the new one cannot hold.

    What is written later counts none of them again. Raises SourceError, CancelledError.
    """
    conversion = plan.content.conversion
    if conversion is None:
        return ()
    converted = [item for item in stopped(plan, progress) if converted_source(item) is not None]
    for source in dict.fromkeys(packed for item in converted if (packed := packed_source(item.tensor)) is not None):
        source.prepare(progress)
    conversion.settle()
    total, done = sum(map(size_of, unshared(converted))), 0
    for item in unshared(converted):
        for size in read(item, progress):
            progress.step(STEP, done, total)
            done += size
    return told(plan.content) or (Line("loses-nothing", {"dtype": conversion.target}),)


def told(content: Content) -> tuple[Line, ...]:
    """What was found up to now, of what was read of the content; () for nothing."""
    conversion = content.conversion
    if conversion is None:
        return ()
    found = (("too-large", conversion.lost), ("too-small", conversion.vanished))
    counts = [Line(code, {"count": number, "dtype": conversion.target}) for code, number in found if number]
    return (*counts, *lost_in(content)) if counts else ()


def unshared(items: Iterable[Item]) -> Iterator[Item]:
    """The items, of those that are written as one storage only the first."""
    seen: set[int] = set()
    for item in items:
        if item.copied or id(item.tensor.storage) not in seen:
            seen.add(id(item.tensor.storage))
            yield item


def converted_source(item: Item) -> ByteSource | None:
    """What turns the elements of an item into the type that was asked for."""
    source = item.tensor.storage.source if item.tensor.storage is not None else None
    return source if isinstance(source, ConvertedSource) else None


def size_of(item: Item) -> int:
    """Bytes that are read of it: all of its storage, or only what is copied."""
    source = converted_source(item)
    return nbytes(once(item.tensor)) if item.copied or source is None else source.size


def once(tensor: Tensor) -> Tensor:
    """The same elements without repetitions: a tensor that is expanded has more of them than any file."""
    shape, stride = distinct(tensor.shape, tensor.stride)
    return replace(tensor, shape=shape, stride=stride)


def read(item: Item, progress: Progress) -> Iterator[int]:
    """Read what is going to be written, which counts; gives the bytes of each piece."""
    source = converted_source(item)
    if item.copied:
        yield from (len(numbers) * numbers.itemsize for numbers in blocks(once(item.tensor), progress.silent()))
    elif source is not None:
        for start in range(0, source.size, BLOCK):
            yield len(source.read(start, BLOCK))
