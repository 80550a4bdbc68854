"""What torch answered when it was asked to load a file with weights_only=True, or why it was not asked."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

TORCH_ANSWERS: Final[dict[str, str]] = {
    "loads": QT_TRANSLATE_NOOP("wording", "torch {version} loads it with weights_only=True."),
    "loads-on-cpu": QT_TRANSLATE_NOOP(
        "wording",
        'torch {version} loads it with weights_only=True and map_location="cpu". Without that it stops here: {reason}.',
    ),
    "no-file": QT_TRANSLATE_NOOP("wording", "torch was not asked: torch.load reads one file, and this is a folder."),
    "stops": QT_TRANSLATE_NOOP("wording", "torch {version} does not load it with weights_only=True: {reason}."),
    "torch-absent": QT_TRANSLATE_NOOP("wording", "torch was not asked: it is not installed here."),
    "torch-broken": QT_TRANSLATE_NOOP("wording", "torch could not be asked: it could not be started ({reason})."),
    "torch-died": QT_TRANSLATE_NOOP("wording", "torch gave no answer: its process ended before that ({reason})."),
    "torch-memory": QT_TRANSLATE_NOOP("wording", "torch gave no answer: it needed more than {limit} bytes of memory."),
    "torch-old": QT_TRANSLATE_NOOP(
        "wording",
        "torch was not asked: torch {version} is installed here, whose weights_only has holes. "
        "{needed} or later is needed.",
    ),
    "torch-silent": QT_TRANSLATE_NOOP("wording", "torch gave no answer within {seconds} seconds, and was stopped."),
}
AGREEMENT: Final[dict[bool, str]] = {
    True: QT_TRANSLATE_NOOP("wording", "That was predicted."),
    False: QT_TRANSLATE_NOOP("wording", "That was not predicted, which is a fault of Picklescope. Please report it."),
}
