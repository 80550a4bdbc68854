"""Draw the program's icon in the sizes that desktops keep: `python packaging/make_icons.py`, after a change of the SVG.

Writes resources/desktop/icons/SIZE.png. At 16, 22 and 24 pixels the four cells of the lens would be a blur: there its
cells fill whole pixels.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ROOT: Final = Path(__file__).parents[1]
DRAWING: Final = ROOT / "resources" / "icons" / "picklescope.svg"
FOLDER: Final = ROOT / "resources" / "desktop" / "icons"
SIZES: Final = (16, 22, 24, 32, 48, 64, 128, 256)
SMALL: Final = 24
FOR_SMALL: Final = (
    ('<rect x="2" y="2" width="60" height="60" rx="14"', '<rect x="0" y="0" width="64" height="64" rx="13"'),
    ('stroke-width="6"', 'stroke-width="9"'),
    ('stroke-width="4.5"', 'stroke-width="4.6"'),
    ('cx="27.5" cy="27.5" r="16.5"', 'cx="28" cy="28" r="18"'),
    ('d="M39.5 39.5 52 52"', 'd="M42 42 54 54"'),
    ('x="19" y="19" width="7.5" height="7.5" rx="1.6"', 'x="20" y="20" width="8" height="8"'),
    ('x="28.5" y="19" width="7.5" height="7.5" rx="1.6"', 'x="28" y="20" width="8" height="8"'),
    ('x="19" y="28.5" width="7.5" height="7.5" rx="1.6"', 'x="20" y="28" width="8" height="8"'),
    ('x="28.5" y="28.5" width="7.5" height="7.5" rx="1.6"', 'x="28" y="28" width="8" height="8"'),
)


def drawing(size: int) -> str:
    """The SVG for an icon of so many pixels."""
    text = DRAWING.read_text(encoding="utf-8")
    for old, new in FOR_SMALL if size <= SMALL else ():
        if old not in text:
            sys.exit(f"{DRAWING.name} has changed: {old} is not in it, so the small icons cannot be drawn.")
        text = text.replace(old, new)
    return text


def draw(size: int) -> QImage:
    """One icon, with a transparent ground."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(drawing(size).encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


def main() -> None:
    """Draw all sizes."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QGuiApplication([])
    FOLDER.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        draw(size).save(str(FOLDER / f"{size}.png"))
    del app


if __name__ == "__main__":
    main()
