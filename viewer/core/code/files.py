"""Texts of classes laid out as files that Python can import: one a module, in a folder of their own.

Nothing is imported or run: texts are parsed. Names of files come from the names of modules, made safe, and never from
a stored path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.made_files import module_text, package_text
from viewer.core.code.module_paths import ModulePaths, folded, plain_part, unused
from viewer.core.code.pieces import Refusal
from viewer.core.code.texts import (
    DERIVED,
    STORED,
    SUPPLIED,
    ClassText,
    PlacedClass,
    SourceFile,
    SourcePlan,
    Unusable,
    is_torch,
)
from viewer.core.code.units import Units, place_of, units_of
from viewer.core.code.wiring import Module, Wiring
from viewer.core.progress import Progress
from viewer.wording import fill
from viewer.wording.exports import DROPPED

__all__ = [
    "DERIVED",
    "STORED",
    "SUPPLIED",
    "ClassText",
    "PlacedClass",
    "SourceFile",
    "SourcePlan",
    "Unusable",
    "class_texts",
    "is_torch",
    "kept_texts",
    "plan_sources",
]

STEP: Final = "sources"
PACKAGE: Final = "__init__.py"


def class_texts(sources: Iterable[EmbeddedSource], own_only: bool = True) -> list[ClassText]:
    """The stored texts in stream order; `own_only`: without torch's own classes."""
    return [
        ClassText(source.name, source.module, source.qualname, source.text, STORED, source.file, source.span)
        for source in sources
        if source.text is not None and not (own_only and is_torch(source.module))
    ]


def plan_sources(classes: Sequence[ClassText], progress: Progress | None = None) -> SourcePlan:
    """Lay the texts out. Of a class with several texts the last one is used. Raises CancelledError."""
    texts: dict[str, list[ClassText]] = {}
    for each in classes:
        texts.setdefault(each.module, []).append(each)
    paths = ModulePaths(texts)
    units: dict[str, Units] = {}
    for number, (name, held) in enumerate(texts.items()):
        if progress is not None:
            progress.step(STEP, number, len(texts))
        units[name] = units_of(held)
    modules = {name: Module(name, paths.parts(name), units[name].units) for name in texts}
    Wiring(modules.values()).wire()
    return _Folder(modules, units).plan()


def kept_texts(classes: Iterable[ClassText], folder: str) -> list[SourceFile]:
    """Texts that are written as they are, for reading only: one file a class, all in one folder."""
    shelf = _Shelf()
    return [SourceFile(shelf.path((folder,), each.name), each.text) for each in classes]


class _Shelf:
    """Hands out names for texts that are no Python files; two never share one."""

    def __init__(self) -> None:
        self._taken: dict[tuple[str, ...], dict[str, int]] = {}

    def path(self, folder: tuple[str, ...], name: str) -> tuple[str, ...]:
        """A path in a folder for the text of that name."""
        stem = ".".join(plain_part(part, False) for part in name.split(".")[-8:] if part) or "unnamed"
        taken = self._taken.setdefault(tuple(folded(part) for part in folder), {})
        return (*folder, f"{unused(stem, taken)}.txt")


class _Folder:
    """The files of all modules."""

    def __init__(self, modules: Mapping[str, Module], units: Mapping[str, Units]) -> None:
        self._modules = modules
        self._units = units
        self._shelf = _Shelf()
        every = [module.parts for module in modules.values()]
        self._packages = {parts[:depth] for parts in every for depth in range(1, len(parts))}
        self._files: list[SourceFile] = []
        self._placed: dict[str, PlacedClass] = {}
        self._unusable: list[Unusable] = []
        self._missing: dict[str, tuple[str, ...]] = {}
        self._at_import: dict[str, tuple[str, ...]] = {}

    def plan(self) -> SourcePlan:
        """All of them; packages without code first."""
        held = {module.parts for module in self._modules.values()}
        for parts in sorted(self._packages - held):
            self._files.append(SourceFile((*parts, PACKAGE), package_text()))
        for name, module in self._modules.items():
            self._add(module, self._units[name])
        return SourcePlan(tuple(self._files), self._placed, tuple(self._unusable), self._missing, self._at_import)

    def _add(self, module: Module, units: Units) -> None:
        kept = [self._keep(module, refusal) for refusal in units.refused]
        names: list[str] = []
        for unit in module.units:
            for source in (*(piece.source for piece in unit.pieces), *unit.inside):
                names.append(source.name)
                if not source.is_module:
                    self._place(module, source.name, place_of(source.qualname))
            for piece in unit.pieces:
                if piece.source.is_module:
                    for place in piece.holds:
                        self._place(module, f"{module.name}.{place}", place)
        self._missing.update((name, tuple(sorted(lacking))) for name, lacking in module.lacking.items())
        self._at_import.update((name, tuple(sorted(unready))) for name, unready in module.unready.items())
        lacking = sorted(set().union(*module.lacking.values()))
        text = module_text(module, kept)
        self._files.append(SourceFile(self._path(module), text, tuple(dict.fromkeys(names)), tuple(lacking)))

    def _place(self, module: Module, name: str, place: str) -> None:
        self._placed[name] = PlacedClass(name, module.dotted, place)

    def _path(self, module: Module) -> tuple[str, ...]:
        if module.parts in self._packages:
            return (*module.parts, PACKAGE)
        return (*module.parts[:-1], f"{module.parts[-1]}.py")

    def _keep(self, module: Module, refusal: Refusal) -> tuple[str, str, str]:
        """Put a text that cannot be used beside the file of its module; gives its name, path and the reason."""
        source = refusal.source
        inner = source.qualname.replace(".", "_")
        path = self._shelf.path(module.parts[:-1], f"{module.parts[-1]}.{inner}" if inner else module.parts[-1])
        self._files.append(SourceFile(path, source.text, (source.name,)))
        self._unusable.append(Unusable(source.name, refusal.reason, refusal.params, path))
        return source.name, path[-1], fill(DROPPED[refusal.reason], refusal.params)
