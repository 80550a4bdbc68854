"""All checks of a document: each object of a class against the texts of that class, gathered for people.

A text is parsed once. Objects of a class that hold the same names have the same findings, so those are worked
out once and counted: the cost is that of reading what each object holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from viewer.core.code.checks import ClassCheck
from viewer.core.code.files import class_texts, is_torch
from viewer.core.code.findings import MOST_PLACES, Finding, finding, listed
from viewer.core.code.held import Held, held_by
from viewer.core.code.lineage import HeldClass, Library
from viewer.core.code.python_text import MOST_CHARACTERS, Fault
from viewer.core.code.supplied import SuppliedFile
from viewer.core.code.torch_checks import torch_findings
from viewer.core.code.torch_text import TorchText
from viewer.core.document import Document
from viewer.core.objects.instances import Instance, class_of, find_instances
from viewer.core.objects.names import module_and_name
from viewer.core.pickles.values import Values
from viewer.core.problem import Severity
from viewer.core.progress import Progress

STEP: Final = "checks"
_NONE: Final[Mapping[str, TorchText]] = MappingProxyType({})
MOST_KINDS: Final = 200
"""Sets of names that the objects of one class may hold; each is checked by itself."""
_EVERY: Final = 64
_Alike = tuple[str, str, str]


def check_document(
    document: Document,
    supplied: Sequence[SuppliedFile] = (),
    torch_texts: Mapping[str, TorchText] = _NONE,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> list[Finding]:
    """What the objects of a document's main pickle lack or hold, by class in the order of their first objects.

    `supplied`: .py files that the person picked, the newest first; a class that one of them has is held against it too.
    `torch_texts`: installed texts of torch's own classes by name. Raises CancelledError.
    """
    pickle = document.object_pickle
    if pickle is None:
        return []
    library = Library(class_texts(document.sources), supplied, torch_texts)
    check = _Check(pickle.values, library, encoding, progress or Progress())
    return check.run()


def torch_names(document: Document, encoding: str = "utf-8", progress: Progress | None = None) -> list[str]:
    """The names of torch's own classes that a document has objects of: those to fetch the texts of."""
    pickle = document.object_pickle
    if pickle is None:
        return []
    found = find_instances(pickle.values, encoding, progress)
    return list(dict.fromkeys(one.name for one in found if is_torch(one.name)))


@dataclass(slots=True)
class _Check:
    values: Values
    library: Library
    encoding: str
    progress: Progress
    checks: dict[str, list[ClassCheck | Finding]] = field(default_factory=dict)
    known: dict[tuple[str, Held], list[tuple[_Alike, Finding]]] = field(default_factory=dict)
    found: dict[_Alike, Finding] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    unchecked: dict[str, int] = field(default_factory=dict)

    def run(self) -> list[Finding]:
        """Instance after instance."""
        instances = find_instances(self.values, self.encoding, self.progress)
        for number, instance in enumerate(instances):
            if not number % _EVERY:
                self.progress.step(STEP, number, len(instances))
            self.progress.check()
            self._instance(instance)
        for name, count in self.unchecked.items():
            one = finding("objects-unchecked", Severity.NOTE, name, count=count, limit=MOST_KINDS)
            self.found[_alike(one)] = one
        order = {name: number for number, name in enumerate(dict.fromkeys(one.name for one in instances))}
        return sorted(self.found.values(), key=lambda one: (order[one.class_name], one.origin, one.line or 0))

    def _instance(self, instance: Instance) -> None:
        held = held_by(self.values, instance.value, self.encoding)
        key = (instance.name, held)
        if key not in self.known:
            kinds = self.kinds[instance.name] = self.kinds.get(instance.name, 0) + 1
            if kinds > MOST_KINDS:
                self.unchecked[instance.name] = self.unchecked.get(instance.name, 0) + 1
                return
            self.known[key] = [(_alike(one), one) for one in self._findings(instance, held)]
        for alike, one in self.known[key]:
            kept = self.found.get(alike)
            if kept is None:
                self.found[alike] = replace(one, value=instance.value, places=(instance.path,))
                continue
            places = kept.places if len(kept.places) >= MOST_PLACES else (*kept.places, instance.path)
            self.found[alike] = replace(kept, count=kept.count + 1, places=places)

    def _findings(self, instance: Instance, held: Held) -> list[Finding]:
        found: list[Finding] = []
        if held.hooks:
            found.append(finding("hooks-held", Severity.NOTE, instance.name, names=listed(held.hooks)))
        if is_torch(instance.name):
            return found + torch_findings(instance.name, instance.name, held, self.library)
        bases: dict[str, None] = {}
        for check in self._class_checks(instance):
            if isinstance(check, Finding):
                found.append(check)
                continue
            found += check.findings(held)
            bases.update(dict.fromkeys(check.lineage.torch_bases))
        for base in bases:
            found += torch_findings(instance.name, base, held, self.library)
        return found

    def _class_checks(self, instance: Instance) -> list[ClassCheck | Finding]:
        if instance.name not in self.checks:
            module, qualname = self._parted(instance)
            texts = self.library.texts(module, qualname, instance.name)
            self.checks[instance.name] = [self._prepared(text, instance.name) for text in texts]
        return self.checks[instance.name]

    def _prepared(self, text: HeldClass | Fault, name: str) -> ClassCheck | Finding:
        if isinstance(text, HeldClass):
            try:
                return ClassCheck.of(text, self.library)
            except RecursionError:
                text = Fault("too-deep")
        stored = self.library.text_of(name)
        count = len(stored.text) if stored is not None else 0
        return finding(
            f"text-{text.code}",
            Severity.WARNING,
            name,
            "stored",
            text.line,
            name,
            reason=text.reason,
            count=count,
            limit=MOST_CHARACTERS,
        )

    def _parted(self, instance: Instance) -> tuple[str, str]:
        """Module and class of an object's class, exact where the stream states both."""
        module, qualname = module_and_name(self.values, class_of(self.values, instance.value), self.encoding)
        if f"{module}.{qualname}" == instance.name:
            return module, qualname
        module, _, qualname = instance.name.rpartition(".")
        return module, qualname


def _alike(one: Finding) -> _Alike:
    """What findings on objects of the same class have in common when they are the same."""
    told = one.params.get("name", one.params.get("names", one.params.get("base", one.params.get("count"))))
    return one.class_name, one.origin, f"{one.code} {one.text_of}:{one.line} {told}"
