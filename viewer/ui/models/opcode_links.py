"""From an opcode to those that belong to it: PUT and GET of one memo slot, MARK and the opcode that takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from viewer.core.pickles.effects import Effects
from viewer.core.tensors.tensor import ValueRef
from viewer.session.session import Session
from viewer.ui.actions import ACTIONS

PUT, GET, MARK = "go.memo_put", "go.memo_get", "go.mark"
LINKS: Final = {spec.id: spec for spec in ACTIONS if spec.id in (PUT, GET, MARK)}
"""The commands of these links, by id."""

ORIGIN: Final = "link"
"""No pane's key: all panes follow, also the one that was asked."""


def targets(effects: Effects, opcode: int) -> dict[str, int]:
    """Where each command leads from an opcode; those that lead nowhere are left out."""
    store = effects.store_of(opcode)
    mark = effects.mark_of(opcode)
    found = {
        PUT: store if store != opcode else -1,
        GET: effects.next_use(opcode),
        MARK: mark if mark >= 0 else effects.mark_end(opcode),
    }
    return {name: target for name, target in found.items() if target >= 0}


def commands(session: Session) -> Mapping[str, Callable[[], None]]:
    """The commands that lead on from the selected opcode."""
    place, document = session.selection.opcode, session.document
    if place is None or document is None or place.pickle >= len(document.pickles):
        return {}
    found = targets(Effects(document.pickles[place.pickle].values), place.value)
    return {
        name: partial(session.select_opcode, ValueRef(place.pickle, target), ORIGIN) for name, target in found.items()
    }
