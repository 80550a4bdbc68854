"""The tuple of panes and the classes that it names."""

from __future__ import annotations

from viewer.ui.pane import Pane
from viewer.ui.panes import PANES


def test_each_pane_is_found_where_it_is_said_to_stand_and_has_its_key() -> None:
    found = {pane.key: pane.load() for pane in PANES}
    assert all(issubclass(kind, Pane) for kind in found.values())
    assert {key: kind.key for key, kind in found.items()} == {key: key for key in found}
    assert len(found) == len(PANES)
