"""The lists of the Source pane: classes with uses and texts, and the places where objects of one class stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.core.problem import Severity
from viewer.core.summary.classes import Classes, ClassRow, Place
from viewer.ui.models.cells import Cell, Piece, number, plain
from viewer.ui.theme import Theme
from viewer.ui.widgets.pick_list import PickList
from viewer.ui.words import count, named, severity_word

USED, TEXT = 1, 2
LINE = -1


class ClassList(PickList):
    """All classes, the person's own first. `follows`: walking the rows shows them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, follows: bool = False) -> None:
        self._classes = Classes()
        self._counted = False
        self._worst: Mapping[str, Severity] = {}
        super().__init__([self.tr("Class"), self.tr("Used"), self.tr("Text")], theme, frozenset({USED}), parent)
        self.follows = follows
        self.table.setColumnWidth(USED, theme.px(48))
        self.table.setColumnWidth(TEXT, theme.px(86))
        self.table.setAccessibleName(self.tr("Classes"))

    def set_classes(self, classes: Classes, *, counted: bool) -> None:
        """List these; `counted`: their objects are known."""
        self._classes, self._counted = classes, counted
        self.set_rows(len(classes.rows))

    def set_worst(self, worst: Mapping[str, Severity]) -> None:
        """Mark the classes, by name, on whose objects something was found."""
        self._worst = worst
        self.table.viewport().update()

    @override
    def words(self, row: int) -> str:
        return self._classes.rows[row].name

    @override
    def arranged(self, rows: Sequence[int]) -> Sequence[int]:
        """A line between the person's own classes and torch's."""
        first = next((at for at, row in enumerate(rows) if not self._classes.rows[row].own), len(rows))
        return [*rows[:first], LINE, *rows[first:]] if 0 < first < len(rows) else rows

    @override
    def cell(self, row: int, column: int) -> Cell:
        if row < 0:
            return Cell((Piece(self.tr("torch's own"), color="muted", small=True),)) if column == 0 else Cell()
        found = self._classes.rows[row]
        if column == USED:
            return number(count(len(found.places)) if self._counted else "")
        if column == TEXT:
            return plain(self._text(found), "text" if found.texts else "muted")
        name = Piece(found.qualname or found.name, mono=True)
        worst = str(self._worst.get(found.name, ""))
        pieces = (name, Piece(found.module, mono=True, color="muted", small=True, cut="start"))
        cell = Cell(pieces, icon=worst or "class", icon_color=worst or "muted")
        if worst:
            cell.spoken = named(severity_word(worst), cell.text)
        return cell

    def _text(self, row: ClassRow) -> str:
        if not row.texts:
            return self.tr("no source")
        if len(row.texts) > 1:
            return self.tr("{0} texts").format(count(len(row.texts)))
        names = {
            "stored": self.tr("stored"),
            "derived": self.tr("derived"),
            "supplied": self.tr("given"),
            "torch": self.tr("installed"),
        }
        return names.get(row.texts[0].origin, row.texts[0].origin)


class PlaceList(PickList):
    """Where the objects of a class stand."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self._places: Sequence[Place] = ()
        super().__init__([self.tr("Used in")], theme, parent=parent)
        self.table.setAccessibleName(self.tr("Used in"))

    def set_places(self, places: Sequence[Place]) -> None:
        """List these."""
        self._places = places
        self.set_rows(len(places))

    @override
    def words(self, row: int) -> str:
        return self._places[row].name

    @override
    def cell(self, row: int, column: int) -> Cell:
        del column
        return Cell((place_piece(self._places[row], self.tr("root")),), icon="object")


def place_piece(place: Place, root: str) -> Piece:
    """A place as it is read: its name out of the file, or the program's word for the root."""
    return Piece(place.name or root, mono=bool(place.name))
