"""What a file keeps beside weights, as `inspect` prints it: optimizers, schedules, random numbers, progress."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from viewer.core.document import Document
from viewer.core.summary.training import training_lines, training_rows
from viewer.core.tensors.path import to_json
from viewer.wording import fill
from viewer.wording.training import TRAINING

MOST: Final = 1000


def training_text(document: Document, encoding: str) -> list[str]:
    """One line each, with its place; those of the root first."""
    lines = training_lines(document.content, encoding or "utf-8", MOST)
    return [f"  {fill(line.text, line.params)}" for line in lines]


def training_json(document: Document, encoding: str) -> Iterator[dict[str, Any]]:
    """One row each: where it stands, a code, its parameters, and the sentence in English."""
    for part in document.walk():
        for path, _, found in training_rows(part, encoding or "utf-8"):
            yield {
                "document": part.index,
                "path": to_json(path),
                "kind": found.code,
                "params": dict(found.params),
                "text": fill(TRAINING[found.code], found.params),
            }
