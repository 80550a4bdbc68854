"""Why what was typed into the find bar of the bytes cannot be looked for, by the code of a QueryError."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP
from viewer.wording.search import FAULTS as EXPRESSIONS

FAULTS: Final[dict[str, str]] = {
    "empty": "",
    "odd": QT_TRANSLATE_NOOP("wording", "Half a byte is left over: write {one} or {two}"),
    "letters": QT_TRANSLATE_NOOP("wording", "Write 0 to 9 and A to F; ?? is any byte, 4? any that begins with 4"),
    "anything": QT_TRANSLATE_NOOP("wording", "Write at least one digit: any bytes would do"),
    "encoding": QT_TRANSLATE_NOOP("wording", "This encoding lacks some of these letters"),
    "long": QT_TRANSLATE_NOOP("wording", "At most {limit} bytes can be looked for"),
    "ascii": QT_TRANSLATE_NOOP("wording", "Write bytes above 7F as \\x80 in an expression"),
    "anchors": QT_TRANSLATE_NOOP("wording", "Bytes have no lines and words: leave ^ $ \\b out, or write \\^ \\$"),
    "whole": QT_TRANSLATE_NOOP("wording", "Write a whole number, 1..9 or 5 +- 2"),
    "number": QT_TRANSLATE_NOOP("wording", "Write a number, 0.4..0.6 or 0.5 +- 0.1"),
    "range": QT_TRANSLATE_NOOP("wording", "This type holds {low} to {high}"),
    "reversed": QT_TRANSLATE_NOOP("wording", "The first number of a range is the lower one"),
    **{code: EXPRESSIONS[code] for code in ("expression", "groups", "heavy", "nested")},
}
