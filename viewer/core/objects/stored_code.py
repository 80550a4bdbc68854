"""Functions and code objects that dill and cloudpickle store: which name, file and line each had. Nothing is built.

A code object's arguments differ by the version of Python; behind its three tuples (constants, names, variables) there
are always file, name, in newer ones the qualified name, and the first line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.objects.names import called
from viewer.core.pickles.values import Kind, Values

MAKERS: Final = frozenset({"_create_function", "_make_function", "_make_skel_func", "FunctionType", "_fill_function"})
CODES: Final = frozenset({"_create_code", "CodeType", "_make_code"})
BUILTIN_TYPES: Final = frozenset({"_builtin_type", "_load_type"})
PACKAGES: Final = ("cloudpickle", "dill", "types")
TUPLES: Final = 3
DEEPEST: Final = 4
LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class StoredCode:
    """What is told of a function, or of a bare code object. `name`, `file`: ""; `line`: None where it is not told."""

    is_function: bool
    name: str
    file: str
    line: int | None

    @property
    def place(self) -> str:
        """`net.py:24`, as far as it is told."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    @property
    def words(self) -> str:
        """In English: `function forward of net.py:24`."""
        kind = "function" if self.is_function else "code object"
        named = f"{kind} {self.name}".strip()
        return f"{named} of {self.place}" if self.place else named


def stored_code(values: Values, value: int, encoding: str = "utf-8", depth: int = 0) -> StoredCode | None:
    """The function or the code object that a call would make; None for all else."""
    if values.kind(value) is not Kind.CALL or depth > DEEPEST:
        return None
    if _makes(values, value, CODES) or _is_code_type(values, values.callee(value)):
        return _code(values, values.arguments(value), encoding)
    if not _makes(values, value, MAKERS):
        return None
    arguments = values.arguments(value)
    inner = next((found for one in arguments[:2] if (found := stored_code(values, one, encoding, depth + 1))), None)
    given = values.text(arguments[2], encoding) if len(arguments) > 2 else None
    if inner is None:
        return StoredCode(True, (given or "")[:LONGEST], "", None)
    return StoredCode(True, (given or inner.name)[:LONGEST], inner.file, inner.line)


def _makes(values: Values, value: int, names: frozenset[str]) -> bool:
    module, _, name = called(values, value).rpartition(".")
    return name in names and module.partition(".")[0] in PACKAGES


def _is_code_type(values: Values, callee: int) -> bool:
    """True for what a call gives that looks up the type of code objects by its name."""
    if callee < 0 or values.kind(callee) is not Kind.CALL or not _makes(values, callee, BUILTIN_TYPES):
        return False
    return any(values.text(one) == "CodeType" for one in values.arguments(callee)[:1])


def _code(values: Values, arguments: Sequence[int], encoding: str) -> StoredCode:
    tuples = [at for at, one in enumerate(arguments) if values.kind(one) is Kind.TUPLE]
    behind = arguments[tuples[TUPLES - 1] + 1 :] if len(tuples) >= TUPLES else []
    texts: list[str] = []
    for one in behind:
        text = values.text(one, encoding)
        if text is None:
            return StoredCode(False, *_named(texts), values.integer(one))
        texts.append(text)
    return StoredCode(False, *_named(texts), None)


def _named(texts: list[str]) -> tuple[str, str]:
    """Name and file; the qualified name where there is one."""
    return (texts[-1][:LONGEST] if len(texts) > 1 else ""), (texts[0][:LONGEST] if texts else "")
