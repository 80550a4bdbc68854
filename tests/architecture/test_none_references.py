"""A PySide6 whose painter calls drop a reference to None kills the process in the end; this catches it.

Seen with PySide6 6.12.0 on Python 3.11: each of these calls took one reference away. From Python 3.12 on None is
immortal and nothing can be counted. A child process counts, so that a bad PySide6 cannot hurt this one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Final

import pytest

CALLS: Final = 1000
NOISE: Final = 100
COUNT: Final = """
import json, sys
from PySide6.QtCore import QLineF, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPen, QPixmap

app = QGuiApplication(["count"])
spare = [None] * 100_000  # so that losses are counted, not fatal
canvas = QImage(64, 64, QImage.Format.Format_ARGB32_Premultiplied)
picture = QImage(8, 8, QImage.Format.Format_ARGB32_Premultiplied)
picture.fill(0)
pixmap = QPixmap.fromImage(picture)
painter = QPainter(canvas)
pen, colour, area, place = QPen(QColor("red")), QColor("blue"), QRect(0, 0, 4, 4), QPoint(1, 1)
calls = {
    "setPen": lambda: painter.setPen(pen),
    "fillRect": lambda: painter.fillRect(area, colour),
    "drawImage": lambda: painter.drawImage(place, picture),
    "drawLine": lambda: painter.drawLine(0, 0, 9, 9),
    "drawPixmap": lambda: painter.drawPixmap(place, pixmap),
    "drawRect": lambda: painter.drawRect(area),
    "drawText": lambda: painter.drawText(place, "x"),
    "save and restore": lambda: (painter.save(), painter.restore()),
}
lost = {}
for name, call in calls.items():
    call()
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        call()
    lost[name] = before - sys.getrefcount(None)
painter.end()
print(json.dumps(lost))
"""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on: nothing to count")
def test_painter_calls_keep_their_references_to_none() -> None:
    program = COUNT.replace("CALLS", str(CALLS))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    lost = json.loads(done.stdout)
    assert len(lost) == 8
    assert {name: count for name, count in lost.items() if count > NOISE} == {}
