"""Opcodes: the streams of the document, in one of several views, and a filter over them."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.document import Document, Pickle
from viewer.core.pickles.finding import USES, find_opcodes
from viewer.core.progress import Progress
from viewer.core.summary.held_streams import span_around
from viewer.core.tensors.tensor import ValueRef
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.models import opcode_links
from viewer.ui.models.empty_words import no_pickle
from viewer.ui.models.opcode_break import break_span, is_break, place_of, rows_of
from viewer.ui.opcode_views import VIEWS
from viewer.ui.opcode_views.base import OpcodeView
from viewer.ui.opcode_views.stream import StreamView
from viewer.ui.pane import Pane, kept_part, kept_words
from viewer.ui.theme import Theme
from viewer.ui.widgets.filter_bar import FilterBar
from viewer.ui.widgets.segments import Segment, Segments
from viewer.ui.words import count, offset, said
from viewer.wording.opcode_filter import FILTER_FORMS

TYPING_PAUSE_MS: Final = 150
FILTER_JOB: Final = "opcode filter"


class OpcodesPane(Pane):
    """The views of the same opcodes; a filter lists those that match in the stream."""

    key: ClassVar[str] = "opcodes"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._pickles: list[Pickle] = []
        self._made: dict[str, OpcodeView] = {}
        self._before: Mapping[str, Any] = {}
        self._mode = VIEWS[0].key
        self._searching = False
        # A filter for the uses of an opcode, and its pickle: offsets of unpacked pickles are not unique.
        self._uses: tuple[str, int] = ("", -1)
        self.link_actions: dict[str, QAction] = {}
        self.switch = self._make_switch()
        self._build()
        self._make_link_actions()
        self.show_document()

    # -- widgets ----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.bar = FilterBar(
            self.theme, self.tr("Filter of the opcodes"), self.tr("Filter: REDUCE, torch, 0x1F4, =42"), self
        )
        self.filter = self.bar.field
        self.filter.setToolTip(filter_tip())
        self.filter.setAccessibleDescription(self.filter.placeholderText())
        self.filter.textChanged.connect(self._typed)
        self.bar.left.connect(self._leave_filter)
        self.session.progressed.connect(self._progressed)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._pause.timeout.connect(self._apply_filter)
        self._ended = QTimer(self)
        self._ended.setSingleShot(True)
        self._ended.setInterval(0)
        self._ended.timeout.connect(self._tell_stopped)
        self.empty = QLabel(self)
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        keep_lengths(self.theme, self.empty.setMargin, 12)
        self.views = QStackedWidget(self)
        self.views.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.views)

    def _make_switch(self) -> Segments:
        segments = [
            Segment(
                kind.key,
                QCoreApplication.translate("opcodes", kind.title),
                QCoreApplication.translate("opcodes", kind.hint),
            )
            for kind in VIEWS
        ]
        switch = Segments(segments, self.tr("How the opcodes are shown"), self)
        switch.chosen.connect(self._switched)
        return switch

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.switch]

    @override
    def focus_target(self) -> QWidget:
        shown = self.views.currentWidget()
        return shown.rows if isinstance(shown, OpcodeView) else self.filter

    @override
    def topic(self) -> str:
        return "filter" if self.filter.hasFocus() else opcode_links.topic(self.session)

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        found = dict(opcode_links.commands(self.session))
        if self.isAncestorOf(QApplication.focusWidget() or self):
            found["edit.find"] = self._enter_filter
        shown = self.views.currentWidget()
        if isinstance(shown, OpcodeView):
            found.update(shown.commands())
        if opcode_links.can_list_uses(self.session):
            found[opcode_links.USES] = self.list_uses
        if opcode_links.names_import(self.session):
            found[opcode_links.IMPORT] = partial(self.asks.emit, "pane.imports")
        return found

    @override
    def kept(self) -> Mapping[str, Any]:
        views = {key: view.kept() for key, view in self._made.items()}
        return {**self._before, **views, "mode": self._mode, "filter": self.filter.text()}

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        self._before = kept
        for key, view in self._made.items():
            view.bring_back(kept_part(kept, key))
        mode = kept_words(kept, "mode")
        if mode in [kind.key for kind in VIEWS]:
            self._mode = mode
        self.filter.setText(kept_words(kept, "filter"))
        # It is applied when the opcodes are there.
        self._pause.stop()

    def view(self, key: str) -> OpcodeView:
        """A view; made when it is asked for first."""
        known = self._made.get(key)
        if known is None:
            kind = next(kind for kind in VIEWS if kind.key == key)
            known = self._made[key] = kind(self.session, self.theme, self)
            known.rows.addActions([*self.link_actions.values(), self._line, *self.view_actions])
            known.rows.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            known.chosen.connect(self._chosen)
            known.several_chosen.connect(self._several_chosen)
            known.asks.connect(self.asks)
            known.chosen_inside.connect(self._chosen_inside)
            known.kept_changed.connect(self.kept_changed)
            known.bring_back(kept_part(self._before, key))
            known.show_document()
            self.views.addWidget(known)
        return known

    @property
    def stream(self) -> StreamView:
        """The view that also lists what the filter found."""
        found = self.view(StreamView.key)
        assert isinstance(found, StreamView)
        return found

    def show_view(self, key: str) -> None:
        """Switch to a view."""
        self.switch.choose(key)

    def _make_link_actions(self) -> None:
        """The menu of a row. The keys of its lines are the window's, which asks this pane."""
        for name, spec in opcode_links.LINKS.items():
            action = self.link_actions[name] = QAction(spec.text, self)
            action.triggered.connect(partial(self._follow, name))
        self._line = QAction(self)
        self._line.setSeparator(True)
        # The header of a narrow dock has no room for the switch.
        self.view_actions = [self._view_action(kind) for kind in VIEWS]
        self.session.selection_changed.connect(self._enable_links)
        self._enable_links()

    def _view_action(self, kind: type[OpcodeView]) -> QAction:
        action = QAction(QCoreApplication.translate("opcodes", kind.hint), self)
        action.triggered.connect(partial(self.show_view, kind.key))
        return action

    def _enable_links(self) -> None:
        able = self.commands()
        for name, action in self.link_actions.items():
            action.setEnabled(name in able)

    def _follow(self, name: str) -> None:
        act = self.commands().get(name)
        if act is not None:
            act()

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.bar.set_theme(theme)
        for view in self._made.values():
            view.set_theme(theme)

    # -- document and selection -------------------------------------------------------------------

    @override
    def show_document(self) -> None:
        document = self.session.document
        self._pickles = list(document.pickles) if document is not None else []
        for view in self._made.values():
            view.show_document()
        total = sum(len(pickle.code) for pickle in self._pickles)
        self.badge_changed.emit(count(total) if total else "")
        self.filter.setEnabled(bool(self._pickles))
        if self.filter.text().strip() and self._pickles:
            self._apply_filter()
        else:
            self._show_mode()

    @override
    def show_selection(self, selection: Selection) -> None:
        shown = self.views.currentWidget()
        if selection.origin == self.key or not isinstance(shown, OpcodeView):
            return
        place = place_of(self.session.document, selection)
        if place is not None:
            shown.reveal(place)

    def _show_mode(self) -> None:
        """Show the view that was chosen, at the place that is selected."""
        if not self._pickles:
            document = self.session.document
            self._say(*(no_pickle(document) if document is not None else ("",)))
            return
        self._show(self._mode)

    def _show(self, key: str) -> None:
        view, place = self.view(key), place_of(self.session.document, self.session.selection)
        # A view that takes the keyboard without a current row would choose its first one, and move the selection.
        if place is not None:
            view.reveal(place)
        self.views.setCurrentWidget(view)
        self.switch.set_current(key)
        if place is not None:
            view.reveal(place)

    def _say(self, title: str, sentence: str = "") -> None:
        """A title and a sentence where there are no rows."""
        words = f"<b>{html.escape(title)}</b><br>{html.escape(sentence)}"
        self.empty.setText(words if self.session.document is not None else "")
        self.views.setCurrentWidget(self.empty)

    # -- what the person does ---------------------------------------------------------------------

    def _chosen(self, opcode: ValueRef) -> None:
        pickle = self._pickles[opcode.pickle]
        if is_break(pickle, opcode.value):
            self.session.select_bytes((break_span(pickle),), self.key, pickle.place)
        else:
            self.session.select_opcode(opcode, self.key)

    def _chosen_inside(self, inner: Document, opcode: ValueRef, enters: bool) -> None:
        """An opcode of a file in a value: its bytes here where they stand here, else there."""
        document, pickle = self.session.document, inner.pickles[opcode.pickle]
        ends = is_break(pickle, opcode.value)
        own = break_span(pickle) if ends else pickle.code.span(opcode.value)
        span = span_around(document, inner, pickle, own) if document is not None and not enters else None
        if span is not None:
            self.session.select_bytes((span,), self.key)
        elif ends:
            self.session.select_bytes((own,), f"{self.key} inside", pickle.place, inner.index)
        else:
            self.session.select_opcode(opcode, f"{self.key} inside", inner.index)

    def _several_chosen(self, opcode: ValueRef, first: int) -> None:
        """Several opcodes of one thing are chosen: their bytes, and the place of the last one."""
        index = self.session.selection.document
        self.session.select_found(index, lambda links: links.from_opcodes(opcode, first), self.key)

    def _switched(self, key: str) -> None:
        """Another view was chosen: it shows all opcodes, so the filter goes."""
        self._mode = key
        self.kept_changed.emit()
        if self.filter.text():
            self.filter.clear()
            self._apply_filter()
        else:
            self._show_mode()

    def list_uses(self) -> None:
        """List what uses that which the selected opcode makes or stores, as the filter finds it."""
        found = opcode_links.selected(self.session)
        if found is None:
            return
        pickle, opcode = found
        self.asks.emit("pane.opcodes")
        self._uses = f"{USES}{offset(pickle.shown(pickle.code.span(opcode)).start)}", pickle.index
        self.filter_by(self._uses[0])

    def filter_by(self, words: str) -> None:
        """Filter, as if the words were typed."""
        self.filter.setText(words)
        self._apply_filter()

    def _enter_filter(self) -> None:
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def _leave_filter(self) -> None:
        """The keyboard goes to the rows; what was typed last is looked for at once."""
        if self._pause.isActive():
            self._apply_filter()
        self.focus_target().setFocus(Qt.FocusReason.OtherFocusReason)

    def _typed(self) -> None:
        self._pause.start()
        self.kept_changed.emit()

    def _apply_filter(self) -> None:
        self._pause.stop()
        text = self.filter.text().strip()
        self._searching = bool(text)
        self.bar.tell(self.tr("Searching") if text else "")
        if not text:
            self.session.cancel(FILTER_JOB)
            if StreamView.key in self._made:
                self.stream.set_found(None)
            self._show_mode()
            return
        pickles = self._pickles
        only = self._uses[1] if text == self._uses[0] else -1

        def work(progress: Progress) -> npt.NDArray[np.int64]:
            starts = np.cumsum([0, *map(rows_of, pickles)])
            found = [
                find_opcodes(pickle.values, text, progress, pickle.base or 0) + starts[number]
                for number, pickle in enumerate(pickles)
                if only in (-1, number)
            ]
            return np.concatenate(found)

        self.session.start(FILTER_JOB, work, self._filtered)

    def _filtered(self, rows: npt.NDArray[np.int64]) -> None:
        self._searching = False
        self.stream.set_found(rows.data)
        total = sum(len(pickle.code) for pickle in self._pickles)
        self.bar.tell(self.tr("{0} of {1}").format(count(len(rows)), count(total)))
        if len(rows):
            self._show(StreamView.key)
            return
        title = self.tr("Nothing matches \u201c{text}\u201d").format(text=self.filter.text().strip())
        self._say(title, self.tr("{n} rows are hidden.").format(n=count(total)))

    def _progressed(self, key: str, step: object) -> None:
        """The search ended: what it found comes next, unless the person stopped it."""
        if key == FILTER_JOB and step is None and self._searching:
            self._ended.start()

    def _tell_stopped(self) -> None:
        if self._searching and not self.session.jobs.is_running(FILTER_JOB):
            self._searching = False
            self.bar.tell(self.tr("Stopped"))


def filter_tip() -> str:
    """What can be typed, as a tooltip."""
    rows = (
        f"<tr><td><code>{html.escape(form.example)}</code>&nbsp;&nbsp;</td><td>{html.escape(said(form.title))}</td></tr>"
        for form in FILTER_FORMS
    )
    return f"<qt><table>{''.join(rows)}</table></qt>"
