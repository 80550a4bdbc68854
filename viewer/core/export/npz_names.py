r"""Names of arrays in an npz that every reader, file system and unpacker takes, none of them twice.

The rule. A name that is fine stays as it is; of any other, in this order:

 1. `< > : " | ? * \` and all that cannot be printed become `_`; lone surrogates, which UTF-8 lacks, `_ud800`.
 2. Parts between slashes that are empty or `.` go. Dots and blanks at the end of a part become `_`, so `..` is `__`.
 3. What Windows calls a device gets a `_` behind the part before its first dot: `aux.weight` is `aux_.weight`.
    A folder that ends in `.npy` gets a `_`, so that it is never the file of another array.
 4. More than 200 bytes of UTF-8 are cut to 191, with `_` and 8 digits of the whole name's SHA-256 behind them. That
    leaves a folder 60 of the 260 characters that programs on Windows take.
 5. Nothing left: `unnamed`.
 6. Names that are the same to a reader that is blind to case or to how accents are composed, and those that numpy takes
    for one (`w` and `w.npy`), are told apart by `_2`, `_3` and so on. Names that are fine come first.

`file` and `allow_pickle` stay: they are parameters of numpy.savez, but all readers take them as names.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from viewer.core.progress import Progress

SUFFIX: Final = ".npy"
LONGEST: Final = 200
HASH: Final = 8
UNNAMED: Final = "unnamed"
DEVICES: Final = frozenset(
    {
        *("con", "prn", "aux", "nul", "conin$", "conout$"),
        *(f"{port}{number}" for port in ("com", "lpt") for number in "0123456789\u00b9\u00b2\u00b3"),
    }
)
"""What Windows opens as a device whatever follows behind a dot."""
FORBIDDEN: Final = frozenset('<>:"|?*\\')
SIMPLE: Final = re.compile(r"[A-Za-z0-9_\-](?:[A-Za-z0-9_\-.]{0,190}[A-Za-z0-9_\-])?")
"""Most names of tensors: one part, nothing to change but the name of a device."""


def member_names(names: Sequence[str], progress: Progress) -> list[str]:
    """The name of each array without `.npy`, by the rule above; `names` are all of an npz. Raises CancelledError."""
    taken = Taken()
    found: dict[int, str] = {}
    changed: list[tuple[int, str]] = []
    for at, name in enumerate(names):
        progress.check()
        safe = safe_name(name)
        if safe == name and taken.take(name):
            found[at] = name
        else:
            changed.append((at, safe))
    for at, safe in changed:
        progress.check()
        found[at] = taken.numbered(safe)
    return [found[at] for at in range(len(names))]


class Taken:
    """The names given up to now, as readers see them that tell as few apart as any does."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._following: dict[str, int] = {}

    def take(self, name: str) -> bool:
        """False where the name cannot be told from one that was given."""
        seen = folded(name)
        # numpy finds an array by its name with and without the suffix
        if not self._names.isdisjoint((seen, seen + SUFFIX, seen.removesuffix(SUFFIX))):
            return False
        self._names.add(seen)
        return True

    def numbered(self, safe: str) -> str:
        """The name, with a number where that is needed."""
        seen = folded(safe)
        number = self._following.get(seen, 1)
        found = safe if number == 1 else f"{safe}_{number}"
        while not self.take(found):
            number += 1
            found = f"{safe}_{number}"
        self._following[seen] = number + 1
        return found


def folded(name: str) -> str:
    """What is left of a name without case and without the ways to compose accents."""
    if name.isascii():
        return name.lower()
    # both ways, because some systems compare capitals and others small letters
    plain = unicodedata.normalize("NFD", name).upper().casefold()
    return unicodedata.normalize("NFD", plain)


def safe_name(name: str) -> str:
    """The name by the rule above, but for the numbers of those that are the same."""
    if SIMPLE.fullmatch(name) and name.partition(".")[0].lower() not in DEVICES:
        return name
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    text = "".join("_" if char in FORBIDDEN or not char.isprintable() else char for char in text)
    parts = [safe_part(part) for part in text.split("/") if part not in ("", ".")]
    folders = [f"{part}_" if folded(part).endswith(SUFFIX) else part for part in parts[:-1]]
    return shortened("/".join([*folders, *parts[-1:]]), name) or UNNAMED


def safe_part(part: str) -> str:
    """One part of a path: no dots or blanks at its end, no device of Windows."""
    kept = part.rstrip(". ")
    part = kept + "_" * (len(part) - len(kept))
    stem, dot, rest = part.partition(".")
    return f"{stem}_{dot}{rest}" if stem.rstrip(" ").lower() in DEVICES else part


def shortened(text: str, name: str) -> str:
    """The text where it is short enough, else its beginning and a hash of the whole name."""
    data = text.encode()
    if len(data) <= LONGEST:
        return text
    beginning = data[: LONGEST - HASH - 1].decode("utf-8", "ignore").rstrip(". /")
    return f"{beginning}_{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:HASH]}"
