"""README.txt of the kit: what is certain, what was derived, what is missing."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from viewer import __version__
from viewer.core.code.files import Unusable
from viewer.core.code.made_files import shown
from viewer.core.code.torch_modules import TorchName, Untold, missing_attributes
from viewer.core.export.plan import Dropped
from viewer.core.export.recovery.classes import Sources
from viewer.core.export.recovery.known import OF_PYTHON_2
from viewer.core.export.recovery.walk import Found, Lost
from viewer.wording import fill
from viewer.wording.exports import DROPPED
from viewer.wording.recovery import README, REASONS

WIDTH: Final = 100
MOST: Final = 30
"""Lines of one kind; a model of a thousand blocks would fill the file with the same sentence."""
_PARALLEL: Final = ("torch.nn.parallel.data_parallel.", "torch.nn.parallel.distributed.")


@dataclass(frozen=True, slots=True)
class Facts:
    """What there is to tell. `root`: the module's class; `needs`: the first torch that reads the weights."""

    file: str
    title: str
    root: str
    tensors: int
    needs: str
    objects: Found
    extras: int
    sources: Sources
    dropped: tuple[Dropped, ...]


def readme(facts: Facts) -> str:
    """The whole text."""
    about = "about-at" if facts.title else "about"
    head = say("title", file=facts.file)
    parts = [
        f"{head}\n{'=' * min(len(head), WIDTH)}\n",
        wrapped(say(about, version=__version__, root=facts.root, title=facts.title)),
        wrapped(say("read-first")),
        section("use", use(facts)),
        section("certain", certain(facts)),
    ]
    derived_lines = list(derived(facts))
    if derived_lines:
        parts.append(section("derived", derived_lines))
    parts.append(section("missing", list(missing(facts)) or [say("missing-none")]))
    return "\n".join(parts)


def say(code: str, **params: object) -> str:
    """A sentence of the table; what comes from the file stands in it on one line."""
    return fill(README[code], {name: shown(value) for name, value in params.items()})


def wrapped(text: str, indent: str = "") -> str:
    """A paragraph, or an entry of a list."""
    hanging = indent and "    "
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=hanging, break_long_words=False) + "\n"


def section(code: str, entries: Iterable[str]) -> str:
    """A heading and its entries."""
    head = say(code)
    return f"{head}\n{'-' * len(head)}\n" + "".join(wrapped(entry, "  - ") for entry in entries)


def few(entries: Sequence[str]) -> Iterator[str]:
    """The first entries of a kind, each once, and how many more there are."""
    distinct = list(dict.fromkeys(entries))
    yield from distinct[:MOST]
    if len(distinct) > MOST:
        yield say("more", count=len(distinct) - MOST)


def use(facts: Facts) -> Iterator[str]:
    """What to do with it."""
    yield from (say("use-load"), say("use-script"), say("use-filled"))
    yield say("use-weights", needs=facts.needs)


def certain(facts: Facts) -> Iterator[str]:
    """What the file states."""
    yield say("certain-weights", count=facts.tensors)
    if facts.extras:
        yield say("certain-extra", count=facts.extras)
    yield say("certain-objects", count=sum(record["type"] in ("module", "object") for record in records(facts)))
    paths = file_of_class(facts.sources)
    yield from few([say("certain-source", name=name, path=paths.get(name, "")) for name in facts.sources.stored])


def records(facts: Facts) -> Iterable[Mapping[str, object]]:
    """All records of model.json."""
    return facts.objects.records.values()


def file_of_class(sources: Sources) -> dict[str, str]:
    """The file that the text of each class is in, below source/."""
    return {name: "/".join(file.path) for file in sources.plan.files for name in file.classes}


def derived(facts: Facts) -> Iterator[str]:
    """What was worked out."""
    found, paths = facts.objects, file_of_class(facts.sources)
    yield from few([say("derived-supplied", name=name, path=paths.get(name, "")) for name in facts.sources.supplied])
    yield from few(
        [
            say("derived-class", name=name, count=found.own[name].count, path=paths.get(name, ""))
            for name in facts.sources.derived
        ]
    )
    yield from few(list(names_of_python_2(facts.sources)))
    yield from few(list(defaults(found)))
    yield from few([say("derived-parallel", name=name) for name in found.torch if name.startswith(_PARALLEL)])
    yield from few([say("derived-device", name=where or README["root"]) for where in found.moved])
    yield from few([say("derived-hook", name=where or README["root"]) for where in found.rebuilt_hooks])


def names_of_python_2(sources: Sources) -> Iterator[str]:
    """The names that are missing in Python 3 only, which load.py gives."""
    for name, names in sources.plan.missing.items():
        former = OF_PYTHON_2.intersection(names)
        if former:
            yield say("derived-python-2", name=name, names=", ".join(sorted(former)))


def defaults(found: Found) -> Iterator[str]:
    """Attributes that objects of torch's classes lack today, by class, with what they get."""
    for name, objects in found.torch.items():
        lacking: dict[str, tuple[object, int]] = {}
        for held in objects:
            for attribute, default in missing_attributes(name, held).items():
                lacking[attribute] = (default, lacking.get(attribute, (None, 0))[1] + 1)
        for attribute, (default, count) in lacking.items():
            code = "derived-private" if attribute.startswith("_") else "derived-default"
            text = default_text(default)
            yield say(code, name=name, count=count, attribute=attribute, default=text)


def default_text(default: object) -> str:
    """A default of torch as people write it."""
    if isinstance(default, TorchName):
        return default.name
    return default.text if isinstance(default, Untold) else repr(default)


def missing(facts: Facts) -> Iterator[str]:
    """What is not there."""
    yield from few([say("missing-forward", name=name) for name in facts.sources.idle])
    yield from few(list(names_nobody_has(facts.sources)))
    yield from few([unusable_text(each) for each in facts.sources.plan.unusable])
    yield from few([lost_value(each) for each in facts.objects.lost])
    yield from few(
        [
            say("missing-hook", name=hook.name, where=hook.where or README["root"], kind=hook.reason)
            for hook in facts.objects.hooks
        ]
    )
    yield from few([say("missing-tensor", name=each.name, reason=each.text) for each in facts.dropped])
    lost = sum("missing" in record for record in records(facts) if record["type"] == "tensor")
    if lost:
        yield say("missing-extra", count=lost)


def names_nobody_has(sources: Sources) -> Iterator[str]:
    """The names that the texts of classes use and that are nowhere."""
    paths = file_of_class(sources)
    for name, names in sources.plan.missing.items():
        vital = [each for each in sources.plan.at_import.get(name, ()) if each not in OF_PYTHON_2]
        if vital:
            yield say("missing-import", name=name, names=", ".join(vital), path=paths.get(name, ""))
        for each in names:
            if each in OF_PYTHON_2:
                continue
            line = sources.lines.get(name, {}).get(each)
            code = "missing-name" if line is None else "missing-line"
            yield say(code, name=name, names=each, line=line)


def unusable_text(text: Unusable) -> str:
    """Why a stored text is not among the sources."""
    reason = fill(DROPPED[text.reason], text.params)
    return say("missing-text", name=text.name, reason=reason, path="/".join(text.path))


def lost_value(lost: Lost) -> str:
    """A placeholder."""
    where, reason = lost.where or README["root"], REASONS[lost.reason]
    if not lost.name:
        return say("missing-unnamed", where=where, reason=reason)
    return say("missing-value", where=where, name=lost.name, reason=reason)
