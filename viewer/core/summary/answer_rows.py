"""The answers to "would torch.load load this?" as rows for JSON, and as lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from viewer.core.document import Document
from viewer.core.summary.answers import Answer
from viewer.core.summary.blockers import Blocker
from viewer.core.summary.import_facts import outer_offset
from viewer.wording.blockers import ANSWERS

Row = dict[str, Any]


def answer_row(document: Document, answer: Answer) -> Row:
    """One answer. Offsets count in the outermost file; None where there is none, or the bytes were inflated."""
    return {
        "weights_only": answer.weights_only,
        "loads": str(answer.loads),
        "blockers": [_blocker_row(document, blocker) for blocker in answer.blockers],
    }


def answer_lines(document: Document, answer: Answer, most: int) -> Iterator[str]:
    """What it comes to, then a line a blocker, `most` of them at most."""
    yield ANSWERS[answer.code] + (":" if answer.blockers else "")
    for blocker in answer.blockers[:most]:
        often = f"  {blocker.count:,} x" if blocker.count > 1 else ""
        place = place_text(document, blocker)
        yield f"  {blocker.text}{often}" + (f"  {place}" if place else "")
    if len(answer.blockers) > most:
        yield f"  and {len(answer.blockers) - most:,} more"


def place_text(document: Document, blocker: Blocker) -> str:
    """Where it stands: `record a/data.pkl, 0x1F4 (500)`; "" where it is about the file."""
    if blocker.opcode < 0:
        return ""
    pickle = document.pickles[blocker.pickle]
    return offset_text(document, blocker.pickle, pickle.code.span(blocker.opcode).start)


def offset_text(document: Document, pickle: int, offset: int) -> str:
    """An offset of a pickle's source: in the outermost file, and of an inflated record within what came out of it."""
    record = document.pickles[pickle].record
    outer = outer_offset(document, pickle, offset)
    shown = offset if outer is None else outer
    parts = [f"record {record}"] if record else []
    parts.append(f"0x{shown:X} ({shown:,})" + (" of the unpacked bytes" if outer is None else ""))
    return ", ".join(parts)


def _blocker_row(document: Document, blocker: Blocker) -> Row:
    place: Row = {"document": document.index, "record": None, "offset": None}
    if blocker.opcode >= 0:
        pickle = document.pickles[blocker.pickle]
        start = pickle.code.span(blocker.opcode).start
        place |= {"record": pickle.record, "offset": outer_offset(document, blocker.pickle, start)}
    return {"code": blocker.code, "text": blocker.text, "count": blocker.count, **place}
