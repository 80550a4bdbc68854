"""Legend: a swatch and a word for each kind of region in view, as many as there is room for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from viewer.ui.spoken import tell_as
from viewer.ui.words import joined

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

SWATCH = 11
GAP = 5
BETWEEN = 12


class RegionLegend(QWidget):
    """Kinds in the order of the theme; what does not fit is told by the tooltip."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._kinds: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(0)
        tell_as(self, QAccessible.Role.Graphic)
        self.setAccessibleName(self.tr("Colours of the bytes"))

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.update()

    def show_kinds(self, kinds: Iterable[str]) -> None:
        """Show other kinds."""
        kinds = tuple(kinds)
        if kinds != self._kinds:
            self._kinds = kinds
            words = joined(self.word(kind) for kind in kinds)
            self.setToolTip(words)
            self.setAccessibleDescription(words)
            self.updateGeometry()
            self.update()

    def word(self, kind: str) -> str:
        """The word for a kind."""
        words = {
            "protocol": self.tr("protocol"),
            "stack": self.tr("stack"),
            "memo": self.tr("memo"),
            "text": self.tr("text"),
            "number": self.tr("number"),
            "global": self.tr("global"),
            "call": self.tr("call"),
            "persistent_id": self.tr("persistent id"),
            "stop": self.tr("stop"),
            "zip_header": self.tr("header"),
            "zip_directory": self.tr("directory"),
            "tar_header": self.tr("tar header"),
            "padding": self.tr("padding"),
            "gap": self.tr("gap"),
            "unknown": self.tr("other"),
            "float32": self.tr("float32, float64"),
            "float16": self.tr("float16, bfloat16"),
            "float8": self.tr("float8"),
            "integer": self.tr("integers"),
            "bool": self.tr("bool"),
            "complex": self.tr("complex"),
            "quantised": self.tr("quantised"),
        }
        return words.get(kind, kind)

    @override
    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.theme.text("small"))
        width = sum(self._width(kind, metrics) for kind in self._kinds)
        return QSize(width, metrics.height() + 4)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.theme.text("small")
        painter.setFont(font)
        metrics = QFontMetrics(font)
        shown = self._fitting(metrics)
        left = self.width() - sum(self._width(kind, metrics) for kind in shown)
        for kind in shown:
            width = self._width(kind, metrics)
            self._entry(painter, kind, QRect(left, 0, width, self.height()), metrics)
            left += width
        painter.end()

    def _entry(self, painter: QPainter, kind: str, place: QRect, metrics: QFontMetrics) -> None:
        size, gap = self.theme.px(SWATCH), self.theme.px(GAP)
        colors = self.theme.region(kind)
        left = self._at(place.left(), size)
        painter.setPen(QPen(colors.line, 1))
        painter.setBrush(colors.fill)
        painter.drawRoundedRect(QRectF(left + 0.5, (self.height() - size) / 2 + 0.5, size - 1, size - 1), 3, 3)
        painter.setPen(self.theme.color("muted"))
        wide = metrics.horizontalAdvance(self.word(kind)) + 2
        at = self._at(place.left() + size + gap, wide)
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        painter.drawText(QRectF(at, 0, wide, self.height()), flags, self.word(kind))

    def _at(self, left: int, width: int) -> int:
        """The left edge of something, turned round where the language is."""
        return self.width() - left - width if self.isRightToLeft() else left

    def _fitting(self, metrics: QFontMetrics) -> list[str]:
        room = self.width()
        shown = []
        for kind in self._kinds:
            room -= self._width(kind, metrics)
            if room < 0:
                break
            shown.append(kind)
        return shown

    def _width(self, kind: str, metrics: QFontMetrics) -> int:
        px = self.theme.px
        return px(SWATCH) + px(GAP) + metrics.horizontalAdvance(self.word(kind)) + px(BETWEEN)
