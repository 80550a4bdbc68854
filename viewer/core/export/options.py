"""Options of exports: what a form lets the person decide. The window and the commands are made from these.

To add one: a constant here with the name of a field of `Wanted` as its key, that field, and the constant in `options`
of the exporters that follow it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

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
