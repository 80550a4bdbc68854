"""What is dragged out of a view as a file: one tensor as npy, a branch or several tensors as a state_dict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from viewer.core.document import Document
from viewer.core.export import exporter_of
from viewer.core.export.npz_names import safe_name
from viewer.core.export.selection import Wanted, titled
from viewer.core.progress import Progress
from viewer.core.summary.contents import Contents
from viewer.core.tensors.path import shown
from viewer.core.tensors.tensor import Tensor
from viewer.core.tree import ROOT

ONE, SEVERAL = "npy", "state_dict"
STATE: Final = "_state"


@dataclass(frozen=True, slots=True)
class Load:
    """A file to be made: its name without suffix, its form, and what it holds."""

    stem: str
    form: str
    wanted: Wanted


def load_of_tensors(tensors: Sequence[Tensor], stem: str) -> Load | None:
    """Tensors that are chosen in a table; None where none is. `stem`: of the file that they stand in."""
    if not tensors:
        return None
    if len(tensors) == 1:
        name = tensors[0].name or shown(tensors[0].path)
        return Load(file_stem(name or stem), ONE, Wanted(tensors=tuple(tensors)))
    return Load(file_stem(f"{stem}{STATE}"), SEVERAL, Wanted(tensors=tuple(tensors)))


def load_of_node(contents: Contents, node: int, stem: str, encoding: str = "") -> Load | None:
    """A row of Contents: a tensor, a branch with tensors in it, or the whole document; None for any other row."""
    tensor = contents.tensor(node)
    if tensor is not None:
        return load_of_tensors([tensor], stem)
    document = contents.document
    if node == contents.tree.child(ROOT, 0):
        return load_of_document(document, stem, encoding) if document.tensors else None
    if contents.value(node) is None or contents.rows.part(node) is not None or not contents.size(node):
        return None
    path = contents.path(node)
    if not path:
        return load_of_document(document, stem, encoding)
    return Load(file_stem(shown(path)), SEVERAL, Wanted(root=titled(document, shown(path)), encoding=encoding))


def load_of_document(document: Document, stem: str, encoding: str) -> Load:
    """The weights of a file; of a file inside it all tensors."""
    wanted = Wanted(encoding=encoding) if not document.index else Wanted(tensors=document.tensors)
    return Load(file_stem(f"{stem}{STATE}"), SEVERAL, wanted)


def file_stem(name: str) -> str:
    """A name of the file as that of a file of this machine, without folders."""
    return safe_name(name).replace("/", "_")


def make(load: Load, document: Document, folder: Path, progress: Progress) -> Path:
    """Write the file into a folder that is there. Raises ChoiceError, ExportError, SourceError, CancelledError."""
    exporter = exporter_of(load.form)
    plan = exporter.plan(document, replace(load.wanted, progress=progress))
    path = folder / f"{load.stem}{exporter.suffixes[-1]}"
    exporter.write(plan, path, progress)
    return path
