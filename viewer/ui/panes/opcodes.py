"""Opcodes: the streams of the document, in one of several views, and a filter over them."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QLineEdit, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.document import Pickle
from viewer.core.pickles.finding import find_opcodes
from viewer.core.progress import Progress
from viewer.core.tensors.tensor import ValueRef
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.models import opcode_links
from viewer.ui.models.empty_words import no_pickle
from viewer.ui.opcode_views import VIEWS
from viewer.ui.opcode_views.base import OpcodeView
from viewer.ui.opcode_views.stream import StreamView
from viewer.ui.pane import Area, Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.segments import Segment, Segments
from viewer.wording import QT_TRANSLATE_NOOP

TYPING_PAUSE_MS: Final = 150
FILTER_JOB: Final = "opcode filter"


class OpcodesPane(Pane):
    """The views of the same opcodes; a filter lists those that match in the stream."""

    key: ClassVar[str] = "opcodes"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("panes", "Opcodes")
    icon: ClassVar[str] = "pickle"
    area: ClassVar[Area] = Area.STRUCTURE
    order: ClassVar[int] = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._pickles: list[Pickle] = []
        self._made: dict[str, OpcodeView] = {}
        self._mode = VIEWS[0].key
        self.link_actions: dict[str, QAction] = {}
        self.switch = self._make_switch()
        self._build()
        self._make_link_actions()
        self.show_document()

    # -- widgets ----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText(self.tr("Filter by opcode, argument or offset"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._typed)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._pause.timeout.connect(self._apply_filter)
        self.empty = QLabel(self)
        self.empty.setWordWrap(True)
        self.empty.setMargin(self.theme.px(12))
        self.views = QStackedWidget(self)
        self.views.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(_padded(self.filter, self.theme))
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
    def commands(self) -> Mapping[str, Callable[[], None]]:
        return opcode_links.commands(self.session)

    def view(self, key: str) -> OpcodeView:
        """A view; made when it is asked for first."""
        known = self._made.get(key)
        if known is None:
            kind = next(kind for kind in VIEWS if kind.key == key)
            known = self._made[key] = kind(self.session, self.theme, self)
            known.rows.addActions([*self.link_actions.values()])
            known.rows.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            known.chosen.connect(self._chosen)
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
        self.session.selection_changed.connect(self._enable_links)
        self._enable_links()

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
        self.badge_changed.emit(f"{total:,}" if total else "")
        self.filter.setEnabled(bool(self._pickles))
        if self.filter.text().strip() and self._pickles:
            self._apply_filter()
        else:
            self._show_mode()

    @override
    def show_selection(self, selection: Selection) -> None:
        shown = self.views.currentWidget()
        if selection.origin != self.key and selection.opcode is not None and isinstance(shown, OpcodeView):
            shown.reveal(selection.opcode)

    def _show_mode(self) -> None:
        """Show the view that was chosen, at the place that is selected."""
        if not self._pickles:
            document = self.session.document
            self._say(*(no_pickle(document) if document is not None else ("",)))
            return
        self._show(self._mode)

    def _show(self, key: str) -> None:
        self.views.setCurrentWidget(self.view(key))
        self.switch.set_current(key)
        self.show_selection(Selection(opcode=self.session.selection.opcode))

    def _say(self, title: str, sentence: str = "") -> None:
        """A title and a sentence where there are no rows."""
        words = f"<b>{html.escape(title)}</b><br>{html.escape(sentence)}"
        self.empty.setText(words if self.session.document is not None else "")
        self.views.setCurrentWidget(self.empty)

    # -- what the person does ---------------------------------------------------------------------

    def _chosen(self, opcode: ValueRef) -> None:
        self.session.select_opcode(opcode, self.key)

    def _switched(self, key: str) -> None:
        """Another view was chosen: it shows all opcodes, so the filter goes."""
        self._mode = key
        if self.filter.text():
            self.filter.clear()
            self._apply_filter()
        else:
            self._show_mode()

    def _typed(self) -> None:
        self._pause.start()

    def _apply_filter(self) -> None:
        self._pause.stop()
        text = self.filter.text().strip()
        if not text:
            self.session.cancel(FILTER_JOB)
            if StreamView.key in self._made:
                self.stream.set_found(None)
            self._show_mode()
            return
        pickles = self._pickles

        def work(progress: Progress) -> npt.NDArray[np.int64]:
            starts = np.cumsum([0, *(len(pickle.code) for pickle in pickles)])
            found = [
                find_opcodes(pickle.values, text, progress, pickle.base or 0) + starts[number]
                for number, pickle in enumerate(pickles)
            ]
            return np.concatenate(found)

        self.session.start(FILTER_JOB, work, self._filtered)

    def _filtered(self, rows: npt.NDArray[np.int64]) -> None:
        self.stream.set_found(rows.data)
        if len(rows):
            self._show(StreamView.key)
        else:
            self._say(self.tr("Nothing matches \u201c{text}\u201d").format(text=self.filter.text().strip()))


def _padded(widget: QWidget, theme: Theme) -> QWidget:
    """A field with the margins of a filter bar."""
    holder = QWidget()
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(theme.px(8), theme.px(4), theme.px(8), theme.px(4))
    layout.addWidget(widget)
    return holder
