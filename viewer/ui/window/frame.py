"""The parts of a window and how they lie. What they do is joined in `main_window.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QStatusBar, QTabBar, QToolBar, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.command_keys import CommandKeys
from viewer.ui.dialogs.go_to import GoToBar
from viewer.ui.panes.welcome import Welcome
from viewer.ui.widgets.command_palette import CommandPalette
from viewer.ui.widgets.message_bar import Message, MessageBars
from viewer.ui.widgets.status_line import StatusLine
from viewer.ui.widgets.tab_order import step
from viewer.ui.window.drops import DropTarget

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.session.workspace import Workspace
    from viewer.ui.help.drawer import HelpDrawer
    from viewer.ui.pane import PaneSpec
    from viewer.ui.theme import Theme
    from viewer.ui.window.file_view import FileView
    from viewer.ui.window.menus import Menus

LEAST_SIZE: Final = QSize(640, 420)
TAB: Final = 24


class Frame(QMainWindow):
    """File tabs, messages, go-to bar, open files or welcome page, status line; palette, help and drop overlay above."""

    menus: Menus
    help_closed = Signal()
    keys: CommandKeys

    def __init__(
        self, workspace: Workspace, theme: Theme, panes: Sequence[PaneSpec], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.theme = theme
        self.panes = tuple(panes)
        self.views: dict[Session, FileView] = {}
        self.setObjectName("window")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setMinimumSize(LEAST_SIZE)
        self.tabs = file_tabs()
        self.bars = MessageBars(theme)
        self.go_to = GoToBar(theme)
        self.welcome = Welcome(theme)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.welcome)
        self.status = StatusLine(theme)
        self._centre = self._lay_out()
        self._help: HelpDrawer | None = None
        self.commands_palette = CommandPalette(theme, self)
        self.drops = DropTarget(self, theme)

    @property
    def help(self) -> HelpDrawer:
        """The drawer over the right side, made when it is first asked for."""
        if self._help is None:
            from viewer.ui.help.drawer import HelpDrawer

            self._help = HelpDrawer(self.theme, self.stack, self._centre, commands=self.menus.entries)
            self._help.closed.connect(self.help_closed)
        return self._help

    @property
    def session(self) -> Session | None:
        """The file that is looked at."""
        return self.workspace.current

    @property
    def view(self) -> FileView | None:
        """The docks of that file."""
        return self.views.get(self.session) if self.session is not None else None

    def say(self, message: Message) -> None:
        """Show a bar."""
        self.bars.add(message)

    def set_theme(self, theme: Theme) -> None:
        """Colours, fonts or sizes changed."""
        self.theme = theme
        self.bars.set_theme(theme)
        self.go_to.set_theme(theme)
        self.welcome.set_theme(theme)
        self.status.set_theme(theme)
        self.commands_palette.set_theme(theme)
        if self._help is not None:
            self._help.set_theme(theme)
        self.drops.overlay.set_theme(theme)
        for view in self.views.values():
            view.set_theme(theme)

    def tab_children(self) -> list[QWidget]:
        """What Tab walks, from the top down; the palette alone while it is open."""
        if self.commands_palette.isVisible():
            return [self.commands_palette]
        parts: tuple[QWidget, ...] = (*self.findChildren(QToolBar), self.tabs, self.bars, self.go_to, self.stack)
        known = {self.centralWidget(), self.menuBar(), self.statusBar(), *parts}
        above = [one for one in self.children() if isinstance(one, QWidget) and one not in known]
        drawer = [self._help] if self._help is not None else []
        return [*above, *parts, *drawer, self.status]

    @override
    def focusNextPrevChild(self, forward: bool) -> bool:
        return step(self, forward=forward, over=self.lying_over())

    def lying_over(self) -> QWidget | None:
        """What covers a part of the window: nobody sees the keyboard behind it."""
        return self._help if self._help is not None and self._help.isVisible() else None

    def _lay_out(self) -> QWidget:
        """Gives the widget in the middle, over whose right side the help opens."""
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.tabs, self.bars, self.go_to):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        centre = QWidget()
        centre.setLayout(column)
        self.setCentralWidget(centre)
        bar = QStatusBar()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(0, 0, 0, 0)
        bar.addWidget(self.status, 1)
        self.setStatusBar(bar)
        return centre


class FileTabs(QTabBar):
    """Tabs that stay wide enough to be told apart; where they are too many, they scroll."""

    @override
    def minimumTabSizeHint(self, index: int) -> QSize:
        least = super().minimumTabSizeHint(index)
        return QSize(min(self.fontMetrics().averageCharWidth() * TAB, self.tabSizeHint(index).width()), least.height())


def file_tabs() -> QTabBar:
    """The tabs of the open files; nothing for one file."""
    tabs = FileTabs()
    tabs.setUsesScrollButtons(True)
    tabs.setProperty("files", True)
    tabs.setAutoHide(True)
    tabs.setMovable(True)
    tabs.setExpanding(False)
    tabs.setDrawBase(False)
    tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
    tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return tabs


def pane_words(pane: PaneSpec) -> str:
    """A pane's title in the person's language."""
    return QCoreApplication.translate("panes", pane.title)
