"""Stopping is quick: between two places to stop little work is done, counted in its units, not in seconds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from tests.builders.pickles import Stream
from viewer.core.document import Document
from viewer.core.errors import CancelledError
from viewer.core.export import exporter_of
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
