"""What several kinds of TorchScript archive do alike: code records as stored sources, modules named by their code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from viewer.core.archive.inflated import InflatedSource
from viewer.core.archive.record import Record
from viewer.core.archive.zip_reader import ZipArchive
from viewer.core.code.hidden import source_problems
from viewer.core.code.script_text import PYTHON, CodeFile, module_of, script_classes, script_sources
from viewer.core.document import Document, Pickle
from viewer.core.errors import SourceError
from viewer.core.formats.base import Context
from viewer.core.formats.reading import limited
from viewer.core.formats.zip_reading import (
    SCRIPTED,
    part_paths,
    read_pickle_objects,
    read_record,
    read_small,
    root_prefix,
)
from viewer.core.memory import share
from viewer.core.objects.outline import lines_outline
from viewer.core.objects.scripted import is_scripted, script_names
from viewer.core.problem import error, note
from viewer.core.tensors.id_checks import STORAGE

LARGEST_CODE: Final = 16 * 1024 * 1024
LEAST_CODE: Final = 1024 * 1024
MOST_CODE: Final = 64 * 1024 * 1024
MOST_FILES: Final = 10_000
MOST_DEBUG: Final = 200
MOST_DEBUG_BYTES: Final = 16 * 1024 * 1024
INPUTS: Final = "traced inputs"
MOST_TEXTS: Final = 1000
LONGEST_TEXT: Final = 64 * 1024
LETTER: Final = 4
SPACES: Final = "\t\r\n\f"


def script_prefix(archive: ZipArchive, marks: Sequence[str]) -> str:
    """The folder of the archive with its slash; where records have none in common, that of the first mark."""
    if archive.root:
        return root_prefix(archive)
    for mark in marks:
        for name in archive.names:
            if name.endswith("/" + mark) and name.count("/") == 1:
                return name.removesuffix(mark)
    return ""


def read_text(document: Document, record: Record, context: Context) -> str | None:
    """The whole text of a record, bytes that are no UTF-8 as single surrogates; None where it cannot be read.

    What is wrong becomes a Problem, and so does a text that is longer than 16 MiB, or than the memory limit leaves of
    them, of which nothing is read.
    """
    source, most = record.source, share(LARGEST_CODE, LEAST_CODE)
    if source is None:
        return None
    try:
        if isinstance(source, InflatedSource):
            if record.size <= most:
                source.prepare(context.progress)
            document.problems += source.problems
        if max(record.size, source.size) > most:
            facts = {"name": record.name, "size": record.size, "limit": most}
            document.problems.append(note("record-text-large", record.data, **facts))
            return None
        return source.read(0, source.size).decode("utf-8", "surrogateescape")
    except SourceError as failure:
        document.problems.append(error("record-unreadable", record.data, name=record.name, reason=str(failure)))
        return None


def add_texts(document: Document, archive: ZipArchive, names: Iterable[str]) -> None:
    """The beginnings of those records that are text, as rows of their lines: 64 KiB of each, a thousand at most."""
    for name in list(names)[:MOST_TEXTS]:
        text = text_of(read_small(document, archive.find(name), LONGEST_TEXT))
        if text:
            document.outlines[name] = lines_outline("text", text)


def text_of(raw: bytes | None) -> str:
    """Bytes as text where they are some; "" for all else. The last letter may be cut."""
    given = raw or b""
    try:
        text = given.decode("utf-8")
    except UnicodeDecodeError as fault:
        if fault.start < LONGEST_TEXT - LETTER:
            return ""
        text = given[: fault.start].decode("utf-8")
    return text if all(letter.isprintable() or letter in SPACES for letter in text) else ""


class ScriptReader:
    """Reads the pickles and the code of one archive into its document. `labels`: the regions that are storages.

    `kinds`: of persistent ids that the archive may have.
    """

    def __init__(
        self, document: Document, archive: ZipArchive, context: Context, kinds: Sequence[str] = (STORAGE,)
    ) -> None:
        self.document, self.archive, self.context, self.kinds = document, archive, context, kinds
        self.labels: dict[str, str] = {}

    def code(self, folder: str) -> list[CodeFile]:
        """The code files below a folder, which become stored sources of the document."""
        files = self.files(folder, folder[: -len("code/")])
        sources = script_sources(files)
        self.document.sources += sources
        self.document.problems += limited(source_problems(sources))
        return files

    def files(self, folder: str, root: str, skipped: str = "*") -> list[CodeFile]:
        """The Python files below a folder as text, without those below `skipped`; paths are told from `root` on."""
        found: list[CodeFile] = []
        total = 0
        every = (name for name in self.archive.names if name.startswith(folder) and name.endswith(PYTHON))
        names = dict.fromkeys(name for name in every if not name.startswith(skipped))
        for name in names:
            record = self.archive.find(name)
            if record is None or not record.size:
                continue
            self.context.progress.check()
            total += record.size
            if len(found) >= MOST_FILES or total > share(MOST_CODE, LEAST_CODE):
                left = len(names) - len(found)
                self.document.problems.append(note("code-too-much", count=left, read=len(found)))
                break
            text = read_text(self.document, record, self.context)
            if text is not None:
                place = record.data if record.stored else None
                found.append(CodeFile(module_of(name, folder), name.removeprefix(root), name, text, place))
        return found

    def pickle(self, name: str, folders: Iterable[str], role: str) -> Pickle | None:
        """A pickle with its tensors; None where there is none, or an empty record."""
        return self._read(name, [(folder, "") for folder in folders], role)

    def module(
        self, name: str, folders: Iterable[str], files: Iterable[CodeFile], role: str = "object", suffix: str = ""
    ) -> Pickle | None:
        """The pickle of a scripted module; its tensors are named by its code."""
        first = len(self.document.tensors)
        pickle = self._read(name, [(folder, suffix) for folder in folders], role, part=False)
        if pickle is None:
            return None
        tensors = self.document.tensors[first:]
        if is_scripted(pickle.values, pickle.values.root):
            for tensor in tensors:
                tensor.name = None
            check = self.context.progress.check
            for entry, tensor in script_names(pickle.values, pickle.values.root, script_classes(files), tensors, check):
                tensor.name = entry
        part_paths(self.document.tensors, first)
        return pickle

    def debug(self, names: Iterable[str]) -> None:
        """The pickles that lead from code back to Python lines, as far as they are not too many."""
        total, left = 0, 0
        for number, name in enumerate(dict.fromkeys(names)):
            record = self.archive.find(name)
            if record is None or not record.size:
                continue
            total += record.size
            if number >= MOST_DEBUG or total > MOST_DEBUG_BYTES:
                left += 1
            else:
                read_record(self.document, record, self.context, "debug ranges")
        if left:
            self.document.problems.append(note("debug-too-much", count=left))

    def _read(self, name: str, places: Sequence[tuple[str, str]], role: str, part: bool = True) -> Pickle | None:
        document = self.document
        record = self.archive.find(name)
        if record is None or (not record.size and role != "object"):
            return None
        pickle = read_record(document, record, self.context, role)
        if pickle is None:
            return None
        first, problems = len(document.tensors), len(document.problems)
        self.labels |= read_pickle_objects(
            document,
            self.archive,
            pickle,
            lambda key: [f"{folder}{key}{suffix}" for folder, suffix in places],
            self.context,
            SCRIPTED,
            self.kinds,
        )
        if role == INPUTS:
            self._tell_inputs(problems, name)
        if part:
            part_paths(document.tensors, first)
        return pickle

    def _tell_inputs(self, first: int, name: str) -> None:
        """What torch tells of the inputs of a trace are shapes without bytes, which is no damage."""
        found = self.document.problems[first:]
        kept = [problem for problem in found if problem.code != "storage-size-differs" or problem.params["found"]]
        if len(kept) < len(found):
            kept.append(note("script-inputs-empty", count=len(found) - len(kept), name=name))
        self.document.problems[first:] = kept
