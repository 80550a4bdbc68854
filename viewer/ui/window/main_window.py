"""The window: it joins the parts with the workspace and shows the file that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QStyle, QTabBar, QWidget
from typing_extensions import override

from viewer.core.source import printable
from viewer.session.settings import GEOMETRY
from viewer.ui.actions import Actions
from viewer.ui.command_keys import CommandKeys
from viewer.ui.panes import PANES
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.labels import IconButton
from viewer.ui.window.commands import Commands
from viewer.ui.window.frame import Frame, pane_words
from viewer.ui.window.keeping import Keeping, KeptGeometry
from viewer.ui.window.keyboard import FocusRing
from viewer.ui.window.layouts import NARROW
from viewer.ui.window.menus import Menus
from viewer.ui.window.news import News
from viewer.ui.window.searching import Searching
from viewer.ui.window.toolbar import ToolBar
from viewer.ui.window.tour import Tour
from viewer.ui.words import tip

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.session.workspace import Workspace
    from viewer.ui.pane import PaneSpec

NAME: Final = "Picklescope"
FIRST_SIZE: Final = QSize(1440, 900)


class MainWindow(Frame):
    """One window over one workspace. `panes`: the kinds of panes that each file gets."""

    def __init__(
        self,
        workspace: Workspace,
        theme: Theme,
        panes: Sequence[PaneSpec] = PANES,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(workspace, theme, panes, parent)
        self.commands = Commands(self)
        handlers = {**self.commands.handlers(), "edit.search": self._ask_search, "help.tour": self._show_tour}
        self.actions_by_id = Actions(handlers, theme, parent=self)
        self.pane_actions = {pane.key: self._pane_action(pane) for pane in self.panes}
        by_id = {spec.id: action for spec, action in self.actions_by_id}
        by_id |= {f"pane.{key}": action for key, action in self.pane_actions.items()}
        self.keys = CommandKeys(workspace.settings, by_id, self)
        heads = {"Window": list(self.pane_actions.values())}
        self.menus = Menus(self.menuBar(), self.actions_by_id, heads, self.commands.changing_menus())
        self.toolbar = ToolBar(self.actions_by_id, theme)
        self.addToolBar(self.toolbar)
        self.searching = Searching(self, self.toolbar.search)
        self.tour = Tour(self, self.toolbar)
        self.ring = FocusRing(theme, self)
        self.news = News(self, self.commands)
        self.keeping = Keeping(self)
        self.kept_geometry = KeptGeometry(self)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._update_actions)
        self._join()
        self.set_theme(theme)
        self._restore_size()
        self._current_changed(workspace.current)

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.actions_by_id.set_theme(theme)
        self.toolbar.set_theme(theme)
        self.tour.set_theme()
        self.ring.set_theme(theme)
        self.tabs.setIconSize(QSize(theme.px(16), theme.px(16)))
        self._dress_tabs()
        self._fit_toolbar()

    # -- making -----------------------------------------------------------------------------------

    def _join(self) -> None:
        work = self.workspace
        work.added.connect(self._add)
        work.removed.connect(self._remove)
        work.current_changed.connect(self._current_changed)
        work.recent.changed.connect(self._show_recent)
        self.tabs.currentChanged.connect(self._tab_chosen)
        self.tabs.tabMoved.connect(self._tab_moved)
        self.go_to.accepted.connect(self.commands.go_to)
        self.go_to.left.connect(self.commands.return_to_bytes)
        self.help_closed.connect(self.commands.helping.closed)
        self.welcome.open_asked.connect(self.commands.open)
        self.welcome.chosen.connect(self.commands.open_path)
        self.welcome.clear_asked.connect(work.recent.clear)
        self.drops.dropped.connect(self.commands.open_paths)
        self.drops.given.connect(self.commands.give_sources)
        self.drops.compared.connect(self.commands.comparisons.files)
        self.drops.taker = self.commands.source_taker
        self.drops.partner = self.commands.comparisons.partner
        self.toolbar.breadcrumb.chosen.connect(self.commands.show_node)
        self.toolbar.search.left.connect(self.commands.return_to_bytes)
        self.status.choice_asked.connect(self.commands.readings.ask)
        self.ring.key_coming.connect(self._catch_up)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._soon.start)
        self._show_recent()

    def _pane_action(self, pane: PaneSpec) -> QAction:
        action = QAction(pane_words(pane), self, checkable=True)
        action.setObjectName(f"pane.{pane.key}")
        if pane.shortcut:
            action.setShortcut(QKeySequence(pane.shortcut))
        action.triggered.connect(lambda: self.commands.toggle_pane(pane.key))
        return action

    def _restore_size(self) -> None:
        kept = self.kept_geometry.kept(), self.workspace.settings.get(GEOMETRY)
        if not any(geometry and self.restoreGeometry(geometry) for geometry in kept):
            # The screen has to hold the title bar too, else the status line stands below its edge.
            room = self.screen().availableSize()
            title = self.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
            self.resize(FIRST_SIZE.boundedTo(QSize(room.width(), room.height() - title)))

    # -- sessions ---------------------------------------------------------------------------------

    def _add(self, session: Session) -> None:
        from viewer.ui.window.file_view import FileView

        view = FileView(session, self.theme, self.panes, self.stack)
        self.views[session] = view
        found = self.workspace.places_left.get(session)
        if found is not None:
            # Before it is shown: to arrange docks that can be seen takes Qt ten times as long.
            view.restore(found.place)
        self.stack.addWidget(view)
        session.source_ready.connect(lambda: self._source_ready(session))
        session.document_changed.connect(lambda: self._show_place(session))
        session.selection_changed.connect(lambda: self._show_place(session))
        session.history_changed.connect(self._soon.start)
        session.progressed.connect(self._soon.start)
        view.commands_changed.connect(self._soon.start)
        view.asked.connect(self._pane_asked)
        view.export_asked.connect(self.commands.exports.ask_for)
        view.strip.stopped.connect(lambda key: self.commands.stop_work(session, key))
        self.news.follow(session, view)
        self.keeping.follow(session, view)
        self.searching.follow(session)
        self.tabs.blockSignals(True)
        at = self.tabs.addTab("")
        self.tabs.setTabData(at, session)
        self.tabs.blockSignals(False)
        self._name_tab(session)
        session.document_changed.connect(lambda: self._name_tab(session))
        close = IconButton(self.theme, "close", self.tr("Close the tab"))
        close.clicked.connect(lambda: self.workspace.close(session))
        self.tabs.setTabButton(at, QTabBar.ButtonPosition.RightSide, close)

    def _name_tab(self, session: Session) -> None:
        """The name of the file, or of the set that it is a part of."""
        at = self._tab_of(session)
        self.tabs.setTabText(at, printable(session.title).replace("&", "&&"))
        self.tabs.setTabToolTip(at, tip(printable(str(session.shown_path))))
        if session is self.session:
            self._title(session)

    def _title(self, session: Session) -> None:
        # Qt takes [*] for the place of its mark of unsaved files.
        self.setWindowTitle(f"{printable(session.title)} – {NAME}".replace("[*]", "[*][*]"))

    def _remove(self, session: Session) -> None:
        view = self.views.pop(session)
        self.keeping.keep(session, view)
        self.tabs.removeTab(self._tab_of(session))
        self.stack.removeWidget(view)
        view.setParent(None)
        view.deleteLater()
        self.bars.forget_about(session)

    def _source_ready(self, session: Session) -> None:
        found = self.workspace.places_left.get(session)
        if found is not None:
            self.news.came_back(session, found)
        self._show_place(session)

    def _current_changed(self, session: Session | None) -> None:
        view = self.views.get(session) if session is not None else None
        self.stack.setCurrentWidget(view if view is not None else self.welcome)
        self.toolbar.setVisible(session is not None)
        if session is not None:
            self.actions_by_id.icons.draw(self.toolbar.actions())
        self.status.set_file(is_open=session is not None)
        self.bars.look_at(session)
        self.searching.look_at(session)
        self.go_to.setVisible(False)
        if session is not None:
            self.tabs.setCurrentIndex(self._tab_of(session))
            self._title(session)
            self._show_place(session)
        else:
            self.setWindowTitle(NAME)
            self.commands.remembering.look_for_files()
        self._dress_tabs()
        self._soon.start()

    def _show_place(self, session: Session) -> None:
        if session is not self.session:
            return
        from viewer.ui.window.standing import crumbs, facts_of, standing

        self.toolbar.breadcrumb.set_crumbs(crumbs(session))
        self.status.set_standing(standing(session))
        self.status.set_facts(facts_of(session))
        self._soon.start()

    def _pane_asked(self, name: str) -> None:
        """A pane wants a command of the menus, another pane in front (`pane.source`) or the help (`explain.TOPIC`)."""
        key, topic = name.removeprefix("pane."), name.removeprefix("explain.")
        view = self.view
        if topic != name:
            self.commands.helping.explain(topic)
            return
        if key != name and view is not None:
            view.show_pane(key, focus=True)
        elif key == name:
            self.actions_by_id[name].trigger()

    # -- small reactions --------------------------------------------------------------------------

    def _tab_of(self, session: Session) -> int:
        return next(at for at in range(self.tabs.count()) if self.tabs.tabData(at) is session)

    def _tab_chosen(self, at: int) -> None:
        session = self.tabs.tabData(at)
        if session in self.views:
            self.workspace.activate(session)

    def _tab_moved(self) -> None:
        self.workspace.arrange(self._tab_of)

    def _dress_tabs(self) -> None:
        for at in range(self.tabs.count()):
            current = self.tabs.tabData(at) is self.session
            self.tabs.setTabIcon(at, icon(self.theme, "archive", "accent" if current else "muted"))
            button = self.tabs.tabButton(at, QTabBar.ButtonPosition.RightSide)
            if isinstance(button, IconButton):
                button.set_theme(self.theme)

    def _ask_search(self) -> None:
        self.searching.ask()

    def _show_tour(self) -> None:
        self.tour.show()

    def _show_recent(self) -> None:
        self.welcome.set_recent(self.workspace.recent.files, self.workspace.recent.gone)
        self._soon.start()

    def _update_actions(self) -> None:
        view = self.view
        offered = set(view.commands()) if view is not None else set[str]()
        offered |= self.commands.offered()
        self.actions_by_id.set_facts(self.commands.facts(), offered)
        for name, on in self.commands.choices().items():
            self.actions_by_id[name].setChecked(on)
        for key, action in self.pane_actions.items():
            action.setEnabled(view is not None)
            action.setChecked(view is not None and view.docks[key].is_in_front())

    def _catch_up(self) -> None:
        """A key pressed right after a change means what is so now; the shortcut of an action that is off is lost."""
        if self._soon.isActive():
            self._soon.stop()
            self._update_actions()

    def _fit_toolbar(self) -> None:
        self.toolbar.set_narrow(narrow=self.width() < self.theme.px(NARROW))

    # -- Qt ---------------------------------------------------------------------------------------

    @override
    def lying_over(self) -> QWidget | None:
        return super().lying_over() or self.tour.card

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.drops.watch(self.windowHandle())
        self.ring.watch(self.windowHandle())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_toolbar()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Nobody else wanted it: who tries what the tour speaks of leaves it from there too.
        if event.key() == Qt.Key.Key_Escape and self.tour.at is not None:
            self.tour.leave()
            return
        super().keyPressEvent(event)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.commands.exports.may_close():
            event.ignore()
            return
        self.kept_geometry.keep()
        self.workspace.settings.set(GEOMETRY, bytes(self.saveGeometry().data()))
        self.workspace.close_all()
        event.accept()
