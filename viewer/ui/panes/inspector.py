"""Inspector: what the bytes at the caret would be as numbers and text, in both byte orders, and who owns them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.core.tensors.readings import LONGEST, of_length, readings
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.session.settings import HIDDEN_READINGS
from viewer.ui.measures import keep_lengths
from viewer.ui.pane import Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.readings_sheet import ROW, ReadingsSheet
from viewer.ui.words import offset


class InspectorPane(Pane):
    """The rows, and one line that names the owner of the byte."""

    key: ClassVar[str] = "inspector"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.offset = QLabel(self)
        self.sheet = ReadingsSheet(theme, self)
        self.sheet.hidden_names = {str(name) for name in session.habits.get(HIDDEN_READINGS, [])}
        self.sheet.keep_hidden = lambda names: session.habits.keep(HIDDEN_READINGS, names)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.sheet)
        self.sheet.moved.connect(lambda y: area.ensureVisible(0, y, 0, theme.px(ROW)))
        layout = QVBoxLayout(self)
        keep_lengths(theme, layout.setContentsMargins, 12, 2, 0, 4)
        layout.addWidget(area)
        self._style()
        self.show_selection(session.selection)

    def _style(self) -> None:
        self.offset.setFont(self.theme.mono("small"))
        self.offset.setStyleSheet(f"color: {self.theme.color('muted').name()}")

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.offset]

    @override
    def focus_target(self) -> QWidget:
        return self.sheet

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        # Without the keyboard the copies are those of the bytes.
        return {"edit.copy_hex": self.sheet.copy_current} if self.sheet.hasFocus() else {}

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.sheet.theme = theme
        self.sheet.update()
        self._style()

    @override
    def show_source(self) -> None:
        self.show_selection(self.session.selection)

    @override
    def show_document(self) -> None:
        self.show_selection(self.session.selection)

    @override
    def show_selection(self, selection: Selection) -> None:
        source, span = self.session.shown_source, selection.span
        at = span.start if span is not None else 0
        data = b""
        if source is not None:
            try:
                data = source.read(at, LONGEST)
            except ViewerError:
                data = b""
        self.offset.setText(offset(at) if source is not None else "")
        length = sum(each.length for each in selection.spans)
        rows = [*of_length(data, length), *readings(data)] if source is not None else []
        self.sheet.show_rows(rows, length)
