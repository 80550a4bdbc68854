"""Sentences and numbers for people: the English tables of `viewer.wording` through Qt's translation, sizes, dates."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCalendar, QCoreApplication, QDate, QDateTime, QLocale, QTime
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.wording import Phrase, Words, fill
from viewer.wording.failures import FAILURES
from viewer.wording.numbers import PLAIN, Numbers
from viewer.wording.rows import FORMATS
from viewer.wording.told import Told

if TYPE_CHECKING:
    from viewer.core.problem import Problem
    from viewer.core.span import Span
    from viewer.core.summary.parts import Say

ISOLATE: Final = "\u2066"
END_ISOLATE: Final = "\u2069"
LARGEST: Final = 2**63
MINUS: Final = "\u2212"
FULL_STOPS: Final = ".\u3002"
WIDE_ENDS: Final = ("\u3002", "\uff01", "\uff1f")
"""Ends of a sentence as wide as a letter: their blank is inside them."""
SPOKEN: Final = "spoken"
"""Property of the application: the locale of its language, also where numbers are written as another one does."""
TIP_LONGEST: Final = 2_000
TIP_LINE: Final = 80


def said(sentence: str, params: Mapping[str, object] | None = None) -> str:
    """A sentence of the wording tables in the person's language, with its parameters."""
    known = {name: in_words(value) for name, value in params.items()} if params else {}
    return fill(QCoreApplication.translate("wording", sentence), known, _Form.numbers)


def in_words(value: object) -> object:
    """A parameter of a sentence: what is itself a sentence of the tables is said in the person's language."""
    if isinstance(value, Phrase):
        text = said(value.sentence, value.params)
        return text.rstrip(FULL_STOPS) if value.bare else text
    return Told(*map(_part, value.parts)) if isinstance(value, Told) else value


def _part(part: str | int) -> str | int:
    return str(in_words(part)) if isinstance(part, Phrase) else part


def ended(text: str) -> str:
    """What is no sentence by itself, with the full stop of the person's language."""
    return fill(QCoreApplication.translate("words", "{sentence}."), {"sentence": text})


def paragraph(*sentences: str) -> str:
    """Sentences one after another, as their language joins them: no blank follows a full-width full stop.

    Empty ones are left out.
    """
    text = ""
    for sentence in filter(None, sentences):
        between = " " if text and not text.endswith(WIDE_ENDS) else ""
        text = f"{text}{between}{sentence}"
    return text


def named(name: str, value: str) -> str:
    """A name and what stands there, with the colon of the person's language."""
    return fill(QCoreApplication.translate("words", "{name}: {value}"), {"name": name, "value": value})


def severity_word(severity: str) -> str:
    """error, warning, note or done in the person's language: colour and icon are never alone."""
    words = {
        "error": QCoreApplication.translate("MessageBar", "Error"),
        "warning": QCoreApplication.translate("MessageBar", "Warning"),
        "note": QCoreApplication.translate("MessageBar", "Note"),
        "done": QCoreApplication.translate("MessageBar", "Done"),
    }
    return words[severity]


def of_failure(failure: BaseException) -> str:
    """Why something could not be done, in one sentence."""
    if isinstance(failure, ViewerError):
        return said(FAILURES[failure.code], failure.params)
    kind = type(failure).__name__
    text = QCoreApplication.translate("words", "The program itself made a mistake ({kind}: {reason}).")
    return fill(text, {"kind": kind, "reason": str(failure)})


def of_problem(problem: Problem) -> Words:
    """A Problem in the person's language: title, detail and remedy, filled in."""
    from viewer.wording.problems import PROBLEMS

    words = PROBLEMS[problem.code]
    parts = (said(part, problem.params) if part else "" for part in (words.title, words.detail, words.remedy))
    return Words(*parts)


def tip(text: str) -> str:
    """Text that stands in a file, for a tooltip: never taken for markup, wrapped where it is long, cut at 2,000."""
    if len(text) <= TIP_LINE and "<" not in text:
        return text
    cut = text if len(text) <= TIP_LONGEST else text[: TIP_LONGEST - 1] + "\u2026"
    # Names have no blanks where a line could end.
    breakable = re.sub(rf"(\S{{{TIP_LINE}}})", "\\1\u200b", cut)
    return "<qt>" + html.escape(breakable).replace("\n", "<br>") + "</qt>"


def locale() -> QLocale:
    """How numbers are written: as the person's locale does, in English where that has no groups or other digits.

    A number beside bytes, offsets, shapes and code, that people compare, type and copy, has the digits of those.
    """
    found = QLocale()
    return found if found.language() != QLocale.Language.C and found.zeroDigit() == "0" else with_latin_digits()


def with_latin_digits() -> QLocale:
    """The locale of numbers for languages that write theirs with other digits."""
    return QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)


class LocaleNumbers(Numbers):
    """Whole numbers grouped as the locale does."""

    __slots__ = ()

    @override
    def count(self, number: int) -> str:
        # Qt takes no number of more than 64 bits.
        return locale().toString(number) if -LARGEST <= number < LARGEST else super().count(number)


class _Form:
    """How numbers are written now."""

    numbers: Numbers = LocaleNumbers()


def write_numbers(numbers: Numbers) -> None:
    """Write numbers so from now on; what is on the screen is to be made anew."""
    _Form.numbers = numbers


@contextmanager
def written_plainly() -> Iterator[None]:
    """What is made meanwhile is a copy for other programs, which read numbers in one form."""
    before = _Form.numbers
    _Form.numbers = PLAIN
    try:
        yield
    finally:
        _Form.numbers = before


def count(number: int) -> str:
    """A number grouped as the person wants it."""
    return _Form.numbers.count(number)


def hexadecimal(number: int, digits: int = 0) -> str:
    """1F4, with at least so many digits."""
    return _Form.numbers.hexadecimal(number, digits)


def nbytes_of(number: int) -> str:
    """1 byte, 57,437 bytes."""
    if number == 1:
        return QCoreApplication.translate("words", "1 byte")
    return QCoreApplication.translate("words", "{0} bytes").format(count(number))


def tensors_of(number: int) -> str:
    """1 tensor, 1,204 tensors."""
    if number == 1:
        return QCoreApplication.translate("words", "1 tensor")
    return QCoreApplication.translate("words", "{0} tensors").format(count(number))


def files_of(number: int) -> str:
    """1 file, 12 files."""
    if number == 1:
        return QCoreApplication.translate("words", "1 file")
    return QCoreApplication.translate("words", "{0} files").format(count(number))


def joined(parts: Iterable[str]) -> str:
    """Things that the program says, one after the other, with the comma of the person's language."""
    words = QCoreApplication.translate("words", "{before}, {after}")
    there = [part for part in parts if part]
    return reduce(lambda before, after: fill(words, {"before": before, "after": after}), there) if there else ""


def size(nbytes: int) -> str:
    """A size with three digits and a unit: 57.4 kB, or 56.1 KiB."""
    found = _Form.numbers.scaled(nbytes)
    if found is None:
        return nbytes_of(nbytes)
    value, digits, unit = found
    return f"{locale().toString(value, 'f', digits)} {unit}"


def float_text(value: float) -> str:
    """Four significant digits, an exponent outside 1e-4 to 1e6, true minus: −0.1134, 1.234e−5, −0, NaN, −inf."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "inf" if value > 0 else MINUS + "inf"
    if value == 0:
        return "0" if math.copysign(1.0, value) > 0 else MINUS + "0"
    size = abs(value)
    if 1e-4 <= size < 1e6:
        digits = max(0, 3 - math.floor(math.log10(size)))
        text = f"{value:.{digits}f}"
    else:
        mantissa, exponent = f"{value:.3e}".split("e")
        text = f"{mantissa}e{int(exponent)}"
    return text.replace("-", MINUS)


def offset(at: int) -> str:
    """An offset as it is written everywhere: 0x20DF."""
    return f"0x{hexadecimal(at)}"


def span_text(span: Span) -> str:
    """The bytes from one offset to another, the end left out: 0xB1DD–0xD75D."""
    return f"{offset(span.start)}–{offset(span.stop)}"


def day(seconds: int) -> str:
    """A moment, in seconds since 1970, as the day that it was: today, yesterday, 12 May, 12 May 2019."""
    date = QDateTime.fromSecsSinceEpoch(seconds).date()
    today = QDate.currentDate()
    if date == today:
        return QCoreApplication.translate("words", "today")
    if date == today.addDays(-1):
        return QCoreApplication.translate("words", "yesterday")
    form = QCoreApplication.translate("words", "d MMM", "a day of this year")
    calendar = _calendar(_spoken())
    if date.year(calendar) != today.year(calendar):
        form = QCoreApplication.translate("words", "d MMM yyyy", "a day of another year")
    return _written(date, form)


def _written(date: QDate, form: str) -> str:
    """A date in the words of the person's language and the digits of `locale`; Persian has a calendar of its own."""
    found = _spoken()
    written = _calendar(found).dateTimeToString(form, QDateTime(), date, QTime(), found)
    return "".join(str(unicodedata.digit(letter)) if letter.isdecimal() else letter for letter in written)


def _spoken() -> QLocale:
    """The locale of the words of dates."""
    app = QCoreApplication.instance()
    spoken = app.property(SPOKEN) if app is not None else None
    return spoken if isinstance(spoken, QLocale) and spoken.zeroDigit() != "0" else locale()


def _calendar(spoken: QLocale) -> QCalendar:
    is_persian = spoken.language() == QLocale.Language.Persian
    return QCalendar(QCalendar.System.Jalali if is_persian else QCalendar.System.Gregorian)


def left_to_right(text: str) -> str:
    """Text out of the file, wrapped so that it stays left to right in any language."""
    return f"{ISOLATE}{text}{END_ISOLATE}"


def of_format(name: str) -> str:
    """What people call a format: Legacy archive."""
    return said(FORMATS.get(name, name))


def of_say(words: Say) -> str:
    """A piece of a row: text out of the file as it is, else a sentence of the tables."""
    return as_written(words.text) if words.data else said(words.text, words.params)


def as_written(text: str) -> str:
    """A text of core with its numbers and phrases as the person wants them."""
    known = in_words(text)
    return known.written(_Form.numbers) if isinstance(known, Told) else str(known)
