"""What stands in a sentence where a file gives a name or a number: words for the page that explains all Problems."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, fill

OPENING: Final = "‹"
CLOSING: Final = "›"

PLACEHOLDERS: Final[dict[str, str]] = {
    "alignment": QT_TRANSLATE_NOOP("wording", "alignment"),
    "axes": QT_TRANSLATE_NOOP("wording", "number of axes"),
    "axis": QT_TRANSLATE_NOOP("wording", "axis"),
    "begin": QT_TRANSLATE_NOOP("wording", "first byte"),
    "character": QT_TRANSLATE_NOOP("wording", "character"),
    "class_name": QT_TRANSLATE_NOOP("wording", "class"),
    "count": QT_TRANSLATE_NOOP("wording", "number"),
    "detail": QT_TRANSLATE_NOOP("wording", "what stands there"),
    "dtype": QT_TRANSLATE_NOOP("wording", "dtype"),
    "end": QT_TRANSLATE_NOOP("wording", "last byte"),
    "entries": QT_TRANSLATE_NOOP("wording", "number of entries"),
    "entry": QT_TRANSLATE_NOOP("wording", "entry"),
    "expected": QT_TRANSLATE_NOOP("wording", "what was expected"),
    "fact": QT_TRANSLATE_NOOP("wording", "fact"),
    "file": QT_TRANSLATE_NOOP("wording", "file"),
    "files": QT_TRANSLATE_NOOP("wording", "names of files"),
    "first": QT_TRANSLATE_NOOP("wording", "first"),
    "folder": QT_TRANSLATE_NOOP("wording", "folder"),
    "folders": QT_TRANSLATE_NOOP("wording", "folders"),
    "found": QT_TRANSLATE_NOOP("wording", "what was found"),
    "function": QT_TRANSLATE_NOOP("wording", "function"),
    "index": QT_TRANSLATE_NOOP("wording", "name of the index"),
    "key": QT_TRANSLATE_NOOP("wording", "key"),
    "kind": QT_TRANSLATE_NOOP("wording", "kind"),
    "last": QT_TRANSLATE_NOOP("wording", "last"),
    "later": QT_TRANSLATE_NOOP("wording", "later"),
    "length": QT_TRANSLATE_NOOP("wording", "length"),
    "limit": QT_TRANSLATE_NOOP("wording", "limit"),
    "line": QT_TRANSLATE_NOOP("wording", "line"),
    "listed": QT_TRANSLATE_NOOP("wording", "what the directory states"),
    "local": QT_TRANSLATE_NOOP("wording", "what the header states"),
    "method": QT_TRANSLATE_NOOP("wording", "method"),
    "methods": QT_TRANSLATE_NOOP("wording", "names of methods"),
    "missing": QT_TRANSLATE_NOOP("wording", "number"),
    "modules": QT_TRANSLATE_NOOP("wording", "names of modules"),
    "name": QT_TRANSLATE_NOOP("wording", "name"),
    "names": QT_TRANSLATE_NOOP("wording", "names"),
    "nbytes": QT_TRANSLATE_NOOP("wording", "number"),
    "needed": QT_TRANSLATE_NOOP("wording", "number"),
    "number": QT_TRANSLATE_NOOP("wording", "number"),
    "of": QT_TRANSLATE_NOOP("wording", "number of files"),
    "offset": QT_TRANSLATE_NOOP("wording", "offset"),
    "oid": QT_TRANSLATE_NOOP("wording", "SHA-256"),
    "other": QT_TRANSLATE_NOOP("wording", "other name"),
    "packed": QT_TRANSLATE_NOOP("wording", "compressed size"),
    "part": QT_TRANSLATE_NOOP("wording", "part"),
    "present": QT_TRANSLATE_NOOP("wording", "present"),
    "protocol": QT_TRANSLATE_NOOP("wording", "protocol"),
    "ranks": QT_TRANSLATE_NOOP("wording", "ranks"),
    "ratio": QT_TRANSLATE_NOOP("wording", "ratio"),
    "read": QT_TRANSLATE_NOOP("wording", "number that was read"),
    "reason": QT_TRANSLATE_NOOP("wording", "reason"),
    "record": QT_TRANSLATE_NOOP("wording", "record"),
    "role": QT_TRANSLATE_NOOP("wording", "part"),
    "root": QT_TRANSLATE_NOOP("wording", "folder"),
    "second": QT_TRANSLATE_NOOP("wording", "second"),
    "shape": QT_TRANSLATE_NOOP("wording", "shape"),
    "size": QT_TRANSLATE_NOOP("wording", "size"),
    "start": QT_TRANSLATE_NOOP("wording", "storage offset"),
    "stated": QT_TRANSLATE_NOOP("wording", "stated"),
    "stride": QT_TRANSLATE_NOOP("wording", "stride"),
    "suffix": QT_TRANSLATE_NOOP("wording", "ending"),
    "tag": QT_TRANSLATE_NOOP("wording", "folder"),
    "tensors": QT_TRANSLATE_NOOP("wording", "names"),
    "text": QT_TRANSLATE_NOOP("wording", "text"),
    "title": QT_TRANSLATE_NOOP("wording", "title"),
    "total": QT_TRANSLATE_NOOP("wording", "number in all"),
    "used": QT_TRANSLATE_NOOP("wording", "byte order"),
    "value": QT_TRANSLATE_NOOP("wording", "value"),
    "values": QT_TRANSLATE_NOOP("wording", "another shape"),
    "version": QT_TRANSLATE_NOOP("wording", "version"),
    "what": QT_TRANSLATE_NOOP("wording", "part"),
    "whole": QT_TRANSLATE_NOOP("wording", "number"),
}


def without_file(sentence: str, words: dict[str, str] = PLACEHOLDERS) -> str:
    """The sentence with a word in ‹› at each place that a file fills. `words`: the table, or its translation."""
    return fill(sentence, {name: f"{OPENING}{word}{CLOSING}" for name, word in words.items()})
