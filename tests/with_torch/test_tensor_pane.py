"""The numbers that the Tensor pane shows, cell by cell, against torch: every pattern of every type that torch has."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.shared import ROOT
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.models.value_text import MINUS, exact
from viewer.ui.panes.tensor import TensorPane
from viewer.ui.previews.values import ValuesPreview
from viewer.ui.theme import load_theme

pytestmark = pytest.mark.torch
NAMED: Final = {f"{sign}int{bits}" for sign in ("", "u") for bits in range(1, 8)}
"""Types that torch has by name only: it saves no plain tensor of them."""
EVERY: Final = sorted(set(DTYPES) - NAMED)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pane")


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    """What torch says."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.with_torch.pane_child", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture
def session(qtbot: QtBot, folder: Path, told: dict[str, Any]) -> Iterator[Session]:
    del told
    made = Session(folder / "every.pt")
    with qtbot.waitSignal(made.jobs.idle):
        made.open()
    yield made
    made.close()


def test_every_type_of_torch_is_known_and_tried(told: dict[str, Any]) -> None:
    assert set(told["every"]) == set(DTYPES)
    assert set(told["refused"]) == NAMED
    assert sorted(told["numbers"]) == EVERY


@pytest.mark.parametrize("name", EVERY)
def test_the_cells_are_what_torch_has(session: Session, qtbot: QtBot, told: dict[str, Any], name: str) -> None:
    pane = TensorPane(session, load_theme("light"))
    qtbot.addWidget(pane)
    tensor = tensor_of(session, name)
    session.select_tensor(tensor, "test")
    pane.show_selection(session.selection)
    view = next(preview for preview in pane.previews if isinstance(preview, ValuesPreview))
    view.model.show_as(exact)
    rows, columns = view.model.rowCount(), view.model.columnCount()
    wanted = told["numbers"][name]
    assert (rows, columns, rows * columns) == (*tensor.shape, len(wanted))
    for at, number in enumerate(wanted):
        index = view.model.index(*divmod(at, columns))
        text = str(view.model.data(index))
        assert is_same(text, number), (at, text, number)
        if at % 97 == 0:
            tip = str(view.model.data(index, Qt.ItemDataRole.ToolTipRole))
            assert tip == f"[{at // columns}, {at % columns}] = {text}"
    qtbot.waitUntil(lambda: not session.jobs.busy)


def tensor_of(session: Session, name: str) -> Tensor:
    assert session.document is not None
    return next(tensor for tensor in session.document.tensors if tensor.name == name)


def is_same(text: str, number: object) -> bool:
    """Whether a cell says the number: exactly, with its sign, NaN by its name."""
    text = text.replace(MINUS, "-")
    if isinstance(number, list):
        return text in (joined(number), f"{short_of(number[0])}, {short_of(number[1])}")
    return text == (short_of(number) if isinstance(number, str) else str(number))


def joined(parts: list[str]) -> str:
    """A complex number as it is written."""
    real, imaginary = (float(part) for part in parts)
    sign = "-" if math.copysign(1, imaginary) < 0 and not math.isnan(imaginary) else "+"
    return f"{short_of(repr(real))}{sign}{short_of(repr(abs(imaginary)))}j"


def short_of(number: str) -> str:
    """A float as Python writes it; NaN and infinity as cells have them."""
    return {"nan": "NaN", "inf": "inf", "-inf": "-inf"}.get(number, number)
