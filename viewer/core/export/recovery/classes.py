"""The files of source/: texts that the checkpoint stores, and stand-ins for classes whose code it does not hold."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.files import DERIVED, ClassText, SourcePlan, class_texts, plan_sources
from viewer.core.code.needed import needed_names
from viewer.core.code.skeleton import Skeleton, skeletons
from viewer.core.export.recovery.walk import OwnClass
from viewer.core.objects.instances import find_instances
from viewer.core.pickles.values import Values

_MODULE: Final = '''\
class {last}(nn.Module):
    """Stands in for a class whose code is not in the checkpoint."""

    def forward(self, *args, **kwargs):
        raise NotImplementedError({sentence!r})
'''
_PLAIN: Final = '''\
class {last}{base}:
    """Stands in for a class whose code is not in the checkpoint."""
'''
_SENTENCE: Final = "The code of {name} is not in the checkpoint, so it cannot compute. Write its forward here."


@dataclass(frozen=True, slots=True)
class Sources:
    """`plan`: the files. `stored`, `derived`: names of the classes that a text of that origin is used for.

    `lines`: for each class the line of its text in which it first uses each name that nobody has.
    """

    plan: SourcePlan
    stored: tuple[str, ...]
    derived: tuple[str, ...]
    lines: Mapping[str, Mapping[str, int]]


def lay_out_sources(
    sources: Sequence[EmbeddedSource], own: Iterable[OwnClass], values: Values, encoding: str = "utf-8"
) -> Sources:
    """The stored texts, and a derived one for each class of `own` that no usable text is stored of."""
    stored = class_texts(sources)
    plan = plan_sources(stored)
    lacking = [each for each in own if each.name not in plan.placed]
    names = tuple(plan.placed)
    if lacking:
        plan = plan_sources([*stored, *derived_texts(lacking, values, frozenset(names), encoding)])
    return Sources(plan, names, tuple(each.name for each in lacking), dict(first_lines(plan, stored)))


def derived_texts(
    own: Iterable[OwnClass], values: Values, stored: frozenset[str], encoding: str = "utf-8"
) -> list[ClassText]:
    """A text for each class: what its objects show of it."""
    made = {each.name: each for each in skeletons(values, find_instances(values, encoding), stored, encoding)}
    return [_derived(made[each.name]) if each.name in made else _stand_in(each) for each in own]


def _derived(skeleton: Skeleton) -> ClassText:
    return ClassText(skeleton.name, skeleton.module, skeleton.qualname, skeleton.text, DERIVED, None)


def first_lines(plan: SourcePlan, texts: Iterable[ClassText]) -> Iterator[tuple[str, dict[str, int]]]:
    """The places of the names that are lacking, in the stored texts."""
    for text in texts:
        lacking = plan.missing.get(text.name, ())
        if lacking:
            uses = sorted((use.line, use.name) for use in needed_names(text.text).uses if use.name in lacking)
            yield text.name, {name: line for line, name in reversed(uses)}


def _stand_in(own: OwnClass) -> ClassText:
    qualname = ".".join(identifier(part) for part in own.qualname.split("."))
    last = qualname.rpartition(".")[2]
    sentence = _SENTENCE.format(name=own.name)
    if own.is_module:
        text = _MODULE.format(last=last, sentence=sentence)
    else:
        text = _PLAIN.format(last=last, base=f"({own.base})" if own.base else "")
    return ClassText(own.name, own.module, qualname, text, DERIVED, None)


def identifier(name: str) -> str:
    """A name that Python takes for a class; the given one where it does."""
    safe = "".join(char if char.isascii() and (char.isalnum() or char == "_") else "_" for char in name)[:100]
    if not safe or safe[0].isdigit() or keyword.iskeyword(safe):
        safe = f"_{safe}"
    return safe if not name.isidentifier() or keyword.iskeyword(name) or len(name) > len(safe) else name
