"""Skeletons: a text for each class of the person's code that the file holds objects of, but no source.

The text has what the state of the objects shows: attributes, parameters, buffers, submodules with the arguments
that they were made with. Its `__init__` makes a module with the same state_dict names and shapes; what differs
between the objects are keyword arguments. What is not in the file is not claimed: `forward` raises, and a base
class other than nn.Module is taken only where the attributes are exactly those of one class of torch.
Nothing recurses, and equal code is one term, so that ten thousand objects of a class cost little more than reading.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.code.derived.classes import Classes, OwnClass
from viewer.core.code.derived.terms import INDENT
from viewer.core.objects.instances import Instance
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress

LONGEST_CALL: Final = 20_000


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The derived text of one class.

    `name`: qualified, as the file has it. `module`: as stored. `qualname`: of the class in `text`, which differs
    from the stored one where that is no Python name. `instances`: objects seen. `computes`: False for a module
    whose forward is not known. `missing`: functions and classes that its objects refer to and the text cannot
    name. `call`: the code that makes the first object; "" where a ready object has to be given, or it is too long.
    """

    name: str
    module: str
    qualname: str
    text: str
    instances: int
    computes: bool
    missing: tuple[str, ...]
    call: str = ""


def skeletons(
    values: Values,
    instances: Sequence[Instance],
    stored: Container[str],
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> list[Skeleton]:
    """One for each own class without source, in the order of their first objects.

    `instances`: all objects of the stream. `stored`: qualified names of the classes whose source is in the file.
    Raises CancelledError.
    """
    classes = Classes(values, instances, stored, encoding, progress or Progress())
    classes.run()
    texts = _texts(classes.own)
    return [_skeleton(classes, own, texts[own.name]) for own in classes.own]


def _skeleton(classes: Classes, own: OwnClass, text: str) -> Skeleton:
    first = own.instances[0].value
    call = classes.objects.calls.get(first, -1)
    terms = classes.objects.terms
    is_whole = call >= 0 and not terms[call].has_instance
    made = terms.flat(call, f"{own.qualname}.{own.helper}", LONGEST_CALL) if is_whole else ""
    # A class that does not use the helper does not have it.
    made = "" if f".{own.helper}(" in made and not own.has_helper else made
    return Skeleton(
        own.name, own.module, own.qualname, text, len(own.instances), own.computes, tuple(own.missing), made
    )


def _texts(own: Sequence[OwnClass]) -> dict[str, str]:
    """The texts by name; a class that stands inside another one is part of the outer text too."""
    lines: dict[str, list[str]] = {}
    inner: dict[tuple[str, str], list[list[str]]] = {}
    for one in sorted(own, key=lambda each: each.qualname.count("."), reverse=True):
        made = list(one.head)
        for nested in inner.get((one.module, one.qualname), []):
            made += ["", *(INDENT + line if line else "" for line in nested)]
        lines[one.name] = made = made + one.body
        outer = one.qualname.rpartition(".")[0]
        if outer:
            inner.setdefault((one.module, outer), []).append(made)
    return {name: "\n".join(made) + "\n" for name, made in lines.items()}
