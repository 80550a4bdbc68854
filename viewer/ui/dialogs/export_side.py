"""The left side of the export window: form, what, which tensors, names, options; made for the chosen form."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from viewer.core.export import EXPORTERS
from viewer.core.export.base import Exporter
from viewer.ui.dialogs.export_options import OptionFields
from viewer.ui.dialogs.export_parts import PartFields
from viewer.ui.dialogs.export_region import RegionFields
from viewer.ui.measures import keep, keep_lengths, keep_text
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import Box, ElidedBox
from viewer.ui.widgets.name_fields import NameFields, line_up
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import said

WIDTH: Final = 300


class ExportSide(QScrollArea):
    """All fields but the target, in sections; those that the form does not follow are not there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.form = Box()
        self.form.setAccessibleName(self.tr("Form"))
        self.form.addItems([said(exporter.title) for exporter in EXPORTERS])
        self.form.setMaxVisibleItems(len(EXPORTERS))
        self.summary = WrappedLabel()
        self.summary.setProperty("muted", True)
        keep_text(theme, self.summary, "small")
        self.what = ElidedBox(Qt.TextElideMode.ElideMiddle)
        self.what.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.what.setAccessibleName(self.tr("What is exported"))
        self.parts = PartFields(theme)
        self.names = NameFields(theme)
        self.region = RegionFields(theme)
        self.options = OptionFields(theme)
        self.verify = QCheckBox(self.tr("Read back and compare"))
        self.verify.setToolTip(self.tr("Open the result with the reader of its form and compare each tensor."))
        self.verify.setChecked(True)
        self._lay_out()
        keep(theme, self, "fields", ExportSide._line_up)
        keep_lengths(theme, self.setFixedWidth, WIDTH)
        self.setStyleSheet(f"ExportSide {{ background: {theme.color('window').name()}; }}")

    def _line_up(self, theme: Theme) -> None:
        self._theme = theme
        line_up((*self.parts.labels, *self.names.labels))

    def _lay_out(self) -> None:
        self.inner = QWidget()
        self.inner.setObjectName("exportSide")
        self.inner.setStyleSheet(f"#exportSide {{ background: {self._theme.color('window').name()}; }}")
        column = QVBoxLayout(self.inner)
        keep_lengths(self._theme, column.setContentsMargins, 20, 14, 16, 14)
        column.setSpacing(0)
        groups: tuple[tuple[str, str, tuple[QWidget, ...]], ...] = (
            ("form", self.tr("Form"), (self.form, self.summary)),
            ("what", self.tr("What"), (self.what,)),
            ("region", self.tr("Which bytes"), (self.region,)),
            ("parts", self.tr("Which tensors"), (self.parts,)),
            ("names", self.tr("Names"), (self.names,)),
            ("options", self.tr("Options"), (self.options,)),
            ("verify", self.tr("After writing"), (self.verify,)),
        )
        self._sections: dict[str, QWidget] = {}
        for key, title, widgets in groups:
            part = QWidget()
            held = QVBoxLayout(part)
            keep_lengths(self._theme, held.setContentsMargins, 0, 0, 0, 12)
            keep_lengths(self._theme, held.setSpacing, 8)
            if key != "form":
                held.addWidget(rule(self._theme))
            head = section(title, self._theme)
            keep_lengths(self._theme, head.setContentsMargins, 0, 4 if key != "form" else 0, 0, 0)
            for widget in (head, *widgets):
                held.addWidget(widget)
            column.addWidget(part)
            self._sections[key] = part
        column.addStretch(1)
        self.setWidget(self.inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_form(self, exporter: Exporter, *, takes_names: bool) -> None:
        """Show the sections and the options of a form."""
        self.summary.setText(said(exporter.summary))
        self.options.set_options(exporter.options)
        shown = {"parts": takes_names, "names": takes_names, "options": bool(exporter.options)}
        shown |= {"region": exporter.regions, "what": not exporter.regions}
        for key, is_shown in shown.items():
            self._sections[key].setVisible(is_shown)

    def fields(self) -> list[QWidget]:
        """All that takes the keyboard, as it stands from the top down."""
        tops = [self.form, self.what, *self.region.fields()]
        return [*tops, *self.parts.fields(), *self.names.fields(), *self.options.fields(), self.verify]


def section(title: str, theme: Theme) -> QLabel:
    """The head of a group of fields."""
    label = QLabel(title)
    keep_text(theme, label, bold=True)
    return label


def rule(theme: Theme, *, upright: bool = False) -> QWidget:
    """A line between two parts."""
    line = QWidget()
    line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    line.setStyleSheet(f"background: {theme.color('border').name()}")
    if upright:
        line.setFixedWidth(1)
        line.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
    else:
        line.setFixedHeight(1)
    return line
