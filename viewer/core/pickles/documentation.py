"""What there is to know of each opcode, from `resources/opcodes.json`: form, stack, what it does, what to watch for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from viewer import resources

FILE: Final = "opcodes.json"


@dataclass(frozen=True, slots=True)
class Documentation:
    """One opcode. `argument`: its form in words, "" for none; `size`: its bytes, as `4`, `4 + n`, `line`, `2 lines`.

    `before`, `after`: what it takes from the stack and puts there, the top last; `any…` stands for any number.
    `does` and `watch` are whole sentences; `watch` may be empty.
    """

    name: str
    code: int
    protocol: int
    argument: str
    size: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    does: str
    watch: str


@cache
def documentation() -> Mapping[str, Documentation]:
    """All opcodes by name, in alphabetical order; read once."""
    rows = json.loads(resources.read_text(FILE))
    return MappingProxyType({row["name"]: _documentation(row) for row in rows})


def _documentation(row: dict[str, object]) -> Documentation:
    texts = {key: str(row[key]) for key in ("name", "argument", "size", "does", "watch")}
    before, after = (tuple(str(row[key]).split()) for key in ("before", "after"))
    return Documentation(
        code=int(str(row["code"]), 16), protocol=int(str(row["protocol"])), before=before, after=after, **texts
    )
