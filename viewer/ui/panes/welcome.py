"""What the window shows while no file is open: where to drop one, recent files, samples. It is no dock."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer import resources
from viewer.core.source import printable
from viewer.ui.measures import keep_lengths
from viewer.ui.theme import Theme, icon, pixmap
from viewer.ui.widgets.labels import lead
from viewer.ui.widgets.two_line_list import Row, TwoLineList
from viewer.ui.words import day, joined, of_format, size, tensors_of
from viewer.wording import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from viewer.session.recent import RecentFile

WIDTH: Final = 1000
RECENT_SHOWN: Final = 7
NEWEST_SHOWN: Final = 3
"""Recent files that are listed at least, however many are pinned."""
THIN: Final = "\u2009"
"""Qt leaves hardly any room between icon and word."""
SAMPLES: Final = (
    QT_TRANSLATE_NOOP("samples", "A whole model with its source"),
    QT_TRANSLATE_NOOP("samples", "Legacy archive of 2019: opcodes, 9 classes, 8 tensors"),
    QT_TRANSLATE_NOOP("samples", "A state_dict in a zip"),
    QT_TRANSLATE_NOOP("samples", "The form torch.save has written since 1.6, with an optimizer"),
    QT_TRANSLATE_NOOP("samples", "A whole model without its source"),
    QT_TRANSLATE_NOOP("samples", "A zip names the classes; their code is not in it"),
    QT_TRANSLATE_NOOP("samples", "Half a download"),
    QT_TRANSLATE_NOOP("samples", "Where it breaks, and what can be rescued"),
    QT_TRANSLATE_NOOP("samples", "A file that would run a command"),
    QT_TRANSLATE_NOOP("samples", "Every import and call, none of them made"),
    QT_TRANSLATE_NOOP("samples", "Shared and strided tensors"),
    QT_TRANSLATE_NOOP("samples", "Views, one storage, no copies"),
)
"""The words of resources/samples/samples.json, where a translator finds them."""


def samples() -> list[Row]:
    """The files that come with the program."""
    folder = resources.folder("samples")
    return [
        Row(
            str(folder / sample["file"]),
            QCoreApplication.translate("samples", sample["title"]),
            QCoreApplication.translate("samples", sample["sentence"]),
            "flask",
        )
        for sample in json.loads(resources.read_text("samples/samples.json"))
    ]


def recent_row(file: RecentFile, *, gone: bool = False) -> Row:
    """A recent file as a row: name, folder and what was found in it, size, day; or that it is gone."""
    path = Path(file.path)
    states = [QCoreApplication.translate("Welcome", "Pinned")] if file.pinned else []
    if file.damaged:
        states.append(QCoreApplication.translate("Welcome", "Damaged"))
    missing = QCoreApplication.translate("Welcome", "Missing")
    found = of_format(file.format) if file.format else ""
    if file.tensors:
        found = f"{found}, {tensors_of(file.tensors)}"
    return Row(
        file.path,
        printable(path.name),
        short_folder(path.parent),
        "error" if file.damaged else "archive",
        "error" if file.damaged else "muted",
        (missing,) if gone else (day(file.opened), size(file.size)),
        mono=True,
        more=found,
        tooltip=printable(file.path),
        pinned=file.pinned,
        faded=gone,
        state=joined([*states, missing] if gone else states),
    )


def short_folder(folder: Path) -> str:
    """A folder with ~ for the person's own."""
    home = Path.home()
    text = printable(str(folder))
    return f"~{text[len(str(home)) :]}" if folder.is_relative_to(home) else text


class DropZone(QFrame):
    """The dashed field that says what a drop does; a click opens a file as well.

    clicked: the person clicked it.
        Signal()
    """

    clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = QLabel()
        self._title = QLabel(self.tr("Drop a file here to open it"))
        self._sentence = QLabel(
            self.tr(
                "PyTorch .pt .pth .ckpt .bin, safetensors, npz, npy, any pickle. Told apart by content, not by name."
            )
        )
        self._sentence.setProperty("muted", True)
        self._title.setWordWrap(True)
        self._sentence.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 20)
        column.setSpacing(8)
        for label in (self._icon, self._title, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self._icon.setPixmap(pixmap(theme, "drop", "accent", 28, self.devicePixelRatioF()))
        self._title.setFont(theme.text("heading"))
        self._sentence.setFont(theme.text("small"))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._theme.color("field_edge"), 1.4)
        pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.setBrush(self._theme.color("pane"))
        radius = self._theme.px(12)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)
        painter.end()


class Logo(QWidget):
    """The program's own picture."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = QSvgRenderer(resources.read_bytes("icons/picklescope.svg"))
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Sizes changed."""
        self.setFixedSize(theme.px(56), theme.px(56))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._picture.render(painter, QRectF(self.rect()))
        painter.end()


class Welcome(QScrollArea):
    """The page itself.

    open_asked: a file should be chosen.
        Signal()
    chosen: a recent file or a sample should be opened.
        Signal(path: str)
    clear_asked: the recent files should be forgotten that are not pinned.
        Signal()
    pin_asked: a recent file should be pinned, or no more.
        Signal(path: str)
    forget_asked: it should be forgotten.
        Signal(path: str)
    find_asked: it is gone, and should be looked for.
        Signal(path: str)
    """

    open_asked = Signal()
    chosen = Signal(str)
    clear_asked = Signal()
    pin_asked = Signal(str)
    forget_asked = Signal(str)
    find_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("welcome")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.logo = Logo(theme)
        self.name = QLabel(self.tr("Picklescope"))
        lead(self.name)
        self.claim = muted(
            self.tr("See what is inside a PyTorch checkpoint: its bytes, its opcodes, its tensors, its source.")
        )
        self.open_button = QPushButton(THIN + self.tr("Open file"))
        self.open_button.setProperty("primary", True)
        self.open_button.clicked.connect(self.open_asked)
        self.zone = DropZone(theme)
        self.recent_title = QLabel(self.tr("Recent"))
        self.clear = QPushButton(self.tr("Clear"))
        self.clear.setProperty("link", True)
        self.clear.clicked.connect(self.clear_asked)
        self.none_yet = muted(self.tr("Files that you open are listed here."))
        self.recent = TwoLineList(theme)
        self.recent.setAccessibleName(self.tr("Recent files"))
        self.recent.setAccessibleDescription(self.tr("The menu key pins a file or removes it from the list."))
        self.recent.pin_asked.connect(self.pin_asked)
        self.recent.remove_asked.connect(self.forget_asked)
        self.recent.menu_asked.connect(self._show_menu)
        self.samples_title = QLabel(self.tr("Samples"))
        self.samples = TwoLineList(theme)
        self.samples.setAccessibleName(self.tr("Samples"))
        self.promise_icon = QLabel()
        self.promise = QLabel(self.tr("Nothing in a file is run. The file is never changed."))
        self.promise.setProperty("muted", True)
        for rows in (self.recent, self.samples):
            rows.chosen.connect(self.chosen)
        self.setWidget(self._page())
        self.samples.set_rows(samples())
        self.set_recent(())
        self.set_theme(theme)

    def set_recent(self, files: Sequence[RecentFile], gone: Collection[str] = ()) -> None:
        """List other recent files, the pinned ones and the newest of the others. `gone`: paths of those not there."""
        pinned = [file for file in files if file.pinned]
        others = [file for file in files if not file.pinned][: max(RECENT_SHOWN - len(pinned), NEWEST_SHOWN)]
        self.recent.set_rows([recent_row(file, gone=file.path in gone) for file in (*pinned, *others)])
        self.recent.setVisible(bool(files))
        self.clear.setVisible(len(files) > len(pinned))
        self.none_yet.setVisible(not files)

    def menu_of(self, row: Row) -> QMenu:
        """What can be done with a recent file."""
        menu = QMenu(self)
        lines = [(self.tr("Open"), self.chosen), (self.tr("Pin"), self.pin_asked)]
        if row.pinned:
            lines[1] = self.tr("Unpin"), self.pin_asked
        if row.faded:
            lines[0] = self.tr("Find it…"), self.find_asked
        for words, signal in (*lines, (self.tr("Remove from the list"), self.forget_asked)):
            menu.addAction(words).triggered.connect(partial(signal.emit, row.target))
        return menu

    def _show_menu(self, row: Row, place: QPoint) -> None:
        menu = self.menu_of(row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self.logo.set_theme(theme)
        self.zone.set_theme(theme)
        self.recent.set_theme(theme)
        self.samples.set_theme(theme)
        self.name.setFont(theme.text("display"))
        for title in (self.recent_title, self.samples_title):
            title.setFont(theme.text("heading"))
        self.open_button.setIcon(icon(theme, "open", "on_selection"))
        self.open_button.setIconSize(QSize(theme.px(16), theme.px(16)))
        self.promise_icon.setPixmap(pixmap(theme, "shield", "done", 16, self.devicePixelRatioF()))
        self._column.setMaximumWidth(theme.px(WIDTH))
        self._wrap()
        self.setStyleSheet(f"#welcome, #welcomePage {{ background: {theme.color('window').name()}; }}")

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wrap()

    def _wrap(self) -> None:
        """One line at the foot, several where it has no room: it would push the page beyond the right edge."""
        needed = self.promise.fontMetrics().horizontalAdvance(self.promise.text()) + self._theme.px(80)
        self.promise.setWordWrap(needed > self.viewport().width())

    def _page(self) -> QWidget:
        self._column = QWidget()
        column = QVBoxLayout(self._column)
        column.setContentsMargins(20, 20, 20, 20)
        column.setSpacing(0)
        column.addStretch(2)
        column.addLayout(self._head())
        column.addSpacing(28)
        column.addWidget(self.zone)
        column.addSpacing(24)
        column.addLayout(self._lists())
        column.addStretch(5)
        column.addLayout(self._foot())
        page = QWidget()
        page.setObjectName("welcomePage")
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self._column, 1000)
        row.addStretch(1)
        return page

    def _head(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.name)
        words.addWidget(self.claim)
        head = QHBoxLayout()
        head.setSpacing(18)
        head.addWidget(self.logo)
        head.addLayout(words, 1)
        head.addWidget(self.open_button)
        return head

    def _lists(self) -> QHBoxLayout:
        title = QHBoxLayout()
        title.setContentsMargins(10, 0, 10, 4)
        title.addWidget(self.recent_title)
        title.addStretch(1)
        title.addWidget(self.clear)
        self.none_yet.setContentsMargins(10, 6, 10, 0)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addLayout(title)
        left.addWidget(self.none_yet)
        left.addWidget(self.recent)
        left.addStretch(1)
        other = QHBoxLayout()
        other.setContentsMargins(10, 0, 10, 4)
        other.addWidget(self.samples_title)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addLayout(other)
        right.addWidget(self.samples)
        right.addStretch(1)
        for heading in (self.recent_title, self.samples_title):
            keep_lengths(self._theme, heading.setMinimumHeight, 30)
        lists = QHBoxLayout()
        lists.setSpacing(24)
        lists.addLayout(left, 1)
        lists.addLayout(right, 1)
        return lists

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(self.promise_icon)
        foot.addWidget(self.promise)
        foot.addStretch(1)
        return foot


def muted(text: str) -> QLabel:
    """Words that stand back, and wrap where there is no room."""
    label = QLabel(text)
    label.setProperty("muted", True)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return label
