"""The files of source/: texts that the checkpoint stores, and stand-ins for classes whose code it does not hold."""

from __future__ import annotations

import keyword
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.files import DERIVED, ClassText, SourcePlan, class_texts, plan_sources
from viewer.core.code.needed import needed_names
from viewer.core.code.skeleton import Skeleton, skeletons
from viewer.core.code.supplied import SuppliedFile
from viewer.core.code.surroundings import Contents, Surroundings, fitting
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
    """`plan`: the files. `stored`, `supplied`, `derived`: names of the classes that a text of that origin is used for.

    `idle`: those of `derived` that are modules whose forward nobody knows. `lines`: for each class the line of its
    text in which it first uses each name that nobody has.
    """

    plan: SourcePlan
    stored: tuple[str, ...]
    supplied: tuple[str, ...]
    derived: tuple[str, ...]
    idle: tuple[str, ...]
    lines: Mapping[str, Mapping[str, int]]


def lay_out_sources(
    sources: Sequence[EmbeddedSource],
    supplied: Sequence[SuppliedFile],
    own: Collection[OwnClass],
    values: Values,
    encoding: str = "utf-8",
) -> Sources:
    """The stored texts, before them those of the person, and derived ones for what then has none of `own`."""
    given = list(supplied_texts(supplied, own))
    texts = [*class_texts(sources), *given]
    plan = plan_sources(texts)
    names = frozenset(plan.placed)
    lacking = [each for each in own if each.name not in names]
    idle: list[str] = []
    if lacking:
        made = {each.name: each for each in skeletons(values, find_instances(values, encoding), names, encoding)}
        idle = [
            each.name for each in lacking if each.is_module and not (each.name in made and made[each.name].computes)
        ]
        derived = [_derived(made[each.name]) if each.name in made else _stand_in(each) for each in lacking]
        plan = plan_sources([*texts, *derived])
    from_person = {text.name for text in given} & names
    return Sources(
        plan,
        tuple(name for name in plan.placed if name in names - from_person),
        tuple(name for name in plan.placed if name in from_person),
        tuple(each.name for each in lacking),
        tuple(idle),
        dict(first_lines(plan, texts)),
    )


def supplied_texts(files: Sequence[SuppliedFile], own: Collection[OwnClass]) -> Iterator[ClassText]:
    """The texts of classes that the person gave, with what they need of their files.

    The file whose path is that of the module is taken before others; where several may be meant, all, the last to win.
    """
    every = {each.qualname.partition(".")[0] for each in own}
    contents: dict[SuppliedFile, Contents] = {}
    by_module: dict[str, list[OwnClass]] = {}
    for each in own:
        by_module.setdefault(each.module, []).append(each)
    for module, classes in by_module.items():
        names = {each.qualname.partition(".")[0] for each in classes}
        around = Surroundings(files, names, every, contents)
        # in the order of the file, so that none needs what only a later one brings
        for each in sorted(classes, key=lambda one: line_in(files, module, one.qualname)):
            is_alone = "." not in each.qualname or not fitting(files, module, each.qualname.partition(".")[0])
            for file in fitting(files, module, each.qualname):
                text = file.class_text(module, each.qualname)
                if text is not None:
                    before = around.before(file, each.qualname) if is_alone else ""
                    yield replace(text, name=each.name, text=before + text.text)


def line_in(files: Sequence[SuppliedFile], module: str, qualname: str) -> int:
    """The line of a class in the last of the files that it may be taken of; 0 where none has it."""
    return next((file.classes[qualname].line for file in reversed(fitting(files, module, qualname))), 0)


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
