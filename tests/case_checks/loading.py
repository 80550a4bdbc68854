"""Of what loading would do: names that are asked for, classes, devices, danger, and what torch itself answers."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.case_checks.case import Case, Check, differs
from viewer.core.progress import Progress
from viewer.core.summary.answers import Loads
from viewer.core.summary.prediction import predict
from viewer.torch_client import ask_torch

# Names that the facts leave out: what every TorchScript archive and every package asks for.
USUAL: Final = {
    "torchscript": {"torch.jit._pickle.build_intlist", "torch.jit._pickle.restore_type_tag"},
    "torch-package": {"torch._utils._rebuild_tensor_v2", "torch.FloatStorage", "collections.OrderedDict"},
}
# What the checks of the facts ran that is not torch.load; each says for which format it is.
OTHERS: Final = {"gunzip": "gzip", "jit": "torchscript", "joblib": "joblib", "package": "torch-package"}
# The words of torch that say what we say in ours.
SAYS: Final = {
    "CUDA": "cuda",
    "Invalid magic number": "pickle",
    "Can't get attribute 'RecorderMeter'": "RecorderMeter",
    "No module named 'models'": "models.",
    "No module named 'nets'": "nets.",
    "codec can't decode": "encoding",
    "data.pkl": "data.pkl",
    "data/1": "data/1",
    "don't know how to restore data location": "location",
    "failed finding central directory|Invalid argument": "central directory",
    "filename 'storages' not found": "zero",
    "invalid load key": "safetensors",
    "invalid load key, '\\x1f'": "gzip",
    "legacy .tar format": "tar",
    "storage has wrong": "expected",
}


def _globals(case: Case, stated: list[str]) -> Iterator[str]:
    named = {f"{row['module']}.{row['name']}" for row in case.found["imports"]}
    yield from differs("names", sorted(named - USUAL.get(case.found["format"], set())), sorted(stated))


def _missing_classes(case: Case, stated: list[str]) -> Iterator[str]:
    yield from differs("missing", sorted(row["class"] for row in case.found["loading"]["missing_classes"]), stated)
    (said,) = [row["text"] for row in case.found["loading"]["expectations"] if row["code"] == "classes-missing"]
    yield from (f"{word} is not said" for word in (*stated, "not needed for reading") if word not in said)


def _unsafe_globals(case: Case, stated: list[str]) -> Iterator[str]:
    refused = set(case.prediction.refusals.names)
    # Python 2's own names are refused too; the facts leave them out.
    refused -= {"__builtin__.bytes", "bytes"}
    yield from differs("refused", sorted(refused), sorted(stated))


def _locations(case: Case, stated: dict[str, int]) -> Iterator[str]:
    ours = {row["location"]: row["storages"] for row in case.found["loading"]["devices"]}
    yield from differs("devices", ours, stated)
    yield from differs("Summary", {one.name: one.count for one in case.summary.locations}, stated)


def _danger(case: Case, stated: dict[str, Any] | None) -> Iterator[str]:
    bad = {f"{row['module']}.{row['name']}": row for row in case.found["imports"] if row["severity"] != "known"}
    if stated is None or isinstance(stated, str):
        yield from differs("suspects", sorted(bad) or None, stated)
        return
    names = stated["globals"] if "globals" in stated else [stated["global"]]
    yield from differs("suspects", sorted(bad), sorted(names))
    if not any(row["severity"] == "dangerous" and row["called"] for row in bad.values()):
        yield "nothing is called dangerous"
    calls = " ".join(text for row in bad.values() for text in row["called_with"])
    yield from (f"{text!r} is not shown" for text in stated.get("args", ()) if text not in calls)
    if stated.get("text", "") not in calls.replace("\\'", "'"):
        yield f"{stated['text']!r} is not shown in {calls}"


def _must_not_create(case: Case, stated: str) -> Iterator[str]:
    """Everything is looked at in an empty folder; nothing may be there afterwards."""
    before = Path.cwd()
    os.chdir(case.empty)
    try:
        assert case.found["tensors"]
        assert case.holds
        assert case.prediction.code
    finally:
        os.chdir(before)
    yield from (f"{path} was made" for path in case.empty.rglob(stated))
    yield from (f"{path} was made" for path in (before, case.folder) if (path / stated).exists())


def _checks(case: Case, stated: list[dict[str, Any]]) -> Iterator[str]:
    for check in stated:
        name = check.get("file", "")
        found = predict(case.open(name)) if name in ("", *case.facts.get("also", ())) else None
        if found is None:
            yield f"{name} is not there"
            continue
        safe, running = (answer.loads for answer in found.answers)
        mode = check["mode"]
        if mode == "wo" and safe is Loads.NO:
            yield "weights_only=True is said to refuse it"
        elif mode == "full" and running is Loads.NO and "encoding" not in check:
            yield "torch.load is said to refuse it"
        elif (
            mode == "full"
            and "encoding" in check
            and f"encoding={check['encoding']!r}" not in _said(case).replace('"', "'")
        ):
            yield f"encoding {check['encoding']} is not said"
        elif mode in OTHERS and case.found["format"] != OTHERS[mode]:
            yield f"it is no {mode}"
        elif mode == "bare":
            yield from _bare(case, check, running if check.get("full") else safe)
        elif mode not in ("wo", "full", "note", "none", *OTHERS):
            yield f"{mode} is not known"


def _bare(case: Case, check: dict[str, Any], answer: Loads) -> Iterator[str]:
    """Where nothing but torch is there: it stops, and so it is said, with what torch would name."""
    if answer is Loads.YES or (answer is Loads.DEPENDS) != bool(check.get("nomap")):
        yield f"it is said to load: {answer}"
    words = SAYS.get(check["error"], check["error"])
    if not all(word in _said(case) for word in words.split("|")):
        yield f"{words} is not said"
    if not isinstance(check.get("full", True), bool) or check.get("full") is False or check.get("nomap") is False:
        yield "these are only told where they are so"


def _said(case: Case) -> str:
    return f"{case.sentences} {case.prediction.code} {case.found['format']}"


def _torch_says(case: Case, stated: str) -> Iterator[str]:
    """torch 2.13 says these words; another version, and no torch, only have to refuse the file as well."""
    yield from differs("answer", str(case.prediction.answers[0].loads), "no")
    if not re.fullmatch(r"\w+Error: (\[Errno \d+\] )?[\w ]+", stated):
        yield f"{stated} is no error of torch"
    if importlib.util.find_spec("torch") is None:
        return
    said = ask_torch(case.path, False, Progress())
    yield from differs("torch", str(said.loads), "no")
    if str(said.params.get("version", "")).startswith("2.13.") and stated.partition(": ")[2] not in said.text:
        yield f"torch says {said.text}"


CHECKS: Final[dict[str, Check]] = {
    "globals": _globals,
    "missing_classes": _missing_classes,
    "unsafe_globals": _unsafe_globals,
    "locations": _locations,
    "danger": _danger,
    "must_not_create": _must_not_create,
    "checks": _checks,
    "torch_2_13_says": _torch_says,
}
