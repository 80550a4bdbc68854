"""What stands in the comments of the Python files that are written from the texts of a model file."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP

COMMENTS: Final[dict[str, str]] = {
    "derived": QT_TRANSLATE_NOOP(
        "wording", "{name}: derived from its pickled objects. Its own text is not in the model file."
    ),
    "found-nowhere": QT_TRANSLATE_NOOP("wording", "Import or define them here."),
    "found-perhaps": QT_TRANSLATE_NOOP("wording", "Import or define them here, perhaps by:"),
    "hidden": QT_TRANSLATE_NOOP(
        "wording", "Hidden characters stand in this text: {count}. The first is {character}, {line} lines below."
    ),
    "holder": QT_TRANSLATE_NOOP("wording", "Holds the classes within it. Its own text is not in the model file."),
    "imports": QT_TRANSLATE_NOOP(
        "wording", "The imports are worked out from the names in use. Those of the original are not in the model file."
    ),
    "kept": QT_TRANSLATE_NOOP("wording", "Not here: {name}. Its text is kept in {path}: {reason}."),
    "later": QT_TRANSLATE_NOOP(
        "wording", "These modules need each other, so that some of the imports stand behind the classes."
    ),
    "made": QT_TRANSLATE_NOOP("wording", "Written by Picklescope from the texts of classes in a model file."),
    "missing-at-import": QT_TRANSLATE_NOOP("wording", "Not found, and needed to import this file: {names}"),
    "missing-later": QT_TRANSLATE_NOOP("wording", "Not found, and needed when the code runs: {names}"),
    "module": QT_TRANSLATE_NOOP("wording", "Module as stored: {name}"),
    "package": QT_TRANSLATE_NOOP("wording", "It is empty, and makes the modules beside it importable."),
    "read-first": QT_TRANSLATE_NOOP("wording", "This is code out of a model file. Read it before you import it."),
    "stored": QT_TRANSLATE_NOOP("wording", "{name}: stored text, from {file} ({bytes})"),
    "stored-bytes": QT_TRANSLATE_NOOP("wording", "bytes {start:x} to {stop:x}"),
    "stored-no-bytes": QT_TRANSLATE_NOOP("wording", "in compressed bytes"),
    "stored-no-file": QT_TRANSLATE_NOOP("wording", "a file that is not named"),
    "supplied": QT_TRANSLATE_NOOP("wording", "{name}: text from {file}, which was given for it."),
    "when-saved": QT_TRANSLATE_NOOP(
        "wording",
        "A stored text is what was on disk when the model was saved. It may have been edited after it was imported.",
    ),
}
