"""The import report: each name that pickles ask for, how it is rated and why, and every use of it.

A name is rated by the worst of what it is and what is done with it. `getattr` and `partial`, which lists call
dangerous and honest checkpoints use, are rated by what each call of them is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from viewer.core.objects.names import module_and_name, qualified
from viewer.core.pickles.values import Kind, Values
from viewer.core.progress import Progress
from viewer.core.safety import names
from viewer.core.safety.accepted import is_accepted
from viewer.core.safety.expressions import arguments_text, call_text, change_text, name_text
from viewer.core.safety.imports import Import, Key, add_names
from viewer.core.safety.rules import ORDER, Reason, Severity, rate
from viewer.core.safety.uses import Place, Use, UseKind, find_places, is_dropped
from viewer.wording.phrases import phrase

STEP: Final = "imports"
MOST_TEXTS: Final = 3
MOST_REASONS: Final = 20
_FIRST_CALLS: Final = 50
_CALLS: Final = (UseKind.CALLED, UseKind.RESULT_CALLED)
_GETATTR_ARGUMENTS: Final = 2


@dataclass(slots=True)
class Finding:
    """One name of a document. `reasons`: the one that weighs most first. `accepted`: weights_only takes the name.

    `places`: the opcodes that use it, by pickle and by kind; `uses` makes single uses of them.
    """

    row: Import
    pickles: Sequence[Values]
    protocol: int
    reasons: list[Reason] = field(default_factory=list)
    accepted: bool = False
    places: list[Place] = field(default_factory=list)

    @property
    def severity(self) -> Severity:
        """Of the reason that weighs most."""
        return self.reasons[0].severity

    @property
    def text(self) -> str:
        """The name as Python 3 knows it; of a computed one the expression; `extension(5)` for a code."""
        row = self.row
        if row.extension is not None:
            return f"extension({row.extension})"
        if row.module is None or row.name is None:
            first = next(place for place in self.places if place.kind is UseKind.NAMED)
            return name_text(self.pickles[first.pickle], int(first.rows[0]))
        return qualified(row.module, row.name, self.protocol)

    def count(self, *kinds: UseKind) -> int:
        """How many uses there are of some kinds; of all without any."""
        return sum(len(place.rows) for place in self.places if not kinds or place.kind in kinds)

    def uses(self, most: int) -> list[Use]:
        """The first uses, in the order of the pickles; calls say whether their result is dropped."""
        found = [
            (place.pickle, row, place.kind) for place in self.places for row in np.asarray(place.rows[:most]).tolist()
        ]
        return [self._use(*use) for use in sorted(found)[:most]]

    def _use(self, pickle: int, row: int, kind: UseKind) -> Use:
        values = self.pickles[pickle]
        dropped = is_dropped(values, row) if kind in _CALLS else None
        span = values.span(row) if kind in _CALLS else values.code.span(row)
        return Use(pickle, row, kind, span, dropped)

    def use_text(self, use: Use, encoding: str = "utf-8") -> str:
        """What a use is given: `('rm x',)`, the whole expression where a result is called, what a change sets."""
        values = self.pickles[use.pickle]
        if use.kind is UseKind.CALLED:
            return arguments_text(values, use.opcode, encoding=encoding)
        if use.kind is UseKind.RESULT_CALLED:
            return call_text(values, use.opcode, encoding=encoding)
        if use.kind is UseKind.CHANGED:
            return change_text(values, use.opcode, encoding=encoding)
        is_computed = self.row.extension is None and self.row.name is None
        return name_text(values, use.opcode, encoding=encoding) if is_computed and use.kind is UseKind.NAMED else ""

    def called_with(self, encoding: str = "utf-8") -> list[str]:
        """Different arguments of its first calls, changes first: at most three, short."""
        kinds = (UseKind.CHANGED, UseKind.RESULT_CALLED, UseKind.CALLED)
        first = ((place, row) for kind in kinds for place in self.places if place.kind is kind for row in _some(place))
        texts: dict[str, None] = {}
        for place, row in first:
            values = self.pickles[place.pickle]
            texts[self.use_text(Use(place.pickle, row, place.kind, values.code.span(row)), encoding)] = None
            if len(texts) == MOST_TEXTS:
                break
        return list(texts)


def import_report(pickles: Iterable[Values], progress: Progress | None = None) -> list[Finding]:
    """All names of a document's pickles, in the order in which they come first. Raises CancelledError."""
    kept, progress = list(pickles), progress or Progress()
    rows: dict[Key, Import] = {}
    places: dict[Key, list[Place]] = {}
    for number, values in enumerate(kept):
        progress.step(STEP, number, len(kept))
        named = add_names(rows, number, values, progress)
        for key, place in find_places(values, number, named, progress):
            places.setdefault(key, []).append(place)
    return [_finding(row, kept, places[key]) for key, row in progress.each(rows.items())]


def sorted_findings(findings: Iterable[Finding]) -> list[Finding]:
    """The worst first, each severity in the order of the file."""
    return sorted(findings, key=lambda finding: ORDER[finding.severity])


def _some(place: Place) -> list[int]:
    found: list[int] = place.rows[:_FIRST_CALLS].tolist()
    return found


def _finding(row: Import, pickles: Sequence[Values], places: list[Place]) -> Finding:
    named = [place for place in places if place.kind is UseKind.NAMED]
    protocols = {one for place in named for one in pickles[place.pickle].code.protocols_at(np.asarray(place.rows))}
    first = pickles[row.pickle].code
    found = Finding(row, pickles, first.protocol_at(first.at(row.span.start)), places=places)
    row.called = any(place.kind is UseKind.CALLED for place in places)
    reasons = {(reason.code, str(reason.params)): reason for reason in _reasons(found, protocols)}
    # One that weighs as much as another stands where it was found: what is done before what it is.
    found.reasons = sorted(reasons.values(), key=lambda reason: ORDER[reason.severity])[:MOST_REASONS]
    found.accepted = row.module is not None and row.name is not None and is_accepted(row.module, row.name)
    return found


def _reasons(found: Finding, protocols: set[int]) -> Iterator[Reason]:
    row = found.row
    yield from _of_changes(found)
    if row.extension is not None:
        yield Reason("extension-code")
        return
    if row.module is None or row.name is None:
        yield Reason("computed-name")
        return
    for protocol in sorted(protocols):
        full = _full(row.module, row.name, protocol)
        judge = _JUDGES.get(full)
        is_judged = judge is not None and _is_only_called(found)
        yield from judge(found) if judge is not None and is_judged else (rate(row.module, row.name, protocol),)
        if full in names.GETTERS and found.count(UseKind.RESULT_CALLED):
            yield Reason("getter-called")


def _full(module: str, name: str, protocol: int) -> str:
    text = qualified(module, name, protocol)
    return text if "." in text else f"builtins.{text}"


def _of_changes(found: Finding) -> Iterator[Reason]:
    for place in found.places:
        if place.kind is UseKind.CHANGED:
            opcode = found.pickles[place.pickle].code.name(int(place.rows[0]))
            yield Reason("changes-global", {"opcode": opcode})


def _is_only_called(found: Finding) -> bool:
    """True when each time that it is asked for it is called: given to anything else it could do anything."""
    is_again = found.count(UseKind.AGAIN) > 0
    called = found.count(UseKind.CALLED)
    return bool(called) and not is_again and called >= found.row.count


def _of_getattr(found: Finding) -> Iterator[Reason]:
    """What attributes are taken of what: classes within classes are written so below protocol 4."""
    for values, call in _calls(found):
        arguments = values.arguments(call)
        attribute = values.text(arguments[1]) if len(arguments) >= _GETATTR_ARGUMENTS else None
        module, name = module_and_name(values, call)
        shown = f"{module}.{name}" if module else (attribute or "")
        if attribute is None or names.is_hidden(f".{attribute}") or (not module and name):
            yield Reason("getattr-reach", {"name": shown or call_text(values, call)})
        elif module and rate(module, name, names.PYTHON_3).severity is Severity.DANGEROUS:
            yield Reason("getattr-reach", {"name": shown})
        else:
            yield Reason("getattr", {"name": shown})


def _of_partial(found: Finding) -> Iterator[Reason]:
    """What functions are kept: the first argument, and the one that a state puts in its place."""
    for values, call in _calls(found):
        states = (values.items(state) for state in values.states(call) if values.kind(state) is Kind.TUPLE)
        for kept in (values.arguments(call), *states):
            function = kept[0] if kept else -1
            module, name = module_and_name(values, function) if function >= 0 else ("", "")
            shown = f"{module}.{name}" if module else name or phrase("computed-function")
            is_bad = bool(name) and (not module or rate(module, name, names.PYTHON_3).severity is Severity.DANGEROUS)
            yield Reason("partial-reach" if is_bad else "partial", {"name": shown})


def _calls(found: Finding) -> Iterator[tuple[Values, int]]:
    for place in found.places:
        if place.kind is UseKind.CALLED:
            for call in np.asarray(place.rows).tolist():
                yield found.pickles[place.pickle], call


_JUDGES: Final = {names.GETATTR: _of_getattr, **dict.fromkeys(names.PARTIAL, _of_partial)}
