"""What is done to the content of an export before a form sees it: names left out and changed, types changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence, Set
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Final

from viewer.core.errors import ExportError
from viewer.core.export.plan import Content, Converted, Renamed
from viewer.core.folder import listed
from viewer.core.objects.renaming import NameRules, Rule, RuleError, clashes, renamed_modules
from viewer.core.tensors.converted import Conversion

FEW: Final = 5


def filtered(
    content: Content, only: Sequence[str], skip: Sequence[str] = (), without: Set[str] = frozenset()
) -> Content:
    """What fits one of the patterns, none of those to skip, no single name. Raises ExportError where nothing does."""
    if not only and not skip and not without:
        return content

    def fits(name: str) -> bool:
        is_asked = not only or any(fnmatchcase(name, pattern) for pattern in only)
        return is_asked and name not in without and not any(fnmatchcase(name, pattern) for pattern in skip)

    fitting = set(filter(fits, content.order))
    if not fitting:
        raise nothing_left(content.order, only, skip, without)
    return replace(
        content,
        entries=tuple(entry for entry in content.entries if entry[0] in fitting),
        plain=tuple(entry for entry in content.plain if entry[0] in fitting),
        objects=tuple(name for name in content.objects if name in fitting),
        dropped=tuple(one for one in content.dropped if fits(one.name)),
        order=tuple(name for name in content.order if name in fitting),
        renamed=tuple(renamed for renamed in content.renamed if renamed.result in fitting),
    )


def nothing_left(names: Sequence[str], only: Sequence[str], skip: Sequence[str], without: Set[str]) -> ExportError:
    """Why no name is left: what alone leaves out all, else that it takes several choices together."""
    facts = {"count": len(names), "names": ", ".join(names[:FEW])}
    if only and not any(fnmatchcase(name, pattern) for name in names for pattern in only):
        return ExportError("export-only-empty", patterns=", ".join(only), **facts)
    if all(any(fnmatchcase(name, pattern) for pattern in skip) for name in names):
        return ExportError("export-skip-all", patterns=", ".join(skip), **facts)
    return ExportError("export-without-all" if without >= set(names) else "export-all-left-out", **facts)


def renamed(content: Content, rules: NameRules) -> Content:
    """The content under new names. Raises ExportError for a rule that cannot be used and for names that clash."""
    if not rules:
        return content
    try:
        return _renamed(content, rules.compiled())
    except RuleError as fault:
        raise ExportError(fault.code, **fault.params) from fault


def _renamed(content: Content, rule: Rule) -> Content:
    names = {name: rule(name) for name in content.order}
    if "" in names.values():
        raise ExportError("export-name-empty", names=listed([old for old, new in names.items() if not new]))
    for clash in clashes(names.items()):
        raise ExportError("export-names-clash", names=listed(clash.old), name=clash.name)
    metadata = content.metadata
    if isinstance(metadata, dict):
        paths = renamed_modules(metadata, names, rule)
        metadata = OrderedDict((paths[path], facts) for path, facts in metadata.items() if path in paths)
    moved = renamed_modules([holder.name for holder in content.holders], names, rule)
    return replace(
        content,
        entries=tuple((names[name], tensor) for name, tensor in content.entries),
        plain=tuple((names[name], value) for name, value in content.plain),
        objects=tuple(names[name] for name in content.objects),
        order=tuple(names.values()),
        metadata=metadata,
        holders=tuple(replace(one, name=moved[one.name]) for one in content.holders if one.name in moved),
        numbered=frozenset({**moved, **names}.get(name, name) for name in content.numbered),
        asked=tuple(Renamed(old, new) for old, new in names.items() if old != new),
    )


def retyped(content: Content, dtype: str) -> Content:
    """The content with its floating-point tensors in another type."""
    if not dtype:
        return content
    conversion = Conversion(dtype)
    entries = [(name, conversion(tensor)) for name, tensor in content.entries]
    changed = [
        Converted(name, before.dtype, after.dtype)
        for (name, before), (_, after) in zip(content.entries, entries, strict=True)
        if after.dtype != before.dtype
    ]
    return replace(content, entries=tuple(entries), converted=tuple(changed), conversion=conversion)
