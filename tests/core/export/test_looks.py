"""Stopping is quick: between two places to stop little work is done, counted in its units, not in seconds."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from tests.builders.pickles import Stream
from tests.builders.torch_values import Storage, tensor
from tests.core.export.reading import document_of
from viewer.core.archive import zip_writer
from viewer.core.document import Document
from viewer.core.errors import CancelledError
from viewer.core.export import exporter_of, legacy_state_dict, npz, safetensors, state_dict
from viewer.core.export.nesting import Nesting
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.pickles.disassembly import Disassembly
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress
from viewer.core.source import MemorySource

NAMES: Final = 3000
FEW: Final = 40
"""Units between two looks. A look a name leaves some for each."""


class Looks(Progress):
    """Counts units of work between two looks at it, and keeps the largest number."""

    def __init__(self) -> None:
        super().__init__()
        self.units = self.most = self.whole = 0

    def work(self) -> None:
        """One unit."""
        self.units += 1
        self.whole += 1

    def check(self) -> None:
        self.most, self.units = max(self.most, self.units), 0
        super().check()

    @property
    def largest(self) -> int:
        """Of all stretches, the one after the last look too."""
        return max(self.most, self.units)


def counted(monkeypatch: pytest.MonkeyPatch, looks: Looks, owner: Any, name: str) -> None:
    """Each call of a function is a unit of work."""
    plain: Callable[..., Any] = getattr(owner, name)

    def call(*arguments: Any, **more: Any) -> Any:
        looks.work()
        return plain(*arguments, **more)

    monkeypatch.setattr(owner, name, call)


@pytest.fixture(scope="module")
def named() -> Document:
    """A file that asks for thousands of names, and calls some."""
    stream = Stream(2).start().ops("MARK")
    for number in range(NAMES):
        stream.op("GLOBAL", (f"zoo{number % 7}", f"name{number}"))
        if number % 5 == 0:
            stream.ops("EMPTY_TUPLE REDUCE")
    return open_document(MemorySource(stream.ops("TUPLE STOP").data))


@pytest.mark.parametrize("form", ["imports", "structure", "listing"])
def test_names(form: str, named: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, exporter = Looks(), exporter_of(form)
    counted(monkeypatch, looks, Values, "global_name")
    counted(monkeypatch, looks, Disassembly, "protocols_at")
    plan = exporter.plan(named, Wanted(progress=looks))
    report = exporter.write(plan, tmp_path / "out", looks)
    verdict = exporter.verify(report, looks)
    assert verdict is not None
    assert verdict.good is True
    assert looks.whole >= NAMES
    assert looks.largest <= FEW if form != "listing" else 1100


def test_a_plan_of_names_stops(named: Document) -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(CancelledError):
        exporter_of("imports").plan(named, Wanted(progress=stopped))


@pytest.fixture(scope="module")
def many() -> Document:
    """Thousands of tensors on two storages."""
    storages = [Storage("float32", bytes(64)) for _ in range(2)]
    return document_of({f"layer{at}.weight": tensor(storages[at % 2], (4,), (1,), at % 9) for at in range(NAMES)})


@pytest.mark.parametrize(
    ("form", "owner", "name"),
    [
        ("state_dict", state_dict, "call_of"),
        ("state_dict", Nesting, "_steps"),
        ("state_dict", state_dict, "pieces"),
        ("legacy_state_dict", state_dict, "call_of"),
        ("legacy_state_dict", legacy_state_dict, "pieces"),
        ("npz", zip_writer, "stated_entry"),
        ("npz", npz, "written"),
        ("safetensors", safetensors, "_encode"),
        ("safetensors", safetensors, "Entry"),
        ("safetensors_shards", safetensors, "Entry"),
    ],
)
def test_tensors(
    form: str, owner: Any, name: str, many: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, exporter = Looks(), exporter_of(form)
    counted(monkeypatch, looks, owner, name)
    plan = exporter.plan(many, Wanted(progress=looks))
    report = exporter.write(plan, tmp_path / "out", looks)
    exporter.verify(report, looks)
    assert looks.whole >= NAMES
    assert looks.largest <= FEW


def test_a_directory_of_records_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of as many records as there are storages."""
    looks = Looks()
    counted(monkeypatch, looks, zip_writer, "directory_entry")
    with zip_writer.TorchZipWriter(io.BytesIO(), progress=looks) as archive:
        for number in range(NAMES):
            archive.add(f"data/{number}", b"")
    assert looks.whole >= NAMES
    assert looks.largest <= FEW
