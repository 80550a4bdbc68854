"""Pictures held against approved ones of their name; `PICKLESCOPE_APPROVE=1` puts what is drawn in their place."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

FONTS = ("DejaVu Sans Mono", "Noto Sans")
"""Of bytes and of words: what the approved pictures were drawn with."""
APPROVED = Path(__file__).parent / "approved"
NEAR = 12
"""Of 255: what another version of the font library may draw differently."""
MOST_OTHER = 0.002
"""Share of the pixels that may differ by more."""


def compare(drawn: QImage, name: str, folder: Path = APPROVED) -> None:
    """Hold a picture against the approved one of its name, or approve it."""
    file = folder / f"{name}.png"
    if os.environ.get("PICKLESCOPE_APPROVE"):
        drawn.save(str(file))
    approved, now = _pixels(QImage(str(file))), _pixels(drawn)
    assert now.shape == approved.shape
    other = (np.abs(now - approved).max(axis=2) > NEAR).mean()
    assert other <= MOST_OTHER


def compare_with_approved(widget: QWidget, name: str) -> None:
    """The same of a widget as it is shown."""
    for _ in range(4):
        # What was shown and hidden last asks its layout, that the one around it, and so on.
        QCoreApplication.sendPostedEvents()
    compare(widget.grab().toImage(), name)


def _pixels(image: QImage) -> npt.NDArray[np.int16]:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return rows[:, : image.width(), :3].astype(np.int16)
