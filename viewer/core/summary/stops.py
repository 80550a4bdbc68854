"""What ends loading with torch.load whatever is asked for, and who reads what torch.load does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from viewer.core.archive.zip_reader import names_of
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.objects.content import shortened
from viewer.core.problem import Severity
from viewer.core.summary.expectation import Expectation
from viewer.core.summary.set_loading import SETS, set_expectation
from viewer.wording.rows import FORMATS

_PACKED: Final = frozenset({"7z", "bz2", "gzip", "lz4", "rar", "tar", "xz", "zip", "zlib", "zstd"})
_READERS: Final = {
    "npy": "numpy.load",
    "npz": "numpy.load",
    "onnx": "onnx.load",
    "safetensors": "safetensors.torch.load_file",
    "torch-export": "torch.export.load",
    "torch-export-json": "torch.export.load",
}
AOTI: Final = "AOTInductor"
_RUNNERS: Final = {
    "joblib": "joblib.load",
    "pickle": "pickle.load",
    "torch-mobile": "torch.jit.load",
    "torch-package": "torch.package.PackageImporter",
    "torchscript": "torch.jit.load",
    "torchscript-json": "torch.jit.load",
}
_SPECIAL: Final = {"pickle": "not-torch-pickle", "torchscript-json": "not-torch-old"}
_SCRIPTS: Final = frozenset({"torch-mobile", "torchscript"})
# Errors that torch does not notice: it checks no checksums, and knows nothing of the other files of a set.
_UNNOTICED: Final = frozenset({"record-checksum", "set-part-incomplete", "tensor-checksum"})
# Problems that are no damage here, and that torch does not take.
_ODD: Final = (
    "persistent-items",
    "persistent-kind",
    "persistent-text",
    "pickle-extension",
    "storage-class-gone",
    "tar-early",
    "tar-names-dotted",
    "tar-without-storage",
    "tensor-arguments",
    "tensor-function-gone",
    "tensor-gradient",
    "torch-deeper",
    "torch-tensors-folder",
    "zip-header-signature",
)
_VERSION_RECORDS: Final = ("version", ".data/version")
_VERSIONS: Final = range(1, 11)


def errors_of(document: Document) -> list[str]:
    """The codes of the errors that a reader meets."""
    found = [problem.code for problem in document.problems if problem.severity is Severity.ERROR]
    return [code for code in found if code not in _UNNOTICED]


def other(document: Document, errors: int) -> Expectation:
    """Of a format that is not torch.load's own: what reads it."""
    name = document.format
    if name in SETS:
        return set_expectation(document, errors)
    pickle = document.main_pickle
    loader = _READERS.get(name) or _RUNNERS.get(name)
    if document.detail == AOTI and not any(outline.label == "graph" for outline in document.outlines.values()):
        return Expectation("not-torch-runner", {"loader": "torch._inductor.aoti_load_package"})
    if any(child.how == "further on" for child in document.children):
        return Expectation("not-torch-inside", {"count": document.children[0].offset or 0})
    if loader is None:
        return Expectation("not-torch-packed" if name in _PACKED else "not-torch", {"format": FORMATS.get(name, name)})
    if errors or (pickle is not None and not pickle.code.complete):
        return Expectation("not-torch-stops", {"loader": loader})
    if name in _SPECIAL:
        return Expectation(_SPECIAL[name], {"loader": loader})
    if name == "safetensors" and document.path is not None and document.path.suffix == ".safetensors":
        return Expectation("loads-by-name")
    if name in _SCRIPTS:
        return Expectation("script", {"loader": loader})
    return Expectation("not-torch-reader" if name in _READERS else "not-torch-runner", {"loader": loader})


def stops(document: Document) -> Iterator[Expectation]:
    """What ends loading of a file of torch whatever is asked for, and what it loads without its bytes."""
    pickle = document.main_pickle
    errors = errors_of(document)
    is_lost = document.format == "torch-legacy" and bool(errors) and set(errors) == {"storage-missing"}
    if is_lost:
        yield Expectation("uninitialised", {"count": len(errors)})
        errors = []
    if errors or (pickle is not None and not pickle.code.complete):
        yield Expectation("damaged", {"count": max(len(errors), 1)})
    told = {problem.code for problem in document.problems}
    if "zip-prefix" in told:
        yield Expectation("zip-prefix")
    if errors:
        return
    odd = [code for code in _ODD if code in told]
    if odd:
        yield Expectation("odd", {"names": ", ".join(odd)})
    if document.format == "torch-zip":
        yield from _stops_of_zip(document)
    elif document.format == "torch-legacy" and any(
        tensor.storage is not None and tensor.storage.untyped for tensor in document.tensors
    ):
        yield Expectation("untyped-legacy")


def _stops_of_zip(document: Document) -> Iterator[Expectation]:
    names = names_of(document.records)
    folder = names[0].partition("/")[0] + "/" if names else ""
    outside = next((name for name in names if not name.startswith(folder)), None)
    if outside is not None or "/" not in names[0]:
        yield Expectation("zip-folders", {"name": shortened(outside if outside is not None else names[0])})
    version = archive_version(document)
    if not version:
        yield Expectation("version-absent")
    elif not version.isdecimal() or int(version) not in _VERSIONS:
        yield Expectation("version-unread", {"version": version, "last": _VERSIONS[-1]})


def archive_version(document: Document) -> str:
    """The content of a zip's record `version`: a number, most often; "" where there is none."""
    for number, name in enumerate(names_of(document.records)):
        source = document.records[number].source if name.partition("/")[2] in _VERSION_RECORDS else None
        if source is not None:
            try:
                return ascii(source.read(0, 8).strip().decode("latin-1"))[1:-1]
            except SourceError:
                return ""
    return ""
