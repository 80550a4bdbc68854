"""How the file that is looked at is read: byte order, text of Python 2, how much may be unpacked. Each is a choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from viewer.ui.window.menus import Line, Lines, fill

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.window.frame import Frame

BYTE_ORDER: Final = "byte_order"
ORDERS: Final = ("little", "big")
ENCODINGS: Final = (
    *("utf-8", "ascii", "latin-1", "cp1252", "cp1250", "cp1251", "koi8-r", "gb18030", "big5"),
    *("shift_jis", "euc_jp", "euc_kr"),
)


class Readings(QObject):
    """The menus of these choices, in the menu bar and at the status line."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window = window
        self.menu = QMenu(window)
        self.menu.setToolTipsVisible(True)

    def order_lines(self) -> Sequence[Line]:
        """Little-endian, big-endian, or as the file says; none where it makes no difference."""
        from viewer.ui.models.reading_words import order_name

        session = self._window.session
        if session is None or not has_byteorder(session):
            return ()
        chosen, choose, holds = session.options.byteorder, partial(partial, session.reread), self._holds(session)
        words = self.tr("As torch assumes: little-endian") if session.unstated else self.tr("As the file says")
        return (
            Line(words, choose(byteorder=None), chosen is None, holds=holds),
            *(Line(order_name(order), choose(byteorder=order), chosen == order, holds=holds) for order in ORDERS),
        )

    def encoding_lines(self) -> Sequence[Line]:
        """The encodings that strings of Python 2 are often in; none where the file has no such strings."""
        from viewer.ui.models.reading_words import encoding_name

        session = self._window.session
        if session is None or not session.python2_text:
            return ()
        chosen, choose, holds = session.options.encoding, partial(partial, session.reread), self._holds(session)
        others = [chosen] if chosen and chosen not in ENCODINGS else []
        words = self.tr("As usual: UTF-8, latin-1 where that fails")
        return (
            Line(words, choose(encoding=""), not chosen, holds=holds),
            *(
                Line(encoding_name(name), choose(encoding=name), name == chosen, holds=holds)
                for name in (*ENCODINGS, *others)
            ),
        )

    def _holds(self, session: Session) -> Callable[[], bool]:
        return partial(self._window.workspace.has, session)

    def unpack_more(self) -> None:
        """Allow that more is unpacked than was."""
        from viewer.ui.models.remedies import most_wanted

        session = self._window.session
        wanted = most_wanted(session) if session is not None else 0
        if session is not None and wanted:
            session.reread(most_unpacked=wanted)

    def ask(self, what: str, at: QPoint) -> None:
        """Open the menu of a choice above a point of the screen."""
        lines: Lines = self.order_lines if what == BYTE_ORDER else self.encoding_lines
        fill(self.menu, lines())
        self.menu.popup(at - QPoint(0, self.menu.sizeHint().height()))


def has_byteorder(session: Session) -> bool:
    """True where some part of the file has elements whose byte order is a matter of how it is read."""
    return any(part.byteorder is not None for part in session.documents)
