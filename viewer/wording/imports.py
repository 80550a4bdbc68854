"""Why a name that a file imports is dangerous, unknown or known. No sentence calls a file safe."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

SEVERITIES: Final[dict[str, str]] = {
    "dangerous": QT_TRANSLATE_NOOP("wording", "Dangerous"),
    "unknown": QT_TRANSLATE_NOOP("wording", "Unknown"),
    "known": QT_TRANSLATE_NOOP("wording", "Known"),
}
WEIGHTS_ONLY: Final[dict[str, str]] = {
    "accepted": QT_TRANSLATE_NOOP("wording", "accepted"),
    "refused": QT_TRANSLATE_NOOP("wording", "refused"),
}
USES: Final[dict[str, str]] = {
    "named": QT_TRANSLATE_NOOP("wording", "named"),
    "named again": QT_TRANSLATE_NOOP("wording", "named again"),
    "called": QT_TRANSLATE_NOOP("wording", "called, result kept"),
    "called, dropped": QT_TRANSLATE_NOOP("wording", "called, result dropped"),
    "result called": QT_TRANSLATE_NOOP("wording", "its result is called, result kept"),
    "result called, dropped": QT_TRANSLATE_NOOP("wording", "its result is called, result dropped"),
    "changed": QT_TRANSLATE_NOOP("wording", "changed"),
}
LEGEND: Final = QT_TRANSLATE_NOOP(
    "wording",
    "Known: a list says what it does, and by itself that is harmless. Unknown: on no list, so anything is possible. "
    "Nothing named here was imported or called.",
)
REPORT: Final[dict[str, str]] = {
    "document": QT_TRANSLATE_NOOP("wording", "document {number} ({how})"),
    "more-uses": QT_TRANSLATE_NOOP("wording", "other uses: {count}"),
    "sha256": QT_TRANSLATE_NOOP("wording", "SHA-256: {sha256}"),
    "sha256-none": QT_TRANSLATE_NOOP("wording", "SHA-256: not worked out: several files, or more than a GiB"),
    "size": QT_TRANSLATE_NOOP("wording", "{format}, {count} bytes"),
    "title": QT_TRANSLATE_NOOP("wording", "Import report of {name}"),
    "totals": QT_TRANSLATE_NOOP("wording", "Names: {count}; dangerous {dangerous}, unknown {unknown}, known {known}"),
    "versions": QT_TRANSLATE_NOOP(
        "wording",
        "Picklescope {version}, lists of picklescan {picklescan}, names that torch {torch} takes ({made})",
    ),
    "written-as": QT_TRANSLATE_NOOP("wording", "Written as {name}, which is how Python 2 names it."),
}

IMPORT_REASONS: Final[dict[str, str]] = {
    "accepted": QT_TRANSLATE_NOOP("wording", "torch.load(weights_only=True) takes this name without being told to."),
    "changes-global": QT_TRANSLATE_NOOP(
        "wording",
        "The file changes the imported object itself, by {opcode}: whatever uses it later in the same program gets "
        "what the file set.",
    ),
    "computed-name": QT_TRANSLATE_NOOP(
        "wording",
        "The name is computed while loading, so the file does not say what it imports. No program writes its "
        "checkpoints so.",
    ),
    "dotted": QT_TRANSLATE_NOOP(
        "wording", "The name leads through another object: {name}. On no list, so anything is possible."
    ),
    "dotted-reach": QT_TRANSLATE_NOOP("wording", "The name leads through another object to {name}."),
    "extension-code": QT_TRANSLATE_NOOP(
        "wording",
        "Asked for by number: the program that loads the file decides what it stands for, so the file does not tell.",
    ),
    "getattr": QT_TRANSLATE_NOOP(
        "wording", "Takes an attribute of another object: {name}. On no list, so anything is possible."
    ),
    "getattr-reach": QT_TRANSLATE_NOOP("wording", "Takes an attribute that reaches beyond the loader: {name}."),
    "getter": QT_TRANSLATE_NOOP(
        "wording", "Takes something out of what it is given. What that is depends on the arguments."
    ),
    "getter-called": QT_TRANSLATE_NOOP(
        "wording",
        "Takes something out of what it is given, and the file calls what comes out: a way to call a function "
        "without naming it.",
    ),
    "hidden-name": QT_TRANSLATE_NOOP(
        "wording", "Names something that Python keeps to itself ({name}), from where all else can be reached."
    ),
    "listed": QT_TRANSLATE_NOOP("wording", "picklescan lists this name as dangerous."),
    "listed-known": QT_TRANSLATE_NOOP("wording", "picklescan lists this name as harmless by itself."),
    "listed-module": QT_TRANSLATE_NOOP("wording", "picklescan lists the whole module {name} as dangerous."),
    "loads-bytes": QT_TRANSLATE_NOOP(
        "wording",
        "Loads another file, which stands in its argument, and runs what that asks for. It is listed like this one.",
    ),
    "loads-files": QT_TRANSLATE_NOOP("wording", "Reads, writes or fetches files, and may run what stands in them."),
    "makes-code": QT_TRANSLATE_NOOP("wording", "Makes functions or modules out of data, which can then be called."),
    "names-module": QT_TRANSLATE_NOOP("wording", "Names the module {name} by way of another module."),
    "numpy": QT_TRANSLATE_NOOP("wording", "Part of how numpy and joblib store arrays, numbers and random states."),
    "partial": QT_TRANSLATE_NOOP(
        "wording", "Keeps a function with its arguments for a later call: {name}. On no list, so anything is possible."
    ),
    "partial-reach": QT_TRANSLATE_NOOP("wording", "Keeps a dangerous function for a later call: {name}."),
    "python-type": QT_TRANSLATE_NOOP("wording", "A plain type of Python, which only holds data."),
    "reaches-out": QT_TRANSLATE_NOOP(
        "wording", "Reaches files, processes, the network or the running program, or runs text as code."
    ),
    "script-class": QT_TRANSLATE_NOOP(
        "wording", "A class of the file's own TorchScript code, which runs when its methods are called."
    ),
    "torch-class": QT_TRANSLATE_NOOP(
        "wording", "One of torch's own classes, or of its functions that put tensors together."
    ),
    "unlisted": QT_TRANSLATE_NOOP("wording", "On no list: what it does when it is imported or called is not known."),
}
