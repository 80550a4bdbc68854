"""What the breadcrumb and the status line say of the selection and of the file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from viewer.core.errors import ViewerError
from viewer.core.source import printable
from viewer.core.tensors import window
from viewer.core.tensors.path import shown
from viewer.core.tree import ROOT
from viewer.late import late
from viewer.session.inside import is_named, name_inside
from viewer.session.selection import Selection
from viewer.ui.models.byte_regions import owner_text
from viewer.ui.models.reading_words import order_words, text_words
from viewer.ui.models.value_text import exact
from viewer.ui.widgets.breadcrumb import Crumb
from viewer.ui.widgets.status_line import FileFacts, Standing
from viewer.ui.words import nbytes_of, of_format, of_say

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.summary.parts import shape_text
    from viewer.core.tensors.tensor import Tensor
    from viewer.session.session import Session
    from viewer.ui.models.opcode_cells import preview
else:
    (shape_text,) = late("viewer.core.summary.parts", "shape_text")
    (preview,) = late("viewer.ui.models.opcode_cells", "preview")


def crumbs(session: Session) -> list[Crumb]:
    """The path to the selection: file, nodes, then the opcode or the element. Their targets are nodes."""
    selection, document, contents = session.selection, session.document, session.contents
    whole = contents.tree.child(ROOT, 0) if contents is not None else None
    if document is None or contents is None:
        return [Crumb(printable(session.title), whole, own=True)]
    found = document_crumbs(session, document, whole)
    if selection.node is not None:
        labels = ((contents.label(node), node) for node in contents.crumbs(selection.node))
        found += [Crumb(of_say(label), node, own=not label.data) for label, node in labels]
    if selection.element is not None:
        found.append(Crumb(f"[{', '.join(map(str, selection.element))}]"))
    elif selection.opcode is not None and _opcode_is_meant(document, selection):
        found.append(Crumb(document.pickles[selection.opcode.pickle].code.name(selection.opcode.value)))
    return found


def document_crumbs(session: Session, document: Document, whole: int | None) -> list[Crumb]:
    """The file, and the documents inside one another down to the one that is looked at: each is a way back."""
    found: list[Crumb] = []
    target: object = whole
    while document.parent is not None:
        found.append(Crumb(name_inside(document), target, own=not is_named(document)))
        document = session.documents[document.parent]
        target = Selection(document.index)
    found.append(Crumb(printable(session.title), target, own=True))
    return found[::-1]


def standing(session: Session) -> Standing:
    """Offset, length, owner and more about it."""
    return replace(_of_first(session), more=session.selection.spans[1:])


def _of_first(session: Session) -> Standing:
    """What is said of the first range."""
    selection, document = session.selection, session.document
    if document is None or selection.span is None:
        return Standing(selection.span)
    if selection.element is not None and selection.tensor is not None:
        tensor = document.tensors[selection.tensor]
        return Standing(selection.span, tensor.dtype, value_of(tensor, selection.element))
    if selection.opcode is not None and _opcode_is_meant(document, selection):
        pickle = document.pickles[selection.opcode.pickle]
        opcode = selection.opcode.value
        return Standing(selection.span, pickle.code.name(opcode), preview(pickle, opcode))
    if selection.tensor is not None and not selection.source:
        tensor = document.tensors[selection.tensor]
        return Standing(selection.span, tensor.dtype, f"{shape_text(tensor.shape)} {tensor.name or shown(tensor.path)}")
    return Standing(selection.span, "", owner_text(document, selection.span.start, selection.source))


def facts_of(session: Session) -> FileFacts:
    """Format and protocol, byte order, how texts are read, size: of a set that of the file that is shown."""
    source, document = session.source, session.document
    if source is None:
        return FileFacts()
    if document is None:
        return FileFacts(size=nbytes_of(source.size))
    order = order_words(session, document)
    size = document.at(session.selection.source)[0].source.size
    # No file stands for the files of ranks.
    stands = bool(size) or not document.files
    return FileFacts(_format(document), order, text_words(session), nbytes_of(size) if stands else "")


def _format(document: Document) -> str:
    name = of_format(document.format)
    main = document.main_pickle
    if main is None:
        return name
    words = QCoreApplication.translate("standing", "{format}, protocol {number}")
    return words.format(format=name, number=main.code.protocol)


def value_of(tensor: Tensor, element: tuple[int, ...]) -> str:
    """One element with every digit; "" where it cannot be read."""
    try:
        return exact(window.read(tensor, element)[()])
    except (ViewerError, IndexError, ValueError):
        return ""


def _opcode_is_meant(document: Document, selection: Selection) -> bool:
    """True when the first selected byte is one of an opcode: a tensor's elements name the opcode that made it too."""
    if selection.opcode is None or selection.span is None:
        return False
    pickle = document.pickles[selection.opcode.pickle]
    if pickle.place != selection.source:
        return False
    return pickle.code.at(selection.span.start - (pickle.base or 0)) >= 0
