"""Objects of torch's own classes whose attributes changed since they were saved, and the code that mends them.

What today's class sets is known from a table; with its installed text also where the lacking attribute is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from viewer.core.code.findings import Finding, finding, listed
from viewer.core.code.held import Held
from viewer.core.code.init_chain import chain
from viewer.core.code.lineage import TORCH, Library, Lineage
from viewer.core.code.torch_history import Added, added
from viewer.core.code.torch_modules import (
    TorchClass,
    TorchName,
    Untold,
    missing_attributes,
    torch_class,
    torch_modules,
)
from viewer.core.problem import Severity

LONGEST_DEFAULT: Final = 200
_STATE: Final = "__setstate__"
# Methods that computing does not run.
_NOT_USED: Final = frozenset({"__init__", "__repr__", "extra_repr", "reset_parameters"})


def torch_findings(class_name: str, torch_name: str, held: Held, library: Library) -> list[Finding]:
    """What an object lacks of the attributes of one of torch's own classes: its own class, or a base of it."""
    known = torch_class(torch_name)
    if known is None or not held.is_module or not held.skips_init:
        return []
    missing = _written(torch_name, held)
    text = library.torch_text(torch_name) if missing else None
    lineage = None if text is None else library.lineage(text)
    found: list[Finding] = []
    others: dict[str, str] = {}
    for name, written in missing.items():
        fact = _history(torch_name, name)
        if fact is not None:
            code = "torch-attribute-filled" if fact.filled else "torch-attribute-since"
            fix = fix_code(known, {name: fact.value or written})
            params: dict[str, object] = {"name": name, "since": fact.since}
            found.append(finding(code, Severity.WARNING, class_name, TORCH, None, torch_name, fix, **params))
        elif lineage is not None:
            found += _read_later(class_name, known, name, written, lineage)
        elif not name.startswith("_"):
            others[name] = written
    if others:
        params = {"names": listed(list(others)), "version": torch_modules().torch}
        fix = fix_code(known, others)
        found.append(
            finding("torch-attributes-missing", Severity.NOTE, class_name, TORCH, None, torch_name, fix, **params)
        )
    return found


def _written(torch_name: str, held: Held) -> dict[str, str]:
    """The attributes that are lacking, with their defaults as Python writes them."""
    missing = missing_attributes(torch_name, held.names)
    written = {name: literal(default) for name, default in missing.items()}
    return {name: text for name, text in written.items() if text is not None}


def _read_later(class_name: str, known: TorchClass, name: str, written: str, lineage: Lineage) -> Iterator[Finding]:
    """Said only where today's text reads the attribute and does not set it while loading."""
    if name in chain(lineage, _STATE).expected or name in lineage.names:
        return
    reads = [
        (key != "forward", use.line, method.name, one.name)
        for one, key, method in lineage.methods()
        if (use := method.uses.get(name)) is not None and name not in method.guarded and key not in _NOT_USED
    ]
    if reads:
        _, line, reader, text_of = min(reads)
        params: dict[str, object] = {"name": name, "method": reader, "read_line": line}
        params["version"] = torch_modules().torch
        # what is private counts or caches something of this very object: no default fits it
        fix = "" if name.startswith("_") else fix_code(known, {name: written})
        yield finding("torch-attribute-read", Severity.WARNING, class_name, TORCH, line, text_of, fix, **params)


def _history(torch_name: str, attribute: str) -> Added | None:
    """Since which version torch sets an attribute of a class, or of a base of it."""
    known = torch_class(torch_name)
    names = [torch_name, *(known.bases if known is not None else ())]
    for name in names:
        fact = added(name.rpartition(".")[0], attribute)
        if fact is not None:
            return fact
    return None


def fix_code(known: TorchClass, defaults: Mapping[str, str]) -> str:
    """The lines that give attributes to all modules of a class that lack them."""
    people = known.alias or known.name
    lines = ["for module in model.modules():"]
    for name, written in defaults.items():
        lines.append(f'    if isinstance(module, {people}) and not hasattr(module, "{name}"):')
        lines.append(f"        module.{name} = {written}")
    return "\n".join(lines)


def literal(default: object) -> str | None:
    """A default as Python writes it; None where it cannot be written."""
    if isinstance(default, Untold):
        return None
    if isinstance(default, TorchName):
        return default.name
    text = json.dumps(default) if isinstance(default, str) else repr(default)
    return text if len(text) <= LONGEST_DEFAULT else None
