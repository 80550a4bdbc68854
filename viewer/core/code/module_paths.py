"""Names of modules as paths of files: whatever a file states, they are identifiers, short, and stay in their folder."""

from __future__ import annotations

import hashlib
import keyword
import sys
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

MAIN: Final = "__main__"
MAIN_FILE: Final = "main_script"
LONGEST_PART: Final = 60
LONGEST_PATH: Final = 140
DEEPEST: Final = 12
_KEPT: Final = 40
# What torch itself imports by name as it is loaded.
_OF_TORCH: Final = (
    "filelock fsspec functorch jinja2 markupsafe mpmath networkx numpy packaging setuptools sympy torch torchgen "
    "triton typing_extensions yaml"
)
TAKEN: Final = frozenset({*sys.stdlib_module_names, *_OF_TORCH.split(), "as_stored"})
"""Top-level names that other modules go by: a file of that name would stand in their way."""
RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)
"""Names that Windows keeps for devices, with any suffix."""
_OWN: Final = frozenset({"__init__", "__main__", "__pycache__"})


@dataclass(slots=True)
class _Branch:
    """One part of the tree of modules. `name`: what it is called in the folder. `taken`: names of those below it."""

    name: str
    below: dict[str, _Branch] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)


class ModulePaths:
    """Gives each module its path. Two modules never share one, also where letters differ by case only."""

    def __init__(self, modules: Iterable[str]) -> None:
        self._root = _Branch("")
        self._found: dict[str, tuple[str, ...]] = {}
        split = {module: parts_of(module) for module in modules}
        # a name that can stay as it is goes before one that has to give way
        for module in sorted(split, key=lambda module: is_changed(module, split[module])):
            self._found[module] = self._place(module, split[module])

    def parts(self, module: str) -> tuple[str, ...]:
        """The path of a module, without a suffix. Only for the modules that were given."""
        return self._found[module]

    def _place(self, module: str, parts: list[str]) -> tuple[str, ...]:
        branch, found = self._root, list[str]()
        # `zoo.` has the same parts as `zoo` and is another module
        keys = parts if ".".join(parts) == module else [*parts[:-1], f"{module}."]
        for key, part in zip(keys, parts, strict=True):
            if key not in branch.below:
                name = unused(plain_part(part, branch is self._root), branch.taken)
                branch.below[key] = _Branch(name)
            branch = branch.below[key]
            found.append(branch.name)
        return tuple(found)


def is_changed(module: str, parts: list[str]) -> bool:
    """True when a module cannot have its own name as its path."""
    return ".".join(plain_part(part, not at) for at, part in enumerate(parts)) != module


def parts_of(module: str) -> list[str]:
    """The parts of a module's name that are not empty; one part for a name that is too long for a path."""
    if len(module) > LONGEST_PATH or module.count(".") >= DEEPEST:
        return [f"{shortened(module.rpartition('.')[2] or module)}_{digest(module)}"]
    return [part for part in module.split(".") if part] or ["unnamed"]


def plain_part(part: str, is_first: bool) -> str:
    """A part that Python can import and that any file system takes; the part itself where it is such a name."""
    if part == MAIN:
        return MAIN_FILE
    name = identifier(part)
    if len(name) > LONGEST_PART or len(name.encode()) > 2 * LONGEST_PART:
        name = f"{shortened(name)}_{digest(part)}"
    is_taken = name in _OWN or name.casefold() in RESERVED or keyword.iskeyword(name)
    return f"{name}_" if is_taken or (is_first and name in TAKEN) else name


def identifier(text: str) -> str:
    """The text with all that no identifier holds made `_`, as Python normalises names."""
    text = unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode("utf-8"))
    name = "".join(letter if f"_{letter}".isidentifier() else "_" for letter in text[: 4 * LONGEST_PART])
    return name if name.isidentifier() else f"_{name}"


def unused(name: str, taken: dict[str, int]) -> str:
    """The name, or with a number where it is taken; letters of another case are the same. It is taken from now on.

    `taken`: each name with the number that is tried next.
    """
    key = folded(name)
    number = taken.get(key, 1)
    found = name if number == 1 else f"{name}_{number}"
    while number > 1 and folded(found) in taken:
        number += 1
        found = f"{name}_{number}"
    taken[key] = max(number, 1) + 1
    taken.setdefault(folded(found), 2)
    return found


def folded(name: str) -> str:
    """What file systems that do not tell letters apart compare."""
    return unicodedata.normalize("NFKC", name.casefold())


def shortened(text: str) -> str:
    """The beginning of a long name, at most forty bytes."""
    return identifier(text).encode()[:_KEPT].decode("utf-8", "ignore")


def digest(text: str) -> str:
    """Eight letters that tell long names apart."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
