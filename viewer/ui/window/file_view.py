"""One open file: its panes as docks, in the layout that the person left or in one made for the window's size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QTabBar, QTabWidget, QWidget
from typing_extensions import override

from viewer.core.progress import Step
from viewer.session.places import FilePlace
from viewer.session.session import OPENING, Session
from viewer.ui.pane import Area, Pane, PaneSpec
from viewer.ui.spoken import hush
from viewer.ui.theme import Theme
from viewer.ui.widgets.pane_header import Tab
from viewer.ui.widgets.progress_strip import ProgressStrip
from viewer.ui.window.alarms import Alarms
from viewer.ui.window.arranging import UNFOLDED, arrange, height_beside, put_in_front, resize, unfold_to
from viewer.ui.window.dock import STEP, PaneDock, dock_of, kept_in_sight, resize_dock, standing
from viewer.ui.window.kept_panes import KeptPanes
from viewer.ui.window.layouts import Known, Layout, Room, Split, mirrored, plan
from viewer.ui.window.pane_making import PaneMaking

STATE_VERSION: Final = 1


class FileView(QMainWindow):
    """The docks of one session.

    commands_changed: other commands can be carried out, or another pane has the keyboard.
        Signal()
    asked: a pane wants a command of the menus.
        Signal(id: str)
    export_asked: a pane wants tensors exported.
        Signal(tensors: Sequence[Tensor], compact: bool)
    said: a pane has something to tell.
        Signal(severity: str, title: str, sentence: str)
    alarmed: a pane is alarmed, and none in front says why; an empty title takes it back.
        Signal(title: str, sentence: str)
    kept_changed: a pane keeps something else now.
        Signal()
    """

    commands_changed = Signal()
    kept_changed = Signal()
    asked = Signal(str)
    export_asked = Signal(object, bool)
    said = Signal(str, str, str)
    alarmed = Signal(str, str)

    def __init__(
        self, session: Session, theme: Theme, panes: Sequence[PaneSpec], parent: QWidget | None = None
    ) -> None:
        hush("QMainWindowTabBar")  # of no size: the headers of the panes have tabs of ours
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)  # a QMainWindow makes itself a window, whatever its parent is
        self.session = session
        self.arranged = False
        self._theme = theme
        self._known = Known.of(panes)
        self._layout = Layout.BYTES
        self._room: Room | None = None
        self._whole: Split | None = None
        self._building = False
        self._dragging = False
        self._opened = self._seen = False
        self._active, self._front, self._unraised = "", tuple[str, ...](), tuple[str, ...]()
        self._alarms = Alarms(self.alarmed.emit)
        self.setObjectName("fileView")
        self.setDockOptions(QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._settle)
        self.docks = {pane.key: self._make(pane) for pane in sorted(panes, key=_standing)}
        self._making = PaneMaking(self.docks, session, self)
        self._making.made.connect(self._later.start)
        self.kept = KeptPanes(self.docks)
        self.strip = ProgressStrip(theme)
        self.setMenuWidget(self.strip)
        for key in self._known.area(Area.BYTES)[:1]:
            self.docks[key].make()
        session.progressed.connect(self._progressed)
        session.document_changed.connect(self._document_changed)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_moved)

    # -- panes ------------------------------------------------------------------------------------

    @property
    def complete(self) -> bool:
        """True when every pane is there."""
        return self._making.complete

    def pane(self, key: str) -> Pane | None:
        """The pane of a key, None when there is none."""
        dock = self.docks.get(key)
        return dock.pane if dock is not None else None

    def show_pane(self, key: str, *, focus: bool = False) -> None:
        """Bring a pane to the front, opened and unfolded."""
        dock = self.docks.get(key)
        if dock is None:
            return
        dock.show()
        if dock.folded:
            self.fold(dock, folded=False)
        dock.raise_()
        if focus:
            dock.take_keyboard(Qt.FocusReason.ShortcutFocusReason)
        self._later.start()

    def toggle_pane(self, key: str) -> None:
        """Close a pane that can be seen, else bring it to the front with the keyboard."""
        dock = self.docks[key]
        if dock.is_in_front():
            dock.close()
        else:
            self.show_pane(key, focus=True)

    def in_front(self) -> list[PaneDock]:
        """The docks that can be seen, in the order in which F6 walks them."""
        return [dock for dock in self.docks.values() if dock.is_in_front()]

    def tab_children(self) -> list[QWidget]:
        """What Tab walks."""
        return [self.strip, *standing(self.docks.values(), mirrored=self.isRightToLeft())]

    def walk(self, step: int) -> None:
        """Give the keyboard to the next pane, or the one before."""
        docks = self.in_front()
        if not docks:
            return
        active = self.active_dock()
        at = docks.index(active) + step if active in docks else 0
        docks[at % len(docks)].take_keyboard(Qt.FocusReason.ShortcutFocusReason)

    def give_keyboard(self) -> None:
        """Let the keyboard work where it was left, else on the bytes, or on the first pane where there are none."""
        front = self.in_front()
        left = self.docks.get(self._active)
        dock = left if left in front else self.docks.get("hex", front[0] if front else None)
        if dock is not None:
            dock.take_keyboard(Qt.FocusReason.OtherFocusReason)

    def active_dock(self) -> PaneDock | None:
        """The dock that has the keyboard."""
        return dock_of(self.focusWidget()) or dock_of(QApplication.focusWidget())

    def commands(self) -> dict[str, Callable[[], None]]:
        """What the panes can carry out now, by the id of the action; the active pane goes first."""
        active, found = self.active_dock(), dict[str, Callable[[], None]]()
        made = [dock for dock in self.docks.values() if dock.made]
        for dock in sorted(made, key=lambda one: (one is not active, not one.is_in_front())):
            for name, act in dock.pane.commands().items():
                found.setdefault(name, act)
        return found

    def stop_work(self) -> None:
        """Stop what the progress strip tells of."""
        self.strip.stop()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self.strip.set_theme(theme)
        for dock in self.docks.values():
            dock.set_theme(theme)

    # -- layouts ----------------------------------------------------------------------------------

    def apply(self, layout: Layout, front: Sequence[str] = ()) -> None:
        """Arrange all panes anew; the layout adapts to the window again. `front`: keys that stay in front."""
        self._layout = layout
        self.arranged = False
        self._room = Room.of(*self._window_size())
        self._whole = plan(layout, self._known, self._room)
        if self.isRightToLeft():
            self._whole = mirrored(self._whole)
        self._building = True
        focus = self.focusWidget()
        arrange(self, self.docks, self._whole, self._theme, front)
        if focus is not None and focus.isVisible():
            focus.setFocus()
        self._building = False
        self._later.start()

    def fold(self, dock: PaneDock, *, folded: bool) -> None:
        """Fold the dock and its tabs to their header, or unfold them."""
        height = dock.height() if folded and not dock.folded else dock.unfolded_height
        # Behind other tabs a dock has no place of its own.
        placed = next((one for one in self.group(dock) if one.isVisible() and not one.visibleRegion().isEmpty()), dock)
        beside = height_beside(placed, [one for one in self.in_front() if one not in self.group(dock)])
        for one in self.group(dock):
            one.set_folded(folded=folded)
            one.unfolded_height = height
        if not folded:
            unfold_to(self, placed, beside, height or self._theme.px(UNFOLDED))
        self._later.start()

    def group(self, dock: PaneDock) -> list[PaneDock]:
        """The open docks that share a place with this one, itself among them, in the order of their tabs."""
        others = [] if dock.isFloating() else self.tabifiedDockWidgets(dock)
        group = [one for one in self.docks.values() if one is dock or (one in others and not one.isHidden())]
        # Qt's own tabs cannot be seen but know the order.
        bars = self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        places = {bar.tabText(at): at for bar in bars for at in range(bar.count())}
        return sorted(group, key=lambda one: places.get(one.windowTitle(), 0))

    def place(self) -> FilePlace:
        """How the file is left."""
        kept = bytes(self.saveState(STATE_VERSION).data()) if self.arranged else b""
        folded = tuple(dock.key for dock in self.docks.values() if dock.folded) if self.arranged else ()
        chosen = self.session.selection
        # Bytes of a file inside the file, of a record or of another part of its set would be others in it.
        asked = self.session.root.opened_by if self.session.root is not None else ""
        span = chosen.span if not chosen.document and chosen.source == asked else None
        shown = self._layout.value, self._front, self._active
        return FilePlace(kept, tuple(sorted(self.docks)), folded, span, *shown, self.kept.now())

    def restore(self, place: FilePlace) -> None:
        """Arrange the panes as they were left; docks of other panes than there are now are no use."""
        self.kept.bring_back(place.kept)
        self._front, self._active, self._opened = place.front, place.active, bool(place.front)
        self._layout = Layout(place.arrangement) if place.arrangement in list(Layout) else self._layout
        if not place.layout or set(place.panes) != set(self.docks):
            if self._room is not None and place.front:
                self.apply(self._layout, self._front)
                self.give_keyboard()
            return
        if self._room is None:
            self.apply(self._layout)
        self._building = True
        for dock in self.docks.values():
            dock.set_folded(folded=dock.key in place.folded)
        self.arranged = self.restoreState(place.layout, STATE_VERSION)
        self._building = False
        self._later.start()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        is_first, self._seen = not self._seen, True
        if self._room is None:
            self._unraised = self._front
            self.apply(self._layout, self._front)
        if is_first:
            self.give_keyboard()
            self._show_first()
        self._later.start()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Docks that are put in place can make the view larger themselves: some of them stand nowhere then.
        if self._building or not self.isVisible() or self.arranged or self._whole is None:
            return
        if Room.of(*self._window_size()) != self._room:
            self._later.start()
        else:
            # Qt would share the change out in proportion; the bytes are what should grow.
            resize(self, self.docks, self._whole, self._theme, self.width(), self.height())

    @override
    def event(self, event: QEvent) -> bool:
        # Only separators lie between the docks: a press that hits no child begins the dragging of one.
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self._dragging = self.childAt(event.position().toPoint()) is None
        elif event.type() == QEvent.Type.MouseButtonRelease and self._dragging:
            self._dragging = False
            self.arranged = True
        return super().event(event)

    def _make(self, kind: PaneSpec) -> PaneDock:
        dock = PaneDock(kind, self.session, QCoreApplication.translate("panes", kind.title), self._theme, self)
        dock.header.set_foldable(can=self._is_low(kind.key))
        dock.header.chosen.connect(lambda key: self.show_pane(key, focus=True))
        dock.header.fold_asked.connect(lambda: self._fold_asked(dock))
        dock.move_asked.connect(lambda area: self._move(dock, area))
        dock.resize_asked.connect(lambda way, steps: self._resize(dock, way, steps))
        dock.closed_by_person.connect(self._changed_by_person)
        dock.topLevelChanged.connect(self._changed_by_person)
        dock.dockLocationChanged.connect(self._changed_by_person)
        dock.visibilityChanged.connect(self._later.start)
        dock.pane_made.connect(lambda pane: self._pane_made(dock, pane))
        return dock

    def _pane_made(self, dock: PaneDock, pane: Pane) -> None:
        pane.badge_changed.connect(lambda text: self._set_badge(dock, text))
        pane.alarmed.connect(lambda title, sentence: self._set_alarm(dock, title, sentence))
        pane.asks.connect(self.asked)
        pane.message.connect(self.said)
        pane.export_asked.connect(self.export_asked)
        pane.kept_changed.connect(self.kept_changed)
        self.kept.made(pane)

    def _move(self, dock: PaneDock, area: Qt.DockWidgetArea) -> None:
        dock.setFloating(False)
        self.addDockWidget(area, dock)
        self._changed_by_person()

    def _resize(self, dock: PaneDock, way: Qt.Orientation, steps: int) -> None:
        resize_dock(self, dock, way, steps * self._theme.px(STEP))
        self._changed_by_person()

    def _fold_asked(self, dock: PaneDock) -> None:
        self.fold(dock, folded=not dock.folded)
        self._changed_by_person()

    def _set_badge(self, dock: PaneDock, text: str) -> None:
        dock.badge = text
        self._later.start()

    def _set_alarm(self, dock: PaneDock, title: str, sentence: str) -> None:
        dock.alarm = title
        self._alarms.set(title, sentence)
        self._later.start()

    def _changed_by_person(self, *_: object) -> None:
        if not self._building and self.isVisible():
            self.arranged = True
        self._later.start()

    def _settle(self) -> None:
        """After changes of docks or of the window's size: adapt the default layout, then tell the headers."""
        if not self.arranged and self.isVisible() and Room.of(*self._window_size()) != self._room:
            self.apply(self._layout, [dock.key for dock in self.in_front()])
        if self._unraised and self.isVisible():
            unraised, self._unraised = self._unraised, ()
            put_in_front(self.docks, unraised)
            QTimer.singleShot(0, self, self.give_keyboard)
            self._later.start()
            return
        active = kept_in_sight(self.active_dock(), self.group, self.in_front)
        for dock in self.docks.values():
            group = self.group(dock)
            titles = [Tab(one.key, one.windowTitle(), one.badge, one.kind.icon, one.alarm) for one in group]
            dock.header.set_tabs(titles, dock.key)
            dock.header.set_active(active=dock is active)
            dock.header.set_foldable(can=self._can_fold(group))
        if self.isVisible():
            self._front = tuple(dock.key for dock in self.in_front())
            self._active = active.key if active is not None else self._active
            self._alarms.settle(told=any(dock.kind.tells_alarms for dock in self.in_front()))
        self.commands_changed.emit()
        if self._room is not None:
            self._making.go_on()  # only now: headers come before the next pane

    def _can_fold(self, group: Sequence[PaneDock]) -> bool:
        main = set(self._known.area(Area.BYTES)[:1])
        keys = {dock.key for dock in group}
        return any(map(self._is_low, keys)) and not keys & main and not group[0].isFloating()

    def _is_low(self, key: str) -> bool:
        return key in (*self._known.area(Area.BOTTOM), *self._known.area(Area.BYTES)[1:])

    def _window_size(self) -> tuple[float, float]:
        return self.window().width() / self._theme.scale, self.window().height() / self._theme.scale

    # -- what the session and the keyboard say ----------------------------------------------------

    def _progressed(self, key: str, step: Step | None) -> None:
        if step is None:
            self.strip.end(key)
        else:
            self.strip.step(key, step)

    def _document_changed(self) -> None:
        document = self.session.document
        if document is None:
            self.strip.begin(OPENING, OPENING)
        self._show_first()

    def _show_first(self) -> None:
        """A file opens on its summary; an archive that stores its source on that."""
        document = self.session.document
        if document is None or self._room is None or self._opened:
            return
        self._opened = True
        if not self.arranged and not self._room.narrow and self._layout is Layout.BYTES:
            stored = any(source.text is not None for source in document.sources)
            self.show_pane("source" if stored else "summary")
            self.show_pane("problems" if document.problems or not document.tensors else "tensors")

    def _focus_moved(self, _: QWidget | None, new: QWidget | None) -> None:
        if self.isVisible() and (new is None or self.isAncestorOf(new)):
            self._later.start()


def _standing(pane: PaneSpec) -> tuple[int, int]:
    return list(Area).index(pane.area), pane.order
