"""What the export window is made of, before anything is chosen in it: the fields, the target, the table, the foot."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.source import printable
from viewer.ui.dialogs.export_foot import ExportFoot
from viewer.ui.dialogs.export_side import ExportSide, rule
from viewer.ui.dialogs.export_table import ExportTable
from viewer.ui.dialogs.export_target import TargetField
from viewer.ui.dialogs.room import fit
from viewer.ui.measures import keep, keep_lengths, keep_text, keep_theme
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import ElidedLabel, lead
from viewer.ui.widgets.tab_order import step
from viewer.ui.widgets.wrapped import WrappedLabel


class ExportFrame(QDialog):
    """The widgets of the window and where they stand. `name`: of the file; `folder`: where targets are proposed."""

    def __init__(self, theme: Theme, name: str, folder: Path, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._theme = theme
        keep_theme(theme, self)
        self.setWindowTitle(self.tr("Export {name}").format(name=printable(name)))
        self._make(theme, folder)
        self._lay_out(theme)

    @override
    def focusNextPrevChild(self, forward: bool) -> bool:
        return step(self, forward=forward)

    def _make(self, theme: Theme, folder: Path) -> None:
        self.title = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.title.setText(self.windowTitle())
        lead(self.title)
        keep_text(theme, self.title, "heading")
        self._promise = self.tr("Nothing is written before you press Export.")
        self.sentence = WrappedLabel(self._promise)
        self.sentence.setProperty("muted", True)
        keep_text(theme, self.sentence, "small")
        self.side = ExportSide(theme)
        self.form, self.what, self.verify = self.side.form, self.side.what, self.side.verify
        self.parts, self.names, self.options = self.side.parts, self.side.names, self.side.options
        self.place = TargetField(theme, folder)
        self.target, self.choose, self.replace = self.place.field, self.place.choose, self.place.replace
        self.table = ExportTable(theme)
        self.report = self.table.report
        self.foot = ExportFoot(theme)
        self.fault, self.go, self.cancel = self.foot.fault, self.foot.go, self.foot.cancel

    def _lay_out(self, theme: Theme) -> None:
        head = QVBoxLayout()
        keep_lengths(theme, head.setContentsMargins, 20, 12, 20, 12)
        keep_lengths(theme, head.setSpacing, 2)
        head.addWidget(self.title)
        head.addWidget(self.sentence)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self.place)
        right.addWidget(self.table, 1)
        self.main = QWidget()
        self.main.setObjectName("exportMain")
        self.main.setLayout(right)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.side)
        middle.addWidget(rule(theme, upright=True))
        middle.addWidget(self.main, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(rule(theme))
        column.addLayout(middle, 1)
        column.addWidget(rule(theme))
        column.addWidget(self.foot)
        self.main.setStyleSheet(f"#exportMain {{ background: {theme.color('pane').name()}; }}")
        keep(theme, self, "size", ExportFrame._fit)

    def _fit(self, theme: Theme) -> None:
        px, parent = theme.px, self.parentWidget()
        room = parent.size() - QSize(px(24), px(24)) if parent is not None else QSize(px(1180), px(760))
        least = QSize(px(640), px(420))
        fit(self, room.boundedTo(QSize(px(1280), px(800))).expandedTo(least), least)
