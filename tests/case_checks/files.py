"""Of the files themselves: which they are, what container they are in, and its parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.case_checks.case import Case, Check, differs, digest
from viewer.core.formats.base import Options
from viewer.core.tensors.hashing import sha256

CONTAINERS: Final = {"zip": "torch-zip", "legacy": "torch-legacy", "tar": "torch-tar", "plain-pickle": "pickle"}


def _open(case: Case, stated: str) -> Iterator[str]:
    yield from differs("name", Path(case.found["file"]["path"]).name, stated)
    yield from differs("size", case.found["file"]["size"], case.path.stat().st_size)


def _also(case: Case, stated: list[str]) -> Iterator[str]:
    for name in stated:
        if not (case.folder / name).is_file():
            yield f"{name} is not there"
        elif not case.open(name).tensors:
            yield f"{name} has no tensors"


def _files(case: Case, stated: dict[str, dict[str, Any]]) -> Iterator[str]:
    yield from differs("files", sorted(path.name for path in case.folder.iterdir()), sorted(stated))
    for name, facts in stated.items():
        document = case.open(name)
        data = document.source.read(0, document.source.size)
        yield from differs(name, {"size": len(data), "sha256": digest(data)}, facts)


def _container(case: Case, stated: str) -> Iterator[str]:
    yield from differs("format", case.found["format"], CONTAINERS.get(stated, stated))


def _note(case: Case, stated: str) -> Iterator[str]:
    """Notes are for readers; the one there is says that the suffix misleads."""
    suffix = case.path.suffix.removeprefix(".")
    is_so = case.found["format"].startswith("torch-") and case.found["tensors"]
    yield from differs("note", f"the extension says {suffix} but it is a torch file" if is_so else "", stated)


def _entries(case: Case, stated: list[str] | dict[str, int]) -> Iterator[str]:
    mine = {record.name: record.size for record in case.document.records}
    yield from differs("entries", sorted(mine) if isinstance(stated, list) else mine, stated)


def _header_len(case: Case, stated: int) -> Iterator[str]:
    (length,) = [row for row in case.found["regions"] if row["kind"] == "safetensors-length"]
    said = int.from_bytes(case.document.source.read(length["start"], 8), "little")
    yield from differs("header", said, stated)
    first = min(row["start"] for row in case.found["tensors"])
    yield from differs("data", first, length["stop"] + stated)


def _inner(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    (child,) = case.document.children
    data = child.source.read(0, child.source.size)
    ours = {"container": child.format.removeprefix("torch-"), "size": len(data), "sha256": digest(data)}
    yield from differs("inside", ours, stated)


def _folder_bytes(case: Case, stated: str) -> Iterator[str]:
    """The archive's own folder, as the bytes that stand in the names of its records."""
    raw = [record.extra.get("raw_name") for record in case.document.records]
    yield from differs("folders", {name.partition(b"/")[0].hex() for name in raw if isinstance(name, bytes)}, {stated})
    if [problem["code"] for problem in case.found["problems"] if problem["severity"] == "error"]:
        yield "the name is taken for an error"


def _archive_version(case: Case, stated: int) -> Iterator[str]:
    (said,) = [row["params"] for row in case.found["loading"]["expectations"] if row["code"] == "needs-torch-version"]
    yield from differs("version", said["version"], str(stated))


def _byteorder(case: Case, stated: str | None) -> Iterator[str]:
    marks = [label for label in (record.name for record in case.document.records) if label.endswith("/byteorder")]
    yield from differs("order", case.document.byteorder if marks else None, stated)


def _tensors_if_big(case: Case, stated: list[dict[str, Any]]) -> Iterator[str]:
    if "torch-byteorder-swapped" not in case.codes:
        yield "nothing hints at the other order"
    document = case.open(options=Options(byteorder="big"))
    ours = [
        {
            "path": list(tensor.path),
            "shape": list(tensor.shape),
            "dtype": tensor.dtype,
            "name": tensor.name,
            "stride": list(tensor.stride),
            "storage_offset": tensor.storage_offset,
            "nbytes": stated[number]["nbytes"] if tensor.storage is None else tensor.storage.nbytes,
            "sha256": sha256(tensor),
        }
        for number, tensor in enumerate(document.tensors)
    ]
    yield from differs("big-endian", ours, stated)


CHECKS: Final[dict[str, Check]] = {
    "open": _open,
    "also": _also,
    "files": _files,
    "container": _container,
    "note": _note,
    "entries": _entries,
    "header_len": _header_len,
    "inner": _inner,
    "folder_bytes": _folder_bytes,
    "archive_version": _archive_version,
    "byteorder": _byteorder,
    "tensors_if_big": _tensors_if_big,
}
