"""Versions of modules in a session: worked out once, when they are asked for, and for the document that is shown."""

from __future__ import annotations

import pytest

from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from viewer.session.session import Session
from viewer.session.versions import VERSIONS


@pytest.fixture
def session(qtbot, tmp_path):
    path = tmp_path / "model.pt"
    tensors = {f"bn.{name}": full("float32", (3,), range(3)) for name in ("running_mean", "running_var")}
    path.write_bytes(torch_zip(state_dict(tensors, {"": 1, "bn": 1})))
    made = Session(path)
    with qtbot.waitSignal(made.jobs.idle):
        made.open()
    yield made
    made.close()


def test_nothing_is_worked_out_before_it_is_asked_for(session, qtbot):
    versions = session.versions
    tensor = session.document.tensors[0]
    assert versions.of(tensor.value) is None
    versions.look_at(session.document)
    assert not session.jobs.is_running(VERSIONS)
    assert versions.of(None) is None
    assert not session.jobs.is_running(VERSIONS)
    with qtbot.waitSignal(versions.changed):
        assert versions.of(tensor.value) is None
    found = versions.of(tensor.value)
    assert (found.path, found.stored, found.today) == ("bn", 1, 2)
    assert not session.jobs.is_running(VERSIONS)


def test_another_document_is_told_anew(session, qtbot):
    versions = session.versions
    versions.look_at(session.document)
    with qtbot.waitSignal(versions.changed):
        versions.of(session.document.tensors[0].value)
    with qtbot.waitSignal(versions.changed):
        versions.look_at(None)
    assert versions.of(session.document.tensors[0].value) is None
