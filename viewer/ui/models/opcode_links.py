"""From an opcode to those that belong to it: PUT and GET of a slot, MARK and FRAME and their ends, makers, uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from viewer.core.document import Pickle
from viewer.core.pickles.effects import Effects
from viewer.core.pickles.memo import PUTS
from viewer.core.pickles.opcodes import OPCODES
from viewer.core.tensors.tensor import ValueRef
from viewer.session.session import Session
from viewer.ui.actions import ACTIONS

PUT, GET, MARK, MAKER = "go.memo_put", "go.memo_get", "go.mark", "go.maker"
USES, IMPORT = "go.uses", "go.import"
LINKS: Final = {spec.id: spec for spec in ACTIONS if spec.id in (PUT, GET, MARK, MAKER, USES, IMPORT)}
"""The commands of these links, by id. USES and IMPORT are carried out by panes."""

ORIGIN: Final = "link"
"""No pane's key: all panes follow, also the one that was asked."""


def targets(effects: Effects, opcode: int) -> dict[str, int]:
    """Where each command leads from an opcode; those that lead nowhere are left out."""
    store = effects.store_of(opcode)
    ends = (effects.mark_of(opcode), effects.mark_end(opcode), effects.frame_end(opcode))
    found = {
        PUT: store if store != opcode else -1,
        GET: effects.next_use(opcode),
        MARK: max(ends),
        MAKER: effects.maker(opcode),
    }
    return {name: target for name, target in found.items() if target >= 0}


def selected(session: Session) -> tuple[Pickle, int] | None:
    """The opcode that is selected, and its pickle."""
    place, document = session.selection.opcode, session.document
    if place is None or document is None or place.pickle >= len(document.pickles):
        return None
    return document.pickles[place.pickle], place.value


def commands(session: Session) -> Mapping[str, Callable[[], None]]:
    """The commands that lead on from the selected opcode."""
    found = selected(session)
    if found is None:
        return {}
    pickle, opcode = found
    return {
        name: partial(session.select_opcode, ValueRef(pickle.index, target), ORIGIN)
        for name, target in targets(Effects(pickle.values), opcode).items()
    }


def has_uses(byte: int) -> bool:
    """True for an opcode that makes or stores something, or reads a slot."""
    return byte in PUTS or OPCODES[byte].writes


def topic(session: Session) -> str:
    """What the help says of the selected opcode: the page and its entry."""
    found = selected(session)
    return f"opcodes/{found[0].code.name(found[1])}" if found is not None else "opcodes"


def can_list_uses(session: Session) -> bool:
    """True where the selected opcode has uses to be listed."""
    found = selected(session)
    return found is not None and has_uses(int(found[0].code.codes[found[1]]))


def names_import(session: Session) -> bool:
    """True where the selected opcode names, reads back or calls what a row of Imports tells of."""
    found = selected(session)
    return found is not None and Effects(found[0].values).named(found[1]) >= 0
