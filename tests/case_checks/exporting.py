"""Of what comes out of an export: names, types, sizes, what is left out, and that readers take it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

import numpy as np

from tests.case_checks.case import Case, Check, differs, digest
from viewer.core.export import exporter_of
from viewer.core.export.plan import Plan
from viewer.core.export.selection import Wanted
from viewer.core.objects.renaming import NameRules
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.tensors.hashing import sha256

SUFFIXES: Final = {"npz": ".npz"}


def _written(case: Case, form: str, wanted: Wanted = Wanted()) -> tuple[Plan, Path]:
    exporter = exporter_of(form)
    plan = exporter.plan(case.document, wanted)
    path = case.empty / f"{form}{SUFFIXES.get(form, '.pt')}"
    exporter.write(plan, path, Progress(), overwrite=True)
    return plan, path


def _arrays(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as found:
        return {name: found[name] for name in found.files}


def _npz(case: Case, stated: dict[str, dict[str, Any]]) -> Iterator[str]:
    _, path = _written(case, "npz")
    found = _arrays(path)
    yield from (f"{name} is left out" for name in stated if name not in found)
    for name, facts in stated.items():
        if name not in found:
            continue
        array = found[name]
        ours = {
            "dtype": str(array.dtype),
            "shape": list(array.shape),
            "nbytes": array.nbytes,
            "sha256": digest(array.tobytes()),
            "fortran_order": array.flags.f_contiguous and not array.flags.c_contiguous,
        }
        yield from differs(name, {key: ours[key] for key in facts}, facts)


def _npz_arrays(case: Case, stated: int) -> Iterator[str]:
    found = _arrays(_written(case, "npz")[1])
    yield from differs("arrays", len(found), stated)
    hashes = sorted(digest(array.tobytes()) for array in found.values())
    yield from differs("elements", hashes, sorted(tensor["sha256"] for tensor in case.facts["tensors"]))


def _npz_stored(case: Case, stated: bool) -> Iterator[str]:
    with zipfile.ZipFile(_written(case, "npz")[1]) as archive:
        ours = all(member.compress_type == zipfile.ZIP_STORED for member in archive.infolist())
    yield from differs("stored", ours, stated)


def _unpack_safe(case: Case, stated: bool) -> Iterator[str]:
    with zipfile.ZipFile(_written(case, "npz")[1]) as archive:
        names = archive.namelist()
    bad = [name for name in names if name.startswith("/") or "\\" in name or ".." in PurePosixPath(name).parts]
    yield from differs(f"safe names {names}", not bad, stated)


def _clash(case: Case, stated: list[str]) -> Iterator[str]:
    """Names that two tensors have once they are joined: told, and both are there."""
    plan, path = _written(case, "npz")
    yield from differs("told", sorted({row.name for row in plan.renamed}), sorted(stated))
    yield from differs("arrays", len(_arrays(path)), len(case.facts["tensors"]))


def _export(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    known = {"torch", "from", "strip", "npz_members", "left_out", "max_size", "legacy"}
    yield from (f"{key} is not checked" for key in stated if key not in known)
    if "torch" in stated:
        yield from differs("locations", _locations(case), stated["torch"]["locations"])
    if "max_size" in stated:
        _, path = _written(case, "state_dict", Wanted(compact=True))
        # A bound that is a tenth of it would say nothing either.
        if not stated["max_size"] / 10 < path.stat().st_size <= stated["max_size"]:
            yield f"{path.stat().st_size} bytes are more than {stated['max_size']}"
    if "legacy" in stated:
        yield from differs("legacy", _legacy(case), stated["legacy"])
    if "npz_members" in stated:
        yield from _members(case, stated)


def _locations(case: Case) -> list[str]:
    document = open_document(_written(case, "state_dict")[1])
    found = {tensor.storage.location for tensor in document.tensors if tensor.storage is not None}
    document.close()
    return sorted(found)


def _legacy(case: Case) -> dict[str, int]:
    _, path = _written(case, "legacy_state_dict")
    document = open_document(path)
    head = path.read_bytes()[:14]
    # PROTO 2, LONG1 of ten bytes: the magic number of the legacy form.
    number = int.from_bytes(head[4:], "little", signed=True) if head.startswith(b"\x80\x02\x8a\x0a") else -1
    same = [sha256(tensor) for tensor in document.tensors] == [facts["sha256"] for facts in case.facts["tensors"]]
    count = len(document.tensors) if same else -1
    document.close()
    return {"first_pickle": number, "tensors": count}


def _members(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    root = "/".join(stated.get("from", []))
    if root and root not in case.found["keys"]:
        yield f"no key {root}"
        return
    rules = NameRules((stated["strip"],)) if "strip" in stated else NameRules()
    plan, path = _written(case, "npz", Wanted(root=root, names=rules))
    members = list(_arrays(path))
    left = [row.name for row in plan.dropped]
    if "strip" in stated:
        # What has no such beginning stays under its own name.
        left += [name for name in members if not _begins(case, root, stated["strip"], name)]
        members = [name for name in members if name not in left]
    yield from differs("members", members, stated["npz_members"])
    yield from differs("left out", sorted(left), sorted(stated.get("left_out", [])))


def _begins(case: Case, root: str, prefix: str, name: str) -> bool:
    return any(tensor.path[:1] == (root,) and tensor.path[-1] == prefix + name for tensor in case.tensors)


CHECKS: Final[dict[str, Check]] = {
    "npz": _npz,
    "npz_arrays": _npz_arrays,
    "npz_stored": _npz_stored,
    "unpack_safe": _unpack_safe,
    "clash": _clash,
    "export": _export,
}
