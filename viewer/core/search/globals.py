"""What pickles name to be imported (as written, and as Python 3 has it), and the classes that source is stored of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from typing_extensions import override

from viewer.core.document import Document, Pickle
from viewer.core.safety.imports import import_name, mapped_name, naming
from viewer.core.search.base import GLOBAL, Found, Hit, Look, Row, Searcher
from viewer.core.tensors.tensor import ValueRef

AT_ONCE: Final = 1024
MAPPED: Final = " → "


class Globals(Searcher):
    """One hit for each name of a pickle, where it stands first; classes by their source where no pickle names them."""

    @override
    def look(self, document: Document, look: Look) -> Iterator[Found]:
        known: set[str] = set()
        for pickle in document.pickles:
            for numbers, names in _names(pickle, known, look):
                yield from look.block(GLOBAL, numbers, names, partial(_hit, document, pickle))
        lone = [code for code, source in enumerate(document.sources) if source.name not in known]
        names_of_lone = (document.sources[code].name for code in lone)
        yield from look.listed(GLOBAL, names_of_lone, partial(_of_source, document, lone))


def _names(pickle: Pickle, known: set[str], look: Look) -> Iterator[tuple[list[int], list[str]]]:
    """The opcodes that name something for the first time, and the names, in blocks; adds them to the known ones."""
    values = pickle.values
    seen: set[str] = set()
    rows: list[int] = []
    names: list[str] = []
    for number, row in enumerate(naming(values)):
        if not number % AT_ONCE:
            look.step()
            if names:
                yield rows, names
            rows, names = [], []
        module, name = import_name(values, row)
        if module is None or name is None:
            continue
        written, mapped = f"{module}.{name}", mapped_name((module, name), values.code.protocol_at(row))
        if written not in seen:
            seen.add(written)
            known |= {written, mapped or written}
            rows.append(row)
            names.append(written if mapped in (None, written) else f"{written}{MAPPED}{mapped}")
    if names:
        yield rows, names


def _hit(document: Document, pickle: Pickle, row: Row) -> Hit:
    place = ValueRef(pickle.index, row.number)
    return Hit(GLOBAL, *row[1:], document.index, opcode=place, source=pickle.place)


def _of_source(document: Document, codes: list[int], row: Row) -> Hit:
    return Hit(GLOBAL, *row[1:], document.index, code=codes[row.number])
