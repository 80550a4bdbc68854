"""Sentences on streams that Python's unpicklers refuse though they can be read on, or read in different ways."""

from __future__ import annotations

from typing import Final

from viewer.wording import QT_TRANSLATE_NOOP, Words

REFUSED: Final = QT_TRANSLATE_NOOP("wording", "Both of Python's unpicklers stop there. Here all that follows is shown.")

STREAMS: Final[dict[str, Words]] = {
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
    "pickle-string-long": Words(
        QT_TRANSLATE_NOOP("wording", "Python 2 strings of 2 GiB or more: {count}"),
        QT_TRANSLATE_NOOP(
            "wording",
            "Of Python's two unpicklers, the one in C, which pickle.load uses, reads them; the one in Python takes their length for a negative number and refuses it.",
        ),
    ),
}
