"""The code that TorchScript archives store, as text: its classes and functions, and which tensors are parameters.

Only lines are looked at, with expressions that cannot run long; nothing is compiled or run. A class of TorchScript
names its parameters and buffers in its first lines:

    class Net(Module):
      __parameters__ = ["weight", "bias", ]
      __buffers__ = ["mean", ]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.span import Span

ROOT: Final = "__torch__"
PYTHON: Final = ".py"
MOST_UNITS: Final = 100_000
MOST_NAMES: Final = 100_000
_START: Final = re.compile(r"^(?:class|def) +([^\s(:]{1,1000})", re.MULTILINE)
_LIST: Final = re.compile(r"^ {1,8}(__parameters__|__buffers__) = \[(.*)\]$", re.MULTILINE)
_TEXT: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_END: Final = re.compile(r"^[^\s#)\]}]", re.MULTILINE)
_CLASS: Final = "class"


@dataclass(frozen=True, slots=True)
class ScriptClass:
    """What the code says of a class. `buffers`: None where the version that wrote it did not tell them."""

    parameters: frozenset[str]
    buffers: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Unit:
    """A class or function of a code file. Offsets count characters of the file's text."""

    name: str
    is_class: bool
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class CodeFile:
    """One stored file. `module`: its dotted name. `path`: name of the member `record` below the archive's folder.

    `place`: its bytes in the document's source, None where they are deflated.
    """

    module: str
    path: str
    record: str
    text: str
    place: Span | None


def module_of(record: str, folder: str) -> str:
    """The module of a code file: `code/__torch__/nets.py` is `__torch__.nets`."""
    return record.removeprefix(folder).removesuffix(PYTHON).replace("/", ".")


def units(text: str) -> list[Unit]:
    """The classes and functions of a file, in its order, each up to the next one."""
    starts = [(match.start(), match[1], match[0].startswith(_CLASS)) for match in _found(_START, text, MOST_UNITS)]
    found: list[Unit] = []
    for number, (start, name, is_class) in enumerate(starts):
        stop = starts[number + 1][0] if number + 1 < len(starts) else len(text)
        found.append(Unit(name, is_class, start, stop))
    return found


def script_classes(files: Iterable[CodeFile]) -> dict[str, ScriptClass]:
    """What the files say of each class, by its qualified name; of a class that stands twice the first one counts."""
    found: dict[str, ScriptClass] = {}
    for file in files:
        for unit in units(file.text):
            if unit.is_class:
                found.setdefault(f"{file.module}.{unit.name}", _declared(file.text[unit.start : unit.stop]))
    return found


def _declared(text: str) -> ScriptClass:
    lists: dict[str, frozenset[str]] = {}
    for match in _found(_LIST, text, 2):
        names = (name[1].replace('\\"', '"').replace("\\\\", "\\") for name in _found(_TEXT, match[2], MOST_NAMES))
        lists.setdefault(match[1], frozenset(names))
    return ScriptClass(lists.get("__parameters__", frozenset()), lists.get("__buffers__"))


def script_sources(files: Iterable[CodeFile]) -> list[EmbeddedSource]:
    """Each class and function of the files as a stored source; a file without any is one by itself.

    What stands before the first one belongs to it.
    """
    found: list[EmbeddedSource] = []
    for file in files:
        found += _sources(file)
        if len(found) >= MOST_UNITS:
            break
    return found[:MOST_UNITS]


def _sources(file: CodeFile) -> Iterator[EmbeddedSource]:
    parts = units(file.text)
    if not parts and file.text.strip():
        yield whole_source(file)
    if parts:
        parts[0] = replace(parts[0], start=0)
    yield from _placed(file, parts)


def class_sources(file: CodeFile) -> list[EmbeddedSource]:
    """The classes of a Python file that stand in no other one, each with its text alone."""
    found: list[Unit] = []
    for unit in units(file.text):
        if unit.is_class:
            end = _END.search(file.text, file.text.find("\n", unit.start, unit.stop) + 1 or unit.stop, unit.stop)
            found.append(unit if end is None else replace(unit, stop=end.start()))
    return list(_placed(file, found))


def _placed(file: CodeFile, parts: Iterable[Unit]) -> Iterator[EmbeddedSource]:
    """Parts of a file, in its order, as stored sources. Spans count bytes, so what is no ASCII is encoded, once."""
    is_plain = file.text.isascii()
    encoded, at = 0, 0
    for unit in parts:
        text = file.text[unit.start : unit.stop]
        encoded += unit.start - at if is_plain else len(file.text[at : unit.start].encode("utf-8", "surrogateescape"))
        at = unit.start
        length = len(text) if is_plain else len(text.encode("utf-8", "surrogateescape"))
        start = None if file.place is None else file.place.start + encoded
        span = None if start is None else Span(start, start + length)
        name = f"{file.module}.{unit.name}"
        yield EmbeddedSource(name, file.path, text, span, None, file.module, unit.name, file.record)


def whole_source(file: CodeFile) -> EmbeddedSource:
    """A file as one stored source, under the name of its module."""
    return EmbeddedSource(file.module, file.path, file.text, file.place, None, file.module, "", file.record)


def _found(pattern: re.Pattern[str], text: str, most: int) -> Iterator[re.Match[str]]:
    for number, match in enumerate(pattern.finditer(text)):
        if number >= most:
            return
        yield match
