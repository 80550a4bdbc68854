"""What torch.load would do with a file: what it needs, what it stops at, what it warns of, and the code for it.

Only what the bytes decide. Codes and parameters are told here, the sentences stand in `wording.predictions`.
Which classes can be imported where the file is loaded is not known, so all that torch does not bring count as missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from viewer.core.document import Document
from viewer.core.objects.content import shortened
from viewer.core.pickles.values import KIND_OF, Kind, Values
from viewer.core.progress import Progress
from viewer.core.summary.answers import Answer, find_answers
from viewer.core.summary.blockers import NOWHERE, Blocker
from viewer.core.summary.expectation import STOPS, Expectation
from viewer.core.summary.loading import other_code, torch_code
from viewer.core.summary.missing import Missing, find_missing
from viewer.core.summary.rank_loading import has_shards, in_group, saver_of
from viewer.core.summary.set_loading import SETS, set_code, set_refusals
from viewer.core.summary.stops import archive_version, errors_of, other, stops
from viewer.core.summary.weights_only import Refusals, find_refusals
from viewer.core.tensors.many import ManyTensors
from viewer.core.tensors.sharded import CLASS
from viewer.wording.told import Told

__all__ = ["Device", "Expectation", "Prediction", "predict"]

TORCH: Final = frozenset({"torch-zip", "torch-legacy", "torch-tar"})
MOST_DEVICES: Final = 20
MOST_NAMED: Final = 6
MOST_GLOBALS: Final = 100_000
# Formats whose loaders run whatever the file asks for.
_PICKLES: Final = frozenset({"joblib", "pickle"})
# Locations that torch reads without the device of their name.
_ANYWHERE: Final = frozenset({"cpu", "meta"})
_BACKENDS: Final = frozenset({"hpu", "mtia", "xpu"})
_NAMED: Final = frozenset({"cuda", "meta", "mps", "privateuseone", "xla"})


@dataclass(frozen=True, slots=True)
class Device:
    """A location as written, and how many storages are tagged with it."""

    location: str
    storages: int


@dataclass(slots=True)
class Prediction:
    """All of it. `code`: lines of Python, None where nothing loads the file. `pickle`: that the places stand in.

    `answers`: for weights_only=True and for False.
    """

    expectations: list[Expectation] = field(default_factory=list)
    code: str | None = None
    missing: list[Missing] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    refusals: Refusals = field(default_factory=Refusals)
    pickle: int = -1
    answers: tuple[Answer, Answer] = (Answer(True), Answer(False))


def predict(document: Document, encoding: str = "utf-8", progress: Progress | None = None) -> Prediction:
    """What torch.load would do with a document. Raises CancelledError."""
    found = Prediction(devices=devices(document), pickle=document.main)
    latin = NOWHERE
    if document.format in TORCH:
        latin = _of_torch(found, document, encoding, progress)
    else:
        _of_others(found, document, encoding, progress)
    found.answers = find_answers(document, found.expectations, found.refusals, found.missing, latin)
    return found


def _of_others(found: Prediction, document: Document, encoding: str, progress: Progress | None) -> None:
    """What another loader reads."""
    errors = errors_of(document)
    if document.format in _PICKLES and document.main_pickle is not None:
        found.refusals = find_refusals(document.main_pickle.values, None, encoding, document.main, progress)
    elif document.format in SETS:
        found.refusals = set_refusals(document, encoding, progress)
    reaching = [Expectation("runs-names", {"names": joined(found.refusals.reaching)})]
    found.expectations += [other(document, len(errors)), *(reaching if found.refusals.reaching else ())]
    found.expectations += _needs_numpy(document, progress)
    found.code = other_code(document) if not errors else None
    if document.format in SETS:
        found.code = set_code(document, found.refusals, moved=_is_moved(found.devices)) if not errors else None


def _of_torch(found: Prediction, document: Document, encoding: str, progress: Progress | None) -> int:
    """What torch.load reads; gives the first string of Python 2 that stops it, -1: none does."""
    pickle = document.main_pickle
    latin = NOWHERE
    if pickle is not None:
        found.missing = find_missing(pickle.values, encoding, progress)
        stored = _stored(document, pickle.index)
        found.refusals = find_refusals(pickle.values, stored, encoding, pickle.index, progress)
        found.refusals.blockers += _beside(document, pickle.index, encoding, progress)
        latin = latin_row(pickle.values)
    found.expectations = list(_expected(document, found, progress, latin=latin != NOWHERE))
    codes_of = {told.code for told in found.expectations}
    if pickle is not None and STOPS.isdisjoint(codes_of):
        branches, moved = document.branches(encoding), _is_moved(found.devices)
        found.code = torch_code(document, branches, found, moved=moved, latin=latin != NOWHERE)
        if "sharded" in codes_of:
            saver = saver_of(document)
            found.code = in_group(found.code, saver) if saver is not None else None
    return latin


def _beside(document: Document, main: int, encoding: str, progress: Progress | None) -> Iterator[Blocker]:
    """What is refused in the other pickles of a legacy stream: the same reader reads them."""
    if document.format == "torch-legacy":
        for pickle in document.pickles:
            if pickle.role and pickle.index != main:
                yield from find_refusals(pickle.values, None, encoding, pickle.index, progress).blockers


def _stored(document: Document, pickle: int) -> dict[str, int]:
    """The classes that stand in a stream with their source, and where they do first."""
    found: dict[str, int] = {}
    for source in document.sources:
        if source.value is not None and source.value.pickle == pickle:
            found.setdefault(source.name, source.value.value)
    return found


def devices(document: Document) -> list[Device]:
    """The locations of the storages of a document's tensors, the most frequent first."""
    if isinstance(document.tensors, ManyTensors):
        counted = document.tensors.totals().locations
        return sorted((Device(name, one.count) for name, one in counted.items()), key=lambda device: -device.storages)
    storages = {
        id(tensor.storage): tensor.storage.location
        for tensor in document.tensors
        if tensor.storage is not None and tensor.kind != "array"
    }
    return [Device(location, count) for location, count in Counter(storages.values()).most_common()]


def _expected(
    document: Document, found: Prediction, progress: Progress | None, *, latin: bool
) -> Iterator[Expectation]:
    pickle = document.main_pickle
    first = list(stops(document))
    yield from first
    if found.missing:
        names = [entry.name for entry in found.missing]
        yield Expectation("classes-missing", {"count": len(names), "names": joined(names)})
    yield from _on_devices(found.devices)
    if has_shards(document):
        yield Expectation("sharded", {"count": sum(tensor.note == CLASS for tensor in document.tensors)})
    if latin:
        yield Expectation("strings-latin")
    if document.format == "torch-tar":
        yield from () if first else (Expectation("tar"),)
        yield from _reaching(found.refusals)
    else:
        yield from _refused(found.refusals, pickle.code.protocol if pickle is not None else 0)
    compared = [source.name for source in document.sources if source.file and source.text]
    if compared:
        yield Expectation("source-compared", {"count": len(compared), "names": joined(compared)})
    # Looked for when the file was opened.
    swapped = next((problem for problem in document.problems if problem.code == "tensor-unswapped"), None)
    if swapped is not None:
        yield Expectation("untyped-order", swapped.params)
    is_plain = document.format != "torch-tar" and not found.refusals
    if is_plain and not (first or found.missing or latin or swapped or _is_moved(found.devices)):
        yield Expectation("loads")
    yield from _needs_numpy(document, progress)
    if document.format == "torch-zip":
        version = archive_version(document)
        yield Expectation("needs-torch-version", {"version": version}) if version else Expectation("needs-torch")


def _needs_numpy(document: Document, progress: Progress | None) -> Iterator[Expectation]:
    """Arrays whose functions only a newer numpy has under that name."""
    pickle = document.main_pickle
    if pickle is not None:
        rows = (progress or Progress()).each(pickle.values.globals(MOST_GLOBALS))
        named = (pickle.values.global_name(row) for row in rows)
        if any(name is not None and name[0].startswith("numpy._core") for name in named):
            yield Expectation("needs-numpy")


def _is_moved(found: Iterable[Device]) -> bool:
    """True when some storage is on a device that other computers may lack."""
    return any(device.location not in _ANYWHERE for device in found)


def latin_row(values: Values) -> int:
    """The first Python 2 string that is no UTF-8, which torch.load takes them for; -1: none is."""
    rows = np.flatnonzero(KIND_OF[values.code.codes] == Kind.STRING).tolist()
    odd = (row for row in rows if isinstance(raw := values.plain(row), bytes) and not _is_utf8(raw))
    return next(odd, NOWHERE)


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
    if found.built:
        yield Expectation("refused-built", {"names": joined(found.built)})
    if found.computed:
        yield Expectation("refused-computed")


def _reaching(found: Refusals) -> Iterator[Expectation]:
    if found.reaching:
        yield Expectation("reaching-names", {"names": joined(found.reaching)})


def joined(names: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    listed = list(names)
    more = len(listed) - MOST_NAMED
    named = ", ".join(map(shortened, listed[:MOST_NAMED]))
    return Told(named, ", … (+", more, ")") if more > 0 else named
