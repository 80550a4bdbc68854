"""Tensor: the selected tensor with all previews that suit it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.span import Span
from viewer.core.tensors.nested import held
from viewer.core.tensors.numpy_line import numpy_line
from viewer.core.tensors.path import shown_short
from viewer.core.tensors.statistics import Statistics
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import element_offset, span
from viewer.session.linking import Links
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths, keep_mono
from viewer.ui.models.empty_words import no_tensors
from viewer.ui.pane import Pane
from viewer.ui.previews import PREVIEWS
from viewer.ui.previews.arrangement import Arrangement
from viewer.ui.previews.base import Preview
from viewer.ui.previews.held import HeldPreview
from viewer.ui.previews.parts import PartsPreview
from viewer.ui.previews.statistics import StatisticsPreview
from viewer.ui.spoken import tell_as
from viewer.ui.theme import Theme, icon, region_of_dtype
from viewer.ui.widgets.labels import ElidedLabel, hint
from viewer.ui.words import count

WIDE: Final = 760
"""Width from which histogram, values, picture and facts stand beside each other."""


class TensorPane(Pane):
    """Head with name, dtype and shape; previews; the line of numpy that reads the tensor."""

    key: ClassVar[str] = "tensor"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensor: Tensor | None = None
        # What the previews show: the tensor, or one of those that it is made of.
        self._part: Tensor | None = None
        inner = self._scrolled()
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle, inner)
        self.dtype = QLabel(inner)
        self.shape = QLabel(inner)
        self.line = QLabel(inner)
        self.copy_line = QToolButton(inner)
        self.copy_line.setToolTip(self.tr("Copy the line of numpy that reads this tensor"))
        self.copy_line.setAccessibleName(self.copy_line.toolTip())
        self.copy_line.clicked.connect(self.copy_numpy_line)
        self.arrangement = Arrangement(PREVIEWS, session, theme, inner)
        self.previews = self.arrangement.previews
        self.switch = self.arrangement.switch
        self.switch.chosen.connect(self.kept_changed)
        for preview in self.previews:
            preview.element_chosen.connect(self._element_chosen)
            preview.bytes_chosen.connect(self._bytes_chosen)
            preview.message.connect(self.message)
            if isinstance(preview, PartsPreview | HeldPreview):
                preview.part_chosen.connect(self._part_chosen)
            elif isinstance(preview, StatisticsPreview):
                preview.measured.connect(self._measured)
        self.empty = QLabel(self.pages)
        keep_lengths(theme, self.empty.setMargin, 16)
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._build(inner)
        self._style()
        self.show_document()

    def _scrolled(self) -> QWidget:
        """What scrolls, in its place before anything stands in it: moving what is finished takes Qt long."""
        self.pages = QStackedWidget(self)
        area = self.scroller = QScrollArea(self.pages)
        tell_as(area, QAccessible.Role.Pane)
        area.setAccessibleName(self.tr("Tensor"))
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        inner = QWidget(area)
        area.setWidget(inner)
        self.pages.addWidget(area)
        return inner

    def _build(self, inner: QWidget) -> None:
        head = QHBoxLayout()
        keep_lengths(self.theme, head.setSpacing, 8)
        for label in (self.name, self.dtype, self.shape):
            label.setTextFormat(Qt.TextFormat.PlainText)
            # where no preview takes the room that is left, the head must not
            label.setSizePolicy(label.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Fixed)
            head.addWidget(label)
        head.addStretch(1)
        foot = QHBoxLayout()
        self.line.setTextFormat(Qt.TextFormat.PlainText)
        self.line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        keep_lengths(self.theme, self.line.setMinimumWidth, 80)
        foot.addWidget(self.line, 1)
        foot.addWidget(self.copy_line)
        column = QVBoxLayout(inner)
        keep_lengths(self.theme, column.setContentsMargins, 12, 8, 12, 8)
        keep_lengths(self.theme, column.setSpacing, 10)
        column.addLayout(head)
        column.addWidget(self.arrangement, 1)
        column.addLayout(foot)
        column.addStretch()
        self.pages.addWidget(self.empty)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)

    def _style(self) -> None:
        theme = self.theme
        keep_mono(theme, self.name, "head")
        self.copy_line.setIcon(icon(theme, "copy"))
        keep_mono(theme, self.line, "small")
        self.shape.setStyleSheet(f"background: {theme.color('sunken').name()}; border-radius: 4px; padding: 2px 6px")
        if self._part is not None:
            fill = theme.region(region_of_dtype(self._part.dtype)).fill.name()
            self.dtype.setStyleSheet(f"background: {fill}; border-radius: 4px; padding: 2px 6px")
        # After the style sheets, which would take the fonts back.
        for label in (self.shape, self.dtype):
            keep_mono(theme, label)

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._style()
        self.arrangement.set_theme(theme)
        for preview in self.previews:
            preview.set_theme(theme)

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        if self._tensor is None:
            return {}
        found: dict[str, Callable[[], None]] = {
            f"tensor.show_{view.key}": partial(self._look_at, view)
            for view in self.arrangement.views
            if self.arrangement.can_show(view.key)
        }
        if self.line.text():
            found["tensor.copy_numpy"] = self.copy_numpy_line
        return found

    @override
    def kept(self) -> Mapping[str, Any]:
        return {"view": self.arrangement.wanted}

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        if kept.get("view") in [view.key for view in self.arrangement.views]:
            self.arrangement.show_view(kept["view"])

    @override
    def show_document(self) -> None:
        document = self.session.document
        self.session.versions.look_at(document, self.session.options.encoding)
        self._show(None)
        title = self.tr("No tensor selected")
        sentence = self.tr("Click a tensor, an element or a byte of a storage.")
        if document is not None and not document.tensors:
            title, sentence = no_tensors(document)
        self.empty.setText(f"<b>{title}</b><br>{sentence}")
        self.show_selection(self.session.selection)

    @override
    def show_selection(self, selection: Selection) -> None:
        document = self.session.document
        if document is None or selection.tensor is None or selection.tensor >= len(document.tensors):
            return
        tensor = document.tensors[selection.tensor]
        if tensor is not self._tensor:
            self._show(tensor)
        for preview in self.previews:
            if selection.origin != self.key or not preview.title:
                preview.show_element(selection.element)

    def _show(self, tensor: Tensor | None) -> None:
        self._tensor = self._part = tensor
        self.pages.setCurrentIndex(0 if tensor is not None else 1)
        if tensor is None:
            for preview in self.previews:
                preview.show_tensor(None)
            return
        for preview in self.previews:
            if isinstance(preview, PartsPreview):
                preview.show_tensor(tensor if preview.suits(tensor) else None)
        self._show_numbers(tensor)

    def _show_numbers(self, tensor: Tensor) -> None:
        """The head and the previews of a tensor, or of one that another is made of."""
        self._part = tensor
        name = shown_short(tensor.path) or tensor.name or self.session.path.name
        self.name.setText(name)
        self.dtype.setText(tensor.dtype)
        inner = held(tensor)
        sizes = "[" + ", ".join(str(size) for size in tensor.shape) + "]"
        self.shape.setText(sizes if inner is None else self.tr("{0} tensors").format(count(len(inner))))
        line = numpy_line(tensor, tensor.member or self.session.path.name) or ""
        self.line.setText(line)
        hint(self.line, line)
        self.copy_line.setVisible(bool(line))
        self._style()
        # The parts stay those of the selected tensor while one of them is looked at.
        whole = self._tensor if self._tensor is not None else tensor
        suitable = [
            preview
            for preview in self.previews
            if preview.suits(whole if isinstance(preview, PartsPreview) else tensor)
        ]
        self.arrangement.offer(suitable)
        for preview in self.previews:
            if not isinstance(preview, PartsPreview):
                preview.show_tensor(tensor if preview in suitable else None)

    def _measured(self, found: Statistics | None) -> None:
        for preview in self.previews:
            preview.show_statistics(found)

    def _element_chosen(self, element: tuple[int, ...]) -> None:
        part = self._part
        if part is None or part is self._tensor:
            if part is not None:
                self.session.select_tensor(part, self.key, element)
            return
        place = element_offset(part, element)
        if place is not None:
            self.session.select_bytes((place,), self.key, part.member)

    def _bytes_chosen(self, spans: tuple[Span, ...], element: tuple[int, ...] | None, member: str) -> None:
        """Select bytes of what is shown, in as many ranges as they are."""
        tensor = self._tensor
        if tensor is None or not spans:
            return
        index = element if self._part is tensor else None

        def find(links: Links) -> Selection:
            return replace(links.from_tensor(tensor, index), source=member, spans=spans)

        self.session.select_found(self.session.selection.document, find, self.key, member)

    def _part_chosen(self, part: Tensor) -> None:
        """Look at a tensor that the selected one is made of, and at its bytes."""
        self._show_numbers(part)
        used = span(part)
        if part is self._tensor:
            self.session.select_tensor(part, self.key)
        elif used is not None:
            self.session.select_bytes((used,), self.key, part.member)

    def _look_at(self, view: Preview) -> None:
        """Bring a view into sight, with the keyboard."""
        self.arrangement.show_view(view.key)
        self.scroller.ensureWidgetVisible(view)
        view.focus_target().setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # By the pane's own width: the scroll bar comes and goes with the arrangement.
        self.arrangement.set_wide(self.width() >= self.theme.px(WIDE))

    def copy_numpy_line(self) -> None:
        """Copy the line of numpy that reads this tensor from this file."""
        QApplication.clipboard().setText(self.line.text())
        self.message.emit("done", self.tr("The line is on the clipboard"), "")
