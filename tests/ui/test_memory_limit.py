"""The memory limit of the preferences holds at once, for what the window does too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.shell import ZIP
from viewer import torch_client
from viewer.core import memory
from viewer.core.source import FileSource
from viewer.core.span import Span
from viewer.session.settings import MEMORY, Settings
from viewer.ui.application import follow_memory
from viewer.ui.hexview import copying
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import load_theme


@pytest.fixture(autouse=True)
def none_afterwards() -> Iterator[None]:
    yield
    memory.allow(None)


def test_it_is_followed(settings: Settings) -> None:
    follow_memory(settings)
    assert memory.limit() == memory.USUAL == MEMORY.default * memory.MIB
    settings.set(MEMORY, 512)
    assert memory.limit() == 512 * memory.MIB
    settings.set(MEMORY, 1)
    assert memory.limit() == 256 * memory.MIB


def test_torch_is_told(settings: Settings) -> None:
    follow_memory(settings)
    settings.set(MEMORY, 300)
    assert torch_client.limit() == 300 * memory.MIB


def test_no_more_bytes_are_copied_than_it_allows(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "MOST", 1600)
    view = HexView(load_theme("light"))
    source = FileSource(ZIP)
    view.set_reader(source)
    view.select(Span(0, 1000))
    assert len(view.selected_bytes()[0]) == 1000
    memory.allow(memory.USUAL // 16)
    data, asked = view.selected_bytes()
    assert (len(data), asked) == (100, 1000)
    view.deleteLater()
    source.close()
