"""What the index says of names, held against what the files have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import lt
from typing import Final

import numpy as np

from viewer.core.archive.findings import Findings
from viewer.core.formats.sharded_index.index_text import IndexText
from viewer.core.formats.sharded_index.shards import Loose, Shards
from viewer.core.problem import error, warning
from viewer.core.span import Span
from viewer.core.summary.part import shape_text
from viewer.core.tensors.indexed import Column, IndexedTensors
from viewer.core.tensors.tensor import Tensor

TOTAL: Final = "total_size"
STEP: Final = 65_536


def counting_entries(text: IndexText, findings: Findings) -> Column:
    """The entries that count: of those with one name the last, as for every reader of JSON."""
    names = text.names
    if not text.has_escapes and stand_once(names):
        return np.arange(len(names), dtype=np.int64)
    texts = [text.name(number) for number in range(len(names))]
    last = {name: number for number, name in enumerate(texts)}
    if len(last) < len(texts):
        for name, count in Counter(texts).items():
            if count > 1:
                number = last[name]
                facts = {"name": name, "count": count, "file": text.file_names[text.files[number]]}
                findings.add(warning("set-index-name-twice", text.span(number), **facts))
    return np.array(sorted(last.values()), dtype=np.int64)


def stand_once(names: Sequence[bytes]) -> bool:
    """Whether no name stands twice. Most writers sort them, which tells it most quickly."""
    # In pieces, so that other threads get their turn.
    parts = [range(first, min(first + STEP, len(names))) for first in range(0, len(names), STEP)]
    if all(all(map(lt, names[part.start : part.stop], names[part.start + 1 : part.stop + 1])) for part in parts):
        return True
    unique: set[bytes] = set()
    for part in parts:
        unique.update(names[part.start : part.stop])
    return len(unique) == len(names)


@dataclass(slots=True)
class Matching:
    """Sorts out the tensors that the index does not place where they are. `more`: those that it does not name."""

    text: IndexText
    shards: Shards
    counting: Column
    findings: Findings
    more: list[Tensor] = field(default_factory=list)

    def run(self) -> None:
        """Everything into `shards.found` and `more`, with what is wrong."""
        if self.shards.loose:
            self._sort_loose()
        for entry in self.shards.absent:
            if entry not in self.shards.found:
                facts = {"name": self.text.name(entry), "file": self._file_of(entry)}
                self.findings.add(error("set-name-missing", self.text.span(entry), **facts))

    def _sort_loose(self) -> None:
        entries = {self.text.name(entry): entry for entry in self.counting.tolist()}
        seen: dict[str, Loose] = {}
        for loose in self.shards.loose:
            entry = entries.get(loose.name)
            first = seen.setdefault(loose.name, loose)
            if entry is not None:
                self._named(loose, entry)
            elif first is loose:
                self.more.append(loose.tensor)
                facts = {"name": loose.name, "file": self.text.file_names[loose.file]}
                self.findings.add(warning("set-name-unlisted", None, **facts))
            else:
                self._twice(loose, first.tensor, None)

    def _named(self, loose: Loose, entry: int) -> None:
        """A tensor of a file that the index places in another one."""
        columns = self.shards.columns
        kind = int(columns.kinds[entry])
        known = self.shards.found.get(entry)
        if kind >= 0:
            shared = columns.shared[kind]
            facts = f"{shared.dtype} {shape_text(shared.shape)}"
            self._told(loose, facts, self._file_of(entry), self.text.span(entry))
        elif known is not None:
            self._twice(loose, known, self.text.span(entry))
        else:
            loose.tensor.stated = self.text.span(entry)
            self.shards.found[entry] = loose.tensor
            names = {"name": loose.name, "file": self.text.file_names[loose.file], "other": self._file_of(entry)}
            self.findings.add(error("set-name-elsewhere", self.text.span(entry), **names))

    def _twice(self, loose: Loose, shown: Tensor, span: Span | None) -> None:
        self._told(loose, facts_of(shown), shown.member, span)

    def _told(self, loose: Loose, facts: str, file: str, span: Span | None) -> None:
        """A name in two files. `facts`, `file`: of the one that is shown."""
        names = {"name": loose.name, "file": file, "other": self.text.file_names[loose.file]}
        second = facts_of(loose.tensor)
        if facts == second:
            self.findings.add(warning("set-name-two-files", span, **names))
        else:
            self.findings.add(error("set-contradiction", span, **names, first=facts, second=second))

    def _file_of(self, entry: int) -> str:
        return self.text.file_names[self.text.files[entry]]


def facts_of(tensor: Tensor) -> str:
    """Element type and shape in a sentence."""
    return f"{tensor.dtype} {shape_text(tensor.shape)}"


def check_total(text: IndexText, shards: Shards, tensors: IndexedTensors, counting: Column, findings: Findings) -> None:
    """Whether the files have as many bytes as the index states. Where some are missing they may have fewer."""
    fact = text.metadata.get(TOTAL)
    if fact is None or isinstance(fact.value, bool) or not isinstance(fact.value, int | float):
        return
    totals = tensors.totals()
    stored = sum(counted.nbytes for counted in totals.locations.values())
    # Writers count shared elements once or for each name, or whole storages.
    known = (totals.unique_nbytes, totals.nbytes, stored)
    is_whole = shards.is_whole and len(tensors) - len(tensors.beside) == len(counting)
    if fact.value not in known and (is_whole or fact.value < min(known)):
        facts = {"stated": int(fact.value), "found": totals.unique_nbytes}
        findings.add(warning("set-total-size", fact.span, **facts))
