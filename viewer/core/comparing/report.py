"""The report of a comparison: text for people, one JSON object for programs (its form stands in the README)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from viewer.core.comparing.arranging import listed
from viewer.core.comparing.comparison import Comparison, Row, Status
from viewer.core.comparing.names import By, Suggestion
from viewer.core.comparing.outcome import Differences, Refused
from viewer.core.comparing.plain import EQUAL, Value, ValueRow
from viewer.core.comparing.sides import Side, is_lost
from viewer.core.source import one_line, printable
from viewer.core.summary.rows.opcodes import json_argument
from viewer.core.tensors.path import to_json
from viewer.core.tensors.tensor import Tensor
from viewer.wording import Phrase, fill
from viewer.wording.comparing import NOT_COMPARED, NOTES, OUTCOMES, REPORT, STATUSES, SUGGESTIONS

Object = dict[str, Any]
LONGEST: Final = 120
DIGITS: Final = 4


def figure(value: float | None) -> str:
    """A number with four digits; ints whole; "" for none."""
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.{DIGITS}g}".replace("e-0", "e-").replace("e+0", "e+")


def shape_text(shape: Sequence[int]) -> str:
    """A shape as torch prints a list."""
    return f"[{', '.join(map(str, shape))}]"


# -- sentences -----------------------------------------------------------------------------------------


def sentences(row: Row) -> Iterator[tuple[str, dict[str, object]]]:
    """What is known of a pair, as codes of `wording.comparing.OUTCOMES` with their parameters."""
    first, second = row.pair.a, row.pair.b
    if first is None or second is None:
        yield row.status.value, {}
        return
    if row.pair.name_a != row.pair.name_b:
        yield "names", {"first": row.pair.name_a, "second": row.pair.name_b}
    if is_lost(first) or is_lost(second):
        return
    if first.shape != second.shape:
        yield "shape", {"first": shape_text(first.shape), "second": shape_text(second.shape)}
    if first.dtype != second.dtype:
        yield "dtype", {"first": first.dtype, "second": second.dtype}
    if row.status is Status.PENDING:
        yield "pending", {}
    if isinstance(row.outcome, Differences):
        yield from _of_elements(row.outcome)


def _of_elements(found: Differences) -> Iterator[tuple[str, dict[str, object]]]:
    if not found.differing:
        same = "same-bytes" if found.same_bytes else "same-numbers" if found.note else "same-values"
        if found.note != "no-values":
            yield same, {}
    else:
        yield "differ", {"differing": found.differing, "elements": found.elements}
        if found.largest and found.place is not None:
            code = "largest" if found.mean is not None else "largest-alone"
            mean, place = figure(found.mean), shape_text(found.place)
            yield code, {"largest": figure(found.largest), "mean": mean, "place": place}
        elif found.first is not None:
            yield "first", {"first": shape_text(found.first)}
        if found.largest and found.relative is not None and found.cosine is not None:
            yield "relative", {"relative": figure(found.relative), "cosine": f"{found.cosine:.6g}"}
    if found.nans:
        yield "nans", {"count": found.nans}
    if found.nans_a or found.nans_b:
        yield "nans-one", {"count": found.nans_a + found.nans_b, "nans_a": found.nans_a, "nans_b": found.nans_b}


def refusal(outcome: Refused) -> str:
    """Why elements were not compared, in English, without a full stop."""
    if outcome.failure is not None:
        return str(outcome.failure).rstrip(".")
    return fill(NOT_COMPARED[outcome.code], outcome.params)


def details(row: Row) -> str:
    """All that is known of a pair, as one line in English."""
    lone = row.pair.a or row.pair.b if row.pair.a is None or row.pair.b is None else None
    if lone is not None and is_lost(lone):
        return fill(REPORT["value-lost"], {"file": printable(lone.member)})
    if lone is not None:
        return f"{shape_text(lone.shape)} {lone.dtype}"
    parts = [fill(OUTCOMES[code], params) for code, params in sentences(row)]
    if isinstance(row.outcome, Refused):
        parts.append(refusal(row.outcome) + ".")
    note = row.differences.note if row.differences is not None else ""
    return " ".join(parts) + (f" ({fill(NOTES[note], {})})" if note else "")


def arguments_of(found: Suggestion) -> list[str]:
    """The arguments of the command that follow a suggestion."""
    return ["--strip", found.strip] if found.by is By.NAME else ["--by", found.by.value]


def suggestion_words(found: Suggestion) -> tuple[str, dict[str, object]]:
    """The sentence of a suggestion: a text of `wording.comparing.SUGGESTIONS`, and its parameters."""
    code = "strip" if found.by is By.NAME else found.by.value
    return SUGGESTIONS[code], {"now": found.now, "pairs": found.pairs, "strip": found.strip, "side": found.side}


# -- text ----------------------------------------------------------------------------------------------


def report_text(comparison: Comparison, *, values: bool = True) -> Iterator[str]:
    """Lines with their ends; equal tensors are counted only. `values`: plain values that differ, one a line."""
    yield from (line + "\n" for line in _lines(comparison, values=values))


def _lines(comparison: Comparison, *, values: bool) -> Iterator[str]:
    yield _side_line("A", comparison.a)
    yield _side_line("B", comparison.b)
    yield ""
    yield fill(REPORT["counts"], {"counts": counts_text(comparison)})
    if comparison.left_out:
        yield fill(REPORT["left-out"], {"count": comparison.left_out})
    for row in ordered(comparison.rows):
        if row.status not in (Status.EQUAL, Status.PENDING):
            yield one_line(f"  {fill(STATUSES[row.status], {}):<12} {row.pair.name}: {details(row)}")
    if comparison.suggestion is not None:
        sentence, params = suggestion_words(comparison.suggestion)
        tries = fill(REPORT["try"], {"arguments": " ".join(arguments_of(comparison.suggestion))})
        yield one_line(f"{fill(sentence, params)} {tries}")
    words = comparison.load_words()
    if words:
        yield ""
        for line in words.split("\n"):
            yield ("\t" if line.startswith("\t") else "") + one_line(line.strip())
    yield ""
    yield from _value_lines(comparison, each=values)
    yield from _source_lines(comparison)
    yield fill(REPORT[comparison.verdict], {})


def _side_line(name: str, side: Side) -> str:
    title = fill(REPORT["at"], {"title": side.title}) if side.title else ""
    facts = {"side": name, "path": path_of(side), "title": title, "format": side.document.format}
    return one_line(fill(REPORT["side"], {**facts, "tensors": len(side.every)}))


def path_of(side: Side) -> str:
    """The file of a side."""
    return printable(str(side.document.path)) if side.document.path is not None else ""


def counts_text(comparison: Comparison) -> str:
    """`3 equal, 8 changed`: what there is of each status."""
    found = [f"{number:,} {fill(STATUSES[status], {})}" for status, number in comparison.counts.items() if number]
    return ", ".join(found) or "0"


def ordered(rows: Sequence[Row]) -> list[Row]:
    """What differs most first: shapes, keys, types, then elements by their largest difference."""
    return [rows[at] for at in listed(rows)]


def _value_lines(comparison: Comparison, *, each: bool) -> Iterator[str]:
    differ, unknown = comparison.values_differ, comparison.values_unknown
    if not comparison.values:
        return
    yield fill(REPORT["values"], {"equal": len(comparison.values) - differ - unknown, "differ": differ})
    if unknown:
        yield fill(REPORT["values-unknown"], {"count": unknown})
    for row in comparison.values if each else ():
        if row.status != EQUAL:
            yield one_line(f"  {row.name}: {value_text(row.a)} \u2192 {value_text(row.b)}")


def value_text(value: Value | None) -> str:
    """A plain value as one line; a dash where there is none."""
    if value is None:
        return "\u2014"
    if value.lost:
        return Phrase(REPORT["value-lost"], {"file": printable(value.lost)})
    shown = value.shown
    if isinstance(shown, dict) and len(shown) == 1:
        shown = next(iter(shown.values()))
        text = str(shown)
    else:
        text = json.dumps(shown, ensure_ascii=False)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "\u2026"


def _source_lines(comparison: Comparison) -> Iterator[str]:
    if not comparison.sources:
        return
    differ = comparison.sources_differ
    yield fill(REPORT["sources"], {"equal": len(comparison.sources) - differ, "differ": differ})
    for row in comparison.sources:
        if row.status in ("only-a", "only-b"):
            yield one_line(f"  {row.name}: {fill(REPORT[row.status], {})}")
        elif row.status != EQUAL:
            lines = {"changed": row.changed, "added": row.added, "removed": row.removed}
            yield one_line(f"  {row.name}: {fill(REPORT['lines'], lines)}")


# -- JSON ----------------------------------------------------------------------------------------------


def report_json(comparison: Comparison, *, values: bool = True) -> Object:
    """The one object. `values`: plain values that differ, one by one; else null."""
    found = comparison.suggestion
    return {
        "a": _side_json(comparison.a),
        "b": _side_json(comparison.b),
        "equal": comparison.equal,
        "verdict": comparison.verdict,
        "by": comparison.rules.by.value,
        "counts": {
            **comparison.counts,
            "values": comparison.values_differ,
            "values_unknown": comparison.values_unknown,
            "sources": comparison.sources_differ,
            "left_out": comparison.left_out,
        },
        "suggestion": _suggestion_json(found) if found is not None else None,
        "load_state_dict": comparison.load_words() or None,
        "tensors": [_row_json(row) for row in comparison.rows],
        "values": [_value_json(row) for row in comparison.values if row.status != EQUAL] if values else None,
        "sources": [
            {
                "class": row.name,
                "status": row.status,
                "changed": row.changed,
                "added": row.added,
                "removed": row.removed,
            }
            for row in comparison.sources
        ],
    }


def _side_json(side: Side) -> Object:
    facts = {"path": path_of(side), "size": side.document.whole_size, "format": side.document.format}
    return {**facts, "root": side.title, "tensors": len(side.every)}


def _suggestion_json(found: Suggestion) -> Object:
    sentence, params = suggestion_words(found)
    return {"text": fill(sentence, params), "arguments": arguments_of(found), "pairs": found.pairs}


def _row_json(row: Row) -> Object:
    made: Object = {"name": row.pair.name, "status": row.status.value}
    made["a"], made["b"] = _tensor_json(row.pair.name_a, row.pair.a), _tensor_json(row.pair.name_b, row.pair.b)
    found = row.differences
    made["elements"] = _elements_json(found) if found is not None else None
    made["text"] = details(row)
    return made


def _tensor_json(name: str, tensor: Tensor | None) -> Object | None:
    if tensor is None:
        return None
    facts: Object = {"name": name, "path": to_json(tensor.path)}
    if is_lost(tensor):
        return {**facts, "dtype": None, "shape": None}
    return {**facts, "dtype": tensor.dtype, "shape": list(tensor.shape)}


def _elements_json(found: Differences) -> Object:
    return {
        "count": found.elements,
        "differing": found.differing,
        "largest": number_json(found.largest),
        "mean": number_json(found.mean),
        "relative": number_json(found.relative),
        "cosine": number_json(found.cosine),
        "largest_at": list(found.place) if found.place is not None else None,
        "first_at": list(found.first) if found.first is not None else None,
        "nan_both": found.nans,
        "nan_a": found.nans_a,
        "nan_b": found.nans_b,
        "same_bytes": found.same_bytes,
    }


def number_json(value: float | None) -> object:
    """A number as JSON has it; infinity as `{"float": "inf"}`."""
    return json_argument(value) if value is None or isinstance(value, int) or not math.isfinite(value) else value


def _value_json(row: ValueRow) -> Object:
    made: Object = {"path": to_json(row.path), "status": row.status}
    for side, value in (("a", row.a), ("b", row.b)):
        if value is not None:
            made[side] = value.shown
    return made
