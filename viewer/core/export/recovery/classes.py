"""The files of source/: texts that the checkpoint stores, and stand-ins for classes whose code it does not hold."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.files import DERIVED, ClassText, SourcePlan, class_texts, plan_sources
from viewer.core.export.recovery.walk import OwnClass

UNNAMED: Final = "unnamed"
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
    """`plan`: the files. `stored`, `derived`: names of the classes that a text of that origin is used for."""

    plan: SourcePlan
    stored: tuple[str, ...]
    derived: tuple[str, ...]


def lay_out_sources(sources: Sequence[EmbeddedSource], own: Iterable[OwnClass]) -> Sources:
    """The stored texts, and a stand-in for each class of `own` that no usable text is stored of."""
    stored = class_texts(sources)
    plan = plan_sources(stored)
    lacking = [each for each in own if each.name not in plan.placed]
    names = tuple(plan.placed)
    if lacking:
        plan = plan_sources([*stored, *stand_ins(lacking)])
    return Sources(plan, names, tuple(each.name for each in lacking))


def stand_ins(own: Iterable[OwnClass]) -> list[ClassText]:
    """A text for each class: it keeps its attributes and computes nothing."""
    return [_stand_in(each) for each in own]


def _stand_in(own: OwnClass) -> ClassText:
    qualname = ".".join(identifier(part) for part in own.qualname.split("."))
    last = qualname.rpartition(".")[2]
    sentence = _SENTENCE.format(name=own.name)
    if own.is_module:
        text = _MODULE.format(last=last, sentence=sentence)
    else:
        text = _PLAIN.format(last=last, base=f"({own.base})" if own.base else "")
    return ClassText(own.name, own.module or UNNAMED, qualname, text, DERIVED, None)


def identifier(name: str) -> str:
    """A name that Python takes for a class; the given one where it does."""
    safe = "".join(char if char.isascii() and (char.isalnum() or char == "_") else "_" for char in name)[:100]
    if not safe or safe[0].isdigit() or keyword.iskeyword(safe):
        safe = f"_{safe}"
    return safe if not name.isidentifier() or keyword.iskeyword(name) or len(name) > len(safe) else name
