"""Channels: scale and zero point of each channel of a quantised tensor."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.core.tensors.dtypes import AnyArray
from viewer.core.tensors.meaning import numbers
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.models.grid import LONGEST
from viewer.ui.models.value_text import exact, short
from viewer.ui.previews.table import TablePreview
from viewer.ui.theme import Theme
from viewer.wording import QT_TRANSLATE_NOOP

WIDTHS = (120, 120)
Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class ChannelsModel(QAbstractTableModel):
    """A row a channel, its number in the header; what is missing is a dash."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._count = 0
        self._columns: list[AnyArray | None] = []

    def show_tensor(self, tensor: Tensor | None) -> None:
        """Scales and zero points of another tensor."""
        self.beginResetModel()
        quantizer = tensor.quantizer if tensor is not None else None
        self._count, self._columns = 0, []
        if tensor is not None and quantizer is not None and quantizer.axis is not None:
            self._count = min(tensor.shape[quantizer.axis], LONGEST)
            for given in (quantizer.scale, quantizer.zero_point):
                try:
                    self._columns.append(numbers(given).reshape(-1))
                except ViewerError:
                    self._columns.append(None)
        self.endResetModel()

    @override
    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else self._count

    @override
    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            return right if role == Qt.ItemDataRole.TextAlignmentRole else None
        column = self._columns[index.column()]
        if column is None or index.row() >= len(column):
            return "\u2014"
        return (short if role == Qt.ItemDataRole.DisplayRole else exact)(column[index.row()])

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return str(section)
        return (self.tr("Scale"), self.tr("Zero point"))[section]


class ChannelsPreview(TablePreview):
    """The table; of tensors with one scale for all the facts tell it."""

    key: ClassVar[str] = "channels"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("previews", "Channels")
    stretch: ClassVar[int] = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.model = ChannelsModel(self)
        name = self.tr("Scale and zero point of each channel")
        self.lay_out(self.model, name, WIDTHS, words=False)
        self._tensor: Tensor | None = None

    @override
    def suits(self, tensor: Tensor) -> bool:
        return tensor.quantizer is not None and tensor.quantizer.axis is not None

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self._tensor = tensor
        self.model.show_tensor(tensor)

    @override
    def _chosen(self, current: QModelIndex) -> None:
        """The first element of a channel."""
        tensor = self._tensor
        if current.isValid() and tensor is not None and tensor.quantizer is not None and tensor.elements:
            axis = tensor.quantizer.axis
            self.element_chosen.emit(tuple(current.row() if at == axis else 0 for at in range(len(tensor.shape))))
