"""Source text that a file stores of its classes: legacy persistent ids of the kind 'module'."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.core.span import Span
from viewer.core.tensors.tensor import ValueRef


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedSource:
    """The stored text of one class.

    `name`: qualified class name as stored. `file`: the source file's path as stored, or None. `text`: as
    stored, line ends untouched; None where the file stores the class without its source. `span`: the text's
    own bytes in the document's source (None: no text, or deflated). `value`: the persistent id.
    """

    name: str
    file: str | None
    text: str | None
    span: Span | None
    value: ValueRef
