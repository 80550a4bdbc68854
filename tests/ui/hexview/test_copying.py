"""Copied text is what the text column shows, in its encoding."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.ui.hexview.layout import Form
from viewer.ui.hexview.texts import ENCODINGS
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import load_theme


@pytest.fixture
def view(qtbot: QtBot) -> HexView:
    made = HexView(load_theme("light"))
    qtbot.addWidget(made)
    return made


def copied(view: HexView, encoding: str, data: bytes, start: int = 0, phase: int = 0) -> str:
    view.set_reader(MemorySource(data))
    view.set_encoding(encoding)
    view.set_form(Form(phase=phase), "Offset")
    view.select(Span(start, len(data)))
    assert view.copy_text().whole
    return QGuiApplication.clipboard().text()


@pytest.mark.parametrize(
    ("encoding", "letters"),
    [
        ("ascii", "weight"),
        ("utf-8", "größe 权重 😀"),
        ("utf-16-le", "größe 权重 😀"),
        ("utf-16-be", "größe 权重 😀"),
        ("latin-1", "größe"),
        ("cp1252", "größe €"),
        ("cp437", "größe ░"),
        ("koi8-r", "вес"),
        ("mac-roman", "größe ∑"),
    ],
)
def test_letters_come_back(view: HexView, encoding: str, letters: str) -> None:
    assert encoding in ENCODINGS
    assert copied(view, encoding, letters.encode(encoding)) == letters


def test_units_begin_where_rows_do(view: HexView) -> None:
    data = b"\x07" + "Größe".encode("utf-16-le")
    assert copied(view, "utf-16-le", data, phase=1) == "\\x07Größe"
    assert copied(view, "utf-16-le", data, start=1, phase=1) == "Größe"
    assert copied(view, "utf-16-le", data, start=2, phase=1) == "\\x00röße"


def test_what_is_no_text_is_written_as_bytes(view: HexView) -> None:
    assert copied(view, "ascii", b"a\x00\xffb") == "a\\x00\\xffb"
    assert copied(view, "utf-16-le", b"a\x00\x00\x00\x00\xd8b") == "a\\x00\\x00\\x00\\xd8\\x62"
    assert copied(view, "cp1252", b"a\x81") == "a\\x81"
