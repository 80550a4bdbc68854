"""What a file is, by its bytes and never by its name: a guess that costs a few reads.

The looks are tried in order, from what cannot be mistaken to what merely resembles; the first that knows
decides. A zip is named by its members, so its directory is read; nothing else needs more than the first
and the last bytes of a file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from viewer.core.formats.recognition.guess import HEAD, Guess, Sight
from viewer.core.formats.recognition.kinds import kind_of
from viewer.core.formats.recognition.messages import by_message
from viewer.core.formats.recognition.pickles import by_damaged_magic, by_legacy_further_on, by_legacy_magic, by_pickle
from viewer.core.formats.recognition.signatures import (
    by_inner_signature,
    by_lua,
    by_packing,
    by_safetensors,
    by_signature,
    by_zeros,
)
from viewer.core.formats.recognition.texts import by_markup, by_text
from viewer.core.formats.recognition.zips import by_tar, by_zip_end, by_zip_header, by_zip_signature, zip_kind
from viewer.core.source import ByteSource

__all__ = ["Guess", "kind_of", "recognise", "zip_kind"]

LOOKS: Final[tuple[Callable[[Sight], Guess | None], ...]] = (
    by_zip_signature,
    by_legacy_magic,
    by_tar,
    by_signature,
    by_packing,
    by_inner_signature,
    by_lua,
    by_safetensors,
    by_damaged_magic,
    by_markup,
    by_pickle,
    by_text,
    by_zip_end,
    by_zeros,
    by_message,
    by_legacy_further_on,
    by_zip_header,
)


def recognise(source: ByteSource) -> Guess:
    """The format of a source. Never fails on what the bytes say; raises SourceError when the device fails."""
    if source.size == 0:
        return Guess("empty")
    sight = Sight(source, source.read(0, HEAD))
    for look in LOOKS:
        guess = look(sight)
        if guess is not None:
            return guess
    return Guess("unknown")
