"""Cells of the Tensors pane: of a tensor in the list, of a group, of a finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.tensors import window
from viewer.core.tensors.columns import By, place_text, shown_name
from viewer.core.tensors.grouping import BRANCH, TENSOR, Groups
from viewer.core.tensors.health import Finding
from viewer.core.tensors.many import ManyTensors, totals_of
from viewer.core.tensors.statistics import Statistics
from viewer.core.tensors.tensor import Tensor
from viewer.ui.models.cells import Cell, Piece, mono, number, plain
from viewer.ui.models.damage_words import missing_words
from viewer.ui.models.value_text import short
from viewer.ui.words import count, named, said, severity_word, tensors_of
from viewer.wording.health import HEALTH

KEY_TAIL: Final = 5
MINIMUM: Final = 9
MAXIMUM: Final = 10
"""Columns behind those that tensors are sorted by without reading them."""
SWATCH: Final = "\u2003"
"""A text for a chip that is only a colour."""


def shape_text(shape: Sequence[int]) -> str:
    """A shape as torch prints it."""
    return "[" + ", ".join(str(size) for size in shape) + "]"


def tensor_cell(tensor: Tensor, column: int, *, is_set: bool, found: Statistics | None) -> Cell:
    """What the list says of a tensor. `found`: its statistics, where values were scanned."""
    if column == By.NAME:
        # A path: names of one model begin alike, and what tells them apart is at the end.
        return Cell((Piece(shown_name(tensor), mono=True, cut="middle"),), icon="tensor")
    if column == By.DTYPE:
        return mono(tensor.dtype)
    if column == By.SHAPE:
        return mono(shape_text(tensor.shape))
    if column in (By.ELEMENTS, By.BYTES):
        return number(count(tensor.elements if column == By.ELEMENTS else window.stored_nbytes(tensor)))
    if column in (MINIMUM, MAXIMUM):
        value = None if found is None else found.minimum if column == MINIMUM else found.maximum
        return number("" if value is None else short(value))
    return _place_cell(tensor, column, is_set)


def _place_cell(tensor: Tensor, column: int, is_set: bool) -> Cell:
    storage = tensor.storage
    if column == By.PLACE:
        where = place_text(tensor)
        is_short = len(where) <= KEY_TAIL + 1 or is_set
        shown = where if is_short else "\u2026" + where[-KEY_TAIL:]
        return Cell((Piece(shown, mono=True, color="muted"),), tooltip=where if shown != where else "")
    if column == By.LOCATION:
        return mono(storage.location if storage is not None else "", "muted")
    if column == By.SHARED:
        no = QCoreApplication.translate("tensors", "no")
        return plain(count(len(tensor.shared_with)) if tensor.shared_with else no, "muted")
    if storage is None:
        return plain(tensor.note or tensor.layout, "muted")
    if window.complete(tensor):
        return plain(QCoreApplication.translate("tensors", "whole"), "muted")
    missing, nbytes = window.missing_bytes(tensor)
    cut, gone = (
        QCoreApplication.translate("tensors", "cut, {0} missing"),
        QCoreApplication.translate("tensors", "missing"),
    )
    words = cut.format(count(missing)) if missing < nbytes else gone
    pieces = (Piece(SWATCH, chip="gap", whole=True), Piece(words, color="error"))
    return Cell(pieces, tooltip=missing_words(tensor), spoken=words)


def group_cell(groups: Groups, node: int, column: int) -> Cell:
    """What the tree says of a group or tensor: name, dtype, shape, elements, bytes, share of all."""
    tree = groups.tree
    page = tree.page(node)
    if page is not None:
        return plain(f"{count(page[0])} \u2026 {count(page[1] - 1)}" if column == 0 else "", "muted")
    kind, payload = tree.kinds[node], tree.payloads[node]
    tensor = groups.tensors[payload] if kind == TENSOR else None
    if column == 0:
        return _name_cell(groups, kind, payload, tensor)
    if tensor is not None and column in (1, 2):
        return mono(tensor.dtype if column == 1 else shape_text(tensor.shape))
    if column in (1, 2):
        return Cell()
    sums = groups.sums(kind, payload) if tensor is None else (1, tensor.elements, window.stored_nbytes(tensor))
    if column in (3, 4):
        return number(count(sums[column - 2]))
    total = int(groups.nbytes[0])
    lost = window.missing_bytes(tensor)[0] if tensor is not None else 0
    return share_cell(sums[2], total, lost)


def share_cell(nbytes: int, total: int, lost: int = 0) -> Cell:
    """A bar and a percentage of all bytes; `lost` of them are missing."""
    if not total:
        return Cell()
    made = number(f"{100 * nbytes / total:.1f} %", "muted")
    made.share, made.lost = nbytes / total, lost / total
    return made


def _name_cell(groups: Groups, kind: int, payload: int, tensor: Tensor | None) -> Cell:
    if tensor is not None:
        name = shown_name(tensor)
        own = name.rpartition(".")[2] or name
        return Cell((Piece(own, mono=True),), icon="tensor", tooltip=name)
    inside = tensors_of(groups.sums(kind, payload)[0])
    if kind == BRANCH:
        text = groups.branches.texts[payload] or "."
        return Cell((Piece(text, mono=True, bold=True), Piece(inside, color="muted", small=True)), icon="module")
    fold = groups.folds[payload]
    words = QCoreApplication.translate("tensors", "{0} equal blocks, {1}").format(count(len(fold.branches)), inside)
    pieces = (Piece(f"{fold.first}..{fold.last}", mono=True, bold=True), Piece(words, color="muted", small=True))
    return Cell(pieces, icon="layers")


def finding_cell(tensors: Sequence[Tensor], finding: Finding, column: int) -> Cell:
    """What the list of findings says: what, of which tensor, and the sentence."""
    title, severity, sentence = HEALTH[finding.fault]
    if column == 0:
        spoken = named(severity_word(severity), said(title))
        return Cell((Piece(said(title)),), icon=severity, icon_color=severity, spoken=spoken)
    if column == 1:
        return Cell((Piece(shown_name(tensors[finding.tensor]), mono=True, cut="middle"),))
    params = finding.params(tensors)
    params["value"] = "" if finding.value is None else short(finding.value)
    return plain(said(sentence, params), "muted")


def totals_words(tensors: int, elements: int, nbytes: int) -> str:
    """How many tensors, elements and bytes."""
    words = QCoreApplication.translate("tensors", "{0}, {1} elements, {2} bytes")
    return words.format(tensors_of(tensors), count(elements), count(nbytes))


def summed(tensors: Sequence[Tensor], most: int) -> tuple[int, int, int] | None:
    """Tensors, elements and bytes of all; None where that takes a look at more than `most`."""
    is_many = isinstance(tensors, ManyTensors)
    if len(tensors) > most and not is_many:
        return None
    sums = totals_of(tensors)
    return sums.count, sums.elements, sums.nbytes if is_many else sum(map(window.stored_nbytes, tensors))


def sums_of(tensors: Sequence[Tensor]) -> str:
    """The same of some tensors, in words."""
    elements = sum(tensor.elements for tensor in tensors)
    return totals_words(len(tensors), elements, sum(map(window.stored_nbytes, tensors)))
