"""The table of names beside an npz: `weights.names.json` for `weights.npz`.

    {"npz": "weights.npz",
     "arrays": [{"name", "member", "key", "path", "dtype", "checkpoint_dtype", "c_type", "suggestion", "shape",
                 "item_bytes", "bytes"}]}

`name`: as numpy and cnpy call the array; `member`: in the zip. `key`: its name in the checkpoint, `path`: the steps to
it from the root, as `inspect --json` writes them, so that the keys 1 and "1" are told apart. `dtype`: as written.
`c_type`: of one element in C++, null where it has none; `suggestion`: then the type to export it with (`--dtype`).

It is no member of the npz, because simple readers take every member for an array.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Final

from viewer.core.export.elements import written
from viewer.core.export.npz_names import SUFFIX
from viewer.core.export.plan import Beside, Item, Line, Plan
from viewer.core.progress import Progress
from viewer.core.source import printable
from viewer.core.tensors.path import to_json
from viewer.core.tensors.tensor import Tensor

ENDING: Final = ".names.json"
NPZ: Final = ".npz"
PER_ARRAY: Final = 600
"""About the bytes of an array in the table."""
C_TYPES: Final = {
    "float64": "double",
    "float32": "float",
    "bool": "bool",
    "complex128": "std::complex<double>",
    "complex64": "std::complex<float>",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
WIDER: Final = {"float16": "float32"}


def table_of(plan: Plan, path: Path) -> Beside | None:
    """The table that is written beside `path`: where a name had to change, and where it was asked for.

    The table of another export under that name is gone where this one needs none.
    """
    name = path.name[: -len(NPZ)] if path.suffix.lower() == NPZ else path.name
    beside = path.parent / (name + ENDING)
    facts = {"path": printable(str(beside)), "count": len(plan.renamed)}
    if plan.renamed or plan.content.names_table:
        code = "names-table" if plan.renamed else "names-table-asked"
        return Beside(beside, PER_ARRAY * len(plan.items), Line(code, facts))
    return Beside(beside, 0, Line("names-table-gone", facts), gone=True) if is_table(beside, path.name) else None


def is_table(path: Path, npz: str) -> bool:
    """True for a table that was written for an npz of that name."""
    start = beginning(npz)
    try:
        # a pipe would never be opened
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(start)) == start
    except (OSError, ValueError):
        return False


def beginning(npz: str) -> bytes:
    """What stands before the arrays."""
    return b'{"npz": ' + encoded(npz) + b', "arrays": ['


def table_text(plan: Plan, npz: str, progress: Progress) -> Iterator[bytes]:
    """The table in pieces, an array a line. Raises CancelledError."""
    yield beginning(npz)
    origins = Origins(plan)
    separator = b"\n"
    for item in plan.items:
        progress.check()
        yield separator + encoded(row(item, origins))
        separator = b",\n"
    yield b"\n]}\n"


def row(item: Item, origins: Origins) -> dict[str, object]:
    """What the table says of one array."""
    elements = written(item.tensor)
    item_bytes = elements.dtype.itemsize if elements is not None else 0
    return {
        "name": item.name,
        "member": item.name + SUFFIX,
        "key": origins.key(item),
        "path": to_json(origins.entry(item).path),
        "dtype": item.dtype,
        "checkpoint_dtype": origins.dtype(item),
        "c_type": C_TYPES.get(item.dtype),
        "suggestion": WIDER.get(item.dtype),
        "shape": item.tensor.shape,
        "item_bytes": item_bytes,
        "bytes": prod(item.tensor.shape) * item_bytes,
    }


def encoded(value: object) -> bytes:
    """JSON in UTF-8; lone surrogates as the escapes that JSON has for them."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")


class Origins:
    """Where the arrays of a plan come from: their names and types go back through all that changed them."""

    def __init__(self, plan: Plan) -> None:
        content = plan.content
        self._entries = dict(content.entries)
        self._conversion = content.conversion
        self._types = {one.name: one.source for one in content.converted}
        # the names of the form stand behind those that the choice itself changed
        self._given = {one.result: one.name for one in plan.renamed[len(content.renamed) :]}
        self._asked = {one.result: one.name for one in content.asked}
        self._chosen = {one.result: one.name for one in content.renamed}

    def name(self, item: Item) -> str:
        """The name that the array would have if every name were fine."""
        return self._given.get(item.name, item.name)

    def entry(self, item: Item) -> Tensor:
        """The tensor of the checkpoint, the whole one where the array is a part."""
        return self._entries.get(item.entry or self.name(item), item.tensor)

    def key(self, item: Item) -> str:
        """Its name in the checkpoint; of a part that of the whole, with what the part is called."""
        name = self.name(item)
        entry = item.entry or name
        key = self._asked.get(entry, entry)
        return self._chosen.get(key, key) + name.removeprefix(entry)

    def dtype(self, item: Item) -> str:
        """The type of its elements in the checkpoint."""
        tensor = item.tensor if item.entry else self.entry(item)
        source = self._types.get(item.entry or self.name(item))
        is_turned = self._conversion is not None and tensor.dtype == self._conversion.target
        return source if source is not None and is_turned else tensor.dtype
