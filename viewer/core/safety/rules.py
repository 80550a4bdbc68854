"""How a name is rated: dangerous, unknown or known, and why. What no list and no rule knows is unknown, never known.

`rate` judges a name by itself. What is done with it (changed, its result called, given to getattr) comes from `report`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from viewer.core.objects.names import mapped
from viewer.core.safety import names
from viewer.core.safety.accepted import is_accepted
from viewer.core.safety.listed import lists
from viewer.wording import fill
from viewer.wording.imports import IMPORT_REASONS

LONGEST: Final = 300
MOST_PARTS: Final = 32


class Severity(StrEnum):
    """What a name is held to be. The worst first."""

    DANGEROUS = "dangerous"
    UNKNOWN = "unknown"
    KNOWN = "known"


ORDER: Final = {Severity.DANGEROUS: 0, Severity.UNKNOWN: 1, Severity.KNOWN: 2}
_SEVERITIES: Final[dict[str, Severity]] = {
    **dict.fromkeys(("dotted", "extension-code", "getattr", "getter", "loads-bytes", "partial"), Severity.UNKNOWN),
    **dict.fromkeys(("script-class", "unlisted"), Severity.UNKNOWN),
    **dict.fromkeys(("accepted", "listed-known", "numpy", "python-type", "torch-class"), Severity.KNOWN),
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a name has its severity. `code`: of the sentence in `wording.imports`, which `params` fill."""

    code: str
    params: dict[str, object] = field(default_factory=dict)

    @property
    def severity(self) -> Severity:
        """Dangerous, unless the code is one of those that are not."""
        return _SEVERITIES.get(self.code, Severity.DANGEROUS)

    @property
    def text(self) -> str:
        """The sentence, in English."""
        return fill(IMPORT_REASONS[self.code], self.params)


def rate(module: str, name: str, protocol: int) -> Reason:
    """The reason that weighs most for one name as written in a pickle of that protocol."""
    found = _dangerous(module, name)
    python3 = mapped(module, name, protocol)
    if found is None and python3 != (module, name):
        module, name = python3
        found = _dangerous(module, name)
    return found or _harmless(module, name) or _unknown(module, name)


def _dangerous(module: str, name: str) -> Reason | None:
    full = f"{module}.{name}"
    if full in names.HOLDERS:
        return None
    if names.is_hidden(full):
        return Reason("hidden-name", {"name": _short(name)})
    if name in names.GRABBED and module.rpartition(".")[2] != name:
        return Reason("names-module", {"name": name})
    by_list = _listed(module, name)
    if by_list is not None:
        return by_list
    if names.reaches_out(full):
        return Reason("reaches-out")
    if names.makes_code(full):
        return Reason("makes-code")
    if names.loads_files(full):
        return Reason("loads-files")
    return _dotted(module, name) if "." in name else None


def _listed(module: str, name: str) -> Reason | None:
    """What picklescan's list of dangerous names says."""
    kept = lists()
    names_of = kept.unsafe.get(module)
    if names_of is not None and name in names_of:
        return Reason("listed")
    whole = kept.listed_module(module)
    return Reason("listed-module", {"name": whole}) if whole else None


def _dotted(module: str, name: str) -> Reason | None:
    """Whether a dotted name leads to something dangerous, through a module that the first one holds."""
    parts = name.split(".", MOST_PARTS)
    if len(parts) > MOST_PARTS:
        # No class stands that deep; what looks at all its parts would take too long.
        return Reason("dotted-reach", {"name": _short(name)})
    for at in range(len(parts) - 1):
        # The attribute may be a module of its own, or one below the module that is named.
        head, tail = parts[at], ".".join(parts[at + 1 :])
        below = ".".join([module, *parts[: at + 1]])
        for start in (head, below):
            reaches = names.reaches_out(f"{start}.{tail}") and f"{start}.{tail}" not in names.HOLDERS
            if reaches or names.loads_files(f"{start}.{tail}") or lists().is_unsafe(start, tail):
                return Reason("dotted-reach", {"name": _short(f"{head}.{tail}")})
    return None


def _harmless(module: str, name: str) -> Reason | None:
    full = f"{module}.{name}"
    if is_accepted(module, name):
        return Reason("accepted")
    if names.is_plain_type(full):
        return Reason("python-type")
    if names.is_of_numpy(full):
        return Reason("numpy")
    if names.is_of_torch(full):
        return Reason("torch-class")
    return Reason("listed-known") if lists().is_safe(module, name) else None


def _unknown(module: str, name: str) -> Reason:
    full = f"{module}.{name}"
    if full in names.LOADS_BYTES:
        return Reason("loads-bytes")
    if full in names.GETTERS:
        return Reason("getter")
    if module == names.SCRIPT or module.startswith(f"{names.SCRIPT}."):
        return Reason("script-class")
    return Reason("dotted", {"name": _short(name)}) if "." in name else Reason("unlisted")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
