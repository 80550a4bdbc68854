"""The line of numpy of every tensor of every sample, run: it gives what reading the tensor gives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.shared import ROOT, shared_files
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.tensors.numpy_line import numpy_line
from viewer.core.tensors.tensor import inner_tensors
from viewer.core.tensors.window import complete, read

OURS = sorted(path for path in (ROOT / "resources" / "samples").iterdir() if path.suffix in (".pt", ".pth"))
LARGEST = 1 << 20


def check(path: Path) -> int:
    """Run the lines of a file; gives how many there were."""
    document = open_document(path)
    try:
        return sum(check_document(part, path) for part in every(document))
    finally:
        document.source.close()


def every(document: Document) -> Iterator[Document]:
    """A document and those inside it."""
    yield document
    for child in document.children:
        yield from every(child)


def check_document(document: Document, path: Path) -> int:
    """Run the lines of the tensors of one document."""
    ran = 0
    for whole in document.tensors:
        for tensor in (whole, *inner_tensors(whole)):
            line = None if tensor.member or tensor.elements > LARGEST else numpy_line(tensor, str(path))
            if line is None:
                continue
            values = np.array(eval(line, {"np": np, "ml_dtypes": ml_dtypes}), order="C")
            wanted = np.array(read(tensor), order="C")
            if values.dtype == bool:  # numpy keeps bytes other than 0 and 1 as they are
                values = values.view(np.uint8) != 0
            assert values.shape == wanted.shape, (path.name, line)
            assert values.astype(wanted.dtype, copy=False).tobytes() == wanted.tobytes(), (path.name, line)
            assert complete(tensor)
            ran += 1
    return ran


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_lines_of_our_samples(path: Path) -> None:
    assert check(path) > 0


@pytest.mark.parametrize("path", shared_files("samples"))
def test_lines_of_shared_samples(path: Path) -> None:
    check(path)
