"""One full repaint of coloured bytes, beside the way of one drawText a cell, and beside one of plain rows of text."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication

from tests.bench import Figure
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.ui.hexview.layout import FORM, Form, Side
from viewer.ui.hexview.marks import KINDS, NO_REGIONS, Marks, RegionRuns
from viewer.ui.hexview.numbers import Cells
from viewer.ui.hexview.surface import Moment, Surface
from viewer.ui.theme import Theme, load_theme

ROWS, WIDTH, ROUNDS = 60, 32, 60
WINDOW = (43, 48)
"""Rows and bytes in a row that fit a window of 1440 x 900."""


def pickle_like(size: int) -> tuple[bytes, list[tuple[int, int, str, str]]]:
    """Bytes and the runs of short opcodes with arguments, as dense as the stream of a real model."""
    chance = random.Random(1)
    data, runs = bytearray(), []
    while len(data) < size:
        at, index = len(data), chance.randrange(9)
        length = chance.choice((0, 0, 1, 1, 1, 4, 11))
        data += bytes([0x28 + 4 * index + chance.randrange(4)])
        data += (
            bytes(chance.choice(b"abcdefghijklmnopqrstuvwxyz._") for _ in range(length))
            if index % 2
            else bytes(chance.randrange(40) for _ in range(length))
        )
        runs.append((at, at + 1, KINDS[index], "opcode"))
        if length:
            runs.append((at + 1, len(data), KINDS[index], "argument"))
    return bytes(data), runs


def ours(
    theme: Theme, dpr: float, data: bytes, runs: RegionRuns, rows: int = ROWS, columns: int = WIDTH, form: Form = FORM
) -> Callable[[], None]:
    """The surface composes every row anew and blits it, other bytes each time."""
    surface = Surface(theme)
    surface.content.reader = MemorySource(data)
    surface.content.regions = lambda start, stop: part(runs, start, stop)
    surface.fixed, surface.form = columns, form
    surface.dress(theme, dpr, 1.0)
    metrics = surface.face.metrics
    width, height = surface.layout.width, metrics.header + rows * metrics.row
    surface.arrange(width, height)
    surface.mark(Marks(selection=Span(100, 140), caret=100, focused=True, linked=(Span(80, 400),)))
    target = QImage(width, height, QImage.Format.Format_RGB32)
    area = QRect(0, 0, width, height)

    def repaint() -> None:
        surface.top_row = (surface.top_row + rows) % (surface.last_top - rows)
        painter = QPainter(target)
        surface.paint(painter, area, 0, Moment())
        painter.end()

    return repaint


def part(runs: RegionRuns, start: int, stop: int) -> RegionRuns:
    """The runs that touch some bytes."""
    low, high = runs.stops.searchsorted(start, "right"), runs.starts.searchsorted(stop)
    return RegionRuns(runs.starts[low:high], runs.stops[low:high], runs.kinds[low:high], runs.roles[low:high])


def many(theme: Theme, data: bytes, runs: RegionRuns) -> Iterator[Figure]:
    """How late the slowest repaints are, the largest view, and what colours cost beside bytes of one colour."""
    for dpr, goal in ((1.0, "5 or less"), (2.0, "8 or less")):
        mine, other = times(ours(theme, dpr, data, runs), plain(theme, dpr, data, ROWS, WIDTH), 150)
        yield Figure(f"hex repaint 60 x 32, coloured, {dpr:g}x, p99 / plain rows", late(mine), late(other), "ms", goal)
    yield by_turns("hex repaint 100 x 64, coloured, 1x / plain rows", *largest(theme, data, runs), "16 or less")
    mono = ours(theme, 1.0, data, NO_REGIONS)
    yield by_turns("hex repaint 60 x 32, 1x: coloured / mono", ours(theme, 1.0, data, runs), mono, "1.1 or less")


def largest(theme: Theme, data: bytes, runs: RegionRuns) -> tuple[Callable[[], None], Callable[[], None]]:
    """Ours and plain rows of 100 x 64 bytes."""
    return ours(theme, 1.0, data, runs, 100, 64), plain(theme, 1.0, data, 100, 64)


def peer(theme: Theme, dpr: float, data: bytes, runs: list[tuple[int, int, str, str]]) -> Callable[[], None]:
    """One fillRect and one drawText for each cell of both columns."""
    surface = Surface(theme)
    surface.fixed = WIDTH
    surface.dress(theme, dpr, 1.0)
    layout, metrics, face = surface.layout, surface.face.metrics, surface.face
    target = QImage(layout.width, ROWS * metrics.row, QImage.Format.Format_RGB32)
    fills: list[QColor] = []
    for start, stop, kind, role in runs[: ROWS * WIDTH]:
        region = theme.region(kind)
        fills += [region.fill if role == "opcode" else region.argument_fill] * (stop - start)
    ink = theme.color("text")

    def repaint() -> None:
        painter = QPainter(target)
        painter.fillRect(target.rect(), theme.color("pane"))
        painter.setFont(face.regular)
        painter.setPen(ink)
        for offset in range(ROWS * WIDTH):
            row, column = divmod(offset, WIDTH)
            value = data[offset]
            for side, label in ((Side.HEX, f"{value:02X}"), (Side.TEXT, chr(value) if 32 <= value < 127 else "·")):
                x, y = layout.cell_x(column, side), row * metrics.row
                painter.fillRect(QRectF(x, y + 1, layout.cell_width(side), metrics.row - 2), fills[offset])
                painter.drawText(QPointF(x + 2, y + 14 * dpr), label)
        painter.end()

    return repaint


def plain(theme: Theme, dpr: float, data: bytes, rows: int, columns: int) -> Callable[[], None]:
    """One drawText a row for the offset, the digits and the letters, without any colour."""
    surface = Surface(theme)
    surface.fixed = columns
    surface.dress(theme, dpr, 1.0)
    layout, metrics = surface.layout, surface.face.metrics
    target = QImage(layout.width, rows * metrics.row, QImage.Format.Format_RGB32)
    top = 0

    def repaint() -> None:
        nonlocal top
        top = (top + rows) % (len(data) // columns - rows)
        painter = QPainter(target)
        painter.fillRect(target.rect(), theme.color("pane"))
        painter.setFont(surface.face.regular)
        painter.setPen(theme.color("text"))
        for row in range(rows):
            at, y = (top + row) * columns, row * metrics.row + 14 * dpr
            part = data[at : at + columns]
            painter.drawText(QPointF(layout.gutter_x, y), f"{at:08X}")
            painter.drawText(QPointF(layout.hex_x, y), part.hex(" ").upper())
            painter.drawText(QPointF(layout.text_x, y), part.translate(DOTTED).decode())
        painter.end()

    return repaint


DOTTED = bytes(value if 0x20 <= value < 0x7F else 0x2E for value in range(256))


def median_ms(action: Callable[[], None], rounds: int) -> float:
    """The middle of some rounds, after three to warm up."""
    for _ in range(3):
        action()
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        action()
        times.append((time.process_time() - begin) * 1000)
    return statistics.median(times)


def times(mine: Callable[[], None], theirs: Callable[[], None], rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of processor time of some rounds of each, by turns, after thirty to warm up."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 30):
        for kept, action in zip(taken, (mine, theirs), strict=True):
            begin = time.process_time()
            action()
            if number >= 30:
                kept.append((time.process_time() - begin) * 1000)
    return taken


def late(taken: list[float]) -> float:
    """The time that one in a hundred exceeds."""
    return sorted(taken)[int(0.99 * len(taken))]


def run() -> list[Figure]:
    """Rows in milliseconds."""
    _app = QGuiApplication.instance() or QApplication([])
    theme = load_theme("light")
    data, runs = pickle_like(ROWS * WIDTH * 40)
    rows: list[Figure] = []
    for dpr in (1.0, 2.0):
        mine = median_ms(ours(theme, dpr, data, RegionRuns.of(runs)), ROUNDS)
        theirs = median_ms(peer(theme, dpr, data, runs), 10)
        rows.append(
            Figure(
                f"hex repaint 60 x 32, coloured, {dpr:g}x / a call a cell",
                mine,
                theirs,
                "ms",
                "2 or less at 1x, 8 at 2x",
            )
        )
    numbers = Form(cells=Cells("float16"))
    for name, form, (height, width), dpr in (
        ("60 x 32, coloured", FORM, (ROWS, WIDTH), 1.0),
        ("60 x 32, coloured", FORM, (ROWS, WIDTH), 2.0),
        ("60 x 32, inks by value", Form(shading=True), (ROWS, WIDTH), 1.0),
        ("60 x 32, as float16", numbers, (ROWS, WIDTH), 1.0),
        ("1440 x 900, 43 x 16", FORM, (WINDOW[0], 16), 1.0),
        ("1440 x 900, 43 x 48", FORM, WINDOW, 1.0),
    ):
        mine = ours(theme, dpr, data, RegionRuns.of(runs), height, width, form)
        other = plain(theme, dpr, data, height, width)
        rows.append(by_turns(f"hex repaint {name}, {dpr:g}x / plain rows", mine, other))
    return [*rows, *many(theme, data, RegionRuns.of(runs))]


def by_turns(name: str, mine: Callable[[], None], theirs: Callable[[], None], goal: str = "") -> Figure:
    """The middle of some rounds of each, by turns: what else runs on the machine meets both."""
    pairs = [(median_ms(mine, ROUNDS // 6), median_ms(theirs, ROUNDS // 6)) for _ in range(6)]
    medians = [statistics.median(each) for each in zip(*pairs, strict=True)]
    return Figure(name, medians[0], medians[1], "ms", goal)
