"""What the tests of exports share: documents from bytes, exports of them, and what our own reader finds in those."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tests.builders.torch_zip import torch_zip
from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export import exporter_of
from viewer.core.export.plan import Report
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.source import MemorySource
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.tensor import Tensor

Facts = tuple[str, tuple[int, ...], tuple[int, ...], int, str | None]


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that every user can look into: pytest's own ones are private."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def document_of(value: object, **options: Any) -> Document:
    """A checkpoint of today's torch, in memory."""
    return open_document(MemorySource(torch_zip(value, **options)))


def exported(document: Document, path: Path, form: str = "state_dict", wanted: Wanted = Wanted()) -> Report:
    """The whole way from plan to file."""
    exporter = exporter_of(form)
    return exporter.write(exporter.plan(document, wanted), path, Progress())


def exported_or_none(document: Document, path: Path, form: str) -> Report | None:
    """The same; None where the form has no type for any of the tensors."""
    try:
        return exported(document, path, form)
    except ExportError as told:
        if told.code != "export-none-left":
            raise
        return None


def facts(tensor: Tensor) -> Facts:
    """All that must survive a state_dict."""
    return tensor.dtype, tensor.shape, tensor.stride, tensor.storage_offset, sha256(tensor)


def read_state_dict(path: Path) -> dict[str, Facts]:
    """Names and facts of the tensors in a file."""
    document = open_document(path)
    try:
        assert document.problems == []
        return {str(tensor.name): facts(tensor) for tensor in document.tensors}
    finally:
        document.source.close()


def groups(tensors: Mapping[str, Tensor]) -> set[frozenset[str]]:
    """Names of tensors that share a storage."""
    found: dict[int, set[str]] = {}
    for name, tensor in tensors.items():
        found.setdefault(id(tensor.storage), set()).add(name)
    return {frozenset(names) for names in found.values()}


def read_npz(path: Path) -> dict[str, np.ndarray[Any, np.dtype[Any]]]:
    """All arrays, by numpy."""
    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def record(path: Path, name: str) -> bytes:
    """One record of an archive."""
    with zipfile.ZipFile(path) as archive:
        root = archive.namelist()[0].partition("/")[0]
        return archive.read(f"{root}/{name}")


def records(path: Path) -> list[str]:
    """Names of all records."""
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()
