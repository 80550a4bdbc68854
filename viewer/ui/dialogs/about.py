"""About: what the program is, its version, and what it stands on."""

from __future__ import annotations

import platform

import numpy as np
from PySide6.QtCore import QSize, Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer import __version__
from viewer.ui.dialogs.room import fit
from viewer.ui.measures import keep, keep_mono, keep_text
from viewer.ui.spoken import speak
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import lead
from viewer.ui.widgets.tab_order import step


def versions() -> str:
    """What a bug report needs to name."""
    parts = (
        f"Picklescope {__version__}",
        f"Python {platform.python_version()}",
        f"Qt {qVersion()}",
        f"numpy {np.__version__}",
        platform.platform(),
    )
    return "\n".join(parts)


class About(QDialog):
    """Names, versions, licence; the versions can be copied."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Picklescope"))
        title = QLabel(self.tr("Picklescope"))
        lead(title)
        keep_text(theme, title, "title")
        words = QLabel(
            self.tr(
                "A viewer for PyTorch checkpoints: bytes, opcodes, objects, source and tensors of one file, linked. "
                "Nothing in a file is run. The file is never changed."
            )
        )
        words.setWordWrap(True)
        facts = QLabel(versions())
        keep_mono(theme, facts)
        facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        licence = QLabel(self.tr("Free software under the MIT licence."))
        licence.setProperty("muted", True)
        self.copy_button = QPushButton(self.tr("Copy versions"))
        self.copy_button.clicked.connect(self._copy)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        for widget in (title, words, facts, licence, buttons):
            column.addWidget(widget)
        keep(theme, self, "size", About._take_room)

    def _take_room(self, theme: Theme) -> None:
        """The last that is kept here, so that all it holds has its fonts."""
        width, column = theme.px(420), self.layout()
        assert column is not None
        self.setMinimumWidth(width)
        self.ensurePolished()
        column.activate()
        fit(self, QSize(width, column.totalHeightForWidth(width)))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(versions())
        self.copy_button.setText(self.tr("Copied"))
        speak(self.copy_button, self.tr("Copied"))

    @override
    def focusNextPrevChild(self, forward: bool) -> bool:
        return step(self, forward=forward)
