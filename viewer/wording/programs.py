"""Sentences on TorchScript archives, packages of torch.package and programs of torch.export."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, RAISE, Words

NOT_READ: Final = QT_TRANSLATE_NOOP("wording", "Its bytes are shown as a record.")

PROGRAMS: Final[dict[str, Words]] = {
    "code-too-much": Words(
        QT_TRANSLATE_NOOP("wording", "Code files that are not shown as sources: {count}"),
        QT_TRANSLATE_NOOP("wording", "The first {read} were read; all others are shown as records."),
    ),
    "debug-too-much": Words(
        QT_TRANSLATE_NOOP("wording", "Debug records that were not read: {count}"),
        QT_TRANSLATE_NOOP("wording", "They lead from the stored code to lines of Python, and are shown as records."),
    ),
    "export-compiled": Words(
        QT_TRANSLATE_NOOP("wording", "Compiled code of AOTInductor: {count} records"),
        QT_TRANSLATE_NOOP("wording", "They are named in Contents and not read: {names}."),
        QT_TRANSLATE_NOOP("wording", "Loading such a package runs its machine code."),
    ),
    "export-graph": Words(
        QT_TRANSLATE_NOOP("wording", "The graph of the program is not listed: {name}"),
        QT_TRANSLATE_NOOP("wording", "It is too large for that: {reason}. Weights and constants are read."),
    ),
    "export-inner": Words(
        QT_TRANSLATE_NOOP("wording", "{name} is no torch file that can be read"),
        QT_TRANSLATE_NOOP("wording", "It should hold the tensors of the program."),
        QT_TRANSLATE_NOOP("wording", "Its bytes are shown as a record."),
    ),
    "json-bounds": Words(
        QT_TRANSLATE_NOOP("wording", "{name} is too large to be read: {reason}"),
        NOT_READ,
    ),
    "json-broken": Words(
        QT_TRANSLATE_NOOP("wording", "{name} is no JSON that can be read"),
        QT_TRANSLATE_NOOP("wording", "{reason}."),
    ),
    "json-entry": Words(
        QT_TRANSLATE_NOOP("wording", "{entry} in {name} cannot be read: {reason}"),
        QT_TRANSLATE_NOOP("wording", "All other entries are shown."),
    ),
    "json-memory": Words(
        QT_TRANSLATE_NOOP("wording", "{name} needs more memory than the limit allows: {reason}"),
        NOT_READ,
        RAISE,
    ),
    "json-record-missing": Words(
        QT_TRANSLATE_NOOP("wording", "The bytes of {entry} are missing"),
        QT_TRANSLATE_NOOP("wording", "{name} says that they stand in the record {record}, which is not there."),
        QT_TRANSLATE_NOOP("wording", "Fetch the file again."),
    ),
    "json-record-short": Words(
        QT_TRANSLATE_NOOP("wording", "{entry} reaches beyond its record {record}"),
        QT_TRANSLATE_NOOP("wording", "It needs {needed} bytes; {found} are there."),
        QT_TRANSLATE_NOOP("wording", "The elements that are there are shown."),
    ),
    "package-entry": Words(
        QT_TRANSLATE_NOOP("wording", "{name} holds a TorchScript module that is not in this package: {entry}"),
        QT_TRANSLATE_NOOP("wording", "It should stand in {record}."),
    ),
    "package-empty": Words(
        QT_TRANSLATE_NOOP("wording", "This package holds no pickle"),
        QT_TRANSLATE_NOOP("wording", "Its modules and its other records are shown."),
    ),
    "package-too-much": Words(
        QT_TRANSLATE_NOOP("wording", "Pickles that were not read: {count}"),
        QT_TRANSLATE_NOOP("wording", "The first {read} were read; all others are shown as records."),
    ),
    "record-text-large": Words(
        QT_TRANSLATE_NOOP("wording", "{name} is too large to be shown as text"),
        QT_TRANSLATE_NOOP("wording", "It has {size} bytes; {limit} are read at most."),
    ),
    "script-inputs-empty": Words(
        QT_TRANSLATE_NOOP("wording", "The inputs of the trace have no bytes: {count} in {name}"),
        QT_TRANSLATE_NOOP("wording", "torch stores the shapes of what a module was traced with, not the values."),
    ),
}
