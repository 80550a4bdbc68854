"""Numbers are written as the person wants them, everywhere in the window and nowhere else."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QLocale

from viewer.core.objects.scalars import written
from viewer.core.span import Span
from viewer.core.summary.prediction import MOST_NAMED, joined
from viewer.session.settings import NUMBER_GROUPS, NUMBER_LETTERS, NUMBER_UNITS, Settings
from viewer.ui import words
from viewer.ui.hexview import atlas
from viewer.ui.number_forms import NumberForms
from viewer.ui.words import (
    LocaleNumbers,
    as_written,
    count,
    hexadecimal,
    offset,
    said,
    size,
    span_text,
    write_numbers,
    written_plainly,
)
from viewer.wording import fill
from viewer.wording.amounts import size as plain_size
from viewer.wording.numbers import Numbers
from viewer.wording.told import Told, told_together

UI: Final = Path(words.__file__).parent
OF_OTHER_PROGRAMS: Final = {
    "hexview/copy_forms.py",
    "hexview/copying.py",
    "widgets/hidden.py",
    "widgets/status_line.py",
}
"""Source text for other programs, names of characters, the offset that a click copies."""


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    yield
    write_numbers(LocaleNumbers())


@pytest.fixture
def forms(qapp: object, settings: Settings) -> NumberForms:
    del qapp
    return NumberForms(settings)


@pytest.mark.parametrize(
    ("groups", "written"), [("comma", "57,437"), ("thin", "57\u202f437"), ("none", "57437"), ("locale", "57,437")]
)
def test_groups(forms: NumberForms, settings: Settings, groups: str, written: str) -> None:
    settings.set(NUMBER_GROUPS, groups)
    assert (count(57_437), count(7)) == (written, "7")
    assert said("{count} of them at {offset:x}", {"count": 57_437, "offset": 500}) == f"{written} of them at 0x1F4"
    assert words.nbytes_of(57_437) == f"{written} bytes"


def test_groups_as_the_locale_has_them() -> None:
    before = QLocale()
    try:
        QLocale.setDefault(QLocale("de_DE"))
        assert (count(57_437), count(-1234), count(2**70)) == ("57.437", "-1.234", f"{2**70:,}")
        assert said("{count}", {"count": 57_437}) == "57.437"
    finally:
        QLocale.setDefault(before)


def test_letters(forms: NumberForms, settings: Settings) -> None:
    assert (hexadecimal(0xBEEF), hexadecimal(10, 2), offset(0x1F4)) == ("BEEF", "0A", "0x1F4")
    assert atlas.hex_labels()[0xAB] == "AB"
    settings.set(NUMBER_LETTERS, "lower")
    assert (hexadecimal(0xBEEF), hexadecimal(10, 2), offset(0x1F4)) == ("beef", "0a", "0x1f4")
    assert (atlas.hex_labels()[0xAB], said("{at:x}", {"at": 500})) == ("ab", "0x1f4")


@pytest.mark.parametrize(
    ("nbytes", "decimal", "binary"),
    [
        (999, "999 bytes", "999 bytes"),
        (1000, "1.00 kB", "1,000 bytes"),
        (1024, "1.02 kB", "1.00 KiB"),
        (57_437, "57.4 kB", "56.1 KiB"),
        (999_500, "1.00 MB", "976 KiB"),
        (16 * 2**20, "16.8 MB", "16.0 MiB"),
        (2**40, "1.10 TB", "1.00 TiB"),
    ],
)
def test_units(forms: NumberForms, settings: Settings, nbytes: int, decimal: str, binary: str) -> None:
    assert size(nbytes) == decimal
    settings.set(NUMBER_UNITS, "binary")
    assert size(nbytes) == binary


def test_a_change_is_told_once_and_only_where_it_is_one(forms: NumberForms, settings: Settings) -> None:
    told: list[Numbers] = []
    forms.changed.connect(lambda: told.append(forms.now))
    settings.set(NUMBER_LETTERS, "lower")
    assert told == [LocaleNumbers(small=True)]
    settings.set(NUMBER_LETTERS, "lower")
    settings.reset(NUMBER_GROUPS)
    assert told == [LocaleNumbers(small=True)]


def test_copies_exports_and_the_command_line_stay_as_they_are(forms: NumberForms, settings: Settings) -> None:
    settings.set(NUMBER_GROUPS, "none")
    settings.set(NUMBER_LETTERS, "lower")
    settings.set(NUMBER_UNITS, "binary")
    with written_plainly():
        assert (count(57_437), offset(500), size(57_437)) == ("57,437", "0x1F4", "57.4 kB")
    assert count(57_437) == "57437"
    assert fill("{count} at {offset:x}", {"count": 57_437, "offset": 500}) == "57,437 at 0x1F4"
    assert plain_size(57_437) == "57.4 kB"


def formats(path: Path) -> list[str]:
    """Groups of digits and hexadecimal letters that a file writes by itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    specs = [node.format_spec for node in ast.walk(tree) if isinstance(node, ast.FormattedValue) and node.format_spec]
    return [text for text in map(ast.unparse, specs) if text.rstrip("'\"").endswith((",", "x", "X"))]


def test_no_other_place_of_the_window_writes_them() -> None:
    files = {path.relative_to(UI).as_posix(): formats(path) for path in UI.rglob("*.py")}
    assert {name for name, found in files.items() if found} == OF_OTHER_PROGRAMS


def test_spans(forms: NumberForms, settings: Settings) -> None:
    assert span_text(Span(0xB1DD, 0xD75D)) == str(Span(0xB1DD, 0xD75D)) == "0xB1DD–0xD75D"
    settings.set(NUMBER_LETTERS, "lower")
    assert span_text(Span(0xB1DD, 0xD75D)) == "0xb1dd–0xd75d"


def test_numbers_in_texts_of_core_are_written_so_too(forms: NumberForms, settings: Settings) -> None:
    names = Told("a, b, \u2026 (+", 1204, ")")
    assert (names, fill("Names: {names}", {"names": names})) == (
        "a, b, \u2026 (+1,204)",
        "Names: a, b, \u2026 (+1,204)",
    )
    settings.set(NUMBER_GROUPS, "none")
    del forms
    assert said("{names}", {"names": names}) == "a, b, \u2026 (+1204)"
    together = told_together(", ", [Told("step ", 1875), "lr 0.1"])
    assert (together, as_written(together)) == ("step 1,875, lr 0.1", "step 1875, lr 0.1")
    assert as_written("1,875 stands in the file") == "1,875 stands in the file"
    assert as_written(joined(f"layer{at}" for at in range(5000))).endswith(f"(+{5000 - MOST_NAMED})")
    assert as_written(written(1875.0)) == "1875"
    assert json.dumps({"names": names}) == '{"names": "a, b, \\u2026 (+1,204)"}'
