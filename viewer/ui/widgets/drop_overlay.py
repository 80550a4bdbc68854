"""What lies over the whole window while files are dragged over it: what a drop will do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.motion import moves
from viewer.ui.words import left_to_right

FADE_MS: Final = 80
MARGIN: Final = 16
RADIUS: Final = 12


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
        """What is said now."""
        return self._offer

    def appear(self, offer: Offer) -> None:
        """Cover the window."""
        self._offer = offer
        self.setAccessibleName(f"{offer.title} {offer.subject}")
        self.setGeometry(self._covered.rect())
        if self.isVisible():
            self.update()
            return
        self.raise_()
        self.setVisible(True)
        if moves(self):
            self._fade.start()

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
        zone = QRectF(self.rect()).adjusted(*(theme.px(MARGIN) * sign for sign in (1, 1, -1, -1)))
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.setBrush(theme.color("link_tint"))
        painter.drawRoundedRect(zone, theme.px(RADIUS), theme.px(RADIUS))
        self._words(painter, zone)
        painter.end()

    def _words(self, painter: QPainter, zone: QRectF) -> None:
        theme = self._theme
        image = pixmap(theme, self._offer.icon, "accent", 36, self.devicePixelRatioF())
        side = theme.px(36)
        middle = zone.center().y()
        painter.drawPixmap(QRectF(zone.center().x() - side / 2, middle - theme.px(74), side, side).toRect(), image)
        lines = (
            (self._offer.title, theme.text("display"), "text", middle - theme.px(12)),
            (left_to_right(self._offer.subject), theme.mono(), "text", middle + theme.px(30)),
            (self._offer.fact, theme.text("small"), "muted", middle + theme.px(56)),
        )
        for text, font, color, top in lines:
            painter.setFont(font)
            painter.setPen(theme.color(color))
            cut = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, int(zone.width()) - theme.px(32))
            line = QRectF(zone.left(), top, zone.width(), QFontMetrics(font).height())
            painter.drawText(line, int(Qt.AlignmentFlag.AlignCenter), cut)

    def _shade_to(self, shade: float) -> None:
        self._shade = shade
        self.update()
