"""Facts: what Summary and `inspect` say of a document as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.document import ARCHIVES, Document, Pickle
from viewer.core.objects.content import is_mapping, mapping
from viewer.core.objects.describe import class_name, describe
from viewer.core.objects.optimizer import optimizer
from viewer.core.objects.prefixes import common_prefix, copies
from viewer.core.objects.state_dict import Branch, default_branch
from viewer.core.problem import Severity
from viewer.core.summary.outline_facts import outline_lines
from viewer.core.summary.parts import Say, shape_text
from viewer.core.summary.training import Row, beside, lines_of, training_rows
from viewer.core.tensors import window
from viewer.core.tensors.many import Counted, ManyTensors, Totals, of_values, totals_of
from viewer.core.tensors.path import Attribute, Key, Part
from viewer.core.tensors.rows import texts_of
from viewer.core.tensors.tensor import Tensor
from viewer.wording.facts import HOLDS
from viewer.wording.rows import FORMATS

MOST_KEYS: Final = 1000
SCRIPTS: Final = frozenset({"torchscript", "torchscript-json", "torch-mobile"})
"""Formats whose modules torch itself gives back, with their code, which is no Python."""
BUFFERS: Final = Attribute("_buffers")
OF_NORMS: Final = frozenset({"running_mean", "running_var", "num_batches_tracked"})
_PREVIEW: Final = 60
_TITLES: Final = 5


@dataclass(frozen=True, slots=True)
class KeyFact:
    """One entry of the root. `tensors`, `nbytes`: of those below it. `meaning`: what it is in a training state."""

    key: str
    type: str
    preview: str
    tensors: int
    nbytes: int
    meaning: Say | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something occurs, and its bytes."""

    name: str
    count: int
    nbytes: int


@dataclass(slots=True)
class Facts:
    """All of Summary. `holds`: sentences on the content, the most important first.

    `parameters`: elements of the weights (the default branch; all tensors where there is none) by name;
    `unique_parameters` counts elements that several names share once; `parameter_bytes` are theirs. `buffers`:
    elements of the weights that no optimizer changes, as torch counts neither among its parameters. `dtypes`
    counts tensors, `locations` storages. `stored_sources`: classes with their text, `bare_classes`: without.
    `keys`: the first 1,000 of `key_count`. `tensors_inside`: those of `tensors` that the Tensors pane lists only once
    a file inside this one is looked at. `steps`: codes of `wording.facts`, the most useful first.
    """

    title: Say
    detail: str | None
    written_by: str | None
    size: int
    byteorder: str | None
    root: str | None
    holds: list[Say] = field(default_factory=list)
    keys: list[KeyFact] = field(default_factory=list)
    key_count: int = 0
    tensors: int = 0
    tensors_inside: int = 0
    parameters: int = 0
    unique_parameters: int = 0
    parameter_bytes: int = 0
    buffers: int = 0
    buffer_bytes: int = 0
    dtypes: list[Tally] = field(default_factory=list)
    locations: list[Tally] = field(default_factory=list)
    stored_sources: int = 0
    bare_classes: int = 0
    problems: dict[Severity, int] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)


def facts(document: Document, encoding: str = "utf-8") -> Facts:
    """The facts of a document and of all inside it; of a compressed file the object is that of the file inside."""
    inner = document.content
    documents = list(document.walk())
    tensors = tensors_of(document)
    totals = totals_of(tensors)
    sources = [source for part in documents for source in part.sources]
    problems = Counter(problem.severity for part in documents for problem in part.problems)
    branches = inner.branches(encoding)
    weights, buffers = _weights(branches, tensors, totals)
    keys = root_entries(inner)
    training = list(training_rows(inner, encoding))
    found = Facts(
        Say(FORMATS.get(document.format, document.format)),
        document.detail,
        document.written_by,
        document.whole_size,
        inner.byteorder,
        root_type(inner, encoding),
        holds=_holds(inner, branches, tensors, training, encoding),
        keys=_key_facts(inner, training, encoding) if keys is not None else [],
        key_count=keys or 0,
        tensors=len(tensors),
        tensors_inside=len(tensors) - len(document.tensors),
        parameters=weights.elements,
        unique_parameters=weights.unique_elements,
        parameter_bytes=weights.unique_nbytes,
        buffers=buffers.elements,
        buffer_bytes=buffers.unique_nbytes,
        dtypes=_tallies(totals.dtypes),
        locations=_tallies(totals.locations),
        stored_sources=sum(source.text is not None for source in sources),
        bare_classes=sum(source.text is None for source in sources),
        problems=dict(problems),
        branches=branches,
    )
    found.steps = list(_steps(document, found, totals))
    return found


def _weights(branches: list[Branch], tensors: Sequence[Tensor], totals: Totals) -> tuple[Totals, Totals]:
    """Sums over the parameters and over the buffers of the default branch; of all tensors where there is none."""
    named = [entry for branch in default_branch(branches) for entry in branch.entries]
    if not named and isinstance(tensors, ManyTensors):
        # Each of so many would be made for its name.
        return totals, Totals()
    named = named or [(tensor.name or "", tensor) for tensor in tensors]
    kept = [is_buffer(name, tensor) for name, tensor in named]
    parameters = [tensor for (_, tensor), is_kept in zip(named, kept, strict=True) if not is_kept]
    return totals_of(parameters), totals_of(tensor for (_, tensor), is_kept in zip(named, kept, strict=True) if is_kept)


def is_buffer(name: str, tensor: Tensor) -> bool:
    """True where a module keeps it as a buffer, or, where only names are left, for what torch's norms keep so."""
    return BUFFERS in tensor.path or name.rpartition(".")[2] in OF_NORMS


def tensors_of(document: Document) -> Sequence[Tensor]:
    """The tensors of a document and of all inside it; those of a set stand for those of its files."""
    if document.files:
        return document.tensors
    return [tensor for part in document.walk() for tensor in part.tensors]


# -- the root ----------------------------------------------------------------------------------------


def root_type(document: Document, encoding: str = "utf-8") -> str | None:
    """The qualified type of the main object; None where there is none."""
    pickle = document.main_pickle
    if pickle is None or pickle.values.root < 0:
        return None
    return class_name(pickle.values, pickle.values.root, encoding)


def root_keys(document: Document, encoding: str = "utf-8") -> list[str] | None:
    """The keys of the root, texts as they are and others by their repr; None where it is no mapping."""
    return None if root_entries(document) is None else list(each_root_key(document, encoding))


def each_root_key(document: Document, encoding: str = "utf-8") -> Iterator[str]:
    """The same one after the other, few of them in memory; none where it is no mapping."""
    pickle = document.main_pickle
    if pickle is None or not is_mapping(pickle.values, pickle.values.root):
        return
    for section in mapping(pickle.values, pickle.values.root):
        for first in range(0, section.count, MOST_KEYS):
            entries = section.read(first, min(first + MOST_KEYS, section.count))
            texts = texts_of(section.slots.values, (key for key, _ in entries), encoding)
            for number, (key, _) in enumerate(entries, first):
                text = texts.get(key)
                yield key_text(section.part(key, number, encoding)) if text is None else text


def root_entries(document: Document) -> int | None:
    """Number of entries of the root; None where it is no mapping."""
    pickle = document.main_pickle
    if pickle is None or not is_mapping(pickle.values, pickle.values.root):
        return None
    return sum(section.count for section in mapping(pickle.values, pickle.values.root))


def key_text(part: Part) -> str:
    """A key as text: texts as they are, others by their repr."""
    if isinstance(part, Key):
        is_text = part.repr[:2] in ("'@", '"@') and part.repr[-1] == part.repr[0]
        return part.repr[1:-1] if is_text else part.repr
    return part.name if isinstance(part, Attribute) else str(part)


def _entries(pickle: Pickle, encoding: str, most: int | None = None) -> Iterator[tuple[Part, int]]:
    left = most if most is not None else 1 << 62
    for section in mapping(pickle.values, pickle.values.root):
        for number, (key, value) in enumerate(section.read(0, min(section.count, left))):
            yield section.part(key, number, encoding), value
        left -= min(section.count, left)


def _key_facts(document: Document, training: Sequence[Row], encoding: str) -> list[KeyFact]:
    pickle = document.main_pickle
    if pickle is None:
        return []
    counts: Counter[Part] = Counter()
    sizes: Counter[Part] = Counter()
    own: dict[Part, str] = {}
    meanings = {path[0]: beside(what) for path, _, what in training if len(path) == 1}
    for tensor in of_values(document.tensors):
        if tensor.path and tensor.value is not None and tensor.value.pickle == pickle.index:
            if len(tensor.path) == 1:
                own[tensor.path[0]] = f"{shape_text(tensor.shape)} {tensor.dtype}"
            counts[tensor.path[0]] += 1
            sizes[tensor.path[0]] += window.nbytes(tensor)
    return [
        KeyFact(
            key_text(part),
            class_name(pickle.values, value, encoding),
            own.get(part) or describe(pickle.values, value, _PREVIEW, encoding),
            counts[part],
            sizes[part],
            meanings.get(part),
        )
        for part, value in _entries(pickle, encoding, MOST_KEYS)
    ]


# -- what it holds -----------------------------------------------------------------------------------


def _holds(
    document: Document,
    branches: Sequence[Branch],
    tensors: Sequence[Tensor],
    training: Sequence[Row],
    encoding: str,
) -> list[Say]:
    main = default_branch(branches)
    found: list[Say] = []
    if len(main) == 1:
        found.append(_branch_words(document, main[0], encoding))
    elif main:
        titles = ", ".join(branch.title for branch in main[:_TITLES]) + (", …" if len(main) > _TITLES else "")
        found.append(Say(HOLDS["branches"], {"titles": titles}))
    for branch in branches[:_TITLES]:
        found += _name_words(branch)
    lines = lines_of(training)
    told = {line.params.get("title") for line in lines}
    found += [
        _optimizer_words(document, branch, encoding)
        for branch in branches
        if branch.kind == "optimizer" and branch.title not in told
    ]
    found += lines
    found += outline_lines(document)
    if not found:
        found.append(_plain_words(document, tensors))
    return found


def _branch_words(document: Document, branch: Branch, encoding: str) -> Say:
    if branch.kind == "module":
        name = _class_at(document, branch, encoding)
        code = "model-below" if branch.path else "model"
        return Say(HOLDS[code], {"title": branch.title, "name": name})
    return Say(HOLDS["checkpoint"], {"title": branch.title}) if branch.path else Say(HOLDS["state-dict"])


def _name_words(branch: Branch) -> Iterator[Say]:
    """What the names of a state_dict have in common."""
    if branch.kind not in ("state_dict", "module"):
        return
    prefix = common_prefix([name for name, _ in branch.entries])
    if prefix:
        code = "prefix-below" if branch.path else "prefix"
        yield Say(HOLDS[code], {"count": len(branch.entries), "title": branch.title, "prefix": prefix})
    kept = copies(branch.entries)
    if kept is not None:
        told = {"count": kept.count, "prefix": kept.prefix, "nbytes": kept.nbytes, "size": kept.size}
        yield Say(HOLDS["averages"], told)


def _optimizer_words(document: Document, branch: Branch, encoding: str) -> Say:
    pickle = document.main_pickle
    known = optimizer(pickle.values, branch.value, encoding) if pickle is not None and not branch.path else None
    if known is None:
        return Say(HOLDS["optimizer-below"], {"title": branch.title})
    return Say(HOLDS["optimizer"], {"kept": ", ".join(known.kept), "count": known.parameters})


def _plain_words(document: Document, tensors: Sequence[Tensor]) -> Say:
    if document.format in ARCHIVES and document.children:
        return Say(HOLDS["files"], {"count": len(document.children)})
    if not tensors:
        return Say(HOLDS["nothing"])
    if document.files:
        # The file that stands for the set holds no tensors; not every set has one.
        files = len(document.files) - (document.source.size > 0)
        return Say(HOLDS["set"], {"count": len(tensors), "files": files})
    if document.format == "safetensors":
        return Say(HOLDS["named"], {"count": len(tensors)})
    arrays = all(tensor.kind == "array" for tensor in tensors)
    return Say(HOLDS["arrays" if arrays else "tensors"], {"count": len(tensors)})


def _class_at(document: Document, branch: Branch, encoding: str) -> str:
    pickle = document.main_pickle
    return class_name(pickle.values, branch.value, encoding) if pickle is not None else ""


# -- counts ------------------------------------------------------------------------------------------


def _tallies(counted: Mapping[str, Counted]) -> list[Tally]:
    """The most frequent first."""
    found = [Tally(name, one.count, one.nbytes) for name, one in counted.items()]
    return sorted(found, key=lambda tally: -tally.count)


def _steps(document: Document, found: Facts, totals: Totals) -> Iterator[str]:
    whole = totals.whole
    if found.problems.get(Severity.ERROR) and whole and whole < totals.count:
        yield "rescue"
    if whole:
        yield "export"
    if document.content.format not in SCRIPTS and any(branch.kind == "module" for branch in found.branches):
        yield "recovery"
    if found.stored_sources:
        yield "source"
    if document.format in ("torch-zip", "torch-legacy", "npz", "npy") and not found.problems.get(Severity.ERROR):
        yield "copy-code"
