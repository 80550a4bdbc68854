"""Options of exports: what a form lets the person decide. The commands are made from these.

To add one: a constant here with the name of a field of `Wanted` as its key, that field, and the constant in `options`
of the exporters that follow it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from viewer.core.tensors.converted import TARGETS
from viewer.wording import QT_TRANSLATE_NOOP


class Kind(Enum):
    """What a person gives: nothing more, one of some words, or a number of bytes."""

    SWITCH = "switch"
    CHOICE = "choice"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `key`: of `Wanted`. `title`, `help`: English, marked for translation. `choices`: "" is the usual."""

    key: str
    kind: Kind
    title: str
    help: str
    choices: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """How it is typed."""
        return "--" + self.key.replace("_", "-")


SHARD_SIZE: Final = Option(
    "shard_size",
    Kind.BYTES,
    QT_TRANSLATE_NOOP("wording", "Bytes of tensors in a file"),
    QT_TRANSLATE_NOOP("wording", "safetensors in a folder of such files: 2GB"),
)
DTYPE: Final = Option(
    "dtype",
    Kind.CHOICE,
    QT_TRANSLATE_NOOP("wording", "Floating-point numbers as"),
    QT_TRANSLATE_NOOP("wording", "turn floating-point tensors into this type"),
    ("", *TARGETS),
)
COMPACT: Final = Option(
    "compact",
    Kind.SWITCH,
    QT_TRANSLATE_NOOP("wording", "Only the elements in use"),
    QT_TRANSLATE_NOOP("wording", "write only each tensor's own elements, where that takes less than their storage"),
)
KEEP_GRAD: Final = Option(
    "keep_grad",
    Kind.SWITCH,
    QT_TRANSLATE_NOOP("wording", "Keep requires_grad"),
    QT_TRANSLATE_NOOP("wording", "keep requires_grad as the file has it; state_dict() leaves it off"),
)
DEFLATE: Final = Option(
    "deflate",
    Kind.SWITCH,
    QT_TRANSLATE_NOOP("wording", "Compress"),
    QT_TRANSLATE_NOOP("wording", "compress the arrays; some readers of npz take only stored ones"),
)
NAMES_TABLE: Final = Option(
    "names_table",
    Kind.SWITCH,
    QT_TRANSLATE_NOOP("wording", "Table of names and types"),
    QT_TRANSLATE_NOOP(
        "wording",
        "write names, types in C, shapes and sizes as .names.json beside it, also where no name had to change",
    ),
)
