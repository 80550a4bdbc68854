"""The tour: three steps that point at parts of the window, for those who start the program for the first time.

It stands beside what it speaks of, stops nobody, and is never shown again unless it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from viewer.session.settings import GEOMETRY, TOUR, Settings
from viewer.ui.panes.welcome import samples
from viewer.ui.widgets.message_bar import Message

if TYPE_CHECKING:
    from viewer.ui.widgets.tour_card import TourCard, TourRings
    from viewer.ui.window.dock import PaneDock
    from viewer.ui.window.frame import Frame
    from viewer.ui.window.toolbar import ToolBar

STEPS: Final = 3
OFFER: Final = "tour"
LINKED: Final = ("contents", "hex")
MOVES: Final = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.LayoutRequest)


class Tour(QObject):
    """The tour of one window. `at`: the step that is shown, from 0; None while none is."""

    def __init__(self, window: Frame, toolbar: ToolBar) -> None:
        super().__init__(window)
        self._window = window
        self._toolbar = toolbar
        self.at: int | None = None
        self.card: TourCard | None = None
        self.rings: TourRings | None = None
        self._is_new = is_first_start(window.workspace.settings) and not window.workspace.recent.files
        self._watch: Watch | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._place)
        window.workspace.current_changed.connect(self._current_changed)

    def greet(self) -> None:
        """The program started: show the tour to who is new, or offer it in a line where a file waits to be read."""
        if not self._is_new:
            return
        self._is_new = False
        self._window.workspace.settings.set(TOUR, value=True)
        if self._window.session is None:
            self.show()
            return
        title = self.tr("New here? Three short steps show where things are.")
        self._window.say(Message("note", title, "", ((self.tr("Show the tour"), self.show),), OFFER))

    def show(self, at: int = 0) -> None:
        """Show a step, from 0. The keyboard comes to the card."""
        self._window.workspace.settings.set(TOUR, value=True)
        self._window.bars.dismiss(OFFER)
        if self._window.help.isVisible():
            self._window.help.leave()
        card = self._made()
        self.at = at
        self._place()
        card.on.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """No more of it; the keyboard goes to the bytes, or to what opens a file."""
        if self.card is None or self.rings is None:
            return
        had_keys = self.card.isAncestorOf(QApplication.focusWidget() or self._window)
        self._look_after(())
        for widget in (self.card, self.rings):
            widget.setVisible(False)
            widget.deleteLater()
        self.at = self.card = self.rings = None
        if had_keys and self._window.view is not None:
            self._window.view.give_keyboard()
        elif had_keys:
            self._window.welcome.open_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_theme(self) -> None:
        """Colours or fonts changed."""
        for widget in (self.card, self.rings):
            if widget is not None:
                widget.set_theme(self._window.theme)
        self._soon.start()

    def targets(self) -> list[QRect]:
        """What the step points at, in the window's own places."""
        window = self._window
        view = window.view
        if view is None:
            shown = ((window.welcome.zone, window.welcome.open_button), (window.welcome.samples,), ())[self.at or 0]
            return [self._rect(widget) for widget in shown] or [self._of_menu("File")]
        if self.at == 1:
            return [self._rect(dock) for dock in self._linked()] or [self._of_menu("Window")]
        button = self._toolbar.export if self.at == STEPS - 1 else self._toolbar.open_button
        return [self._rect(button)]

    # -- showing ----------------------------------------------------------------------------------

    def _made(self) -> TourCard:
        if self.card is None:
            from viewer.ui.widgets.tour_card import TourCard, TourRings

            self.rings = TourRings(self._window.theme, self._window)
            self.card = TourCard(self._window.theme, self._window)
            self.card.stepped.connect(self._step)
            self.card.left.connect(self.leave)
            self.card.sample_asked.connect(self._open_sample)
        return self.card

    def _words(self, at: int) -> tuple[str, str]:
        """Title and sentences of a step."""
        opens = self._window.session is not None
        titles = (self.tr("Open a file"), self.tr("Tree and bytes are linked"), self.tr("Take out what you need"))
        words = (
            self.tr("Drop it anywhere on the window, or choose it with Open. Nothing in it is run."),
            self.tr(
                "A click on a row of Contents selects its bytes, a click on a byte finds its row. All panes follow."
            ),
            self.tr("Export writes tensors, branches or sources in other forms. The open file is never changed."),
        )
        closed = (
            words[0],
            self.tr("A file shows its tree beside its bytes, each a way into the other. Any sample has both."),
            self.tr("Once a file is open, the File menu and the Export button write what it holds in other forms."),
        )
        told = (words if opens else closed)[at]
        if opens and at == 1 and not self._linked():
            told = self.tr("The Window menu brings Contents and Bytes to the front.")
        return titles[at], told

    def _say(self) -> None:
        if self.card is not None and self.at is not None:
            title, words = self._words(self.at)
            self.card.show_step(self.at, STEPS, title, words, offers_sample=self._window.session is None)

    def _place(self) -> None:
        """Ring what is pointed at as it stands now, and stand beside it."""
        if self.card is None or self.rings is None or self.at is None:
            return
        if self._window.help.isVisible():
            # Who asks for help has what the tour would cover.
            self.leave()
            return
        self._say()
        self._look_after(self._parts())
        places, room = self.targets(), self._window.rect()
        self.rings.setGeometry(room)
        self.rings.mark(places)
        self.card.fit(room, places)
        for widget in (self.rings, self.card):
            if not widget.isVisible():
                # Only once: a ring of the keyboard may stand above them since.
                widget.setVisible(True)
                widget.raise_()

    def _step(self, by: int) -> None:
        at = (self.at or 0) + by
        if at >= STEPS:
            self.leave()
        elif at >= 0:
            self.show(at)

    def _open_sample(self) -> None:
        self._window.workspace.open(samples()[0].target)

    def _current_changed(self) -> None:
        if self.at is not None:
            self._soon.start()

    def _linked(self) -> list[PaneDock]:
        """The panes that step two speaks of, as far as they can be seen."""
        view = self._window.view
        docks = [view.docks[key] for key in LINKED if key in view.docks] if view is not None else []
        return [dock for dock in docks if dock.is_in_front()]

    # -- where things are -------------------------------------------------------------------------

    def _rect(self, widget: QWidget) -> QRect:
        return QRect(widget.mapTo(self._window, QPoint(0, 0)), widget.size())

    def _of_menu(self, name: str) -> QRect:
        bar = self._window.menuBar()
        return bar.actionGeometry(self._window.menus.menu(name).menuAction()).translated(bar.pos())

    def _parts(self) -> tuple[QWidget, ...]:
        """What may move while a step is shown."""
        window, view = self._window, self._window.view
        docks = [view.docks[key] for key in LINKED if key in view.docks] if view is not None else []
        return (window, window.help, window.welcome.zone, window.welcome.samples, self._toolbar, *docks)

    def _look_after(self, parts: tuple[QWidget, ...]) -> None:
        if self._watch is not None and self._watch.parts != parts:
            self._watch.deleteLater()
            self._watch = None
        if self._watch is None and parts:
            self._watch = Watch(parts, self)
            self._watch.moved.connect(self._soon.start)


class Watch(QObject):
    """Tells when one of these widgets moves. Qt forgets it with its end, whichever of them are gone by then.

    moved: one is elsewhere, larger, hidden.
        Signal()
    """

    moved = Signal()

    def __init__(self, parts: tuple[QWidget, ...], parent: QObject) -> None:
        super().__init__(parent)
        self.parts = parts
        for widget in parts:
            widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in MOVES:
            self.moved.emit()
        return False


def is_first_start(settings: Settings) -> bool:
    """True where the settings know of no start before this one."""
    return not (settings.get(TOUR) or settings.get(GEOMETRY))
