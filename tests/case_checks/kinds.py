"""What the reports of one kind have in common: what each person came for, and what they can do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tests.case_checks.case import Case, differs
from viewer.core.code.skeleton import skeletons
from viewer.core.comparing.comparison import Status, compare
from viewer.core.comparing.names import Rules
from viewer.core.comparing.sides import Part, sides_of
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.objects.instances import find_instances
from viewer.core.progress import Progress
from viewer.core.summary.checks import check_document
from viewer.core.tensors.columns import shown_name
from viewer.core.tensors.health import Fault, scan
from viewer.core.tensors.window import complete

KindCheck = Callable[[Case], Iterator[str]]


def _step(case: Case, code: str) -> Iterator[str]:
    if code not in case.summary.steps:
        yield f"{code} is not offered: {case.summary.steps}"


def _says(case: Case, *codes: str) -> Iterator[str]:
    """One of these codes is told."""
    if not set(codes) & set(case.codes):
        yield f"none of {codes} is among {case.codes}"


def _quiet(case: Case) -> Iterator[str]:
    """No fault is found; habits of names are no fault."""
    bad = [row["code"] for row in case.found["problems"] if row["severity"] != "note"]
    yield from differs("problems", bad, [])


def _class_not_found(case: Case) -> Iterator[str]:
    yield from _says(case, "classes-missing")
    yield from _step(case, "export")
    yield from _quiet(case)
    if not case.found["loading"]["code"]:
        yield "there is no code that loads it"


def _source_recovery(case: Case) -> Iterator[str]:
    yield from _step(case, "recovery")
    yield from _quiet(case)
    if case.facts["sources"]:
        yield from _step(case, "source")
        yield from differs("stored", case.summary.stored_sources, len(case.facts["sources"]))
        return
    pickle = case.document.main_pickle
    assert pickle is not None
    yield from differs("offered", "source" in case.summary.steps, False)
    if not skeletons(pickle.values, find_instances(pickle.values), set()):
        yield "nothing is derived from the attributes"


def _missing_attribute(case: Case) -> Iterator[str]:
    yield from _step(case, "recovery")
    hints = [one for one in check_document(case.document) if one.code.startswith("attribute")]
    own = case.facts["attributes"]["absent"]
    # An attribute of torch's own classes is known to be missing; one of the person's class only from newer text.
    if case.found["sources"] and case.found["sources"][0]["sha256"] is None and not hints:
        yield f"nobody is told of {own}"


def _device_tags(case: Case) -> Iterator[str]:
    yield from differs("devices", len(case.summary.locations), len(case.facts["locations"]))
    yield from differs("readable", all(map(complete, case.tensors)), True)
    if "map_location=" not in str(case.found["loading"]["code"]):
        yield "the code does not map the locations"


def _names_differ(case: Case) -> Iterator[str]:
    """The person is told on Summary, or when two sides are compared, what makes the names meet."""
    told = "names" in case.holds
    if not told:
        other = case.open(case.facts["also"][0])
        found = compare(*sides_of(case.document, other, (Part(), Part()), Progress()), Rules(), Progress())
        told = found.suggestion is not None
    yield from differs("told", told, True)


def _size_mismatch(case: Case) -> Iterator[str]:
    """Shapes are in every row; a second file shows which differ, in torch's words."""
    yield from differs(
        "shapes", [row["shape"] for row in case.found["tensors"]], [t["shape"] for t in case.facts["tensors"]]
    )
    for name in case.facts.get("also", ()):
        sides = sides_of(case.document, case.open(name), (Part(), Part()), Progress())
        found = compare(*sides, Rules(), Progress())
        wrong = [row.pair.name for row in found.rows if row.status is Status.SHAPE]
        said = found.load_words()
        yield from (f"{word} is not said" for word in wrong if f"size mismatch for {word}" not in said)
        yield from differs("some differ", bool(wrong), True)


def _what_is_in_it(case: Case) -> Iterator[str]:
    if not case.holds or case.holds.startswith("Tensors in no state_dict"):
        yield f"it is not said what it is: {case.holds}"
    yield from _step(case, "export")


def _nested(case: Case) -> Iterator[str]:
    """Each key of the root with its bytes, and each branch by itself."""
    yield from differs("keys", [fact.key for fact in case.summary.keys], case.found["keys"])
    sizes = sum(fact.nbytes for fact in case.summary.keys)
    yield from differs("bytes", sizes, sum(row["nbytes"] for row in case.found["tensors"]))
    for branch in case.summary.branches:
        plan = exporter_of("npz").plan(case.document, Wanted(root=branch.title))
        yield from differs(branch.title, len(plan.items) + len(plan.dropped) >= len(branch.entries), True)


def _sharded(case: Case) -> Iterator[str]:
    yield from _says(case, "set-part-incomplete", "ranks-lone-part")
    others = [name for name in case.facts["files"] if name != case.path.name]
    missing = case.facts.get("shards", {}).get("missing_files", ())
    yield from (f"{name} is not named" for name in (*others, *missing) if name not in case.sentences)


def _not_a_checkpoint(case: Case) -> Iterator[str]:
    yield from differs("answer", [row["loads"] for row in case.found["loading"]["answers"]], ["no", "no"])
    if case.found["format"].startswith("torch"):
        yield f"it is taken for a checkpoint: {case.found['format']}"
    if case.facts["tensors"]:
        yield from _step(case, "export")


def _damaged(case: Case) -> Iterator[str]:
    if not any(row["severity"] == "error" for row in case.found["problems"]):
        yield "no error is told"
    yield from differs("code", case.found["loading"]["code"], None)
    some = 0 < sum(map(complete, case.tensors)) < len(case.tensors)
    yield from differs("rescue", "rescue" in case.summary.steps, some)


def _container_name(case: Case) -> Iterator[str]:
    yield from _quiet(case)
    yield from differs("whole", all(map(complete, case.tensors)), True)
    yield from _step(case, "export")


def _version(case: Case) -> Iterator[str]:
    plan = exporter_of("legacy_state_dict").plan(case.document, Wanted())
    yield from differs("old form", len(plan.items), len(case.facts["tensors"]))


def _big_endian(case: Case) -> Iterator[str]:
    marked = case.facts["byteorder"] is not None
    yield from differs("hint", "torch-byteorder-swapped" in case.codes, not marked)
    if not marked and "--byteorder big" not in case.sentences:
        yield "the switch is not named"


def _python2(case: Case) -> Iterator[str]:
    yield from _says(case, "strings-latin")
    yield from _quiet(case)
    if not all(isinstance(key, str) and not key.startswith("b'") for key in case.found["keys"]):
        yield f"keys are no texts: {case.found['keys']}"


def _numpy_pickle(case: Case) -> Iterator[str]:
    yield from differs("arrays", sorted(row["kind"] for row in case.found["tensors"]), ["array", "array"])
    yield from _step(case, "export")


def _dtype(case: Case) -> Iterator[str]:
    plan = exporter_of("npz").plan(case.document, Wanted())
    told = {shown_name(tensor) for tensor in case.tensors}
    kept = {item.entry or item.name for item in plan.items} | {row.name for row in plan.dropped}
    yield from differs("in an npz, or named as left out", {name for name in told if name not in kept}, set())
    if "bfloat16" in {tensor.dtype for tensor in case.tensors}:
        yield from differs("widened", [(row.source, row.result) for row in plan.converted], [("bfloat16", "float32")])


def _storage_waste(case: Case) -> Iterator[str]:
    shared = any(row["shared_with"] for row in case.found["tensors"])
    if not shared:
        yield from _says(case, "storage-part-used")
    elif case.summary.parameters == case.summary.unique_parameters:
        yield "what is shared is counted twice"


def _file_too_big(case: Case) -> Iterator[str]:
    plan = exporter_of("state_dict").plan(case.document, Wanted())
    model = [tensor for tensor in case.tensors if tensor.path[0] == "model"]
    yield from differs("written", [item.tensor.path for item in plan.items], [tensor.path for tensor in model])
    yield from differs("smaller", plan.nbytes < case.found["file"]["size"], True)


def _nan(case: Case) -> Iterator[str]:
    faults = {finding.fault for finding in scan(case.document.tensors, Progress()).findings}
    if Fault.NAN not in faults:
        yield f"NaN is not found: {faults}"


def _layout(case: Case) -> Iterator[str]:
    for tensor, facts in zip(case.tensors, case.facts["tensors"], strict=True):
        yield from differs("stride", list(tensor.stride), facts["stride"])
    large = any(row["nbytes"] > 1 << 30 for row in case.found["tensors"])
    if large:
        yield from _says(case, "tensor-expanded")


def _odd_shape(case: Case) -> Iterator[str]:
    empty = not case.summary.parameter_bytes
    yield from differs("told", "tensors-all-empty" in case.codes, empty)


def _npz_names(case: Case) -> Iterator[str]:
    plan = exporter_of("npz").plan(case.document, Wanted())
    names = [item.name for item in plan.items]
    yield from differs("apart", len(set(names)), len(case.facts["tensors"]))


def _containers(case: Case) -> Iterator[str]:
    yield from _class_not_found(case)
    if not case.found["values"]:
        yield "no attribute is shown"


def _python_objects(case: Case) -> Iterator[str]:
    dangerous = [row["name"] for row in case.found["imports"] if row["severity"] == "dangerous"]
    yield from differs("dangerous", bool(dangerous), bool(case.facts.get("code_objects")))
    yield from differs("refused", bool(case.prediction.refusals.names), True)
    yield from _step(case, "export")


def _jit_package(case: Case) -> Iterator[str]:
    yield from _says(case, "kind-torchscript", "kind-torch-package")
    yield from _step(case, "source")


def _security(case: Case) -> Iterator[str]:
    bad = [row for row in case.found["imports"] if row["severity"] == "dangerous"]
    yield from differs("warned", bool(bad), case.facts["danger"] is not None)
    yield from differs("warned before loading", "reaching-names" in case.codes, case.facts["danger"] is not None)
    yield from (f"no bytes of {row['name']}" for row in bad if row["offset"] is None or not row["uses"])
    yield from _step(case, "export")


def _paths(case: Case) -> Iterator[str]:
    yield from _quiet(case)
    yield from differs("whole", all(map(complete, case.tensors)), True)


KINDS: Final[dict[str, KindCheck]] = {
    "class-not-found": _class_not_found,
    "source-recovery": _source_recovery,
    "missing-attribute": _missing_attribute,
    "device-tags": _device_tags,
    "key-mismatch": _names_differ,
    "size-mismatch": _size_mismatch,
    "what-is-in-it": _what_is_in_it,
    "nested": _nested,
    "sharded": _sharded,
    "not-a-checkpoint": _not_a_checkpoint,
    "damaged": _damaged,
    "container-name": _container_name,
    "version": _version,
    "big-endian": _big_endian,
    "python2": _python2,
    "numpy-pickle": _numpy_pickle,
    "dtype": _dtype,
    "storage-waste": _storage_waste,
    "file-too-big": _file_too_big,
    "nan": _nan,
    "layout": _layout,
    "odd-shape": _odd_shape,
    "npz-names": _npz_names,
    "containers": _containers,
    "python-objects": _python_objects,
    "jit-package": _jit_package,
    "security": _security,
    "paths": _paths,
}
