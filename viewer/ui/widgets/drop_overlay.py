"""What lies over the whole window while files are dragged over it: what a drop will do, in one zone or in two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.motion import moves
from viewer.ui.words import left_to_right

FADE_MS: Final = 80
MARGIN: Final = 16
RADIUS: Final = 12
SHARE: Final = 0.62
"""Of the width, for the first of two zones."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a drop will do: a title, what is dragged (a file's name, or the program's words), one more fact."""

    title: str
    subject: str
    fact: str = ""
    icon: str = "drop"


class DropOverlay(QWidget):
    """Covers its parent; lets the mouse through."""

    def __init__(self, theme: Theme, covered: QWidget) -> None:
        super().__init__(covered)
        self._covered = covered
        self._theme = theme
        self._offer = Offer("", "")
        self._second: Offer | None = None
        self._is_second = False
        self._shade = 1.0
        self._fade = QVariantAnimation(self)
        self._fade.setDuration(FADE_MS)
        self._fade.setStartValue(0.0)
        self._fade.setEndValue(1.0)
        self._fade.valueChanged.connect(self._shade_to)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setVisible(False)

    @property
    def offer(self) -> Offer:
        """What a drop will do where the mouse is."""
        return self._second if self._second is not None and self._is_second else self._offer

    @property
    def second(self) -> Offer | None:
        """What the second zone offers."""
        return self._second

    def is_second(self, position: QPointF) -> bool:
        """True for a place in the second zone, of the window."""
        if self._second is None:
            return False
        first, second = self._zones()
        edge = (first.right() + second.left()) / 2 if first.left() < second.left() else first.left()
        return (position.x() > edge) == (first.left() < second.left())

    def point(self, position: QPointF) -> None:
        """The mouse is there."""
        is_second = self.is_second(position)
        if is_second is not self._is_second:
            self._is_second = is_second
            self._name()
            self.update()

    def appear(self, offer: Offer, second: Offer | None = None) -> None:
        """Cover the window. `second`: what the narrower zone beside offers."""
        self._offer, self._second, self._is_second = offer, second, False
        self._name()
        self.setGeometry(self._covered.rect())
        if self.isVisible():
            self.update()
            return
        self.raise_()
        self.setVisible(True)
        if moves(self):
            self._fade.start()

    def _name(self) -> None:
        self.setAccessibleName(f"{self.offer.title} {self.offer.subject}")

    def _zones(self) -> tuple[QRectF, QRectF]:
        """The wide zone and the narrow one behind it."""
        px = self._theme.px
        whole = QRectF(self._covered.rect()).adjusted(*(px(MARGIN) * sign for sign in (1, 1, -1, -1)))
        if self._second is None:
            return whole, QRectF()
        width = (whole.width() - px(MARGIN)) * SHARE
        first, second = QRectF(whole), QRectF(whole)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            first.setLeft(whole.right() - width)
            second.setRight(first.left() - px(MARGIN))
        else:
            first.setRight(whole.left() + width)
            second.setLeft(first.right() + px(MARGIN))
        return first, second

    def vanish(self) -> None:
        """Give the window free at once."""
        self._fade.stop()
        self._shade = 1.0
        self.setVisible(False)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setOpacity(self._shade)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for zone, offer in zip(self._zones(), (self._offer, self._second), strict=True):
            if offer is not None:
                self._zone(painter, zone, offer, active=offer is self.offer)
        painter.end()

    def _zone(self, painter: QPainter, zone: QRectF, offer: Offer, *, active: bool) -> None:
        theme = self._theme
        pen = QPen(theme.color("accent"), 2) if active else QPen(theme.color("field_edge"), 1, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(theme.color("link_tint" if active else "sunken"))
        painter.drawRoundedRect(zone, theme.px(RADIUS), theme.px(RADIUS))
        self._words(painter, zone, offer, active=active)

    def _words(self, painter: QPainter, zone: QRectF, offer: Offer, *, active: bool) -> None:
        theme = self._theme
        image = pixmap(theme, offer.icon, "accent" if active else "muted", 36, self.devicePixelRatioF())
        side = theme.px(36)
        middle = zone.center().y()
        painter.drawPixmap(QRectF(zone.center().x() - side / 2, middle - theme.px(74), side, side).toRect(), image)
        lines = (
            (offer.title, theme.text("display" if active else "title"), "text", middle - theme.px(12)),
            (left_to_right(offer.subject), theme.mono(), "text", middle + theme.px(30)),
            (offer.fact, theme.text("small"), "muted", middle + theme.px(56)),
        )
        for text, font, color, top in lines:
            painter.setFont(font)
            painter.setPen(theme.color(color))
            metrics = QFontMetrics(font)
            cut = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, int(zone.width()) - theme.px(32))
            # Signs of direction come from another font, whose higher line would push the letters out of this one.
            left = zone.center().x() - metrics.horizontalAdvance(cut) / 2
            painter.drawText(QPointF(left, top + metrics.ascent()), cut)

    def _shade_to(self, shade: float) -> None:
        self._shade = shade
        self.update()
