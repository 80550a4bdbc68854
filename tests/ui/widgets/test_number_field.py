"""A field for whole numbers: what it makes of commas and points."""

import pytest
from PySide6.QtCore import QLocale, Qt
from pytestqt.qtbot import QtBot

from viewer.ui.theme import load_theme
from viewer.ui.widgets.number_field import number_field


@pytest.fixture(params=["en_US", "de_DE", "C"])
def language(request):
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield
    QLocale.setDefault(before)


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize(
    ("typed", "value"),
    [("12", 12), ("0,5", 0), ("0.5", 0), ("7,", 7), ("1,000", 1000), ("1.000", 1000), ("-3", 3), ("2,000,000", 2000)],
)
def test_a_comma_is_never_left_out_of_a_number(qtbot: QtBot, typed, value):
    field = number_field(load_theme("light"))
    qtbot.addWidget(field)
    field.setRange(0, 1_000_000)
    field.setValue(9)
    field.lineEdit().clear()
    qtbot.keyClicks(field.lineEdit(), typed)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert (field.value(), field.text()) == (value, str(value))


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("typed", ["\u06f4\u06f5", "\u0664\u0665", "4\u06f5", "\uff14\uff15"])
def test_digits_of_other_scripts_are_taken_and_shown_as_latin(qtbot: QtBot, typed):
    field = number_field(load_theme("light"))
    qtbot.addWidget(field)
    field.setRange(0, 1_000)
    field.setSuffix("\N{NO-BREAK SPACE}MiB")
    field.setKeyboardTracking(False)
    field.setValue(9)
    field.lineEdit().setSelection(0, 1)
    # QTest types Latin letters only.
    field.lineEdit().insert(typed)
    assert field.lineEdit().text() == "45\N{NO-BREAK SPACE}MiB"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.value() == 45
