"""Sentences on streams that Python's unpicklers refuse though they can be read on, or read in different ways."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

REFUSED_ALL: Final = QT_TRANSLATE_NOOP(
    "wording", "Python's unpicklers stop there. Here all that follows is shown as well. Such places: {count}."
)

STREAMS: Final[dict[str, Words]] = {
    "pickle-arguments-form": Words(
        QT_TRANSLATE_NOOP("wording", "{name} at {offset:x} is given arguments that are no tuple: {found}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Of Python's two unpicklers, the one in C, which pickle.load uses, refuses it; the one in Python, and torch with weights_only, take any sequence. Such places: {count}.",
        ),
    ),
    "pickle-behind-break": Words(
        QT_TRANSLATE_NOOP("wording", "Whole pickles behind the break: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first begins at {offset:x}. Python and torch stop at the break and do not come to it. Each is listed by itself.",
        ),
    ),
    "pickle-change-empty": Words(
        QT_TRANSLATE_NOOP(
            "wording", "{name} at {offset:x} gives nothing to a value that can be given nothing: {found}"
        ),
        QT_TRANSLATE_NOOP(
            "wording", "Of Python's two unpicklers, one refuses it and the other passes over it. Such places: {count}."
        ),
    ),
    "pickle-name-empty": Words(
        QT_TRANSLATE_NOOP("wording", "A global without a module or without a name stands at {offset:x}"),
        REFUSED_ALL,
    ),
    "pickle-number-form": Words(
        QT_TRANSLATE_NOOP("wording", "Numbers that Python's two unpicklers read differently: {count}"),
        QT_TRANSLATE_NOOP("wording", "The first is {text}. One of them refuses it; here it is read as by the other."),
    ),
    "pickle-number-value": Words(
        QT_TRANSLATE_NOOP("wording", "Numbers that Python's two unpicklers read as different values: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "The first is {text}: the one in C, which pickle.load uses, reads {first}, the one in Python {second}. Here they are read as in C.",
        ),
    ),
    "pickle-odd-items": Words(
        QT_TRANSLATE_NOOP(
            "wording", "{detail} at {offset:x} takes keys and values in turn, and the last key has no value"
        ),
        QT_TRANSLATE_NOOP("wording", "All that was read before this place is shown."),
    ),
    "pickle-operand-refused": Words(
        QT_TRANSLATE_NOOP("wording", "{name} at {offset:x} cannot be done with a value of this type: {found}"),
        REFUSED_ALL,
    ),
    "pickle-string-long": Words(
        QT_TRANSLATE_NOOP("wording", "Python 2 strings of 2 GiB or more: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Of Python's two unpicklers, the one in C, which pickle.load uses, reads them; the one in Python takes their length for a negative number and refuses it.",
        ),
    ),
    "pickle-text-not-utf8": Words(
        QT_TRANSLATE_NOOP("wording", "The text at {offset:x} is not UTF-8"),
        REFUSED_ALL,
        QT_TRANSLATE_NOOP("wording", "The bytes that are no text are shown as escapes."),
    ),
}
