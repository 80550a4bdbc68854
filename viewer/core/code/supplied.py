"""A .py file that a person picked: read, decoded as Python would, and looked through for classes. Never imported."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from viewer.core.code.class_facts import ClassFacts, class_facts
from viewer.core.code.files import SUPPLIED, ClassText
from viewer.core.code.python_text import MOST_CHARACTERS, Fault, Tree, dotted, members, parse
from viewer.core.code.text_lines import lines_of
from viewer.core.errors import ViewerError
from viewer.core.source import FileSource

MOST_BYTES: Final = 5 * 1024 * 1024
MOST_CLASSES: Final = 5000
_DEEPEST: Final = 20
_COOKIE: Final = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK: Final = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_BOM: Final = b"\xef\xbb\xbf"
# Only these are decoded: looking up a codec by the name that a file states would import a module by it.
_ENCODINGS: Final = {
    **dict.fromkeys(("utf-8", "utf8", "u8", "utf", "utf-8-sig", "utf-8-unix"), "utf-8"),
    **dict.fromkeys(
        ("latin-1", "latin1", "iso-8859-1", "iso8859-1", "l1", "iso-latin-1", "iso-latin-1-unix"), "latin-1"
    ),
    **dict.fromkeys(("ascii", "us-ascii", "646"), "ascii"),
    **dict.fromkeys(("iso-8859-15", "iso8859-15", "latin-9", "latin9"), "iso8859-15"),
    **dict.fromkeys(("iso-8859-2", "iso8859-2", "latin-2", "latin2"), "iso8859-2"),
    **dict.fromkeys(("cp1250", "windows-1250"), "cp1250"),
    **dict.fromkeys(("cp1251", "windows-1251"), "cp1251"),
    **dict.fromkeys(("cp1252", "windows-1252"), "cp1252"),
    **dict.fromkeys(("koi8-r", "koi8r"), "koi8-r"),
    **dict.fromkeys(("gbk", "cp936", "gb2312", "euc-cn"), "gbk"),
    "gb18030": "gb18030",
    **dict.fromkeys(("big5", "cp950"), "big5"),
    **dict.fromkeys(("shift-jis", "shiftjis", "sjis"), "shift_jis"),
    **dict.fromkeys(("cp932", "ms932"), "cp932"),
    **dict.fromkeys(("euc-jp", "eucjp"), "euc_jp"),
    **dict.fromkeys(("euc-kr", "euckr"), "euc_kr"),
    **dict.fromkeys(("cp949", "uhc"), "cp949"),
}


@dataclass(frozen=True, slots=True)
class SuppliedClass:
    """One class of a file. `line`: where its text begins in the file; `text`: its own lines, as they stand there."""

    qualname: str
    line: int
    text: str
    facts: ClassFacts | Fault


@dataclass(frozen=True, slots=True, eq=False)
class SuppliedFile:
    """A file that is valid Python. `imports`: what its names stand for (`nn` -> `torch.nn`).

    `classes`: by their name within the file (`Outer.Inner`). `defined`: names of its top level. `has_star`: it
    imports names that cannot be told.
    """

    path: Path
    text: str
    classes: Mapping[str, SuppliedClass]
    imports: Mapping[str, str]
    defined: frozenset[str]
    has_star: bool

    def class_text(self, module: str, qualname: str) -> ClassText | None:
        """The text of a class of the pickle, found by its name within the module; None where the file has none."""
        held = self.classes.get(qualname)
        if held is None:
            return None
        name = f"{module}.{qualname}" if module else qualname
        return ClassText(name, module, qualname, held.text, SUPPLIED, str(self.path))


def read_supplied(path: Path) -> SuppliedFile:
    """Read a file of at most 5 MB. Raises ViewerError, whose sentence says what is wrong and in which line.

    SourceError where it cannot be read at all.
    """
    source = FileSource(path)
    try:
        if source.size > MOST_BYTES:
            raise ViewerError("python-too-large", path=str(path), size=source.size, limit=MOST_BYTES)
        data = source.read(0, source.size)
    finally:
        source.close()
    return supplied_file(path, data)


def supplied_file(path: Path, data: bytes) -> SuppliedFile:
    """The file of some bytes. Raises ViewerError."""
    text = _decoded(path, data)
    tree = parse(text)
    if isinstance(tree, Fault):
        raise _failure(path, tree, text)
    imports, defined, has_star = _names(tree)
    added = _added(tree)
    try:
        classes = {found.qualname: found for found in _classes(tree, lines_of(text), added)}
    except RecursionError:
        raise _failure(path, Fault("too-deep"), text) from None
    return SuppliedFile(path, text, classes, imports, defined, has_star)


def _failure(path: Path, fault: Fault, text: str) -> ViewerError:
    if fault.code == "too-large":
        return ViewerError("python-too-large", path=str(path), size=len(text), limit=MOST_CHARACTERS)
    return ViewerError(f"python-{fault.code}", path=str(path), line=fault.line, reason=fault.reason)


def _decoded(path: Path, data: bytes) -> str:
    """The text by its byte order mark or its coding line, else UTF-8."""
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise ViewerError("python-not-text", path=str(path), line=line)
    marked = data.startswith(_BOM)
    body = data[len(_BOM) :] if marked else data
    stated = None if marked else _coding(body)
    encoding = "utf-8" if stated is None else _ENCODINGS.get(stated.lower().replace("_", "-"))
    if encoding is None:
        raise ViewerError("python-encoding", path=str(path), encoding=stated)
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as failure:
        line = body.count(b"\n", 0, failure.start) + 1
        raise ViewerError("python-not-text", path=str(path), line=line) from failure


def _coding(data: bytes) -> str | None:
    """What the first two lines state; the second counts only below a comment or an empty line."""
    for line in data[:2000].splitlines()[:2]:
        stated = _COOKIE.match(line)
        if stated is not None:
            return stated[1].decode("ascii", "replace")
        if not _BLANK.match(line):
            return None
    return None


def _names(tree: Tree) -> tuple[dict[str, str], frozenset[str], bool]:
    """What the top level imports, all that it defines, and whether it imports a star."""
    imports: dict[str, str] = {}
    defined: set[str] = set()
    has_star = False
    for node in members(tree.body):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                imports[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            has_star |= any(alias.name == "*" for alias in node.names)
            imports.update((alias.asname or alias.name, f"{module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Assign):
            defined.update(
                part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)
            )
    return imports, frozenset(defined), has_star


def _added(tree: Tree) -> dict[str, frozenset[str]]:
    """Names that the top level gives to classes after they are made: `Net.x = ...`."""
    found: dict[str, frozenset[str]] = {}
    for node in members(tree.body):
        for target in node.targets if isinstance(node, ast.Assign) else ():
            if isinstance(target, ast.Attribute) and dotted(target.value):
                name = dotted(target.value)
                found[name] = found.get(name, frozenset()) | {target.attr}
    return found


def _classes(tree: Tree, lines: list[str], added: Mapping[str, frozenset[str]]) -> Iterator[SuppliedClass]:
    """The classes of the top level and those within classes; of one that stands twice the last comes later."""
    waiting: list[tuple[ast.stmt, str]] = [(node, "") for node in reversed(list(members(tree.body)))]
    count = 0
    while waiting and count < MOST_CLASSES:
        node, outer = waiting.pop()
        if not isinstance(node, ast.ClassDef) or outer.count(".") >= _DEEPEST:
            continue
        count += 1
        qualname = outer + node.name
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) + tree.shift
        last = (node.end_lineno or node.lineno) + tree.shift
        facts = class_facts(tree, node)
        if qualname in added and isinstance(facts, ClassFacts):
            facts = replace(facts, names=facts.names | added[qualname])
        yield SuppliedClass(qualname, first, "".join(lines[first - 1 : last]), facts)
        waiting += [(inner, f"{qualname}.") for inner in reversed(list(members(node.body)))]
