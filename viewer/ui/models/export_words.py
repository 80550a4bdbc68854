"""What an export comes to, in words: what is written, left out and changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.export.plan import Plan
from viewer.core.tensors.path import shown
from viewer.core.tensors.tensor import Tensor
from viewer.ui.models.export_rows import Names
from viewer.ui.words import count, ended, files_of, joined, said, size, tensors_of
from viewer.wording.exports import DROPPED, LINES

MOST_LINES: Final = 200
MOST_FILES: Final = 100
MORE: Final = ("", " …")
FEW: Final = 3
"""Chosen tensors that are named."""
translate: Final = QCoreApplication.translate


def written_of(plan: Plan) -> str:
    """What an export comes to: 8 tensors; of forms that write a folder, 12 files; of a report, 1 file."""
    if not (plan.files or plan.items or plan.kept):
        return files_of(1)
    return files_of(len(plan.files)) if plan.files else tensors_of(len(plan.items))


def chosen_words(tensors: Sequence[Tensor], compact: bool) -> str:
    """What was chosen: tensors by their names where they are few; `compact`: only their elements in use."""
    words = translate("export", "Elements in use of {names}") if compact else translate("export", "Chosen: {names}")
    if len(tensors) > FEW:
        return words.format(names=tensors_of(len(tensors)))
    return words.format(names=", ".join(tensor.name or shown(tensor.path) for tensor in tensors))


def totals(plan: Plan) -> str:
    """The counts of an export in one line: tensors or files, about their bytes, what is left out, what loads it."""
    words = [written_of(plan)]
    if plan.nbytes:
        words.append(translate("export", "about {size}").format(size=size(plan.nbytes)))
    if plan.dropped:
        words.append(translate("export", "{0} left out").format(count(len(plan.dropped))))
    if plan.needs:
        words.append(translate("export", "loads in {needs} and later").format(needs=plan.needs))
    return ended(joined(words))


def idle_words(names: Names) -> str:
    """Which patterns and rules do nothing; "" where all do something."""
    if not names.idle:
        return ""
    return translate("export", "Fits no name: {names}").format(names=", ".join(names.idle))


def against_names(names: Names) -> str:
    """What stands against names that cannot be written, and what to do."""
    doubled = names.doubled
    if names.empty:
        words = translate("export", "The rules leave nothing of {name}. Change them, or leave it out.")
        return words.format(name=names.names[names.empty[0]])
    if len(doubled) == 1:
        words = translate("export", "One name is used twice: {names}. Change a rule, or leave tensors out.")
    else:
        words = translate("export", "{count} names are used twice: {names}. Change a rule, or leave tensors out.")
    some = ", ".join(doubled[:2]) + MORE[len(doubled) > 2]
    return words.format(count=count(len(doubled)), names=some)


def lines(plan: Plan) -> Iterator[str]:
    """What an export will keep, leave out and change, a sentence a line."""
    facts = {"title": plan.title, "count": len(plan.items), "dropped": len(plan.dropped)}
    yield from (said(LINES[line.code], line.params) for line in plan.lines)
    if not plan.lines:
        yield said(LINES["from" if plan.title else "from-set" if plan.document.files else "from-file"], facts)
    if plan.files:
        yield said(LINES["files"], {"names": ", ".join(plan.files[:MOST_FILES]) + MORE[len(plan.files) > MOST_FILES]})
    if plan.kept:
        names = ", ".join(plan.kept[:5]) + (" …" if len(plan.kept) > 5 else "")
        yield said(LINES["kept"], {"count": len(plan.kept), "names": names})
    if plan.content.asked:
        pairs = ", ".join(f"{one.name} \u2192 {one.result}" for one in plan.content.asked[:5])
        facts = {"count": len(plan.content.asked), "names": pairs + MORE[len(plan.content.asked) > 5]}
        yield said(LINES["renamed-asked"], facts)
    if plan.needs:
        yield said(LINES["needs"], {"needs": plan.needs})
    number = len(plan.dropped) + len(plan.converted) + len(plan.renamed)
    for sentence, params in islice(_told(plan), MOST_LINES):
        yield said(sentence, params)
    if number > MOST_LINES:
        yield said(LINES["more"], {"count": count(number - MOST_LINES)})


def _told(plan: Plan) -> Iterator[tuple[str, Mapping[str, object]]]:
    """A sentence and its parameters for each entry that is left out, changed or renamed; there may be very many."""
    for left in plan.dropped:
        yield LINES["dropped"], {"name": left.name, "reason": said(DROPPED[left.reason], left.params)}
    for one in plan.converted:
        yield LINES["converted"], {"name": one.name, "source": one.source, "result": one.result}
    for other in plan.renamed:
        yield LINES["renamed"], {"name": other.name, "result": other.result}
