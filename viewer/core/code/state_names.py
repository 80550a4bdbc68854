"""What is said of modules whose `state_dict()` may give other entries than those that are derived from the pickle.

Reasons that the pickle shows (`objects.doubts`), and classes whose stored text writes entries itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from viewer.core.code.class_facts import class_facts
from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.python_text import Fault, class_node, parse
from viewer.core.objects.doubts import Doubt, doubts
from viewer.core.objects.instances import Instance, find_instances
from viewer.core.objects.modules import MODULES
from viewer.core.pickles.values import Values
from viewer.core.problem import Problem, note
from viewer.core.progress import Progress
from viewer.core.span import Span
from viewer.core.tensors.path import Attribute, shown
from viewer.wording.phrases import phrase
from viewer.wording.told import Told, told_together

EXTRA: Final = "get_extra_state"
METHODS: Final = ("state_dict", "_save_to_state_dict", EXTRA)
"""Methods by which a class writes entries of its own."""
_WRITTEN: Final = re.compile(rf"^[ \t]+def (?:{'|'.join(METHODS)})\b", re.MULTILINE)
TORCH: Final = "torch."
CODES: Final = {
    "compiled": "state-dict-compiled",
    "extra": "state-dict-extra",
    "hooks": "state-dict-hooks",
    "own": "state-dict-own",
    "packed": "state-dict-packed",
    "text": "state-dict-text",
}
"""Reason -> code of the Problem."""
_SHOWN: Final = 5
_MOST: Final = 100


def state_dict_problems(
    values: Values,
    sources: Iterable[EmbeddedSource],
    in_document: Callable[[Span], Span | None],
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> Iterator[Problem]:
    """The Problems of one stream; of more than 100 the first. `sources`: the texts of classes that it stores."""
    found = list(doubts(values, encoding))
    writers = own_methods(sources)
    if not found and not writers:
        return
    instances = find_instances(values, encoding, progress)
    found += [
        Doubt(reason, instance.value, (instance.name,))
        for instance in instances
        for reason in _reasons(writers.get(instance.name, ()))
    ]
    places = {instance.value: _place(instance) for instance in instances}
    # The names of those that stand in a module are exact.
    inside = {instance.value for instance in instances if Attribute(MODULES) in instance.path}
    found = [doubt for doubt in found if doubt.reason != "compiled" or doubt.value not in inside]
    groups: dict[tuple[str, tuple[str, ...]], list[Doubt]] = {}
    for doubt in found:
        groups.setdefault((doubt.reason, doubt.names), []).append(doubt)
    for (reason, names), group in list(groups.items())[:_MOST]:
        modules = [places.get(doubt.value, "") or phrase("root") for doubt in group]
        span = in_document(values.span(group[0].value))
        methods = ", ".join(writers.get(names[0], ()))
        facts = {"names": _listed(names), "modules": _listed(modules), "count": len(group), "methods": methods}
        yield note(CODES[reason], span, **facts)


def own_methods(sources: Iterable[EmbeddedSource]) -> Mapping[str, tuple[str, ...]]:
    """Classes whose stored text, or that of a base stored beside it, has one of these methods: by qualified name.

    Those of torch itself are left out: what they do is known.
    """
    own: dict[str, set[str]] = {}
    bases: dict[str, tuple[str, ...]] = {}
    texts = {
        source.name: source.text
        for source in sources
        if source.text is not None and source.qualname and not source.name.startswith(TORCH)
    }
    if not any(_WRITTEN.search(text) for text in texts.values()):
        return {}
    for name, text in texts.items():
        tree = parse(text)
        node = None if isinstance(tree, Fault) else class_node(tree)
        if isinstance(tree, Fault) or node is None or isinstance(facts := class_facts(tree, node), Fault):
            continue
        own[name] = {method for method in METHODS if method in facts.methods}
        bases[name] = tuple(base.rpartition(".")[2] for base in facts.bases)
    last = {name.rpartition(".")[2]: name for name in own}
    for _ in range(len(own)):
        before = sum(map(len, own.values()))
        for name, above in bases.items():
            for base in above:
                own[name] |= own.get(last.get(base, ""), set())
        if sum(map(len, own.values())) == before:
            break
    return {name: tuple(method for method in METHODS if method in held) for name, held in own.items() if held}


def _reasons(methods: tuple[str, ...]) -> Iterator[str]:
    if EXTRA in methods:
        yield "extra"
    if set(methods) - {EXTRA}:
        yield "text"


def _place(instance: Instance) -> str:
    return shown(instance.path) if instance.module is None else instance.module


def _listed(names: Iterable[str]) -> str:
    """The first few names, and how many more there are."""
    given = list(names)
    first = told_together(", ", given[:_SHOWN])
    return Told(first, ", … (", len(given), ")") if len(given) > _SHOWN else first
