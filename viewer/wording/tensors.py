"""Sentences on tensors that are more than plain elements: quantised, sparse, written by functions that are gone."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

TENSORS: Final[dict[str, Words]] = {
    "storage-key": Words(
        QT_TRANSLATE_NOOP("wording", "The storage key {key} is a path"),
        QT_TRANSLATE_NOOP("wording", "torch writes plain numbers. A path may lead to another record of the archive."),
        QT_TRANSLATE_NOOP("wording", "Only what stands in this file is read."),
    ),
    "storage-part-used": Words(
        QT_TRANSLATE_NOOP("wording", "Storages of which tensors use only a part: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "{nbytes} of their {size} bytes belong to no tensor. Most are in the storage {key}, which is kept for {names}. torch.save keeps the whole storage of a slice.",
        ),
        QT_TRANSLATE_NOOP("wording", "An export of compact tensors leaves them out."),
    ),
    "tensor-bool-bytes": Words(
        QT_TRANSLATE_NOOP("wording", "{name} has {count} booleans that are neither 0 nor 1"),
        QT_TRANSLATE_NOOP(
            "wording", "The first is the byte {found}. torch keeps such bytes, and programs read them apart."
        ),
        QT_TRANSLATE_NOOP("wording", "They are shown as true."),
    ),
    "tensor-channels": Words(
        QT_TRANSLATE_NOOP("wording", "The scales of {name} do not fit axis {axis}"),
        QT_TRANSLATE_NOOP("wording", "There are {found}, and {expected} are needed. torch refuses it."),
        QT_TRANSLATE_NOOP("wording", "The stored integers are shown; numbers without a scale are NaN."),
    ),
    "tensor-expanded": Words(
        QT_TRANSLATE_NOOP("wording", "Tensors that repeat elements by a stride of 0: {count}"),
        QT_TRANSLATE_NOOP("wording", "They are {names}. torch loads them so, and refuses to write into them in place."),
    ),
    "tensor-function-gone": Words(
        QT_TRANSLATE_NOOP("wording", "torch has no {function} any more, so it cannot load {name}"),
        QT_TRANSLATE_NOOP("wording", "torch 1.11 to 1.13 wrote it. The data is complete."),
        QT_TRANSLATE_NOOP("wording", "Its parts are shown here; torch 1.13 loads the file."),
    ),
    "tensor-overlap": Words(
        QT_TRANSLATE_NOOP("wording", "Tensors of which several elements share their bytes: {count}"),
        QT_TRANSLATE_NOOP(
            "wording", "They are {names}. torch loads them so; to change one element changes the others."
        ),
    ),
    "tensor-quantizer": Words(
        QT_TRANSLATE_NOOP("wording", "The quantizer of {name} cannot be read"),
        QT_TRANSLATE_NOOP("wording", "torch gives a scheme, a scale, a zero point, and for channels an axis."),
        QT_TRANSLATE_NOOP("wording", "The stored integers are shown."),
    ),
    "tensor-sparse-index": Words(
        QT_TRANSLATE_NOOP("wording", "An index among the {role} of {name} is out of range"),
        QT_TRANSLATE_NOOP("wording", "It is {found}; indices from 0 to below {size} are allowed. torch refuses it."),
        QT_TRANSLATE_NOOP("wording", "The parts are shown as they are."),
    ),
    "tensor-sparse-order": Words(
        QT_TRANSLATE_NOOP("wording", "{name} says that its indices are in order, and they are not"),
        QT_TRANSLATE_NOOP("wording", "Coalesced tensors have ascending indices without repeats; torch does not look."),
        QT_TRANSLATE_NOOP("wording", "Call coalesce() on a copy that is made without the mark."),
    ),
    "tensor-sparse-pointers": Words(
        QT_TRANSLATE_NOOP("wording", "The {role} of {name} do not ascend from 0 to the number of values"),
        QT_TRANSLATE_NOOP("wording", "They go from {first} to {last}, with {count} values. torch refuses it."),
        QT_TRANSLATE_NOOP("wording", "The parts are shown as they are."),
    ),
    "tensor-sparse-shape": Words(
        QT_TRANSLATE_NOOP("wording", "The parts of {name} do not fit together"),
        QT_TRANSLATE_NOOP("wording", "The {role} have the shape {shape}, the values {values}. torch refuses it."),
        QT_TRANSLATE_NOOP("wording", "The parts are shown as they are."),
    ),
    "tensor-unswapped": Words(
        QT_TRANSLATE_NOOP("wording", "Tensors whose bytes torch.load does not swap: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "They are {names}. The archive is big-endian, and torch takes untyped storages for single bytes, so it gives other numbers than were saved. Here they are swapped.",
        ),
        QT_TRANSLATE_NOOP("wording", "Export them to make a file that loads with the right numbers."),
    ),
}
