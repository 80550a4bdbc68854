"""What is loaded only when it is first called, so that the window is up before the code that reads files.

A module that needs another one late names it twice: for the type checker and import-linter, and for the program.

    if TYPE_CHECKING:
        from viewer.core.opening import open_document
    else:
        (open_document,) = late("viewer.core.opening", "open_document")

Only what is called can be named so: functions, and classes of which nothing but objects is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any


class Late:
    """One name of a module. Calling it loads the module, where that was not done before."""

    __slots__ = ("_module", "_name")

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return getattr(import_module(self._module), self._name)(*arguments, **named)


def late(module: str, names: str) -> tuple[Late, ...]:
    """Stand-ins for names of a module, given with spaces between them, in their order."""
    return tuple(Late(module, name) for name in names.split())


def made(package: str, names: Iterable[str]) -> tuple[Any, ...]:
    """One object of each class of a package's files, named as `file:Class`. Loads them now."""
    found = []
    for text in names:
        module, _, name = text.partition(":")
        found.append(getattr(import_module(f"{package}.{module}"), name)())
    return tuple(found)
