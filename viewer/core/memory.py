"""The memory that the person allows, shared out to what takes some for its comfort: caches, blocks, copies, children.

Each of them has a usual budget of its own, beside which it was measured. Below the usual limit all shrink alike; above
it only what can need more grows, as torch in its process.
"""

from __future__ import annotations

from typing import Final

MIB: Final = 1024 * 1024
USUAL: Final = 4096 * MIB


class _Allowed:
    """What holds now, in bytes; None where nobody set a limit, as on the command line."""

    nbytes: int | None = None


def allow(nbytes: int | None) -> None:
    """The person's limit, from now on."""
    _Allowed.nbytes = nbytes


def limit() -> int:
    """Bytes that are allowed, the usual ones where nobody set a limit."""
    return USUAL if _Allowed.nbytes is None else _Allowed.nbytes


def room(each: int) -> int | None:
    """How many things of `each` bytes may be held; None where nobody set a limit."""
    return None if _Allowed.nbytes is None else _Allowed.nbytes // each


def share(usual: int, least: int = 1) -> int:
    """What of a budget is allowed, in its own unit: all of it at the usual limit and above, in proportion below."""
    return min(usual, max(least, usual * limit() // USUAL))
