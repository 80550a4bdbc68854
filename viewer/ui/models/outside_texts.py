"""Texts from outside the file among those of its classes: .py files that the person gave, torch's installed texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.code.files import DERIVED, STORED, SUPPLIED
from viewer.core.code.supplied import SuppliedFile
from viewer.core.code.texts import ORIGINAL
from viewer.core.code.torch_text import TorchText
from viewer.core.source import printable
from viewer.core.summary.classes import Classes, ClassRow, Text
from viewer.ui.words import count

TORCH: Final = "torch"


def with_outside(classes: Classes, supplied: Iterable[SuppliedFile], torch_texts: Mapping[str, TorchText]) -> Classes:
    """The same classes with these texts too: behind the stored ones, before the derived one; newest file first."""
    files = [*supplied][::-1]
    if not files and not torch_texts:
        return classes
    return replace(classes, rows=tuple(_row(row, files, torch_texts) for row in classes.rows))


def _row(row: ClassRow, files: Iterable[SuppliedFile], torch_texts: Mapping[str, TorchText]) -> ClassRow:
    more = [*_of_files(row, files), *_of_torch(row, torch_texts)]
    if not more:
        return row
    stored = [text for text in row.texts if text.origin != DERIVED]
    derived = [text for text in row.texts if text.origin == DERIVED]
    return replace(row, texts=(*stored, *more, *derived))


def _of_files(row: ClassRow, files: Iterable[SuppliedFile]) -> Iterator[Text]:
    for file in files:
        held = file.classes.get(row.qualname)
        if held is not None and row.own:
            yield Text(held.text, SUPPLIED, file=str(file.path), line=held.line)


def _of_torch(row: ClassRow, torch_texts: Mapping[str, TorchText]) -> Iterator[Text]:
    found = torch_texts.get(row.name)
    if found is not None:
        yield Text(found.text, TORCH, file=found.file)


def place_of(classes: Classes, file: SuppliedFile, row: int) -> tuple[int, int] | None:
    """Row and text of the first class that a file has, `row` before all others; None where it has none of them."""
    path = str(file.path)
    for at in sorted(range(len(classes.rows)), key=lambda at: at != row):
        for number, text in enumerate(classes.rows[at].texts):
            if text.origin == SUPPLIED and text.file == path:
                return at, number
    return None


def names_of(texts: Iterable[Text]) -> list[str]:
    """What tells the texts of one class apart, in a few words each."""
    every = list(texts)
    if all(text.origin == STORED for text in every):
        words = QCoreApplication.translate("SourcePane", "text {number} of {count}")
        return [words.format(number=count(at), count=count(len(every))) for at in range(1, len(every) + 1)]
    stored = sum(text.origin == STORED for text in every)
    return [_name(text, at if stored > 1 else 0) for at, text in enumerate(every, 1)]


def _name(text: Text, number: int) -> str:
    if text.origin == SUPPLIED:
        words = QCoreApplication.translate("SourcePane", "from {file}")
        return words.format(file=printable(Path(text.file).name))
    if text.origin == ORIGINAL:
        words = QCoreApplication.translate("SourcePane", "original {file}, line {line}")
        return words.format(file=printable(Path(text.file).name), line=count(text.line))
    if text.origin == TORCH:
        return QCoreApplication.translate("SourcePane", "installed torch")
    if text.origin == DERIVED:
        return QCoreApplication.translate("SourcePane", "derived")
    words = QCoreApplication.translate("SourcePane", "stored")
    return f"{words} {count(number)}" if number else words
