"""Of what it means: what Summary says, where bytes go, what is damaged, what a scan of values finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from tests.case_checks.case import Case, Check, differs
from viewer.core.objects.prefixes import common_prefix, copies
from viewer.core.objects.renaming import NameRules
from viewer.core.progress import Progress
from viewer.core.space.account import What, account
from viewer.core.tensors import window
from viewer.core.tensors.columns import shown_name
from viewer.core.tensors.filtering import filtered, parse
from viewer.core.tensors.health import Fault, Health, scan
from viewer.core.tensors.many import totals_of

# Codes under `diagnosis` are examples; these are ours.
CODES: Final = {
    "all-empty": "tensors-all-empty",
    "gzip": "unpacked",
    "joblib": "not-torch-runner",
    "leading-zeros": "kind-zeros",
    "legacy-truncated": "legacy-keys-cut",
    "no-data-pkl": "torch-no-object",
    "ok": "loads",
    "plain-pickle": "not-torch-pickle",
    "record-missing": "storage-record-missing",
    "safetensors": "not-torch-reader",
    "storage-count": "storage-count-alone",
    "torch-package": "kind-torch-package",
    "torchscript": "kind-torchscript",
    "zip-truncated": "zip-directory-missing",
}


def _diagnosis(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    said = f"{case.sentences} {case.found['format']} {case.found['written_by']}"
    if CODES.get(stated["code"]) not in case.codes:
        yield f"{stated['code']} is not among {case.codes}"
    yield from (f"{word!r} is not said" for word in stated["must_contain"] if word not in said)
    yield from (f"{word!r} is said" for word in stated.get("must_not_contain", ()) if word in said)


def _must_show(case: Case, stated: list[str]) -> Iterator[str]:
    texts = "\n".join(source.text or "" for source in case.document.sources)
    files = "\n".join(source.file or "" for source in case.document.sources)
    shown = json.dumps({**case.found, "tensors": ()}, ensure_ascii=False)
    all_of_it = f"{texts}\n{files}\n{shown}"
    yield from (f"{words!r} is not shown" for words in stated if words not in all_of_it)


def _python2(case: Case, stated: bool) -> Iterator[str]:
    yield from differs("Python 2", "Python 2" in str(case.found["written_by"]), stated)


def _classify(case: Case, stated: dict[str, str]) -> Iterator[str]:
    says = case.holds.startswith("Optimizer state: it keeps step, exp_avg, exp_avg_sq for each of 2 parameters")
    ours = {case.path.name: "optimizer-state" if says and "Adam-like" in case.holds else case.holds}
    yield from differs("it is", ours, stated)


def _shards(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    (said,) = [row for row in case.found["problems"] if row["code"] == "set-part-incomplete"]
    yield from (
        f"{word} is not said"
        for word in [*stated["missing_files"], *stated["missing_keys"]]
        if word not in said["text"]
    )
    if f"This is part {stated['this']} of the {stated['of']} files" not in said["text"]:
        yield f"{stated['this']} of {stated['of']} is not said: {said['text']}"


# -- names ---------------------------------------------------------------------------------------------


def _names(case: Case, title: str = "") -> list[str]:
    (branch,) = [branch for branch in case.summary.branches if branch.title == (title or "state_dict")]
    return [name for name, _ in branch.entries]


def _common_prefix(case: Case, stated: str) -> Iterator[str]:
    names = _names(case)
    yield from differs("prefix", common_prefix(names), stated)
    if f'All {len(names)} names under state_dict begin with "{stated}"' not in case.holds:
        yield f"it is not said: {case.holds}"


def _stripped(case: Case, stated: list[str]) -> Iterator[str]:
    names = _names(case)
    yield from differs("names", list(map(NameRules((common_prefix(names),)).compiled(), names)), stated)


def _prefixes(case: Case, stated: dict[str, str]) -> Iterator[str]:
    ours = {branch.title: common_prefix([name for name, _ in branch.entries]) for branch in case.summary.branches}
    yield from differs("prefixes", ours, stated)


def _groups(case: Case, stated: dict[str, int]) -> Iterator[str]:
    (branch,) = case.summary.branches
    found = copies(branch.entries)
    yield from differs("groups", {"plain": found.plain, found.prefix: found.count} if found else {}, stated)


def _filter(case: Case, stated: dict[str, int]) -> Iterator[str]:
    for text, count in stated.items():
        ours = filtered(case.document.tensors, parse(f"*{text}*"), None, Progress())
        yield from differs(f"rows left by {text}", len(ours), count)


# -- bytes ---------------------------------------------------------------------------------------------


def _bytes(case: Case, stated: dict[str, int]) -> Iterator[str]:
    if "plain" in stated:
        found = copies(case.summary.branches[0].entries)
        ours = {"plain": found.size - found.nbytes, found.prefix: found.nbytes, "total": found.size} if found else {}
        if f"{stated['ema_']} of {stated['total']} bytes" not in case.holds:
            yield f"it is not said: {case.holds}"
    else:
        ours = {fact.key: fact.nbytes for fact in case.summary.keys if fact.key in stated}
        left = {fact.key for fact in case.summary.keys if fact.nbytes and fact.key not in stated}
        yield from (f"{key} is not stated" for key in left)
    yield from differs("bytes", ours, stated)


def _bytes_by_leaf(case: Case, stated: dict[str, int]) -> Iterator[str]:
    ours = {leaf: sum(window.nbytes(tensor) for tensor in case.tensors if tensor.path[-1] == leaf) for leaf in stated}
    yield from differs("bytes", ours, stated)


def _used_bytes(case: Case, stated: int) -> Iterator[str]:
    yield from differs("used", account(case.document, Progress()).tensor_bytes, stated)


def _stored_bytes(case: Case, stated: int) -> Iterator[str]:
    found = account(case.document, Progress())
    yield from differs("stored", found.tensor_bytes + found.waste, stated)
    if found.sums[What.WASTED] and f"{found.sums[What.WASTED]} of their {stated} bytes" not in case.sentences:
        yield "the waste is not said"


def _shared(case: Case, stated: list[list[str]]) -> Iterator[str]:
    rows = case.found["tensors"]
    groups = {tuple(sorted([row["name"], *(rows[other]["name"] for other in row["shared_with"])])) for row in rows}
    yield from differs("shared", sorted(list(group) for group in groups if len(group) > 1), stated)


def _params(case: Case, stated: dict[str, int]) -> Iterator[str]:
    totals = totals_of(case.document.tensors)
    yield from differs("all", {"by_name": totals.elements, "unique": totals.unique_elements}, stated)
    ours = {"by_name": case.summary.parameters, "unique": case.summary.unique_parameters}
    yield from differs("Summary", ours, stated)


# -- damage --------------------------------------------------------------------------------------------


def _recovered(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    ours: dict[str, Any] = {"complete": [], "partial": {}, "absent": []}
    for tensor in case.document.tensors:
        missing, size = window.missing_bytes(tensor)
        if not missing:
            ours["complete"].append(shown_name(tensor))
        elif missing == size:
            ours["absent"].append(shown_name(tensor))
        else:
            ours["partial"][shown_name(tensor)] = {"have": size - missing, "need": size}
    yield from differs("left", ours, {"partial": {}, **stated})


def _missing_records(case: Case, stated: dict[str, list[str]]) -> Iterator[str]:
    ours = {
        row["params"]["record"].partition("/")[2]: row["params"]["names"].split(", ")
        for row in case.found["problems"]
        if row["code"] == "storage-record-missing"
    }
    yield from differs("missing", ours, stated)
    lacking = [row["name"] for row in case.found["tensors"] if not row["complete"]]
    yield from differs("tensors", lacking, [name for names in stated.values() for name in names])


def _bad_count(case: Case, stated: dict[str, Any]) -> Iterator[str]:
    (said,) = [row for row in case.found["problems"] if row["code"] == "storage-count-alone"]
    at = said["start"]
    (tensor,) = [
        tensor for tensor in case.tensors if tensor.storage is not None and tensor.storage.key == said["params"]["key"]
    ]
    ours = {
        "storage": said["params"]["key"],
        "name": tensor.name,
        "offset": at,
        "found": int.from_bytes(case.document.source.read(at, 8), "little", signed=True),
        "expected": tensor.storage.count if tensor.storage is not None else None,
    }
    yield from differs("count", ours, stated)
    for word in ("storage", "name", "found", "expected"):
        if str(stated[word]) not in said["text"].replace(",", ""):
            yield f"{stated[word]} is not said: {said['text']}"


# -- health --------------------------------------------------------------------------------------------


def _scanned(case: Case) -> tuple[Health, dict[str, dict[str, Any]]]:
    health = scan(case.document.tensors, Progress())
    found: dict[str, dict[str, Any]] = {}
    for finding in health.findings:
        if finding.fault not in (Fault.NAN, Fault.INF):
            continue
        statistics = health.statistics[finding.tensor]
        assert statistics is not None
        counts = {
            "nan": statistics.nans.count,
            "+inf": statistics.positive_infinities.count,
            "-inf": statistics.negative_infinities.count,
        }
        told = {kind: count for kind, count in counts.items() if count}
        found[shown_name(case.document.tensors[finding.tensor])] = {**told, "of": statistics.total}
    return health, found


def _scan(case: Case, stated: dict[str, dict[str, Any]]) -> Iterator[str]:
    health, found = _scanned(case)
    for name, facts in stated.items():
        if "where" in facts and name in found:
            found[name]["where"] = _where(case, name, health)
    yield from differs("found", found, stated)


def _where(case: Case, name: str, health: Health) -> str:
    """The one index of the first axis that all of it stands at."""
    statistics = health.statistics[case.document.tensors.index(case.tensor(name))]
    assert statistics is not None
    assert statistics.nans.first is not None
    first = statistics.nans.first[0]
    size = window.read(case.tensor(name), (first,)).size
    return f"dim 0 index {first}" if size == statistics.nans.count else "elsewhere"


def _clean(case: Case, stated: list[str]) -> Iterator[str]:
    _, found = _scanned(case)
    names = [shown_name(tensor) for tensor in case.document.tensors]
    yield from differs("clean", [name for name in names if name not in found], stated)


def _stats(case: Case, stated: dict[str, float]) -> Iterator[str]:
    health, _ = _scanned(case)
    (statistics,) = health.statistics.values()
    assert statistics is not None
    assert statistics.mean is not None
    yield from differs("extremes", [statistics.minimum, statistics.maximum], [stated["min"], stated["max"]])
    if abs(float(statistics.mean) - stated["mean"]) > 1e-6 * abs(stated["mean"]):
        yield f"the mean {statistics.mean} is not {stated['mean']}"


CHECKS: Final[dict[str, Check]] = {
    "diagnosis": _diagnosis,
    "must_show": _must_show,
    "python2": _python2,
    "classify": _classify,
    "shards": _shards,
    "common_prefix": _common_prefix,
    "stripped": _stripped,
    "prefixes": _prefixes,
    "groups": _groups,
    "filter": _filter,
    "bytes": _bytes,
    "bytes_by_leaf": _bytes_by_leaf,
    "used_bytes": _used_bytes,
    "stored_bytes": _stored_bytes,
    "shared": _shared,
    "params": _params,
    "recovered": _recovered,
    "missing_records": _missing_records,
    "bad_count": _bad_count,
    "scan": _scan,
    "clean": _clean,
    "stats": _stats,
}
