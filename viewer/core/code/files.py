"""Texts of classes laid out as files that Python can import: one a module, in a folder of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.span import Span

STORED, DERIVED, SUPPLIED = "stored", "derived", "supplied"


@dataclass(frozen=True, slots=True)
class ClassText:
    """The text of one class and where it came from.

    `name`: qualified, as shown. `module`, `qualname`: its two halves. `origin`: stored (in the file), derived (made
    from pickled attributes) or supplied (by the person). `file`: path as stored, for people, never a target.
    `span`: the text's bytes in the document.
    """

    name: str
    module: str
    qualname: str
    text: str
    origin: str
    file: str | None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class PlacedClass:
    """Where a class can be imported from within the folder: `module` is that of the file, "zoo.blocks"."""

    name: str
    module: str
    qualname: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the folder. `path`: parts, safe on any system. `classes`: names of those whose text it holds.

    `missing`: names that its Python uses and that nothing gives it.
    """

    path: tuple[str, ...]
    text: str
    classes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def data(self) -> bytes:
        """Its bytes: UTF-8, line ends as they stand in the text."""
        return self.text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Unusable:
    """A text that is no importable class. `reason`: a code of `wording.exports.DROPPED`; `path`: the .txt it is in."""

    name: str
    reason: str
    params: Mapping[str, object] = field(default_factory=dict)
    path: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """All files, where each class stands (by its name), what is kept as text only, names that are lacking by class."""

    files: tuple[SourceFile, ...]
    placed: Mapping[str, PlacedClass]
    unusable: tuple[Unusable, ...]
    missing: Mapping[str, tuple[str, ...]]


def is_torch(module: str) -> bool:
    """True for torch's own modules."""
    return module == "torch" or module.startswith("torch.")


def class_texts(sources: Iterable[EmbeddedSource], own_only: bool = True) -> list[ClassText]:
    """The stored texts in stream order; `own_only`: without torch's own classes."""
    return [
        ClassText(source.name, source.module, source.qualname, source.text, STORED, source.file, source.span)
        for source in sources
        if source.text is not None and not (own_only and is_torch(source.module))
    ]


def plan_sources(classes: Sequence[ClassText]) -> SourcePlan:
    """Lay the texts out."""
    texts: dict[str, list[ClassText]] = {}
    for each in classes:
        texts.setdefault(each.module, []).append(each)
    files = [
        SourceFile((*module.split(".")[:-1], f"{module.split('.')[-1]}.py"), "\n\n".join(one.text for one in held))
        for module, held in texts.items()
    ]
    placed = {each.name: PlacedClass(each.name, each.module, each.qualname) for each in classes}
    return SourcePlan(tuple(files), placed, (), {})
