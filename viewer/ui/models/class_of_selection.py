"""Which class, text and line of the Source pane belongs to what is selected."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from viewer.core.objects.describe import class_name
from viewer.core.summary.classes import Classes, ClassRow
from viewer.core.tensors.path import MACHINERY
from viewer.core.tensors.tensor import ValueRef
from viewer.session.selection import Selection
from viewer.session.session import Session

_MACHINERY: Final = frozenset(part.name for part in MACHINERY)


@dataclass(frozen=True, slots=True)
class Spot:
    """A row of the classes, one of its texts (None: whichever is shown), and a line of it, from 1 (None: none)."""

    row: int
    text: int | None = None
    line: int | None = None


def spot_of(session: Session, classes: Classes, selection: Selection) -> Spot | None:
    """The stored source that is selected, else the class of the object, else the own class that holds it.

    The last with the line that sets the attribute: the layer's weight leads to `self.conv = nn.Conv2d(...)`.
    """
    if selection.code is not None and selection.code in classes.at:
        return Spot(*classes.at[selection.code], selection.line)
    if selection.value is None:
        return None
    row = _row_of(session, classes, selection.value)
    if row is not None:
        return Spot(row)
    return _holder(session, classes, selection.node) if selection.node is not None else None


def _holder(session: Session, classes: Classes, node: int) -> Spot | None:
    contents = session.contents
    if contents is None:
        return None
    name = ""
    for above in reversed(contents.tree.path_to(node)):
        value = contents.value(above)
        row = _row_of(session, classes, value) if value is not None else None
        if row is not None and classes.rows[row].own and name:
            return Spot(row, None, line_that_sets(classes.rows[row], name))
        label = contents.label(above).text
        name = name if label in _MACHINERY else label
    return None


def _row_of(session: Session, classes: Classes, value: ValueRef) -> int | None:
    """The row of the class of an object."""
    document = session.document
    if document is None:
        return None
    values = document.pickles[value.pickle].values
    return classes.row_of.get(class_name(values, value.value, session.options.text_encoding))


def line_that_sets(row: ClassRow, name: str) -> int | None:
    """The line, from 1, in the first text of a class that sets an attribute; None where none does so plainly."""
    if not row.texts or not name.isidentifier():
        return None
    text = row.texts[0].text
    found = re.search(rf"^[ \t]*self\.{re.escape(name)}[ \t]*(?::[^\n=]*)?=(?!=)", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found is not None else None
