"""What can be typed in the filter of the tensors, and what is wrong with what was typed."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP
from viewer.wording.opcode_filter import FilterForm

TENSOR_FORMS: Final = (
    FilterForm(
        "weight",
        QT_TRANSLATE_NOOP("wording", "A part of the name"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Finds tensors whose name holds it, in any case. Several words must all be found. -bias leaves out.",
        ),
    ),
    FilterForm(
        "*.weight",
        QT_TRANSLATE_NOOP("wording", "A pattern of the whole name"),
        QT_TRANSLATE_NOOP("wording", "* stands for any letters, ? for one, [0-3] for one of some."),
    ),
    FilterForm(
        '"nan"',
        QT_TRANSLATE_NOOP("wording", "A text in quotes"),
        QT_TRANSLATE_NOOP("wording", "Finds it in the name, also where it would mean something else."),
    ),
    FilterForm(
        "dtype:bf16",
        QT_TRANSLATE_NOOP("wording", "An element type"),
        QT_TRANSLATE_NOOP("wording", "By torch's name or a short one: f32, half, int8, or a pattern: float8*."),
    ),
    FilterForm(
        "shape:[*,768]",
        QT_TRANSLATE_NOOP("wording", "A shape"),
        QT_TRANSLATE_NOOP(
            "wording",
            "* stands for any size, ... for any number of axes, >100 for a size above 100. rank:2 counts axes.",
        ),
    ),
    FilterForm(
        "size>1MB",
        QT_TRANSLATE_NOOP("wording", "Bytes"),
        QT_TRANSLATE_NOOP("wording", "With > >= < <= or =. elements>1000 compares the number of elements."),
    ),
    FilterForm(
        "file:00002",
        QT_TRANSLATE_NOOP("wording", "Where it is stored"),
        QT_TRANSLATE_NOOP("wording", "A part of the storage's key or of the file's name. device:cuda finds locations."),
    ),
    FilterForm(
        "nan",
        QT_TRANSLATE_NOOP("wording", "What the scan of values found"),
        QT_TRANSLATE_NOOP(
            "wording", "nan, inf, zero, constant, negative, denormal and identical, once values are scanned."
        ),
    ),
    FilterForm(
        "shared",
        QT_TRANSLATE_NOOP("wording", "A state"),
        QT_TRANSLATE_NOOP("wording", "shared: its storage has other tensors; cut: bytes are missing; whole: none are."),
    ),
)

FILTER_FAULTS: Final[dict[str, str]] = {
    "bracket": QT_TRANSLATE_NOOP("wording", "A bracket is open: write shape:[*,768]."),
    "compare": QT_TRANSLATE_NOOP("wording", "{field} needs a number: write {field}>1000."),
    "dtype": QT_TRANSLATE_NOOP("wording", "There is no type {text}: write bf16, float32, int8 or float8*."),
    "field": QT_TRANSLATE_NOOP(
        "wording", "There is no field {text}: use name, dtype, shape, rank, size, elements, file, device."
    ),
    "number": QT_TRANSLATE_NOOP("wording", "{text} is no number of bytes: write 1MB, 64k or 1000."),
    "quote": QT_TRANSLATE_NOOP("wording", 'A quote is open: write "two words".'),
    "scan": QT_TRANSLATE_NOOP("wording", "{text} is known once values are scanned."),
    "shape-sign": QT_TRANSLATE_NOOP(
        "wording",
        "A shape has several sizes: write shape:[{sign}{size},...] for the first, rank{sign}2 for their number, or elements{sign}{size}.",
    ),
    "sign": QT_TRANSLATE_NOOP(
        "wording", "{field} is no number, so {sign} says nothing: write {field}: and what to look for."
    ),
    "shape": QT_TRANSLATE_NOOP("wording", "{text} is no size: write a number, * or ... for any number of axes."),
}
