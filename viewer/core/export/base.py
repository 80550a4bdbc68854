"""Exporter: one form in which the content of a document is written.

To add one: a new file in this folder with a class that derives from FileExporter (or FolderExporter), a line in the
tuple of `export/__init__.py`, and a test that reads the result back. How the window and the commands use it:

    plan = exporter.plan(document, Wanted(root="model"))      quick, reads no elements; show what it drops
    report = exporter.write(plan, path, progress)             long; stops at any block, then nothing is left
    verdict = torch_client.verify(report, progress)           long; asks the form's reference reader

`plan` and `write` raise ExportError (ChoiceError: several branches fit), `write` also SourceError and CancelledError.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, ClassVar, Final

from typing_extensions import override

from viewer.core.archive.inflated import InflatedSource
from viewer.core.collector import collector_paused
from viewer.core.document import Document
from viewer.core.errors import ExportError
from viewer.core.export.atomic import FileId, Target, check_space, check_target
from viewer.core.export.options import Option
from viewer.core.export.plan import Beside, Content, Converted, Dropped, Item, Plan, Renamed, Report, Verdict, pieces
from viewer.core.export.protected import AnyFile, files_in, ids_of, layers, own_sources
from viewer.core.export.selection import Wanted, choose
from viewer.core.export.together import all_or_none, check_apart
from viewer.core.progress import Progress
from viewer.core.tensors.tensor import Tensor
from viewer.wording.phrases import phrase

STEP: Final = "export"


@dataclass(slots=True)
class Draft:
    """A plan in the making; what a form adds to. `progress`: stops it."""

    items: list[Item] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    converted: list[Converted] = field(default_factory=list)
    renamed: list[Renamed] = field(default_factory=list)
    progress: Progress = field(default_factory=Progress)

    def drop(self, name: str, reason: str, **params: object) -> None:
        """Leave an entry out."""
        self.dropped.append(Dropped(name, reason, params))


def draft_of(content: Content, progress: Progress) -> Draft:
    """A draft with what the choice itself did."""
    told = list(content.dropped), list(content.converted), list(content.renamed)
    return Draft([], [], *told, progress=progress)


class Exporter(ABC):
    """One form. `form`: its name for `--as`. `title`, `summary`: for the window, English, marked for translation.

    `suffixes`: of the files that it writes, the usual one first. `judge`: the reference reader, torch or numpy.
    `folder`: it writes a folder, not a file; such forms derive from `export.folder.FolderExporter`. `takes`: what can
    be chosen: tensors (a branch or single ones, under other names), a module, all classes, or the file, where there is
    no choice. `regions`: a part of the file can be named by its place. `by_suffix`: a target of its suffix asks for it;
    else it has to be named.
    `options`: what else can be asked for; other fields of `Wanted` are passed over.
    """

    form: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    judge: ClassVar[str]
    folder: ClassVar[bool] = False
    takes: ClassVar[str] = "tensors"
    regions: ClassVar[bool] = False
    by_suffix: ClassVar[bool] = True
    options: ClassVar[tuple[Option, ...]] = ()

    @abstractmethod
    def plan(self, document: Document, wanted: Wanted) -> Plan:
        """What would be written. Raises ChoiceError when a branch must be chosen, ExportError when nothing is left."""

    @abstractmethod
    def write(self, plan: Plan, path: Path, progress: Progress, overwrite: bool = False) -> Report:
        """Write everything or nothing."""

    def verify(self, report: Report, progress: Progress) -> Verdict | None:
        """What a reference reader says that runs in this process; None where the judge needs a process of its own."""
        del report, progress
        return None

    def in_order(self, plan: Plan) -> Sequence[str]:
        """The names of the items as `write` comes to them: the numbers of its steps, from 1. Empty: steps have none."""
        del plan
        return ()

    def beside(self, plan: Plan, path: Path) -> Beside | None:
        """The file that `write` makes or takes away beside `path`, if there is one; both are whole, or neither is."""
        del plan, path
        return None


class FileExporter(Exporter):
    """A form that is one file of tensors. It says what it can hold (`fill`) and writes that (`stream`)."""

    @override
    def plan(self, document: Document, wanted: Wanted) -> Plan:
        with collector_paused():
            return self._planned(document, choose(document, wanted), wanted.progress)

    @override
    def write(self, plan: Plan, path: Path, progress: Progress, overwrite: bool = False) -> Report:
        kept = made_of(plan, progress)
        targets = [check_target(path, overwrite, kept)]
        plan = self._settled(plan, progress)
        beside = self.beside(plan, path)
        gone: list[Target] = []
        if beside is not None:
            second = check_target(beside.path, overwrite, kept)
            check_apart((targets[0], second))
            check_space(second, beside.nbytes)
            (gone if beside.gone else targets).append(second)
        check_space(targets[0], plan.nbytes + (beside.nbytes if beside is not None else 0))
        with all_or_none(targets, overwrite, progress, gone) as files:
            for file in files[1:]:
                self.stream_beside(plan, file, path.name, progress)
            self.stream(plan, files[0], targets[0].place.name, progress)
            nbytes = files[0].tell()
            check_unchanged(plan, progress)
        return Report(plan, path, nbytes, beside=beside)

    @abstractmethod
    def fill(self, draft: Draft, content: Content) -> tuple[int, str]:
        """Sort the entries of `content` into the draft; gives the size of the result and what loads it, "torch 1.6"."""

    @abstractmethod
    def stream(self, plan: Plan, file: BinaryIO, name: str, progress: Progress) -> None:
        """Write everything, block by block. `name`: the file's name in the end."""

    def stream_beside(self, plan: Plan, file: BinaryIO, name: str, progress: Progress) -> None:
        """Write the file that `beside` promises; forms that promise one have to. `name`: of the other file."""
        raise NotImplementedError

    def _planned(self, document: Document, content: Content, progress: Progress) -> Plan:
        draft = draft_of(content, progress)
        nbytes, needs = self.fill(draft, content)
        return planned(self.form, document, content, draft, nbytes, needs)

    def _settled(self, plan: Plan, progress: Progress) -> Plan:
        """The plan once deflated storages are unpacked: their true size is known only then."""
        packed = [source for item in stopped(plan, progress) if (source := packed_source(item.tensor)) is not None]
        for source in dict.fromkeys(packed):
            source.prepare(progress)
        if packed and plan.content.conversion is not None:
            plan.content.conversion.settle()
        return self._planned(plan.document, plan.content, progress) if packed else plan


def planned(form: str, document: Document, content: Content, draft: Draft, nbytes: int, needs: str) -> Plan:
    """The plan of a draft. Raises ExportError when nothing is left."""
    if not draft.items and not draft.kept:
        reason = phrase("left-out", name=draft.dropped[0].name, reason=draft.dropped[0].text) if draft.dropped else ""
        raise ExportError("export-none-left", count=len(draft.dropped), reason=reason)
    # Types are changed before a form says what it leaves out.
    left_out = {dropped.name for dropped in draft.dropped[len(content.dropped) :]}
    return Plan(
        form,
        document,
        content,
        items=tuple(draft.items),
        kept=tuple(draft.kept),
        dropped=tuple(draft.dropped),
        converted=tuple(each for each in draft.converted if each.name not in left_out),
        renamed=tuple(draft.renamed),
        nbytes=nbytes,
        needs=needs,
    )


def packed_source(tensor: Tensor) -> InflatedSource | None:
    """The deflated record that a tensor's storage stands in."""
    for source in layers(tensor.storage.source if tensor.storage is not None else None):
        if isinstance(source, InflatedSource):
            return source
    return None


def stopped(plan: Plan, progress: Progress) -> Iterator[Item]:
    """All items and parts of a plan, as long as nobody stops it. Raises CancelledError."""
    for item in pieces(plan.items):
        progress.check()
        yield item


def files_of(plan: Plan, progress: Progress) -> list[AnyFile]:
    """The files that the exported elements stand in, the document's own, and all of a set. Raises CancelledError."""
    stored = [item.tensor.storage for item in stopped(plan, progress)]
    sources = [storage.source for storage in stored if storage is not None and storage.source is not None]
    return files_in([*own_sources(plan.document), *sources])


def made_of(plan: Plan, progress: Progress) -> set[FileId]:
    """The files that an export must never be written over. Raises CancelledError."""
    return ids_of(files_of(plan, progress), plan.document.path)


def check_unchanged(plan: Plan, progress: Progress) -> None:
    """Raises ExportError when a file was written to since it was opened: names and elements may not fit any more."""
    for file in files_of(plan, progress):
        progress.check()
        if file.current_identity() != file.identity:
            raise ExportError("source-changed", path=str(file.path))
