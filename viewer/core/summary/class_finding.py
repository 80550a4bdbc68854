"""The classes of a document found: those of its stored sources at once, their objects and derived texts in a thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.files import DERIVED, STORED
from viewer.core.code.skeleton import skeletons
from viewer.core.document import Document
from viewer.core.objects.instances import Instance, find_instances
from viewer.core.progress import Progress
from viewer.core.summary.classes import Classes, ClassRow, Place, Text
from viewer.core.tensors.tensor import ValueRef

MOST_SOURCES: Final = 100_000


def list_classes(document: Document) -> Classes:
    """The classes that come with their source or should have, without their objects: quick, for the first look."""
    return _joined(document.sources, ())


def find_classes(document: Document, encoding: str, progress: Progress) -> Classes:
    """All classes with the places of their objects. Raises CancelledError."""
    found: list[tuple[int, Instance]] = []
    for pickle in document.pickles:
        if not pickle.role or pickle.index == document.main:
            found += [(pickle.index, one) for one in find_instances(pickle.values, encoding, progress)]
    return _joined(document.sources, found)


def derive_texts(document: Document, classes: Classes, encoding: str, progress: Progress) -> Classes:
    """The same with derived texts for the person's classes that have none. Raises CancelledError."""
    main = document.object_pickle
    wanted = [row for row in classes.rows if row.own and row.places and not row.texts]
    if main is None or not wanted:
        return classes
    stored = {row.name for row in classes.rows if row.texts}
    found = find_instances(main.values, encoding, progress)
    made = {one.name: one for one in skeletons(main.values, found, stored, encoding, progress)}
    rows = tuple(
        replace(row, texts=(Text(made[row.name].text, DERIVED, computes=made[row.name].computes),))
        if not row.texts and row.name in made
        else row
        for row in classes.rows
    )
    return replace(classes, rows=rows)


def _joined(sources: Sequence[EmbeddedSource], instances: Iterable[tuple[int, Instance]]) -> Classes:
    stored: dict[str, list[int]] = {}
    for code, source in enumerate(sources[:MOST_SOURCES]):
        stored.setdefault(source.name, []).append(code)
    places: dict[str, list[Place]] = {}
    for pickle, one in instances:
        places.setdefault(one.name, []).append(Place(ValueRef(pickle, one.value), one.path))
    rows = [_row(name, stored.get(name, []), sources, places.get(name, [])) for name in {**stored, **places}]
    rows.sort(key=lambda row: not row.own)
    row_of = {row.name: at for at, row in enumerate(rows)}
    texts = {code: (at, number) for at, row in enumerate(rows) for number, code in _numbered(row)}
    return Classes(tuple(rows), row_of, texts)


def _row(name: str, codes: Sequence[int], sources: Sequence[EmbeddedSource], places: Sequence[Place]) -> ClassRow:
    texts: dict[str, list[int]] = {}
    for code in codes:
        text = sources[code].text
        if text is not None:
            texts.setdefault(text, []).append(code)
    if codes:
        module, qualname = sources[codes[0]].module, sources[codes[0]].qualname
    else:
        module, _, qualname = name.rpartition(".")
    found = tuple(Text(text, STORED, tuple(held)) for text, held in texts.items())
    return ClassRow(name, module, qualname, found, tuple(codes), tuple(places))


def _numbered(row: ClassRow) -> Iterator[tuple[int, int]]:
    """Each stored source of a class with the number of its text; those without text with the first."""
    for code in row.codes:
        yield next((number for number, text in enumerate(row.texts) if code in text.codes), 0), code
