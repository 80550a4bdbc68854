"""What several formats do alike: note a pickle with its damage, read its objects, tile the regions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, Protocol, overload

from typing_extensions import override

from viewer.core.archive.findings import Findings
from viewer.core.archive.record import Record
from viewer.core.code.embedded import embedded_sources
from viewer.core.code.hidden import source_problems
from viewer.core.code.state_names import state_dict_problems
from viewer.core.document import Document, Pickle, SetFile
from viewer.core.errors import SourceError
from viewer.core.folder import why
from viewer.core.formats.base import Context
from viewer.core.formats.recognition import Guess, kind_of, recognise
from viewer.core.objects.content import octets
from viewer.core.objects.walk import find_tensors
from viewer.core.pickles.checks import check_stream, placed
from viewer.core.pickles.disassembly import MEMORY, Disassembly
from viewer.core.pickles.keyed import keyed
from viewer.core.pickles.opcodes import BY_NAME, Form
from viewer.core.pickles.positions import Break
from viewer.core.pickles.refusals import refusal_problems
from viewer.core.pickles.values import Kind, Values
from viewer.core.problem import Problem, error, note, warning
from viewer.core.source import ByteSource, MemorySource, printable
from viewer.core.span import Region, Span, tile
from viewer.core.tensors.checks import value_problems
from viewer.core.tensors.key_checks import key_problems
from viewer.core.tensors.rebuild import Outside, Rebuilder
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.table import StorageTable
from viewer.core.tensors.tensor import ValueRef
from viewer.wording import Phrase
from viewer.wording.phrases import phrase
from viewer.wording.rows import KINDS
from viewer.wording.told import Told

PYTHON2_ENCODING: Final = "utf-8"
MOST_RECORDS: Final = 1000
MEMBERS_STEP: Final = 64
TOO_MANY: Final = phrase("set-too-many")
LARGEST_INFLATED: Final = 16 * 1024 * 1024
MOST_INFLATED: Final = 256 * 1024 * 1024
LARGEST_TEXT: Final = 64 * 1024 * 1024
# What is worth a document of its own when it stands inside another one.
INSIDE: Final = frozenset(
    {
        "pickle",
        "joblib",
        "torch-legacy",
        "torch-zip",
        "torch-tar",
        "npy",
        "npz",
        "safetensors",
        "torchscript",
        "zip",
        "tar",
    }
    | {"gzip", "bz2", "xz", "zlib", "zstd"}
)
EMPTY_ZIP: Final = b"PK\x05\x06"
NO_CHECKPOINT: Final = frozenset(
    {"empty", "foreign", "git-lfs-pointer", "html", "json", "lz4", "7z", "rar", "text", "unknown", "xml", "zeros"}
)


def encoding(context: Context) -> str:
    """The text encoding of Python 2 strings: the person's choice, or UTF-8 with latin-1 where that fails."""
    return context.options.encoding or PYTHON2_ENCODING


def add_pickle(
    document: Document, disassembly: Disassembly, record: str = "", role: str = "", place: Span | None = None
) -> Pickle:
    """Append a stream to the document, and what is wrong with it.

    `place`: the record's bytes in the document's source, where the stream's own offsets do not count in it.
    """
    base = 0 if disassembly.source is document.source else None
    pickle = Pickle(len(document.pickles), record, role, disassembly, Values(disassembly), base)
    document.pickles.append(pickle)
    document.problems += stream_problems(disassembly, place)
    keys = keyed(pickle.values)
    document.problems += refusal_problems(pickle.values, place, keys)
    document.problems += key_problems(pickle.values, place=place, found=keys)
    return pickle


def stream_problems(disassembly: Disassembly, place: Span | None = None) -> list[Problem]:
    """Where and why a stream breaks, values that are left at its end, and what unpicklers make of it differently."""
    problems = placed(check_stream(disassembly), place)
    if disassembly.broken is not None:
        return [*problems, break_problem(disassembly, place)]
    last = len(disassembly) - 1
    left = disassembly.depth_before(last) - 1
    if left > 0:
        problems.append(warning("pickle-left-over", place or disassembly.span(last), count=left))
    return problems


def break_problem(disassembly: Disassembly, place: Span | None) -> Problem:
    """The place and the reason of a broken stream."""
    broken = disassembly.broken
    assert broken is not None
    opcode = BY_NAME.get(broken.detail)
    if broken.code == MEMORY:
        return error("pickle-memory", span_of(broken, disassembly, place), offset=broken.offset, count=len(disassembly))
    is_line = broken.code == "pickle-cut" and opcode is not None and opcode.form in (Form.LINE, Form.LINES2)
    return error(
        "pickle-cut-line" if is_line else broken.code,
        span_of(broken, disassembly, place),
        offset=broken.offset,
        detail=broken.detail,
        missing=broken.missing,
    )


def span_of(broken: Break, disassembly: Disassembly, place: Span | None) -> Span:
    """Where a break is shown."""
    return place or Span(broken.offset, broken.offset + 1).clipped(disassembly.source.size)


def read_objects(
    document: Document,
    pickle: Pickle,
    table: StorageTable,
    context: Context,
    outside: Callable[[int], Outside | None] | None = None,
) -> None:
    """The tensors and the stored sources of one pickle, into the document, with what is wrong with them.

    `outside(value)`: what a persistent id names that the container itself defines.
    """
    spans = pickle.base is not None
    nested = NestedStorages(document, pickle, context).storage
    rebuild = Rebuilder(pickle.values, pickle.index, table, spans, nested, outside)
    context.progress.check()
    first = len(document.tensors)
    document.add_tensors(
        find_tensors(pickle.values, pickle.index, rebuild.tensor, encoding(context), first, context.progress)
    )
    sources = embedded_sources(pickle.values, pickle.index, pickle.in_document, encoding(context), table.identifiers)
    document.sources += sources
    found = document.tensors[first:]
    document.problems += limited([*rebuild.problems, *value_problems(found), *source_problems(sources)])
    document.problems += state_dict_problems(
        pickle.values, sources, pickle.in_document, encoding(context), context.progress
    )


class NestedStorages:
    """Storages that a pickle holds as whole torch files in bytes objects; each such file is a child document."""

    def __init__(self, document: Document, pickle: Pickle, context: Context) -> None:
        self._document, self._pickle, self._context = document, pickle, context
        self._found: dict[int, Storage | None] = {}

    def storage(self, value: int) -> Storage | None:
        """The storage in a `_load_from_bytes` call; None where none can be read."""
        if value not in self._found:
            self._found[value] = self._read(value)
        return self._found[value]

    def _read(self, value: int) -> Storage | None:
        arguments = self._pickle.values.arguments(value)
        source = bytes_source(self._pickle, arguments[0]) if arguments else None
        child = None if source is None else self._context.open_child(source, phrase("how-bytes"))
        if child is None:
            return None
        child.held = ValueRef(self._pickle.index, arguments[0])
        self._document.children.append(child)
        storage = next((tensor.storage for tensor in child.tensors if tensor.kind == "storage"), None)
        if storage is None:
            return None
        shift = offset_inside(self._document, child)
        span = None if shift is None or storage.span is None else storage.span.shifted(shift)
        return replace(storage, span=span)


def bytes_source(pickle: Pickle, value: int) -> ByteSource | None:
    """A bytes object of a pickle as a source: a part of the file, or made where the pickle spells it as text."""
    values = pickle.values
    if values.kind(value) in (Kind.BYTES, Kind.BYTEARRAY):
        span = values.code.argument_span(value)
        return values.code.source.slice(span.start, span.stop)
    if values.span(value).length > LARGEST_TEXT:
        return None
    data = octets(values, value)
    return None if data is None else MemorySource(data)


def limited(problems: Iterable[Problem]) -> list[Problem]:
    """At most a hundred Problems of a code, and how many more there were."""
    findings = Findings()
    for problem in problems:
        findings.add(problem)
    return findings.problems()


def add_beside(document: Document, child: Document) -> None:
    """A document that follows the parts of this one: its regions are regions of this one too."""
    document.children.append(child)
    shift = offset_inside(document, child)
    if shift is not None:
        moved = (replace(region, span=region.span.shifted(shift)) for region in child.regions)
        document.regions = [*document.regions, *moved]


def offset_inside(document: Document, child: Document) -> int | None:
    """Where a child begins in the source of its parent; None where its bytes were inflated or made."""
    start, outer = document.source.to_outer(0), child.source.to_outer(0)
    return None if start is None or outer is None else outer - start


class LazyRegions(Sequence[Region]):
    """Regions that are listed when they are first looked at: an archive of a million records has five million."""

    def __init__(self, make: Callable[[], Sequence[Region]]) -> None:
        self._make = make

    @cached_property
    def _regions(self) -> Sequence[Region]:
        return self._make()

    @override
    def __len__(self) -> int:
        return len(self._regions)

    @overload
    def __getitem__(self, index: int) -> Region: ...
    @overload
    def __getitem__(self, index: slice) -> list[Region]: ...
    @override
    def __getitem__(self, index: int | slice) -> Region | list[Region]:
        return self._regions[index] if isinstance(index, int) else list(self._regions[index])

    @override
    def __iter__(self) -> Iterator[Region]:
        return iter(self._regions)


def finish(document: Document) -> None:
    """Tile the regions of a document; overlaps become a Problem."""
    size = document.source.size
    document.regions, cut = tile(document.regions, size)
    overlaps = (
        warning(
            "regions-overlap",
            region.span.clipped(size),
            what=Told(Phrase(KINDS.get(region.kind, region.kind)), f" {region.label}"),
        )
        for region in cut
    )
    document.problems += limited(overlaps)


class Archive(Protocol):
    """Records by name."""

    @property
    def names(self) -> Sequence[str]:
        """All names; those that stand twice are listed twice."""
        ...

    def find(self, name: str) -> Record | None:
        """The record that counts for a name."""
        ...


def open_records(
    document: Document, archive: Archive, context: Context, skip: Callable[[str], bool] = lambda name: False
) -> None:
    """Documents inside the records of an archive, but for those whose names `skip` tells.

    A record is looked at when it is stored, or small enough to be inflated on suspicion.
    """
    inflated = 0
    looked: set[str] = set()
    for name in archive.names:
        if name.endswith("/") or name in looked or skip(name):
            continue
        looked.add(name)
        if len(looked) > MOST_RECORDS:
            return
        record = archive.find(name)
        if record is None or record.source is None or not record.size:
            continue
        if not record.stored:
            inflated += record.size
            if record.size > LARGEST_INFLATED or inflated > MOST_INFLATED:
                continue
        child = open_known(record.source, phrase("how-record", name=name), context)
        if child is not None:
            document.children.append(child)


def open_known(source: ByteSource, how: str, context: Context) -> Document | None:
    """The document that a source is, where it is of a kind that holds objects or arrays; else None."""
    try:
        known = recognise(source).format in INSIDE
        return context.open_child(source, how) if known else None
    except SourceError:
        return None


def open_members(
    document: Document, context: Context, names: Sequence[str], refused: Callable[[str, str], None]
) -> Iterator[tuple[int, Document]]:
    """The documents of files of a set, each with its number in `names`; they become children, `files` tells of all.

    `refused(name, reason)`: one cannot be read; the others are read all the same.
    """
    files = list(document.files)
    for number, name in enumerate(names):
        if number % MEMBERS_STEP == 0:
            context.progress.step("set", number, len(names))
        try:
            member = context.open_member(name)
        except SourceError as failure:
            refused(printable(name), why(failure))
            files.append(SetFile(name, None))
            continue
        if member is None:
            refused(printable(name), TOO_MANY)
            files.append(SetFile(name, None))
            continue
        files.append(SetFile(name, member.source.size))
        document.children.append(member)
        yield number, member
    document.files = files


def archive_problem(document: Document, guess: Guess) -> Problem:
    """What an archive is that is no checkpoint itself: how many documents were found in it."""
    size, count = document.source.size, len(document.children)
    if count:
        return note("archive-of-files", Span(0, size), kind=guess.format, count=count)
    if guess.format == "zip" and document.source.read(0, len(EMPTY_ZIP)) == EMPTY_ZIP:
        return warning("kind-zip-empty", Span(0, size))
    return kind_problem(guess, size)


def kind_problem(guess: Guess, size: int) -> Problem:
    """The sentence that says what a file is of which only the bytes are shown."""
    damage = guess.params.get("damage")
    kind = kind_of(guess, size)
    code = "file-empty" if guess.format == "empty" else f"kind-{kind}"
    if damage:
        code = "file-as-text-replaced" if damage == "replaced" else f"legacy-as-text-{damage}"
    make = error if guess.format in NO_CHECKPOINT else warning
    return make(code, Span(0, size), **{"detail": guess.detail, "size": size, **guess.params})
