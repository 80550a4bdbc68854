"""What torch.load would do with a file: what it needs, what it stops at, what it warns of, and the code for it.

Only what the bytes decide. Codes and parameters are told here, the sentences stand in `wording.predictions`.
Which classes can be imported where the file is loaded is not known, so all that torch does not bring count as missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from viewer.core.archive.zip_reader import names_of
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.objects.content import shortened
from viewer.core.pickles.values import KIND_OF, Kind, Values
from viewer.core.problem import Severity
from viewer.core.progress import Progress
from viewer.core.summary.loading import other_code, torch_code
from viewer.core.summary.missing import Missing, find_missing
from viewer.core.summary.weights_only import Refusals, find_refusals
from viewer.wording import fill
from viewer.wording.predictions import PREDICTIONS
from viewer.wording.rows import FORMATS

TORCH: Final = frozenset({"torch-zip", "torch-legacy", "torch-tar"})
MOST_DEVICES: Final = 20
MOST_NAMED: Final = 6
_PACKED: Final = frozenset({"7z", "bz2", "gzip", "lz4", "rar", "tar", "xz", "zip", "zlib", "zstd"})
_READERS: Final = {
    "distributed": "torch.distributed.checkpoint.load",
    "npy": "numpy.load",
    "npz": "numpy.load",
    "onnx": "onnx.load",
    "safetensors": "safetensors.torch.load_file",
    "torch-export": "torch.export.load",
    "torch-export-json": "torch.export.load",
}
_RUNNERS: Final = {
    "joblib": "joblib.load",
    "pickle": "pickle.load",
    "torch-mobile": "torch.jit.load",
    "torch-package": "torch.package.PackageImporter",
    "torchscript": "torch.jit.load",
    "torchscript-json": "torch.jit.load",
}
# Locations that torch reads without the device of their name.
_ANYWHERE: Final = frozenset({"cpu", "meta"})
_BACKENDS: Final = frozenset({"hpu", "mtia", "xpu"})
_NAMED: Final = frozenset({"cuda", "meta", "mps", "privateuseone", "xla"})
# What ends all loading, and what does so only where it is not refused first.
_STOPS: Final = frozenset(
    {"damaged", "odd", "untyped-legacy", "version-absent", "version-unread", "zip-folders", "zip-prefix"}
)
_NOTES: Final = frozenset({"loads", "needs-torch", "needs-torch-version", "source-compared", "device-meta"})
# Problems that are no damage here, and that torch does not take.
_ODD: Final = ("tensor-arguments", "tensor-gradient")
_VERSION_RECORDS: Final = ("version", ".data/version")
_VERSIONS: Final = range(1, 11)


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that happens. `code`: a key of `wording.predictions`."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def severity(self) -> Severity:
        """Error: loading stops; warning: it stops unless something is done; note: it does not."""
        if self.code in _STOPS or self.code == "reaching-names" or self.code.startswith("not-torch"):
            return Severity.ERROR
        return Severity.NOTE if self.code in _NOTES else Severity.WARNING

    @property
    def text(self) -> str:
        """Both sentences in English."""
        words = PREDICTIONS[self.code]
        return f"{fill(words.title, self.params)}. {fill(words.detail, self.params)}"


@dataclass(frozen=True, slots=True)
class Device:
    """A location as written, and how many storages are tagged with it."""

    location: str
    storages: int


@dataclass(slots=True)
class Prediction:
    """All of it. `code`: lines of Python, None where nothing loads the file. `pickle`: that the places stand in."""

    expectations: list[Expectation] = field(default_factory=list)
    code: str | None = None
    missing: list[Missing] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    refusals: Refusals = field(default_factory=Refusals)
    pickle: int = -1


def predict(document: Document, encoding: str = "utf-8", progress: Progress | None = None) -> Prediction:
    """What torch.load would do with a document. Raises CancelledError."""
    found = Prediction(devices=devices(document), pickle=document.main)
    errors = sum(problem.severity is Severity.ERROR for problem in document.problems)
    if document.format not in TORCH:
        found.expectations.append(_other(document))
        found.code = other_code(document) if not errors else None
        return found
    pickle = document.main_pickle
    if pickle is not None:
        found.missing = find_missing(pickle.values, encoding, progress)
        stored = [source.name for source in document.sources if source.value and source.value.pickle == pickle.index]
        found.refusals = find_refusals(pickle.values, stored, encoding)
    found.expectations = list(_expected(document, found, errors))
    codes_of = {told.code for told in found.expectations}
    if pickle is not None and _STOPS.isdisjoint(codes_of):
        latin = "strings-latin" in codes_of
        found.code = torch_code(
            document, document.branches(encoding), found, moved=_is_moved(found.devices), latin=latin
        )
    return found


def devices(document: Document) -> list[Device]:
    """The locations of the storages of a document's tensors, the most frequent first."""
    storages = {
        id(tensor.storage): tensor.storage.location
        for tensor in document.tensors
        if tensor.storage is not None and tensor.kind != "array"
    }
    return [Device(location, count) for location, count in Counter(storages.values()).most_common()]


def _other(document: Document) -> Expectation:
    name = document.format
    if name in _READERS:
        return Expectation("not-torch-reader", {"loader": _READERS[name]})
    if name in _RUNNERS:
        return Expectation("not-torch-runner", {"loader": _RUNNERS[name]})
    return Expectation("not-torch-packed" if name in _PACKED else "not-torch", {"format": FORMATS.get(name, name)})


def _expected(document: Document, found: Prediction, errors: int) -> Iterator[Expectation]:
    pickle = document.main_pickle
    stops = list(_stops(document, errors))
    yield from stops
    if found.missing:
        names = [entry.name for entry in found.missing]
        yield Expectation("classes-missing", {"count": len(names), "names": joined(names)})
    yield from _on_devices(found.devices)
    latin = pickle is not None and has_latin(pickle.values)
    if latin:
        yield Expectation("strings-latin")
    if document.format == "torch-tar":
        yield Expectation("tar")
        yield from _reaching(found.refusals)
    else:
        yield from _refused(found.refusals, pickle.code.protocol if pickle is not None else 0)
    compared = [source.name for source in document.sources if source.file and source.text]
    if compared:
        yield Expectation("source-compared", {"count": len(compared), "names": joined(compared)})
    is_plain = document.format != "torch-tar" and not found.refusals
    if is_plain and not (stops or found.missing or latin or _is_moved(found.devices)):
        yield Expectation("loads")
    if document.format == "torch-zip":
        version = archive_version(document)
        yield Expectation("needs-torch-version", {"version": version}) if version else Expectation("needs-torch")


def _stops(document: Document, errors: int) -> Iterator[Expectation]:
    """What ends loading whatever is asked for."""
    pickle = document.main_pickle
    if errors or (pickle is not None and not pickle.code.complete):
        yield Expectation("damaged", {"count": max(errors, 1)})
    told = {problem.code for problem in document.problems}
    if "zip-prefix" in told:
        yield Expectation("zip-prefix")
    odd = [code for code in _ODD if code in told]
    if odd and not errors:
        yield Expectation("odd", {"names": ", ".join(odd)})
    if document.format == "torch-zip":
        yield from _stops_of_zip(document) if not errors else ()
    elif document.format == "torch-legacy" and any(
        tensor.storage is not None and tensor.storage.untyped for tensor in document.tensors
    ):
        yield Expectation("untyped-legacy")


def _stops_of_zip(document: Document) -> Iterator[Expectation]:
    names = names_of(document.records)
    folder = names[0].partition("/")[0] + "/" if names else ""
    other = next((name for name in names if not name.startswith(folder)), None)
    if other is not None or "/" not in names[0]:
        yield Expectation("zip-folders", {"name": shortened(other if other is not None else names[0])})
    version = archive_version(document)
    if not version:
        yield Expectation("version-absent")
    elif not version.isdecimal() or int(version) not in _VERSIONS:
        yield Expectation("version-unread", {"version": version, "last": _VERSIONS[-1]})


def _is_moved(found: Iterable[Device]) -> bool:
    """True when some storage is on a device that other computers may lack."""
    return any(device.location not in _ANYWHERE for device in found)


def has_latin(values: Values) -> bool:
    """True when a Python 2 string is no UTF-8, which torch.load takes them for."""
    rows = np.flatnonzero(KIND_OF[values.code.codes] == Kind.STRING).tolist()
    return any(isinstance(raw := values.plain(row), bytes) and not _is_utf8(raw) for row in rows)


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _on_devices(found: Sequence[Device]) -> Iterator[Expectation]:
    total = sum(device.storages for device in found)
    tagged = [device for device in found if device.location != "cpu"]
    for device in tagged[:MOST_DEVICES]:
        kind = device.location.partition(":")[0]
        code = f"device-{kind}" if kind in _NAMED else "device-backend" if kind in _BACKENDS else "device-unknown"
        facts = {"location": shortened(device.location), "count": device.storages, "all": total, "map_location": "cpu"}
        yield Expectation(code, facts)
    left = sum(device.storages for device in tagged[MOST_DEVICES:])
    if left:
        yield Expectation("device-more", {"count": left, "all": total, "map_location": "cpu"})


def _refused(found: Refusals, protocol: int) -> Iterator[Expectation]:
    yield from _reaching(found)
    if found.names:
        code = "refused-names-allowed" if found.allowed is not None else "refused-names"
        code = "refused-names-kept" if found.reaching else code
        yield Expectation(code, {"count": len(found.names), "names": joined(found.names)})
    if found.opcodes:
        yield Expectation("refused-opcodes", {"protocol": protocol, "names": joined(found.opcodes)})
    if found.stored:
        yield Expectation("refused-stored")
    if found.filled:
        yield Expectation("refused-filled", {"names": joined(found.filled)})
    if found.computed:
        yield Expectation("refused-computed")


def _reaching(found: Refusals) -> Iterator[Expectation]:
    if found.reaching:
        yield Expectation("reaching-names", {"names": joined(found.reaching)})


def joined(names: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    listed = list(names)
    more = len(listed) - MOST_NAMED
    return ", ".join(map(shortened, listed[:MOST_NAMED])) + (f", … (+{more:,})" if more > 0 else "")


def archive_version(document: Document) -> str:
    """The content of a zip's record `version`: a number, most often; "" where there is none."""
    for number, name in enumerate(names_of(document.records)):
        source = document.records[number].source if name.partition("/")[2] in _VERSION_RECORDS else None
        if source is not None:
            try:
                return ascii(source.read(0, 8).strip().decode("latin-1"))[1:-1]
            except SourceError:
                return ""
    return ""
