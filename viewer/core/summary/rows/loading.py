"""What torch.load would do with a file, as `inspect` says it: the key `loading` of its object, lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.summary.answer_rows import answer_lines, answer_row
from viewer.core.summary.missing import Missing
from viewer.core.summary.prediction import Prediction, predict
from viewer.core.summary.torch_answer import TorchAnswer, agreement, torch_row
from viewer.core.tensors.path import shown_short, to_json

Row = dict[str, Any]
MOST_BLOCKERS: Final = 20
MOST_CLASSES: Final = 20
MOST_PLACES: Final = 3


def loading_row(
    document: Document, encoding: str, said: TorchAnswer | None = None, progress: Progress | None = None
) -> Row:
    """The object: code, expectations, classes that torch does not bring, devices by their number of storages.

    `answers`: for weights_only=True and for False, with all that stops it. `torch`: what torch said where asked.
    """
    found = predict(document, encoding or "utf-8", progress)
    return {
        "answers": [answer_row(document, answer) for answer in found.answers],
        "torch": torch_row(said, found.answers[0]),
        "code": found.code,
        "expectations": [
            {"code": told.code, "text": told.text, "params": dict(told.params)} for told in found.expectations
        ],
        "missing_classes": [
            {"class": entry.name, "count": entry.count, "paths": [to_json(place.path) for place in entry.places]}
            for entry in found.missing
        ],
        "devices": [{"location": device.location, "storages": device.storages} for device in found.devices],
    }


def loading_lines(document: Document, encoding: str, said: TorchAnswer | None = None) -> Iterator[str]:
    """A section of the report, without its title."""
    found = predict(document, encoding or "utf-8")
    for answer in found.answers:
        yield from (f"  {line}" for line in answer_lines(document, answer, MOST_BLOCKERS))
    if said is not None:
        yield f"  {said.text} {agreement(said, found.answers[0])}".rstrip()
    for told in found.expectations:
        yield f"  {told.severity}: {told.text}"
    for entry in found.missing[:MOST_CLASSES]:
        yield f"  missing: {entry.name}{_places(entry)}"
    if len(found.missing) > MOST_CLASSES:
        yield f"  missing: and {len(found.missing) - MOST_CLASSES:,} more"
    yield from _code(found)


def _places(entry: Missing) -> str:
    """Where a class is used, in a few words."""
    if not entry.places:
        return ""
    first = [shown_short(place.path) or "the root" for place in entry.places[:MOST_PLACES]]
    more = entry.count - len(first)
    return f"  {entry.count:,} x  {', '.join(first)}" + (f", and {more:,} more" if more else "")


def _code(found: Prediction) -> Iterator[str]:
    for line in (found.code or "").splitlines():
        yield f"    {line}"
