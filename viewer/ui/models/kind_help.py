"""Files that are no checkpoint: the Problem that says so, and the line that fetches, unpacks or reads such a file."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

from viewer.core.document import Document
from viewer.core.problem import Problem, Severity

KIND: Final = "kind-"
SAID: Final = frozenset({"file-as-text-replaced", "file-empty", "legacy-as-text-line-ends", "legacy-as-text-utf-8"})
PYTHON: Final = {
    "flatbuffer": "import torch\nmodel = torch.jit.load({name})",
    "gguf": "import gguf\nmodel = gguf.GGUFReader({name})",
    "hdf5": "import h5py\nfile = h5py.File({name})",
    "keras": "import keras\nmodel = keras.saving.load_model({name})",
    "lua-t7": "import torchfile\nvalue = torchfile.load({name})",
    "onnx": "import onnx\nmodel = onnx.load({name})",
}
SHELL: Final = {
    "7z": "7z x {name}",
    "git-lfs-pointer": "git lfs pull",
    "lz4": "lz4 -d {name}",
    "rar": "unrar x {name}",
}
BASE64: Final = "base64 of "
DECODE: Final = "base64 -d {name} > {target}"


def kind_of(document: Document) -> Problem | None:
    """The Problem that says what the file is, where it is no checkpoint; None for those that are read."""
    for problem in document.content.problems:
        if problem.code in SAID or (problem.code.startswith(KIND) and problem.severity is not Severity.NOTE):
            return problem
    return None


def line_for(document: Document, path: Path) -> str:
    """The line for a shell, or those for Python, that get at what is in the file; "" where none is known.

    A file inside another one has no name of its own, so only the outermost has such a line.
    """
    if document.parent is not None or document.content is not document:
        return ""
    name = path.name
    if document.format in PYTHON:
        return PYTHON[document.format].format(name=repr(name))
    if (document.detail or "").startswith(BASE64):
        return DECODE.format(name=shlex.quote(name), target=shlex.quote(path.stem + ".decoded.pt"))
    return SHELL.get(document.format, "").format(name=shlex.quote(name))
