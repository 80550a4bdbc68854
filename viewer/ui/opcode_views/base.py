"""OpcodeView: one way to look at the opcodes of a document.

To add one: a new file in this folder with a class that derives from OpcodeView and sets the facts below, and a line in
the tuple of `opcode_views/__init__.py`; its word in the switch over the pane comes from the facts. A view is made when
it is first shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from viewer.core.tensors.tensor import ValueRef
from viewer.session.session import Session
from viewer.ui.theme import Theme


class OpcodeView(QWidget):
    """Base of all views. `key` names it; `title` and `hint` are English, marked for translation in `opcodes`.

    chosen: the person came to an opcode.
        Signal(opcode: ValueRef)
    several_chosen: to a thing that several opcodes make: the last of them, and the number of the first.
        Signal(opcode: ValueRef, first: int)
    asks: a command of the menus is wanted, by the id of its action.
        Signal(action: str)
    chosen_inside: to one of a file in a value; `enters`: to look at that file.
        Signal(document: Document, opcode: ValueRef, enters: bool)
    kept_changed: `kept` would give something else now.
        Signal()
    """

    key: ClassVar[str]
    title: ClassVar[str]
    hint: ClassVar[str]

    chosen = Signal(object)
    several_chosen = Signal(object, object)
    asks = Signal(str)
    chosen_inside = Signal(object, object, bool)
    kept_changed = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme

    @property
    def rows(self) -> QAbstractItemView:
        """What takes the keyboard, and has the menu of the links."""
        raise NotImplementedError

    def show_document(self) -> None:
        """Show the pickles of `session.document`, which may be None."""
        raise NotImplementedError

    def reveal(self, opcode: ValueRef) -> None:
        """Mark an opcode and scroll to it; `chosen` is not told."""
        raise NotImplementedError

    def kept(self) -> Mapping[str, Any]:
        """As `Pane.kept`."""
        return {}

    def bring_back(self, kept: Mapping[str, Any]) -> None:
        """As `Pane.bring_back`; called before `show_document`."""

    def commands(self) -> Mapping[str, Callable[[], None]]:
        """Commands of the menus that this view carries out now, by the id of their action."""
        return {}

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
