"""Which keys can belong to a command."""

from __future__ import annotations

import pytest

from viewer.ui.widgets.key_field import stands


@pytest.mark.parametrize(
    "key", ["Ctrl+A", "Alt+Left", "Meta+X", "Ctrl+Shift+F1", "Meta+Shift+Down", "F1", "Shift+F12", "F35", "Ctrl++"]
)
def test_keys_of_commands(key: str) -> None:
    assert stands(key)


@pytest.mark.parametrize("key", ["A", "Shift+A", "Left", "Shift+Tab", "Space", "Del", "F", "+", "Backspace", "Shift+F"])
def test_keys_that_write_or_move(key: str) -> None:
    assert not stands(key)
