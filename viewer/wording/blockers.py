"""What stops torch.load, one thing a line, without a full stop. The titles of `predictions` complete them."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

BLOCKERS: Final[dict[str, str]] = {
    "built": QT_TRANSLATE_NOOP("wording", "a state is given to {name}, which its reader does for few classes only"),
    "called": QT_TRANSLATE_NOOP("wording", "a call of what is no name: {name}"),
    "class-missing": QT_TRANSLATE_NOOP("wording", "stops where this cannot be imported: {name}"),
    "computed": QT_TRANSLATE_NOOP("wording", "the name is computed while loading: {name}"),
    "filled": QT_TRANSLATE_NOOP("wording", "{opcode} fills {name}: its reader fills plain dicts and lists only"),
    "name": QT_TRANSLATE_NOOP("wording", "a name that is not on its list: {name}"),
    "opcode": QT_TRANSLATE_NOOP("wording", "an opcode that its reader does not know: {name}"),
    "script": QT_TRANSLATE_NOOP("wording", "it takes no TorchScript archives"),
    "stored": QT_TRANSLATE_NOOP(
        "wording", "a class that stands beside its source, which its reader never takes: {name}"
    ),
    "tar": QT_TRANSLATE_NOOP("wording", "it takes no tar checkpoints"),
}
SHORT: Final[dict[str, str]] = {
    "built": QT_TRANSLATE_NOOP("wording", "given a state"),
    "called": QT_TRANSLATE_NOOP("wording", "called, and no name"),
    "class-missing": QT_TRANSLATE_NOOP("wording", "must be importable"),
    "computed": QT_TRANSLATE_NOOP("wording", "a computed name"),
    "filled": QT_TRANSLATE_NOOP("wording", "filled by {opcode}"),
    "name": QT_TRANSLATE_NOOP("wording", "not on its list"),
    "opcode": QT_TRANSLATE_NOOP("wording", "an opcode it lacks"),
    "stored": QT_TRANSLATE_NOOP("wording", "beside its source"),
}
"""The same behind the name that it is about, where there is little room."""
ANSWERS: Final[dict[str, str]] = {
    "depends": QT_TRANSLATE_NOOP("wording", "torch.load(weights_only=True) loads it on some computers"),
    "depends-running": QT_TRANSLATE_NOOP(
        "wording", "torch.load(weights_only=False) loads it on some computers, and runs what the file asks for"
    ),
    "no": QT_TRANSLATE_NOOP("wording", "torch.load(weights_only=True) does not load it"),
    "no-running": QT_TRANSLATE_NOOP("wording", "torch.load(weights_only=False) does not load it"),
    "yes": QT_TRANSLATE_NOOP("wording", "torch.load(weights_only=True) loads it"),
    "yes-running": QT_TRANSLATE_NOOP(
        "wording", "torch.load(weights_only=False) loads it, and runs what the file asks for"
    ),
}
"""By `Answer.code`."""
