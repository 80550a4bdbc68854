"""The text of a Python file that holds the classes of one module: a head of comments, imports, then the classes.

Whatever the model file states stands escaped in its comments: it can end no comment, and state no encoding, which
counts in the first two lines only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from viewer.core.code.hidden import hidden_marks
from viewer.core.code.texts import STORED, ClassText
from viewer.core.code.units import Unit
from viewer.core.code.wiring import Module
from viewer.wording import fill
from viewer.wording.made_files import COMMENTS

LONGEST: Final = 300
MOST_NAMES: Final = 200
LONGEST_LINE: Final = 120
_OTHERS: Final = ("import torch", "from torch", "import numpy", "from numpy")


def package_text() -> str:
    """The file of a package that holds no class."""
    return "\n".join((comment("made"), comment("package"), ""))


def module_text(module: Module, kept: Sequence[tuple[str, str, str]]) -> str:
    """The whole file. `kept`: name, path and reason of each text that could not be used."""
    parts = [comment(code) for code in ("made", "read-first", "when-saved")]
    parts += [] if module.is_whole else [comment("imports")]
    parts.append(comment("module", name=module.name))
    parts += [comment("kept", name=name, path=path, reason=reason) for name, path, reason in kept]
    if module.behind or module.before or module.late:
        parts.append(comment("later"))
    parts += imports(module)
    parts += lacking(module)
    for number, unit in enumerate(module.units):
        early = module.before.get(number, set())
        parts += ["", "", *merged(early), *([""] if early else []), *unit_lines(unit)]
    ends = [*merged(module.behind), *circular(module)]
    parts += ["", "", *ends] if ends else []
    return "\n".join(parts) + "\n"


def comment(code: str, **params: object) -> str:
    """One line of comment."""
    return "# " + fill(COMMENTS[code], {key: shown(value) for key, value in params.items()})


def shown(value: object) -> object:
    """A text of the model file on one line, with all that does not print escaped; numbers as they are."""
    if not isinstance(value, str):
        return value
    cut = value if len(value) <= LONGEST else value[:LONGEST] + "\u2026"
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in cut)


def imports(module: Module) -> Iterator[str]:
    """The imports at the head, in the usual three groups."""
    future = {name for unit in module.units for piece in unit.pieces for name in piece.future}
    if needs_late_annotations(module):
        future.add("annotations")
    if future:
        yield from ("", f"from __future__ import {', '.join(sorted(future))}")
    packages = {line for line in module.imports if line.startswith(_OTHERS)}
    for group in (module.imports - packages, packages, module.own_imports):
        if group:
            yield from ("", *merged(group))


def merged(lines: Iterable[str]) -> Iterator[str]:
    """Imports in order, those from one module in one line as long as it is short."""
    plain: list[str] = []
    names: dict[str, list[str]] = {}
    for line in sorted(lines):
        module, _, name = line.partition(" import ")
        if module.startswith("from ") and " as " not in name:
            names.setdefault(module, []).append(name)
        else:
            plain.append(line)
    yield from sorted(plain, key=lambda line: line.startswith("from"))
    for module, taken in names.items():
        line = f"{module} import {', '.join(taken)}"
        yield from [line] if len(line) <= LONGEST_LINE else [f"{module} import {name}" for name in taken]


def circular(module: Module) -> Iterator[str]:
    """What takes classes from modules that need this one, and hands over those that wait for its own.

    Where the other one was imported first it has no class yet when it is asked; it hands it over as it ends.
    """
    if module.late or module.awaited:
        yield "import sys"
    for place, names in sorted(module.late.items()):
        lines = merged(f"from {place} import {name}" for name in names)
        yield from ("", "try:", *(f"    {line}" for line in lines))
        yield from ("except ImportError:", f'    if "{place}" not in sys.modules:', "        raise")
    for place, names in sorted(module.awaited.items()):
        yield from ("", f'if "{place}" in sys.modules:')
        yield from (f'    sys.modules["{place}"].{name} = {name}' for name in sorted(names))


def needs_late_annotations(module: Module) -> bool:
    """True when an annotation names what is not there yet as the file is imported."""
    if module.lacking_annotations:
        return True
    given = {name for unit in module.units for name in unit.gives}
    given |= {line.rpartition(" ")[2] for line in module.behind}
    given |= {name for names in module.late.values() for name in names}
    for unit in module.units:
        if any(not given.isdisjoint(piece.needed.in_annotations) for piece in unit.pieces):
            return True
        given -= unit.gives
    return False


def lacking(module: Module) -> Iterator[str]:
    """The names that nothing gives, with how they are usually had."""
    lines = [
        comment(code, names=listed(names))
        for code, names in (
            ("missing-at-import", module.lacking_at_import),
            ("missing-later", module.lacking_later | (module.lacking_annotations - module.lacking_at_import)),
        )
        if names
    ]
    if lines:
        yield from ("", *lines, comment("found-perhaps" if module.hints else "found-nowhere"))
        yield from (f"# {line}" for line in sorted(module.hints))


def listed(names: Iterable[str]) -> str:
    """Names in one line, which are identifiers and print."""
    every = sorted(names)
    return ", ".join(every[:MOST_NAMES]) + (", \u2026" if len(every) > MOST_NAMES else "")


def unit_lines(unit: Unit) -> Iterator[str]:
    """The texts of a unit, then what joins nested classes to their outer ones."""
    inside = [origin(source) for source in unit.inside]
    for number, piece in enumerate(unit.pieces):
        yield from ("", "") if number else ()
        yield origin(piece.source)
        yield from inside if not number else ()
        yield from hidden(piece.text)
        yield piece.text.rstrip("\n")
    yield from joined(unit)


def origin(source: ClassText) -> str:
    """The comment that says where a text came from."""
    file = source.file if source.file is not None else COMMENTS["stored-no-file"]
    if source.origin != STORED:
        return comment(source.origin, name=source.name, file=file)
    span = source.span
    place = COMMENTS["stored-no-bytes"]
    if span is not None:
        place = fill(COMMENTS["stored-bytes"], {"start": span.start, "stop": span.stop})
    return comment("stored", name=source.name, file=file, bytes=place)


def hidden(text: str) -> Iterator[str]:
    """A comment on characters that an editor may not show, or that turn the writing direction."""
    marks = hidden_marks(text)
    count = sum(each.count for each in marks)
    if count:
        first = min(each.first for each in marks if each.count)
        point = f"U+{ord(text[first]):04X}"
        yield comment("hidden", count=count, character=point, line=text.count("\n", 0, first) + 1)


def joined(unit: Unit) -> Iterator[str]:
    """Outer classes that have no text, and nested classes put into theirs."""
    for name in unit.holders:
        outer, _, last = name.rpartition(".")
        if outer:
            facts = f'{{"__module__": __name__, "__qualname__": "{name}"}}'
            yield f'{outer}.{last} = type("{last}", (), {facts})'
        else:
            yield from ("", "", f"class {name}:", f'    """{COMMENTS["holder"]}"""', "")
    for place in unit.attached:
        name = place.rpartition(".")[2]
        yield from ("", f"{place} = {name}", f'{place}.__qualname__ = "{place}"', f"del {name}")
