"""Source text that a file stores of its classes: persistent ids of legacy streams and tar checkpoints, code records."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass

from viewer.core.objects.names import module_and_name, module_parts, named
from viewer.core.pickles.values import Kind, Values
from viewer.core.span import Span
from viewer.core.tensors.tensor import ValueRef

_CLASS, _FILE, _TEXT = 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedSource:
    """The stored text of one class, or of a whole module.

    `name`: qualified class name as stored. `file`: the source file's path as stored, or None. `text`: as
    stored, line ends untouched; None where the file stores the class without its source. `span`: the text's
    own bytes in the document's source (None: no text, or deflated). `value`: the persistent id, None where the
    text is (part of) a member of an archive, whose full name is `record`. `module`, `qualname`: the two halves of the
    name, exact where `name` could be split in several ways; a module has no `qualname`.
    """

    name: str
    file: str | None
    text: str | None
    span: Span | None
    value: ValueRef | None
    module: str
    qualname: str
    record: str = ""


def _same(span: Span) -> Span | None:
    return span


def embedded_sources(
    values: Values,
    pickle_index: int = 0,
    document_span_of: Callable[[Span], Span | None] = _same,
    encoding: str = "utf-8",
    skip: Container[int] = (),
) -> list[EmbeddedSource]:
    """The classes that a stream brings its source text for, or would have brought it for, in stream order.

    `document_span_of` takes a span of the stream's source to the document's (None: it was inflated).
    `skip`: persistent ids that are known to be something else.
    """
    found: list[EmbeddedSource] = []
    for value in values.persistents():
        if value in skip:
            continue
        parts = module_parts(values, value, encoding)
        if not parts:
            continue
        file = values.text(parts[_FILE], encoding) if len(parts) > _FILE else None
        text = values.text(parts[_TEXT], encoding) if len(parts) > _TEXT else None
        span = None if text is None else document_span_of(values.code.argument_span(parts[_TEXT]))
        name = named(values, parts[_CLASS], encoding)
        parted = module_and_name(values, parts[_CLASS], encoding)
        found.append(EmbeddedSource(name, file, text, span, ValueRef(pickle_index, value), *parted))
    return found


def instances(values: Values, source: EmbeddedSource, encoding: str = "utf-8") -> list[int]:
    """The objects of a stored class in stream order: the class is written once, later uses only name it."""
    return instances_by_class(values, encoding).get(source.name, [])


def instances_by_class(values: Values, encoding: str = "utf-8") -> dict[str, list[int]]:
    """All objects that calls of classes make, by the qualified name of what is called."""
    names: dict[int, str] = {}
    found: dict[str, list[int]] = {}
    for value in values.calls():
        callee = values.callee(value)
        if callee not in names:
            names[callee] = named(values, callee, encoding)
        name = names[callee]
        if name and values.kind(callee) in (Kind.GLOBAL, Kind.PERSISTENT, Kind.CALL):
            found.setdefault(name, []).append(value)
    return found
