"""The export dialog on a set of very many tensors: none is made by the window itself, and what is not needed goes."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.builders.large import checkpoint
from tests.builders.sets import sparse_set
from tests.stall import least_stall
from viewer.core.tensors.indexed import IndexedTensors
from viewer.core.tensors.tensor import Tensor
from viewer.session import letting_go
from viewer.session.session import Session
from viewer.ui.dialogs.export import ExportDialog
from viewer.ui.theme import load_theme


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    session = Session(sparse_set(tmp_path, 4, 10, (2, 2)))
    session.open()
    qtbot.waitUntil(lambda: session.root is not None and not session.jobs.busy)
    return session


def test_the_window_makes_no_tensor(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers: set[int] = set()
    make = IndexedTensors.make

    def noted(self: IndexedTensors, number: int) -> Tensor:
        makers.add(threading.get_ident())
        return make(self, number)

    monkeypatch.setattr(IndexedTensors, "make", noted)
    dialog = ExportDialog(session, load_theme("light"), "npz", tmp_path)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: not session.jobs.busy)
    assert dialog.go.text() == "Export 40 tensors"
    assert dialog.what.itemText(dialog.what.count() - 1) == "All of the file: 40 tensors"
    dialog.what.setCurrentIndex(dialog.what.count() - 1)
    qtbot.waitUntil(lambda: not session.jobs.busy)
    assert dialog.go.text() == "Export 40 tensors"
    assert makers
    assert threading.get_ident() not in makers
    session.close()


def test_a_plan_that_is_not_needed_is_given_back_in_a_job(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letting_go, "MANY", 10)
    monkeypatch.setattr(letting_go, "AT_ONCE", 7)
    dialog = ExportDialog(session, load_theme("light"), "npz", tmp_path)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: not session.jobs.busy)
    tensors = session.root.tensors if session.root is not None else ()
    assert isinstance(tensors, IndexedTensors)
    assert len(tensors._held) == 40
    dialog.reject()
    qtbot.waitUntil(lambda: not session.jobs.busy)
    assert dialog.plan is None
    assert len(tensors._held) == 0
    session.close()


def test_very_many_tensors_do_not_hold_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "many.pth"
    path.write_bytes(checkpoint(30_000, "model.layers.{group}.experts.{row}.weight")[1])
    session = Session(path)
    session.open()
    qtbot.waitUntil(lambda: session.root is not None and not session.jobs.busy)

    def made() -> ExportDialog:
        dialog = ExportDialog(session, load_theme("light"), "state_dict", tmp_path)
        qtbot.addWidget(dialog)
        dialog.resize(1280, 800)
        return dialog

    def looked_through(dialog: ExportDialog) -> None:
        dialog.show()

        def count_of(tensors: str) -> None:
            qtbot.waitUntil(lambda: dialog.plan is not None and not session.jobs.busy)
            assert dialog.go.text() == f"Export {tensors} tensors"

        count_of("30,000")
        rule = dialog.names.add_rule()
        qtbot.keyClicks(rule.old, "model.layers")
        qtbot.keyClicks(rule.new, "blocks")
        count_of("30,000")
        cells = dialog.table.cells
        assert cells is not None
        assert cells.names.results[1] == "blocks.1.experts.1.weight"
        before = cells.names
        dialog.parts.tick("model.layers.3", on=False)
        count_of("27,500")
        cells = dialog.table.cells
        assert cells is not None
        # what was found of the same tensors is not looked for again
        assert cells.names.sizes is before.sizes
        assert cells.names.nbytes == 27_500 * 8
        dialog.reject()
        qtbot.waitUntil(lambda: not session.jobs.busy)
        assert dialog.table.cells is None

    least_stall(made, looked_through)
    session.close()
