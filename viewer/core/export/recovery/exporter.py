"""The recovery kit as a form of export: sources, weights, attributes, and the code that puts them together."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, ClassVar, Final

from typing_extensions import override

from viewer import __version__, resources
from viewer.core.code.files import SourcePlan
from viewer.core.code.findings import listed
from viewer.core.code.supplied import SuppliedFile
from viewer.core.code.surroundings import fitting
from viewer.core.document import Document, Pickle
from viewer.core.errors import ChoiceError, ExportError
from viewer.core.export.base import Draft, packed_source
from viewer.core.export.folder import FolderExporter
from viewer.core.export.plan import Content, Line, Plan, Report, pieces
from viewer.core.export.recovery import known
from viewer.core.export.recovery.classes import Sources, lay_out_sources
from viewer.core.export.recovery.objects import collect
from viewer.core.export.recovery.readme import Facts, readme
from viewer.core.export.recovery.tensors import KeptTensors, packed_tensors, write_extras
from viewer.core.export.recovery.walk import Found as Objects
from viewer.core.export.selection import ROOT, Found, Wanted, branches, content_of
from viewer.core.export.state_dict import StateDict
from viewer.core.objects.modules import MODULES, is_module
from viewer.core.objects.state_dict import Branch, branch_at, default_branch
from viewer.core.progress import Progress
from viewer.core.source import printable
from viewer.core.summary.facts import SCRIPTS
from viewer.core.tensors.path import Attribute, key_part
from viewer.wording import QT_TRANSLATE_NOOP

README, LOAD, MODEL, WEIGHTS, EXTRA = "README.txt", "load.py", "model.json", "weights.pt", "extra_tensors.npz"
SOURCE: Final = "source"
FORM: Final = 1
"""Of model.json; load.py reads this one."""
PER_RECORD: Final = 200
_CHILDREN: Final = Attribute(MODULES)
_FORM_OF_WEIGHTS: Final = StateDict()

Writer = Callable[[BinaryIO], None] | bytes


@dataclass(frozen=True, slots=True)
class Kit:
    """What goes into the folder beside the weights."""

    encoding: str
    found: Found
    supplied: tuple[SuppliedFile, ...]
    root: int
    objects: Objects
    tensors: KeptTensors
    sources: Sources


@dataclass(frozen=True, slots=True)
class KitPlan(Plan):
    """The plan of a kit: that of its weights, and the kit."""

    kit: Kit = field(kw_only=True)


class Recovery(FolderExporter):
    """A folder whose load.py gives the module back; the weights in it are a state_dict that torch verifies."""

    form: ClassVar[str] = "recovery"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "Recovery kit")
    summary: ClassVar[str] = QT_TRANSLATE_NOOP("wording", "a folder with load.py, the sources and the weights")
    judge: ClassVar[str] = "torch"
    takes: ClassVar[str] = "module"

    @override
    def plan(self, document: Document, wanted: Wanted) -> Plan:
        return kit_plan(document, chosen_module(document, wanted), wanted.encoding or "utf-8", wanted.supplied)

    @override
    def write(self, plan: Plan, path: Path, progress: Progress, overwrite: bool = False) -> Report:
        report = super().write(settled(plan, progress), path, progress, overwrite)
        return replace(report, judged=path / WEIGHTS)

    @override
    def files(self, plan: Plan, progress: Progress) -> Iterator[tuple[tuple[str, ...], Writer]]:
        kit = kit_of(plan)
        yield (README,), readme(facts(plan, kit)).encode("utf-8", "backslashreplace")
        yield (LOAD,), resources.read_bytes(f"recovery/{LOAD}")
        yield (MODEL,), lambda file: write_model(plan, kit, file, progress)
        yield (WEIGHTS,), lambda file: _FORM_OF_WEIGHTS.stream(plan, file, WEIGHTS, progress)
        if kit.tensors.extras:
            yield (EXTRA,), lambda file: write_extras(kit.tensors.extras, file, progress)
        for source in kit.sources.plan.files:
            yield (SOURCE, *source.path), source.data


def chosen_module(document: Document, wanted: Wanted) -> Found:
    """The module that is wanted. Raises ChoiceError when one must be named, ExportError when there is none."""
    if wanted.tensors is not None or wanted.only or wanted.skip or wanted.without:
        raise ExportError("recovery-whole")
    encoding = wanted.encoding or "utf-8"
    every = [found for found in branches(document, encoding) if found.branch.kind == "module"]
    every = every or bare_modules(document, encoding)
    scripts = [found for found in every if found.pickle and part_of(document, found.pickle).format in SCRIPTS]
    every = [found for found in every if found not in scripts]
    if scripts and not every:
        raise ExportError("recovery-script")
    usual = set(default_branch([found.branch for found in every]))
    fitting = [found for found in every if found.branch in usual]
    if wanted.root:
        return named_module(document, [*fitting, *every], wanted.root, encoding)
    if not fitting:
        raise ExportError("recovery-no-module")
    if len(fitting) > 1:
        raise ChoiceError("recovery-choice", [found.title or ROOT for found in fitting])
    return fitting[0]


def named_module(document: Document, every: Sequence[Found], root: str, encoding: str) -> Found:
    """The module of that name, or the one that stands at a dotted name within one of `every`. Raises ExportError."""
    spelled = root.strip("/").replace("/", ".")
    for found in every:
        if spelled == (found.title or ROOT):
            return found
    for found in every:
        inner = spelled.removeprefix(f"{found.title}.") if found.title else spelled
        if found.pickle is not None and (not found.title or inner != spelled):
            path = (*found.branch.path, *(part for name in inner.split(".") for part in (_CHILDREN, key_part(name))))
            tensors = part_of(document, found.pickle).tensors
            branch = branch_at(found.pickle.values, tensors, path, found.pickle.index, encoding)
            if branch is not None and branch.kind == "module":
                return Found(branch, found.pickle, spelled)
    raise ExportError("recovery-root", root=root)


def bare_modules(document: Document, encoding: str) -> list[Found]:
    """The root of the file, where it is a module without any tensor."""
    pickle = document.main_pickle
    if pickle is None or not is_module(pickle.values, pickle.values.root, encoding):
        return []
    return [Found(Branch((), "", "module", [], value=pickle.values.root), pickle, "")]


def part_of(document: Document, pickle: Pickle) -> Document:
    """The document that a stream is of."""
    return next(part for part in document.walk() if pickle in part.pickles)


def kit_plan(document: Document, found: Found, encoding: str, supplied: tuple[SuppliedFile, ...] = ()) -> KitPlan:
    """All that can be said before anything is written."""
    pickle = found.pickle
    if pickle is None:
        raise ExportError("recovery-no-module")
    part = part_of(document, pickle)
    content = content_of(found)
    draft = Draft(dropped=list(content.dropped), renamed=list(content.renamed))
    nbytes, needs = _FORM_OF_WEIGHTS.fill(draft, content)
    names: dict[int, str] = {}
    for item in draft.items:
        if item.tensor.value is not None:
            names.setdefault(item.tensor.value.value, item.name)
    own = {each.value.value: each for each in part.tensors if each.value and each.value.pickle == pickle.index}
    tensors = KeptTensors(own, names)
    stored = {source.name for source in part.sources if source.text is not None}
    objects = collect(pickle.values, found.branch.value, tensors, stored, encoding)
    sources = lay_out_sources(part.sources, supplied, objects.own.values(), pickle.values, encoding)
    kit = Kit(encoding, found, supplied, found.branch.value, objects, tensors, sources)
    note_lost(draft, kit)
    nbytes += sum(written.nbytes for written in tensors.extras.values()) + PER_RECORD * len(objects.records)
    nbytes += sum(len(source.data) for source in sources.plan.files)
    return KitPlan(
        *(Recovery.form, document, content, tuple(draft.items), tuple(draft.kept), tuple(draft.dropped)),
        *(tuple(draft.converted), tuple(draft.renamed), nbytes, needs),
        files=tuple(names_of(kit)),
        lines=tuple(lines(content, kit, len(draft.items))),
        kit=kit,
    )


def names_of(kit: Kit) -> Iterator[str]:
    """The files of the folder."""
    yield from (README, LOAD, MODEL, WEIGHTS)
    if kit.tensors.extras:
        yield EXTRA
    for source in kit.sources.plan.files:
        yield "/".join((SOURCE, *source.path))


def lines(content: Content, kit: Kit, count: int) -> Iterator[Line]:
    """What is said of the plan."""
    code = "recovery-tensors" if content.title else "recovery-tensors-file"
    yield Line(code, {"title": content.title, "count": count, "extra": len(kit.tensors.extras)})
    texts = len(kit.sources.stored) + len(kit.sources.supplied)
    yield Line("recovery-classes", {"stored": texts, "derived": len(kit.sources.derived)})
    yield from supplied_lines(kit)


def supplied_lines(kit: Kit) -> Iterator[Line]:
    """Which classes come from which file of the person; of several that fit alike the last one is used."""
    wanted = [own for own in kit.objects.own.values() if own.name in kit.sources.supplied]
    names: dict[SuppliedFile, list[str]] = {}
    for own in wanted:
        names.setdefault(fitting(kit.supplied, own.module, own.qualname)[-1], []).append(own.name)
    for file in kit.supplied:
        params = {"file": printable(file.path.name), "names": listed(names.get(file, ()))}
        yield Line("recovery-supplied" if file in names else "recovery-unused", params)


def note_lost(draft: Draft, kit: Kit) -> None:
    """What is not rebuilt, among what is left out."""
    for lost in kit.objects.lost:
        draft.drop(lost.where or lost.name, f"recovery-{lost.reason}", what=lost.name)
    for hook in kit.objects.hooks:
        draft.drop(hook.where or ROOT, "recovery-hook", what=hook.name, kind=hook.reason)


def settled(plan: Plan, progress: Progress) -> Plan:
    """The plan once deflated storages are unpacked: what of them is there is known only then."""
    kit = kit_of(plan)
    tensors = [item.tensor for item in pieces(plan.items)] + list(packed_tensors(kit.tensors.extras))
    packed = [source for tensor in tensors if (source := packed_source(tensor)) is not None]
    for source in dict.fromkeys(packed):
        source.prepare(progress)
    return kit_plan(plan.document, kit.found, kit.encoding, kit.supplied) if packed else plan


def kit_of(plan: Plan) -> Kit:
    """The kit in a plan that this form made."""
    if not isinstance(plan, KitPlan):
        raise TypeError(f"a plan of the form {plan.form}")
    return plan.kit


def facts(plan: Plan, kit: Kit) -> Facts:
    """What README.txt tells."""
    path = plan.document.path
    root = kit.objects.records[kit.root]
    return Facts(
        file=printable(path.name) if path is not None else "",
        title=plan.title,
        root=str(root.get("class", "")),
        tensors=len(plan.items),
        needs=plan.needs,
        objects=kit.objects,
        extras=len(kit.tensors.extras),
        sources=kit.sources,
        dropped=tuple(entry for entry in plan.dropped if not entry.reason.startswith("recovery-")),
    )


def lost_names(plan: SourcePlan) -> dict[str, list[str]]:
    """Names that load.py gives stand-ins for, by module: without them the classes that are there could not be had."""
    found: dict[str, set[str]] = {}
    for name, place in plan.placed.items():
        needed = {each for each in plan.missing.get(name, ()) if each in known.OF_PYTHON_2}
        found.setdefault(place.module, set()).update(needed, plan.at_import.get(name, ()))
    return {module: sorted(names) for module, names in found.items() if names}


def write_model(plan: Plan, kit: Kit, file: BinaryIO, progress: Progress) -> None:
    """model.json, record by record. Raises CancelledError."""
    placed = kit.sources.plan.placed
    path = plan.document.path
    head = {
        "picklescope": __version__,
        "form": FORM,
        "file": path.name if path is not None else "",
        "module": plan.title,
        "root": kit.root,
        "classes": {name: {"module": place.module, "name": place.qualname} for name, place in placed.items()},
        "lost": lost_names(kit.sources.plan),
    }
    file.write(json.dumps(head, indent=1)[:-2].encode("ascii") + b',\n "objects": [\n')
    records: Sequence[int] = sorted(kit.objects.records)
    for number, value in enumerate(records):
        progress.check()
        ending = b",\n" if number + 1 < len(records) else b"\n"
        file.write(b"  " + json.dumps(kit.objects.records[value]).encode("ascii") + ending)
    file.write(b" ]\n}\n")
