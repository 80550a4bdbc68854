"""The dock of one pane: its header, and a body that can be folded away."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QPalette
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.measures import dress_again
from viewer.ui.widgets.motion import FREE
from viewer.ui.widgets.pane_header import PaneHeader
from viewer.ui.widgets.tab_order import can_take, reading_order, step, stops
from viewer.ui.window.failed_pane import FailedPane
from viewer.wording import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.pane import Pane, PaneSpec
    from viewer.ui.theme import Theme


MOVES: Final = (
    (QT_TRANSLATE_NOOP("FileView", "Move to the left"), Qt.DockWidgetArea.LeftDockWidgetArea),
    (QT_TRANSLATE_NOOP("FileView", "Move to the right"), Qt.DockWidgetArea.RightDockWidgetArea),
    (QT_TRANSLATE_NOOP("FileView", "Move to the bottom"), Qt.DockWidgetArea.BottomDockWidgetArea),
)
SIZES: Final = (
    (QT_TRANSLATE_NOOP("FileView", "Wider"), Qt.Orientation.Horizontal, 1),
    (QT_TRANSLATE_NOOP("FileView", "Narrower"), Qt.Orientation.Horizontal, -1),
    (QT_TRANSLATE_NOOP("FileView", "Taller"), Qt.Orientation.Vertical, 1),
    (QT_TRANSLATE_NOOP("FileView", "Lower"), Qt.Orientation.Vertical, -1),
)
STEP: Final = 48
"""Pixels by which a pane grows, at the usual size of texts."""


class Body(QWidget):
    """Holds the pane. Its least size is small whatever the pane wants, so that docks can share any window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._set_sizes(theme)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)

    def hold(self, pane: Pane) -> None:
        """Take the pane, which is a child already."""
        self._column.addWidget(pane)

    def set_theme(self, theme: Theme) -> None:
        """Sizes changed."""
        self._set_sizes(theme)
        self.updateGeometry()

    def _set_sizes(self, theme: Theme) -> None:
        self._least, self._liked = QSize(theme.px(120), 0), QSize(theme.px(300), theme.px(200))

    @override
    def minimumSizeHint(self) -> QSize:
        return self._least

    @override
    def sizeHint(self) -> QSize:
        return self._liked


class PaneDock(QDockWidget):
    """One pane in its dock. The pane is made when it is first asked for: nine at once would hold the window too long.

    pane_made: the pane is there now.
        Signal(pane: Pane)
    closed_by_person: the dock was closed by its menu, not by a layout.
        Signal()
    move_asked: the menu wants it at another side.
        Signal(area: Qt.DockWidgetArea)
    resize_asked: the menu wants it larger along a way by so many steps, or smaller.
        Signal(way: Qt.Orientation, steps: int)
    """

    pane_made = Signal(object)
    closed_by_person = Signal()
    move_asked = Signal(object)
    resize_asked = Signal(object, int)

    def __init__(self, kind: PaneSpec, session: Session, title: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.kind = kind
        self.badge = ""
        self.alarm = ""
        self.folded = False
        self.unfolded_height = 0
        self._session = session
        self._theme = theme
        self._pane: Pane | None = None
        self.setObjectName(f"dock.{kind.key}")
        self._body = Body(theme, self)
        self.setWidget(self._body)
        self.topLevelChanged.connect(self._floated)
        self.header = PaneHeader(theme, self)
        self.header.menu_asked.connect(self._show_menu)
        self.setTitleBarWidget(self.header)

    @cached_property
    def menu(self) -> QMenu:
        """What the header's button shows, made when it is first wanted: a file has many docks."""
        menu = QMenu(self)
        for words, area in MOVES:
            _add(menu, words, partial(self.move_asked.emit, area))
        menu.addSeparator()
        for words, way, steps in SIZES:
            _add(menu, words, partial(self.resize_asked.emit, way, steps))
        menu.addSeparator()
        menu.addActions([self.float_action, self.close_action])
        return menu

    @cached_property
    def float_action(self) -> QAction:
        """Makes the dock a window of its own, or takes it back."""
        action = QAction(self.tr("Float"), self, checkable=True, checked=self.isFloating())
        action.triggered.connect(lambda on: self.setFloating(on))
        self.topLevelChanged.connect(action.setChecked)
        return action

    @cached_property
    def close_action(self) -> QAction:
        """Closes the dock."""
        action = QAction(self.tr("Close"), self)
        action.triggered.connect(self._close)
        return action

    @property
    def key(self) -> str:
        """The key of the pane."""
        return self.kind.key

    @property
    def made(self) -> bool:
        """True once the pane is there."""
        return self._pane is not None

    @property
    def pane(self) -> Pane:
        """The pane, made now if it was not."""
        return self._pane or self.make()

    def set_folded(self, *, folded: bool) -> None:
        """Show the header only, or all."""
        self.folded = folded
        if self._pane is not None:
            self._pane.setVisible(not folded)
        self.setMaximumHeight(self.header.height() if folded else FREE)
        self.header.set_folded(folded=folded)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self._body.set_theme(theme)
        self.header.set_theme(theme)
        if self.folded:
            self.setMaximumHeight(self.header.height())
        if self._pane is not None:
            self._pane.set_theme(theme)

    def is_in_front(self) -> bool:
        """True when the pane can be seen: open, not folded, not behind another tab."""
        return self.is_seen() and not self.folded

    def is_seen(self) -> bool:
        """True when the header at least can be seen: open, not behind another tab."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    def take_keyboard(self, reason: Qt.FocusReason) -> None:
        """Give the keyboard to what the pane names; where that cannot have it, to the first that can, or the tabs."""
        target = self.pane.focus_target()
        if not can_take(target):
            target = next(iter(stops(self._body)), self.header.tabs)
        target.setFocus(reason)

    def tab_children(self) -> list[QWidget]:
        """What Tab walks: the buttons of a pane come right before what they work on."""
        return [self.header, self._body]

    @override
    def focusNextPrevChild(self, forward: bool) -> bool:
        return step(self, forward=forward) if self.isFloating() else super().focusNextPrevChild(forward)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed_by_person.emit()

    def make(self) -> Pane:
        """Make the pane within its place: moving finished widgets to another parent costs Qt milliseconds each."""
        if self._pane is not None:
            return self._pane
        session = self._session
        pane = self._pane = self._made_or_failed()
        self._body.hold(pane)
        pane.setVisible(not self.folded)
        dress_again(pane, self._theme)
        self.header.take(pane.header_widgets())
        self.pane_made.emit(pane)
        if session.source is not None:
            pane.show_source()
            pane.show_document()
            pane.show_selection(session.selection)
        return pane

    def _made_or_failed(self) -> Pane:
        """The pane; where that raises, which is a fault of the program, another one that says so. Told once."""
        before = set(self._body.children())
        try:
            return self.kind.load()(self._session, self._theme, self._body)
        except Exception as fault:  # noqa: BLE001  whatever it is, the person is told
            sys.excepthook(type(fault), fault, fault.__traceback__)
        for child in self._body.children():
            if isinstance(child, QWidget) and child not in before:
                child.hide()
                child.deleteLater()
        return FailedPane(self._session, self._theme, self._body)

    def _floated(self, floats: bool) -> None:
        """A pane that was folded or behind another tab has no size of its own to float with."""
        least = QSize(self._theme.px(480), self._theme.px(320))
        if floats:
            self.set_folded(folded=False)
            self.resize(self.size().expandedTo(least))

    def _show_menu(self) -> None:
        button = self.header.more
        self.menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _close(self) -> None:
        self.close()
        target = self.parentWidget()
        if isinstance(target, QWidget):
            target.setFocus(Qt.FocusReason.OtherFocusReason)


def standing(docks: Iterable[PaneDock], *, mirrored: bool) -> list[PaneDock]:
    """The docks of which anything can be seen, as one reads them; those in windows of their own come last."""
    seen = [dock for dock in docks if dock.is_seen()]
    docked = [dock for dock in seen if not dock.isFloating()]
    floating = [dock for dock in seen if dock.isFloating()]
    return [*reading_order(docked, PaneDock.geometry, mirrored=mirrored), *floating]


def dock_of(widget: QWidget | None) -> PaneDock | None:
    """The dock that a widget stands in."""
    while widget is not None and not isinstance(widget, PaneDock):
        widget = widget.parentWidget()
    return widget


def kept_in_sight(
    active: PaneDock | None, group: Callable[[PaneDock], list[PaneDock]], front: Callable[[], list[PaneDock]]
) -> PaneDock | None:
    """The dock with the keyboard; where another came before it, that one has the keyboard now: it would be lost.

    Where none is in front their file is not the one that is looked at, and has no claim to it.
    """
    if active is None or active.is_seen() or not active.window().isVisible():
        return active
    other = next((dock for dock in (*group(active), *front()) if dock.is_in_front()), None)
    if other is None:
        return active
    other.take_keyboard(Qt.FocusReason.OtherFocusReason)
    return other


def resize_dock(window: QMainWindow, dock: PaneDock, way: Qt.Orientation, by: int) -> None:
    """Make a dock larger by pixels, or smaller; what stands beside it makes room. A floating one grows itself."""
    across = way == Qt.Orientation.Horizontal
    if dock.isFloating():
        dock.resize(dock.width() + (by if across else 0), dock.height() + (0 if across else by))
    else:
        window.resizeDocks([dock], [max(1, (dock.width() if across else dock.height()) + by)], way)


def _add(menu: QMenu, words: str, act: Callable[[], None]) -> None:
    line = QAction(QCoreApplication.translate("FileView", words), menu)
    line.triggered.connect(lambda _=False: act())
    menu.addAction(line)
