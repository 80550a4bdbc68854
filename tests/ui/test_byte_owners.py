"""What a byte is said to belong to: the element of a tensor, the opcode, the region."""

from pathlib import Path

import pytest

from viewer.core.tensors import window
from viewer.session.session import Session
from viewer.ui.models.byte_owners import more_of, owner_of

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"


@pytest.fixture
def session(qtbot):
    made = Session(SAMPLES / "checkpoint_adam.pt")
    with qtbot.waitSignal(made.jobs.idle):
        made.open()
    yield made
    made.close()


def test_a_byte_of_an_element_is_named_by_tensor_and_index(session):
    tensor = next(each for each in session.document.tensors if each.shape == (8, 1, 3, 3))
    span = window.element_offset(tensor, (2, 0, 1, 1))
    assert owner_of(session, span.start + 1) == f"{tensor.name}[2, 0, 1, 1], float32"
    value, region = more_of(session, span.start).split("\n")
    assert float(value.replace("\u2212", "-")) == pytest.approx(float(window.read(tensor, (2, 0, 1, 1))[()]))
    assert region.startswith("float32")


def test_other_bytes_by_their_opcode_or_region(session):
    pickle = session.document.pickles[0]
    start = pickle.shown(pickle.span()).start
    assert owner_of(session, start) == "PROTO 2"
    assert more_of(session, start) == ""
    assert owner_of(session, 0) == "checkpoint_adam/data.pkl"


def test_the_region_where_the_ties_are_not_made_yet(session, monkeypatch):
    tensor = session.document.tensors[0]
    monkeypatch.setattr("viewer.session.session.is_small", lambda document: False)
    session._links.clear()
    assert owner_of(session, window.span(tensor).start).startswith("float32")
