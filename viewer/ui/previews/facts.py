"""Facts: where a tensor stands and how its elements lie there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from PySide6.QtWidgets import QFormLayout, QLabel, QWidget
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.core.source import printable
from viewer.core.tensors import meaning, window
from viewer.core.tensors.layout import is_row_major
from viewer.core.tensors.nested import held
from viewer.core.tensors.path import shown, shown_short
from viewer.core.tensors.tensor import Parameters, Tensor
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.models.reading_words import chosen, order_name
from viewer.ui.models.value_text import short
from viewer.ui.models.version_words import version_words
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import count, joined, span_text

FEW: Final = 4


class FactsPreview(Preview):
    """A line a fact; texts can be selected and copied."""

    key: ClassVar[str] = "facts"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensor: Tensor | None = None
        session.versions.changed.connect(self._show_again)
        self.form = QFormLayout(self)
        self.form.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, self.form.setHorizontalSpacing, 16)
        keep_lengths(theme, self.form.setVerticalSpacing, 3)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)

    @override
    def suits(self, tensor: Tensor) -> bool:
        return True

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self._tensor = tensor
        while self.form.rowCount():
            self.form.removeRow(0)
        if tensor is None:
            return
        for title, text in self._facts(tensor):
            name = QLabel(title, self)
            name.setStyleSheet(f"color: {self.theme.color('muted').name()}")
            value = WrappedLabel(text, self, narrow=True)
            value.setFont(self.theme.mono())
            self.form.addRow(name, value)

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._show_again()

    def _show_again(self) -> None:
        self.show_tensor(self._tensor)

    def _facts(self, tensor: Tensor) -> Iterator[tuple[str, str]]:
        inner = held(tensor)
        values = inner.parts["values"].elements if inner is not None else tensor.elements
        yield self.tr("Elements"), count(values)
        yield self.tr("Bytes"), count(window.stored_nbytes(tensor))
        if not window.complete(tensor) and tensor.storage is not None:
            missing, nbytes = window.missing_bytes(tensor)
            yield (
                self.tr("Missing"),
                self.tr("{missing} of {nbytes} bytes").format(missing=count(missing), nbytes=count(nbytes)),
            )
        span = window.span(tensor)
        if tensor.member:
            yield self.tr("File"), printable(tensor.member)
        if span is not None:
            yield self.tr("Span"), span_text(span)
        if len(tensor.stride) == len(tensor.shape) and inner is None:
            yield self.tr("Stride"), _tuple(tensor.stride)
            yield self.tr("Order"), self._order(tensor)
        storage = tensor.storage
        if storage is not None:
            if str(storage.key):
                yield self.tr("Storage"), str(storage.key)
            yield self.tr("Offset"), f"{count(tensor.storage_offset)} / {count(storage.count)}"
            yield self.tr("Location"), storage.location
            order = order_name(storage.byteorder)
            yield self.tr("Byte order"), chosen(order) if self.session.options.byteorder is not None else order
            if storage.record:
                yield self.tr("Record"), storage.record
        yield from self._special(tensor)
        yield self.tr("Shared with"), self._shared(tensor)
        if tensor.requires_grad is not None:
            yield self.tr("Needs grad"), self.tr("yes") if tensor.requires_grad else self.tr("no")
        module = self.session.versions.of(tensor.value)
        if module is not None:
            yield self.tr("Module"), joined((printable(module.path) or self.tr("root"), version_words(module)))
        yield self.tr("Path"), shown(tensor.path) or self.tr("root")

    def _special(self, tensor: Tensor) -> Iterator[tuple[str, str]]:
        """What is more than plain elements: how it was made, and what its numbers mean."""
        if tensor.note or tensor.storage is None:
            yield self.tr("Made by"), tensor.note or tensor.layout
        quantizer = tensor.quantizer
        if quantizer is not None:
            yield self.tr("Quantizer"), quantizer.scheme
            yield self.tr("Scale"), _given(quantizer.scale)
            yield self.tr("Zero point"), _given(quantizer.zero_point)
        if quantizer is not None and quantizer.axis is not None:
            yield self.tr("Axis"), str(quantizer.axis)
        values = dict(tensor.parts).get("values") if tensor.layout.startswith("sparse") else None
        if values is not None and tensor.elements:
            yield self.tr("Density"), f"{count(values.elements)} / {count(tensor.elements)}"
        if tensor.coalesced is not None:
            yield self.tr("Coalesced"), self.tr("yes") if tensor.coalesced else self.tr("no")

    def _order(self, tensor: Tensor) -> str:
        if is_row_major(tensor.shape, tensor.stride):
            return self.tr("C, contiguous")
        if is_row_major(tensor.shape[::-1], tensor.stride[::-1]):
            return self.tr("Fortran, contiguous")
        if any(step == 0 and size > 1 for size, step in zip(tensor.shape, tensor.stride, strict=True)):
            return self.tr("expanded: elements repeat")
        return self.tr("strided")

    def _shared(self, tensor: Tensor) -> str:
        document = self.session.document
        if not tensor.shared_with or document is None:
            return self.tr("nothing")
        names = [shown_short(document.tensors[other].path) for other in tensor.shared_with[:4]]
        more = len(tensor.shared_with) - len(names)
        return ", ".join(names) + (self.tr(" and {count} more").format(count=more) if more else "")


def _given(given: Parameters) -> str:
    """Scales or zero points: the first few; a dash where their bytes cannot be had."""
    try:
        found = meaning.numbers(given).reshape(-1)
    except ViewerError:
        return "\u2014"
    return ", ".join(short(value) for value in found[:FEW]) + (", \u2026" if len(found) > FEW else "")


def _tuple(values: tuple[int, ...]) -> str:
    return "(" + ", ".join(str(value) for value in values) + ("," if len(values) == 1 else "") + ")"
