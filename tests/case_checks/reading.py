"""Of what was read: tensors and arrays with their numbers, plain values, stored texts, objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from tests.case_checks.case import Case, Check, differs, digest, told
from tests.expected import by_path, same_type
from tests.expected import differences as differing
from viewer.core.code.differences import differences
from viewer.core.document import Document
from viewer.core.objects.describe import class_name
from viewer.core.objects.instances import find_instances
from viewer.core.objects.modules import attributes
from viewer.core.pickles.values import Values
from viewer.core.summary.checks import check_document
from viewer.core.tensors import window
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.path import to_json
from viewer.core.tensors.tensor import Tensor

MODULES: Final = ("_modules", "_parameters", "_buffers")


def _tensors(case: Case, stated: list[dict[str, Any]]) -> Iterator[str]:
    yield from _of_document(case.document, stated)


def _more(case: Case, stated: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    for name, entries in stated.items():
        if not (case.folder / name).is_file():
            yield f"{name} is not there"
            continue
        yield from _of_document(case.open(name), entries)


def _of_document(document: Document, stated: list[dict[str, Any]]) -> Iterator[str]:
    """All tensors are those that are stated, and no more; constants of TorchScript are in no state_dict."""
    found = by_path(document)
    named = [tensor for tensor in found.values() if tensor.kind == "tensor"]
    if document.format == "torchscript":
        named = [tensor for tensor in named if tensor.name is not None]
    yield from differs("tensors", len(named), len(stated))
    for facts in stated:
        tensor = found.get(json.dumps(_plain_path(facts["path"])))
        if tensor is None:
            yield f"{facts['path']} is not among {sorted(found)}"
            continue
        for line in (*differing(tensor, facts), *_tensor_facts(document, tensor, facts)):
            yield f"{facts['path']}: {line}"


def _plain_path(path: list[Any]) -> list[Any]:
    """These facts write some keys as Python does that JSON holds as they are."""
    found: list[Any] = []
    for part in path:
        text = part["py"] if isinstance(part, dict) else ""
        if text[:1] == "'":
            found.append(text.strip("'"))
        elif text.lstrip("-").isdigit():
            found.append(int(text))
        else:
            found.append(part)
    return found


def _tensor_facts(document: Document, tensor: Tensor, facts: dict[str, Any]) -> Iterator[str]:
    """What only cases state of a tensor, one line a fact that is not so."""
    storage, parts = tensor.storage, dict(tensor.parts)
    ours: dict[str, Callable[[], object]] = {
        "name": lambda: tensor.name,
        "nbytes": lambda: window.nbytes(tensor),
        "logical_nbytes": lambda: window.nbytes(tensor),
        "complete": lambda: window.complete(tensor),
        "subclass": lambda: _class(document, tensor),
        "parameter": lambda: _class(document, tensor).endswith("Parameter"),
        "nnz": lambda: window.read(parts["values"]).size,
        "view": lambda: _view(document, tensor),
    }
    if storage is not None:
        ours |= {
            "storage": lambda: storage.key,
            "location": lambda: storage.location,
            "storage_nbytes": lambda: storage.nbytes,
        }
    if storage is not None and storage.source is not None:
        ours["file_offset"] = lambda: storage.span.start if storage.span is not None else None
    for name, value in ours.items():
        if name in facts:
            yield from differs(name, value(), facts[name])
    original = facts.get("sha256_of_original")
    # The whole tensor had this digest; what is left of it must not be taken for it.
    if original is not None and (len(original) != 64 or sha256(tensor) == original):
        yield "it is taken for whole"
    if "dense_sha256" in facts:
        yield from differs("dense", digest(_dense(tensor).tobytes()), facts["dense_sha256"])


def _view(document: Document, tensor: Tensor) -> dict[str, Any]:
    """Which part of the largest storage around it that of a tensor is."""
    mine = tensor.storage
    assert mine is not None
    assert mine.span is not None
    around = [one.storage for one in document.tensors if one.storage is not None and one.storage.span is not None]
    (whole,) = [
        one for one in around if one.span is not None and one.span != mine.span and one.span.start <= mine.span.start
    ]
    assert whole.span is not None
    start = (mine.span.start - whole.span.start) * whole.count // whole.nbytes
    return {"of": whole.key, "start": start, "size": mine.count}


def _class(document: Document, tensor: Tensor) -> str:
    value = tensor.value
    (holder,) = [part for part in document.walk() if any(one is tensor for one in part.tensors)]
    return class_name(holder.pickles[value.pickle].values, value.value) if value is not None else ""


def _dense(tensor: Tensor) -> Any:
    parts = {role: window.read(part) for role, part in tensor.parts}
    dense = np.zeros(tensor.shape, parts["values"].dtype)
    if "crow_indices" in parts:
        rows = np.repeat(np.arange(tensor.shape[0]), np.diff(parts["crow_indices"]))
        np.add.at(dense, (rows, parts["col_indices"]), parts["values"])
    else:
        np.add.at(dense, tuple(parts["indices"]), parts["values"])
    return dense


def _arrays(case: Case, stated: list[dict[str, Any]]) -> Iterator[str]:
    found = by_path(case.document)
    for facts in stated:
        tensor = found.get(json.dumps(facts["path"]))
        if tensor is None:
            yield f"{facts['path']} is not there"
            continue
        if not same_type(tensor, facts["dtype"]):
            yield f"{tensor.numpy_dtype} is not {facts['dtype']}"
        yield from differs("shape", list(tensor.shape), facts["shape"])
        yield from differs("values", window.read(tensor).ravel().tolist(), facts["values"])


def _values(case: Case, stated: dict[str, list[Any]]) -> Iterator[str]:
    for name, numbers in stated.items():
        if name not in {tensor.name for tensor in case.tensors}:
            yield f"no tensor {name}"
            continue
        ours = window.read(case.tensor(name)).ravel().tolist()
        yield from differs(name, [[n.real, n.imag] if isinstance(n, complex) else n for n in ours], numbers)


def _others(case: Case, stated: list[dict[str, Any]]) -> Iterator[str]:
    rows = {json.dumps(row["path"]): row["value"] for row in case.found["values"]}
    for facts in stated:
        yield from differs(str(facts["path"]), rows.get(json.dumps(facts["path"]), "absent"), facts["value"])


def _byte_strings(case: Case, stated: list[dict[str, Any]]) -> Iterator[str]:
    rows = {json.dumps(row["path"]): row["value"] for row in case.found["values"]}
    for facts in stated:
        ours = rows.get(json.dumps(facts["path"]))
        yield from differs(str(facts["path"]), ours.get("hex") if isinstance(ours, dict) else ours, facts["hex"])


def _root(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    if stated["type"] == "object":
        yield from differs("root", case.found["root"], stated["class"])
        return
    ours = {"type": str(case.found["root"]).rpartition(".")[2], "len": case.summary.key_count}
    yield from differs("root", {**ours, **({"type": "?"} if case.found["keys"] is None else {})}, stated)


def _absent_keys(case: Case, stated: list[str]) -> Iterator[str]:
    shown = {fact.key for fact in case.summary.keys} | set(case.found["keys"])
    yield from (f"the root has {key}" for key in stated if key in shown)
    if "state_dict at the root" not in case.holds:
        yield "it is not said that the root is the state_dict"


def _sources(case: Case, stated: list[dict[str, Any]]) -> Iterator[str]:
    yield from differs("sources", _texts(case.document), stated)


def _sources_also(case: Case, stated: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    for name, facts in stated.items():
        if not (case.folder / name).is_file():
            yield f"{name} is not there"
            continue
        yield from differs(name, _texts(case.open(name)), facts)


def _texts(document: Document) -> list[dict[str, Any]]:
    return [
        {
            "class": row["class"],
            "file": row["file"],
            "sha256": row["sha256"],
            "lines": row["lines"],
            "first_line": (source.text or "").split("\n")[0],
        }
        for row, source in zip(told(document)["sources"], document.sources, strict=False)
        if source.text is not None
    ]


def _diff(case: Case, stated: dict[str, list[str]]) -> Iterator[str]:
    """Lines of the first text that are gone in the second, and new ones, as the comparison of two texts has them."""
    new = {source.name: source.text or "" for source in case.open(case.facts["also"][0]).sources}
    removed: list[str] = []
    added: list[str] = []
    for source in case.document.sources:
        mine, other = (source.text or "").split("\n"), new[source.name].split("\n")
        counts = dict(differences("\n".join(mine), "\n".join(other)).counts)
        gone, come = [line for line in mine if line not in other], [line for line in other if line not in mine]
        # A blank line that is added stands elsewhere in the text already.
        come += [""] * (counts["changed"] + counts["added"] - len(come))
        removed, added = removed + gone, added + come
    yield from differs("removed", removed, stated["removed"])
    yield from differs("added", sorted(added), sorted(stated["added"]))


def _source_vs_object(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    lacking = [one for one in check_document(case.document) if one.class_name == stated["class"]]
    yield from differs("only in the text", [one.params["name"] for one in lacking], stated["only_in_source"])
    (text,) = [
        source.text or "" for source in case.document.sources if source.name == case.facts["sources"][0]["class"]
    ]
    held = set(_below(case, []))
    yield from differs(
        "in both", [name for name in stated["in_both"] if f"self.{name}" in text and name in held], stated["in_both"]
    )


def _attributes(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    found = _below(case, stated["path"])
    yield from (f"no {name} among {found}" for name in stated.get("present", ()) if name not in found)
    yield from (f"{name} is there" for name in stated["absent"] if name in found)
    children = _submodules(case, stated["path"])
    yield from differs("submodules", children, stated.get("submodules", children))


def _below(case: Case, path: list[Any]) -> list[str]:
    """Names of the attributes of the object at a path, and of what stands in the tables of a module."""
    pickle = case.document.main_pickle
    assert pickle is not None
    found = _attributes_at(pickle.values, path)
    tables = [found.pop(name) for name in MODULES if name in found]
    inner = [pickle.values.text(key) or "" for table in tables for key, _ in pickle.values.pairs(table)]
    return [*found, *inner]


def _submodules(case: Case, path: list[Any]) -> list[str]:
    pickle = case.document.main_pickle
    assert pickle is not None
    table = _attributes_at(pickle.values, path).get("_modules", -1)
    return [pickle.values.text(key) or "" for key, _ in pickle.values.pairs(table)] if table >= 0 else []


def _attributes_at(values: Values, path: list[Any]) -> dict[str, int]:
    found = [one.value for one in find_instances(values) if to_json(one.path) == path]
    return attributes(values, found[0]) if found else {}


def _classes(case: Case, stated: list[str]) -> Iterator[str]:
    pickle = case.document.main_pickle
    assert pickle is not None
    yield from differs("classes", sorted({one.name for one in find_instances(pickle.values)}), sorted(stated))


def _code_files(case: Case, stated: list[str]) -> Iterator[str]:
    yield from differs("code", sorted({source.record for source in case.document.sources}), sorted(stated))


def _package_sources(case: Case, stated: list[dict[str, str]]) -> Iterator[str]:
    rows = [row for row in case.found["sources"] if not row["class"] or row["class"].count(".") == 0]
    yield from differs("texts", [{"name": row["file"], "sha256": row["sha256"]} for row in rows], stated)


def _code_objects(case: Case, stated: int) -> Iterator[str]:
    if "pickle-code-object" not in case.codes:
        yield "nobody is told of program code"
    made = [row["count"] for row in case.found["imports"] if row["called"] and row["name"] == "_create_code"]
    yield from differs("code objects", sum(made), stated)


CHECKS: Final[dict[str, Check]] = {
    "tensors": _tensors,
    "more": _more,
    "arrays": _arrays,
    "values": _values,
    "others": _others,
    "byte_strings": _byte_strings,
    "root": _root,
    "absent_keys": _absent_keys,
    "sources": _sources,
    "sources_also": _sources_also,
    "diff": _diff,
    "source_vs_object": _source_vs_object,
    "attributes": _attributes,
    "classes": _classes,
    "code_files": _code_files,
    "package_sources": _package_sources,
    "code_objects": _code_objects,
}
