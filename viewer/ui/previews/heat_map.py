"""Heat map: two axes of a tensor as colours, the kernels of a convolution side by side."""

from __future__ import annotations

from typing import ClassVar, Final

from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.tensors.sheet import TensorSheet, can_draw, kernels
from viewer.core.tensors.statistics import Statistics
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme
from viewer.ui.widgets.heat_map import HeatMap
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.slice_choice import SliceChoice
from viewer.wording import QT_TRANSLATE_NOOP

JOB: Final = "heat map"
STEP: Final = 1.5


class HeatMapPreview(Preview):
    """The map with its choice of axes."""

    key: ClassVar[str] = "heat_map"
    stretch: ClassVar[int] = 1
    title: ClassVar[str] = QT_TRANSLATE_NOOP("previews", "Heat map")

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensor: Tensor | None = None
        self._element: tuple[int, ...] | None = None
        self._range: tuple[float, float] | None = None
        self._sheet: TensorSheet | None = None
        self.slice = SliceChoice(theme, self)
        self.slice.changed.connect(self._show_slice)
        self.map = HeatMap(theme, session.jobs, JOB, self)
        self.map.chosen.connect(self._cell_chosen)
        self.kernels = QToolButton(self.slice)
        self.kernels.setText(self.tr("Kernels"))
        self.kernels.setToolTip(self.tr("The kernels of all inputs (down) and outputs (to the right) side by side"))
        self.kernels.setCheckable(True)
        self.kernels.setChecked(True)
        self.kernels.toggled.connect(self._show_slice)
        self.slice.add(self.kernels)
        self.buttons = (
            IconButton(theme, "zoom-out", self.tr("Zoom out (-)"), self.slice),
            IconButton(theme, "zoom-in", self.tr("Zoom in (+)"), self.slice),
            IconButton(theme, "fit", self.tr("Show all (0)"), self.slice),
        )
        for button, act in zip(self.buttons, (self.zoom_out, self.zoom_in, self.map.fit), strict=True):
            button.clicked.connect(act)
            self.slice.add(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, layout.setSpacing, 6)
        layout.addWidget(self.slice)
        layout.addWidget(self.map, 1)

    @override
    def suits(self, tensor: Tensor) -> bool:
        return can_draw(tensor)

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self._tensor, self._element, self._range = tensor, None, None
        self.slice.show_shape(tensor.shape if tensor is not None else ())
        self.kernels.setVisible(tensor is not None and kernels(tensor) is not None)
        self._show_slice()

    @override
    def show_element(self, element: tuple[int, ...] | None) -> None:
        tensor = self._tensor
        self._element = element if tensor is not None and element and len(element) == len(tensor.shape) else None
        if self._element is not None and self._sheet is not None and self._sheet.cell(self._element) is None:
            self.slice.keep(self._element)
            self._show_slice()
        self.map.set_chosen(self._element)

    @override
    def show_statistics(self, found: Statistics | None) -> None:
        self._range = found.range if found is not None else None
        if self._range is not None:
            self.map.set_limits(*self._range)

    @override
    def focus_target(self) -> QWidget:
        return self.map

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.slice.set_theme(theme)
        self.map.set_theme(theme)
        for button in self.buttons:
            button.set_theme(theme)

    def zoom_in(self) -> None:
        """Larger cells."""
        self.map.zoom(STEP)

    def zoom_out(self) -> None:
        """Smaller cells."""
        self.map.zoom(1 / STEP)

    def _show_slice(self) -> None:
        tensor = self._tensor
        self._sheet = self._sheet_of(tensor) if tensor is not None else None
        self.map.show_sheet(self._sheet)
        if self._range is not None:
            self.map.set_limits(*self._range)
        self.map.set_chosen(self._element)

    def _sheet_of(self, tensor: Tensor) -> TensorSheet | None:
        whole = kernels(tensor)
        is_kernels = whole is not None and self.kernels.isChecked()
        self.slice.offer_axes(not is_kernels)
        if is_kernels:
            return whole
        rows, columns = self.slice.axes
        if len(tensor.shape) == 1:
            rows, columns = columns, rows
        axes = [(axis,) if axis is not None else () for axis in (rows, columns)]
        return TensorSheet(tensor, axes[0], axes[1], tuple(self.slice.fixed))

    def _cell_chosen(self, index: tuple[int, ...]) -> None:
        self._element = index
        self.slice.keep(index)
        self.element_chosen.emit(index)
