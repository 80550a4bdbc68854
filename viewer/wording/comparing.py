"""What a comparison of two files says: why elements were not compared, how they were, and the report in text."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

LOADING: Final[dict[str, str]] = {
    "head": "Error(s) in loading state_dict for {owner}:\n\t{lines}",
    "missing": "Missing key(s) in state_dict: {keys}. ",
    "unexpected": "Unexpected key(s) in state_dict: {keys}. ",
    "size": (
        "size mismatch for {key}: copying a param with shape {stored} from checkpoint, "
        "the shape in current model is {model}."
    ),
}
"""torch's own words, which people look for: never translated."""

STATUSES: Final[dict[str, str]] = {
    "equal": QT_TRANSLATE_NOOP("wording", "equal"),
    "changed": QT_TRANSLATE_NOOP("wording", "changed"),
    "missing": QT_TRANSLATE_NOOP("wording", "missing"),
    "unexpected": QT_TRANSLATE_NOOP("wording", "unexpected"),
    "shape": QT_TRANSLATE_NOOP("wording", "other shape"),
    "dtype": QT_TRANSLATE_NOOP("wording", "other type"),
    "unknown": QT_TRANSLATE_NOOP("wording", "not compared"),
    "pending": QT_TRANSLATE_NOOP("wording", "not yet"),
}
HINTS: Final[dict[str, str]] = {
    "equal": QT_TRANSLATE_NOOP("wording", "Same shape, type and elements"),
    "changed": QT_TRANSLATE_NOOP("wording", "Same shape and type, other elements"),
    "missing": QT_TRANSLATE_NOOP("wording", "Only in B: missing when A is loaded into the model of B"),
    "unexpected": QT_TRANSLATE_NOOP("wording", "Only in A: unexpected when A is loaded into the model of B"),
    "shape": QT_TRANSLATE_NOOP("wording", "The shapes differ"),
    "dtype": QT_TRANSLATE_NOOP("wording", "Same shape, other type of elements"),
    "unknown": QT_TRANSLATE_NOOP("wording", "The elements could not be compared"),
    "pending": QT_TRANSLATE_NOOP("wording", "The elements were not compared yet"),
}

LOST: Final = QT_TRANSLATE_NOOP("wording", "file is missing")
"""Where a shape and a type would stand."""

NOT_COMPARED: Final[dict[str, str]] = {
    "cut": QT_TRANSLATE_NOOP("wording", "{missing} of {size} bytes are missing in {side}"),
    "layouts": QT_TRANSLATE_NOOP("wording", "They are laid out in different ways: {first} and {second}"),
    "indices": QT_TRANSLATE_NOOP("wording", "Indices in {side} lie outside of its shape"),
    "lost": QT_TRANSLATE_NOOP("wording", "{file}, which holds it in {side}, is missing or does not hold it"),
    "no-values": QT_TRANSLATE_NOOP("wording", "{side} has no values of type {dtype} that can be read"),
    "parts": QT_TRANSLATE_NOOP("wording", "Their {role} differ, so their elements do not meet"),
    "sparse-many": QT_TRANSLATE_NOOP(
        "wording", "Their indices differ, and more than {count} stored elements are not matched by index"
    ),
    "types": QT_TRANSLATE_NOOP("wording", "Elements of the types {first} and {second} cannot be subtracted"),
}
"""A failure of reading has a sentence of its own."""

NOTES: Final[dict[str, str]] = {
    "dequantised": QT_TRANSLATE_NOOP("wording", "compared by the numbers that the stored integers stand for"),
    "float64": QT_TRANSLATE_NOOP("wording", "compared in float64"),
    "no-values": QT_TRANSLATE_NOOP("wording", "neither has values"),
    "coordinates": QT_TRANSLATE_NOOP("wording", "compared by their indices: what is not stored is 0"),
    "parts": QT_TRANSLATE_NOOP("wording", "compared by the tensors that they are made of"),
    "raw": QT_TRANSLATE_NOOP("wording", "compared by their stored bits, which are no plain numbers"),
}

OUTCOMES: Final[dict[str, str]] = {
    "same-bytes": QT_TRANSLATE_NOOP("wording", "Equal, byte for byte."),
    "same-values": QT_TRANSLATE_NOOP("wording", "All elements are equal; their bytes are not the same."),
    "same-numbers": QT_TRANSLATE_NOOP("wording", "All elements are equal."),
    "differ": QT_TRANSLATE_NOOP("wording", "{differing} of {elements} elements differ."),
    "largest": QT_TRANSLATE_NOOP("wording", "The largest difference is {largest}, at {place}; the mean {mean}."),
    "largest-alone": QT_TRANSLATE_NOOP("wording", "The largest difference is {largest}, at {place}."),
    "relative": QT_TRANSLATE_NOOP("wording", "Relative to A {relative}, cosine {cosine}."),
    "first": QT_TRANSLATE_NOOP("wording", "The first that differs is at {first}."),
    "nans": QT_TRANSLATE_NOOP("wording", "{count} are NaN in both, which counts as equal."),
    "nans-one": QT_TRANSLATE_NOOP("wording", "NaN meets a number {count} times: in A {nans_a}, in B {nans_b}."),
    "shape": QT_TRANSLATE_NOOP("wording", "Shape {first} in A, {second} in B."),
    "dtype": QT_TRANSLATE_NOOP("wording", "Type {first} in A, {second} in B."),
    "missing": QT_TRANSLATE_NOOP("wording", "Only in B. Loading A into the model of B finds it missing."),
    "unexpected": QT_TRANSLATE_NOOP("wording", "Only in A. Loading A into the model of B finds it unexpected."),
    "pending": QT_TRANSLATE_NOOP("wording", "The elements were not compared yet."),
    "names": QT_TRANSLATE_NOOP("wording", "It is {first} in A and {second} in B."),
}

SUGGESTIONS: Final[dict[str, str]] = {
    "strip": QT_TRANSLATE_NOOP(
        "wording", "{now} names meet; without the beginning {strip}. of {side} it would be {pairs}."
    ),
    "spelling": QT_TRANSLATE_NOOP(
        "wording", "{now} names meet; with dots as underscores, and without ema_, it would be {pairs}."
    ),
    "order": QT_TRANSLATE_NOOP(
        "wording", "{now} names meet; in their order all {pairs} shapes and types are the same."
    ),
}

REPORT: Final[dict[str, str]] = {
    "side": QT_TRANSLATE_NOOP("wording", "{side}  {path}{title}  {format}, {tensors} tensors"),
    "at": QT_TRANSLATE_NOOP("wording", " at {title}"),
    "counts": QT_TRANSLATE_NOOP("wording", "Tensors: {counts}"),
    "values": QT_TRANSLATE_NOOP("wording", "Plain values: {equal} equal, {differ} differ"),
    "values-unknown": QT_TRANSLATE_NOOP("wording", "Plain values that could not be read: {count}"),
    "value-lost": QT_TRANSLATE_NOOP("wording", "in {file}, which is missing or damaged"),
    "sources": QT_TRANSLATE_NOOP("wording", "Texts of classes: {equal} equal, {differ} differ"),
    "lines": QT_TRANSLATE_NOOP("wording", "lines changed {changed}, only in A {removed}, only in B {added}"),
    "left-out": QT_TRANSLATE_NOOP("wording", "Not compared: {count} tensors that stand outside these branches"),
    "try": QT_TRANSLATE_NOOP("wording", "Try {arguments}"),
    "equal": QT_TRANSLATE_NOOP("wording", "They are equal."),
    "differ": QT_TRANSLATE_NOOP("wording", "They differ."),
    "unknown": QT_TRANSLATE_NOOP("wording", "Some tensors or values could not be compared; all others are equal."),
    "alike": QT_TRANSLATE_NOOP("wording", "Names, shapes, types and plain values are equal; elements were not read."),
    "only-a": QT_TRANSLATE_NOOP("wording", "only in A"),
    "only-b": QT_TRANSLATE_NOOP("wording", "only in B"),
}
