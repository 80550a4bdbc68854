"""What the tests of recovery kits share: small modules as files, and what stands in their kits."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.builders.legacy import legacy
from tests.builders.torch_values import ModuleClass, full, module, parameter
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance
from tests.core.export.reading import exported
from viewer.core.document import Document
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.source import MemorySource

LINEAR = Global("torch.nn.modules.linear", "Linear")
CONV = Global("torch.nn.modules.conv", "Conv1d")
STEM = """\
class Stem(nn.Module):
    def forward(self, x):
        return squash(self.lin(x))
"""


def stem(source: str | None = STEM, module_name: str = "zoo.blocks", name: str = "Stem") -> ModuleClass:
    """A class of the person's code."""
    return ModuleClass(module_name, name, "/home/ada/zoo/blocks.py", source)


def weight(*numbers: float) -> Call:
    """A parameter of one axis."""
    return parameter(full("float32", (len(numbers),), numbers))


def linear(*numbers: float) -> Instance:
    """A Linear without bias."""
    return module(LINEAR, {"in_features": len(numbers), "out_features": 1}, {"weight": weight(*numbers), "bias": None})


def opened(value: object, form: str = "legacy") -> Document:
    """A checkpoint in memory. The builders recurse; what is tested must not."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(200_000)
    try:
        data = torch_zip(value) if form == "zip" else legacy(value, 4 if form == "legacy 4" else 2)
    finally:
        sys.setrecursionlimit(limit)
    return open_document(MemorySource(data))


def kit(value: object, path: Path, form: str = "legacy", root: str = "") -> dict[str, Any]:
    """Write a kit; its model.json, with the objects by their attributes' order."""
    exported(opened(value, form), path, "recovery", Wanted(root=root))
    return model_of(path)


def model_of(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((path / "model.json").read_text(encoding="utf-8"))
    found["objects"] = {record.pop("id"): record for record in found["objects"]}
    return found


def root_of(model: dict[str, Any]) -> dict[str, Any]:
    record: dict[str, Any] = model["objects"][model["root"]]
    return record


def at(model: dict[str, Any], reference: dict[str, int]) -> dict[str, Any]:
    record: dict[str, Any] = model["objects"][reference["id"]]
    return record


def attributes(value: dict[str, object], path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The kit of a module with these attributes: its model.json, and the attributes as recorded."""
    model = kit(module(stem(), value, {"w": weight(1)}), path)
    return model, root_of(model)["attributes"]


def files(path: Path) -> list[str]:
    return sorted(entry.relative_to(path).as_posix() for entry in path.rglob("*") if entry.is_file())
