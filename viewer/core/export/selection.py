"""What of a document is exported: its state_dict, a branch that was named, chosen tensors, names by pattern."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from viewer.core.code.supplied import SuppliedFile
from viewer.core.document import Document, Pickle, SetValue
from viewer.core.errors import ChoiceError, ExportError
from viewer.core.export.changes import filtered, renamed, retyped
from viewer.core.export.plain import NotPlainError, PlainValues
from viewer.core.export.plan import Content, Dropped, Renamed
from viewer.core.objects.optimizer import words
from viewer.core.objects.renaming import NameRules
from viewer.core.objects.state_dict import Branch, branch_at, default_branch, flat_branch, unique, whole
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress
from viewer.core.tensors.functions import FROM_TYPE, WITH_STATE
from viewer.core.tensors.indexed import IndexedTensors
from viewer.core.tensors.many import of_values
from viewer.core.tensors.path import Path, shown, shown_short
from viewer.core.tensors.special import own_attributes
from viewer.core.tensors.tensor import Tensor

FEW: Final = 5
UNNAMED: Final = "tensor"
OPTIMIZER: Final = frozenset({"optim", "optimizer", "optimizers", "opt"})
UNCHANGED: Final = NameRules()
ROOT: Final = "document 0"
"""What the root of the file itself is called where it has to be told from others."""
WHOLE: Final = "/"
"""Asks for the whole object, with what stands in it beside tensors."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the person asked for.

    `root`: a branch by its path (`model_state_dict`, `models/a`) or the beginning of names; "" = the state_dict of
    the file, or all tensors where it has none; `WHOLE` = the whole object. `only`: patterns (`encoder.*`) that names
    must fit, () = all; `skip`: those that they must not fit; `without`: single names to leave out. `names`: how the
    names that are left are changed. `tensors`: these and nothing else, instead of a branch. `encoding`: of Python 2
    texts. `supplied`: Python files of the person, for forms that write code. The others are `export.options`.
    `shard_size`: bytes of tensors in a file of several, 0 = as usual.
    `dtype`: of floating-point tensors, "" = as they are. `progress`: stops the planning, which looks at every tensor.
    """

    root: str = ""
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    names: NameRules = UNCHANGED
    tensors: Sequence[Tensor] | None = None
    encoding: str = ""
    supplied: tuple[SuppliedFile, ...] = ()
    shard_size: int = 0
    dtype: str = ""
    compact: bool = False
    keep_grad: bool = False
    deflate: bool = False
    names_table: bool = False
    without: frozenset[str] = frozenset()
    progress: Progress = field(default_factory=Progress, compare=False)


@dataclass(frozen=True, slots=True)
class Found:
    """A branch and the stream that it stands in; None where no stream made the tensors.

    `title`: what it can be named by: its path, behind the number of its document where it is not the file's own.
    """

    branch: Branch
    pickle: Pickle | None
    title: str


def choose(document: Document, wanted: Wanted) -> Content:
    """The entries that are wanted. Raises ChoiceError when a branch must be named, ExportError when there are none."""
    content = chosen(document, wanted)
    if not content.order:
        raise ExportError("export-nothing")
    content = filtered(content, wanted.only, wanted.skip, wanted.without)
    content = replace(content, dropped=(*content.dropped, *lost_attributes(document, content)))
    content = retyped(renamed(content, wanted.names), wanted.dtype)
    return replace(
        content,
        compact=wanted.compact,
        keep_grad=wanted.keep_grad,
        deflate=wanted.deflate,
        names_table=wanted.names_table,
    )


def chosen(document: Document, wanted: Wanted) -> Content:
    """All of the branch or tensors that are meant, before any name is left out or changed. Raises as `choose`."""
    if wanted.tensors is not None:
        branch = flat_branch((), "")
        branch.entries.extend(
            (tensor.name or shown(tensor.path), tensor) for tensor in looked_at(wanted.tensors, wanted.progress)
        )
        found = Found(branch, None, "")
    elif wanted.root:
        found = named_branch(document, wanted)
    else:
        found = usual_branch(document, wanted)
    content = content_of(found)
    if document.files and wanted.tensors is None:
        content = of_set(document, content, found.branch.path, wanted)
    return content


def lost_attributes(document: Document, content: Content) -> Iterator[Dropped]:
    """What Python gave to the tensors beside their elements: no form of tensors has a place for it."""
    held: dict[int, Values] = {}
    for part in document.walk():
        giving = {pickle.index: pickle.values for pickle in part.pickles if gives_attributes(pickle.values)}
        for tensor in of_values(part.tensors) if giving else ():
            if tensor.value is not None and tensor.value.pickle in giving:
                held[id(tensor)] = giving[tensor.value.pickle]
    for name, tensor in content.entries if held else ():
        # Those of a shell around other tensors are what it is made of: what becomes of it is told anyway.
        is_shell = tensor.storage is None and tensor.layout == "strided"
        if id(tensor) in held and tensor.value is not None and not is_shell:
            for attribute, _ in own_attributes(held[id(tensor)], tensor.value.value):
                yield Dropped(f"{name}.{attribute}", "attribute")


def gives_attributes(values: Values) -> bool:
    """True for a stream with a function that makes tensors with attributes: most have none."""
    return any(name in FROM_TYPE or name == WITH_STATE for name in map(values.global_name, values.globals()))


def branches(document: Document, encoding: str = "") -> list[Found]:
    """Every state_dict, module and optimizer of a document and of those inside it."""
    return [
        Found(branch, pickle, titled(part, branch.title))
        for part in document.holders()
        if (pickle := part.main_pickle) is not None and not part.files
        for branch in part.branches(encoding or "utf-8")
    ]


def titled(part: Document, title: str) -> str:
    """The name of a branch among all documents of a file."""
    return ".".join(name for name in (f"document {part.index}" if part.index else "", title) if name)


def usual_branch(document: Document, wanted: Wanted) -> Found:
    """The only state_dict; all tensors where there is none. Raises ChoiceError."""
    if document.files:
        return set_branch(document, wanted.progress)
    every = branches(document, wanted.encoding)
    best = set(default_branch([found.branch for found in every]))
    fitting = [found for found in every if found.branch in best]
    if len(fitting) > 1:
        # What hides in a value is not what the file is for.
        held = {id(pickle) for part in document.walk() if part.held is not None for pickle in part.pickles}
        fitting = [found for found in fitting if id(found.pickle) not in held] or fitting
    if len(fitting) > 1:
        raise ChoiceError("export-root-choice", [found.title or ROOT for found in fitting])
    return fitting[0] if fitting else all_tensors(document, wanted.progress)


def looked_at(tensors: Iterable[Tensor], progress: Progress) -> Iterator[Tensor]:
    """Each of many tensors, as long as nobody stops it. Raises CancelledError."""
    for tensor in tensors:
        progress.check()
        yield tensor


def set_branch(document: Document, progress: Progress) -> Found:
    """What is meant of a set of files: all tensors, or those below the key of the weights. Raises ChoiceError."""
    tops: dict[Path, list[Tensor]] = {}
    every = list(looked_at(document.tensors, progress))
    for tensor in every:
        tops.setdefault(tensor.path[:1] if len(tensor.path) > 1 else (), []).append(tensor)
    keyed = [(top, tensors) for top, tensors in tops.items() if top]
    # Below the key of a list no names follow.
    of_names = [(top, tensors) for top, tensors in keyed if any(isinstance(each.path[1], str) for each in tensors)]
    found = [below(tensors, top) for top, tensors in of_names or keyed]
    if found and () not in tops:
        fitting = default_branch([replace(branch, kind="state_dict") for branch in found if not is_optimizer(branch)])
        if len(fitting) > 1:
            raise ChoiceError("export-root-choice", [branch.title for branch in fitting])
        if fitting:
            return Found(fitting[0], None, fitting[0].title)
    return Found(Branch((), "", "tensors", named(every)), None, "")


def named(tensors: Iterable[Tensor]) -> list[tuple[str, Tensor]]:
    """Tensors under their names, those without one under their paths."""
    return unique((tensor.name or shown(tensor.path), tensor) for tensor in tensors)


def of_set(document: Document, content: Content, path: Path, wanted: Wanted) -> Content:
    """The content with what a set has beside tensors: values in items of their own, names without a file."""
    taken = {name for name, _ in content.entries}
    plain, objects = list(content.plain), list(content.objects)
    for value in document.others:
        name = (shown(value.path[len(path) :]) if path else value.name) or shown(value.path)
        if value.path[: len(path)] != path or name in taken:
            continue
        taken.add(name)
        try:
            plain.append((name, plain_value(value)))
        except NotPlainError:
            objects.append(name)
    dropped = [*content.dropped, *lost(document, taken, wanted.root)]
    order = (*content.order, *(name for name, _ in plain[len(content.plain) :]), *objects[len(content.objects) :])
    return replace(content, plain=tuple(plain), objects=tuple(objects), order=order, dropped=tuple(dropped))


def plain_value(value: SetValue) -> object:
    """The value that an item holds. Raises NotPlainError."""
    pickle = value.document.main_pickle if value.document is not None else None
    if pickle is None or not pickle.code.complete or pickle.values.root < 0:
        raise NotPlainError
    return PlainValues(pickle.values).get(pickle.values.root)


def lost(document: Document, taken: set[str], root: str) -> Iterator[Dropped]:
    """The names of an index below `root` that no file has."""
    tensors = document.tensors
    start = root.strip("/").replace("/", ".").rstrip(".") + "." if root else ""
    for name, file in tensors.lost_names() if isinstance(tensors, IndexedTensors) else ():
        inner = name.removeprefix(start)
        if name.startswith(start) and inner not in taken:
            taken.add(inner)
            yield Dropped(inner, "not-in-file", {"file": file})


def is_optimizer(branch: Branch) -> bool:
    """True for what a key calls the state of an optimizer."""
    return not OPTIMIZER.isdisjoint(words(branch.title))


def whole_object(document: Document, wanted: Wanted) -> Found:
    """The root of the file with what stands beside tensors; all tensors where no pickle made a mapping of them."""
    pickle = document.main_pickle if not document.files else None
    if pickle is not None:
        branch = whole(pickle.values, document.tensors, pickle.index, wanted.encoding or "utf-8")
        if branch is not None and branch.entries:
            return Found(branch, pickle, "")
    if document.files:
        return Found(Branch((), "", "tensors", named(looked_at(document.tensors, wanted.progress))), None, "")
    return all_tensors(document, wanted.progress)


def all_tensors(document: Document, progress: Progress) -> Found:
    """The tensors of a file and of what it holds, under their paths."""
    parts = document.holders()
    return Found(flat_branch(tensor for part in parts for tensor in looked_at(part.tensors, progress)), None, "")


def named_branch(document: Document, wanted: Wanted) -> Found:
    """The branch of that path, else what has that prefix. Raises ExportError."""
    if wanted.root == WHOLE:
        return whole_object(document, wanted)
    every = branches(document, wanted.encoding)
    spelled = {wanted.root, wanted.root.strip("/").replace("/", ".")}
    for found in every:
        if (found.title or ROOT) in spelled:
            return found
    for part in document.holders():
        pickle = part.main_pickle if not part.files else None
        for path in paths_named(part.tensors, spelled):
            branch = None
            if pickle is not None:
                branch = branch_at(pickle.values, part.tensors, path, pickle.index, wanted.encoding or "utf-8")
            branch = branch or below(part.tensors, path)
            return Found(branch, pickle, titled(part, branch.title))
    usual = default_branch([found.branch for found in every])
    for found in sorted(every, key=lambda found: found.branch not in usual):
        inner = prefixed(found.branch, spelled)
        if inner is not None:
            return Found(inner, found.pickle, inner.title)
    for part in document.holders() if not every else ():
        inner = prefixed(replace(flat_branch(part.tensors), entries=named(part.tensors)), spelled)
        if inner is not None:
            return Found(inner, None, inner.title)
    choices = [found.title for found in every if found.title] or top_names(document)
    raise ExportError("export-root-missing", root=wanted.root, choices=", ".join(choices))


def paths_named(tensors: Iterable[Tensor], spelled: set[str]) -> list[Path]:
    """The paths of tensors, or of what holds them, that read like this; shortest first."""
    found = {
        tensor.path[:length]
        for tensor in tensors
        for length in range(1, len(tensor.path) + 1)
        if shown(tensor.path[:length]) in spelled
    }
    return sorted(found, key=len)


def below(tensors: Iterable[Tensor], path: Path) -> Branch:
    """All tensors at a path or below it, under what follows it."""
    entries = [
        (shown(tensor.path[len(path) :]) or shown(path[-1:]), tensor)
        for tensor in tensors
        if tensor.path[: len(path)] == path
    ]
    return Branch(path, shown(path), "tensors", entries)


def prefixed(branch: Branch, spelled: set[str]) -> Branch | None:
    """The entries whose names begin so, without that beginning; None where there are none."""
    for root in spelled:
        start = root.rstrip(".") + "."
        entries = [(name.removeprefix(start), tensor) for name, tensor in branch.entries if name.startswith(start)]
        other = [(name.removeprefix(start), value) for name, value in branch.other if name.startswith(start)]
        if entries:
            metadata = {
                (path + ".").removeprefix(start).rstrip("."): facts
                for path, facts in (branch.metadata or {}).items()
                if (path + ".").startswith(start)
            }
            title = f"{branch.title}.{root}" if branch.title else root
            return replace(branch, title=title, entries=entries, other=other, metadata=metadata or None)
    return None


def top_names(document: Document) -> list[str]:
    """The first parts of the tensors' paths, a few of them."""
    tops = dict.fromkeys(shown(tensor.path[:1]) for part in document.holders() for tensor in part.tensors)
    return list(tops)[:FEW]


def content_of(found: Found) -> Content:
    """The branch as a flat mapping; entries that are no tensors as plain values where they are such."""
    branch = found.branch
    entries = unique((name or UNNAMED, tensor) for name, tensor in branch.entries)
    renamed = [
        Renamed(old, new)
        for (old, tensor), (new, _) in zip(branch.entries, entries, strict=True)
        if old != new and (old or "" in tensor.path[-1:])
    ]
    renamed = [*numbered(branch.entries), *renamed]
    plain: list[tuple[str, object]] = []
    objects: list[str] = []
    taken = {name for name, _ in entries}
    values = PlainValues(found.pickle.values) if found.pickle is not None and branch.other else None
    for name, value in branch.other:
        try:
            if values is None or name in taken:
                raise NotPlainError
            plain.append((name, values.get(value)))
        except NotPlainError:
            objects.append(name)
    return Content(
        title=found.title,
        entries=tuple(entries),
        plain=tuple(plain),
        objects=tuple(objects),
        order=tuple(merged(entries, branch.other)),
        metadata=versions(branch.metadata),
        holders=branch.holders,
        numbered=branch.numbered,
        renamed=tuple(renamed),
    )


def numbered(entries: Sequence[tuple[str, Tensor]]) -> list[Renamed]:
    """The names that a branch had to make of those that come twice in it: `a.b#2` of a second `a.b`."""
    names = {name for name, _ in entries}
    found = []
    for name, tensor in entries:
        base, sign, number = name.rpartition("#")
        if sign and number.isdigit() and base in names and not shown_short(tensor.path).endswith(name):
            found.append(Renamed(base, name))
    return found


def merged(entries: Sequence[tuple[str, Tensor]], other: Sequence[tuple[str, int]]) -> list[str]:
    """All names, as far as the places of their values in the stream tell the order."""
    names: list[str] = []
    waiting = list(reversed(other))
    for name, tensor in entries:
        place = tensor.value.value if tensor.value is not None else -1
        while waiting and waiting[-1][1] < place:
            names.append(waiting.pop()[0])
        names.append(name)
    return names + [name for name, _ in reversed(waiting)]


def versions(metadata: Mapping[str, Mapping[str, int]] | None) -> object:
    """`_metadata` as torch keeps it: equal texts are one object, so that they are written once."""
    if metadata is None:
        return None
    return OrderedDict(
        (path, {sys.intern(name): number for name, number in facts.items()}) for path, facts in metadata.items()
    )
