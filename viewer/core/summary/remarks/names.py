"""A file whose name says something else than its bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from viewer.core.document import Document
from viewer.core.problem import Problem, note
from viewer.core.source import printable
from viewer.core.span import Span
from viewer.wording import Phrase
from viewer.wording.rows import FORMATS

_TORCH: Final = frozenset({"torch-legacy", "torch-tar", "torch-zip", "torchscript", "torch-mobile", "torch-package"})
# Endings that readers go by, and the formats that may have them.
_ENDINGS: Final[dict[str, frozenset[str]]] = {
    ".npy": frozenset({"npy"}),
    ".npz": frozenset({"npz", "zip"}),
    ".safetensors": frozenset({"safetensors"}),
    ".tar": frozenset({"tar", "torch-tar"}),
    **dict.fromkeys((".bin", ".ckpt", ".pt", ".pth"), _TORCH),
}
_ARRAYS: Final = frozenset({"npy", "npz", "safetensors"})
_PACKED_TAR: Final = (".tar.bz2", ".tar.gz", ".tar.xz", ".tgz")
LONGEST: Final = 40


def misleading_name(document: Document, path: Path) -> Iterator[Problem]:
    """A note where only the name is wrong: the bytes are those of a format that is read."""
    suffix, kind, inner = path.suffix.lower(), document.format, document.content.format
    facts = {"suffix": printable(path.suffix[:LONGEST]), "kind": Phrase(FORMATS.get(kind, kind))}
    whole = Span(0, document.source.size)
    is_known = kind in _TORCH or kind in _ARRAYS
    if path.name.lower().endswith(_PACKED_TAR) and inner in _TORCH and inner != "torch-tar":
        if all(part.format != "tar" for part in document.walk()):
            yield note("name-no-packed-tar", whole, kind=Phrase(FORMATS.get(inner, inner)))
    elif suffix == ".tar" and kind in _TORCH and kind != "torch-tar":
        yield note("name-no-tar", whole, kind=facts["kind"])
    elif is_known and suffix in _ENDINGS and kind not in _ENDINGS[suffix]:
        yield note("name-other", whole, **facts)
