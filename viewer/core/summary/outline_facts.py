"""Sentences of Summary on what records say beside the tensors: a graph, bytecode, compiled code, a package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from viewer.core.document import Document
from viewer.core.objects.outline import Outline
from viewer.core.summary.part import Say
from viewer.wording.facts import HOLDS

MOST: Final = 8
_DEVICE, _MACHINE = "AOTI_DEVICE_KEY", "AOTI_MACHINE"


def outline_lines(document: Document) -> Iterator[Say]:
    """A sentence for each kind of outline that a document has, of graphs one for each."""
    outlines = list(document.outlines.values())
    for outline in outlines:
        if outline.label == "graph":
            yield from _graph(outline)
        elif outline.label == "bytecode":
            yield from _bytecode(outline)
    compiled = [outline for outline in outlines if outline.label == "compiled"]
    if compiled:
        facts = {row.label: row.value for row in compiled[0].rows}
        device, machine = facts.get(_DEVICE, ""), facts.get(_MACHINE, "")
        if device or machine:
            yield Say(HOLDS["compiled"], {"device": device, "machine": machine})
    yield from _package(outlines)


def _graph(outline: Outline) -> Iterator[Say]:
    lists = {row.label: row for row in outline.rows if row.own}
    yield Say(HOLDS["graph"], {label: lists[label].count for label in ("nodes", "operators")})
    for label in ("inputs", "outputs"):
        if label in lists and lists[label].rows:
            yield Say(HOLDS[label], {"names": _shown(lists[label])})


def _bytecode(outline: Outline) -> Iterator[Say]:
    rows = {row.label: row for row in outline.rows if row.own}
    counts = {label: rows[label].count if label in rows else 0 for label in ("methods", "operators")}
    version = rows.get("bytecode-version")
    if version is None:
        yield Say(HOLDS["bytecode-early"], counts)
    else:
        yield Say(HOLDS["bytecode"], {**counts, "version": version.value})


def _package(outlines: list[Outline]) -> Iterator[Say]:
    python = next((outline.value for outline in outlines if outline.label == "python"), "")
    extern = next((outline for outline in outlines if outline.label == "extern"), None)
    if python:
        yield Say(HOLDS["python"], {"version": python})
    if extern is not None:
        names = ", ".join(row.label for row in extern.rows[:MOST]) or extern.value
        yield Say(HOLDS["extern"], {"names": names + (", …" if extern.count > MOST else "")})


def _shown(outline: Outline) -> str:
    """`x float32 [2, 3], …`."""
    texts = [" ".join(part for part in (row.label, row.value) if part) for row in outline.rows[:MOST]]
    return ", ".join(texts) + (", …" if outline.count > MOST else "")
