"""Pane: one dock of a file. A pane reads its session and changes it only by the session's methods.

To add one: a new file in `panes/` with a class that derives from Pane and sets its key, and a line with the facts
of it in the tuple of `panes/__init__.py`; dock, menu entry, header and layout saving come from the facts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget
from shiboken6 import isValid
from typing_extensions import override

if TYPE_CHECKING:
    from viewer.session.selection import Selection
    from viewer.session.session import Session
    from viewer.ui.theme import Theme

PLACE: Final = "viewer.ui.panes"
LONGEST: Final = 1_000
LOW: Final = 120
"""Logical pixels, at the usual size of text: lower panes than this one cannot be made."""


class Area(StrEnum):
    """Where a pane stands in the default layout."""

    STRUCTURE = "structure"
    BYTES = "bytes"
    RIGHT = "right"
    RIGHT_LOWER = "right lower"
    BOTTOM = "bottom"


@dataclass(frozen=True, slots=True)
class PaneSpec:
    """What the window knows of a pane before its code is loaded. `key` names it in settings and is that of its class.

    `title`: English, marked for translation. `kind`: the class, or where it stands in `panes/` as `module:class`.
    `order`: place among the tabs of its area. `shortcut`: of Window > title, or "".
    `tells_alarms`: it says itself what another pane is alarmed by: in front of it no bar is needed.
    """

    key: str
    title: str
    icon: str
    area: Area
    kind: str | type[Pane]
    order: int = 0
    shortcut: str = ""
    tells_alarms: bool = False

    @property
    def is_loaded(self) -> bool:
        """True where `load` takes no time."""
        if not isinstance(self.kind, str):
            return True
        module, _, name = self.kind.partition(":")
        return hasattr(sys.modules.get(f"{PLACE}.{module}"), name)

    def load(self) -> type[Pane]:
        """The class, its module loaded now if it was not."""
        if not isinstance(self.kind, str):
            return self.kind
        module, _, name = self.kind.partition(":")
        found: type[Pane] = getattr(import_module(f"{PLACE}.{module}"), name)
        return found


class Pane(QWidget):
    """Base of all panes. `key`: as in its PaneSpec.

    badge_changed: the count beside the title.
        Signal(text: str)
    asks: a command of the menus is wanted, by the id of its action, or a pane (`pane.source`), or `explain.TOPIC`.
        Signal(action: str)
    export_asked: tensors of the document are to be exported; `compact`: their elements in use and nothing else.
        Signal(tensors: Sequence[Tensor], compact: bool)
    message: something to tell in a bar: severity word, title, sentence.
        Signal(severity: str, title: str, sentence: str)
    alarmed: what must be seen whichever pane is in front; an empty title takes it back.
        Signal(title: str, sentence: str)
    kept_changed: `kept` would give something else now.
        Signal()
    """

    key: ClassVar[str]

    badge_changed = Signal(str)
    asks = Signal(str)
    export_asked = Signal(object, bool)
    message = Signal(str, str, str)
    alarmed = Signal(str, str)
    kept_changed = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.setObjectName(self.key)
        self.setAutoFillBackground(True)
        self._ground()
        session.source_ready.connect(self.show_source)
        session.document_changed.connect(self.show_document)
        session.selection_changed.connect(self._selection_changed)
        session.hover_changed.connect(self.show_hover)

    def show_source(self) -> None:
        """The file is open and its bytes can be read; the document is not there yet."""

    def show_document(self) -> None:
        """The document changed; `session.document` is None while it is being decoded."""

    def show_selection(self, selection: Selection) -> None:
        """Another place is selected, perhaps by this pane itself (`selection.origin == self.key`)."""

    def show_hover(self, place: Selection | None) -> None:
        """The mouse is over another place; mark it, move nothing."""

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self._ground()
        self.update()

    def header_widgets(self) -> list[QWidget]:
        """Small widgets for the right side of the pane's header."""
        return []

    def focus_target(self) -> QWidget:
        """The widget that takes the keyboard when the pane is shown by the keyboard."""
        return self

    def commands(self) -> Mapping[str, Callable[[], None]]:
        """Commands of the menus that this pane carries out now, by the id of their action (`edit.copy_hex`).

        The pane with the keyboard is asked first, then the others. Asked anew at each selection: keep it cheap.
        """
        return {}

    def kept(self) -> Mapping[str, Any]:
        """What of this pane comes back when the file is opened again, as JSON has it: filters, open rows.

        Asked for often: what takes long is a function that gives it, which another thread calls.
        """
        return {}

    def bring_back(self, kept: Mapping[str, Any]) -> None:
        """Take what `kept` gave the last time, before the document is there; it may be of another version."""

    def topic(self) -> str:
        """What F1 explains here, as a page of the help and an entry of it: `problems/zip-record-cut`; "" = nothing."""
        return ""

    def _ground(self) -> None:
        """Panes are lighter than the window: what they hold inherits it."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, self.theme.color("pane"))
        self.setPalette(palette)

    def _selection_changed(self, selection: Selection) -> None:
        self.show_selection(selection)


class LowPane(QScrollArea):
    """Fills a pane, and scrolls where the pane is lower than its parts, one below the other, need at least.

    The parts are made in `body`, where they stand: moving what is finished takes Qt long. `column`: its layout.
    """

    def __init__(self, pane: Pane) -> None:
        super().__init__(pane)
        self._least = pane.theme.px(LOW)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = self.body = _Body(self)
        self.column = QVBoxLayout(body)
        whole = QVBoxLayout(pane)
        for layout in (self.column, whole):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        self.setWidget(body)
        for ground in (self.viewport(), body):
            # The pane has its own, which a scroll area would paint over with that of the window.
            ground.setAutoFillBackground(False)
        whole.addWidget(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._show_focus)

    @override
    def minimumSizeHint(self) -> QSize:
        parts = self.column.totalMinimumSize()
        return QSize(parts.width(), min(parts.height(), self._least))

    def reveal(self, part: QWidget) -> None:
        """Scroll a part into view that was asked for and takes its place only now."""
        QTimer.singleShot(0, self, lambda: self._reveal(part))

    def _reveal(self, part: QWidget) -> None:
        if not isValid(part) or not part.isVisible():
            return
        top = part.mapTo(self.body, QPoint()).y()
        bar, room = self.verticalScrollBar(), self.viewport().height()
        last = top + min(part.height(), room) - room
        bar.setValue(min(max(bar.value(), last), top))

    def _show_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        del before
        # What is seen in part stays: under the mouse nothing jumps.
        if now is not None and self.body.isAncestorOf(now) and now.visibleRegion().isEmpty():
            self.ensureWidgetVisible(now)


class _Body(QWidget):
    """Asks for no more height than its parts need: those that scroll by themselves take what is left over."""

    @override
    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        return layout.minimumHeightForWidth(width) if layout is not None else -1


def kept_words(kept: Mapping[str, Any], name: str) -> str:
    """A text out of what was kept, "" for what is none; what is too long to have been typed is cut."""
    words = kept.get(name)
    return words[:LONGEST] if isinstance(words, str) else ""


def kept_part(kept: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """What was kept under a name in what was kept."""
    part = kept.get(name)
    return part if isinstance(part, dict) else {}
