"""High contrast: words 7:1 on all that lies under them, lines and marks 4.5:1, whichever colours it is made of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from tests.colour_vision import contrast
from viewer.session import bookmarks
from viewer.session.settings import CONTRAST, THEME, Settings
from viewer.ui import high_contrast
from viewer.ui import theme as themes
from viewer.ui.application import Appearance
from viewer.ui.dialogs.preferences import Preferences
from viewer.ui.hexview import overlay
from viewer.ui.high_contrast import GROUNDS, INKS, LINES, apart
from viewer.ui.theme import Theme, load_theme

TEXT, LINE = 7.0, 4.5


@pytest.fixture(params=[("light", False), ("light", True), ("dark", False), ("dark", True)], ids=str)
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    name, distinct = request.param
    return load_theme(name, distinct=distinct, strong=True)


def weakest(theme: Theme, ink: str, grounds: tuple[str, ...]) -> float:
    return min(contrast(theme.color(ink), theme.color(ground)) for ground in grounds)


@pytest.mark.parametrize("ink", INKS)
def test_words_can_be_read_on_all_grounds(theme: Theme, ink: str) -> None:
    assert weakest(theme, ink, INKS[ink]) >= TEXT


@pytest.mark.parametrize("line", LINES)
def test_lines_and_marks_can_be_seen(theme: Theme, line: str) -> None:
    assert weakest(theme, line, LINES[line]) >= LINE


def test_chosen_rows_and_placeholders_can_be_read(theme: Theme) -> None:
    assert weakest(theme, "on_selection", ("selection",)) >= TEXT
    assert weakest(theme, "selection", ("pane",)) >= (LINE if not theme.dark else 1.5)


def test_every_role_is_looked_at(theme: Theme) -> None:
    """A new colour of a theme needs its place here."""
    bars = {f"{role}_bar" for role in ("error", "warning", "note", "done")}
    grounds = {*GROUNDS[True], *bars, "link_tint", "hit_fill", "selection"}
    assert {*INKS, *LINES, *grounds} == set(theme.colors)


def test_bytes_can_be_read_in_every_region(theme: Theme) -> None:
    pane = theme.color("pane")
    for kind, region in theme.regions.items():
        assert contrast(region.text, region.fill) >= TEXT, kind
        assert contrast(region.zero_ink, region.fill) >= TEXT, kind
        assert contrast(region.line, pane) >= LINE, kind
        if kind != "stop":  # it has no argument
            assert contrast(region.text, region.argument_fill) >= TEXT, kind
            assert contrast(region.zero_ink, region.argument_fill) >= TEXT, kind


def test_bookmarks_can_be_seen(theme: Theme) -> None:
    pane = theme.color("pane")
    assert min(contrast(overlay.line_of(theme, colour), pane) for colour in bookmarks.COLOURS) >= LINE


def test_a_colour_goes_no_further_than_it_must() -> None:
    black, white = QColor("black"), QColor("white")
    assert apart(black, [white], TEXT, black) == black
    grey = apart(QColor("#999999"), [white], LINE, black)
    assert LINE <= contrast(grey, white) < LINE + 0.5
    assert apart(white, [black, white], TEXT, black) == black, "none fits: as far as it goes"
    assert high_contrast.contrast(grey, white) == pytest.approx(contrast(grey, white))


@pytest.fixture
def looks(qapp: QApplication, settings: Settings) -> Iterator[Appearance]:
    settings.set(THEME, "light")
    style, sheet, font = qapp.style().name() or "fusion", qapp.styleSheet(), qapp.font()
    made = Appearance(qapp, settings)
    yield made
    made.deleteLater()
    qapp.setStyleSheet(sheet)
    qapp.setStyle(style)
    qapp.setPalette(qapp.style().standardPalette())
    qapp.setFont(font)


def test_it_is_chosen_in_the_preferences(qtbot: QtBot, looks: Appearance, settings: Settings) -> None:
    dialog = Preferences(settings, looks.theme)
    qtbot.addWidget(dialog)
    field = dialog.fields[CONTRAST.key]
    assert isinstance(field, QComboBox)
    for at, strong in ((2, True), (1, False)):
        with qtbot.waitSignal(looks.changed):
            field.setCurrentIndex(at)
            field.activated.emit(at)
        assert looks.theme.strong is strong
    assert looks.theme.color("border") == load_theme("light").color("border")


def test_it_follows_the_system(looks: Appearance, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not looks.theme.strong
    monkeypatch.setattr(themes, "system_wants_contrast", lambda: True)
    looks.refresh()
    assert looks.theme.strong
    settings.set(CONTRAST, "usual")
    assert not looks.theme.strong
