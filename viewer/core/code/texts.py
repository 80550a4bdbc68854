"""What goes into a folder of sources and what becomes of it: plain values."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from viewer.core.span import Span

STORED: Final = "stored"
DERIVED: Final = "derived"
SUPPLIED: Final = "supplied"
ORIGINAL: Final = "original"
_OTHERS: Final = sys.stdlib_module_names | {"", "ml_dtypes", "numpy", "torch"}


@dataclass(frozen=True, slots=True)
class ClassText:
    """The text of one class, or of a whole module, and where it came from.

    `name`: qualified, as shown. `module`, `qualname`: its two halves, the latter "" for a module. `origin`: stored (in
    the file), derived (made from pickled attributes) or supplied (by the person). `file`: path as stored, for people,
    never a target. `span`: the text's bytes in the document.
    """

    name: str
    module: str
    qualname: str
    text: str
    origin: str
    file: str | None
    span: Span | None = None

    @property
    def is_module(self) -> bool:
        """True for the text of a whole module."""
        return not self.qualname and bool(self.module)


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

    @property
    def is_python(self) -> bool:
        """False for a text that is only kept."""
        return self.path[-1].endswith(".py")


@dataclass(frozen=True, slots=True)
class Unusable:
    """A text that is no importable class. `reason`: a code of `wording.exports.DROPPED`; `path`: the .txt it is in."""

    name: str
    reason: str
    params: Mapping[str, object]
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """All files, where each class stands (by its name), what is kept as text only, names that are lacking by class.

    `at_import`: those of the lacking names without which the file of the class cannot even be imported, by class.
    """

    files: tuple[SourceFile, ...]
    placed: Mapping[str, PlacedClass]
    unusable: tuple[Unusable, ...]
    missing: Mapping[str, tuple[str, ...]]
    at_import: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def is_torch(module: str) -> bool:
    """True for torch's own modules."""
    return module == "torch" or module.startswith("torch.")


def is_own(name: str) -> bool:
    """True for modules of the person's code, or of packages, and what is in them; not for what stands in all kits."""
    return name.partition(".")[0] not in _OTHERS
