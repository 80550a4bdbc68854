"""Checkpoints that every rank wrote a file of: DeepSpeed ZeRO, Megatron-LM, FSDP, the parts of Llama (formats.md, G).

One document over all files; where a small file names the newest checkpoint (`latest`), its bytes are the document's
own. What names, shapes and the files themselves do not tell is not put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from typing_extensions import override

from viewer.core.archive.findings import Findings
from viewer.core.document import Document, SetFile
from viewer.core.folder import MOST_NAMED, Folder, listed
from viewer.core.formats.base import Context, Entry, FileSet, Format
from viewer.core.formats.rank_files.joining import Joined, joined, stated_parts
from viewer.core.formats.rank_files.names import (
    DEEPSPEED,
    FSDP,
    ITERATION,
    LATEST,
    MEGATRON,
    OPTIMIZER,
    PARTS,
    Group,
    find_group,
    iteration_of,
    known,
    missing_numbers,
    tag_of,
)
from viewer.core.formats.rank_files.reading import Member
from viewer.core.formats.rank_files.zero import stated_world
from viewer.core.formats.reading import open_members
from viewer.core.problem import Problem, error, note, warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource, printable
from viewer.core.span import Region, Span

NAME: Final = "distributed"
KINDS: Final = frozenset({DEEPSPEED, MEGATRON, FSDP, PARTS})
LONGEST_TAG: Final = 1000


class RankFiles(Format, FileSet):
    """Tensors stand in the order of the first file that has them; the float32 weights of ZeRO come last."""

    @override
    def score(self, context: Context) -> int:
        return 100 if context.kind in KINDS else 0

    @override
    def parse(self, context: Context) -> Document:
        source, folder = context.source, context.folder
        document = Document(source, NAME, detail=context.kind)
        whole = Span(0, source.size)
        document.regions = [Region(whole, "text", context.name)] if source.size else []
        findings = Findings()
        tag = named_tag(context.kind, source) if context.name else ""
        group = find_group(folder.names_seen(), tag) if folder is not None else None
        if group is None:
            document.problems = [error("ranks-none", whole, kind=context.kind)]
            return document
        if context.name and group.tag != tag:
            findings.add(error("ranks-latest", whole, file=context.name, tag=tag, found=group.tag))
        members = read_members(document, context, group, findings)
        result = joined(group, members, context.progress)
        document.tensors = result.tensors
        first = members[0].document if members else None
        document.byteorder = first.byteorder if first is not None else None
        for problem in findings_of(group, members, result, folder.path.resolve().name if folder is not None else ""):
            findings.add(problem)
        document.problems = findings.problems()
        return document

    @override
    def entry(self, names: Sequence[str], folder: Folder) -> Entry | None:
        group = find_group(names)
        if group is None or group.tag.count("/") > 0:
            return None
        if group.kind == DEEPSPEED and LATEST in names:
            return Entry(LATEST, group.kind)
        if group.kind == MEGATRON and ITERATION in names:
            return Entry(ITERATION, group.kind)
        return Entry("", group.kind)

    @override
    def set_of(self, name: str, folder: Folder) -> Entry | None:
        if name in (LATEST, ITERATION):
            entry = self.entry(folder.names_seen(), folder)
            return entry if entry is not None and entry.name == name else None
        group = group_of(name, folder)
        return Entry("", group.kind) if group is not None else None

    @override
    def remarks(self, document: Document, name: str, folder: Folder, progress: Progress) -> list[Problem]:
        group = group_of(name, folder)
        if group is None:
            return part_of_megatron(document, name, folder)
        others = [printable(file.name) for file in group.files if file.name != name]
        facts = {"count": len(group.files), "kind": group.kind, "files": listed(others)}
        code = "ranks-lone-part" if group.kind in (PARTS, MEGATRON) else "ranks-lone-rank"
        return [warning(code, Span(0, document.source.size), **facts)]


def group_of(name: str, folder: Folder) -> Group | None:
    """The group in its own folder that a file belongs to."""
    if known(name) is None:
        return None
    group = find_group(folder.names_seen(0))
    return group if group is not None and any(file.name == name for file in group.files) else None


def part_of_megatron(document: Document, name: str, folder: Folder) -> list[Problem]:
    """What is to be said of a file of Megatron: its folder says which part it is, itself how many there are.

    The others stand in folders beside that one, which are not looked at.
    """
    inner = f"{folder.path.resolve().name}/{name}"
    found = known(inner)
    if found is None or found[0] != MEGATRON:
        return []
    file = found[3]
    parts = stated_parts(Member(file, document))
    if parts < 2 or file.role == OPTIMIZER:
        return []
    own = inner.removeprefix("mp_rank_").partition("/")[0].partition("_")[0]
    behind = inner.removeprefix(f"mp_rank_{own}")
    others = (f"mp_rank_{part:0{len(own)}}{behind}" for part in range(parts) if part != file.part)
    facts = {"count": parts, "kind": MEGATRON, "files": listed(list(islice(others, MOST_NAMED)), parts - 1)}
    return [warning("ranks-lone-part", Span(0, document.source.size), **facts)]


def named_tag(kind: str, source: ByteSource) -> str:
    """The folder that `latest` means."""
    text = source.read(0, LONGEST_TAG).decode("utf-8", "replace")
    return tag_of(text) if kind == DEEPSPEED else iteration_of(text)


def read_members(document: Document, context: Context, group: Group, findings: Findings) -> list[Member]:
    """All files of a group that can be read; the others are told."""

    def refused(name: str, reason: str) -> None:
        findings.add(error("ranks-file-unreadable", None, file=name, reason=reason))

    if context.name:
        document.files = [SetFile(context.name, context.source.size)]
    names = [file.name for file in group.files]
    opened = open_members(document, context, names, refused)
    return [Member(group.files[number], child) for number, child in opened]


def findings_of(group: Group, members: Sequence[Member], result: Joined, folder: str) -> list[Problem]:
    """What there is to say of a group. `folder`: the name of the one that was opened."""
    facts = {"kind": group.kind, "count": len(group.files), "folder": printable(group.tag or folder)}
    found = [note("ranks-kind", None, **facts)]
    lost = missing(group, members)
    found += lost
    if result.holes and not lost:
        found.append(error("ranks-holes", None, count=len(result.holes), names=listed(result.holes)))
    if result.pieces:
        found.append(warning("ranks-pieces", None, count=len(result.pieces), names=listed(result.pieces)))
    if result.open:
        found.append(warning("ranks-open", None, count=len(result.open), names=listed(result.open)))
    if group.others:
        found.append(note("ranks-others", None, count=len(group.others), folders=listed(group.others)))
    return found


def missing(group: Group, members: Sequence[Member]) -> list[Problem]:
    """Ranks whose files are not there, as numbers and the files themselves tell."""
    parts = max((stated_parts(member) for member in members), default=0)
    lost = [f"part {number}" for number in missing_numbers((file.part for file in group.files), parts)]
    divided = [file for file in group.files if group.kind == FSDP or file.role == OPTIMIZER]
    if divided and group.kind in (FSDP, DEEPSPEED):
        world = max(group.world, stated_world(members) if group.kind == DEEPSPEED else 0)
        numbers = missing_numbers((file.replica for file in divided), world)
        lost += [f"rank {number}" for number in numbers]
    return [error("ranks-missing", None, count=len(lost), ranks=listed(lost))] if lost else []
